"""A rulebook in memory: everything one regulation says."""

from __future__ import annotations

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
    if isinstance(node, Struct):
        for name, is_cite in _fields_of(type(node)):
            value = getattr(node, name)
            if not is_cite:
                if isinstance(value, _NODES):
                    _gather(value, f"{path}.{name}" if path else name, found)
            elif name == "cite":
                found.append((path, value, node))
            elif value != "":
                found.append((f"{path}.{name.removesuffix('_cite')}", value, node))
    elif isinstance(node, dict):
        for key, value in node.items():
            if isinstance(value, _NODES):
                _gather(value, f"{path}.{key}" if path else str(key), found)
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            if isinstance(value, _NODES):
                _gather(value, f"{path}[{index}]", found)


_NODES = (Struct, dict, tuple)


@cache
def _fields_of(kind: type[Struct]) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a model, and of each whether it is a citation."""
    return tuple((name, name == "cite" or name.endswith("_cite")) for name in kind.__struct_fields__)


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Return the wagers of one game: the regulation's, with the game's own replacements and without those it lacks."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
