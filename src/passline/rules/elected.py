"""Elections laid over a house: those that are named one by one, KEY=VALUE, and styles of houses under a name.

A style is a file of `rulebooks/styles`: elections that many houses share, such as odds of 10 times. It is no house of a
regulation: it lies over the default house, and what the regulation does not allow of it is refused with the clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from passline.bounded_text import parse_toml
from passline.dice import OUTCOMES
from passline.errors import CrapsError
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook

_STYLES = "rulebooks/styles"
_SUFFIX = ".toml"
_ODDS = "odds"


class ElectionError(CrapsError):
    """An election that cannot be read."""


@cache
def house_styles() -> dict[str, dict[str, Any]]:
    """Return the elections of every style of houses, by its name.

    >>> list(house_styles()), house_styles()["10x"]["odds"]["6"]
    (['3-4-5x', '10x', '20x'], 10)
    """
    found = [entry for entry in (files("passline") / _STYLES).iterdir() if entry.name.endswith(_SUFFIX)]
    read = {entry.name.removesuffix(_SUFFIX): parse_toml(entry.read_text(encoding="utf-8")) for entry in found}
    return {name: read[name] for name in sorted(read, key=lambda name: (len(name) != len("3-4-5x"), name))}


def elections_from(texts: Iterable[str]) -> dict[str, Any]:
    """Return elections that are written KEY=VALUE, with the keys of a house file; later ones lie over earlier.

    A value is written as in the file, or without the quotes of a text.

    >>> elections_from(["wager_cents_min=1000", "odds.6=10", "buy_vigorish_when=won"])
    {'wager_cents_min': 1000, 'odds': {'6': 10}, 'buy_vigorish_when': 'won'}
    >>> elections_from(["odds 10"])
    Traceback (most recent call last):
    passline.rules.elected.ElectionError: 'odds 10' is not an election: write KEY=VALUE, a key of `passline house new`
    """
    elected: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        path = [part.strip() for part in key.split(".")]
        if not equals or not value.strip() or not all(part.isidentifier() or part.isdigit() for part in path):
            raise ElectionError(f"{text!r} is not an election: write KEY=VALUE, a key of `passline house new`")
        table = elected
        for part in path[:-1]:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise ElectionError(f"{text}: {part} has a value already; name it once")
        table[path[-1]] = _value(value.strip())
    return elected


def values_from(text: str) -> tuple[str, list[str]]:
    """Return a key with the several values of KEY=A,B,C.

    >>> values_from("odds=3-4-5,10,20"), values_from("odds={4=1,10=1},10")[1]
    (('odds', ['3-4-5', '10', '20']), ['{4=1,10=1}', '10'])
    """
    key, _, values = text.partition("=")
    parts, depth = [""], 0
    for sign in values:
        depth += (sign in "[{") - (sign in "]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    found = [part.strip() for part in parts]
    if not all(found) or len(found) == 1:
        raise ElectionError(f"{text!r}: write KEY=A,B with two values or more, to see houses side by side")
    return key.strip(), found


def rules_elected(
    rulebook: Rulebook, elected: Mapping[str, Any], *, house: Mapping[str, Any] | None = None, game: str = ""
) -> Rules:
    """Return the rules of a house (its file's content, or by default none) with elections laid over it.

    Of a table, such as that of odds, only the keys change that are named. `odds` may also be one text: a multiple for
    all points, or several for points from the rarest to the likeliest.

    >>> from passline.rules.rulebook_reader import rulebook_of
    >>> rules_elected(rulebook_of("maryland"), {"odds": "3-4-5"}).house.odds["6"]
    5
    >>> rules_elected(rulebook_of("maryland"), {"odds": {"6": 10}}).house.odds["4"]
    3
    """
    merged: dict[str, Any] = dict(house or {})
    for key, value in elected.items():
        base = merged.get(key, rulebook.default_house.get(key))
        if key == _ODDS and not isinstance(value, Mapping):
            points = [int(point) for point in rulebook.default_house.get(_ODDS, {})]
            merged[key] = multiples_by_point(points, _multiples(str(value)))
        elif isinstance(value, Mapping) and isinstance(base, Mapping):
            merged[key] = {**{str(name): entry for name, entry in base.items()}, **value}
        else:
            merged[key] = value
    return Rules.under(rulebook, merged, game=game)


def multiples_by_point(points: Iterable[int], policy: tuple[int, ...]) -> dict[str, int]:
    """Return the multiple of odds for each point: one for all, or a larger one the likelier the point is.

    >>> multiples_by_point([4, 5, 6], (3, 4, 5)), multiples_by_point([4, 6], (2,))
    ({'4': 3, '5': 4, '6': 5}, {'4': 2, '6': 2})
    """
    known = sorted(points)
    ways = sorted({_ways(point) for point in known})
    return {str(point): policy[min(ways.index(_ways(point)), len(policy) - 1)] for point in known}


def _ways(total: int) -> int:
    return sum(roll.total == total for roll in OUTCOMES)


def _multiples(text: str) -> tuple[int, ...]:
    parts = text.lower().removesuffix("x").split("-")
    if not all(part.isdigit() for part in parts):
        raise ElectionError(f"odds={text}: is neither a multiple, such as 10, nor several, such as 3-4-5")
    return tuple(map(int, parts))


def _value(text: str) -> Any:  # noqa: ANN401 - as a house file may hold
    """Return a value as TOML reads it; what is no TOML is a text."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except CrapsError:
        return text
