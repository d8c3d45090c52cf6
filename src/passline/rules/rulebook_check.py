"""Checking a rulebook as a whole: its citations, each of its pages, and entries about similar things that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

from msgspec import Struct
from msgspec.structs import fields

from passline.rules.checks.clauses import file_and_key
from passline.rules.checks.elections import elections_problems
from passline.rules.checks.general import empty_procedures, game_problems, general_problems
from passline.rules.checks.names import wager_name_problems
from passline.rules.checks.wagers import wager_problems
from passline.rules.pages.citations import citation_faults
from passline.rules.schema import Cite, Game, Line, OddsWager, Rulebook, SideWager, WagerEntry, cites_of, wagers_of


def rulebook_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield every problem that the shape of the files does not exclude, each with its file and key."""
    yield from (f"/{file_and_key(rulebook, str(fault))}" for fault in citation_faults(cited, rulebook.name))
    yield from _number_cites_problems(rulebook, cited)
    files = {
        "elections.toml": elections_problems(rulebook),
        "general.toml": general_problems(rulebook),
        "house.toml": _house_problems(rulebook),
        **{f"{game}.toml": game_problems(rulebook, entry) for game, entry in rulebook.games.items()},
    }
    for file, problems in files.items():
        yield from (f"/{file}: {problem}" for problem in problems)
    for kind, problem in _similar_wager_problems(rulebook):
        yield f"/{'side' * isinstance(rulebook.wagers[kind], SideWager)}wagers.toml: {kind}: {problem}"
    for name, game in rulebook.games.items():
        wagers = wagers_of(rulebook, game)
        pages = {kind: _page_of(name, game, kind, wager) for kind, wager in wagers.items()}
        for kind, problem in wager_name_problems(wagers):
            yield f"/{pages[kind]}: {kind}: {problem}"
        yield from (f"/{name}.toml: {problem}" for problem in _similar_game_problems(rulebook, game))
        for kind, wager in wagers.items():
            problems = wager_problems(rulebook, game, kind, wager)
            yield from (f"/{pages[kind]}: {kind}: {problem}" for problem in problems)


def _number_cites_problems(rulebook: Rulebook, cited: list[tuple[str, Cite]]) -> Iterator[str]:
    """Yield a problem if an entry cites by number, but not by exactly the numbers of its wager."""
    for path, cite in cited:
        if isinstance(cite, dict) and (found := _WAGER_PATH.fullmatch(path)):
            game, kind, key = found.groups()
            own = rulebook.games[game].wagers if game else rulebook.wagers
            numbers = {str(number) for number in getattr(own[kind], "numbers", ())}
            if set(cite) != numbers and not isinstance(own[kind], SideWager):
                page = f"{game}.toml: wagers" if game else "wagers.toml"
                yield f"/{page}: {kind}: {key}: cites {sorted(cite)} by number; the wager has {sorted(numbers)}"


_WAGER_PATH = re.compile(r"(?:games\.(\w+)\.)?wagers\.(\w+)\.(.+)")


def _page_of(name: str, game: Game, kind: str, wager: WagerEntry) -> str:
    if kind in game.wagers:
        return f"{name}.toml: wagers"
    return "sidewagers.toml" if isinstance(wager, SideWager) else "wagers.toml"


def _house_problems(rulebook: Rulebook) -> Iterator[str]:
    if rulebook.default_house.get("rules") != rulebook.name:
        yield f"rules: the default house of {rulebook.name} names {rulebook.default_house.get('rules')!r}"
    yield from empty_procedures(rulebook.default_house)


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


def _similar_wager_problems(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
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


def _similar_game_problems(rulebook: Rulebook, game: Game) -> Iterator[str]:
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
