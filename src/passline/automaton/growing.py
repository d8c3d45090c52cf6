"""An automaton that grows: its states are explored as sessions reach them, so that none is too large to be played."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, UNKNOWN, Automaton, Short
from passline.automaton.exploration import Exploration
from passline.automaton.seat import StrategySeat
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy

FOUND_MAX = 5_000_000
"""The most states that are found before growing gives up: some six gigabytes of memory."""
_FIRST = 1024
_BATCH = 4096


class GrowingAutomaton:
    """The arrays of an automaton in cents, of which only the states explored so far hold anything.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> growing = GrowingAutomaton(rules, strategy_of("pass", rules))
    >>> growing.explored, len(growing)
    (1, 7)
    >>> growing.explore([1])
    >>> growing.explored, len(growing), growing.outlay[:3].tolist() == [10_00, 10_00, UNKNOWN]
    (2, 7, True)
    """

    unit = 1

    def __init__(self, rules: Rules, strategy: Strategy, *, short: Short = "stop", found_max: int = FOUND_MAX) -> None:
        self._found = Exploration(StrategySeat(rules, strategy), short, found_max)
        self.policy = short
        self.explored = 0
        self.next: NDArray[np.int32] = np.zeros((_FIRST, OUTCOMES), dtype=np.int32)
        self.cash: NDArray[np.int64] = np.zeros((_FIRST, OUTCOMES), dtype=np.int64)
        self.action: NDArray[np.int64] = np.zeros((_FIRST, OUTCOMES), dtype=np.int64)
        self.mark: NDArray[np.uint8] = np.zeros((_FIRST, OUTCOMES), dtype=np.uint8)
        self.short: NDArray[np.int32] = np.full(_FIRST, -1, dtype=np.int32)
        self.outlay: NDArray[np.int64] = np.full(_FIRST, UNKNOWN, dtype=np.int64)
        self.explore([0])

    def __len__(self) -> int:
        """Return how many states are known, explored or not."""
        return len(self._found)

    def label(self, state: int) -> str:
        """Return a state in words."""
        return str(self._found.state(state))

    def explore(self, states: Iterable[int]) -> None:
        """Play all outcomes from these states, unless it was done before.

        `next` and `short` hold the first cells of rows, as the kernels walk them.
        """
        fresh = [number for number in states if self.outlay[number] == UNKNOWN]
        for first in range(0, len(fresh), _BATCH):
            numbers = fresh[first : first + _BATCH]
            rows = self._found.explore(numbers)
            self._make_room(len(self._found))
            self.next[numbers] = rows.next * OUTCOMES
            self.cash[numbers], self.mark[numbers], self.action[numbers] = rows.cash, rows.mark, rows.action
            self.outlay[numbers] = rows.outlay
            self.short[numbers] = np.where(rows.short < 0, -1, rows.short * OUTCOMES)
            self.explored += len(numbers)

    def opening(self) -> Automaton:
        """Return the first state and those that a player takes instead who is short of money, one after the other."""
        states = [0]
        while (short := int(self.short[states[-1]])) >= 0:
            states.append(short // OUTCOMES)
            self.explore(states[-1:])
        return Automaton(
            next=np.zeros((len(states), OUTCOMES), dtype=np.int32),
            cash=self.cash[states],
            outlay=self.outlay[states],
            short=np.array([*range(1, len(states)), -1], dtype=np.int32),
            mark=self.mark[states],
            action=self.action[states],
            unit=self.unit,
            labels=tuple(map(self.label, states)),
            policy=self.policy,
        )

    def explore_first(self, states: int) -> list[int]:
        """Explore up to this many states breadth first; return how many were known after 0, 1, 2, ... rolls."""
        depths, done = [1], 0
        while done < min(states, len(self)):
            end = min(len(self), states)
            self.explore(range(done, end))
            done = end
            depths.append(len(self))
        return depths

    def _make_room(self, states: int) -> None:
        room = len(self.outlay)
        if states <= room:
            return
        for name in ("next", "cash", "action", "mark", "short", "outlay"):
            held = getattr(self, name)
            fill = {"short": -1, "outlay": UNKNOWN}.get(name, 0)
            grown = np.full((max(2 * room, states), *held.shape[1:]), fill, dtype=held.dtype)
            grown[:room] = held
            setattr(self, name, grown)
