"""One session in plain Python: the specification that every kernel equals to the unit.

Before each roll, `settle` checks the goal first, then the limit, then the stops (a loss, a fall from the highest
equity, line decisions in a row that the pass line wins or loses), then whether the player can pay the outlay; so a
session that has reached its limit does not end in ruin. A player who is short takes the state that `short` names; with
none to take, the session ends in ruin.

With a loss limit per shooter the player is also short when acting could lose more than the limit, counted from the
equity at the start of the hand. With no state to take, the player then sits the hand out: the dice are rolled as before
but move no money, and the strategy starts over with the next shooter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from passline.automaton.arrays import GOAL, HAND, LIMIT, LINE, NEVER, OUTCOMES, RUIN, STOP, WON
from passline.simulation.kernel_tables import Tables
from passline.simulation.kernel_types import SessionLimits


class SessionRecord(NamedTuple):
    """The record of one session. Amounts are in units; equity counts open wagers at face."""

    ending: int
    rolls: int
    final: int
    peak: int
    drawdown: int  # the largest fall from a peak
    wagered: int  # the sum of all wagers decided


class ReferenceSession:
    """The state of a session."""

    def __init__(self, tables: Tables, limits: SessionLimits) -> None:
        self.tables, self.limits = tables, limits
        self.rows = [int(start) for start in tables.starts]
        self.equity = self.peak = self.began = limits.equity
        self.drawdown = self.wagered = self.rolls = self.marks = 0
        self.streak = 0
        """The line decisions in a row that the pass line has won; below 0: that it has lost."""
        self.sits_out = False

    def settle(self) -> int | None:
        """Check goal, limit, stops and funds before acting. Return how the session ends here, or None if it goes on."""
        limits = self.limits
        self.peak = max(self.peak, self.equity)
        self.drawdown = max(self.drawdown, self.peak - self.equity)
        if self.equity >= limits.goal:
            return GOAL
        if self.rolls >= limits.rolls or self.marks >= limits.marks:
            return LIMIT
        if self.equity <= limits.stop or self.peak - self.equity >= limits.trail:
            return STOP
        if self.streak >= limits.wins or -self.streak >= limits.losses:
            return STOP
        floor = max(0, self.began - limits.loss)
        while not self.sits_out and self.equity - self._outlay() < floor:
            short = int(self.tables.short[self.rows[0] // OUTCOMES])
            if short >= 0:
                self.rows[0] = short
            elif self.equity < self._outlay():
                return RUIN
            else:
                self.sits_out = True
        return None

    def roll(self, d: int) -> None:
        """Move every part by outcome d, from 0 to 35."""
        tables = self.tables
        mark = int(tables.mark[self.rows[0] + d])
        if not self.sits_out:
            self.equity += sum(int(tables.cash[row + d]) for row in self.rows)
            self.wagered += sum(int(tables.action[row + d]) for row in self.rows)
        self.rows = [int(tables.next[row + d]) for row in self.rows]
        self.rolls += 1
        self.marks += bool(mark & self.limits.mark)
        if mark & LINE:
            self.streak = max(self.streak, 0) + 1 if mark & WON else min(self.streak, 0) - 1
        if mark & HAND:
            self.began = self.equity
            if self.sits_out:
                self.rows, self.sits_out = [int(start) for start in tables.starts], False

    def _outlay(self) -> int:
        return sum(int(self.tables.outlay[row // OUTCOMES]) for row in self.rows)


def play_session(tables: Tables, limits: SessionLimits, outcomes: Iterable[int]) -> SessionRecord:
    """Play one session on these dice and return its record.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> ready = prepare_strategy(Rules.of("maryland"), "pass", Terms(bankroll_cents=30_00, rolls=4))
    >>> play_session(ready.tables, ready.limits, [0, 0, 0])  # 1-1 loses on every come-out roll
    SessionRecord(ending=0, rolls=3, final=0, peak=3, drawdown=3, wagered=3)
    """
    session = ReferenceSession(tables, limits)
    dice = iter(outcomes)
    while (ending := session.settle()) is None:
        session.roll(next(dice))
    assert limits.loss == NEVER or len(tables.starts) == 1
    return SessionRecord(ending, session.rolls, session.equity, session.peak, session.drawdown, session.wagered)
