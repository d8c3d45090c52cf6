"""Reads the file that plans a tournament, with every fault of its shape, and the examples to start from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from passline.rules.pages.library import folder_of
from passline.rules.pages.structure import KeyFault, faults_of
from passline.rules.pages.texts import RulebookError, parse_page, read_toml
from passline.tournament.plan.schema import Plan
from passline.tournament.rules import regulations_with_tournaments, tournament_of


def plan_of(data: Mapping[str, Any]) -> tuple[Plan | None, tuple[KeyFault, ...]]:
    """Return the plan in a file's data, None if it cannot be read, and every fault of its shape.

    >>> [str(fault) for fault in plan_of({"name": "Spring", "licensee": 1})[1]][:2]
    ['licensee: is not a key here; did you mean licensees?', 'id: is missing']
    """
    faults = faults_of(dict(data), Plan)
    return (None, faults) if faults else (msgspec.convert(data, Plan), ())


def read_plan(path: Path) -> tuple[Plan | None, tuple[KeyFault, ...], str]:
    """Read a plan: the plan, None if it cannot be read, every fault of its shape, and the regulation it names."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        one = regulations_with_tournaments()[0]
        raise RulebookError(f'{path}: rules: a tournament names its regulation, such as rules = "{one}"')
    return (*plan_of(data), name)


def example_text(name: str) -> str:
    """Return a plan under a regulation as a file that people edit; raise NoTournaments if its text has none.

    >>> example_text("arizona").splitlines()[2]
    'id = "desert-shootout"'
    """
    tournament_of(name)
    page = folder_of(name) / "tournament" / "example" / "plan.toml"
    if not page.is_file():
        raise RulebookError(f"{name}/tournament: has no example")
    return page.read_text(encoding="utf-8")


def example_plan(name: str) -> Plan:
    """Return the example of a regulation."""
    return msgspec.convert(parse_page(example_text(name).encode(), f"{name}/tournament/example"), Plan)
