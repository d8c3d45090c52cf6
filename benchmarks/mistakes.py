"""Mistakes in rulebooks: every key of every file wrong in every way; loading names each, or it is known as harmless.

./x bench mistakes              all of them, about 49,000
./x bench mistakes 500          500 of each rulebook
./x bench mistakes 500 SEED     other ones
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from time import perf_counter

from tests.rules.mistakes import FOLDERS, fate_of, mistakes_of


def main() -> None:
    """Make the mistakes and print how many were named, harmless and silent; fail if any was silent."""
    count, seed = (*sys.argv[1:], "", "")[:2]
    print(f"{'rulebook':10} {'mistakes':>9} {'named':>7} {'harmless':>9} {'not named':>10} {'seconds':>8}")
    total: Counter[str] = Counter()
    for name in FOLDERS:
        mistakes = list(mistakes_of(name))
        if count:
            mistakes = random.Random(seed).sample(mistakes, min(int(count), len(mistakes)))
        start = perf_counter()
        fates: Counter[str] = Counter()
        for mistake in mistakes:
            fate = fate_of(mistake)
            fates[fate if fate in {"named", "harmless"} else "not named"] += 1
            if fate not in {"named", "harmless"}:
                print(f"{mistake}: {fate}")
        total += fates
        figures = (len(mistakes), fates["named"], fates["harmless"], fates["not named"], perf_counter() - start)
        print("{:10} {:9,} {:7,} {:9,} {:10,} {:8.1f}".format(name, *figures), flush=True)
    print(json.dumps({"mistakes": total.total(), **total}))
    sys.exit(bool(total["not named"]))


if __name__ == "__main__":
    main()
