"""CrapsGame: acts are carried out whole or not at all, numbers may be text, and refusals are one line."""

import pytest

from passline import CrapsGame
from passline.dice import NumberError, number_code
from passline.errors import CrapsError
from passline.game.commands import MakeWager
from passline.refusal import WagerRefused
from passline.rules.rules import Rules


def clauses_of(refused: WagerRefused) -> set[str]:
    return {clause for one in refused.refusals for clause in one.clause.split(", ")}


@pytest.mark.parametrize("cents", [0, -100, 150, "100"])
def test_a_player_without_chips_is_not_seated(cents: int) -> None:
    game = CrapsGame("maryland")
    before = game.table
    with pytest.raises(WagerRefused) as caught:
        game.join(cents)
    assert "MD-4.B" in clauses_of(caught.value)
    assert (game.table, game.events) == (before, [])
    assert game.join(100_00) == 1


def test_a_full_table_seats_nobody() -> None:
    game = CrapsGame(Rules.of("maryland", house={"seats": 1}))
    game.join(100_00)
    with pytest.raises(WagerRefused, match="there is no seat 0"):
        game.join(100_00)


@pytest.mark.parametrize(
    ("name", "clause"),
    [("maryland", "MD-8.A.bet"), ("colorado", "CO-2310-bet"), ("section2", "S2-h1.bet")],
)
def test_a_roll_without_a_line_wager_says_to_make_one(name: str, clause: str) -> None:
    game = CrapsGame(name)
    with pytest.raises(WagerRefused, match="nobody is at the table; join first"):
        game.roll(2, 4)
    ann, bob = game.join(100_00), game.join(200_00)
    game.wager(bob, "field", 5_00)
    before, said = game.table, list(game.events)
    with pytest.raises(WagerRefused, match=r"make a .* or .* first: nobody has one") as caught:
        game.roll(2, 4)
    assert clause in clauses_of(caught.value)
    assert (game.table, game.events) == (before, said)
    game.wager(bob, "pass", 10_00)
    assert game.roll(2, 4)[0] == f"seat {bob} throws"
    assert game.rack(ann) == 100_00


def test_a_roll_of_impossible_faces_changes_nothing() -> None:
    game = CrapsGame("maryland")
    game.wager(game.join(100_00), "pass", 10_00)
    before = game.table
    with pytest.raises(WagerRefused, match="7-1 are not the faces of two dice"):
        game.roll(7, 1)
    assert game.table == before
    assert before.position.dice == "offered"


def test_a_number_may_be_an_int_or_text() -> None:
    game = CrapsGame("maryland")
    ann = game.join(500_00)
    game.wager(ann, "place_win", 12_00, 6)
    game.wager(ann, "place_win", 6_00, "6")
    game.wager(ann, "hop", 1_00, "3-1")
    game.wager(ann, "hop", 2_00, "1-3")
    game.wager(ann, "pass", 10_00, 0)
    up = {(wager.kind, wager.number): wager.cents for wager in game.table.position.layout}
    assert up == {("place_win", 6): 18_00, ("hop", number_code("1-3")): 3_00, ("pass", 0): 10_00}
    game.call(ann, "place_win", "on", 6)
    game.remove(ann, "place_win", 6)
    game.remove(ann, "hop", "3-1")
    assert [wager.kind for wager in game.table.position.layout] == ["pass"]


@pytest.mark.parametrize("number", ["six", "1-7", "0-3", "1-3-2", " 6", "06", "-6", "6.0", "٦", "113", 6.0, None, 113])
def test_an_impossible_number_is_refused_in_one_line(number: str) -> None:
    game = CrapsGame("maryland")
    ann = game.join(500_00)
    before = game.table
    why = "is not a number such as 6"
    with pytest.raises(NumberError, match=why):
        game.wager(ann, "place_win", 12_00, number)
    with pytest.raises(NumberError, match=why):
        game.remove(ann, "place_win", number)
    with pytest.raises(NumberError, match=why):
        game.call(ann, "place_win", "on", number)
    assert game.table == before
    assert issubclass(NumberError, CrapsError)


@pytest.mark.parametrize("step", ["dance", "Offer", ""])
def test_an_unknown_step_cannot_be_automated(step: str) -> None:
    with pytest.raises(CrapsError, match="cannot be automated; these can: button, call, choose"):
        Rules.of("maryland", automate=frozenset({"offer", step}))
    assert Rules.of("maryland", automate=frozenset({"offer"})).automate == {"offer"}


def test_why_not_returns_every_clause_or_nothing_if_allowed() -> None:
    game = CrapsGame("maryland")
    ann = game.join(100_00)
    before = game.table
    assert [one.clause for one in game.why_not(MakeWager(seat=ann, wager="come", cents=1_00))] == [
        "MD-3.A.3",
        "MD-3.B.1",
    ]
    assert game.why_not(MakeWager(seat=ann, wager="pass", cents=10_00)) == ()
    assert (game.table, game.rack(ann)) == (before, 100_00)
