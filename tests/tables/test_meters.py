"""The meter of a progressive at a live table: it outlasts the night and other houses, and an act closes it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.notation import format_table, parse_table
from passline.game.progressives import meters_of
from passline.rules.explain.sections import explain_all
from passline.rules.schema import METER_UNIT
from passline.tables import commands as k
from passline.tables.duties import needs_signature
from passline.tables.rules_in_force import learn_rulebook, rules_of
from passline.tables.verify import decision_faults
from passline.tables.views.wording import format_table_event
from tests.game.progressive import ADDED, BASE, HOUSE, KIND, STAKE
from tests.rules.lawful import NAME, pages_with
from tests.tables.changed_rulebook import new_process
from tests.tables.metered import ABOVE, AGREED, CLOSING, OTHER, close_meter, meter_of, raised_meter
from tests.tables.sitting import ANN, BOB, CREW, FLOOR, OWNER, PLAYERS, Sitting


def _everybody_leaves(sitting: Sitting) -> None:
    sitting.roll(4, 3)
    for who in PLAYERS[:3]:
        sitting.do(c.LeaveSeat(seat=sitting.seat(who)), who)
    sitting.do(k.CloseTable(), OWNER)


def _reopen(sitting: Sitting, house: dict[str, Any]) -> k.OpenTable:
    return k.OpenTable(
        name=sitting.table.name, house={"rules": NAME, **house}, dice="physical", bank_cents=50_000_00, terms=3,
        puts_in_dice=True,
    )  # fmt: skip


def test_what_stands_on_a_meter_is_there_again_the_next_day() -> None:
    sitting = raised_meter()
    _everybody_leaves(sitting)
    assert meter_of(sitting) == BASE + ABOVE
    sitting.do(_reopen(sitting, HOUSE), OWNER)
    assert meters_of(rules_of(sitting.table), sitting.table.game) == {KIND: BASE + ABOVE}


@pytest.mark.parametrize(
    ("house", "change", "told"),
    [
        (
            {},
            {},
            "the meter of beacon stands at 502.00, and this one does not offer it; close it first, by close-meter",
        ),
        (HOUSE, {"dice": "electronic", "practice_cents_max": 100_00, "bank_cents": 0}, "of other money"),
    ],
)
def test_no_opening_makes_it_vanish(house: dict[str, Any], change: dict[str, Any], told: str) -> None:
    sitting = raised_meter()
    _everybody_leaves(sitting)
    assert told in sitting.refusal(replace(_reopen(sitting, house), **change), OWNER)


def test_another_house_without_it_waits_until_its_meter_is_closed() -> None:
    sitting = raised_meter(CLOSING)
    sitting.roll(4, 3)
    without = k.ChangeHouse(house={**sitting.table.house, "side_wagers": {}})
    assert "close it first, by close-meter" in sitting.refusal(without, OWNER)
    sitting.do(close_meter(), OWNER)
    sitting.do(without, OWNER)
    assert rules_of(sitting.table).progressives == {}


def test_the_rest_is_owed_as_an_award_and_no_such_wager_is_taken_any_more() -> None:
    sitting = raised_meter(CLOSING)
    before = sitting.table.game.money
    (closed,) = sitting.do(close_meter(), OWNER)
    assert isinstance(closed, e.MeterClosed)
    assert (Fraction(closed.meter, METER_UNIT) - BASE, closed.clause) == (ABOVE, "LK-71")
    assert closed.cents == ABOVE
    assert sitting.table.game.money == before, "the house pays it elsewhere"
    told = format_table_event(closed, rules_of(sitting.table), {})[0]
    assert told == (
        "the meter of Beacon Jackpot, at 502.00, is closed: nobody plays it; what is above its base, 2.00, is handed"
        " out as an award; agreed: SGA S-1, TGO T-9 [LK-71]"
    )
    wager = c.MakeWager(seat=1, wager=KIND, cents=STAKE)
    assert "the meter of Beacon Jackpot is closed at this table [LK-71]" in sitting.refusal(wager, ANN)
    assert meters_of(rules_of(sitting.table), sitting.table.game) == {OTHER: BASE}
    game = sitting.table.game
    assert "meters beacon closed" in format_table(game)
    assert parse_table(format_table(game)) == game
    assert "is closed already" in sitting.refusal(close_meter(), OWNER)
    assert "there is no roll to correct" in sitting.refusal(
        k.CorrectRoll(first=1, second=2, reason="seen late"), CREW["boxperson"]
    )


def test_the_rest_goes_to_another_meter_to_the_part_of_a_cent() -> None:
    sitting = raised_meter(CLOSING)
    happened = sitting.do(close_meter(above="another meter", into=OTHER), OWNER)
    assert [type(event) for event in happened] == [e.MeterClosed, e.MeterRaised]
    assert meters_of(rules_of(sitting.table), sitting.table.game) == {OTHER: BASE + ABOVE}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"wager": "field"}, "wager: 'field' has no meter at this table"),
        ({"reason": " "}, "reason: say why it is closed"),
        ({"above": ""}, "above: its meter is 2.00 above its base, which goes to another meter, award, prize"),
        ({"above": "bank"}, "'bank' is none of them [LK-71]"),
        ({"above": "another meter"}, "into: names the progressive that takes the rest"),
        ({"into": OTHER}, "into: names the progressive that takes the rest"),
        (
            {"above": "another meter", "into": KIND},
            "into: there is no other progressive 'beacon' with an open meter here",
        ),
        ({"agreed": {"TGO": "T-9"}}, "agreed: the paper of SGA is missing, who must agree to it [LK-71]"),
        ({"agreed": AGREED | {"SGA": ""}}, "agreed: the number of each paper"),
    ],
)
def test_what_is_wrong_with_a_closing_is_named(changes: dict[str, Any], told: str) -> None:
    sitting = raised_meter(CLOSING)
    assert told in sitting.refusal(close_meter(**changes), OWNER)


def test_without_a_clause_only_a_meter_at_its_base_is_closed() -> None:
    sitting = raised_meter()
    plain = close_meter(above="", agreed={})
    assert "its meter is 2.00 above its base, which belongs to its players" in sitting.refusal(plain, OWNER)
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(6, 6)
    assert "a Beacon Jackpot wager is up" in sitting.refusal(plain, OWNER)
    sitting.roll(6, 6)
    assert meter_of(sitting) == BASE
    assert "nothing is left to hand out" in sitting.refusal(close_meter(), OWNER)
    (closed,) = sitting.do(plain, OWNER)
    assert isinstance(closed, e.MeterClosed)
    assert (closed.cents, closed.above) == (0, "")


def test_only_an_owner_closes_it_and_somebody_signs() -> None:
    sitting = raised_meter(CLOSING)
    assert "may not give close-meter; the owner may" in sitting.refusal(close_meter(), FLOOR)
    assert needs_signature(close_meter(), OWNER)
    assert needs_signature(k.OpenMeter(wager=KIND), OWNER)


def test_it_is_opened_again_at_its_base_and_the_log_verifies() -> None:
    sitting = raised_meter(CLOSING)
    assert "is open" in sitting.refusal(k.OpenMeter(wager=KIND), OWNER)
    sitting.do(close_meter(above="prize"), OWNER)
    sitting.do(k.OpenMeter(wager=KIND), OWNER)
    assert meter_of(sitting) == BASE
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(3, 2)
    _everybody_leaves(sitting)
    sitting.do(close_meter(), OWNER)
    new_process()
    learn_rulebook(pages_with(ADDED, CLOSING), is_kept=True)
    assert list(decision_faults(sitting.entries)) == []


def test_the_rules_say_what_becomes_of_it() -> None:
    lines = explain_all(rules_of(raised_meter(CLOSING).table))
    assert "what is above its base goes to another meter or is handed out as an award" in str(lines)
