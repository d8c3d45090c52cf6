"""Tampers with a house COUNT times (10,000), in every way that is known, and counts what verify finds.

Run it with `./x bench tamper [COUNT]`. The ways are in tests/store/tamperings.py: rows and bits of the database and its
export, tails cut or written anew with an anchor, keys of a thief's, backups. The run fails if one is not found.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.store.tamperings import KINDS, TamperedHouse

COUNT = 10_000


def main(arguments: list[str]) -> int:
    """Tamper; return 0 if everything was found."""
    count = int(arguments[0].replace(",", "")) if arguments else COUNT
    missed: dict[str, list[int]] = {}
    print(f"{'tampering':<50} {'times':>7} {'found':>7}", flush=True)
    begun, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        house = TamperedHouse(Path(folder))
        for index, (name, tamper) in enumerate(KINDS.items()):
            times = count // len(KINDS) + (index < count % len(KINDS))
            random = Random(name)
            for number in range(times):
                house.renew()
                if not tamper(house, random)():
                    missed.setdefault(name, []).append(number)
            done += times
            print(f"{name:<50} {times:>7,} {times - len(missed.get(name, ())):>7,}", flush=True)
    found = done - sum(map(len, missed.values()))
    seconds = time.monotonic() - begun
    print(f"{'all':<50} {done:>7,} {found:>7,} in {seconds:,.0f} s", flush=True)
    print(json.dumps({"bench": "tamper", "count": done, "found": found, "missed": missed, "seconds": round(seconds)}))
    return 0 if not missed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
