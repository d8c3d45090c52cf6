"""A computer player: a strategy, its memory, and the commands it wants to give at a live table."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game import events as e
from passline.strategy.interface import ROLL_EVENTS, Seen, Strategy, commands_of
from passline.strategy.lookup import strategy_of
from passline.streams.course import Actor
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of

__all__ = ["ComputerPlayer"]


class ComputerPlayer:
    """A computer player: a strategy and its memory."""

    def __init__(self, text: str, live: LiveTable) -> None:
        self.name, _, strategy = text.partition(":")
        self.actor = Actor(f"computer-{self.name.lower()}", f"{self.name} (computer)", PLAYER)
        self.strategy: Strategy = strategy_of(strategy, rules_of(live))
        self.memory: Hashable = self.strategy.start
        self._heard: list[e.Event] = []  # since the last roll

    def commands(self, live: LiveTable, seat: int) -> list[c.Command]:
        """Return the commands that the strategy wants to give now."""
        position = live.game.position
        mine = tuple(wager for wager in position.layout if wager.seat == seat and wager.owner == "player")
        seen = Seen(position.puck, position.is_clearing, mine, position.closed)
        wishes = self.strategy.wishes(seen, self.memory)
        return [command for _wish, command in commands_of(rules_of(live), seat, seen, wishes)]

    def remember(self, seat: int, happened: Sequence[Any]) -> None:
        """Update the strategy's memory after a roll with what happened to its wagers since the one before."""
        if self.memory is None:
            return
        self._heard += (
            event
            for event in happened
            if (isinstance(event, e.WagerWon | e.WagerLost | e.WagerReturned) and event.wager.seat == seat)
            or isinstance(event, e.DiceSurrendered)
            or (self.strategy.hears_rolls and type(event) in ROLL_EVENTS)
        )
        if any(isinstance(event, e.RollSettled) for event in happened):
            self.memory = self.strategy.remember(self.memory, tuple(self._heard))
            self._heard.clear()
