"""How likely it is that a cheat's typical faults would have been found by now in a set of dice.

That no alarm came says little about dice that were thrown seldom. So for each fault this gives the chance of an alarm
by now, from each of the set's parts and pools, and the chance of an alarm within the life of such a set.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, ValidationError, convert

from passline.acts.calendar.deadlines import Length, deadline
from passline.acts.calendar.facility import Facility
from passline.bookkeeping.dice_sets import DiceSet
from passline.exact.dice_faults import FAULTS, chance_found
from passline.rules.rulebook_reader import rulebook_of
from passline.tables.views.recall import Pace

_RETIREMENT = "dice_retirement"
_LITTLE = 0.05  # a chance below this is no watch


class SetLife(Struct, frozen=True):
    """How long a set of dice may be thrown, and how many rolls that is at the pace of its table."""

    hours: float
    rolls: int
    pace: Pace


class FaultFound(Struct, frozen=True):
    """The chance that a fault would have been found."""

    fault: str
    law: str
    now: tuple[float, ...]  # by each part and pool, in their order
    life: float | None = None  # by the set itself in its whole life
    is_beyond: bool = False  # whether a set's life is too short to find it


def life_hours(rules: str, values: Mapping[str, Any], facility: Facility | None, *, at: str) -> float | None:
    """Return for how many hours dice may be thrown that come into play at a moment; None: there is no limit on record.

    >>> life_hours("maryland", {}, None, at="2026-11-17T00:00:00.000000Z")
    24.0
    >>> life_hours("section2", {}, None, at="2026-11-17T00:00:00.000000Z")
    """
    sets = rulebook_of(rules).general.live.dice_sets
    if sets is not None:
        return float(sets.hours_max)
    try:
        length = convert(values[_RETIREMENT], Length)
    except (KeyError, ValidationError):
        return None
    if facility is None:
        return None
    over = datetime.fromisoformat(deadline(at, length, facility)) - datetime.fromisoformat(at)
    return over.total_seconds() / 3600


def found_by_now(dice: DiceSet, *, one_in: int, life: SetLife | None) -> list[FaultFound]:
    """Return for each fault the chance that it would have been found by now, and within the life of the set."""
    bound = float(max(one_in, 1) * dice.sets)
    found = []
    for fault in FAULTS:
        now = tuple(
            chance_found(fault, rolls=line.evidence.rolls, bound=bound, share=fault.reach * share)
            for line, share in dice.shares
        )
        in_life = (
            chance_found(fault, rolls=life.rolls, bound=bound, share=fault.reach * dice.own_share) if life else None
        )
        is_beyond = in_life is not None and in_life < _LITTLE
        found.append(FaultFound(fault.name, fault.law, now, in_life, is_beyond))
    return found
