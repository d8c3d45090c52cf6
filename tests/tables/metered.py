"""A live table with a progressive, for tests: Ann shoots at the point 4, Bob and Cat have seats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from passline.rules.schema import METER_UNIT
from passline.tables import commands as k
from passline.tables.rules_in_force import learn_rulebook
from tests.game.progressive import ADDED, BASE, HOUSE, KIND, RATE, STAKE, WAGER
from tests.rules.lawful import NAME, pages_with
from tests.tables.sitting import ANN, BOB, LABORATORY, PLAYERS, Sitting

OTHER = "lantern"
AGREED = {"SGA": "S-1", "TGO": "T-9"}
_CLOSES = {"above": ["another meter", "award", "prize"], "agreed_by": ["SGA", "TGO"], "cite": "LK-71"}
_SECOND = WAGER | {"name": "Lantern Jackpot"}
CLOSING: dict[str, Any] = {
    "sidewagers/beacon": WAGER | {"progressive": WAGER["progressive"] | {"closes": _CLOSES}},
    f"sidewagers/{OTHER}": _SECOND,
}
ABOVE = 2 * Fraction(STAKE * RATE, METER_UNIT)  # what two wagers add
_WHY = "nobody plays it"


def sitting_with_meter(*changes: Mapping[str, Any], dice: str = "physical") -> Sitting:
    pages = pages_with(ADDED, *changes)
    house = HOUSE | {"seats": 4}
    sitting = Sitting(NAME, house=house, dice=dice, approvals=LABORATORY, rulebooks=lambda _name: learn_rulebook(pages))
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 2)
    return sitting


def meter_of(sitting: Sitting) -> Fraction:
    """What the meter shows, in cents."""
    return Fraction(dict(sitting.table.game.meters).get(KIND, BASE * METER_UNIT), METER_UNIT)


def raised_meter(*changes: Mapping[str, Any]) -> Sitting:
    """Ann and Bob have lost a wager each to the meter."""
    sitting = sitting_with_meter(*changes)
    sitting.wager(ANN, KIND, STAKE)
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(3, 2)
    sitting.roll(3, 2)
    assert meter_of(sitting) == BASE + ABOVE
    return sitting


def close_meter(**changes: Any) -> k.CloseMeter:  # noqa: ANN401 - fields of the command
    return replace(k.CloseMeter(wager=KIND, reason=_WHY, above="award", agreed=AGREED), **changes)
