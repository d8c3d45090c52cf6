"""A rulebook in memory: everything one regulation says, and how to walk it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from passline.rules.schema.rulebook import Cite, Election, Game, General, WagerEntry

__all__ = ["Rulebook", "entries_of", "wagers_of"]


class Rulebook(Struct, frozen=True):
    """Everything one regulation says about the game and its side wagers."""

    name: str
    general: General
    wagers: dict[str, WagerEntry]
    elections: dict[str, Election]
    games: dict[str, Game]
    default_house: dict[str, Any]
    versions: dict[str, tuple[dict[str, Any], ...]] = {}  # every dated table with all its versions, in force or not


def entries_of(node: object, path: str = "") -> Iterator[tuple[str, Cite]]:
    """Walk everything in a rulebook that carries a citation: where it stands, and its clauses."""
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if name == "cite" or name.endswith("_cite"):
                if value or name == "cite":
                    yield (path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"), value
            else:
                yield from entries_of(value, f"{path}.{name}" if path else name)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from entries_of(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from entries_of(value, f"{path}[{index}]")


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Give the wagers of one game: the regulation's, save those the game replaces or does not have."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
