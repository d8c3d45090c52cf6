"""Every form of the CPU kernel plays the same sessions, and the quickest one is chosen once for a processor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from passline.automaton.network import network
from passline.automaton.terms import Terms
from passline.simulation.backends.cpu import quickest_form as chooser
from passline.simulation.backends.cpu.backend import play_sessions
from passline.simulation.backends.cpu.lane_forms import FORMS, Chains, Form, Gather
from passline.simulation.kernel_tables import limits_of, tables_of
from passline.strategy.lookup import strategy_of
from tests.simulation.session_cases import MARYLAND, SEED

CASES = (
    ("molly", Terms(bankroll_cents=300_00, rolls=197, goal_cents=500_00)),
    ("pass + fire + bonus_craps + lucky_shooter", Terms(bankroll_cents=500_00, rolls=200)),
)


@pytest.mark.sweep  # each form is compiled for each number of parts
@pytest.mark.parametrize(("text", "terms"), CASES)
def test_all_forms_play_the_same_sessions(text: str, terms: Terms) -> None:
    tables = tables_of(network(MARYLAND, strategy_of(text, MARYLAND)))
    limits = limits_of(tables, terms)
    assert len(tables.packed), "otherwise no form is used"
    first, *others = (play_sessions(tables, limits, seed=SEED, sessions=3000, form=form()) for form in FORMS)
    assert all(other == first for other in others)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the file of the choice, in a folder that is not there yet."""
    file = tmp_path / "kernels" / "form.json"
    monkeypatch.setattr(chooser, "_kept_at", lambda: file)
    monkeypatch.setattr(chooser, "_has_gather", lambda: True)
    chooser.quickest_form.cache_clear()
    yield file
    chooser.quickest_form.cache_clear()


def measure(monkeypatch: pytest.MonkeyPatch, quickest: type[Form]) -> list[Form]:
    """Have one form measure quickest; return the list of those that are measured."""
    measured: list[Form] = []

    def seconds(form: Form) -> float:
        measured.append(form)
        return 0.001 if isinstance(form, quickest) else 0.002

    monkeypatch.setattr(chooser, "_seconds", seconds)
    return measured


@pytest.mark.parametrize("quickest", [Gather, Chains])
def test_the_quickest_form_is_measured_once_and_kept(
    kept: Path, monkeypatch: pytest.MonkeyPatch, quickest: type[Form]
) -> None:
    measured = measure(monkeypatch, quickest)
    assert type(chooser.quickest_form()) is quickest
    assert len(measured) == 2
    chooser.quickest_form.cache_clear()  # as in the next process
    assert type(chooser.quickest_form()) is quickest
    assert len(measured) == 2, "the second process reads what the first one kept"
    kept.write_bytes(b'"NoSuchForm"')
    chooser.quickest_form.cache_clear()
    assert type(chooser.quickest_form()) is quickest
    assert len(measured) == 4


def test_a_choice_that_cannot_be_kept_is_made_all_the_same(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.parent.write_bytes(b"a file where the folder should be")
    measure(monkeypatch, Chains)
    assert type(chooser.quickest_form()) is Chains


def test_a_processor_without_gather_takes_chains_unmeasured(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not kept.exists()
    monkeypatch.setattr(chooser, "_has_gather", lambda: False)
    assert measure(monkeypatch, Gather) == []
    assert type(chooser.quickest_form()) is Chains


def test_forms_are_measured_by_playing_blocks() -> None:
    assert chooser._seconds(Chains()) > 0
