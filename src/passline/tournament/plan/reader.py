"""Reads the file that plans a tournament, with every fault of its shape, and the examples to start from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec

from passline.rules.pages.library import folder_of
from passline.rules.pages.structure import KeyFault, faults_of
from passline.rules.pages.texts import RulebookError, parse_page, read_toml
from passline.tournament.plan.schema import Plan
from passline.tournament.rules import regulations_with_tournaments, tournament_of

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_AHEAD = timedelta(weeks=4)  # there is time to file it with whoever must have it first


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
        example = regulations_with_tournaments()[0]
        raise RulebookError(f'{path}: rules: a tournament names its regulation, such as rules = "{example}"')
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


def example_from(name: str, today: date) -> str:
    """Return the example of a regulation with days that are still to come: on the same days of the week, weeks later.

    >>> [line for line in example_from("arizona", date(2026, 11, 18)).splitlines() if line.startswith("first_day")]
    ['first_day = 2026-12-19']
    """
    text = example_text(name)
    days = [date.fromisoformat(day) for day in _DAY.findall(text)]
    missing = (today + _AHEAD - min(days)).days if days else 0
    later = timedelta(weeks=max(0, -(-missing // 7)))
    return _DAY.sub(lambda found: (date.fromisoformat(found[0]) + later).isoformat(), text)


def example_plan(name: str) -> Plan:
    """Return the example of a regulation."""
    return msgspec.convert(parse_page(example_text(name).encode(), f"{name}/tournament/example"), Plan)
