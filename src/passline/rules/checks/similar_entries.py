"""Entries about similar things: a key that one of them has may not be missing in the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

from msgspec import Struct
from msgspec.structs import fields

from passline.rules.schema import Game, Line, OddsWager, Rulebook, SideWager, cites_of

__all__ = ["similar_game_problems", "similar_wager_problems"]

_OWN = frozenset({"cite", "reading", "name", "label", "moves", "wagers", "pays"})  # what like entries have each its own


def _missing_keys(entry: object, other: object, path: str = "") -> Iterator[str]:
    """Yield the keys that an entry leaves out, or sets to false, though a similar entry has them.

    >>> from passline.rules.schema import OddsLimit
    >>> least = OddsLimit(on="stake", multiple_min=1, multiple_max=3, cite="XX-1")
    >>> [*_missing_keys(OddsLimit(on="stake", multiple_max=5, cite="XX-2"), least)]
    ['multiple_min']
    """
    optional: frozenset[str] = frozenset()
    if isinstance(entry, Struct) and type(entry) is type(other):
        pairs = [
            (name, getattr(entry, name), getattr(other, name)) for name in entry.__struct_fields__ if name not in _OWN
        ]
        optional = _optional(type(entry))
    elif isinstance(entry, dict) and isinstance(other, dict):
        pairs = [(name, entry[name], other[name]) for name in entry if name in other]
    else:
        return
    for name, mine, theirs in pairs:
        key = f"{path}.{name}" if path else str(name)
        if theirs and not mine and name in optional:
            yield key
        elif isinstance(mine, Struct | dict):
            yield from _missing_keys(mine, theirs, key)


@cache
def _optional(kind: type[Struct]) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind) if not field.required)


def similar_wager_problems(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each wager that lacks a key which a similar wager has, with the problem.

    Similar are line wagers that win on the same, side wagers offered together, and the limits of odds.
    """
    some = [item for item in rulebook.wagers.items() if isinstance(item[1], Line | OddsWager | SideWager)]
    told: set[tuple[str, str]] = set()
    for (kind, entry), (other, model) in permutations(some, 2):
        keys: Iterator[str] = iter(())
        if isinstance(entry, Line) and isinstance(model, Line) and entry.win.on == model.win.on:
            keys = _missing_keys(entry, model)
        elif isinstance(entry, OddsWager) and isinstance(model, OddsWager) and entry.limit.on == model.limit.on:
            keys = _missing_keys(entry.limit, model.limit, "limit")
        elif isinstance(entry, SideWager) and type(entry) is type(model) and entry.offered == model.offered:
            keys = _missing_keys(entry, model)
        for key in keys:
            if (kind, key) not in told:
                told.add((kind, key))
                yield kind, f"{key}: is missing, though {other} has it; say it of both"
    for (kind, entry), (other, model) in combinations(some, 2):
        yield from ((other, problem) for problem in _differences(kind, entry, model))


def _differences(kind: str, entry: object, model: object) -> Iterator[str]:
    """Yield each difference from another wager under the same clause, or in the same place on the layout."""
    if isinstance(entry, OddsWager) and isinstance(model, OddsWager) and entry.limit.on == model.limit.on:
        shared = [clause for clause in cites_of(entry.limit.cite) if clause in cites_of(model.limit.cite)]
        for key in ("multiple_min", "multiple_max") if shared else ():
            mine, theirs = getattr(model.limit, key), getattr(entry.limit, key)
            if mine and theirs and mine != theirs:  # what one leaves out is told above
                yield f"limit.{key}: {mine} is not {theirs}, as of {kind} by {shared[0]}; say the same of both"
    elif isinstance(entry, SideWager) and type(model) is type(entry) and entry.offered == model.offered:
        mine, theirs = (wager.lies.place if wager.lies else "" for wager in (model, entry))
        if mine != theirs:
            yield f"lies.place: {mine!r} is not {theirs!r}, as of {kind}; say the same of both"


def similar_game_problems(rulebook: Rulebook, game: Game) -> Iterator[str]:
    """Yield a problem for each procedure or wager that a game lacks though the regulation's other games have it."""
    for kind, entry in game.wagers.items():
        if (usual := rulebook.wagers.get(kind)) and type(usual) is type(entry):
            told = "is missing, though the wager has it in wagers.toml; say it of both"
            yield from (f"wagers.{kind}.{key}: {told}" for key in _missing_keys(entry, usual))
            told = "is said here, and not of the wager in wagers.toml; say it of both"
            yield from (f"wagers.{kind}.{key}: {told}" for key in _missing_keys(usual, entry))
    for name, other in rulebook.games.items():
        keys = _missing_keys(game.procedures, other.procedures)
        yield from (f"procedures.{key}: is missing, though {name}.toml has it; say it of both" for key in keys)
    if game.points is None:
        return
    for kind, entry in rulebook.wagers.items():
        behind = isinstance(entry, OddsWager) and isinstance(rulebook.wagers.get(entry.behind), Line)
        if (behind or isinstance(entry, SideWager)) and kind not in game.wagers and kind not in game.without:
            told = f"{kind} is written for other points than this game has"
            yield f"without.{kind}: is missing; {told}: leave it out, or give it an entry in `wagers`"
