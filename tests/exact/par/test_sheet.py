"""Par sheets: named stakes, lines left out, flags and refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.errors import CrapsError
from passline.exact.par.sheet import SheetError, sheet
from passline.rules.rules import Rules
from tests.exact.par.sheets import lines


def test_a_line_that_favours_the_player_is_flagged() -> None:
    seven = lines("maryland", "any_seven")
    assert seven[None].par.favours == "house"
    assert not seven[None].is_flagged
    given = seven["26 to 5"]
    assert (given.par.favours, given.is_flagged) == ("player", True)
    house = sheet(Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}}), wager="any_seven").lines
    assert [line.par.edge for line in house] == [Fraction(-1, 30)]


def test_a_named_stake_is_solved_also_rounded_up_where_that_differs() -> None:
    rules = Rules.of("colorado", house={"unpayable": "round_up"})
    place = sheet(rules, wager="place_win", number="6", stake=7_00).lines[0]
    assert (place.par.stake, place.par.favours) == (7_00, "player")
    permitted_ = sheet("colorado", game="craps", wager="place_win", number="6", stake=5_00).lines[0]
    assert (permitted_.option, permitted_.par.favours) == ("rounded up", "nobody")
    both = {line.option: line.par for line in sheet("colorado", game="craps", wager="pass", stake=7_00).lines}
    assert both["odds 3x"].favours == "house"
    assert both["odds 3x, rounded up"].favours == "player"
    assert "rounded up" not in both, "even money is never rounded"


def test_a_stake_that_is_refused_names_the_clause() -> None:
    with pytest.raises(SheetError, match=r"^place_win 6 for 7.00: 7.00 at 7 to 6 cannot be paid .*\[MD-5.A\]$"):
        sheet("maryland", game="craps", wager="place_win", number="6", stake=7_00)
    with pytest.raises(CrapsError, match=r"\[MD-3.B.1"):
        sheet("maryland", game="craps", wager="pass", stake=1_00)


def test_a_stake_that_some_lines_refuse_leaves_them_out_with_a_note() -> None:
    place = sheet("maryland", game="craps", wager="place_win", stake=5_00)
    assert [line.number for line in place.lines] == ["4", "5", "9", "10"]
    assert len(place.notes) == 2
    assert place.notes[0].startswith("left out: place_win 6 for 5.00: ")
    assert all("[MD-" in note for note in place.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wager": "plaice"}, r"no wager 'plaice' here; choose pass, dont_pass, .*whirl"),
        ({"wager": "place_win", "number": "7"}, "place_win is not made on 7; choose 4, 5, 6, 8, 9, 10"),
        ({"wager": "pass", "number": "6"}, "pass is not made on 6; it has no number"),
        ({"number": "6"}, "number 6 of which wager"),
        ({"wager": "place_win", "number": "x"}, "'x' is not a number"),
        ({"game": "mini_craps"}, "arizona deals craps, not mini_craps"),
    ],
)
def test_unknown_wagers_numbers_and_games_are_refused_with_the_choices(options: dict[str, str], message: str) -> None:
    with pytest.raises(CrapsError, match=message):
        sheet("arizona", **options)  # type: ignore[arg-type]


def test_a_house_deals_one_game() -> None:
    with pytest.raises(SheetError, match="deals craps, not mini_craps"):
        sheet(Rules.of("maryland"), game="mini_craps")
    with pytest.raises(CrapsError, match="there is no rulebook 'nevada'"):
        sheet("nevada")


def test_progress_is_reported_before_each_line() -> None:
    reported: list[tuple[int, int, str]] = []
    sheet("arizona", wager="hardway", progress=lambda *progress: reported.append(progress))
    assert reported == [(n, 4, f"hardway {number}") for n, number in enumerate((4, 6, 8, 10))] + [(4, 4, "")]
