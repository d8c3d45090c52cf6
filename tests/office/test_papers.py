"""Papers: made from the log and the rules in force, checked when pages are read, the same however they are worded."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from passline.acts.check import office_problems
from passline.acts.papers.houses import rules_of_file
from passline.acts.papers.printed import paper_text
from passline.acts.papers.sheet import PaperSheet, sheet_of
from passline.acts.rules import ActRules, office_of
from passline.acts.schema import ActPages
from passline.acts.state import ActState, KnownThing
from passline.rules.clauses import REGULATIONS
from tests.office.offices import INVENTED, known_office

_HOUSES: dict[str, dict[str, Any]] = {
    "first": {"side_wagers": {"fire": "A"}},
    "dearer": {"side_wagers": {"fire": "A"}, "wager_cents_min": 1000},
    "other": {"side_wagers": {"fire": "B"}},
    "none": {},
}


def _sheet(paper: str, house: str) -> PaperSheet:
    """A paper of a house of Maryland, as it would be printed."""
    facts = {"file": {"rules": "maryland", **_HOUSES[house]}} if house in _HOUSES else {}
    known = KnownThing("house", house, "in_force", facts, "")
    return sheet_of(office_of("maryland"), ActState(things={f"house/{house}": known}), paper, house, rules_of_file)


def test_a_paper_says_what_the_house_deals() -> None:
    text = paper_text(_sheet("fire_display", "first"))
    assert text.startswith("Fire Bet (house first)\n")
    assert "  Fire Bet: 999 to 1 when 6 different points are made\n" in text
    assert "39 to 1" not in text
    assert "Fire Bet: 39 to 1 when 4 different points are made" in paper_text(_sheet("fire_display", "other"))


def test_a_paper_that_cannot_be_made_names_what_is_missing_and_has_no_digest() -> None:
    sheet = _sheet("fire_display", "none")
    assert [one.clause for one in sheet.missing] == ["MD-2.D.4.e.i", "MD-2.D.4.e.ii", "MD-2.D.4.e.iii"]
    assert not sheet.is_complete
    assert not sheet.digest
    assert [one.key for one in _sheet("rules_submission", "unknown").missing]


def test_a_sign_stays_true_as_long_as_what_it_shows_does() -> None:
    first, dearer, other = (_sheet("fire_display", one).digest for one in ("first", "dearer", "other"))
    assert first == dearer
    assert first != other
    assert _sheet("house_rules", "first").digest != _sheet("house_rules", "dearer").digest


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_the_pages_of_an_office_have_no_problems(name: str) -> None:
    assert office_problems(known_office(name)) == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("rules.payout", "there is no part of the rules 'payout'; did you mean payouts?"),
        ("ruels.payouts", "there is no source of a part 'ruels'; did you mean rules?"),
        ("fact.length", "there is no fact of it 'length'"),
        ("done.put_in_farce", "there is no act 'put_in_farce'; did you mean put_in_force?"),
        ("value.tide", "there is no value 'tide'"),
        ("checklist.tabel.seen", "there is no checklist 'tabel'; did you mean table?"),
    ],
)
def test_a_part_of_a_paper_names_what_it_is_made_from(source: str, problem: str) -> None:
    assert any(problem in one for one in _problems(("papers", "fire_display", "parts", "odds", "source"), source))


def test_a_paper_of_rules_is_of_a_thing_that_is_dealt_by_some() -> None:
    found = _problems(("papers", "layout_submission", "thing"), "measure")
    assert any("a measure is dealt by no house" in one for one in found)


def _problems(path: tuple[str, ...], value: str) -> list[str]:
    """What is wrong with Maryland's office if one of its entries said something else."""
    rules = office_of("maryland")
    whole = msgspec.to_builtins(rules.pages)
    place = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return office_problems(ActRules(rules.name, rules.digest, msgspec.convert(whole, ActPages)))
