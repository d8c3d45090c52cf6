"""Unlawful elections, each with all its breaches, and lawful ones at the bounds.

cases/breaches.txt has the elections, laid over the default house of a regulation.
"""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path

import pytest

from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from tests.case_files import cases_of
from tests.clauses.table import breaches_of

CASES = cases_of(Path(__file__).parent / "cases" / "breaches.txt")


@pytest.mark.parametrize(("elected", "told"), CASES, ids=[elected for elected, _ in CASES])
def test_every_breach_is_reported_with_its_clause(elected: str, told: list[str]) -> None:
    name, _, house = elected.partition(" ")
    assert [str(breach) for breach in breaches_of(name, tomllib.loads(f"house = {house}")["house"])] == told


def test_a_line_maximum_over_the_table_maximum_is_lawful_where_odds_are_outside_it() -> None:
    """Odds behind the largest line wager must be allowed; a table maximum that binds odds would forbid them."""
    most = Rules.of("section2").house.wager_cents_max
    house = {"wager_cents_max": most, "limits": {"pass": {"min": 5_00, "max": most + 1_00}}}
    assert breaches_of("maryland", house) == ()
    assert [breach.key for breach in breaches_of("section2", house)] == ["wager_cents_max"]
    at_most = {"wager_cents_max": most, "limits": {"pass": {"min": 5_00, "max": most}}}
    assert breaches_of("section2", at_most) == ()


@pytest.mark.parametrize(("name", "clause"), [("colorado", "CO-2306-1-floor"), ("section2", "S2-d2.floor")])
def test_equal_odds_written_differently_are_not_less_than_the_listed(name: str, clause: str) -> None:
    """The list is a minimum: 14 to 12 equals 7 to 6; 14 to 13 is less and a breach."""
    house = {"payouts_uniform": True, "payouts": {"place_win 6": "14 to 12"}}
    assert breaches_of(name, house) == ()
    (breach,) = breaches_of(name, {**house, "payouts": {"place_win 6": "14 to 13"}})
    assert clause in breach.clause.split(", ")


def test_steps_for_which_procedures_name_nobody_are_listed() -> None:
    """Arizona's house supplies the procedures: every step that nobody may take is in one breach."""
    rulebook = rulebook_of("arizona")
    procedures = copy.deepcopy(rulebook.default_house["procedures"])
    for rule in (
        *(procedures["throw"][key] for key in ("settled_first", "passed_by")),
        *(procedures["shooter"]["order_to_pass"], procedures["no_roll"], procedures["dispute"]),
    ):
        rule["by"] = []
    (breach,) = breaches_of("arizona", {"procedures": procedures, "no_roll_callers": []})
    assert (breach.clause, breach.key) == (clause_text(rulebook.general.closed_list.cite), "procedures")
    steps = "settle the wagers, pass the dice, order the dice passed, call no roll, decide a dispute"
    assert breach.problem == f"nobody is named to {steps}"


def test_a_house_supplies_procedures_only_where_the_regulation_has_none() -> None:
    """Missing procedures, and procedures where the regulation has its own, are one breach each."""
    (missing,) = breaches_of("arizona", {"procedures": None})
    assert missing.problem == "must be supplied: the regulation has none"
    (replaced,) = breaches_of("maryland", {"procedures": rulebook_of("arizona").default_house["procedures"]})
    assert replaced.problem == "must be left out: the regulation has its own"


def test_one_cent_is_the_smallest_chip_and_the_smallest_minimum() -> None:
    """At the limit and one below it: 0 is neither a chip nor a minimum."""
    house = {"smallest_chip_cents": 1, "limits": {"field": {"min": 1, "max": 2}}}
    assert breaches_of("arizona", house) == ()
    for key, wrong in (("smallest_chip_cents", 0), ("limits", {"field": {"min": 0, "max": 2}})):
        assert breaches_of("arizona", {**house, key: wrong})
