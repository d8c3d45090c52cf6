"""An automaton as arcs for the kernels: equal outcomes merged, states copied per decision or hand that is counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Automaton
from passline.automaton.minimise import lump
from passline.automaton.terms import ENDINGS, LIMIT, RUIN, SessionError

__all__ = ["Arcs", "arcs_of"]

_ROWS_MAX = 4_000_000

_Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs of state s are those from first[s] up to first[s + 1]; their counts add up to 36.

    After the rows of the states come the rows of the endings, in the order of `ENDINGS`.
    """

    first: _Index
    target: _Index  # a state, or the row of LIMIT
    shift: _Index  # the change of equity
    count: _Index
    outlay: _Index
    short: _Index  # the state to take when equity is less than the outlay, or the row of RUIN
    order: _Index  # every state, each before the state that `short` names for it

    def __len__(self) -> int:
        return len(self.outlay)

    @property
    def roundings_per_roll(self) -> int:
        """The most roundings that one roll and the settling after it apply to a mass in play.

        Each of k arcs into a row rounds its weight and its product, and their sum rounds k - 1 times. Each move from a
        state to its `short` rounds one sum.
        """
        moves = self._moves()[: len(self)]
        return int(np.bincount(self.target).max(initial=0)) + 1 + int(moves.max(initial=0))

    @property
    def roundings_at_an_end(self) -> int:
        """The most roundings on the way into the row of an ending: the masses of all rows may be added there."""
        return max(int(self._moves().max(initial=0)), len(self) + 1)

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


def arcs_of(automaton: Automaton, *, mark: int = 0, levels: int = 1, is_lumped: bool = True) -> Arcs:
    """Merge equal outcomes, and repeat the states once per level; a roll with `mark` leads one level up.

    From the last level it leads to the row of LIMIT. State s of level n is row n * S + s, after states that are alike
    have become one, unless `is_lumped` is false.

    >>> from passline.automaton.compiler import compile_strategy
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> arcs = arcs_of(compile_strategy(rules, strategy_of("pass", rules)))
    >>> len(arcs), arcs.count[arcs.first[1] : arcs.first[2]].tolist()  # 4 and 10 are one state: 6 lose, 3 win
    (4, [6, 3, 27])
    """
    plain = lump(automaton, marks=mark) if is_lumped else automaton
    size, states = len(plain), len(plain) * levels
    if states > _ROWS_MAX:
        raise SessionError(
            f"{levels:,} decisions or hands of {size:,} states each are more than {_ROWS_MAX:,} rows: limit to fewer"
        )
    starts, targets, shifts, counts = [0], [], [], []
    for state in range(size):
        raised = size * ((plain.mark[state] & mark) != 0)
        columns = np.stack([plain.next[state] + raised, plain.cash[state]], axis=1)
        different, count = np.unique(columns, axis=0, return_counts=True)
        targets.append(different[:, 0])
        shifts.append(different[:, 1])
        counts.append(count)
        starts.append(starts[-1] + len(count))
    floor = np.arange(levels)[:, None]  # rows and arcs of a level lie this many sizes further on
    target = (np.concatenate(targets) + size * floor).ravel()
    short = np.where(plain.short < 0, states + RUIN, plain.short + size * floor)
    return Arcs(
        first=np.append((np.array(starts[:-1]) + starts[-1] * floor).ravel(), starts[-1] * levels).astype(np.int64),
        target=np.where(target >= states, states + LIMIT, target).astype(np.int64),
        shift=np.tile(np.concatenate(shifts), levels).astype(np.int64),
        count=np.tile(np.concatenate(counts), levels).astype(np.int64),
        outlay=np.tile(plain.outlay, levels).astype(np.int64),
        short=short.ravel().astype(np.int64),
        order=(_short_order(plain.short) + size * floor).ravel().astype(np.int64),
    )


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
