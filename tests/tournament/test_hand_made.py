"""Breaks of tournament code that were made by hand: the cases of each one's own clauses notice it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.marking.hand_made import HandMade, hand_made_breaks
from benchmarks.marking.patching import patched
from tests.cases import one_in
from tests.tournament.cases import TournamentCase
from tests.tournament.known_cases import known_cases

_ROOT = Path(__file__).resolve().parents[2]
_BREAKS = [(one, clause) for one in hand_made_breaks() for clause in one.clauses]


def _is_passed(case: TournamentCase) -> bool:
    try:
        case.run()
    except Exception:  # noqa: BLE001 - broken code may raise anything
        return False
    return True


_UNBROKEN: dict[str, bool] = {}  # by name, the cases that were run without a break


def _is_passed_unbroken(case: TournamentCase) -> bool:
    if case.name not in _UNBROKEN:
        _UNBROKEN[case.name] = _is_passed(case)
    return _UNBROKEN[case.name]


@pytest.mark.parametrize(
    ("broken", "clause"), one_in(8, _BREAKS), ids=[f"{clause}, {one.what}" for one, clause in _BREAKS]
)
def test_a_break_is_noticed_by_the_cases_of_its_clause(broken: HandMade, clause: str) -> None:
    cases = [case for case in known_cases() if clause in case.clauses]
    assert [case.name for case in cases if not _is_passed_unbroken(case)] == [], "a case fails without a break"
    with patched(broken.path, broken.tree(_ROOT)):
        is_noticed = not all(_is_passed(case) for case in cases)
    assert is_noticed, f"none of {[case.name for case in cases]} notices it"
