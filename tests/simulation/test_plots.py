"""Charts of simulations are files, the same every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.automaton.terms import Terms
from passline.errors import CrapsError
from passline.simulation.plots import CHART_KINDS, draw
from passline.simulation.simulation import Simulation, prepare_strategy, simulate_strategies
from tests.cases import one_in
from tests.simulation.session_cases import MARYLAND

pytestmark = pytest.mark.long

TERMS = Terms(bankroll_cents=300_00, rolls=60, goal_cents=500_00)


@pytest.mark.whole
@pytest.mark.parametrize("kinds", one_in(1 + len(CHART_KINDS), [list(CHART_KINDS), *([kind] for kind in CHART_KINDS)]))
def test_charts_drawn_twice_are_the_same_bytes(kinds: list[str], tmp_path: Path) -> None:
    both = [prepare_strategy(MARYLAND, text, TERMS) for text in ("molly", "pass")]
    found = simulate_strategies(both, sessions=2000, seed=3)
    simulations = [
        Simulation(name=one.name, terms=TERMS, short="stop", seed=3, parts=one.tables.parts, results=results)
        for one, results in zip(both, found, strict=True)
    ]
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    draw(simulations, both, first, kinds=kinds)
    draw(simulations, both, second, kinds=kinds)
    assert first.read_bytes() == second.read_bytes()
    with pytest.raises(CrapsError, match="not pie"):
        draw(simulations, both, first, kinds=["pie"])
