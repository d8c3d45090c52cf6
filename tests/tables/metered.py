"""A live table with a progressive, for tests: Ann shoots at the point 4, Bob and Cat have seats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from passline.rules.schema import METER_UNIT
from passline.tables.rules_in_force import learn_rulebook
from tests.game.progressive import ADDED, BASE, HOUSE, KIND
from tests.rules.lawful import NAME, pages_with
from tests.tables.sitting import ANN, LABORATORY, PLAYERS, Sitting


def sitting_with_meter(*changes: Mapping[str, Any], dice: str = "physical") -> Sitting:
    pages = pages_with(ADDED, *changes)
    house = HOUSE | {"seats": 4}
    sitting = Sitting(
        NAME, house=house, dice=dice, approvals=LABORATORY, rulebooks=lambda _name: learn_rulebook(pages)
    )
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 2)
    return sitting


def meter_of(sitting: Sitting) -> Fraction:
    """What the meter shows, in cents."""
    return Fraction(dict(sitting.table.game.meters).get(KIND, BASE * METER_UNIT), METER_UNIT)
