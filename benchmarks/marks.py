"""Breaks the rulebook entry or code behind marked clauses: the share that their own tests do not notice.

Run it with `./x bench marks [COUNT] [--seed N] [--only CLAUSE] [--jobs 2]`: random clauses, each broken once, in an
entry or a page that cites it; or with `./x bench marks --part tournament [--each 8]` or `--part office`: every clause
of a part, its pages (words included) and its code broken many times, and what came of it written to
rulebooks/clauses/breaks.csv and results/marks-survivors.txt. Each break is made in a copy; only the tests that claim
the clause are run. results/marks.txt is the last full run.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    if "--part" in sys.argv and "office" in sys.argv:
        from benchmarks.marking.office_rows import main
    elif "--part" in sys.argv:
        from benchmarks.marking.rows import main
    else:
        from benchmarks.marking.campaign import main

    sys.exit(main(sys.argv[1:]))
