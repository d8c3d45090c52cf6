"""The arrays of an automaton of decisions, which solvers and learners use without knowing anything of craps.

In a *position* the player chooses one of its acts, if equity is at least the act's outlay; the act leads to a *layout*,
and the dice from there along one of its arcs, with a weight of 36, to the next position. Amounts are whole numbers of
`unit` cents. Positions, layouts and acts are numbered in the order they were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.automaton.decisions.menu import Menu
from passline.automaton.decisions.menu_seat import Situation, act_text
from passline.game.position import Wager
from passline.rules.rules import Rules


@dataclass(frozen=True, eq=False, kw_only=True)
class DecisionAutomaton:
    """Every position that the acts of a menu lead to, as arrays over P positions, K acts, L layouts and their arcs."""

    rules: Rules
    menu: Menu
    unit: int
    """Cents, of which every amount is a multiple."""
    most: int
    """The most that an act has up, in units."""
    act_first: NDArray[np.int64]
    """[P + 1] The acts of position p are act_first[p] to act_first[p + 1]; one that has nothing up is the last."""
    act_layout: NDArray[np.int64]
    """[K] The layout that an act leads to."""
    act_outlay: NDArray[np.int64]
    """[K] The equity that an act needs: what is up after it, and vigorish paid."""
    arc_first: NDArray[np.int64]
    """[L + 1] The arcs of a layout."""
    arc_next: NDArray[np.int64]
    """The position that an arc leads to."""
    arc_situation: NDArray[np.int64]
    """The situation that an arc leads to, of which the position is what cannot be made again at once."""
    arc_cash: NDArray[np.int64]
    """The change of equity along an arc, with vigorish paid in acting."""
    arc_weight: NDArray[np.int64]
    """In how many of 36 outcomes the arc is taken."""
    layout_face: NDArray[np.int64]
    """[L] What is up on a layout, at face."""
    positions: Sequence[Situation]
    situations: Sequence[Situation]
    layouts: Sequence[tuple[Wager, ...]]

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return (
            f"<DecisionAutomaton of {self.menu}: {len(self):,} positions, {len(self.act_layout):,} acts, "
            f"{len(self.layouts):,} layouts>"
        )

    @cached_property
    def act_position(self) -> NDArray[np.int64]:
        """[K] The position in which an act is chosen."""
        return np.repeat(np.arange(len(self)), np.diff(self.act_first))

    @cached_property
    def is_waiting(self) -> NDArray[np.bool_]:
        """[K] Whether an act has nothing up."""
        return np.equal(self.layout_face[self.act_layout], 0)

    @cached_property
    def outcomes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[L, 36] The position and the change of equity for each of 36 equally likely outcomes, in no order of dice."""
        nexts = np.repeat(self.arc_next, self.arc_weight).reshape(-1, OUTCOMES)
        return nexts, np.repeat(self.arc_cash, self.arc_weight).reshape(-1, OUTCOMES)

    @cached_property
    def situation_position(self) -> NDArray[np.int64]:
        """[situations] The position of each situation."""
        found = np.zeros(len(self.situations), dtype=np.int64)
        found[self.arc_situation] = self.arc_next
        return found

    def label(self, act: int) -> str:
        """Return an act in words, as what it changes."""
        before = self.positions[int(self.act_position[act])].mine
        return act_text(before, self.layouts[int(self.act_layout[act])])
