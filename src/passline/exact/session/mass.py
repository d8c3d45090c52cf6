"""The mass of a session in play: rows of equity in a buffer that grows as far as the mass does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Automaton
from passline.automaton.terms import ENDINGS, NEVER, Terms, check_bankroll
from passline.exact.session import kernels
from passline.exact.session.arcs import Arcs
from passline.exact.session.law import refuse_too_many_cells

__all__ = ["Start", "Walk"]

_Mass = NDArray[np.float64]
_ROOM = 64  # rolls that a buffer has room for when it is made


class Walk:
    """All of the mass on state 0 with some equity, and what rolls make of it. Weights are floats, one per arc."""

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
        """See to it that one roll stays within the buffer."""
        held = self.low < self.high
        if not held.any():
            return
        low, high = int(self.low[held].min()), int(self.high[held].max())
        if hasattr(self, "spare") and low + self.down >= 0 and high + self.up <= self.mass.shape[1]:
            return
        width = self.mass.shape[1]
        before, behind = max(0, -(low + self.down * _ROOM)), max(0, high + self.up * _ROOM - width)
        refuse_too_many_cells(len(self.mass) * (before + width + behind))
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
        """Roll once."""
        self._make_room()
        a = self.arcs
        here, there = (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high)
        kernels.roll(*here, *there, a.first, a.target, a.shift, self.weights)
        (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high) = there, here

    def settle(self, *, is_last: bool) -> None:
        """Take out who reached the goal, the limit or ruin; after the last roll all are at the limit."""
        a = self.arcs
        if is_last:
            nothing = np.zeros_like(a.outlay)
            kernels.settle(self.mass, self.low, self.high, self.base, self.goal, a.order, nothing - NEVER, a.short)
            for row in range(len(a)):
                kernels.move(self.mass, self.low, self.high, row, self.low[row], self.high[row], len(self.mass) - 1)
                self.low[row] = self.high[row]
        else:
            kernels.settle(self.mass, self.low, self.high, self.base, self.goal, a.order, a.outlay, a.short)

    def endings(self) -> list[tuple[int, _Mass]]:
        """What ended since the last roll, per kind of ending: the first cell and the masses from there on."""
        rows = range(len(self.arcs), len(self.mass))
        return [(int(self.low[row]), self.mass[row, self.low[row] : self.high[row]]) for row in rows]


class Start:
    """A session's terms in the units of its automaton; refused if the bankroll does not pay for the first acts."""

    def __init__(self, automaton: Automaton, terms: Terms) -> None:
        self.terms = terms
        self.policy = automaton.policy
        self.unit = automaton.unit
        self.equity, self.left_over, self.goal = terms.in_units(self.unit)
        check_bankroll((automaton,), terms.bankroll_cents)
        far = self.equity + (terms.rolls or 0) * int(abs(automaton.cash).max())
        self.equity_cents_max = self.cents(far)
        """No equity is further from 0 than this after the rolls that the session is limited to."""

    def cents(self, equity: int) -> int:
        """An equity in units as cents, with what the bankroll holds beyond whole units."""
        return equity * self.unit + self.left_over
