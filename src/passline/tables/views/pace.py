"""The pace of a table: rolls an hour, measured over its newest hands, or what is usual where too few were dealt."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from passline.tables.views.recall import HandPlayed

__all__ = ["Pace", "pace_of"]

_USUAL = 100  # rolls an hour at a full table, in the reckoning of most books on the game
_ROLLS_MIN = 30  # fewer say little about an hour
_PAUSE_SECONDS = 1800.0  # a longer time between two hands is a pause, and not the table's pace


class Pace(Struct, frozen=True):
    """Rolls an hour, and over how many rolls they were measured; 0 if they are only the usual."""

    rolls_an_hour: int
    rolls: int = 0


def pace_of(hands: Sequence[HandPlayed]) -> Pace:
    """Return the pace of a table's hands, newest first. The newest is not counted: it may still be played.

    >>> hands = [HandPlayed(n, 1, "Ada", 10, 0, 0, f"2026-11-16T09:{n * 5:02}:00.000000Z") for n in (4, 3, 2, 1)]
    >>> pace_of(hands), pace_of(hands[:2])
    (Pace(rolls_an_hour=120, rolls=30), Pace(rolls_an_hour=100, rolls=0))
    """
    rolls, seconds = 0, 0.0
    for later, hand in pairwise(hands):
        took = (datetime.fromisoformat(later.at) - datetime.fromisoformat(hand.at)).total_seconds()
        if 0 < took <= _PAUSE_SECONDS + 60 * hand.rolls:
            rolls, seconds = rolls + hand.rolls, seconds + took
    return Pace(round(rolls * 3600 / seconds), rolls) if rolls >= _ROLLS_MIN else Pace(_USUAL)
