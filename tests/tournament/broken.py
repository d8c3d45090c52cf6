"""The pages of tournaments with one entry dropped or changed: what a case must notice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from passline.rules.pages.citations import cited_paths
from passline.tournament.rules import SheetSource, TournamentPages, TournamentRules, tournament_problems

_PRACTICE = "practice"
_NOT_DECIDING = {"reading", "cite"}  # why it is read so; a citation is taken away as a whole
_SOURCES = get_args(SheetSource)


def entries_of(rules: TournamentRules) -> list[tuple[str, tuple[str, ...]]]:
    """Every entry of the pages, as a dotted name, with its clauses."""
    return [(".".join(path), clauses) for path, clauses in cited_paths(rules.pages)]


def broken_pages(rules: TournamentRules, entry: str) -> Iterator[tuple[str, TournamentRules]]:
    """Yield every way to break an entry: (what was done, the rules with it).

    An entry that others need cannot be dropped; then its citation is, so that nobody learns the clause any more.
    """
    whole = msgspec.to_builtins(rules.pages)
    path = tuple(entry.split("."))
    at = whole
    for key in path:
        at = at[key]
    changes: list[tuple[str, dict[str, Any]]] = [("dropped", _without(whole, path))]
    if at["cite"] != _PRACTICE:
        changes.append(("without its clause", _with(whole, (*path, "cite"), _PRACTICE)))
    changes += ((f"{key} = {value!r}", _with(whole, (*path, key), value)) for key, value in _changes(at))
    for label, changed in changes:
        read = _read(rules, changed)
        if read is not None:
            yield label, read


def _read(rules: TournamentRules, whole: dict[str, Any]) -> TournamentRules | None:
    """The rules of changed pages, or None if they are refused when they are read."""
    try:
        changed = TournamentRules(rules.name, rules.digest, msgspec.convert(whole, TournamentPages))
    except msgspec.ValidationError:
        return None
    return None if list(tournament_problems(changed.pages)) else changed


def _without(whole: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    key, *rest = path
    if not rest:
        return {one: value for one, value in whole.items() if one != key}
    return {**whole, key: _without(whole[key], tuple(rest))}


def _with(whole: dict[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    key, *rest = path
    return {**whole, key: _with(whole[key], tuple(rest), value) if rest else value}


def _changes(entry: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        match value:
            case _ if key in _NOT_DECIDING:
                continue
            case str() if key == "source":
                yield from ((key, other) for other in (_SOURCES[0], _SOURCES[-1]) if other != value)
            case str():
                yield key, f"other {value}"
            case bool():
                yield key, not value
            case int() if key == "order":
                yield key, 100 if value < 4 else 0  # to the other end of the sheet
            case int():
                yield key, value + 1
                yield key, value - 1
            case list() | tuple() if len(value) > 1:
                yield from ((key, [*value[:index], *value[index + 1 :]]) for index in range(len(value)))
