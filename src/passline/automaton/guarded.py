"""Strategies that read their money, compiled: which state they act in is decided by guards on equity.

At each moment the strategy is asked about every equity at once (`traced_money`). Each of its answers is a state of its
own, whose outlay is at least the equity from which on the answer holds; `short` leads from it to the answer for less.
So a guard is judged wherever funds are, by every kernel and solver, and the states of a moment are one list from the
highest equity down. What a strategy remembers of its money after a roll is asked about at the same moment, before it
acts, because equity does not change between the two.

Words that depend on more than equity and the layout (`peak`, `shooter_net`) and answers that differ with every unit
cannot be compiled so.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.arrays import OUTCOMES, Automaton, Short
from passline.automaton.compiler import Progress
from passline.automaton.exploration import TooManyStates
from passline.automaton.minimise import minimise
from passline.automaton.network import Network, leaves_of
from passline.automaton.seat import SeatActs, SeatState, StrategySeat
from passline.automaton.terms import Terms
from passline.automaton.traced_money import EquityRange, TracedNumber, Untraceable, answers_by_equity
from passline.rules.rules import Rules
from passline.strategy.interface import Lower, Seen, Strategy, StrategyError, Want, Wish
from passline.strategy.purse import SeenMoney
from passline.strategy.strategy_file import FileStrategy
from passline.strategy.strategy_table import UnlawfulWish

OF_EQUITY = frozenset({"net", "rack", "equity", "bankroll"})
"""The words of money that equity and the layout decide."""
_ALL = -1
_PROGRESS_EVERY = 256


class _Pending(Struct, frozen=True, gc=False, cache_hash=True):
    """A memory that is to be brought up to date with what a roll did, once equity is known."""

    memory: Hashable
    effects: Hashable


class _Answer(NamedTuple):
    """What a strategy remembers and wishes for a range of equities."""

    memory: Hashable
    wishes: tuple[Wish, ...]


class _Node(NamedTuple):
    """A state of the automaton: a moment, the place of an answer in its list, and how many wishes are kept."""

    moment: SeatState
    place: int
    kept: int


class _GuardedSeat(StrategySeat):
    """A seat that leaves what is remembered of a roll until the strategy acts."""

    def memory_after(self, memory: Hashable, effects: Hashable) -> Hashable:
        return _Pending(memory, effects) if self._sees_after else super().memory_after(memory, effects)


def is_guardable(strategy: Strategy, terms: Terms) -> bool:
    """Return whether a strategy that reads its money might be compiled with guards for these sessions.

    A loss limit per shooter reads outlays as what may be lost.
    """
    leaves = leaves_of(strategy)
    return (
        strategy.reads_money <= OF_EQUITY
        and terms.shooter_loss_cents is None
        and all(isinstance(leaf, FileStrategy) for leaf in leaves)
    )


def compile_guarded(
    rules: Rules,
    strategy: Strategy,
    *,
    bankroll_cents: int,
    states_max: int,
    short: Short = "stop",
    progress: Progress | None = None,
) -> Automaton:
    """Return the automaton of a strategy that reads its money, for sessions from a bankroll.

    Raise Untraceable if its answers are not those of a few ranges of equity, TooManyStates if there are too many.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> compile_guarded(rules, strategy_of("pass", rules), bankroll_cents=100_00, states_max=100)
    <Automaton of 7 states in units of 1000 cents, policy stop>
    """
    return _Compiler(rules, strategy, bankroll_cents, states_max, short).automaton(progress)


def guarded_network(
    rules: Rules,
    strategy: Strategy,
    terms: Terms,
    *,
    states_max: int,
    short: Short = "stop",
    progress: Progress | None = None,
) -> Network | None:
    """Return a strategy that reads its money, compiled for these sessions as one part; None if it cannot."""
    if not is_guardable(strategy, terms):
        return None
    try:
        found = compile_guarded(
            rules,
            strategy,
            bankroll_cents=terms.bankroll_cents,
            states_max=states_max,
            short=short,
            progress=progress,
        )
    except (Untraceable, TooManyStates):
        return None
    return Network((strategy.name,), (minimise(found),))


class _Compiler:
    """The nodes found so far, numbered in the order they were found."""

    def __init__(self, rules: Rules, strategy: Strategy, bankroll: int, states_max: int, policy: Short) -> None:
        self.seat, self.strategy = _GuardedSeat(rules, strategy), strategy
        self.bankroll, self.states_max, self.policy = bankroll, states_max, policy
        self.numbers: dict[_Node, int] = {}
        self.nodes: list[_Node] = []
        self.answers: dict[SeatState, list[tuple[int, _Answer]]] = {}
        self.number(_Node(self.seat.start, 0, _ALL))

    def number(self, node: _Node) -> int:
        """Return the number of a node; one that is not known yet joins `nodes`."""
        known = self.numbers.get(node)
        if known is None:
            if len(self.nodes) >= self.states_max:
                raise TooManyStates(self.strategy.name, self.states_max, [len(self.nodes)])
            known = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return known

    def automaton(self, progress: Progress | None) -> Automaton:
        """Explore every node, and return the arrays."""
        rows: list[tuple[list[int], ...]] = []
        columns: dict[str, list[int]] = {"outlay": [], "low": [], "short": []}
        labels = []
        for node in self.nodes:  # which grows meanwhile
            if progress and len(rows) % _PROGRESS_EVERY == 0:
                progress(len(rows), len(self.nodes))
            low, state, acts = self._acts(node)
            guard, short = self._short(node, low, acts)
            for name, value in (("outlay", acts.outlay), ("low", guard), ("short", short)):
                columns[name].append(value)
            labels.append(f"{state}{f' | equity from {low / 100:.2f}' if low else ''}")
            rows.append(self._row(state, acts))
        nexts, cash, mark, action, initial = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
        up, low_cents, shorts = (np.array(columns[name], dtype=np.int64) for name in ("outlay", "low", "short"))
        amounts = (cash, up, action, initial)
        unit = int(np.gcd.reduce([int(np.gcd.reduce(array, axis=None)) for array in amounts])) or 1
        guards = -((self.bankroll % unit - low_cents) // unit)  # the least equity in units that is at least `low`
        return Automaton(
            next=nexts.astype(np.int32),
            cash=cash // unit,
            outlay=np.maximum(up // unit, guards),
            short=shorts.astype(np.int32),
            mark=mark.astype(np.uint8),
            action=action // unit,
            initial=initial // unit,
            up=up // unit,
            unit=unit,
            labels=tuple(labels),
            policy=self.policy,
        )

    def _acts(self, node: _Node) -> tuple[int, SeatState, SeatActs]:
        """Return the least equity that an answer is for, the state that it is given in, and what comes of acting so."""
        answers = self.answers.get(node.moment)
        if answers is None:
            answers = self.answers[node.moment] = list(answers_by_equity(lambda seen: self._ask(node.moment, seen)))
        low, answer = answers[node.place]
        moment = node.moment
        state = SeatState(moment.puck, moment.closed, moment.mine, answer.memory, node.kept)
        try:
            return low, state, self.seat.acts_on(state, self._sight(state), answer.wishes)
        except UnlawfulWish as error:  # perhaps for an equity that no session has
            raise Untraceable(str(error)) from error

    def _ask(self, moment: SeatState, within: EquityRange) -> _Answer:
        """Return what the strategy remembers and wishes; whatever depends on equity narrows the range."""
        seen = replace(self._sight(moment), money=self._money(moment, within))
        memory = moment.memory
        try:
            if isinstance(memory, _Pending):
                memory = _settle_memory(self.strategy.memory_after(memory.memory, _with_money(memory.effects, seen)))
            return _Answer(memory, tuple(_settle_wish(wish) for wish in self.strategy.wishes(seen, memory)))
        except StrategyError as error:  # perhaps for an equity that no session has, such as a memory above its max
            raise Untraceable(str(error)) from error
        except (TypeError, ValueError) as error:  # a number that depends on equity was used as no other number is
            raise Untraceable(f"its money is read in a way that has no ranges: {error}") from error

    @staticmethod
    def _sight(state: SeatState) -> Seen:
        return Seen(state.puck, is_clearing=False, mine=state.mine, closed=state.closed)

    def _money(self, moment: SeatState, within: EquityRange) -> SeenMoney:
        start, layout = self.bankroll, sum(wager.cents for wager in moment.mine)
        net = TracedNumber(within, lambda equity: equity - start, slope=1)
        rack = TracedNumber(within, lambda equity: equity - layout, slope=1)
        return SeenMoney(net, 0, rack, 0)  # type: ignore[arg-type] # numbers that note what is asked of them

    def _short(self, node: _Node, low: int, acts: SeatActs) -> tuple[int, int]:
        """Return the least equity that the node is for beside its outlay, and the number of the node to take below."""
        moment, place, _ = node
        is_last = place == len(self.answers[moment]) - 1
        if not is_last and acts.outlay <= low:
            return low, self.number(_Node(moment, place + 1, _ALL))
        fewer = self._fewer(node, acts)
        if fewer is None:
            if is_last:
                return 0, -1
            raise Untraceable(f"from an equity of {low / 100:.2f} on it wagers {acts.outlay / 100:.2f}")
        return 0, self.number(fewer)

    def _fewer(self, node: _Node, acts: SeatActs) -> _Node | None:
        """Return the node in which fewer wishes are kept, as the policy has it; None for ruin."""
        if self.policy == "stop" or not acts.made:
            return None
        fewer = _Node(node.moment, node.place, acts.made - 1 if self.policy == "reduce" else 0)
        return None if not fewer.kept and self._acts(_Node(*fewer[:2], 0))[2].is_bare else fewer

    def _row(self, state: SeatState, acts: SeatActs) -> tuple[list[int], ...]:
        """Return next, cash, mark, action and initial of all 36 outcomes."""
        nexts, cash, marks, action, initial = row = tuple([0] * OUTCOMES for _ in range(5))
        for outcomes, rolled in self.seat.distinct_rolls(state, acts):
            number = self.number(_Node(rolled.after, 0, _ALL))
            for outcome in outcomes:
                nexts[outcome], cash[outcome], marks[outcome] = number, rolled.cash, rolled.mark
                action[outcome], initial[outcome] = rolled.action, rolled.initial
        return row


def _with_money(effects: Any, seen: Seen) -> Any:  # noqa: ANN401 - opaque: what a strategy made of a roll
    """Return the effects of a roll with the money that is seen after it."""
    if isinstance(effects, Seen):
        return replace(effects, money=seen.money)
    return tuple(_with_money(part, seen) for part in effects) if type(effects) is tuple else effects


def _settle_memory(memory: Any) -> Any:  # noqa: ANN401 - opaque: numbers in tuples
    """Return a memory with its numbers known, whatever they depend on."""
    if isinstance(memory, tuple):
        return tuple(_settle_memory(part) for part in memory)
    return int(memory) if isinstance(memory, TracedNumber) else memory


def _settle_wish(wish: Wish) -> Wish:
    return replace(wish, cents=int(wish.cents)) if isinstance(wish, Want | Lower) else wish
