"""A campaign over the clauses that office days show: every break of their entries, words included, tried on the days.

The breaks and the days are those of `tests/office/test_clauses.py`; here they are counted by clause.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.marking.tally import ClauseTally, write_breaks, write_survivors
from passline.acts.rules import office_of
from passline.rules.clauses import REGULATIONS, clauses_of
from tests.office.day_file import clauses_in, day_files
from tests.office.noticed import EXPLAINED, noticed_by, shown_clauses


def main(arguments: Sequence[str]) -> int:
    """Try every break and print the results; the last line is one JSON object."""
    parser = argparse.ArgumentParser(prog="./x bench marks --part office", description=__doc__)
    parser.add_argument("--part", required=True, choices=["office"])
    parser.add_argument("--jobs", type=int, default=2, help="clauses at a time (default: 2)")
    parser.add_argument("--only", action="append", help="a clause; may be repeated")
    parser.add_argument("--dry", action="store_true", help="write neither breaks.csv nor the page of survivors")
    options = parser.parse_args(arguments)
    rows = [
        (regulation, clause)
        for regulation in REGULATIONS
        for clause in shown_clauses(regulation)
        if clauses_of(regulation)[clause].part != "tournament" and (not options.only or clause in options.only)
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        tallies = [tally for tally in pool.map(_tallied, rows, chunksize=4) if tally.tried]
    print(f"{'clause':28} {'tried':>6} {'noticed':>8}")
    for tally in tallies:
        print(f"{tally.clause:28} {tally.tried:6} {tally.noticed:8}")
    unexplained: list[str] = []
    if not options.dry:
        write_breaks(tallies)
        unexplained = write_survivors(tallies, explained=EXPLAINED)
    for survivor in unexplained:
        print(f"NOT EXPLAINED: {survivor}")
    tried, noticed = sum(one.tried for one in tallies), sum(one.noticed for one in tallies)
    result = {"bench": "marks", "part": "office", "clauses": len(tallies), "tried": tried, "noticed": noticed}
    print(json.dumps({**result, "survived": tried - noticed}))
    return 1 if unexplained else 0


def _tallied(row: tuple[str, str]) -> ClauseTally:
    regulation, clause = row
    days = [day for day in day_files(regulation) if clause in clauses_in(day)]
    found = noticed_by(office_of(regulation), clause, days)
    return ClauseTally(clause, found.tried, found.noticed, found.silent)
