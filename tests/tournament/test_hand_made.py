"""Breaks of tournament code that were made by hand: the cases of each one's own clauses notice it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.marking.hand_made import HandMade, hand_made_breaks
from benchmarks.marking.patching import patched
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


@pytest.mark.parametrize(("broken", "clause"), _BREAKS, ids=[f"{clause}, {one.what}" for one, clause in _BREAKS])
def test_a_break_is_noticed_by_the_cases_of_its_clause(broken: HandMade, clause: str) -> None:
    cases = [one for one in known_cases() if clause in one.clauses]
    assert [one.name for one in cases if not _is_passed(one)] == [], "a case fails without a break"
    with patched(broken.path, broken.tree(_ROOT)):
        noticed = [one.name for one in cases if not _is_passed(one)]
    assert noticed, f"none of {[one.name for one in cases]} notices it"
