"""A rulebook that contradicts itself: some value of a sound one is changed, and every fault is told, no more, no less.

cases/contradictions.txt has the changes: a rulebook, the keys that lead to a value, and what it becomes (or `gone`);
further ones after `and`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.rules.rulebook_check import rulebook_problems
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from tests.told import cases_of

HARBOUR = Path(__file__).parent / "invented" / "harbour"
CASES = cases_of(Path(__file__).parent / "cases" / "contradictions.txt")


def _changed(change: str) -> Rulebook:
    """Make the changes to a sound rulebook."""
    name, _, changes = change.partition(" ")
    sound = load_rulebook(HARBOUR) if name == "harbour" else rulebook_of(name)
    data: Any = msgspec.json.decode(msgspec.json.encode(sound))
    for one in changes.split(" and "):
        place, _, text = one.partition(" = ")
        *keys, last = place.split()
        at = data
        for key in keys:
            at = at[_step(key)]
        if text == "gone":
            del at[_step(last)]
        else:
            at[_step(last)] = tomllib.loads(f"value = {text}")["value"]
    return msgspec.convert(data, Rulebook)


def _step(key: str) -> str | int:
    return int(key) if key.isdigit() else key


@pytest.mark.parametrize(("change", "told"), CASES, ids=[change for change, _ in CASES])
def test_a_rulebook_that_contradicts_itself_is_told_every_fault_with_its_file(change: str, told: list[str]) -> None:
    """A wager of two games is told of for each; here once is enough."""
    assert list(dict.fromkeys(rulebook_problems(_changed(change)))) == told
