"""Evidence against physical dice: what a test would find that knew the fault, and what ours finds that does not.

Sets are followed as in a house with one table. In the first life all parts of a set have heard the same rolls. In
longer pools everything but the pool has heard nothing that speaks against it, which is the least that it can do; so the
pool has its share of the evidence: of dice without numbers the table has 3/8, where its shooters are known as well, and
of five dice with numbers 15/52, their lot a little more. A pool of those is followed from its first roll on.
"""

from __future__ import annotations

import json
import os
import platform
import time
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchmarks.processor import processor_name
from passline.bookkeeping.dice_sets import Shooters, dice_set_of
from passline.exact.dice_battery import LOOKING, SHARES, STEADY
from passline.exact.dice_evidence import DiceEvidence, DiceSequence
from passline.exact.dice_faults import FAULTS, DiceFault, chance_found
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.views.recall import pace_of
from tests.exact.many_dice import ManySets, thrown, thrown_fair

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
    pooled: float  # by a pool of five dice with numbers, which alone has heard of it
    behind: float  # nats: the most, over all sets and looks
    pool_behind: float  # and of that pool
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
        print(
            "     rolls   who knew finds (told)   ours finds (told)   behind: at most, when found   pool finds, behind"
        )
        rows = follow(fault, life=life, sets=sets, seed=number)
        for row in rows:
            print(
                f"   {row.rolls:7,}   {row.knowing:9.1%} {row.knowing_told:8.1%}"
                f"       {row.ours:9.1%} {row.ours_told:8.1%}   {row.behind:12.2f} {row.behind_mean:8.2f}"
                f"       {row.pooled:9.1%} {row.pool_behind:6.2f}",
                flush=True,
            )
        if any(row.rolls == life and row.ours < BARELY for row in rows):
            print(f"   Nothing to speak of can be found in the life of a set ({life:,} rolls).")
        worst = max(worst, *(max(row.behind, row.pool_behind) for row in rows))
        told[fault.name] = [
            [
                row.rolls,
                *(round(share, 4) for share in (row.knowing, row.ours, row.pooled)),
                *(round(nats, 2) for nats in (row.behind, row.pool_behind)),
            ]
            for row in rows
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
    """Follow sets with a fault through a life and longer pools, until all of them have found it."""
    many, throws = ManySets(sets), thrown(fault, np.random.default_rng(seed), sets)
    knowing, ours, pooled = (np.zeros(sets, dtype=bool) for _ in range(3))
    table, pool = least_shares()
    when_found: Floats = np.full(sets, np.nan)
    behind, pool_behind, rows = 0.0, 0.0, list[Found]()
    for lives in POOLS:
        part, rolls = 1.0 if lives <= 1 else table, int(life * lives)
        while many.rolls < rolls:
            many.take(next(throws))
            if many.rolls % (1 if lives <= 1 else EVERY) == 0:
                known, value = many.ratio(fault), many.value
                gap = np.log(known / value)
                behind = max(behind, float((gap - np.log(part))[~ours].max(initial=0.0)))  # later nobody asks
                pool_behind = max(pool_behind, float((gap - np.log(pool))[~pooled].max(initial=0.0)))
                when_found = np.where((known >= ONE_IN) & np.isnan(when_found), gap, when_found)
                knowing |= known >= ONE_IN
                ours |= value * part >= ONE_IN
                pooled |= value * pool >= ONE_IN
            if pooled.all():
                break
        told = [chance_found(fault, rolls=rolls, bound=ONE_IN, share=share) for share in (1.0, fault.reach * part)]
        mean = float(np.nanmean(when_found)) if knowing.any() else behind
        found = [float(one.mean()) for one in (knowing, ours, pooled)]
        rows.append(Found(rolls, found[0], told[0], found[1], told[1], found[2], behind, pool_behind, mean))
        if pooled.all():
            break
    return rows


def least_shares() -> tuple[float, float]:
    """Return what a table has of a set's evidence: of dice without numbers, and of five with numbers and their lot.

    Its shooters are known, who have a part of its stakes.
    """
    at, fresh = "2026-11-17T00:00:00.000000Z", DiceEvidence()
    heard = fresh.after(DiceSequence().after(1, 2)[1])  # so that the table is a line of its own
    plain = dice_set_of("maryland", "1", number=1, at=at, parts={"set 1": fresh, f"1 in {at[:7]}": heard})
    pools, dice = {f"table 1 in {at[:7]}": heard, "lot 1": fresh}, tuple("ABCDE")
    numbered = dice_set_of("arizona", "1", number=1, at=at, parts=dict.fromkeys(dice, fresh), pools=pools, dice=dice)
    one, other = (
        next(share for line, share in replace(made, shooters=Shooters(known=1)).shares if made.table_part in line.names)
        for made in (plain, numbered)
    )
    return one, other


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
