"""A rulebook in memory: everything one regulation says."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.rules.schema import Election, Game, General, WagerEntry

__all__ = ["Rulebook", "wagers_of"]


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


def wagers_of(rulebook: Rulebook, game: Game) -> dict[str, WagerEntry]:
    """Return the wagers of one game: the regulation's, with the game's own replacements and without those it lacks."""
    return {kind: entry for kind, entry in (rulebook.wagers | game.wagers).items() if kind not in game.without}
