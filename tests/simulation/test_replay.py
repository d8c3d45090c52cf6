"""Simulated sessions are real sessions: the arrays and the engine agree to the cent before every roll."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from passline import Rules
from passline.automaton.arrays import Short
from passline.automaton.terms import Terms
from passline.strategy.lookup import known_strategies, regulations_of
from tests.cases import one_in
from tests.simulation.session_cases import MARYLAND, compare_with_replays

pytestmark = pytest.mark.long

COLORADO = Rules.of(
    "colorado", house={"side_wagers": {"fire": "FB-1", "sharp_shooter": "SS-01", "front_line_winner": "1"}}
)
RULES = {"maryland": MARYLAND, "colorado": COLORADO, "section2": Rules.of("section2"), "arizona": Rules.of("arizona")}

LOW = Terms(bankroll_cents=400_00, rolls=120)
CASES: list[Any] = [
    ("maryland", "pass", Terms(bankroll_cents=60_00, rolls=150), "stop"),
    ("maryland", "molly", Terms(bankroll_cents=300_00, rolls=200, goal_cents=450_00), "stop"),
    ("maryland", "molly", Terms(bankroll_cents=200_00, rolls=200), "ride"),
    ("maryland", "molly:points=4", Terms(bankroll_cents=200_00, rolls=200), "reduce"),
    ("maryland", "molly", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=60_00), "reduce"),
    ("maryland", "iron_cross", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=80_00), "ride"),
    ("maryland", "field", Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=20_00), "ride"),
    ("maryland", "field + any_seven", Terms(bankroll_cents=100_00, hands=9, shooter_loss_cents=25_00), "reduce"),
    ("maryland", "molly", Terms(bankroll_cents=300_00, rolls=200, stop_loss_cents=99_00), "stop"),
    ("maryland", "molly", Terms(bankroll_cents=301_00, rolls=200, trailing_stop_cents=101_00), "reduce"),
    ("maryland", "molly + fire", Terms(bankroll_cents=300_00, rolls=200, line_losses=4, line_wins=5), "stop"),
    (
        "maryland",
        "iron_cross",
        Terms(bankroll_cents=300_00, rolls=200, shooter_loss_cents=80_00, trailing_stop_cents=90_00, line_losses=3),
        "ride",
    ),
    ("colorado", "dolly", Terms(bankroll_cents=300_00, hands=9, stop_loss_cents=60_00, line_wins=4), "stop"),
    ("maryland", "dolly", Terms(bankroll_cents=250_00, decisions=40), "stop"),
    ("maryland", "hammerlock", Terms(bankroll_cents=400_00, hands=8), "stop"),
    pytest.param(
        "maryland",
        "molly + fire + bonus_craps + lucky_shooter",
        Terms(bankroll_cents=300_00, rolls=200),
        "stop",
        marks=pytest.mark.whole,  # three side wagers are a kernel of their own; test_cpu.py plays the one of two
    ),
    ("maryland", "buy_4_10 + lay_4_10 + hardways", Terms(bankroll_cents=250_00, rolls=200), "stop"),
    ("colorado", "pass + fire + sharp_shooter", Terms(bankroll_cents=300_00, rolls=200), "stop"),
    ("colorado", "put + big_6_8", Terms(bankroll_cents=300_00, rolls=200), "stop"),
]


EXAMINED = """
name = "examined"
description = "Counts every roll, and calls on what it has just made."
source = "An example."

[memory]
rolls = { next = "(rolls + 1) % 3" }

[[wish]]
make = "field"
when = "rolls == 2"
cents = "5_00"

[[wish]]
take_down = "place_win"
when = "rolls == 1"

[[wish]]
make = "place_win"
on = [6, 8]
when = "rolls < 2"
cents = "12_00"

[[wish]]
call_on = "place_win"

[[wish]]
call_off = "place_win"
on = [8]
when = "come_out"
"""


@pytest.mark.parametrize("short", ["stop", "ride", "reduce"])
def test_a_roll_counted_and_a_call_at_once_are_the_same_in_every_engine(tmp_path: Path, short: Short) -> None:
    path = tmp_path / "examined.toml"
    path.write_text(EXAMINED, encoding="utf-8")
    compare_with_replays(MARYLAND, str(path), Terms(bankroll_cents=70_00, rolls=90), short, range(12))


@pytest.mark.parametrize(("rules", "text", "terms", "short"), one_in(3, CASES))
def test_simulated_sessions_equal_replays_to_the_cent(rules: str, text: str, terms: Terms, short: Short) -> None:
    compare_with_replays(RULES[rules], text, terms, short, range(6))


def _known() -> list[tuple[str, str]]:
    """Return every known strategy with the first regulation that permits it; they cover every family of wager."""
    return [
        (name, next(regulation for regulation, fault in regulations_of(file).items() if not fault))
        for name, file in known_strategies().items()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "rules"), one_in(9, _known(), others=pytest.mark.whole))
def test_simulated_sessions_of_every_strategy_equal_replays(text: str, rules: str) -> None:
    compare_with_replays(RULES[rules], text, Terms(bankroll_cents=1000_00, rolls=100), "stop", range(3))
