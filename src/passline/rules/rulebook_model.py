"""A rulebook in memory: everything one regulation says."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import Struct

from passline.rules.schema import Cite, Election, Game, General, WagerEntry

__all__ = ["Rulebook", "cited_entries", "cited_nodes", "wagers_of"]


class Rulebook(Struct, frozen=True):
    """Everything one regulation says about its games and wagers."""

    name: str
    general: General
    wagers: dict[str, WagerEntry]
    elections: dict[str, Election]
    games: dict[str, Game]
    default_house: dict[str, Any]
    versions: dict[str, tuple[dict[str, Any], ...]] = {}  # all versions of every dated table, in force or not
    digest: str = ""  # of the pages it was read from


def cited_entries(node: object, path: str = "") -> list[tuple[str, Cite]]:
    """Return the path and the citation of every entry below a node of a rulebook."""
    return [(at, cite) for at, cite, _entry in cited_nodes(node, path)]


def cited_nodes(node: object, path: str = "") -> list[tuple[str, Cite, Struct]]:
    """Return the path and the citation of every entry below a node of a rulebook, and the entry."""
    found: list[tuple[str, Cite, Struct]] = []
    _gather(node, path, found)
    return found


def _gather(node: object, path: str, found: list[tuple[str, Cite, Struct]]) -> None:
    below: Iterable[tuple[object, object]] = ()
    if isinstance(node, Struct):
        cites, others = _fields_of(type(node))
        for name in cites:
            if (cite := getattr(node, name)) != "" or name == "cite":
                at = path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"
                found.append((at, cite, node))
        below = [(name, getattr(node, name)) for name in others]
    elif isinstance(node, dict):
        below = node.items()
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            if isinstance(value, _NODES):
                _gather(value, f"{path}[{index}]", found)
    for key, value in below:
        if isinstance(value, _NODES):
            _gather(value, f"{path}.{key}" if path else str(key), found)


_NODES = (Struct, dict, tuple)


@cache
def _fields_of(kind: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a model that are citations, and the others."""
    cites = tuple(name for name in kind.__struct_fields__ if name == "cite" or name.endswith("_cite"))
    return cites, tuple(name for name in kind.__struct_fields__ if name not in cites)


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Return the wagers of one game: the regulation's, with the game's own replacements and without those it lacks."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
