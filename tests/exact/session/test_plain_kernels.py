"""The kernels in numpy and the compiled ones: the same masses to the last bit, whichever rolls which roll."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from passline import Rules, Terms, strategy_of
from passline.automaton.arrays import Automaton, Short
from passline.automaton.minimise import lump
from passline.automaton.network import network
from passline.exact.session import kernels, mass
from passline.exact.session.float_law import session_law
from passline.exact.session.plain_kernels import PLAIN, Kernels, Patience
from passline.exact.session.rational_law import rational_law
from tests.cases import one_in

MARYLAND = Rules.of("maryland")
CASES = [
    ("molly", "stop", Terms(bankroll_cents=150_00, rolls=60, goal_cents=200_00)),
    ("molly", "reduce", Terms(bankroll_cents=120_00, rolls=40, stop_loss_cents=50_00)),
    ("pass:odds=2", "ride", Terms(bankroll_cents=60_00, rolls=50, decisions=8)),
    ("martingale", "stop", Terms(bankroll_cents=500_00, rolls=60)),
    ("iron_cross", "stop", Terms(bankroll_cents=200_00, hands=5)),
]


def _automaton(strategy: str, short: Short) -> Automaton:
    whole = network(MARYLAND, strategy_of(strategy, MARYLAND), short=short).whole
    assert whole is not None
    return lump(whole, with_action=True)


def _use(chosen: Callable[[int], Kernels], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mass, "kernels_for", chosen)


@pytest.mark.parametrize(("strategy", "short", "terms"), one_in(2, CASES))
def test_a_law_is_the_same_to_the_bit(
    strategy: str, short: Short, terms: Terms, monkeypatch: pytest.MonkeyPatch
) -> None:
    automaton = _automaton(strategy, short)
    turns = iter(range(10**6))
    laws = []
    for chosen in (
        lambda _arcs: kernels,
        lambda _arcs: PLAIN,
        lambda _arcs: PLAIN if next(turns) % 3 else kernels,
    ):
        _use(chosen, monkeypatch)
        laws.append(session_law(automaton, terms))
    assert laws[0] == laws[1] == laws[2]


def test_a_rational_law_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    automaton, terms = _automaton("pass:odds=2", "stop"), Terms(bankroll_cents=40_00, rolls=12, goal_cents=90_00)
    _use(lambda _arcs: PLAIN, monkeypatch)
    plain = rational_law(automaton, terms)
    _use(lambda _arcs: kernels, monkeypatch)
    assert plain == rational_law(automaton, terms)


def test_sums_are_added_in_order() -> None:
    """Numpy adds in pairs; the compiled kernel does not, and its bound is of sums in order."""
    cells = np.random.default_rng(36).random((2, 5000))
    low, high = np.array([0, 7]), np.array([5000, 4000])
    sums = [np.zeros(2), np.zeros(2)]
    left = [of.add_totals(cells.copy(), low, high, into) for of, into in zip((kernels, PLAIN), sums, strict=True)]
    assert left[0] == left[1]
    assert sums[0].tolist() == sums[1].tolist()


def test_patience_ends_and_numba_is_not_imported_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, kernels.__name__)
    patience = Patience(100)
    assert patience.kernels(60) is PLAIN
    assert patience.kernels(60) is not PLAIN
    script = (
        "import sys; from passline.cli.main import main; assert main(['analyze', 'molly', '--rolls', '100']) == 0; "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, stdout=subprocess.DEVNULL).returncode == 0
