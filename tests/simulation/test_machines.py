"""Wagers that are machines in the simulator: arrays, kernels and engine agree to the cent on the same dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import machine_cases
from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.simulation.backends.gpu.entries import FORMS
from passline.simulation.kernel_tables import limits_of, tables_of
from passline.strategy.lookup import strategy_of
from tests.cases import one_in
from tests.rules.side_wagers import LARGE, machines, rules, write_strategy
from tests.simulation.backends import host_kernel
from tests.simulation.session_cases import SEED, compare_with_replays, reference_records

pytestmark = pytest.mark.long


@pytest.mark.parametrize("kind", one_in(9, [kind for kind in machines() if kind != LARGE], others=pytest.mark.whole))
def test_simulated_machines_equal_replays_to_the_cent(tmp_path: Path, kind: str) -> None:
    terms = Terms(bankroll_cents=400_00, rolls=120)
    compare_with_replays(rules(), write_strategy(tmp_path, kind), terms, "stop", range(4))


def test_the_bench_of_the_gpu_has_every_machine_in_every_form(tmp_path: Path) -> None:
    """Alone, beside others, short of money, and on limits that only the walk roll by roll knows."""
    cases = list(machine_cases.cases(tmp_path))
    assert {kind for case in cases for kind in case.kinds} >= set(machines())
    assert {case.options.get("short", "stop") for case in cases} == {"stop", "ride", "reduce"}
    assert any(case.terms.hands for case in cases)
    assert any(len(case.kinds) > 1 for case in cases)


@pytest.mark.skipif(not host_kernel.COMPILER, reason="needs g++ to compile the kernels for the host")
@pytest.mark.parametrize("place", one_in(5, machine_cases.places()))
def test_the_kernels_of_the_gpu_play_machines_as_specified(tmp_path: Path, place: int) -> None:
    """Compiled for the host; `python -m benchmarks.simulate_gpu` compares the same cases on a GPU."""
    case = list(machine_cases.cases(tmp_path))[place]
    tables = tables_of(network(rules(), strategy_of(case.text, rules()), **case.options))
    limits = limits_of(tables, case.terms)
    truth = reference_records(tables, limits, seed=SEED, first=2**32 - 10, count=20)
    for form in FORMS:
        _, rows, _ = host_kernel.play(tables, limits, seed=SEED, first=2**32 - 10, sessions=20, forms=(form, "far"))
        assert rows.tolist() == [list(record) for record in truth]
