"""The probability mass of a session by state and equity, and the arcs of an automaton along which each roll moves it.

Equal outcomes are one arc, and states are copied for each level of what the session counts (`counters`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import or_

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS, LIMIT, NEVER, OUTCOMES, RUIN, STOP, Automaton
from passline.automaton.minimise import lump
from passline.automaton.terms import SessionError, Terms, check_bankroll
from passline.exact.session.counters import Counter, level_leads
from passline.exact.session.law import check_cells
from passline.exact.session.plain_kernels import kernels_for

_Mass = NDArray[np.float64]
_ROOM, _ROOM_MIN = 64, 4  # rolls for which a new buffer is wide enough
_ROOM_CELLS = 32_000_000  # of a buffer of many rows, beyond which it is wide enough for fewer rolls
ROWS_MAX = 4_000_000
"""The most states times levels of a law."""
_Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs of state s are those from first[s] up to first[s + 1]; their counts add up to `scale`.

    After the rows of the states come the rows of the endings, in the order of `ENDINGS`.
    """

    first: _Index
    target: _Index  # a state, or the row of LIMIT or of STOP
    shift: _Index  # the change of equity
    count: _Index
    outlay: _Index
    short: _Index  # the state to take when equity is less than the outlay, or the row of RUIN
    order: _Index  # every state, each before the state that `short` names for it
    wagered: _Index  # [3, states] action, initial wagers and what is up, each summed over a state's weighted outcomes
    scale: int = OUTCOMES  # what the weights of the outcomes come to

    def __len__(self) -> int:
        return len(self.outlay)

    @property
    def roundings_per_roll(self) -> int:
        """The most roundings that one roll and the settling after it apply to a mass in play.

        Each of k arcs into a row rounds its weight and its product, and their sum rounds k - 1 times. Each move from a
        state to its `short` rounds one sum.
        """
        moves = self._moves()[: len(self)]
        return int(self._arcs_into()[: len(self)].max(initial=0)) + 1 + int(moves.max(initial=0))

    @property
    def roundings_at_an_end(self) -> int:
        """The most roundings on the way into the row of an ending: the masses of all arcs and rows may be added there.

        A mass that ends by an arc at the limit or at a stop may be moved to another ending.
        """
        arcs = int(self._arcs_into()[len(self) :].max(initial=0))
        return arcs + max(int(self._moves().max(initial=0)), len(self) + 2)

    def _arcs_into(self) -> _Index:
        """Return how many arcs lead to each row."""
        return np.bincount(self.target, minlength=len(self) + len(ENDINGS))

    def _moves(self) -> _Index:
        """Return the length of the longest chain of `short` moves into each row."""
        moves = np.zeros(len(self) + len(ENDINGS), dtype=np.int64)
        for state in self.order:
            to = self.short[state]
            moves[to] = max(moves[to], moves[state]) + 1
        return moves

    @property
    def weight_max(self) -> int:
        """The most that a cell can hold after a roll is settled, if it held at most 1 before and weights are counts."""
        weights = np.bincount(self.target, weights=self.count, minlength=len(self) + len(ENDINGS)).astype(np.int64)
        at_the_goal = int(weights.sum())
        for state in self.order:
            weights[self.short[state]] += weights[state]
        return max(at_the_goal, int(weights.max()))


def arcs_of(automaton: Automaton, *, counters: Sequence[Counter] = (), is_lumped: bool = True) -> Arcs:
    """Merge equal outcomes, and repeat the states for each level of the counters' product.

    Where a level ends the session, the arc leads to the row of its ending. State s of level n is row n * S + s, after
    states that are alike have become one, unless `is_lumped` is false.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> arcs = arcs_of(compile_strategy(rules, strategy_of("pass", rules)))
    >>> len(arcs), arcs.count[arcs.first[1] : arcs.first[2]].tolist()  # 4 and 10 are one state: 6 lose, 3 win
    (4, [6, 3, 27])
    """
    marks = reduce(or_, (counter.marks for counter in counters), 0)
    plain = lump(automaton, marks=marks, with_action=True) if is_lumped else automaton
    levels = prod(counter.levels for counter in counters)
    size, states = len(plain), len(plain) * levels
    if states > ROWS_MAX:
        raise SessionError(
            f"{levels:,} levels of what the session counts (decisions, hands, streaks, falls from the highest equity), "
            f"of {size:,} states each, are more than {ROWS_MAX:,} rows: limit to fewer; `passline simulate` plays them"
        )
    weights, starts, arcs, counts = np.array(plain.weights), [0], [], []
    for state in range(size):
        columns = np.stack([plain.mark[state] & marks, plain.next[state], plain.cash[state]], axis=1)
        different, place = np.unique(columns, axis=0, return_inverse=True)
        count = np.zeros(len(different), dtype=np.int64)
        np.add.at(count, place.ravel(), weights)
        arcs.append(different)
        counts.append(count)
        starts.append(starts[-1] + len(count))
    mark, nexts, shift = np.concatenate(arcs).astype(np.int64).T
    leads = level_leads(counters, mark, shift)
    target = [np.where(after < 0, states - 1 - after, nexts + size * after) for after in leads]
    floor = np.arange(levels)[:, None]  # rows and arcs of a level lie this many sizes further on
    short = np.where(plain.short < 0, states + RUIN, plain.short + size * floor)
    return Arcs(
        first=np.append((np.array(starts[:-1]) + starts[-1] * floor).ravel(), starts[-1] * levels).astype(np.int64),
        target=np.concatenate(target).astype(np.int64),
        shift=np.tile(shift, levels).astype(np.int64),
        count=np.tile(np.concatenate(counts), levels).astype(np.int64),
        outlay=np.tile(plain.outlay, levels).astype(np.int64),
        short=short.ravel().astype(np.int64),
        order=(_short_order(plain.short) + size * floor).ravel().astype(np.int64),
        wagered=np.tile(_amounts_by_state(plain), levels).astype(np.int64),
        scale=plain.total_weight,
    )


def _amounts_by_state(plain: Automaton) -> _Index:
    up = np.maximum(plain.up, 0) * plain.total_weight  # whoever makes nothing more has an outlay below 0
    return np.stack([plain.weighted_sum(plain.action), plain.weighted_sum(plain.initial), up])


def _short_order(short: NDArray[np.int32]) -> _Index:
    """Return the states, each before the state it is short to. A cycle would be a bug of the compiler."""
    depth = np.zeros(len(short), dtype=np.int64)  # the length of the chain that follows a state
    for state in range(len(short)):
        length, to = 0, int(short[state])
        while to >= 0:
            length, to = length + 1, int(short[to])
            assert length <= len(short), f"state {state} is short to itself in a cycle"
        depth[state] = length
    return np.argsort(-depth, kind="stable").astype(np.int64)


def room_of(rows: int, step: int) -> int:
    """Return for how many rolls a new buffer is wide enough, of so many rows and so many equities per roll.

    >>> room_of(100, 40), room_of(40_000, 40)
    (64, 20)
    """
    return min(_ROOM, max(_ROOM_MIN, _ROOM_CELLS // (rows * max(1, step))))


class Walk:
    """Masses by state and equity, moved roll by roll. All mass starts in state 0; `weights` has one float per arc."""

    def __init__(self, arcs: Arcs, weights: _Mass, *, equity: int, goal: int, stop: int = -NEVER) -> None:
        self.arcs = arcs
        self.weights = weights
        self.goal, self.stop = goal, stop
        self.down, self.up = min(0, int(arcs.shift.min())), max(0, int(arcs.shift.max()))
        rows = len(arcs) + len(ENDINGS)
        self.base = equity
        self.mass: _Mass = np.zeros((rows, 1))
        self.low, self.high = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
        self.mass[0, 0] = self.high[0] = 1
        self.ended: _Mass = np.zeros((len(ENDINGS), 1))
        self.kernels = kernels_for(len(arcs.target))
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
        room = room_of(len(self.mass), self.up - self.down)
        before, behind = max(0, -(low + self.down * room)), max(0, high + self.up * room - width)
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
        self.kernels = kernels_for(len(a.target))
        here, there = (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high)
        self.kernels.roll_rows(*here, *there, a.first, a.target, a.shift, self.weights)
        (self.mass, self.low, self.high), (self.spare, self.spare_low, self.spare_high) = there, here

    def settle(self, *, is_last: bool) -> None:
        """Move the masses that end now to the rows of their endings; after the last roll all end at the limit."""
        a, rows = self.arcs, (self.mass, self.low, self.high)
        outlay = np.full_like(a.outlay, -NEVER) if is_last else a.outlay  # after the last roll nothing is wagered
        stop = -NEVER if is_last else self.stop
        self.kernels.settle_rows(*rows, self.base, self.goal, stop, a.order, outlay, a.short)
        if is_last:
            for row in (*range(len(a)), len(a) + STOP):
                self.kernels.move_cells(*rows, row, self.low[row], self.high[row], len(a) + LIMIT)
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
        self.stop, _ = terms.stops_in_units(self.unit)
        check_bankroll((automaton,), terms.bankroll_cents)
        far = self.equity + (terms.rolls or 0) * int(abs(automaton.cash).max())
        self.equity_cents_max = self.cents(far)
        """No equity is further from 0 than this within the rolls of the session."""

    def cents(self, equity: int) -> int:
        """Return an equity in cents, including the cents of the bankroll beyond whole units."""
        return equity * self.unit + self.left_over
