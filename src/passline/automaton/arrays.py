"""The arrays of an automaton: kernels walk them and solvers solve them without knowing anything of craps.

A *state* is the moment before the strategy acts: the puck, the closed windows, the player's wagers and the strategy's
memory. From a state, the strategy's acts and one of 36 outcomes lead to the next state. *Equity* is the player's rack
plus the wagers up at face. Amounts are whole numbers of `unit` cents, their greatest common divisor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FACES = 6
"""Of a die."""
OUTCOMES = FACES * FACES
"""Outcome d is the dice (d // 6 + 1, d % 6 + 1)."""
EVEN = (1,) * OUTCOMES
"""The weights of the outcomes of fair dice."""
LINE = 1
"""Mark: this roll decides the line wagers."""
HAND = 2
"""Mark: this roll ends the shooter's hand, by a loser 7."""
IDLE = 4
"""Mark: no wager of the player's works on this roll."""
WON = 8
"""Mark, beside LINE: it decides them for the pass line."""
RUIN, GOAL, LIMIT, STOP = 0, 1, 2, 3
"""How a session ends, as codes; STOP: by a loss, a fall or a streak at which the player leaves."""
ENDINGS = ("ruin", "goal", "limit", "stop")
"""The names of the endings, by code."""
NEVER = 1 << 60
"""A limit that no session reaches."""
UNKNOWN = 1 << 62
"""The outlay of a state that has not been explored: more than any player has, so that a session stops there."""
UNEXPLORED = -1
"""The first way to act in a state that has not been explored."""

Short = Literal["stop", "ride", "reduce"]
"""The policy of a player whose equity is less than the outlay: leave, make nothing new, or drop the last wishes."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """A strategy under rules, as arrays over S states and 36 outcomes; a session begins in state 0."""

    next: NDArray[np.int32]  # [S, 36] the state after each outcome
    cash: NDArray[np.int64]  # [S, 36] the change of equity up to the next state, including what acting costs
    outlay: NDArray[np.int64]  # [S] the equity needed to act: for what is up then, or for the strategy to act so
    short: NDArray[np.int32]  # [S] the state to act in instead when equity is less than the outlay; -1: ruin
    mark: NDArray[np.uint8]  # [S, 36] LINE, HAND, IDLE and WON
    action: NDArray[np.int64]  # [S, 36] the amount of the wagers that won or lost
    unit: int  # cents
    labels: tuple[str, ...]  # each state in words
    policy: Short = "stop"
    initial: NDArray[np.int64] = None  # type: ignore[assignment] # [S, 36] of the wagers that ended, all but odds
    weights: tuple[int, ...] = EVEN  # of the columns: how often each comes, of `total_weight` times
    up: NDArray[np.int64] = None  # type: ignore[assignment] # [S] what is up after acting, and vigorish paid

    def __post_init__(self) -> None:
        if self.initial is None:
            object.__setattr__(self, "initial", self.action)
        if self.up is None:
            object.__setattr__(self, "up", self.outlay)

    def __len__(self) -> int:
        return len(self.outlay)

    @property
    def total_weight(self) -> int:
        """What the weights of all columns come to: 36 with fair dice."""
        return sum(self.weights)

    def weighted_sum(self, cells: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of [S, 36] over the columns, each as often as it comes."""
        weighted: NDArray[Any] = cells if self.weights == EVEN else cells * np.array(self.weights)
        return np.asarray(weighted.sum(axis=1))

    def __repr__(self) -> str:
        return f"<Automaton of {len(self):,} states in units of {self.unit} cents, policy {self.policy}>"

    def label(self, state: int) -> str:
        """Return a state in words."""
        return self.labels[state]
