"""The law of a session with a loss limit per shooter, in float64 with its bound.

The player is short when equity less the outlay would be below the equity that the hand began with less the limit, as
well as when equity is below the outlay. What a player does who is short is in the automaton, until nothing is up and
nothing can be made: below the outlay that is ruin; above it, the player sits out until the next shooter and starts over
there from state 0. While sitting out the walk goes on through the states, for the dice are the same, but without money.

It takes an automaton of the policy "ride" or "reduce": in one of "stop" a player who is short leaves wagers up behind.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import HAND, OUTCOMES, Automaton
from passline.automaton.minimise import lumped
from passline.exact.session import loss_limit_kernels as kernels
from passline.exact.session.arcs import ENDINGS, LIMIT, REACHED, RUINED, Arcs, arcs_of
from passline.exact.session.law import SessionError, Terms, refuse_too_many_cells
from passline.money import dollars

__all__ = ["ShooterWalk", "shooter_arcs"]

_Mass = NDArray[np.float64]
_ROOM = 16  # rolls that a block has room for when it is widened
_CELLS_MAX = 1_000_000_000  # eight gigabytes, of which few are touched


class ShooterWalk:
    """The mass of a session with a loss limit per shooter, in blocks by the equity that the hand began with.

    A block has the rows of the states; whoever sits out, and the hands that begin, are kept by equity alone.
    """

    def __init__(self, automaton: Automaton, terms: Terms, *, equity: int, goal: int) -> None:
        limit, rolls = _checked(automaton, terms)
        self.plain = lumped(automaton, marks=HAND)
        self.size = len(self.plain)
        self.arcs = shooter_arcs(self.plain)
        self.goal, self.limit = goal, limit
        self.weights = self.arcs.count / OUTCOMES
        self.down, self.up = min(0, int(self.arcs.shift.min())), max(0, int(self.arcs.shift.max()))
        # By equity: everything that a session of so many rolls can reach.
        self.lowest = equity + rolls * self.down
        width = rolls * (self.up - self.down) + 1
        refuse_too_many_cells((2 * self.size + ENDINGS) * width)
        self.fresh: _Mass = np.zeros((self.size, width))
        self.sitting: _Mass = np.zeros((self.size, width))
        self.ended: _Mass = np.zeros((ENDINGS, width))
        self.slots = np.full(width, -1, dtype=np.int64)
        # By block, in changes since the hand began.
        self.base = 0
        self.starts = np.zeros(0, dtype=np.int64)
        self.mass: _Mass = np.zeros((0, self.size, 1))
        self.low, self.high = np.zeros((2, 0, self.size), dtype=np.int64)
        self.fresh[0, equity - self.lowest] = 1.0
        hand = (self.plain.mark & HAND) != 0
        self._ends: _Mass = hand.sum(axis=1) / OUTCOMES
        stays = np.zeros((self.size, self.size))  # of those who sit out: the next state, while the hand goes on
        for column in range(OUTCOMES):
            goes_on = np.flatnonzero(~hand[:, column])
            np.add.at(stays, (self.plain.next[goes_on, column], goes_on), 1)
        self._stays: _Mass = stays / OUTCOMES

    @property
    def roundings_per_roll(self) -> int:
        """How many roundings one roll puts on a mass, at most: those of a block, and all blocks and states may meet."""
        return self.arcs.roundings_per_roll + len(self.starts) + 2 * self.size + 6

    def begin_hands(self, threshold: float) -> float:
        """Put those whose hand begins into the block of their equity; give what is left out, below the threshold."""
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
        """Take out who ended and who sits out, and trim; give the masses that ended, and what was left out.

        Masses that ended are by kind of ending and equity.
        """
        arcs = self.arcs
        outlay = np.full_like(arcs.outlay, -(1 << 60)) if is_last else arcs.outlay
        ended, sat = np.zeros_like(self.ended), np.zeros_like(self.sitting)
        terms = (self.starts, self.base, self.goal, self.limit, threshold)
        leads = (arcs.order, outlay, arcs.short, self._offsets, sat, ended[REACHED : REACHED + 1])
        masses = (self.mass, self.low, self.high, self._bench())
        dropped = kernels.settle_blocks(*masses, *terms, *leads)  # type: ignore[arg-type] # mypy loses count of the stars
        if is_last:
            for block, offset in enumerate(self._offsets):
                kernels.gather(self.mass[block], self.low[block], self.high[block], 0, offset, self.sitting)
            ended[LIMIT] = self.sitting.sum(axis=0)
        else:
            is_ruin = self.lowest + np.arange(sat.shape[1]) < self.plain.outlay[:, None]
            ended[RUINED] = np.where(is_ruin, sat, 0.0).sum(axis=0)
            self.sitting += np.where(is_ruin, 0.0, sat)
        self.ended += ended
        return list(ended), float(dropped)

    def roll(self) -> None:
        """Roll once; hands that end leave their blocks, and those who sat them out start over."""
        self._make_room()
        first = self.arcs.first[: self.size + 1]
        leads = (first, self.arcs.target, self.arcs.shift, self.weights, self._offsets, self.fresh)
        kernels.roll_blocks(self.mass, self.low, self.high, self._bench(), *leads)
        self.fresh[0] += self._ends @ self.sitting
        self.sitting = self._stays @ self.sitting

    @property
    def _offsets(self) -> NDArray[np.int64]:
        """Per block, how many cells further on its changes lie by equity."""
        return self.starts + (self.base - self.lowest)

    def _bench(self) -> _Mass:
        return np.empty((len(self.arcs) + ENDINGS, self.mass.shape[2]))

    def _make_room(self) -> None:
        """See to it that every block exists and that one roll stays within it."""
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
        mass = np.zeros((blocks + more, rows, before + width + behind))  # pages that are not touched cost nothing
        lows, highs = np.zeros((2, blocks + more, rows), dtype=np.int64)
        for block in range(blocks):
            to = (mass[block], lows[block], highs[block])
            kernels.copy(self.mass[block], self.low[block], self.high[block], *to, before)
        self.mass, self.low, self.high = mass, lows, highs
        self.base -= before


def _check_memory(cells: int) -> None:
    if cells > _CELLS_MAX:
        raise SessionError(
            f"this law needs more than {_CELLS_MAX:,} cells, one per state, equity and equity at the hand's beginning: "
            f"play fewer rolls, wager in larger units, or trim more"
        )


def shooter_arcs(plain: Automaton) -> Arcs:
    """Give the arcs of a block: the end of a hand leads to a row apart, and so does being short with nothing up.

    >>> from passline.automaton.compiler import compile_strategy
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> plain = lumped(compile_strategy(rules, strategy_of("pass", rules), short="ride"))
    >>> len(plain), len(shooter_arcs(plain)), int(shooter_arcs(plain).short[0])
    (4, 12, 8)
    """
    size = len(plain)
    twice = arcs_of(plain, mark=HAND, levels=2)
    states = 3 * size
    count = int(twice.first[size])
    short = np.full(states, states + RUINED, dtype=np.int64)
    short[:size] = np.where(plain.short < 0, 2 * size + np.arange(size), plain.short)
    return Arcs(
        first=np.append(twice.first[: size + 1], np.full(2 * size, count)).astype(np.int64),
        target=twice.target[:count],
        shift=twice.shift[:count],
        count=twice.count[:count],
        outlay=np.append(plain.outlay, np.zeros(2 * size)).astype(np.int64),
        short=short,
        order=twice.order[:size],
    )


def _checked(automaton: Automaton, terms: Terms) -> tuple[int, int]:
    """The loss limit in units, and the number of rolls; refused where the session makes no sense."""
    if automaton.policy == "stop":
        raise SessionError(
            'a loss limit per shooter needs the policy "ride" or "reduce", for wagers already up ride on'
        )
    if terms.rolls is None or terms.decisions is not None or terms.hands is not None:
        raise SessionError("with a loss limit per shooter a session is limited by rolls alone")
    cents = terms.shooter_loss_cents or 0
    limit = cents // automaton.unit
    state = 0
    while limit < automaton.outlay[state]:
        if automaton.short[state] < 0:
            needed = int(automaton.outlay[state]) * automaton.unit
            raise SessionError(
                f"a loss limit per shooter of {dollars(cents)} is below the first outlay of {dollars(needed)}: "
                f"nothing would ever be wagered"
            )
        state = int(automaton.short[state])
    return limit, terms.rolls
