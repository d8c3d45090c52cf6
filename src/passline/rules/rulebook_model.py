"""A rulebook in memory: everything one regulation says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from passline.rules.schema import Cite, Election, Game, General, WagerEntry

__all__ = ["Rulebook", "cited_entries", "wagers_of"]


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


def cited_entries(node: object, path: str = "") -> Iterator[tuple[str, Cite]]:
    """Yield the path and the citation of every entry below a node of a rulebook."""
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            value = getattr(node, name)
            if name == "cite" or name.endswith("_cite"):
                if value != "" or name == "cite":
                    yield (path if name == "cite" else f"{path}.{name.removesuffix('_cite')}"), value
            else:
                yield from cited_entries(value, f"{path}.{name}" if path else name)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from cited_entries(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, tuple):
        for index, value in enumerate(node):
            yield from cited_entries(value, f"{path}[{index}]")


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Return the wagers of one game: the regulation's, with the game's own replacements and without those it lacks."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
