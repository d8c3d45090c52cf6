"""What would by now have been found of a set: the chance of each fault, by rolls, parts, bound and the set's life."""

from __future__ import annotations

import pytest

from passline.bookkeeping.dice_power import SetLife, found_by_now, life_hours
from passline.bookkeeping.dice_sets import DiceSet, dice_set_of
from passline.exact.dice_evidence import evidence_of
from passline.exact.dice_faults import FAULTS, chance_found, false_alarms_a_year
from passline.tables.views.recall import Pace
from tests.office.accounts.watched import FACILITY
from tests.tables.sitting import AT

_LIFE = SetLife(24.0, 2_400, Pace(100))
_NAMES = [fault.name for fault in FAULTS]


def _set(own: int, table: int) -> DiceSet:
    parts = {f"set {number}": evidence_of([(1, 2), (6, 3)] * (rolls // 2)) for number, rolls in ((1, own), (2, table))}
    return dice_set_of("maryland", "craps-1", number=1, at=AT, parts=parts)


def test_a_part_that_heard_more_rolls_would_have_found_more_and_one_that_heard_none_nothing() -> None:
    found = {one.fault: one.now for one in found_by_now(_set(0, 900), one_in=1000, life=None)}
    assert list(found) == _NAMES
    for own, table in found.values():
        assert own == 0 < table < 1
    often = found["a face 50% too often on both dice"][1]
    assert often > found["a face 50% too often on one die"][1] > found["a face 10% too often on one die"][1]
    more = found_by_now(_set(0, 1_200), one_in=1000, life=None)
    assert all(one.now[1] > found[one.fault][1] for one in more)
    assert all(one.now[1] < found[one.fault][1] for one in found_by_now(_set(0, 900), one_in=10_000, life=None)), (
        "a higher bound is reached later"
    )


def test_what_a_set_cannot_show_in_its_life_is_said() -> None:
    beyond = {one.fault for one in found_by_now(_set(0, 0), one_in=1000, life=_LIFE) if one.is_beyond}
    assert "a face 10% too often on one die" in beyond
    assert "one seven in 6.5 rolls, not in 6" in beyond
    assert not beyond & {"a face 50% too often on both dice", "a face 50% too often on one die"}
    assert "one die repeats its face in a fifth of the rolls" not in beyond
    assert not [one for one in found_by_now(_set(0, 0), one_in=1000, life=None) if one.is_beyond or one.life]


def test_the_life_of_a_set_is_the_rulebooks_or_what_the_office_was_told() -> None:
    assert life_hours("maryland", {}, None, at=AT) == 24
    told = {"dice_retirement": {"count": 36, "unit": "hours"}}
    assert life_hours("arizona", told, FACILITY, at=AT) == 36
    assert life_hours("arizona", {}, FACILITY, at=AT) is None
    assert life_hours("arizona", told, None, at=AT) is None


def test_a_test_that_knows_the_fault_finds_no_less_and_dice_that_are_replaced_bring_false_alarms() -> None:
    for fault in FAULTS:
        for rolls in (600, 2_400, 24_000):
            knowing = chance_found(fault, rolls=rolls, bound=1000)
            assert chance_found(fault, rolls=rolls, bound=1000, share=fault.reach) <= knowing
        assert fault.share <= fault.reach < 1
    assert false_alarms_a_year(one_in=1000, hours=24) == pytest.approx(0.36525)
    assert false_alarms_a_year(one_in=1000, hours=12) == pytest.approx(2 * 0.36525)
