"""Regulations that nobody has seen: each is drawn from a seed, loaded, played, analysed, simulated, printed, verified.

Points, lines, odds, payouts, elections, currency, chips, days and wagers of every family are drawn. Chips are kept
after every command, the log verifies from the text that it keeps, and the par sheet equals the returns by hand,
on the day before an amendment and on its day.

./x bench regulations              1,000 of them
./x bench regulations 50 7000      50, from seed 7000 on
"""

from __future__ import annotations

import json
import sys
import traceback
from collections import Counter
from time import process_time

from tests.rules.generated.dealt import deal
from tests.rules.generated.regulation import families_of, regulation_from

_SHOWN_EVERY = 50


def main() -> None:
    """Deal them and print what each family had; fail if any regulation did."""
    count, first = (*map(int, sys.argv[1:]), *(1_000, 0)[len(sys.argv) - 1 :])[:2]
    families: Counter[str] = Counter()
    lines, faulty, start = 0, [], process_time()
    for seed in range(first, first + count):
        regulation = regulation_from(seed)
        families += families_of(regulation)
        try:
            lines += deal(regulation)
        except Exception:  # noqa: BLE001  # whatever it is, the next one is dealt too
            faulty.append(seed)
            print(f"seed {seed}:\n{traceback.format_exc()}", file=sys.stderr)
        if (seed - first + 1) % _SHOWN_EVERY == 0:
            print(f"{seed - first + 1:6,} dealt, {len(faulty)} faulty", file=sys.stderr, flush=True)
    seconds = process_time() - start
    print(f"{'family':12} {'wagers':>8}")
    for family, wagers in sorted(families.items()):
        print(f"{family:12} {wagers:8,}")
    print(f"{count:,} regulations, {lines:,} lines of par sheets equal by hand, {len(faulty)} faulty, {seconds:,.0f} s")
    found = {"regulations": count, "lines": lines, "faulty": faulty, "families": families, "seconds": round(seconds, 1)}
    print(json.dumps(found))
    sys.exit(bool(faulty))


if __name__ == "__main__":
    main()
