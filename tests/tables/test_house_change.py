"""An open table changes to another house: with nothing on its layout, and with everything that an opening asks for."""

import pytest
from msgspec import json

from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.duties import unfit_signature
from passline.tables.rules_in_force import rules_of
from passline.tables.terms import TERMS
from passline.tables.verify import decision_faults
from passline.tables.views.table_view import view_of
from passline.tables.views.wording import lines_of
from tests.tables.sitting import ANN, BOB, BOX, FLOOR, LABORATORY, OWNER, Sitting

WHIRL = {"rules": "maryland", "name": "Without a whirl", "whirl_area": False, "odds_cents_max": 0}


def _change(**house: object) -> k.ChangeHouse:
    return k.ChangeHouse(house={**WHIRL, **house}, terms=TERMS)


@pytest.mark.parametrize("dice", ["electronic", "physical"])
def test_a_table_changes_its_house_with_an_empty_layout_and_the_dice_at_rest(dice: str) -> None:
    sitting = Sitting("maryland", dice=dice)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    said = sitting.refusal(_change(), OWNER)
    assert "wagers are up (1), made by the house that was posted then" in said
    assert said.endswith("[house]")
    sitting.roll(6, 6)
    was = sitting.table
    (changed,) = sitting.do(_change(), OWNER)
    now = sitting.table
    rules = Rules.of("maryland", house=WHIRL)
    assert changed == t.HouseChanged(json.decode(json.encode(rules.house)), was.rules)
    assert (now.game, now.players, now.balances, now.rulebook) == (was.game, was.players, was.balances, was.rulebook)
    assert now.house["whirl_area"] is False
    assert now.rules != was.rules
    assert rules_of(now).house == rules.house
    assert [*decision_faults(sitting.entries)] == []


def test_a_change_waits_for_dice_in_the_air_and_for_limits_that_are_announced() -> None:
    sitting = Sitting("maryland", dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.DiceOut(), sitting.stick)
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=1000_00), FLOOR)
    said = sitting.refusal(_change(), OWNER)
    assert "the dice are in the air" in said
    assert "other limits are announced for 2026-11-15T08:30" in said


def test_every_breach_and_every_other_reason_is_named_at_once() -> None:
    sitting = Sitting("maryland", dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    said = sitting.refusal(_change(buy_vigorish_basis_points=900, dice_set=1), OWNER)
    assert "wagers are up (1)" in said
    assert "house: buy_vigorish_basis_points: 900 is above the maximum, 500" in said
    assert "MD-5.G.3" in said
    assert "house: dice_set: 1 is below the minimum, 5" in said


@pytest.mark.parametrize(
    ("house", "why"),
    [
        ({"rules": "colorado"}, "'colorado' is not 'maryland'"),
        ({"game": "mini_craps", "seats": 9, "stickperson": False}, "house: game: 'mini_craps' is not 'craps'"),
        ({"seats": 12}, "house: seats: 12 is not 20"),
    ],
)
def test_regulation_game_and_places_stay_while_a_table_is_open(house: dict[str, object], why: str) -> None:
    assert why in Sitting("maryland", dice="physical").refusal(_change(**house), OWNER)


def test_players_at_the_table_get_the_notice_of_other_limits_that_the_house_owes_them() -> None:
    sitting = Sitting("maryland", dice="physical")
    sitting.sit(ANN, 1)
    other = _change(wager_cents_min=10_00)
    said = sitting.refusal(other, OWNER)
    assert "house: wager_cents_min: players are at the table, who are told 30 minutes before" in said
    assert "[MD-3.B.1]" in said
    empty = Sitting("maryland", dice="physical")
    empty.do(other, OWNER)
    assert empty.table.house["wager_cents_min"] == 10_00


def test_a_smallest_chip_must_make_what_everybody_has() -> None:
    sitting = Sitting("maryland", dice="physical", bank=1000_00)
    sitting.sit(ANN, 1, 13_00)
    said = sitting.refusal(_change(smallest_chip_cents=500, limits={"centre": {"min": 500}}), OWNER)
    assert (
        "smallest_chip_cents: seat 1 has 13.00, the bank has 987.00, which 5.00 chips do not make; colour them" in said
    )


def test_a_house_that_the_table_has_already_and_a_tournament_are_refused() -> None:
    sitting = Sitting("maryland", dice="physical")
    assert "is already dealt by this house" in sitting.refusal(k.ChangeHouse(house={"rules": "maryland"}), OWNER)


def test_a_house_needs_the_approvals_that_an_opening_needs() -> None:
    sitting = Sitting("arizona", dice="physical", approvals=LABORATORY)
    sitting.approvals = type(LABORATORY)()
    change = k.ChangeHouse(house={"rules": "arizona", "name": "Another"}, terms=TERMS)
    assert "need a laboratory report on file" in sitting.refusal(change, OWNER)


def test_a_roll_under_the_old_house_is_not_corrected_under_the_new_one() -> None:
    sitting = Sitting("maryland", dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    sitting.do(_change(), FLOOR)
    assert "there is no roll to correct" in sitting.refusal(k.CorrectRoll(first=5, second=6, reason="misread"), BOX)


def test_floor_and_owner_change_a_house_and_another_of_them_signs() -> None:
    sitting = Sitting("maryland", dice="physical")
    assert "may not give change-house" in sitting.refusal(_change(), BOX)
    needed = unfit_signature(_change(), FLOOR, None)
    assert isinstance(needed, Refusal)
    assert "needs the signature of a floorperson or owner" in needed.why
    assert unfit_signature(_change(), FLOOR, OWNER) is None


def test_players_are_told_and_pages_are_told_to_draw_the_layout_again() -> None:
    sitting = Sitting("maryland")
    sitting.sit(BOB, 2)
    before = sitting.table
    events = sitting.do(_change(), OWNER)
    assert lines_of(before, sitting.table, events, seats=()) == (
        "from now on another house is dealt here, Without a whirl, limits 5.00 to 5000.00: its rules are on this page",
    )
    was, now = (view_of(one, sitting.approvals) for one in (before, sitting.table))
    assert was["layout"] != now["layout"]
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=1000_00, in_minutes=30), FLOOR)
    sitting.wait(31)
    sitting.sit(ANN, 1)
    assert sitting.table.rules != before.rules
    assert view_of(sitting.table, sitting.approvals)["layout"] == now["layout"]
