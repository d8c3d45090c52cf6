"""The compiler: explores the real engine breadth first, every outcome from every state that a strategy reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Automaton, Short
from passline.automaton.seat import SeatActs, SeatState, StrategySeat
from passline.errors import CrapsError
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy, StrategyError

STATES_MAX = 200_000
"""The most states a strategy may have before compiling gives up."""
Progress = Callable[[int, int], None]
"""Called now and then with the number of states explored and the number found so far."""
_PROGRESS_EVERY = 256
_SHOWN = 5  # counts at either end of a long message


class TooManyStates(CrapsError):
    """A strategy with more states than the limit; the message shows how they grew."""

    def __init__(self, name: str, limit: int, depths: list[int]) -> None:
        first, last = depths[:_SHOWN], depths[_SHOWN:][-_SHOWN:]
        gap = "... " if len(depths) > len(first) + len(last) else ""
        growth = ", ".join(map(str, first)) + (f", {gap}" + ", ".join(map(str, last)) if last else "")
        super().__init__(
            f"{name} has more than {limit:,} states: after 0 to {len(depths) - 1} rolls {growth} are reached. Let it "
            "remember less or use fewer different amounts. Under the policy stop, independent parts joined by + are "
            "compiled apart."
        )


class Exploration:
    """The states found so far, numbered in the order they were found."""

    def __init__(self, seat: StrategySeat, short: Short, states_max: int, *, to_the_end: bool = False) -> None:
        self.seat = seat
        self.to_the_end = to_the_end
        self.policy = short
        self.states_max = states_max
        self.numbers: dict[SeatState, int] = {}
        self.states: list[SeatState] = []
        self.depths: list[int] = []  # how many states were found after 0, 1, 2, ... rolls
        self.number(seat.start)

    def number(self, state: SeatState) -> int:
        """Return the number of a state; one that is not known yet joins `states`."""
        known = self.numbers.get(state)
        if known is None:
            if len(self.numbers) >= self.states_max:
                raise TooManyStates(self.seat.strategy.name, self.states_max, [*self.depths, len(self.numbers)])
            known = self.numbers[state] = len(self.numbers)
            self.states.append(state)
        return known

    def short_of(self, state: SeatState, acts: SeatActs) -> int:
        """Return the number of the state to act in when these acts cannot be paid for; -1 for ruin."""
        if self.policy == "stop" or not acts.made:
            return -1
        kept = acts.made - 1 if self.policy == "reduce" else 0
        if not kept and self.seat.acts(_with_kept(state, 0)).is_bare:
            return -1
        return self.number(_with_kept(state, kept))

    def at_the_end(self, state: SeatState) -> int:
        """Return the number of the state in which nothing new is made; -1 if nothing is up then."""
        if not self.to_the_end or self.seat.acts(_with_kept(state, 0)).is_bare:
            return -1
        return self.number(_with_kept(state, 0))


def _with_kept(state: SeatState, kept: int) -> SeatState:
    return SeatState(state.puck, state.closed, state.mine, state.memory, kept)


def compile_strategy(
    rules: Rules,
    strategy: Strategy,
    *,
    short: Short = "stop",
    only: frozenset[str] | None = None,
    states_max: int = STATES_MAX,
    progress: Progress | None = None,
) -> Automaton:
    """Play a strategy against every outcome from every state it reaches, and return the arrays.

    `short` is the policy of a player without the equity to act. With `only`, just these kinds of wager count as money.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass:odds=2", rules))
    >>> len(automaton), automaton.unit, automaton.label(1)
    (13, 200, 'puck ON 4 | up pass 10.00')
    >>> automaton.outlay[:2].tolist(), automaton.cash[1, 2:4].tolist()  # with the puck ON 4: the dice 1-3 and 1-4
    ([5, 15], [25, 0])
    """
    _check_is_blind(strategy)
    found = Exploration(StrategySeat(rules, strategy, only=only), short, states_max)
    return _explore_all(found, progress)[0]


def compile_states(rules: Rules, strategy: Strategy, *, states_max: int) -> tuple[int, bool]:
    """Return how many states a strategy reaches, at most `states_max`, and whether these are all; no arrays are built.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> [compile_states(rules, strategy_of("pass:odds=2", rules), states_max=most) for most in (10, 100)]
    [(10, False), (13, True)]
    """
    _check_is_blind(strategy)
    found = Exploration(StrategySeat(rules, strategy), "stop", states_max)
    try:
        for state in found.states:  # which grows meanwhile
            row_of_state(found, state, found.seat.acts(state))
    except TooManyStates:
        return states_max, False
    return len(found.numbers), True


def _check_is_blind(strategy: Strategy) -> None:
    """Raise StrategyError for a strategy that reads its money, which no state of an automaton holds."""
    if words := sorted(strategy.reads_money):
        message = f"{strategy.name} reads {', '.join(words)}, so how it plays depends on the money of its session: "
        raise StrategyError(
            f"{message}it has no finite automaton. The engine plays it: `passline replay`, `passline strategies`, "
            "StrategyTable"
        )


@dataclass(frozen=True, eq=False)
class EndedAutomaton:
    """An automaton, and for each state that in which a player acts who makes nothing new; -1 where nothing is up."""

    automaton: Automaton
    ended: NDArray[np.int64]


def compile_to_the_end(
    rules: Rules, strategy: Strategy, *, short: Short = "stop", progress: Progress | None = None
) -> EndedAutomaton:
    """Compile a strategy with what becomes of its wagers once the player makes nothing new.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> whole = compile_to_the_end(rules, strategy_of("pass", rules))
    >>> [whole.automaton.label(state) for state in (0, 1)], whole.ended[:2].tolist()
    (['puck OFF', 'puck ON 4 | up pass 10.00'], [-1, 7])
    """
    _check_is_blind(strategy)
    found = Exploration(StrategySeat(rules, strategy), short, STATES_MAX, to_the_end=True)
    automaton, ended = _explore_all(found, progress)
    return EndedAutomaton(automaton, np.array(ended, dtype=np.int64))


def _explore_all(found: Exploration, progress: Progress | None) -> tuple[Automaton, list[int]]:
    """Explore every state, and return the arrays and the state in which each acts at the end."""
    seat, short = found.seat, found.policy
    ended: list[int] = []
    rows: list[tuple[list[int], ...]] = []
    outlays: list[int] = []
    shorts: list[int] = []
    depth_ends = 1
    for state in found.states:  # which grows meanwhile
        if len(rows) == depth_ends:
            found.depths.append(depth_ends)
            depth_ends = len(found.numbers)
        if progress and len(rows) % _PROGRESS_EVERY == 0:
            progress(len(rows), len(found.numbers))
        acts = seat.acts(state)
        outlays.append(acts.outlay)
        shorts.append(found.short_of(state, acts))
        ended.append(found.at_the_end(state))
        rows.append(row_of_state(found, state, acts))
    if progress:
        progress(len(rows), len(rows))
    nexts, cash, marks, action, initial = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    unit = _unit(cash, np.array(outlays), action, initial)
    automaton = Automaton(
        next=nexts.astype(np.int32),
        cash=cash // unit,
        outlay=np.array(outlays, dtype=np.int64) // unit,
        short=np.array(shorts, dtype=np.int32),
        mark=marks.astype(np.uint8),
        action=action // unit,
        initial=initial // unit,
        unit=unit,
        labels=tuple(map(str, found.numbers)),
        policy=short,
    )
    return automaton, ended


def row_of_state(found: Exploration, state: SeatState, acts: SeatActs) -> tuple[list[int], ...]:
    """Return next, cash, mark, action and initial of all 36 outcomes."""
    nexts, cash, marks, action, initial = row = tuple([0] * OUTCOMES for _ in range(5))
    for outcomes, rolled in found.seat.distinct_rolls(state, acts):
        number = found.number(rolled.after)
        for outcome in outcomes:
            nexts[outcome], cash[outcome], marks[outcome] = number, rolled.cash, rolled.mark
            action[outcome], initial[outcome] = rolled.action, rolled.initial
    return row


def _unit(*amounts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    return gcd(*(int(np.gcd.reduce(array, axis=None)) for array in amounts)) or 1
