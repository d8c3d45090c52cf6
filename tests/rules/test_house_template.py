"""The house file to start from: every key with its note, its bounds and their clauses, as reviewed.

To write the files anew after a change that was meant, and review the difference:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/rules/test_house_template.py
"""

import copy
import difflib
import os
from pathlib import Path

import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.house_template import house_file
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import OddsWager, cites_of

FILES = Path(__file__).parent / "house_files"


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_house_file_is_as_reviewed(name: str) -> None:
    path = FILES / f"{name}.toml"
    text = house_file(Rules.of(name))
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    reviewed = path.read_text(encoding="utf-8")
    changes = difflib.unified_diff(reviewed.splitlines(), text.splitlines(), "reviewed", "now", lineterm="", n=1)
    assert text == reviewed, "the house file changed; if that was meant, see the docstring:\n" + "\n".join(changes)


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_reviewed_file_is_lawful_and_complete(name: str) -> None:
    path = FILES / f"{name}.toml"
    assert house_file(Rules.from_file(path)) == path.read_text(encoding="utf-8")


def test_a_house_file_of_unusual_procedures_reads_back_to_the_same_house(tmp_path: Path) -> None:
    """An empty table of reasons is one line, not a table; a reason may have any name."""
    procedures = copy.deepcopy(rulebook_of("arizona").default_house["procedures"])
    procedures["shooter"]["order_reasons"] = {}
    procedures["no_roll"]["reasons"]["fächer"] = procedures["no_roll"]["reasons"]["a fan. Or two"] = {"cite": "AZ-I.5"}
    rules = Rules.of("arizona", house={"procedures": procedures})
    path = tmp_path / "house.toml"
    path.write_text(house_file(rules), encoding="utf-8")
    assert Rules.from_file(path).house == rules.house
    assert [line for line in house_file(rules).splitlines() if "order_reasons" in line] == ["order_reasons = {  }"]


def test_a_house_file_says_how_large_odds_may_be_with_and_without_a_ceiling() -> None:
    """A ceiling in multiples, in cents, or none: each is among the bounds of the key it limits."""
    for name in REGULATIONS:
        rules = Rules.of(name)
        text = house_file(rules)
        assert text.count("\n# the most that odds may be on each point, in multiples of the original wager\n") == 1
        for kind, rule in rules.wagers.items():
            if isinstance(rule.entry, OddsWager):
                limit, clauses = rule.entry.limit, ", ".join(cites_of(rule.entry.limit.cite))
                most = f"to {limit.multiple_max}" if limit.multiple_max else "or more"
                assert f"# {kind}: {limit.multiple_min or 1} {most}, by {limit.on} [{clauses}]" in text
                assert (f"# {kind}: {limit.cents_max} or less [{clauses}]" in text) is bool(limit.cents_max)
