"""Every entry of the tournament pages: dropping or changing it changes what comes of a case that names its clause.

A case is a plan that is judged, or a short tournament that is held. Each runs as things are, marked with the clauses
that it names, before any entry is broken: so the code behind a clause cannot break unnoticed either.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from passline.rules.clauses import clauses_of
from passline.tournament.plan.check import check_plan
from passline.tournament.rules import TournamentRules
from tests.cases import one_in
from tests.tournament.broken import broken_pages, entries_of
from tests.tournament.cases import CaseFailed, TournamentCase
from tests.tournament.engine_case import EngineCase
from tests.tournament.engine_cases import engine_cases
from tests.tournament.known_cases import known_cases
from tests.tournament.plan_file import plan_cases
from tests.tournament.regulations import HAVING_TOURNAMENTS, known_tournament
from tests.tournament.sheet_case import sheet_cases

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


def _marked(case: TournamentCase) -> Any:  # noqa: ANN401 - as pytest has it
    """A case with the clauses that it names."""
    rows = clauses_of(case.regulation)
    named = [one for one in sorted(case.clauses) if one in rows and rows[one].part == "tournament"]
    return pytest.param(case, marks=[pytest.mark.clause(one) for one in named], id=f"{case.regulation}, {case.name}")


@pytest.mark.parametrize("case", [*map(_marked, sheet_cases())])
def test_a_sheet_is_printed_to_the_letter(case: TournamentCase) -> None:
    case.run()


@pytest.mark.parametrize("case", [*map(_marked, plan_cases())])
def test_a_plan_is_judged_as_it_is_written(case: TournamentCase) -> None:
    case.run()


@pytest.mark.parametrize("case", [*map(_marked, engine_cases())])
def test_a_tournament_is_held_as_its_text_says(case: EngineCase) -> None:
    assert check_plan(known_tournament(case.regulation), case.plan()) == ()
    case.run()


@pytest.mark.parametrize(("regulation", "entry", "clauses"), _OF_CLAUSES)
def test_dropping_or_changing_an_entry_is_noticed(regulation: str, entry: str, clauses: tuple[str, ...]) -> None:
    own = [one for one in known_cases(regulation) if {*clauses} & one.clauses]
    for clause in clauses:
        assert any(clause in one.clauses for one in own), f"no case names {clause}"
    for case in own:
        _run_unbroken(regulation, type(case).__name__, case.name)  # one that fails as things are would notice anything
    broken = list(broken_pages(known_tournament(regulation), entry))
    assert broken, f"{entry} cannot be broken"
    silent = [label for label, rules in broken if not any(_is_noticed(case, rules) for case in own)]
    assert not silent, f"no case that names {', '.join(clauses)} notices {entry}: {silent}"


@pytest.mark.parametrize("entry", one_in(16, _OF_PRACTICE))
def test_dropping_or_changing_what_is_practice_is_noticed_under_some_regulation(entry: str) -> None:
    silent: dict[str, bool] = {}
    for regulation in HAVING_TOURNAMENTS:
        rules = known_tournament(regulation)
        if (entry, _PRACTICE) in entries_of(rules):
            held = [one for one in engine_cases(regulation) if "practice" in one.clauses]
            cases: list[TournamentCase] = [*sheet_cases(regulation), *plan_cases(regulation), *held]
            for case in cases:
                _run_unbroken(regulation, type(case).__name__, case.name)
            for label, broken in broken_pages(rules, entry):
                is_noticed = not silent.get(label, True)
                silent[label] = not (is_noticed or any(_is_noticed(case, broken) for case in cases))
    assert not [label for label, is_silent in silent.items() if is_silent]


@cache
def _run_unbroken(regulation: str, kind: str, name: str) -> None:
    (case,) = [one for one in known_cases(regulation) if (type(one).__name__, one.name) == (kind, name)]
    case.run()


def _is_noticed(case: TournamentCase, rules: TournamentRules) -> bool:
    try:
        case.run(rules)
    except CaseFailed:
        return True
    return False
