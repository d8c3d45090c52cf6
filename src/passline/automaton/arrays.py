"""The arrays of an automaton: what kernels walk and solvers solve, knowing nothing of craps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["HAND", "IDLE", "LINE", "OUTCOMES", "Automaton", "Short"]

OUTCOMES = 36
"""Outcome d is the dice (d // 6 + 1, d % 6 + 1)."""
LINE = 1
"""Mark: this roll decides the line wagers."""
HAND = 2
"""Mark: this roll ends the shooter's hand, by a loser 7."""
IDLE = 4
"""Mark: no wager of the player's works on this roll."""

Short = Literal["stop", "ride", "reduce"]
"""What a player does whose equity is less than the outlay: leave, make nothing new, or drop the last wishes."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """A strategy under rules, as arrays over states and outcomes. Amounts are in units; state 0 begins a session.

    A state is the moment before the strategy acts. Equity is the rack plus the chips on the layout at face.
    """

    next: NDArray[np.int32]  # [S, 36] the state after each outcome
    cash: NDArray[np.int64]  # [S, 36] the change of equity from this moment to the next, acts included
    outlay: NDArray[np.int64]  # [S] the equity that the acts call for
    short: NDArray[np.int32]  # [S] the state to take instead when equity is less than the outlay; -1: ruined
    mark: NDArray[np.uint8]  # [S, 36] LINE, HAND and IDLE
    action: NDArray[np.int64]  # [S, 36] the amount decided
    unit: int  # cents
    labels: tuple[str, ...]  # what each state means
    policy: Short = "stop"

    def __len__(self) -> int:
        return len(self.outlay)

    def label(self, state: int) -> str:
        """Say what a state means."""
        return self.labels[state]
