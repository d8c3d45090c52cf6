"""Evidence against physical dice: what a test would find that knew the fault, and what ours finds that does not.

Sets of dice without serial numbers are followed, as in a house with one table: the evidence of a set is the mean of its
own and of its table's. In the first life both have heard the same rolls; in longer pools the set has heard nothing that
speaks against it, which is the least that it can do, so a pool has half of its own evidence.
"""

from __future__ import annotations

import json
import os
import platform
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.processor import processor_name
from passline.exact.dice_battery import LOOKING, SHARES, STEADY
from passline.exact.dice_evidence import DiceEvidence, DiceSequence
from passline.exact.dice_faults import FAULTS, DiceFault, chance_found
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.views.pace import pace_of
from tests.exact.many_dice import ManySets, thrown, thrown_fair

__all__ = ["tell_faults"]

ONE_IN = 1_000
BEHIND_MAX = 6.0
POOLS = (0.125, 0.5, 1, 3, 10)  # in lives of a set
BARELY = 0.05
EVERY = 4  # rolls from one look to the next in longer pools, so that what is found there is rather too little
FAIR_SETS = 2_000
RATE_ROLLS = 3_000
Floats = NDArray[np.float64]


class Found(NamedTuple):
    """What was found in a pool of so many rolls: by a test that knows the fault and by ours, simulated and told."""

    rolls: int
    knowing: float
    knowing_told: float
    ours: float
    ours_told: float
    behind: float  # nats: the most, over all sets and looks
    behind_mean: float  # on average when a test that knows the fault finds it


def tell_faults(*, sets: int) -> bool:
    """Print what is found of each fault; return whether ours is never too far behind and fair dice alarm seldom enough.

    The last line is one JSON object.
    """
    life = life_rolls()
    print(f"{os.cpu_count()} cores of {processor_name()}, Python {platform.python_version()}")
    print(f"{len(SHARES)} wagers, {len(STEADY)} steady and {len(LOOKING)} that look back; alarm at {ONE_IN:,} to one")
    figures: dict[str, object] = {"life": life, "sets": sets, "faults": {}}
    told, worst = dict[str, object](), 0.0
    for number, fault in enumerate(FAULTS):
        print(f"\n{number + 1}. {fault.name}\n   ({fault.law})")
        print(f"   {fault.information:.6f} nats a roll; 1 of {1 / fault.share:.0f} is staked on it")
        print("     rolls   who knew finds (told)   ours finds (told)   behind: at most, when found")
        rows = follow(fault, life=life, sets=sets, seed=number)
        for row in rows:
            print(
                f"   {row.rolls:7,}   {row.knowing:9.1%} {row.knowing_told:8.1%}"
                f"       {row.ours:9.1%} {row.ours_told:8.1%}   {row.behind:12.2f} {row.behind_mean:8.2f}",
                flush=True,
            )
        if any(row.rolls == life and row.ours < BARELY for row in rows):
            print(f"   Nothing to speak of can be found in the life of a set ({life:,} rolls).")
        worst = max(worst, *(row.behind for row in rows))
        told[fault.name] = [
            [row.rolls, round(row.knowing, 4), round(row.ours, 4), round(row.behind, 2)] for row in rows
        ]
    alarms = fair_alarms(life)
    print(f"\nFair dice, {FAIR_SETS:,} sets through a life of {life:,} rolls, a look after each:")
    for one_in, share in alarms.items():
        print(f"   alarm at {one_in:5,} to one: {share:.2%} of them; at most {1 / one_in:.2%} is promised")
    is_fair = all(share <= 1 / one_in + 3 * (1 / one_in / FAIR_SETS) ** 0.5 for one_in, share in alarms.items())
    cost = roll_seconds() * 1e6
    print(f"\n{cost:.0f} microseconds a roll on one core, for a set and its table")
    figures |= {"faults": told, "behind": round(worst, 2), "fair": alarms, "roll_us": round(cost)}
    print(json.dumps({**figures, "is_close": worst <= BEHIND_MAX, "is_fair": is_fair}))
    return worst <= BEHIND_MAX and is_fair


def life_rolls() -> int:
    """Return the rolls in the life of a set of Maryland's, at the usual pace."""
    sets = rulebook_of("maryland").general.live.dice_sets
    assert sets is not None
    return sets.hours_max * pace_of(()).rolls_an_hour


def follow(fault: DiceFault, *, life: int, sets: int, seed: int) -> list[Found]:
    """Follow sets with a fault through a life and longer pools, until ours has found it in all."""
    many, throws = ManySets(sets), thrown(fault, np.random.default_rng(seed), sets)
    knowing, ours = np.zeros(sets, dtype=bool), np.zeros(sets, dtype=bool)
    when_found: Floats = np.full(sets, np.nan)
    behind, rows = 0.0, list[Found]()
    for lives in POOLS:
        part, rolls = 1.0 if lives <= 1 else 0.5, int(life * lives)
        while many.rolls < rolls:
            many.take(next(throws))
            if many.rolls % (1 if lives <= 1 else EVERY) == 0 and not ours.all():
                known, value = many.ratio(fault), many.value * part
                gap = np.log(known / value)
                is_open = ~ours  # later than that nobody asks
                behind = max(behind, float(gap[is_open].max()))
                when_found = np.where((known >= ONE_IN) & np.isnan(when_found), gap, when_found)
                knowing |= known >= ONE_IN
                ours |= value >= ONE_IN
            elif ours.all():
                break
        told = [chance_found(fault, rolls=rolls, bound=ONE_IN, share=share) for share in (1.0, fault.reach * part)]
        mean = float(np.nanmean(when_found)) if knowing.any() else behind
        rows.append(Found(rolls, float(knowing.mean()), told[0], float(ours.mean()), told[1], behind, mean))
        if ours.all():
            break
    return rows


def fair_alarms(life: int) -> dict[int, float]:
    """Return which share of fair sets ever alarms at several bounds, with a look after each roll."""
    many, throws = ManySets(FAIR_SETS), thrown_fair(np.random.default_rng(99), FAIR_SETS)
    highest = many.value
    for _ in range(life):
        many.take(next(throws))
        highest = np.maximum(highest, many.value)
    return {one_in: float(np.mean(highest >= one_in)) for one_in in (10, 20, 100, 1_000)}


def roll_seconds() -> float:
    """Return how long the program takes for a roll of a set that has two parts."""
    chance = np.random.default_rng(1).integers(1, 7, size=(RATE_ROLLS, 2)).tolist()
    sequence, own, table = DiceSequence(), DiceEvidence(), DiceEvidence()
    begun = time.process_time()
    for first, second in chance:
        sequence, said = sequence.after(first, second)
        own, table = own.after(said), table.after(said)
    return (time.process_time() - begun) / RATE_ROLLS
