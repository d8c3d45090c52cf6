"""Wagers that are machines in the simulator: arrays, kernel and engine agree to the cent on the same dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.automaton.terms import Terms
from tests.cases import one_in
from tests.rules.side_wagers import STAKE, machines, rules
from tests.simulation.session_cases import compare_with_replays

pytestmark = pytest.mark.long

_LARGE = "replay"
FILE = """
name = "side"
description = "A side wager whenever it can be made."
source = "An example."

[[wish]]
make = "{kind}"
when = "not up('{kind}')"
cents = "{stake}"
"""


@pytest.mark.parametrize("kind", one_in(3, [kind for kind in machines() if kind != _LARGE]))
def test_simulated_machines_equal_replays_to_the_cent(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "side.toml"
    path.write_text(FILE.format(kind=kind, stake=STAKE), encoding="utf-8")
    compare_with_replays(rules(), str(path), Terms(bankroll_cents=400_00, rolls=120), "stop", range(4))
