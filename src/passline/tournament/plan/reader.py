"""Reading the file that plans a tournament, with every fault of its shape."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from passline.rules.pages.structure import KeyFault, faults_of
from passline.rules.pages.texts import RulebookError, read_toml
from passline.tournament.plan.schema import Plan

__all__ = ["plan_of", "read_plan"]


def plan_of(data: Mapping[str, Any]) -> tuple[Plan | None, tuple[KeyFault, ...]]:
    """Return the plan in a file's data, None if it cannot be read, and every fault of its shape.

    >>> [str(one) for one in plan_of({"name": "Spring", "licensee": 1})[1]][:2]
    ['licensee: is not a key here; did you mean licensees?', 'id: is missing']
    """
    faults = faults_of(dict(data), Plan)
    return (None, faults) if faults else (msgspec.convert(data, Plan), ())


def read_plan(path: Path) -> tuple[Plan | None, tuple[KeyFault, ...], str]:
    """Read a plan: the plan, None if it cannot be read, every fault of its shape, and the regulation it names."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        raise RulebookError(f'{path}: rules: a tournament names its regulation, such as rules = "colorado"')
    return (*plan_of(data), name)
