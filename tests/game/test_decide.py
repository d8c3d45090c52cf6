"""Decisions: the events of a command and the changes to the table, or the refusals.

cases/decisions has tables, each with its regulation and elections (and `automate`, if not every house step is), and
below each the steps tried from it, as in a hand file. Ann, Bob, Cid and Dee are at seats 1 to 4.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest
from msgspec import to_builtins

from passline.game.decide import act, decide
from passline.game.hand_files.steps import STEPS, Words, read_step
from passline.game.notation import format_table, parse_table
from passline.game.position import Table
from passline.game.wording import format_event
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED, Rules
from tests.case_files import cases_of

SEATS = {"Ann": 1, "Bob": 2, "Cid": 3, "Dee": 4}
NAMES = {seat: name for name, seat in SEATS.items()}
FOLDER = Path(__file__).parent / "cases" / "decisions"
CASES = [case for path in sorted(FOLDER.iterdir()) for case in cases_of(path)]


def _opened(head: str) -> tuple[Rules, Table]:
    says, _, table = head.partition(" | ")
    return _rules(says), parse_table(table)


@cache
def _rules(says: str) -> Rules:
    """Return the rules of a house, shared by its tables, so that memos of one table would show at another.

    Unless it says otherwise, buy and lay wagers have the table's limits, so that small ones show what they are charged.
    """
    name, _, text = says.partition(" ")
    house = tomllib.loads(f"house = {text}")["house"]
    automate = frozenset(house.pop("automate", AUTOMATED))
    centre = Rules.of(name, house=house).house.limits.get("centre")
    return Rules.of(name, house={"limits": {"centre": to_builtins(centre)}, **house}, automate=automate)


def _told(rules: Rules, table: Table, line: str) -> list[str]:
    """Return the events or refusals of a step as text; a second answer, perhaps from a memo, must be the same."""
    name = max((name for name in STEPS if f"{line} ".startswith(f"{name} ")), key=len)
    command = read_step(name, Words(line[len(name) :], SEATS))
    outcome = act(rules, table, command)
    assert act(rules, table, command) == outcome
    assert decide(rules, table, command) == (outcome if isinstance(outcome, Refused) else outcome[0])
    if isinstance(outcome, Refused):
        return [f"refused: {one}" for one in outcome.refusals]
    happened, after = outcome
    told = [format_event(event, rules, NAMES, as_keys=True) for event in happened]
    return told if after == table else [*told, f"= {_difference(table, after)}"]


def _difference(before: Table, after: Table) -> str:
    """Return the parts of a table's line that are new, and the names of those that are gone."""
    old, new = format_table(before).split(" | "), format_table(after).split(" | ")
    names = {part.partition(" ")[0] for part in new}
    gone = [f"no {name}" for name in (part.partition(" ")[0] for part in old) if name not in names]
    return " | ".join([*(part for part in new if part not in old), *gone])


@pytest.mark.parametrize(("head", "told"), CASES, ids=[head for head, _ in CASES])
def test_a_step_has_the_results_written_below_it(head: str, told: list[str]) -> None:
    rules, table = _opened(head)
    steps = [line.removeprefix("> ") for line in told if line.startswith("> ")]
    assert [one for step in steps for one in (f"> {step}", *_told(rules, table, step))] == told
