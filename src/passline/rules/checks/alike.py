"""Doubts: entries about similar things that differ. The text may well say so, so a doubt never refuses a rulebook.

A wager answers one by `not_here`, a game by `lacks`: the key that it does not have, and the clause that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, permutations

from msgspec import Struct
from msgspec.structs import fields

from passline.rules.schema import Game, Hand, Line, OddsWager, Rulebook, Run, SideWager, WagerEntry, cites_of

_OWN = frozenset({"cite", "reading", "name", "label", "moves", "wagers", "pays", "not_here"})  # each entry has its own
_SAY = "say it of both, or by which clause not in `{}`"


def rulebook_doubts(rulebook: Rulebook) -> Iterator[str]:
    """Yield every difference between similar entries that the rulebook does not answer, with its file and key."""
    for kind, key, doubt in _wager_doubts(rulebook):
        entry = rulebook.wagers[kind]
        if key not in entry.not_here:
            yield f"/{'side' * isinstance(entry, SideWager)}wagers.toml: {kind}.{key}: {doubt}"
    for name, game in rulebook.games.items():
        for key, doubt in dict.fromkeys((*_game_wager_doubts(rulebook, game), *_procedure_doubts(rulebook, game))):
            if key not in game.lacks:
                yield f"/{name}.toml: {key}: {doubt}"
        yield from (f"/{name}.toml: {doubt}" for doubt in _name_doubts(rulebook, game))


def answer_problems(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each answer to a doubt that is about no key of its wager, or about one that it has, with the wager."""
    for kind, entry in rulebook.wagers.items():
        yield from ((kind, problem) for problem in _not_here_problems(entry))


def own_answer_problems(game: Game) -> Iterator[str]:
    """Yield the same of a game's own entries."""
    for kind, entry in game.wagers.items():
        yield from (f"wagers.{kind}.{problem}" for problem in _not_here_problems(entry))


def _not_here_problems(entry: WagerEntry) -> Iterator[str]:
    for key in entry.not_here:
        value: object = entry
        for step in key.split("."):
            value = value.get(step, _NOTHING) if isinstance(value, dict) else getattr(value, step, _NOTHING)
        if value is _NOTHING:
            yield f"not_here.{key}: is not a key of this wager"
        elif value:
            yield f"not_here.{key}: the wager has it; leave out one of the two"


_NOTHING = object()


def _missing_keys(entry: object, other: object, path: str = "") -> Iterator[str]:
    """Yield the keys that an entry leaves out, or sets to false, though a similar entry has them.

    >>> from passline.rules.schema import OddsLimit
    >>> least = OddsLimit(on="stake", multiple_min=1, multiple_max=3, cite="XX-1")
    >>> [*_missing_keys(OddsLimit(on="stake", multiple_max=5, cite="XX-2"), least)]
    ['multiple_min']
    """
    optional: frozenset[str] = frozenset()
    if isinstance(entry, Struct) and type(entry) is type(other):
        names = [name for name in entry.__struct_fields__ if name not in _OWN]
        pairs = [(name, getattr(entry, name), getattr(other, name)) for name in names]
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


def _wager_doubts(rulebook: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Yield each wager that lacks a key which a similar wager has, or differs under the same clause: kind, key, doubt.

    Similar are line wagers that win on the same, side wagers offered together, and the limits of odds.
    """
    some = [item for item in rulebook.wagers.items() if isinstance(item[1], Line | OddsWager | SideWager)]
    told: set[tuple[str, str]] = set()
    for (kind, entry), (other, model) in permutations(some, 2):
        for key in _missing_of_similar(entry, model):
            if (kind, key) not in told:
                told.add((kind, key))
                yield kind, key, f"is missing, though {other} has it; {_SAY.format('not_here')}"
    for kind, entry in some:
        yield from ((kind, key, doubt) for key, doubt in _bound_doubts(entry))
    for (kind, entry), (other, model) in combinations(some, 2):
        yield from ((other, key, doubt) for key, doubt in _differences(kind, entry, model))


def _bound_doubts(entry: WagerEntry) -> Iterator[tuple[str, str]]:
    """Yield each bound of odds that most regulations name and this one leaves to the house."""
    if isinstance(entry, OddsWager):
        limit = entry.limit
        if limit.multiple_max and not limit.multiple_min:
            told = "a most multiple goes with the least that a house must allow"
            yield "limit.multiple_min", f"is missing; {told}, or say in `not_here` by which clause there is none"
        if not (limit.multiple_max or limit.cents_max):
            told = "or cents_max; or say in `not_here` by which clause the house bounds its odds"
            yield "limit.multiple_max", f"is missing, {told}"


def _missing_of_similar(entry: WagerEntry, model: WagerEntry) -> Iterable[str]:
    if isinstance(entry, Line) and isinstance(model, Line) and entry.win.on == model.win.on:
        return _missing_keys(entry, model)
    if isinstance(entry, OddsWager) and isinstance(model, OddsWager) and entry.limit.on == model.limit.on:
        return _missing_keys(entry.limit, model.limit, "limit")
    if isinstance(entry, SideWager) and type(entry) is type(model) and entry.offered == model.offered:
        return _missing_keys(entry, model)
    return ()


def _differences(kind: str, entry: WagerEntry, model: WagerEntry) -> Iterator[tuple[str, str]]:
    """Yield each difference from another wager under the same clause, or in the same place on the layout."""
    if isinstance(entry, OddsWager) and isinstance(model, OddsWager) and entry.limit.on == model.limit.on:
        shared = [clause for clause in cites_of(entry.limit.cite) if clause in cites_of(model.limit.cite)]
        for key in ("multiple_min", "multiple_max") if shared else ():
            mine, theirs = getattr(model.limit, key), getattr(entry.limit, key)
            if mine and theirs and mine != theirs:  # what one leaves out is told above
                yield f"limit.{key}", f"{mine} is not {theirs}, as of {kind} by {shared[0]}; is it so?"
    elif isinstance(entry, SideWager) and type(model) is type(entry) and entry.offered == model.offered:
        mine, theirs = (wager.lies.place if wager.lies else "" for wager in (model, entry))
        if mine != theirs:
            yield "lies.place", f"{mine!r} is not {theirs!r}, as of {kind}; is it so?"


def _game_wager_doubts(rulebook: Rulebook, game: Game) -> Iterator[tuple[str, str]]:
    """Yield each key that a game's own entry of a wager has and the usual one has not, or the reverse."""
    for kind, entry in game.wagers.items():
        usual = rulebook.wagers.get(kind)
        yield from ((f"wagers.{kind}.{key}", doubt) for key, doubt in _bound_doubts(entry) if key not in entry.not_here)
        for key in _missing_keys(entry, usual):
            if key not in entry.not_here:
                told = f"is missing, though the wager has it in wagers.toml; {_SAY.format('not_here')}"
                yield f"wagers.{kind}.{key}", told
        for key in _missing_keys(usual, entry):
            if usual and key not in usual.not_here:
                told = f"is said here, and not of the wager in wagers.toml; {_SAY.format('lacks')}"
                yield f"wagers.{kind}.{key}", told
    points = game.points.totals if game.points else ()
    for kind, entry in rulebook.wagers.items() if points else ():
        if kind not in {*game.wagers, *game.without} and _is_for_other_points(rulebook, entry, points):
            told = f"is missing; {kind} is written for other points than this game has"
            yield f"without.{kind}", f"{told}: leave it out, or give it an entry in `wagers`"


def _is_for_other_points(rulebook: Rulebook, entry: WagerEntry, points: tuple[int, ...]) -> bool:
    """Return whether a wager of the regulation is about its usual points: a collection of totals, for one, is not."""
    if isinstance(entry, OddsWager):
        return isinstance(rulebook.wagers.get(entry.behind), Line) and set(entry.numbers) != set(points)
    return isinstance(entry, Run) or (isinstance(entry, Hand) and entry.counts != "totals")


def _procedure_doubts(rulebook: Rulebook, game: Game) -> Iterator[tuple[str, str]]:
    """Yield each key that the procedures of a game leave out though those of another game have it."""
    for name, other in rulebook.games.items():
        for key in _missing_keys(game.procedures, other.procedures):
            yield f"procedures.{key}", f"is missing, though {name}.toml has it; {_SAY.format('lacks')}"


def _name_doubts(rulebook: Rulebook, game: Game) -> Iterator[str]:
    """Yield a doubt for each thing that another game of the regulation has and this one neither has nor `lacks`."""
    mine = _names_of(game)
    for name, other in rulebook.games.items():
        for where, names in _names_of(other).items():
            missing = [entry for entry in names if entry not in mine.get(where, names) and entry not in game.lacks]
            for entry in missing:
                if not any(entry.startswith(kind) for kind in game.without):
                    what = f"{entry} of {name}.toml is missing"
                    yield f"{where}: {what}; add it, or say by which clause this game `lacks` it"


def _names_of(game: Game) -> dict[str, list[str]]:
    """Return the names of a game's duties and procedures, by the key they stand under."""
    found = {"duties": [*game.duties]}
    if game.procedures is not None:
        shooter, throw, no_roll = game.procedures.shooter, game.procedures.throw, game.procedures.no_roll
        optional = {"throw.rethrow": throw.rethrow, "no_roll.before_rest": no_roll.before_rest}
        found |= {
            "procedures.shooter.order_reasons": [*shooter.order_reasons],
            "procedures.throw.void": [*throw.void],
            "procedures.no_roll.reasons": [*no_roll.reasons, *no_roll.no_reason],
            "procedures": [key for key, rule in optional.items() if rule],
        }
    return found
