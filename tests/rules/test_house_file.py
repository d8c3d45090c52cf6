"""The house file to start from: every key with its note, its bounds and their clauses, as reviewed.

To write the files anew after a change that was meant, and review the difference:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/rules/test_house_file.py
"""

import difflib
import os
from pathlib import Path

import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.house_template import house_file
from passline.rules.rules import Rules

FILES = Path(__file__).parent / "house_files"


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_house_file_is_the_reviewed_one(name: str) -> None:
    path = FILES / f"{name}.toml"
    text = house_file(Rules.of(name))
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    reviewed = path.read_text(encoding="utf-8")
    changes = difflib.unified_diff(reviewed.splitlines(), text.splitlines(), "reviewed", "now", lineterm="", n=1)
    assert text == reviewed, "the house file changed; if that was meant, see the docstring:\n" + "\n".join(changes)


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_reviewed_file_is_lawful_and_says_all_it_means(name: str) -> None:
    path = FILES / f"{name}.toml"
    assert house_file(Rules.from_file(path)) == path.read_text(encoding="utf-8")
