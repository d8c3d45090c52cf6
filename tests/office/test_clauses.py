"""Every clause of the office: a day shows it, and dropping or changing what cites it changes that day."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.office.rules.office_rules import OfficeRules, office_of
from passline.rules.clauses import REGULATIONS, clauses_of
from tests.office.day_file import DayFailed, clauses_in, day_files, run_day
from tests.office.dropped import broken_rules

_SHOWN = [
    (regulation, clause)
    for regulation in REGULATIONS
    for clause, row in clauses_of(regulation).items()
    if row.part in {"office", "tournament"} and any(clause in clauses_in(day) for day in day_files(regulation))
]


@pytest.mark.parametrize("day", day_files(), ids=lambda path: path.stem)
def test_a_day_goes_as_it_is_written(day: Path) -> None:
    run_day(day)


@pytest.mark.parametrize(
    ("regulation", "clause"), [pytest.param(*one, marks=pytest.mark.clause(one[1]), id=one[1]) for one in _SHOWN]
)
def test_dropping_or_changing_what_cites_a_clause_changes_a_day(regulation: str, clause: str) -> None:
    days = [day for day in day_files(regulation) if clause in clauses_in(day)]
    broken = list(broken_rules(office_of(regulation), clause))
    assert broken, f"nothing in the pages of {regulation} cites {clause}"
    for day in days:
        run_day(day)
    silent = [label for label, rules in broken if not any(_is_changed(day, rules) for day in days)]
    assert not silent, f"no day with {clause} notices: {silent}"


def _is_changed(day: Path, rules: OfficeRules) -> bool:
    try:
        run_day(day, rules)
    except DayFailed:
        return True
    return False
