"""Correcting the last roll."""

from __future__ import annotations

from passline.game.refusal import Refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.live import LiveTable

__all__ = ["correct_roll"]


def correct_roll(live: LiveTable, command: k.CorrectRoll) -> list[t.RollCorrected] | list[Refusal]:
    raise NotImplementedError
