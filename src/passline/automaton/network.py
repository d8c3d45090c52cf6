"""Networks: the independent parts of a strategy, as separate automata on the same dice.

Parts are independent when neither names nor reads a wager of the other and no clause ties their wagers: odds to the
wager they go behind, a side wager to the line wager it requires, a composite wager to those it is booked as. They are
the strategies of a sum, and where that has too many states, the parts of their files (`strategy/file_parts.py`). A part
is multiplied with another into one automaton while their product has at most `BUDGET` states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import gcd
from operator import add

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import IDLE, Automaton, Short
from passline.automaton.cache import load_or_compile
from passline.automaton.compiler import STATES_MAX, Progress
from passline.automaton.exploration import TooManyStates
from passline.automaton.minimise import minimise
from passline.dice_weights import DiceWeights
from passline.rules.rules import Rules
from passline.strategy.file_parts import parts_of_file, tied_kinds
from passline.strategy.interface import Combined, Strategy
from passline.strategy.strategy_file import FileStrategy
from passline.strategy.wish_entry import LOWERS, RAISES

BUDGET = 4096
"""The most states that a product of parts may have."""
PART_STATES_MAX = 120_000
"""The most states of a part of a file whose states together are too many, unless more are allowed anyhow."""


@dataclass(frozen=True)
class Network:
    """Automata driven by the same dice, and the names of the parts they play."""

    names: tuple[str, ...]
    parts: tuple[Automaton, ...]

    @property
    def whole(self) -> Automaton | None:
        """The automaton of the whole strategy; None if its parts could not be multiplied into one."""
        return self.parts[0] if len(self.parts) == 1 else None

    def on_dice(self, dice: DiceWeights) -> Network:
        """Return the same automata on dice of these weights."""
        return replace(self, parts=tuple(replace(part, weights=dice.weights) for part in self.parts))


def network(
    rules: Rules,
    strategy: Strategy,
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    states_max: int = STATES_MAX,
    part_states_max: int | None = None,
    progress: Progress | None = None,
) -> Network:
    """Compile and minimise each independent part, and multiply the parts while a product is within the budget.

    Strategy files of more states than `states_max` are divided further, into the parts of each file, which may have as
    many, or `PART_STATES_MAX` if that is more; or `part_states_max`. Under the policies
    ride and reduce the wishes depend on each other through money, so the strategy is one part.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    >>> both = network(rules, strategy_of("pass + fire", rules))
    >>> both.names, [len(part) for part in both.parts]
    (('fire + pass',), [352])
    """
    strategies = independent_parts(rules, strategy) if short == "stop" else [strategy]
    compiled = partial(network_of_parts, rules, short=short, budget=budget, progress=progress)
    try:
        return compiled(strategies, states_max=states_max)
    except TooManyStates:
        finer = [smaller for part in strategies for smaller in _parts_of(part)] if short == "stop" else strategies
        if len(finer) == len(strategies):
            raise
        return compiled(finer, states_max=part_states_max or max(states_max, PART_STATES_MAX))


def network_of_parts(
    rules: Rules,
    strategies: Sequence[Strategy],
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    states_max: int = STATES_MAX,
    progress: Progress | None = None,
) -> Network:
    """Compile strategies that the caller knows to be independent, such as place wagers on different numbers.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> parts = [strategy_of(f"press_regress:numbers={number}", rules) for number in (6, 8)]
    >>> network_of_parts(rules, parts).names
    ('press_regress:numbers=8 + press_regress:numbers=6',)
    """
    automata = [
        minimise(load_or_compile(rules, part, short=short, states_max=states_max, progress=progress))
        for part in strategies
    ]
    found = sorted(zip((part.name for part in strategies), automata, strict=True), key=lambda named: len(named[1]))
    parts: list[tuple[str, Automaton]] = []
    for name, automaton in reversed(found):  # the largest first; smaller ones are multiplied into it
        for index, (other_name, other) in enumerate(parts):
            product = multiply(other, automaton, budget=budget)
            if product is not None:
                parts[index] = (f"{other_name} + {name}", product)
                break
        else:
            parts.append((name, automaton))
    return Network(tuple(name for name, _ in parts), tuple(part for _, part in parts))


def independent_parts(rules: Rules, strategy: Strategy) -> list[Strategy]:
    """Group the strategies of a sum into independent parts, in the order of their first strategies.

    A strategy that lowers wagers stays with those that raise some after it, for the equity that both need then is less
    than the sum of what each needs.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A", "bonus_craps": "A"}})
    >>> [part.name for part in independent_parts(rules, strategy_of("molly + fire + pass + small", rules))]
    ['molly + pass', 'fire', 'small']
    """
    groups: list[tuple[frozenset[str], list[tuple[int, Strategy]]]] = []
    for place, leaf in enumerate(leaves_of(strategy)):
        kinds = tied_kinds(rules, leaf.kinds)
        joined = [
            group for group in groups if not kinds or not group[0] or kinds & group[0] or _lower_before(group[1], leaf)
        ]
        members = [member for group in joined for member in group[1]] + [(place, leaf)]
        known = all(group[0] for group in joined) and kinds
        groups = [group for group in groups if group not in joined]
        groups.append((frozenset().union(kinds, *(group[0] for group in joined)) if known else frozenset(), members))
    ordered = sorted(
        (sorted(members, key=lambda member: member[0]) for _kinds, members in groups), key=lambda group: group[0][0]
    )
    return [reduce(add, (leaf for _place, leaf in members)) for members in ordered]


def _lower_before(members: Sequence[tuple[int, Strategy]], later: Strategy) -> bool:
    """Return whether one of these may lower a wager before a later strategy raises one."""
    return _may(later, RAISES) and any(_may(member, LOWERS) for _place, member in members)


def _may(strategy: Strategy, does: frozenset[str]) -> bool:
    """Return whether a strategy may do one of these to a wager; one that is not a file may do anything."""
    return not isinstance(strategy, FileStrategy) or any(wish.does in does for wish in strategy.bound_wishes)


def _parts_of(strategy: Strategy) -> list[Strategy]:
    return [*parts_of_file(strategy)] if isinstance(strategy, FileStrategy) else [strategy]


def leaves_of(strategy: Strategy) -> list[Strategy]:
    """Return the strategies that one is combined of; itself, if it is not combined."""
    if isinstance(strategy, Combined):
        return [*leaves_of(strategy.first), *leaves_of(strategy.second)]
    return [strategy]


def multiply(first: Automaton, second: Automaton, *, budget: int = BUDGET) -> Automaton | None:
    """Return the product of two automata on the same dice; None if it reaches more states than the budget."""
    assert first.policy == second.policy == "stop"
    size = len(second)
    known: dict[int, int] = {0: 0}  # the place of each pair of states, a pair being one number
    pairs = np.array([0], dtype=np.int64)
    frontier = pairs
    while len(frontier):
        reached = np.unique(first.next[frontier // size].astype(np.int64) * size + second.next[frontier % size])
        fresh = [pair for pair in reached.tolist() if pair not in known]
        if len(known) + len(fresh) > budget:
            return None
        known |= {pair: len(known) + place for place, pair in enumerate(fresh)}
        frontier = np.array(fresh, dtype=np.int64)
        pairs = np.concatenate([pairs, frontier])
    return _product(first, second, pairs)


def _product(first: Automaton, second: Automaton, pairs: NDArray[np.int64]) -> Automaton:
    ones, others = pairs // len(second), pairs % len(second)
    leads = first.next[ones].astype(np.int64) * len(second) + second.next[others]
    order = np.argsort(pairs)
    unit = gcd(first.unit, second.unit)
    scale, other_scale = first.unit // unit, second.unit // unit
    marks, other_marks = first.mark[ones], second.mark[others]
    assert ((marks ^ other_marks) & ~np.uint8(IDLE) == 0).all(), "both automata see the same line decisions and hands"
    product = replace(
        first,
        next=order[np.searchsorted(pairs, leads, sorter=order)].astype(np.int32),
        cash=first.cash[ones] * scale + second.cash[others] * other_scale,
        outlay=first.outlay[ones] * scale + second.outlay[others] * other_scale,
        up=first.up[ones] * scale + second.up[others] * other_scale,
        short=np.full(len(pairs), -1, dtype=np.int32),
        mark=marks & other_marks,  # idle only if both are
        action=first.action[ones] * scale + second.action[others] * other_scale,
        initial=first.initial[ones] * scale + second.initial[others] * other_scale,
        unit=unit,
        labels=tuple(f"{first.labels[a]} & {second.labels[b]}" for a, b in zip(ones, others, strict=True)),
    )
    return minimise(product)
