"""Luck told truly: printed chances of rare sittings against their exact ones, and of players who adapt and stop.

Fixed stakes: the exact chance comes from a convolution of the 36 outcomes of every roll, and is from 1e-3 to 1e-6. What
is printed must never be rarer, and is to be within a factor of 300 in the median. The peer is the normal approximation
that was printed before. Players who adapt choose every stake by what came before, and are looked at after every roll:
"rarer than 1 in 100" may be printed of at most 1 in 100 of them at their best moment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from itertools import islice
from math import erfc, sqrt
from multiprocessing import get_context
from random import Random
from statistics import median
from typing import Any

from benchmarks.processor import processor_name
from passline.exact.luck_evidence import prices_of_roll
from tests.exact.luck_sittings import AdaptedSitting, FixedSitting, adapted_sitting, evidence_after, fixed_sittings

FACTOR = 300
BOUNDS = (10, 100, 1_000, 10_000)
BAND = 20
CHUNK = 2_500


def main() -> None:
    """Measure both; the last line is one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixed", type=int, default=500, help="sittings with fixed stakes")
    parser.add_argument("--adapted", type=int, default=100_000, help="sittings of players who adapt")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(f"{processor_name()}, {os.cpu_count()} cores, Python {platform.python_version()}", end="")
    print(f", load {os.getloadavg()[0]:.1f} before\n", flush=True)
    fixed, adapted = _fixed(options.fixed), _adapted(options.adapted, options.processes)
    print(json.dumps({"fixed": fixed, "adapted": adapted}))


def _fixed(wanted: int) -> dict[str, Any]:
    found = list(islice(fixed_sittings(Random(30)), wanted))
    rows = [(one, *_factors(one)) for one in found]
    print(f"{wanted} sittings of fixed stakes, exact chance 1e-3 to 1e-6: printed chance by the exact one")
    print(f"  {'wagers':30} {'sittings':>8} {'least':>9} {'median':>9} {'most':>9}   normal: told as rarer, by at most")
    for plan in (*sorted({one.plan for one in found}), ""):
        own = [row for row in rows if not plan or row[0].plan == plan]
        told, normal = [row[1] for row in own], [row[2] for row in own]
        rarer = sum(one < 1 for one in normal) / len(own)
        worst = max(1 / min(normal), 1)
        shown = f"{min(told):9.1f} {median(told):9.1f} {max(told):9.1f}"
        print(f"  {plan or 'all':30} {len(own):8} {shown}   {rarer:7.0%}  {worst:12,.0f} x", flush=True)
    told = [row[1] for row in rows]
    steps = [roll for one in found for roll in set(one.rolls)]
    begun = time.process_time()
    for one in steps:
        prices_of_roll.__wrapped__(one)
    micros = (time.process_time() - begun) / len(steps) * 1e6
    print(f"  the price of a layout that is not known yet takes {micros:.0f} us of processor time\n", flush=True)
    return {
        "sittings": wanted,
        "told_as_rarer": sum(one < 1 for one in told),
        "least_factor": round(min(told), 2),
        "median_factor": round(median(told), 1),
        "factor_wanted": FACTOR,
        "normal_told_as_rarer": sum(row[2] < 1 for row in rows),
        "price_us": round(micros, 1),
    }


def _factors(one: FixedSitting) -> tuple[float, float]:
    """By how much a sitting is told as more common than it is: by us, and by the normal approximation."""
    variance = float(sum(roll.variance for roll in one.rolls))
    normal = erfc(abs(float(one.luck)) / sqrt(2 * variance))
    return 1 / evidence_after(one.rolls, one.luck).one_in() / one.chance, normal / one.chance


def _chunk(seed: int) -> list[AdaptedSitting]:
    random = Random(seed)
    return [adapted_sitting(random, band=BAND) for _ in range(CHUNK)]


def _adapted(wanted: int, processes: int) -> dict[str, Any]:
    with get_context("spawn").Pool(processes) as pool:
        found = [one for some in pool.imap(_chunk, range(-(-wanted // CHUNK))) for one in some][:wanted]
    print(f"{wanted:,} sittings of players who adapt, at their best moment: share told as at least so rare")
    heads = " ".join(f"{f'1 in {bound:,}':>12}" for bound in BOUNDS)
    print(f"  {'player':24} {'sittings':>9} {heads} {f'left 1 in {BAND}':>14}")
    for player in (*sorted({one.player for one in found}), ""):
        own = [one for one in found if not player or one.player == player]
        shares = " ".join(f"{sum(one.one_in >= bound for one in own) / len(own):12.3%}" for bound in BOUNDS)
        left = sum(one.left_band for one in own) / len(own)
        print(f"  {(player or 'all').replace('_', ' '):24} {len(own):9,} {shares} {left:14.2%}", flush=True)
    print()
    told = {str(bound): sum(one.one_in >= bound for one in found) for bound in BOUNDS}
    return {
        "sittings": wanted,
        "told_at_least_1_in": told,
        f"left_band_1_in_{BAND}": sum(one.left_band for one in found),
    }


if __name__ == "__main__":
    main()
