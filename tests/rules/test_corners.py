"""Corners of houses and rulebooks: keys nobody knows, limits at their edge, wagers on every number there is."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path

import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.house_template import house_file
from passline.rules.explain.sections import explain_all
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import OddsWager, cites_of, clause_text
from tests.clauses.table import breaches_of

HARBOUR = Path(__file__).parent / "invented" / "harbour"


@pytest.mark.parametrize(
    "key", ["pass_vigorish", "field_vigorish_basis_points", "place_fee", "pass_commission", "pass_tax"]
)
def test_a_charge_no_house_may_take_is_refused_by_its_own_rule(key: str) -> None:
    """A vigorish, fee or commission on another wager breaks the rule about charges; any other key is just unknown."""
    general = rulebook_of("maryland").general
    rule = general.closed_list if key == "pass_tax" else general.vigorish_only
    (breach,) = breaches_of("maryland", {key: 5})
    assert (breach.clause, breach.key) == (clause_text(rule.cite), key)


def test_a_line_maximum_over_the_table_maximum_breaks_nothing_where_odds_are_outside_it() -> None:
    """Odds behind the largest line wager must be allowed: the table maximum forbids them only where it binds odds."""
    most = Rules.of("section2").house.wager_cents_max
    house = {"wager_cents_max": most, "limits": {"pass": {"min": 5_00, "max": most + 1_00}}}
    assert breaches_of("maryland", house) == ()
    assert [breach.key for breach in breaches_of("section2", house)] == ["wager_cents_max"]
    at_most = {"wager_cents_max": most, "limits": {"pass": {"min": 5_00, "max": most}}}
    assert breaches_of("section2", at_most) == ()


@pytest.mark.parametrize(("name", "clause"), [("colorado", "CO-2306-1-floor"), ("section2", "S2-d2.floor")])
def test_the_listed_odds_in_other_words_are_not_less_than_the_list(name: str, clause: str) -> None:
    """The list is a least: 14 to 12 is 7 to 6, and the next below it is a breach."""
    house = {"payouts_uniform": True, "payouts": {"place_win 6": "14 to 12"}}
    assert breaches_of(name, house) == ()
    (breach,) = breaches_of(name, {**house, "payouts": {"place_win 6": "14 to 13"}})
    assert clause in breach.clause.split(", ")


def test_a_number_wager_may_stand_on_every_total_but_7(tmp_path: Path) -> None:
    """All ten totals may be numbers to wager on; there is no eleventh."""
    folder = Path(shutil.copytree(HARBOUR, tmp_path / "harbour"))
    wagers = folder / "wagers.toml"
    name, rest = wagers.read_text(encoding="utf-8").split('name = "Berth Bet"\nnumbers = [5, 6, 8, 9]')
    rest = rest.replace("{ numbers = [5, 9], pays = ", "{ numbers = [2, 3, 4, 5, 9, 10, 11, 12], pays = ", 1)
    wagers.write_text(f'{name}name = "Berth Bet"\nnumbers = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]{rest}', encoding="utf-8")
    assert Rules.under(load_rulebook(folder)).wagers["place_win"].numbers == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}


def test_a_house_file_says_how_large_odds_may_be_where_there_is_a_ceiling_and_where_there_is_none() -> None:
    """A ceiling in multiples, none, or one in cents alone: each is told as the bounds of the key it limits."""
    for name in REGULATIONS:
        rules = Rules.of(name)
        text = house_file(rules)
        assert text.count("\n# the most that odds may be on each point, in multiples of the original wager\n") == 1
        for kind, rule in rules.wagers.items():
            if isinstance(rule.entry, OddsWager):
                limit, clauses = rule.entry.limit, ", ".join(cites_of(rule.entry.limit.cite))
                most = f"to {limit.multiple_max}" if limit.multiple_max else "or more"
                assert f"# {kind}: {max(limit.multiple_min, 1)} {most}, by {limit.on} [{clauses}]" in text
                assert (f"# {kind}: {limit.cents_max} or less [{clauses}]" in text) is bool(limit.cents_max)


def test_a_house_whose_procedures_name_nobody_for_a_step_is_told_which() -> None:
    """Arizona's house supplies the procedures: every step that nobody may take is listed at once."""
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


def test_procedures_are_the_houses_where_the_regulation_has_none_and_nowhere_else() -> None:
    """One breach says it all: a house without the procedures it owes, or with some where the regulation has its own."""
    (missing,) = breaches_of("arizona", {"procedures": None})
    assert missing.problem == "must be supplied: the regulation has none"
    (replaced,) = breaches_of("maryland", {"procedures": rulebook_of("arizona").default_house["procedures"]})
    assert replaced.problem == "must be left out: the regulation has its own"


def test_a_vigorish_taken_from_a_win_on_some_numbers_is_told_as_such() -> None:
    """The moment may be chosen number by number; where no number is taken out, nothing is said of it."""
    elected = explain_all(Rules.of("colorado", house={"buy_vigorish_won_on": [4, 10]}))
    assert "taken when the wager is made, but from a win on 4, 10; rounded down" in " ".join(elected.split())
    assert "but from a win on" not in explain_all(Rules.of("colorado"))


def test_one_cent_is_the_smallest_chip_and_the_smallest_minimum() -> None:
    """At the limit and one under it; nothing at all is neither a chip nor a minimum."""
    house = {"smallest_chip_cents": 1, "limits": {"field": {"min": 1, "max": 2}}}
    assert breaches_of("arizona", house) == ()
    for key, wrong in (("smallest_chip_cents", 0), ("limits", {"field": {"min": 0, "max": 2}})):
        assert breaches_of("arizona", {**house, key: wrong})
