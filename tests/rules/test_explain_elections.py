"""The rules in words under elections other than the default: every line that changes.

cases/elected.txt has the elections, with `game` where it is not craps; harbour is the invented rulebook. The golden
files of test_explain_sections.py have every line under the default houses.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from passline.rules.explain.house_template import house_file
from passline.rules.explain.sections import sections
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from tests.case_files import cases_of

HARBOUR = Path(__file__).parent / "invented" / "harbour"
CASES = cases_of(Path(__file__).parent / "cases" / "elected.txt")


def _lines(rules: Rules) -> list[str]:
    lines = [(part.title, line) for part in sections(rules) for line in part.lines]
    explained = [f"{title} | {one.about}: {one.says} [{', '.join(one.clauses)}]" for title, one in lines]
    return explained + [f"file | {line}" for line in house_file(rules).splitlines() if line]


def _changed_lines(elected: str) -> list[str]:
    """Return the lines that differ from those of the default house."""
    name, _, text = elected.partition(" ")
    house = tomllib.loads(f"house = {text}")["house"]
    rulebook = load_rulebook(HARBOUR) if name == "harbour" else rulebook_of(name)
    usual = set(_lines(Rules.under(rulebook, game=house.get("game", "")))) if house else set()
    return [line for line in _lines(Rules.under(rulebook, house)) if line not in usual]


@pytest.mark.parametrize(("elected", "told"), CASES, ids=[elected for elected, _ in CASES])
def test_an_election_changes_the_rules_in_words_and_the_house_file(elected: str, told: list[str]) -> None:
    assert _changed_lines(elected) == told
