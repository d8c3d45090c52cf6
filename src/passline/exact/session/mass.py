"""The probability mass of a session by state and equity, in a buffer that grows with the range of equities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Automaton
from passline.automaton.terms import ENDINGS, NEVER, Terms, check_bankroll
from passline.exact.session import kernels
from passline.exact.session.arcs import Arcs
from passline.exact.session.law import check_cells

__all__ = ["Start", "Walk"]

_Mass = NDArray[np.float64]
_ROOM = 64  # rolls for which a new buffer is wide enough


class Walk:
    """Masses by state and equity, moved roll by roll. All mass starts in state 0; `weights` has one float per arc."""

    def __init__(self, arcs: Arcs, weights: _Mass, *, equity: int, goal: int) -> None:
        self.arcs = arcs
        self.weights = weights
        self.goal = goal
        self.down, self.up = min(0, int(arcs.shift.min())), max(0, int(arcs.shift.max()))
        rows = len(arcs) + len(ENDINGS)
        self.base = equity
        self.mass: _Mass = np.zeros((rows, 1))
        self.low, self.high = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
        self.mass[0, 0] = self.high[0] = 1
        self.ended: _Mass = np.zeros((len(ENDINGS), 1))
        self._make_room()

    def _make_room(self) -> None:
        """Widen the buffer, if needed, so that one roll stays within it."""
        held = self.low < self.high
        if not held.any():
            return
        low, high = int(self.low[held].min()), int(self.high[held].max())
        if hasattr(self, "spare") and low + self.down >= 0 and high + self.up <= self.mass.shape[1]:
            return
        width = self.mass.shape[1]
        before, behind = max(0, -(low + self.down * _ROOM)), max(0, high + self.up * _ROOM - width)
        check_cells(len(self.mass) * (before + width + behind))
        mass = np.zeros((len(self.mass), before + width + behind))
        for row in np.flatnonzero(held):
            mass[row, before + self.low[row] : before + self.high[row]] = self.mass[row, self.low[row] : self.high[row]]
        self.low[held] += before
        self.high[held] += before
        self.mass, self.base = mass, self.base - before
        self.ended = np.pad(self.ended, ((0, 0), (before, behind)))
        self.spare = np.zeros_like(mass)
        self.spare_low, self.spare_high = np.zeros_like(self.low), np.zeros_like(self.high)

    def roll(self) -> None:
        """Move all masses by one roll."""
        self._make_room()
        a = self.arcs
        here, there = (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high)
        kernels.roll_rows(*here, *there, a.first, a.target, a.shift, self.weights)
        (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high) = there, here

    def settle(self, *, is_last: bool) -> None:
        """Move the masses that end now to the rows of their endings; after the last roll all end at the limit."""
        a, rows = self.arcs, (self.mass, self.low, self.high)
        outlay = np.full_like(a.outlay, -NEVER) if is_last else a.outlay  # after the last roll nothing is wagered
        kernels.settle_rows(*rows, self.base, self.goal, a.order, outlay, a.short)
        if is_last:
            for row in range(len(a)):
                kernels.move_cells(*rows, row, self.low[row], self.high[row], len(self.mass) - 1)
                self.low[row] = self.high[row]

    def endings(self) -> list[tuple[int, _Mass]]:
        """Return, for each ending, the first cell that ended since the last roll and the masses from there on."""
        rows = range(len(self.arcs), len(self.mass))
        return [(int(self.low[row]), self.mass[row, self.low[row] : self.high[row]]) for row in rows]


class Start:
    """A session's terms in the units of its automaton. The bankroll must pay for the first wagers."""

    def __init__(self, automaton: Automaton, terms: Terms) -> None:
        self.terms = terms
        self.policy = automaton.policy
        self.unit = automaton.unit
        self.equity, self.left_over, self.goal = terms.in_units(self.unit)
        check_bankroll((automaton,), terms.bankroll_cents)
        far = self.equity + (terms.rolls or 0) * int(abs(automaton.cash).max())
        self.equity_cents_max = self.cents(far)
        """No equity is further from 0 than this within the rolls of the session."""

    def cents(self, equity: int) -> int:
        """Return an equity in cents, including the cents of the bankroll beyond whole units."""
        return equity * self.unit + self.left_over
