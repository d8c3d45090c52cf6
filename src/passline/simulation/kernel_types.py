"""What kernels are compiled for: the limits of a session, and the fields of a packed entry.

They stand apart from the tables, since a kernel is compiled again when a module that it imports changes.
"""

from __future__ import annotations

from typing import NamedTuple

from passline.automaton.arrays import NEVER

FIELDS = {"row": 20, "action": 12, "cash": 16, "outlay": 16}
"""The bits of a packed entry from the top: the next row, the amount decided, the change of equity, the next outlay."""


class SessionLimits(NamedTuple):
    """The terms of a session in units: what it begins with and when it ends. NEVER stands for no limit."""

    equity: int
    goal: int
    rolls: int
    mark: int  # the mark that is counted: LINE, HAND or 0
    marks: int  # how many of them end the session
    loss: int  # per shooter
    left_over: int  # cents of the bankroll beyond whole units
    stop: int = -NEVER  # the equity at or below which the player leaves
    trail: int = NEVER  # how far below its highest equity
    wins: int = NEVER  # after so many line decisions in a row that the pass line wins
    losses: int = NEVER

    def cents(self, equity: int, unit: int) -> int:
        """Convert an equity to cents."""
        return equity * unit + self.left_over

    @property
    def has_streaks(self) -> bool:
        """Whether the player leaves after line decisions in a row."""
        return self.wins != NEVER or self.losses != NEVER

    @property
    def has_stops(self) -> bool:
        """Whether the player may leave before goal, limit and ruin."""
        return self.has_streaks or self.stop != -NEVER or self.trail != NEVER
