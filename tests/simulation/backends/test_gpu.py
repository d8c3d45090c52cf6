"""The CUDA kernels equal the specification to the unit: compiled for the host, and on a GPU if there is one."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.automaton.arrays import STOP
from passline.automaton.network import Network, network
from passline.automaton.terms import Terms
from passline.extras import MissingExtra
from passline.simulation.backends import PlayRange
from passline.simulation.backends.cpu.backend import play_sessions, session_records
from passline.simulation.backends.gpu import device
from passline.simulation.backends.gpu.backend import histogram_sizes_of, play_range
from passline.simulation.backends.gpu.entries import FORMS, Form, is_fast, pack_entries
from passline.simulation.kernel_tables import Tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.results import results_of
from passline.strategy.lookup import strategy_of
from tests.cases import budget, one_in
from tests.exact.automata import coin
from tests.simulation.backends import host_kernel
from tests.simulation.networks import sessions
from tests.simulation.session_cases import CASES, MARYLAND, SEED, reference_records

pytestmark = pytest.mark.long

on_host = pytest.mark.skipif(not host_kernel.COMPILER, reason="needs g++ to compile the kernels for the host")


def _has_gpu() -> bool:
    try:
        device._cupy()
    except (device.GpuError, MissingExtra):
        return False
    return True


on_gpu = pytest.mark.skipif(not _has_gpu(), reason="needs CuPy and a CUDA device")


def assert_as_specified(
    tables: Tables, limits: SessionLimits, *, seed: int, first: int, count: int, forms: tuple[Form, ...]
) -> str:
    """Compare every session and the results with the specification. Return the form in which they were played."""
    truth = reference_records(tables, limits, seed=seed, first=first, count=count)
    form, rows, found = host_kernel.play(tables, limits, seed=seed, first=first, sessions=count, forms=forms)
    assert rows.tolist() == [list(played) for played in truth]
    assert found == results_of(tables, limits, truth)
    return form


@pytest.mark.whole
@on_host
@pytest.mark.parametrize(
    "forms", [FORMS, *(pytest.param((form,), marks=pytest.mark.whole) for form in ("broad", "far"))]
)
@given(sessions(), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
@settings(max_examples=budget(4, in_sweep=20))
def test_the_kernels_play_any_network_as_specified(
    forms: tuple[Form, ...], session: tuple[Network, Terms], seed: int, first: int
) -> None:
    _check_any_network(session, seed, first, forms)


@pytest.mark.sweep
@on_host
@pytest.mark.parametrize("forms", [FORMS, ("broad",), ("far",)])
@given(sessions(), st.integers(0, 2**64 - 1), st.integers(0, 2**40))
@settings(max_examples=100)
def test_the_kernels_play_a_great_many_networks_as_specified(
    forms: tuple[Form, ...], session: tuple[Network, Terms], seed: int, first: int
) -> None:
    _check_any_network(session, seed, first, forms)


def _check_any_network(session: tuple[Network, Terms], seed: int, first: int, forms: tuple[Form, ...]) -> None:
    machine, terms = session
    tables = tables_of(machine)
    assert_as_specified(tables, limits_of(tables, terms), seed=seed, first=first, count=40, forms=forms)


@on_host
@pytest.mark.parametrize(("text", "terms", "short"), one_in(20, CASES, others=pytest.mark.whole))
def test_the_kernels_play_real_strategies_as_specified(text: str, terms: Terms, short: str) -> None:
    tables = tables_of(network(MARYLAND, strategy_of(text, MARYLAND), short=short))  # type: ignore[arg-type]
    limits = limits_of(tables, terms)
    for each in FORMS:
        form = assert_as_specified(tables, limits, seed=SEED, first=2**32 - 50, count=100, forms=(each, "far"))
        plain = not limits.mark and terms.shooter_loss_cents is None and not terms.has_stops
        assert (form != "slow") == is_fast(tables, limits) == plain


@on_host
@pytest.mark.parametrize("is_local", [False, True])
@pytest.mark.parametrize("forms", [("narrow",), ("broad",), ("far",)])
@pytest.mark.parametrize("rolls", one_in(2, [213, 200], others=pytest.mark.whole))
def test_the_kernels_have_the_results_of_the_cpu(rolls: int, forms: tuple[Form, ...], *, is_local: bool) -> None:
    """Many sessions, so that each word is rejected somewhere, also in the last block, and every ending occurs."""
    tables = tables_of(network(MARYLAND, strategy_of("molly", MARYLAND)))
    limits = limits_of(tables, Terms(bankroll_cents=300_00, rolls=rolls, goal_cents=900_00))
    form, _, found = host_kernel.play(tables, limits, seed=11, first=7, sessions=30_000, forms=forms, is_local=is_local)
    assert form in forms
    assert all(found.endings[:STOP])
    assert found == play_sessions(tables, limits, seed=11, first=7, sessions=30_000)


@on_host
def test_equity_that_outgrows_its_field_is_played_as_specified() -> None:
    tables = tables_of(Network(("coin",), (coin(win=2000, lose=1999, outlay=1999),)))
    limits = limits_of(tables, Terms(bankroll_cents=tables.unit * 16_000, rolls=100))
    assert assert_as_specified(tables, limits, seed=5, first=0, count=60, forms=FORMS) == "broad"
    peaks = [played.peak for played in reference_records(tables, limits, seed=5, first=0, count=60)]
    assert min(peaks) < 2**15 < max(peaks)


@on_host
def test_amounts_over_32_bits_are_played_as_specified() -> None:
    tables = tables_of(Network(("coin",), (coin(win=2**29, lose=2**28, outlay=2**28),)))
    limits = limits_of(tables, Terms(bankroll_cents=2**33 * 100, rolls=100))
    assert assert_as_specified(tables, limits, seed=1, first=0, count=50, forms=FORMS) == "slow"


def test_entries_are_packed_in_the_fastest_form_that_fits() -> None:
    tables = tables_of(network(MARYLAND, strategy_of("molly + fire", MARYLAND), budget=400))
    assert len(tables.starts) == 2
    found = pack_entries(tables)
    assert found is not None
    assert found.form == "broad"
    assert pack_entries(tables, forms=("narrow",)) is None, "470 rows do not fit into a byte"
    far = pack_entries(tables, room=1 << 10)
    assert far is not None
    assert far.form == "far"
    wide = replace(tables, cash=tables.cash * 5000)
    assert pack_entries(wide) is None


def test_without_a_gpu_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("cupy"):
        pytest.skip("CuPy is installed")
    monkeypatch.setattr(device, "_module", None)
    play: PlayRange = play_range
    tables = tables_of(Network(("coin",), (coin(),)))
    limits = limits_of(tables, Terms(bankroll_cents=9_00, rolls=5))
    with pytest.raises(MissingExtra, match=r"cupy, which is not installed: pip install 'passline\[gpu\]'"):
        play(tables, limits, 1, range(10))


@on_gpu
@pytest.mark.parametrize(("text", "terms", "short"), CASES)
def test_a_gpu_has_the_results_of_the_cpu(text: str, terms: Terms, short: str) -> None:
    tables = tables_of(network(MARYLAND, strategy_of(text, MARYLAND), short=short))  # type: ignore[arg-type]
    limits = limits_of(tables, terms)
    first, count = 2**32 - 1000, 100_000
    truth = play_sessions(tables, limits, seed=SEED, first=first, sessions=count)
    assert play_range(tables, limits, SEED, range(first, first + count)) == truth
    rows = np.concatenate([rows for _, rows in session_records(tables, limits, seed=SEED, first=first, sessions=count)])
    gpu = device.Device(tables, limits, histogram_sizes_of(truth.shape), seed=SEED)
    assert np.array_equal(gpu.records(first, count), rows)
