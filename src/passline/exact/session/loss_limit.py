"""The masses of a session with a loss limit per shooter; `float_law` turns them into a law.

The player is short if equity is below the outlay, or if losing the outlay would exceed the loss limit for this hand.
A player who is short follows `short` of the automaton until nothing is up and nothing can be made. Then, with equity
below the outlay, the player is ruined; otherwise the player sits out until the next shooter, and starts again from
state 0. While the player sits out the states go on changing, because the dice do, but no money moves.

The automaton's policy must be "ride" or "reduce": under "stop" a player who is short would leave wagers on the layout.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS, GOAL, HAND, LIMIT, NEVER, RUIN, STOP, Automaton
from passline.automaton.minimise import lump
from passline.automaton.terms import SessionError, Terms, check_loss_limit
from passline.exact.session import kernels as session_kernels
from passline.exact.session import loss_limit_kernels as kernels
from passline.exact.session.counters import MarkCounter
from passline.exact.session.law import check_cells
from passline.exact.session.mass import Arcs, arcs_of

_Mass = NDArray[np.float64]
_ROOM = 16  # rolls for which a widened block is wide enough
_CELLS_MAX = 1_000_000_000  # eight gigabytes, of which little is used


class ShooterWalk:
    """The masses of a session with a loss limit per shooter, in one block per equity that a hand began with.

    A block has one row per state. Players who sit out, and hands that begin, are kept by equity alone.
    """

    def __init__(self, automaton: Automaton, terms: Terms, *, equity: int, goal: int, stop: int) -> None:
        limit, rolls = _check_limit(automaton, terms)
        self.plain = lump(automaton, marks=HAND, with_action=True)
        self.size = len(self.plain)
        self.arcs = shooter_arcs(self.plain)
        self.goal, self.stop, self.limit = goal, stop, limit
        self.weights = self.arcs.count / self.arcs.scale
        self.down, self.up = min(0, int(self.arcs.shift.min())), max(0, int(self.arcs.shift.max()))
        # By equity: all that can be reached in this many rolls.
        self.lowest = equity + rolls * self.down
        width = rolls * (self.up - self.down) + 1
        check_cells((2 * self.size + len(ENDINGS)) * width)
        self.fresh: _Mass = np.zeros((self.size, width))
        self.sitting: _Mass = np.zeros((self.size, width))
        self.ended: _Mass = np.zeros((len(ENDINGS), width))
        self.slots = np.full(width, -1, dtype=np.int64)
        # By block, in changes since the hand began.
        self.base = 0
        self.starts = np.zeros(0, dtype=np.int64)
        self.mass: _Mass = np.zeros((0, self.size, 1))
        self.low, self.high = np.zeros((2, 0, self.size), dtype=np.int64)
        self.fresh[0, equity - self.lowest] = 1.0
        hand = (self.plain.mark & HAND) != 0
        self._ends: _Mass = self.plain.weighted_sum(hand) / self.arcs.scale
        stays = np.zeros((self.size, self.size))  # for those who sit out: the next state, while the hand goes on
        for column, weight in enumerate(self.plain.weights):
            goes_on = np.flatnonzero(~hand[:, column])
            np.add.at(stays, (self.plain.next[goes_on, column], goes_on), weight)
        self._stays: _Mass = stays / self.arcs.scale

    @property
    def roundings_per_roll(self) -> int:
        """The most roundings of a mass in one roll: those within a block, and sums over all blocks and states."""
        return self.arcs.roundings_per_roll + len(self.starts) + 2 * self.size + 6

    def begin_hands(self, threshold: float) -> float:
        """Move hands that begin into the blocks of their equities; return the mass dropped below the threshold."""
        masses = self.fresh.sum(axis=0)
        is_small = masses < threshold
        self.fresh[:, is_small] = 0.0
        cells = np.flatnonzero(~is_small)
        new = cells[self.slots[cells] < 0]
        if len(new):
            self.slots[new] = len(self.starts) + np.arange(len(new))
            self.starts = np.append(self.starts, new + self.lowest)
        self._make_room()
        kernels.scatter(self.fresh, self.slots, self.mass, self.low, self.high, -self.base)
        self.fresh[:] = 0.0
        return float(masses[is_small].sum())

    def settle(self, threshold: float, *, is_last: bool) -> tuple[list[_Mass], float]:
        """Take out sessions that ended and players who sit out, and trim.

        Return the masses that ended, by ending and equity, and the mass that was trimmed.
        """
        arcs = self.arcs
        outlay = np.full_like(arcs.outlay, -NEVER) if is_last else arcs.outlay
        ended, sat = np.zeros_like(self.ended), np.zeros_like(self.sitting)
        terms = (self.starts, self.base, self.goal, -NEVER if is_last else self.stop, self.limit, threshold)
        leads = (arcs.order, outlay, arcs.short, self._offsets, sat, ended[GOAL : GOAL + 1], ended[STOP : STOP + 1])
        masses = (self.mass, self.low, self.high, self._bench())
        dropped = kernels.settle_blocks(*masses, *terms, *leads)  # type: ignore[arg-type] # mypy cannot count starred arguments
        if is_last:
            for block, offset in enumerate(self._offsets):
                kernels.gather(self.mass[block], self.low[block], self.high[block], 0, offset, self.sitting)
            ended[LIMIT] = self.sitting.sum(axis=0)
        else:
            is_ruin = self.lowest + np.arange(sat.shape[1]) < self.plain.outlay[:, None]
            ended[RUIN] = np.where(is_ruin, sat, 0.0).sum(axis=0)
            self.sitting += np.where(is_ruin, 0.0, sat)
        self.ended += ended
        return list(ended), float(dropped)

    def masses_in_play(self) -> _Mass:
        """Return the mass of players about to act, by state."""
        masses = np.zeros(self.size)
        for block in range(len(self.starts)):
            session_kernels.add_totals(self.mass[block], self.low[block], self.high[block], masses)
        return masses

    def roll(self) -> None:
        """Roll once. Hands that end leave their blocks, and players who sat them out start again."""
        self._make_room()
        first = self.arcs.first[: self.size + 1]
        leads = (first, self.arcs.target, self.arcs.shift, self.weights, self._offsets, self.fresh)
        kernels.roll_blocks(self.mass, self.low, self.high, self._bench(), *leads)
        self.fresh[0] += self._ends @ self.sitting
        self.sitting = self._stays @ self.sitting

    @property
    def _offsets(self) -> NDArray[np.int64]:
        """What to add to a cell of each block to get the cell by equity."""
        return self.starts + (self.base - self.lowest)

    def _bench(self) -> _Mass:
        return np.empty((len(self.arcs) + len(ENDINGS), self.mass.shape[2]))

    def _make_room(self) -> None:
        """Add blocks and widen them, if needed, so that every start has one and a roll stays within it."""
        held = self.low < self.high
        low = int(self.low[held].min()) if held.any() else -self.base
        high = int(self.high[held].max()) if held.any() else 1 - self.base
        blocks, rows, width = self.mass.shape
        is_wide = low + self.down >= 0 and high + self.up <= width
        if is_wide and blocks >= len(self.starts):
            return
        before = 0 if is_wide else max(0, -(low + self.down * _ROOM))
        behind = 0 if is_wide else max(0, high + self.up * _ROOM - width)
        more = 0 if blocks >= len(self.starts) else len(self.starts) * 5 // 4 - blocks
        _check_memory((blocks + more) * rows * (before + width + behind))
        mass = np.zeros((blocks + more, rows, before + width + behind))  # memory that is not written to costs nothing
        lows, highs = np.zeros((2, blocks + more, rows), dtype=np.int64)
        for block in range(blocks):
            to = (mass[block], lows[block], highs[block])
            kernels.copy(self.mass[block], self.low[block], self.high[block], *to, before)
        self.mass, self.low, self.high = mass, lows, highs
        self.base -= before


def _check_memory(cells: int) -> None:
    if cells > _CELLS_MAX:
        raise SessionError(
            f"this law needs more than {_CELLS_MAX:,} cells, one per state, equity and equity at the hand's start: "
            f"play fewer rolls, wager in larger units, or trim more"
        )


def shooter_arcs(plain: Automaton) -> Arcs:
    """Return the arcs of a block: hands that end, and players who must sit out, get rows of their own.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> plain = lump(compile_strategy(rules, strategy_of("pass", rules), short="ride"))
    >>> len(plain), len(shooter_arcs(plain)), int(shooter_arcs(plain).short[0])
    (4, 12, 8)
    """
    size = len(plain)
    twice = arcs_of(plain, counters=(MarkCounter(HAND, 2),))
    states = 3 * size
    count = int(twice.first[size])
    short = np.full(states, states + RUIN, dtype=np.int64)
    short[:size] = np.where(plain.short < 0, 2 * size + np.arange(size), plain.short)
    return Arcs(
        first=np.append(twice.first[: size + 1], np.full(2 * size, count)).astype(np.int64),
        target=twice.target[:count],
        shift=twice.shift[:count],
        count=twice.count[:count],
        outlay=np.append(plain.outlay, np.zeros(2 * size)).astype(np.int64),
        short=short,
        order=twice.order[:size],
        wagered=twice.wagered[:, :size],
        scale=twice.scale,
    )


def _check_limit(automaton: Automaton, terms: Terms) -> tuple[int, int]:
    """Return the loss limit in units, and the number of rolls; raise SessionError if they cannot be played."""
    cents = terms.shooter_loss_cents or 0
    check_loss_limit((automaton,), cents)
    if terms.rolls is None or terms.decisions is not None or terms.hands is not None:
        raise SessionError("with a loss limit per shooter a session is limited by rolls alone")
    if terms.trailing_stop_cents is not None or terms.line_wins is not None or terms.line_losses is not None:
        raise SessionError(
            "with a loss limit per shooter there is no law with a trailing stop or a streak: leave one of them out, or "
            "play them with `passline simulate`"
        )
    return cents // automaton.unit, terms.rolls
