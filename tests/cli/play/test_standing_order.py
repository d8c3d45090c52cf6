"""Wagers that win come down and are announced, or stay up by a standing order; hints fit what can be done."""

from __future__ import annotations

import pytest

from passline.cli.play.controller import respond
from passline.cli.play.messages import hint
from passline.cli.play.play_state import PlayState, begin_play
from passline.rules.rules import Rules

RULES = Rules.of("maryland")


def _played(state: PlayState, *lines: str) -> tuple[PlayState, str]:
    """Type lines, dice among them; return the state and what the last line was answered."""
    said = ""
    for line in lines:
        reply = respond(state, line)
        assert not reply.is_refused, f"{line}: {reply.lines}"
        state, said = reply.state, "\n".join(one.text for one in reply.lines)
    return state, said


def _up(state: PlayState) -> list[tuple[str, int, int]]:
    return [(one.kind, one.number, one.cents) for one in state.table.position.layout]


@pytest.mark.parametrize(
    ("made", "roll", "up"),
    [
        ("place 9 10", "54", ("place_win", 9, 10_00)),
        ("buy 4 20", "31", ("buy", 4, 20_00)),
        ("hard 8 5", "44", ("hardway", 8, 5_00)),
    ],
)
def test_a_winner_comes_down_and_says_so_or_stays_up(made: str, roll: str, up: tuple[str, int, int]) -> None:
    begun = begin_play(RULES, bankroll=500_00, is_typed=True)
    state, said = _played(begun, "pass 10", "24", made, roll)
    assert up not in _up(state)
    assert "comes down: $" in said
    assert "stay keeps such wagers up." in said
    state, said = _played(begun, "stay", "pass 10", "24", made, roll)
    assert up in _up(state), said
    assert "stays up for $" in said
    assert "comes down" not in said
    state, said = _played(state, "stay off", roll)
    assert up not in _up(state)


def test_a_loser_is_not_put_up_again() -> None:
    state, said = _played(
        begin_play(RULES, bankroll=500_00, is_typed=True), "stay", "pass 10", "24", "place 9 10", "hard 8 5", "34"
    )
    assert _up(state) == []
    assert "stays up" not in said


def test_a_standing_order_pays_its_vigorish_from_the_winnings() -> None:
    """A buy wager's vigorish is taken again when it is put up again."""
    begun = begin_play(RULES, bankroll=31_00, is_typed=True)
    state, _ = _played(begun, "stay", "pass 10", "24", "buy 4 20")
    assert state.rack_text == "$0"
    state, said = _played(state, "31")
    assert ("buy", 4, 20_00) in _up(state), said


def test_hints_fit_the_money_and_the_dice() -> None:
    typed = begin_play(RULES, bankroll=500_00, is_typed=True)
    state, _ = _played(typed, "pass 10")
    assert "type the dice, such as 34" in hint(RULES, state.table, is_typed=True)
    assert "Enter" not in hint(RULES, state.table, is_typed=True)
    assert "Enter rolls" in hint(RULES, state.table)
    state, _ = _played(state, "24")
    assert hint(RULES, state.table, is_typed=True).startswith("Point is 6. Throw, and type the dice")
    poor, _ = _played(begin_play(RULES, bankroll=5_00, is_typed=True), "pass 5", "12")
    assert hint(RULES, poor.table) == "Your rack pays for no wager here: cash 100 buys chips for $100, quit leaves."
    assert "pass 5" not in hint(RULES, poor.table)
