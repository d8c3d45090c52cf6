"""Breaks the rulebook entry or code behind random marked clauses: the share that their own tests do not notice.

Run it with `./x bench marks [COUNT] [--seed N] [--only CLAUSE] [--jobs 2]`. Each break is made in a copy; only the
tests that claim the clause are run. results/marks.txt is the last full run.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from benchmarks.marking.campaign import main

    sys.exit(main(sys.argv[1:]))
