"""Every entry of the tournament pages: dropping or changing it changes what comes of a case.

A case is a plan that is judged, or a short tournament that is held.
"""

from __future__ import annotations

import pytest

from passline.rules.clauses import clauses_of
from passline.tournament.plan.check import check_plan
from passline.tournament.rules.tournament_rules import TournamentRules
from tests.tournament.broken import broken_pages, entries_of
from tests.tournament.cases import CaseFailed, TournamentCase
from tests.tournament.engine_case import EngineCase
from tests.tournament.engine_cases import engine_cases
from tests.tournament.plan_file import plan_cases
from tests.tournament.regulations import HAVING_TOURNAMENTS, known_tournament

_PRACTICE = ("practice",)
_ENTRIES = [
    (regulation, entry, clauses)
    for regulation in HAVING_TOURNAMENTS
    for entry, clauses in entries_of(known_tournament(regulation))
]
_OF_CLAUSES = [
    pytest.param(
        *one,
        marks=[pytest.mark.clause(clause) for clause in one[2] if clause in clauses_of(one[0])],
        id=f"{one[0]}, {one[1]}",
    )
    for one in _ENTRIES
    if one[2] != _PRACTICE
]
_OF_PRACTICE = list(dict.fromkeys(entry for _, entry, clauses in _ENTRIES if clauses == _PRACTICE))


def _cases(regulation: str, clauses: tuple[str, ...]) -> list[TournamentCase]:
    """The cases of a regulation, those that name the clauses first."""
    cases: list[TournamentCase] = [*plan_cases(regulation), *engine_cases(regulation)]
    return sorted(cases, key=lambda one: not {*clauses} & one.clauses)


@pytest.mark.parametrize("case", plan_cases(), ids=lambda one: f"{one.regulation}, {one.name}")
def test_a_plan_is_judged_as_it_is_written(case: TournamentCase) -> None:
    case.run()


@pytest.mark.parametrize("case", engine_cases(), ids=lambda one: f"{one.regulation}, {one.name}")
def test_a_tournament_is_held_as_its_text_says(case: EngineCase) -> None:
    assert check_plan(known_tournament(case.regulation), case.plan()) == ()
    case.run()


@pytest.mark.parametrize(("regulation", "entry", "clauses"), _OF_CLAUSES)
def test_dropping_or_changing_an_entry_is_noticed(regulation: str, entry: str, clauses: tuple[str, ...]) -> None:
    cases = _cases(regulation, clauses)
    broken = list(broken_pages(known_tournament(regulation), entry))
    assert broken, f"{entry} cannot be broken"
    silent = [label for label, rules in broken if not any(_is_noticed(case, rules) for case in cases)]
    assert not silent, f"no case notices {entry}: {silent}"
    for clause in clauses:
        assert any(clause in case.clauses for case in cases), f"no case names {clause}"


@pytest.mark.parametrize("entry", _OF_PRACTICE)
def test_dropping_or_changing_what_is_practice_is_noticed_under_some_regulation(entry: str) -> None:
    silent: dict[str, bool] = {}
    for regulation in HAVING_TOURNAMENTS:
        rules = known_tournament(regulation)
        if (entry, _PRACTICE) in entries_of(rules):
            for label, broken in broken_pages(rules, entry):
                is_noticed = not silent.get(label, True)
                silent[label] = not (is_noticed or any(_is_noticed(case, broken) for case in plan_cases(regulation)))
    assert not [label for label, is_silent in silent.items() if is_silent]


def _is_noticed(case: TournamentCase, rules: TournamentRules) -> bool:
    try:
        case.run(rules)
    except CaseFailed:
        return True
    return False
