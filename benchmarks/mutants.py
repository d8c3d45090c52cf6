"""Mutation testing of game/ and rules/: a random sample of small changes, and the share that no test notices.

Run it with `./x bench mutants [COUNT] [--seed N] [--only PATH] [--jobs 2]`; results/mutants.txt is the last full run.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from benchmarks.mutation.campaign import main

    sys.exit(main(sys.argv[1:]))
