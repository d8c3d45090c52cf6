"""Electronic dice: a statistical battery and their rate; physical dice: how soon each of several faults is found.

Every roll of electronic dice is thrown as a server throws it: its key from a master secret, then the dice from the key,
the hash of a closing entry and a nonce. A source that is fair gives p values spread evenly between 0 and 1. `--faults`
is the part about physical dice alone.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from benchmarks._faulty_dice import tell_faults
from passline.dice import OUTCOMES, Roll
from passline.dice_sources import system_roll
from passline.provable_dice import DiceKeys, provable_roll

FACES = len(OUTCOMES)
LAGS = (1, 2, 3, 5, 8, 36)
GAPS = 40  # lengths of waits for a seven that are counted apart
FAIR = (1e-5, 1 - 1e-5)  # a p value outside is called out
CHUNK = 200_000
RATE_ROLLS = 20_000
_PLACES = {roll: place for place, roll in enumerate(OUTCOMES)}
_SEVENS = np.array([roll.first + roll.second == 7 for roll in OUTCOMES])


def main() -> None:
    """Throw the dice, test them; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", type=int, default=100_000_000, help="how many dice; two make a roll")
    parser.add_argument("--faults", action="store_true", help="only the evidence against physical dice with a fault")
    parser.add_argument("--sets", type=int, default=200, help="how many sets of physical dice have each fault")
    options = parser.parse_args()
    if options.faults:
        raise SystemExit(0 if tell_faults(sets=options.sets) else 1)
    chunks = max(1, options.dice // 2 // CHUNK)
    print(f"{os.cpu_count()} cores of {platform.processor() or platform.machine()}, Python {platform.python_version()}")
    begun = time.perf_counter()
    battery = Battery()
    with get_context("spawn").Pool() as pool:
        for done, thrown in enumerate(pool.imap(thrown_chunk, range(chunks)), start=1):
            battery.take(thrown)
            if done % max(1, chunks // 20) == 0:
                print(f"  {2 * done * CHUNK:,} dice in {time.perf_counter() - begun:,.0f} s", flush=True)
    results = dict(battery.results())
    print("\n  test                                          p")
    for name, p in results.items():
        print(f"  {name:40} {p:8.5f}{'' if FAIR[0] < p < FAIR[1] else '   NOT FAIR'}")
    ours, peer = rate(_electronic()), rate(system_roll)
    print(f"\n  {ours:,.0f} rolls a second on one core, {ours / peer:.2f} x the operating system's {peer:,.0f}")
    figures = {"dice": 2 * chunks * CHUNK, "p": {name: round(p, 6) for name, p in results.items()}}
    is_fair = all(FAIR[0] < p < FAIR[1] for p in results.values())
    print(json.dumps({**figures, "is_fair": is_fair, "rolls_per_s": round(ours), "ratio": round(ours / peer, 3)}))
    if not (tell_faults(sets=options.sets) and is_fair):
        raise SystemExit(1)


def thrown_chunk(chunk: int) -> npt.NDArray[np.uint8]:
    """Return the rolls of one table, as places in OUTCOMES: every other roll has a nonce."""
    keys = DiceKeys(sha256(b"the master of a benchmark").digest(), "benchmark")
    stream, closing = f"table/{chunk}", sha256(str(chunk).encode()).digest()
    found = np.empty(CHUNK, dtype=np.uint8)
    for number in range(CHUNK):
        closing = sha256(closing).digest()  # as good as the hash of any entry
        nonce = closing[::-1] if number % 2 else b""
        found[number] = _PLACES[provable_roll(keys.key(stream, number + 1), closing=closing, nonce=nonce)]
    return found


class Battery:
    """Counts of rolls, of pairs of rolls, and of waits for a seven."""

    def __init__(self) -> None:
        self.rolls = np.zeros(FACES, dtype=np.int64)
        self.pairs = {lag: np.zeros(FACES * FACES, dtype=np.int64) for lag in LAGS}
        self.gaps = np.zeros(GAPS + 1, dtype=np.int64)
        self.halves = np.zeros((2, FACES), dtype=np.int64)

    def take(self, thrown: npt.NDArray[np.uint8]) -> None:
        """Count the rolls of one table."""
        rolls = thrown.astype(np.int64)
        self.rolls += np.bincount(rolls, minlength=FACES)
        for lag in LAGS:
            self.pairs[lag] += np.bincount(rolls[:-lag] * FACES + rolls[lag:], minlength=FACES * FACES)
        for odd in (0, 1):
            self.halves[odd] += np.bincount(rolls[odd::2], minlength=FACES)
        waits = np.diff(np.flatnonzero(_SEVENS[rolls])) - 1
        self.gaps += np.bincount(np.minimum(waits, GAPS), minlength=GAPS + 1)

    def results(self) -> Iterator[tuple[str, float]]:
        """Yield each test and its p value."""
        even = np.full(FACES, 1 / FACES)
        yield "all 36 outcomes", p_of(self.rolls, even)
        grid = self.rolls.reshape(6, 6)
        yield "the first die", p_of(grid.sum(axis=1), np.full(6, 1 / 6))
        yield "the second die", p_of(grid.sum(axis=0), np.full(6, 1 / 6))
        totals = [sum(int(grid[a, b]) for a in range(6) for b in range(6) if a + b == total) for total in range(11)]
        ways = [6 - abs(total - 5) for total in range(11)]
        yield "totals", p_of(np.array(totals), np.array(ways) / FACES)
        yield "rolls without a nonce", p_of(self.halves[0], even)
        yield "rolls with a nonce", p_of(self.halves[1], even)
        for lag in LAGS:
            yield f"pairs of rolls {lag} apart", p_of(self.pairs[lag], np.full(FACES * FACES, FACES**-2))
        wait = np.array([(5 / 6) ** gap / 6 for gap in range(GAPS)])
        yield "waits for a seven", p_of(self.gaps, np.append(wait, (5 / 6) ** GAPS))


def p_of(counts: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> float:
    """Return the p value of a chi-square test, by Wilson and Hilferty's approximation."""
    expected = shares * counts.sum()
    statistic, freedom = float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1
    spread = 2 / (9 * freedom)
    return math.erfc(((statistic / freedom) ** (1 / 3) - 1 + spread) / math.sqrt(2 * spread)) / 2


def _electronic() -> Callable[[], Roll]:
    keys, numbers = DiceKeys(bytes(32), "rate"), iter(range(1, 10**9))
    return lambda: provable_roll(keys.key("table/1", next(numbers)), closing=bytes(32), nonce=b"")


def rate(throw: Callable[[], Roll]) -> float:
    """Return rolls a second."""
    begun = time.perf_counter()
    for _ in range(RATE_ROLLS):
        throw()
    return RATE_ROLLS / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
