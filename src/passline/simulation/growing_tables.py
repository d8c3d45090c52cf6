"""What the kernels walk of a strategy with too many states to be compiled: an automaton that grows as it is played."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from passline.automaton.growing import GrowingAutomaton
from passline.dice_weights import FAIR
from passline.simulation.recorded_dice import SessionDice

FIRST_STATES = 4096
"""How many states are explored beforehand, breadth first; their amounts decide how wide the histograms are."""


@dataclass(frozen=True, eq=False)
class GrowingTables:
    """A growing automaton, and the amounts of its first states."""

    name: str
    automaton: GrowingAutomaton
    first_states: int = FIRST_STATES
    dice: SessionDice = FAIR
    growth: list[int] = field(init=False)
    """How many states were known after 0, 1, 2, ... rolls of these."""
    sample: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        growth = self.automaton.explore_first(self.first_states)
        object.__setattr__(self, "growth", growth)
        object.__setattr__(self, "sample", self.automaton.cash[: min(self.first_states, len(self.automaton))].copy())

    @property
    def unit(self) -> int:
        """A cent."""
        return self.automaton.unit

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The name, and the number of states explored so far."""
        return ((self.name, self.automaton.explored),)

    @property
    def cash_of_parts(self) -> list[NDArray[np.int64]]:
        """The changes of equity that the histograms are made for."""
        return [self.sample]
