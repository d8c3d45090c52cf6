"""What a mutation run once changed unnoticed, one test for each behaviour."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from msgspec.structs import replace

from passline.cli.play.lamps import lamp_rows
from passline.game import commands as c
from passline.game import events as e
from passline.game.hand_files import HandError, play_hand
from passline.game.hand_files.settlement_checks import read_outcomes
from passline.game.markers import markers_after
from passline.game.position import Wager
from passline.game.settlement import coupon_share, parts_of
from passline.rules.rules import AUTOMATED
from passline.rules.schema import Role
from tests.clauses.table import ANN, SHOOTER, Play, make, rules_of


@pytest.mark.parametrize(
    ("reading", "roll"),
    [("strict", "3-4"), ("pays_each_natural", "3-4"), ("pays_first_natural", "5-6"), ("points_made", "1-1")],
)
def test_a_lucky_shooter_that_outlives_a_roll_before_its_initial_point_has_counted_nothing(
    reading: str, roll: str
) -> None:
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": reading}}
    play = Play(rules_of("maryland", house=house)).shoots()
    play.make(ANN, "lucky_shooter", 5_00)
    for rolled, progress in ((roll, (0, 0)), ("2-4", (6, 0))):
        play.shoots().roll(rolled)
        lucky = play.find(ANN, "lucky_shooter")
        assert lucky is not None
        assert lucky.progress == progress


@pytest.mark.parametrize(
    ("reading", "roll"), [("strict", "5-6"), ("pays_first_natural", "3-4"), ("points_made", "1-1")]
)
def test_a_lucky_shooter_progresses_by_the_first_roll_before_its_initial_point_only(reading: str, roll: str) -> None:
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": reading}}
    play = Play(rules_of("maryland", house=house)).shoots()
    play.make(ANN, "lucky_shooter", 5_00)
    first, second = play.roll(roll), play.shoots().roll(roll)
    told = [
        [one for one in happened if isinstance(one, e.WagerProgressed | e.WagerWon) and one.wager.seat == ANN]
        for happened in (first, second)
    ]
    assert [len(one) for one in told] == [1, 0]


@pytest.mark.parametrize(
    ("by", "pending"), [("player", ("dealer|boxperson|stickperson",)), ("dealer", ()), ("stickperson", ())]
)
def test_a_late_wager_put_up_by_one_who_could_confirm_it_needs_nobody_else(by: Role, pending: tuple[str, ...]) -> None:
    play = Play(rules_of("colorado", automate=AUTOMATED - {"confirm"})).shoots()
    play.do(c.ThrowDice(seat=SHOOTER))
    play.do(replace(make(ANN, "field", 5_00), by=by))
    field = play.find(ANN, "field")
    assert field is not None
    assert field.pending == pending
    assert field.late is bool(pending)


def test_an_addition_needs_its_own_vigorish_in_the_rack_and_no_more() -> None:
    seat = 4
    play = Play(rules_of("colorado"))
    play.do(c.TakeSeat(seat=seat))
    play.do(c.BuyIn(seat=seat, cents=42_00 + 20_00))
    play.make(seat, "buy", 40_00, number=4)
    assert play.rack(seat) == 20_00
    more = make(seat, "buy", 20_00, number=4)
    assert [one.is_money for one in play.refuse(more)] == [True]
    play.do(c.BuyIn(seat=seat, cents=1_00))
    play.do(more)
    assert play.rack(seat) == 0
    buy = play.find(seat, "buy", 4)
    assert buy is not None
    assert (buy.cents, buy.vigorish) == (60_00, 3_00)


def test_a_hand_lists_no_side_wager_of_an_amount_that_cannot_be_paid() -> None:
    hand = 'rules maryland\nhouse side_wagers = { fire = "A" }\nplayer Ann 500.00\nup Ann fire {}\nroll 3-4'
    play_hand(hand.replace("{}", "2.00"), label="a.hand")
    with pytest.raises(HandError, match=r"^a\.hand:4: fire 1\.50: that amount cannot be paid exactly$"):
        play_hand(hand.replace("{}", "1.50"), label="a.hand")


def test_a_wager_the_house_lets_work_on_the_come_out_roll_is_not_called_on() -> None:
    call = c.CallWager(seat=ANN, wager="hardway", number=8, call="on")
    off, on = (
        Play(rules_of("colorado", house={"hardways_on_come_out": elected})).shoots() for elected in ("off", "on")
    )
    for play in (off, on):
        play.make(ANN, "hardway", 5_00, number=8)
    off.do(call)
    assert [one.why for one in on.refuse(call)] == ["a Hardway Bet is on already"]


def test_a_seat_off_either_end_of_the_table_is_nobodys() -> None:
    play = Play(rules_of("maryland"))
    last = play.rules.house.seats
    play.do(c.TakeSeat(seat=last))
    for seat in (-1, 0, last + 1):
        why = f"there is no seat {seat}; this table has 1 to {last}"
        for command in (c.BuyIn(seat=seat, cents=5_00), c.TakeSeat(seat=seat)):
            assert [one.why for one in play.refuse(command)] == [why]


@pytest.mark.parametrize("rows_max", [9, 0])
def test_a_side_wager_without_a_marker_looks_like_one_that_has_counted_nothing(rows_max: int) -> None:
    rules = rules_of("colorado", house={"side_wagers": {"fire": "FB-1", "sharp_shooter": "SS-01"}})
    table = Play(rules).table
    unmarked, dark = (
        lamp_rows(rules, table, known, width=80, rows_max=rows_max) for known in ({}, markers_after(rules, ()))
    )
    assert unmarked == dark


def test_a_part_of_two_units_has_two_shares_of_the_chips_and_of_the_coupon() -> None:
    """Every part is one unit in these rulebooks, and their form allows more."""
    rules = rules_of("colorado")
    rule = copy(rules.wagers["c_and_e"])
    rule.parts, rule.units = (("any_craps", 2), ("eleven", 1)), 3
    wager = Wager(ANN, "player", "c_and_e", 0, 30_00, coupon=6_00)
    assert parts_of(rules, rule, wager) == [("any_craps", 20_00, 4_00), ("eleven", 10_00, 2_00)]
    assert [coupon_share(rule, wager, part) for part in ("any_craps", "eleven", "")] == [4_00, 2_00, 6_00]


@pytest.mark.parametrize("field", ["seat", "number", "cents", "coupon", "media"])
def test_a_wager_that_cannot_be_hashed_is_refused_like_any_other_strange_one(field: str) -> None:
    play = Play(rules_of("maryland"))
    strange: dict[str, Any] = {field: [5]}
    assert play.refuse(replace(make(ANN, "field", 5_00), **strange))


@pytest.mark.parametrize("line", ["Ann field loses 5.00", "Ann crew field 4 wins 5.00 less 1.00 [XX-1]"])
def test_what_a_hand_expects_is_printed_as_its_line_says_it(line: str) -> None:
    (expected,) = read_outcomes(line, {"Ann": ANN})
    assert expected.text({ANN: "Ann"}) == line


@pytest.mark.parametrize(
    ("kind", "progress", "count"), [("fire", "1,272", 2), ("little_ones", "12", 3), ("lucky_shooter", "6,16", 2)]
)
def test_a_hand_lists_a_side_wager_that_has_counted_before(kind: str, progress: str, count: int) -> None:
    house = 'house side_wagers = { fire = "A", dice_ology = "B", lucky_shooter = "C" }'
    up = f"shooter Ann\npuck ON 6\nup Ann pass 10.00, {kind} 5.00 progress {progress}"
    hand = f"rules maryland\n{house}\nplayer Ann 500.00\n{up}\nroll 2-3\ncounts Ann {kind} {count}"
    assert play_hand(hand, label="a.hand").is_passed
