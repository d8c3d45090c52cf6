"""Searches each regulation's office for ways round its clauses: breadth first, planned, then random walks.

Run it with `./x bench search [REGULATION ...] [--deep N] [--seed N] [--fixture]`. `--deep 1` is what the usual tests
search; every further step doubles the bounds (the default is 3). Each finding stands with its oracle, act, clause and
the shortest way to it, marked + where tests/office/search/known.txt does not have it; `--fixture` searches the pages of
version 0.2.0, which tests keep. Then comes what was covered, and acts that nothing led to. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the search is shared with the tests

from passline.rules.clauses import REGULATIONS
from tests.office.search.explore import Bounds, Search
from tests.office.search.findings import read_known
from tests.office.search.offices import seeds_today, seeds_with_known_holes


def main(arguments: list[str]) -> int:
    """Search some offices and print what was found; fail if a finding is new."""
    parser = argparse.ArgumentParser(prog="./x bench search")
    parser.add_argument("regulations", nargs="*", metavar="REGULATION", default=[*REGULATIONS])
    parser.add_argument("--deep", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fixture", action="store_true")
    given = parser.parse_args(arguments)
    known, totals, new = read_known(deeper=True), [], 0
    for regulation in given.regulations or [*REGULATIONS]:
        started = time.process_time()
        seeds = seeds_with_known_holes(regulation) if given.fixture else seeds_today(regulation)
        search = Search(seeds, Bounds().deeper(given.deep), given.seed)
        findings = search.run()
        for finding in findings:
            print(("  " if finding.key in known else "+ ") + str(finding))
        covered = search.coverage()
        new += sum(finding.key not in known for finding in findings)
        totals.append({"regulation": regulation, "findings": len(findings), **covered})
        print(f"{regulation}: {len(findings)} findings in {time.process_time() - started:.0f} s of processor time")
        print("".join(f"    {name}: {value}\n" for name, value in covered.items()))
    print(json.dumps({"search": totals, "new": new}))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
