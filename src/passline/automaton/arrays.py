"""The automaton of a strategy: what every roll does from every state, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["HAND", "IDLE", "LINE", "OUTCOMES", "Automaton"]

OUTCOMES = 36
"""Columns of the arrays: outcome d = 6 * (first - 1) + (second - 1)."""

# Bits of a mark.
LINE = 1  # a line decision
HAND = 2  # the hand ended by a loser 7
IDLE = 4  # no wager of the player works on this roll


@dataclass(frozen=True, eq=False)
class Automaton:
    """A strategy under rules, as arrays; the start is state 0: a new shooter's first come-out roll, nothing up.

    >>> import numpy as np
    >>> never = np.zeros((1, 36), dtype=np.int64)
    >>> idle = Automaton(
    ...     next=never.astype(np.int32), cash=never, outlay=never[:, 0], short=np.array([-1], dtype=np.int32),
    ...     mark=np.full((1, 36), IDLE, dtype=np.uint8), action=never, unit=100, labels=("nothing",), policy="stop",
    ... )
    >>> idle.next.shape
    (1, 36)
    """

    next: NDArray[np.int32]
    """[S,36] the state after each outcome."""
    cash: NDArray[np.int64]
    """[S,36] change of equity (rack and chips on the layout at face) from this moment to the next, in units."""
    outlay: NDArray[np.int64]
    """[S] the equity that the acts of this state call for, in units."""
    short: NDArray[np.int32]
    """[S] the state to take instead when equity is below the outlay; -1: the session ends there, ruined."""
    mark: NDArray[np.uint8]
    """[S,36] bits LINE, HAND and IDLE."""
    action: NDArray[np.int64]
    """[S,36] the amount decided by this roll, in units."""
    unit: int
    """Cents per unit."""
    labels: tuple[str, ...]
    """What each state means."""
    policy: str
    """What a player short of the outlay does: "stop", "ride" or "reduce"."""
