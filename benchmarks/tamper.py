"""Tampers with a house COUNT times (10,000), in every way that is known, and counts what verify finds.

Run it with `./x bench tamper [COUNT]`. The ways are in tests/store/tamperings.py (rows and bits of the database and its
export, tails cut or written anew with an anchor, keys of a thief's, backups) and tests/tables/tamperings.py
(credentials, rulebooks, rolls). The run fails if one is not found.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from tests.store import tamperings
from tests.store.tamperings import TamperedHouse
from tests.tables import tamperings as dealt_tamperings
from tests.tables.tamperings import DealtHouse

COUNT = 10_000


def _trials(folder: Path, count: int) -> Iterator[tuple[str, int, Callable[[], bool]]]:
    """Yield each kind of tampering, how often it is tried, and a function that tampers and returns if it is found."""
    (folder / "log").mkdir()
    (folder / "dealt").mkdir()
    house, dealt = TamperedHouse(folder / "log"), DealtHouse(folder / "dealt")
    kinds = len(tamperings.KINDS) + len(dealt_tamperings.KINDS)

    def once(tamper: Callable[[TamperedHouse, Random], Callable[[], bool]], random: Random) -> bool:
        house.renew()
        return tamper(house, random)()

    def once_dealt(tamper: Callable[[DealtHouse, Random], None], random: Random) -> bool:
        dealt.renew()
        tamper(dealt, random)
        return dealt.is_found()

    for index, (name, tamper) in enumerate(tamperings.KINDS.items()):
        yield name, count // kinds + (index < count % kinds), partial(once, tamper, Random(name))
    for name, dealt_tamper in dealt_tamperings.KINDS.items():
        yield name, count // kinds, partial(once_dealt, dealt_tamper, Random(name))


def main(arguments: list[str]) -> int:
    """Tamper; return 0 if everything was found."""
    count = int(arguments[0].replace(",", "")) if arguments else COUNT
    missed: dict[str, list[int]] = {}
    print(f"{'tampering':<50} {'times':>7} {'found':>7}", flush=True)
    begun, done = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        for name, times, tampered in _trials(Path(folder), count):
            if unseen := [number for number in range(times) if not tampered()]:
                missed[name] = unseen
            done += times
            print(f"{name:<50} {times:>7,} {times - len(missed.get(name, ())):>7,}", flush=True)
    found = done - sum(map(len, missed.values()))
    seconds = time.monotonic() - begun
    print(f"{'all':<50} {done:>7,} {found:>7,} in {seconds:,.0f} s", flush=True)
    print(json.dumps({"bench": "tamper", "count": done, "found": found, "missed": missed, "seconds": round(seconds)}))
    return 0 if not missed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
