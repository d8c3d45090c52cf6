"""A house that requires dice out: no roll without it, and wagers that come after it are marked in the log."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.rulebook_reader import rulebook_of
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.opening import opening_of
from passline.tables.views.table_view import own_of, view_of
from passline.tables.views.wording import lines_of
from tests.tables.sitting import ANN, BOB, BOX, DEALER, LABORATORY, NOTHING_APPROVED, STICK, Sitting
from tests.tables.views.viewed import records


def _held(rules: str, *, requires_dice_out: bool = True) -> Sitting:
    """Return a table where Ann has the dice and a wager on the line, and Bob has chips."""
    sitting = Sitting(rules, approvals=LABORATORY, dice="physical", requires_dice_out=requires_dice_out)
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), ANN)
    return sitting


@pytest.mark.parametrize("rules", ["maryland", "colorado", "arizona", "section2"])
def test_no_dice_are_keyed_in_before_dice_out_where_the_house_requires_it(rules: str) -> None:
    sitting = _held(rules)
    assert view_of(sitting.table)["requires_dice_out"]
    for early in (k.KeyDice(first=2, second=4), k.KeyDice(first_lie="off_table")):
        assert "this house requires dice out" in (told := sitting.refusal(early, STICK))
        assert "[house]" in told
    sitting.do(k.DiceOut(), STICK)
    assert any(isinstance(one, e.RollSettled) for one in sitting.roll(2, 4))


def test_without_the_election_digits_alone_make_a_roll() -> None:
    sitting = _held("maryland", requires_dice_out=False)
    assert any(isinstance(one, e.RollSettled) for one in sitting.roll(2, 4))
    assert not view_of(sitting.table)["requires_dice_out"]


def test_a_wager_after_dice_out_is_marked_for_the_crew_and_in_the_records() -> None:
    sitting = _held("colorado")
    sitting.wager(BOB, "field", 5_00)
    assert not own_of(sitting.table, BOX)["supervision"]["past_posted"]  # type: ignore[index]  # the crew has one
    sitting.do(k.DiceOut(), STICK)
    before = sitting.table
    happened = sitting.wager(BOB, "place_win", 12_00, number=6)
    [mark] = [one for one in happened if isinstance(one, t.WagerPastPosted)]
    assert (mark.roll, mark.seat, mark.wager, mark.number, mark.cents) == (1, 2, "place_win", 6, 12_00)
    assert mark.clause == "CO-2305-2-before, CO-2305-2-late"
    told = [line for line in lines_of(before, sitting.table, happened) if "past-posted" in line]
    assert told == ["past-posted: Bob's Place 6, 12.00, came after dice out [CO-2305-2-before, CO-2305-2-late]"]
    assert not any("past-posted" in line for line in lines_of(before, sitting.table, happened, seats=(2,)))
    sitting.do(c.ConfirmWager(seat=2, wager="place_win", number=6), DEALER)  # the engine's own mark ends here
    sitting.roll(3, 3)
    for who, expected in ((BOX, [6]), (ANN, None)):
        own = own_of(sitting.table, who)
        assert own is not None
        assert [one["number"] for one in own["supervision"]["past_posted"]] == expected if expected else True
        assert ("supervision" in own) is bool(expected)
    sitting.do(k.DiceOut(), STICK)
    sitting.roll(2, 3)
    assert not own_of(sitting.table, BOX)["supervision"]["past_posted"]  # type: ignore[index]
    assert any("past-posted: Bob's Place 6" in one.text for one in records(sitting.entries, "security"))


def test_where_late_wagers_are_not_permitted_they_are_refused_with_their_clause() -> None:
    sitting = _held("maryland")
    sitting.do(k.DiceOut(), STICK)
    told = sitting.refusal(c.MakeWager(seat=2, wager="field", cents=5_00), BOB)
    assert "wagers are made before the dice are thrown" in told


def test_a_table_without_dice_or_wagers_to_key_in_cannot_elect_it() -> None:
    for fields in ({"dice": "electronic"}, {"dice": "physical", "is_keyed": False}):
        opening = k.OpenTable(name="A", house={"rules": "maryland"}, requires_dice_out=True, **fields)
        told = [str(one) for one in opening_of(opening, NOTHING_APPROVED, rulebook_of)]
        assert any("requires_dice_out" in one and "practice" in one for one in told), told
