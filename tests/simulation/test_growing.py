"""A strategy with too many states to be compiled is explored as its sessions reach them, and plays the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from passline import Rules, Terms, simulate, strategy_of
from passline.automaton.arrays import Short
from passline.automaton.compiler import compile_strategy
from passline.automaton.exploration import TooManyStates
from passline.automaton.growing import GrowingAutomaton
from passline.cli.main import app
from passline.simulation.backends.cpu.backend import paths_of, play_sessions, session_records
from passline.simulation.growing_tables import GrowingTables
from passline.simulation.kernel_tables import limits_of
from passline.simulation.simulation import prepare_strategy
from tests.cases import one_in

RULES = Rules.of("maryland")
SESSIONS = 400
MANY_STATES = """
name = "every_number_pressed"
description = "Place six numbers, each pressed by its own hits until all have had their share."
source = "A test."

[memory]
stage = { each = [4, 5, 6, 8, 9, 10], next = "0 if loser_7 else min(stage + won('place_win', number), 5)" }

[[wish]]
make = "pass"
cents = "10_00"

[[wish]]
make = "place_win"
on = [4, 5, 6, 8, 9, 10]
when = "point_on and number != puck and sum(stage) < 15"
cents = "exact(5_00) * [1, 2, 3, 5, 8, 1][stage]"
"""


def growing(name: str, short: Short) -> GrowingTables:
    return GrowingTables(name, GrowingAutomaton(RULES, strategy_of(name, RULES), short=short), 1)


@pytest.mark.parametrize(
    ("short", "terms"),
    one_in(
        3,
        [
            ("stop", Terms(bankroll_cents=305_00, rolls=150)),
            ("stop", Terms(bankroll_cents=305_00, hands=9, goal_cents=400_00)),
            ("reduce", Terms(bankroll_cents=300_00, decisions=30)),
            ("stop", Terms(bankroll_cents=305_00, rolls=150, stop_loss_cents=101_00, trailing_stop_cents=150_00)),
            ("ride", Terms(bankroll_cents=300_00, rolls=150, shooter_loss_cents=80_00, line_losses=4, line_wins=5)),
            ("ride", Terms(bankroll_cents=300_00, rolls=150, shooter_loss_cents=80_00)),
            ("reduce", Terms(bankroll_cents=300_00, hands=9, shooter_loss_cents=60_00)),
        ],
        others=pytest.mark.whole,
    ),
)
def test_sessions_are_those_of_the_compiled_strategy(short: Short, terms: Terms) -> None:
    compiled = prepare_strategy(RULES, "molly", terms, short=short)
    tables = growing("molly", short)
    limits = limits_of(tables, terms)
    assert tables.automaton.explored < len(tables.automaton)
    ((_, expected),) = session_records(compiled.tables, compiled.limits, seed=5, sessions=SESSIONS)
    ((_, played),) = session_records(tables, limits, seed=5, sessions=SESSIONS)
    expected[:, 2:] *= compiled.tables.unit
    expected[:, 2:4] += compiled.limits.left_over
    assert (played == expected).all()
    assert play_sessions(tables, limits, seed=5, sessions=SESSIONS).endings == tuple(
        int((expected[:, 0] == ending).sum()) for ending in range(4)
    )


def test_the_paths_of_a_growing_strategy_are_those_of_the_compiled_one() -> None:
    terms = Terms(bankroll_cents=300_00, rolls=40)
    compiled, tables = prepare_strategy(RULES, "molly", terms), growing("molly", "stop")
    expected = paths_of(compiled.tables, compiled.limits, seed=5, sessions=20, rolls=40) * compiled.tables.unit
    assert (paths_of(tables, limits_of(tables, terms), seed=5, sessions=20, rolls=40) == expected).all()


@pytest.mark.whole
def test_rows_explored_in_any_order_are_those_of_the_compiler() -> None:
    strategy = strategy_of("molly", RULES)
    compiled, grown = (
        compile_strategy(RULES, strategy, short="reduce"),
        GrowingAutomaton(RULES, strategy, short="reduce"),
    )
    while (grown.outlay[: len(grown)] > 10**9).any():
        grown.explore([int(np.flatnonzero(grown.outlay[: len(grown)] > 10**9)[-1])])  # the last that was found
    rank = {label: state for state, label in enumerate(compiled.labels)}
    order = [rank[grown.label(state)] for state in range(len(grown))]
    assert sorted(order) == list(range(len(compiled)))
    assert (grown.cash[: len(grown)] == compiled.cash[order] * compiled.unit).all()
    assert (grown.outlay[: len(grown)] == compiled.outlay[order] * compiled.unit).all()
    assert (np.array(order)[grown.next[: len(grown)] // 36] == compiled.next[order]).all()


@pytest.mark.whole
def test_a_strategy_of_many_states_is_played_and_replayed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pressed.toml"
    path.write_text(MANY_STATES, encoding="utf-8")
    with pytest.raises(TooManyStates):
        compile_strategy(RULES, strategy_of(str(path), RULES), states_max=20_000)
    found = simulate(RULES, str(path), Terms(bankroll_cents=900_00, rolls=20), sessions=100, seed=3)
    assert found.results.sessions == 100
    common = [str(path), "--rules", "maryland", "--bankroll", "900", "--rolls", "20"]
    shown = CliRunner().invoke(app, ["simulate", *common, "--sessions", "100"])
    assert shown.exit_code == 0, shown.output
    assert "has many states: after 0, 1, 2, ... rolls 1, " in shown.stderr
    assert "ahead at the end" in shown.stdout
    told = CliRunner().invoke(app, ["replay", *common])
    assert told.exit_code == 0, told.output
    assert told.output.endswith("the simulator plays the same session\n")
