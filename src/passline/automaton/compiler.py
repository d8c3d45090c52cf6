"""Compiling: the real engine explored breadth first, every outcome from every state a strategy can reach."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import gcd

import numpy as np

from passline.automaton.arrays import OUTCOMES, Automaton, Short
from passline.automaton.seat import Acted, Situation, StrategySeat
from passline.errors import CrapsError
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy

__all__ = ["STATES_MAX", "Progress", "TooManyStates", "compile"]

STATES_MAX = 200_000
"""The most states a strategy may have before compiling gives up."""
Progress = Callable[[int, int], None]
"""Told now and then how many states are explored and how many are known."""
_TOLD_EVERY = 256
_SHOWN = 5  # depths at either end of a message
_FACES = 6


class TooManyStates(CrapsError):
    """A strategy whose states outgrew the limit, with the growth so far."""

    def __init__(self, name: str, limit: int, depths: list[int]) -> None:
        first, last = depths[:_SHOWN], depths[_SHOWN:][-_SHOWN:]
        gap = "... " if len(depths) > len(first) + len(last) else ""
        growth = ", ".join(map(str, first)) + (f", {gap}" + ", ".join(map(str, last)) if last else "")
        super().__init__(
            f"{name} has more than {limit:,} states: after 0 to {len(depths) - 1} rolls {growth} are reached; give it "
            "less to remember or fewer different amounts; parts joined by + that do not depend on each other are "
            "compiled apart when the player leaves without money (stop)"
        )


class _Exploration:
    """The states known so far, each with a number, in the order they were found."""

    def __init__(self, seat: StrategySeat, short: Short, states_max: int) -> None:
        self.seat = seat
        self.policy = short
        self.states_max = states_max
        self.numbers: dict[Situation, int] = {}
        self.waiting: deque[Situation] = deque()
        self.depths: list[int] = []  # how many states were known once each depth was explored
        self.number(seat.start)

    def number(self, situation: Situation) -> int:
        known = self.numbers.get(situation)
        if known is None:
            if len(self.numbers) >= self.states_max:
                raise TooManyStates(self.seat.strategy.name, self.states_max, [*self.depths, len(self.numbers)])
            known = self.numbers[situation] = len(self.numbers)
            self.waiting.append(situation)
        return known

    def short_of(self, situation: Situation, acted: Acted) -> int:
        """Give the state to take when these acts cannot be paid for."""
        if self.policy == "stop" or not acted.made:
            return -1
        kept = acted.made - 1 if self.policy == "reduce" else 0
        if not kept and self.seat.acted(_keeping(situation, 0)).is_bare:
            return -1
        return self.number(_keeping(situation, kept))


def _keeping(situation: Situation, kept: int) -> Situation:
    return Situation(situation.puck, situation.closed, situation.mine, situation.memory, kept)


def compile(  # noqa: A001 - what DESIGN calls it; `passline.compile` shadows nothing
    rules: Rules,
    strategy: Strategy,
    *,
    short: Short = "stop",
    only: frozenset[str] | None = None,
    states_max: int = STATES_MAX,
    progress: Progress | None = None,
) -> Automaton:
    """Play a strategy against every outcome from every state it reaches, and give the arrays.

    `short` is what the player does without the equity to act; with `only`, the money of other wagers is not counted.

    >>> from passline.strategy.library import pass_with_odds
    >>> automaton = compile(Rules.of("maryland"), pass_with_odds(10_00, 2))
    >>> len(automaton), automaton.unit, automaton.label(1)
    (13, 200, 'puck ON 4 | up pass 10.00')
    >>> automaton.outlay[:2].tolist(), automaton.cash[1, 2:4].tolist()  # with the puck ON 4: the dice 1-3 and 1-4
    ([5, 15], [25, 0])
    """
    seat = StrategySeat(rules, strategy, only=only)
    found = _Exploration(seat, short, states_max)
    rows: list[tuple[list[int], list[int], list[int], list[int]]] = []
    outlays: list[int] = []
    shorts: list[int] = []
    depth_ends = 1
    while found.waiting:
        if len(rows) == depth_ends:
            found.depths.append(depth_ends)
            depth_ends = len(found.numbers)
        if progress and len(rows) % _TOLD_EVERY == 0:
            progress(len(rows), len(found.numbers))
        situation = found.waiting.popleft()
        acted = seat.acted(situation)
        outlays.append(acted.outlay)
        shorts.append(found.short_of(situation, acted))
        rows.append(_row(found, situation, acted))
    if progress:
        progress(len(rows), len(rows))
    nexts, cash, marks, action = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    unit = _unit(cash, np.array(outlays), action)
    return Automaton(
        next=nexts.astype(np.int32),
        cash=cash // unit,
        outlay=np.array(outlays, dtype=np.int64) // unit,
        short=np.array(shorts, dtype=np.int32),
        mark=marks.astype(np.uint8),
        action=action // unit,
        unit=unit,
        labels=tuple(map(str, found.numbers)),
        policy=short,
    )


def _row(found: _Exploration, situation: Situation, acted: Acted) -> tuple[list[int], list[int], list[int], list[int]]:
    """Roll all outcomes; a pair of dice is two of them."""
    nexts, cash, marks, action = row = ([0] * OUTCOMES, [0] * OUTCOMES, [0] * OUTCOMES, [0] * OUTCOMES)
    for roll, rolled in found.seat.rolls(situation, acted):
        first, second = roll.first - 1, roll.second - 1
        one, other = _FACES * first + second, _FACES * second + first
        nexts[one] = nexts[other] = found.number(rolled.after)
        cash[one] = cash[other] = rolled.cash
        marks[one] = marks[other] = rolled.mark
        action[one] = action[other] = rolled.action
    return row


def _unit(*amounts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    return gcd(*(int(np.gcd.reduce(array, axis=None)) for array in amounts)) or 1
