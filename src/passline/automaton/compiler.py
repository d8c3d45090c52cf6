"""The compiler: explores the real engine breadth first, every outcome from every state that a strategy reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Automaton, Short
from passline.automaton.exploration import Exploration, Rows, TooManyStates
from passline.automaton.seat import StrategySeat
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy, StrategyError

STATES_MAX = 200_000
"""The most states a strategy may have before compiling gives up."""
Progress = Callable[[int, int], None]
"""Called now and then with the number of states explored and the number found so far."""
_BATCH = 512
"""States that are explored at once, at most."""


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
        for _rows in _batches(found, None):
            pass
    except TooManyStates:
        return states_max, False
    return len(found), True


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
    return EndedAutomaton(automaton, ended)


def _explore_all(found: Exploration, progress: Progress | None) -> tuple[Automaton, NDArray[np.int64]]:
    """Explore every state, and return the arrays and the state in which each acts at the end."""
    rows = Rows(*map(np.concatenate, zip(*_batches(found, progress), strict=True)))
    unit = _unit(rows.cash, rows.outlay, rows.action, rows.initial)
    automaton = Automaton(
        next=rows.next.astype(np.int32),
        cash=rows.cash // unit,
        outlay=rows.outlay // unit,
        short=rows.short.astype(np.int32),
        mark=rows.mark,
        action=rows.action // unit,
        initial=rows.initial // unit,
        unit=unit,
        labels=tuple(str(found.state(number)) for number in range(len(found))),
        policy=found.policy,
    )
    return automaton, rows.ended


def _batches(found: Exploration, progress: Progress | None) -> Iterator[Rows]:
    """Explore every state, breadth first, and yield the rows of the states in the order of their numbers.

    Each batch is explored from at most `_BATCH` states of one depth; those it finds get the numbers after the last.
    """
    done, depth_ends = 0, 1
    while done < len(found):
        if done == depth_ends:
            found.depths.append(depth_ends)
            depth_ends = len(found)
        if progress:
            progress(done, len(found))
        end = min(depth_ends, done + _BATCH)
        yield found.explore(range(done, end))
        done = end
    if progress:
        progress(done, done)


def _unit(*amounts: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    return gcd(*(int(np.gcd.reduce(array, axis=None)) for array in amounts)) or 1
