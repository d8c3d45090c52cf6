"""Every clause of the office: a day shows it, and dropping or changing what cites it changes that day."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from passline.acts.rules import cited_parts, office_of
from passline.rules.clauses import REGULATIONS, clauses_of
from tests.office.day_file import clauses_in, day_files, run_day
from tests.office.dropped import broken_rules
from tests.office.noticed import EXPLAINED, Noticed, noticed_by, shown_clauses

_SHOWN = [(regulation, clause) for regulation in REGULATIONS for clause in shown_clauses(regulation)]
_SHARE = 60  # of the changes of an entry, one in so many is tried on every run


@pytest.mark.parametrize("day", day_files(), ids=lambda path: path.stem)
def test_a_day_goes_as_it_is_written(day: Path) -> None:
    _run_unbroken(day)


@pytest.mark.parametrize(
    ("regulation", "clause"), [pytest.param(*row, marks=pytest.mark.clause(row[1]), id=row[1]) for row in _SHOWN]
)
def test_dropping_or_changing_what_cites_a_clause_changes_a_day(regulation: str, clause: str) -> None:
    """Each entry is dropped, and one in `_SHARE` of its other changes made; the next test makes them all."""
    found = _noticed(regulation, clause, share=_SHARE)
    assert not {*found.silent} - {*EXPLAINED.get(clause, ())}, f"no day with {clause} notices: {found.silent}"


@pytest.mark.sweep
@pytest.mark.parametrize(("regulation", "clause"), _SHOWN)
def test_whatever_is_changed_in_what_cites_a_clause_changes_a_day(regulation: str, clause: str) -> None:
    found = _noticed(regulation, clause)
    assert {*found.silent} == {*EXPLAINED.get(clause, ())}, f"no day with {clause} notices: {found.silent}"


def _noticed(regulation: str, clause: str, share: int = 1) -> Noticed:
    days = [day for day in day_files(regulation) if clause in clauses_in(day)]
    for day in days:
        _run_unbroken(day)  # one that fails as things are would notice anything
    found = noticed_by(office_of(regulation), clause, days, share)
    assert found.tried, f"nothing in the pages of {regulation} cites {clause}"
    return found


@cache
def _run_unbroken(day: Path) -> None:
    run_day(day)


def test_every_clause_of_the_office_that_the_pages_cite_is_shown_by_a_day() -> None:
    """So that a clause without a day is not left out of the breaks in silence."""
    for regulation in REGULATIONS:
        cited = {clause for _, clauses in cited_parts(office_of(regulation).pages) for clause in clauses}
        rows = {clause for clause, row in clauses_of(regulation).items() if row.part == "office"}
        assert (cited & rows) <= {*shown_clauses(regulation)}


@pytest.mark.sweep
def test_breaks_vary_words() -> None:
    """The changes that an examination made by hand and no day noticed are among those that are tried."""
    labels = {label for clause in _EXAMINED for label, _ in broken_rules(office_of(clause[0]), clause[1])}
    assert labels >= {
        "acts.notify_installation.fields.notice: type = 'text'",
        "acts.install_table.needs.notice: undone left out",
        "gates.start_tournament.items.tgo: since left out",
        "clocks.sga_comments_on_tournament: ends = 'overdue'",
        "acts.classify_craps.fields.class: optional = True",
        "acts.hand_out_rules.fields.every_player: type = 'flag'",
    }


_EXAMINED = [
    ("arizona", "AZ-II.J.1-a"),
    ("arizona", "AZ-III.M.2-b"),
    ("arizona", "AZ-III.M.3-b"),
    ("arizona", "AZ-P.2"),
    ("colorado", "CO-2315.06-copyplayers"),
]


def test_few_breaks_are_explained_away() -> None:
    """Far less than one in a hundred: there are a dozen breaks a clause."""
    assert sum(map(len, EXPLAINED.values())) * 30 <= len(_SHOWN)
