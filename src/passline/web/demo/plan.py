"""What the demo shows, from `demo.toml`: its tables and players, and whose tournament and casino it has."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from passline.rules.rulebook_reader import sound_regulations
from passline.rules.rules import Rules
from passline.strategy.interface import StrategyError
from passline.strategy.lookup import strategy_of

_PLAYERS_MAX = 4
_NAME_MAX = 40


class DemoTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the demo: its name, its regulation, and its players with their strategies."""

    name: str
    rules: str
    players: tuple[str, ...]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    rules: str


class DemoPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """All that `demo.toml` says."""

    others: tuple[str, ...]
    cup: _Part
    casino: _Part
    tables: tuple[DemoTable, ...]


@cache
def demo_plan() -> DemoPlan:
    """Return what the demo shows.

    >>> [table.name for table in demo_plan().tables]
    ['Maryland 1', 'Colorado 1', 'Section 2', 'Arizona 1']
    """
    text = (files("passline") / "web" / "demo" / "demo.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), DemoPlan)


def demo_tables() -> Iterator[DemoTable]:
    """Yield the tables of the demo: those of its plan, and one for every other regulation that is known."""
    plan = demo_plan()
    yield from plan.tables
    for name in sound_regulations():
        if name not in {table.rules for table in plan.tables}:
            rules = Rules.of(name)
            fit = [player for player in plan.others if _can_play(player.partition(":")[2], rules)]
            title = f"{' '.join(word.capitalize() for word in name.split('_'))} 1"
            seats = min(_PLAYERS_MAX, rules.house.seats - 1)  # one is for a visitor
            yield DemoTable(title[:_NAME_MAX], name, tuple(fit[:seats]))


def _can_play(strategy: str, rules: Rules) -> bool:
    try:
        strategy_of(strategy, rules)
    except StrategyError:
        return False
    return True
