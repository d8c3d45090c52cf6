"""Exact house edges of two houses side by side: each wager whose edge differs, or that only one of them offers."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from passline.dice import number_text
from passline.exact.par.lines import Offered, offered_by_house, smallest_exact_stake
from passline.exact.par.par import ParCache
from passline.rules.rules import Rules

__all__ = ["EdgeBeside", "EdgeChange", "edge_changes"]


class EdgeBeside(Struct, frozen=True):
    """The house edge of a wager at one of two houses; None where it is not offered, or no stake is paid exactly."""

    edge: Fraction | None
    is_offered: bool


class EdgeChange(Struct, frozen=True):
    """The house edge of a wager before and after."""

    wager: str  # its name, with the odds that are taken behind it
    numbers: tuple[str, ...]
    before: EdgeBeside
    after: EdgeBeside


def edge_changes(before: Rules, after: Rules) -> list[EdgeChange]:
    """Return the edges that differ between two houses, each at the smallest stake that is paid exactly.

    >>> found = edge_changes(Rules.of("maryland"), Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}}))
    >>> [(change.wager, change.before.edge, change.after.edge) for change in found]
    [('Any Seven', Fraction(1, 6), Fraction(-1, 30)), ('Whirl', Fraction(2, 15), Fraction(7, 75))]
    """
    cache = ParCache()
    lines = [{_key(line): line for line in offered_by_house(rules)} for rules in (before, after)]
    alike: dict[tuple[str, EdgeBeside, EdgeBeside], list[str]] = {}
    for key in dict.fromkeys((*lines[0], *lines[1])):
        was, now = (_edge(side.get(key), cache) for side in lines)
        if was != now:
            offered = lines[1].get(key) or lines[0][key]
            alike.setdefault((_name(offered), was, now), []).append(number_text(offered.number))
    return [EdgeChange(name, tuple(filter(None, numbers)), was, now) for (name, was, now), numbers in alike.items()]


def _key(line: Offered) -> tuple[str, int, str]:
    return line.kind, line.number, line.odds


def _name(line: Offered) -> str:
    name = line.rules.wagers[line.kind].display_name()
    return f"{name} with full odds" if line.odds else name


def _edge(line: Offered | None, cache: ParCache) -> EdgeBeside:
    stake = smallest_exact_stake(line) if line else None
    return EdgeBeside(cache.par(line, stake).edge if line and stake else None, is_offered=line is not None)
