"""What a strategy file says in vain: words nobody reads, wishes that never come, and what each line costs in states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.compiler import compile_states
from passline.automaton.real_table import RealTable
from passline.automaton.told import Cost
from passline.dice import number_text
from passline.dice_sources import seeded_rolls
from passline.expression_words import Evaluate, Expression
from passline.rules.rules import Rules
from passline.strategy.interface import StrategyError
from passline.strategy.strategy_file import FileStrategy, StrategyFile, bind
from passline.strategy.strategy_table import UnlawfulWish
from passline.strategy.vocabulary import fault_of_number
from passline.strategy.wish_entry import BoundWish

STATES_MAX = 2_000
"""The most states that are looked at for one question."""
_BUDGET = 6 * STATES_MAX  # for all questions about one file
_ROLLS = 1_000
_ROLLS_INSTEAD = 2_500  # where there are too many states to look at all: some three hundred hands
_BANKROLLS = (150_00, 1_000_00, 100_000_00)  # soon gone, the usual, and more than enough
_WORD = re.compile(r"[A-Za-z_]\w*")


class Lint(Struct, frozen=True):
    """What was found in a strategy file under some rules."""

    unused: tuple[str, ...]
    never: tuple[str, ...]
    seen: str  # how much was looked at
    states: int  # of the whole strategy; 0 if it reads money
    is_all: bool  # whether these are all its states
    costs: tuple[Cost, ...]


class _Tally:
    """How often a wish was possible, its condition true and its amount more than 0."""

    def __init__(self) -> None:
        self.possible = self.true = self.some = 0


def lint(file: StrategyFile, rules: Rules, *, with_costs: bool = True) -> Lint:
    """Return which words of a strategy file are never used, which wishes never come true, and what each line costs.

    It tries the file under these rules: every state of it, or the first `STATES_MAX` and some thousand rolls; one that
    reads money is played only. `with_costs` tries it again without each memory and each wish, to count the states left.

    >>> from passline.strategy.lookup import strategy_file
    >>> found = lint(strategy_file("one_three_two_six"), Rules.of("maryland"))
    >>> found.unused, found.never, found.costs[0]
    ((), (), Cost(line='memory.step', without=7))
    """
    strategy = bind(file, rules)
    tallies = [_Tally() for _ in strategy.bound_wishes]
    probe = replace(
        strategy,
        bound_wishes=tuple(map(_counting_wish, strategy.bound_wishes, tallies)),
    )
    costs: tuple[Cost, ...] = ()
    if strategy.reads_money:
        rolls = sum(_play(rules, probe, bankroll) for bankroll in _BANKROLLS)
        seen, states, is_all = f"{rolls:,} rolls", 0, False
    else:
        states, is_all = _states(rules, probe)
        seen = f"{'all its' if is_all else 'the first'} {states:,} states"
        if not is_all:  # the first are those soon after the start: what comes late is found by playing
            seen += f" and {_play(rules, probe, max(_BANKROLLS), rolls=_ROLLS_INSTEAD):,} rolls"
        costs = tuple(_costs(file, rules, strategy, states)) if with_costs else ()
    never = (*_numbers_nothing_has(strategy, rules), *_never(file, tallies))
    return Lint(tuple(_unused_names(file, strategy)), never, seen, states, is_all, costs)


def _counting_wish(wish: BoundWish, tally: _Tally) -> BoundWish:
    when, cents = wish.when.evaluate, wish.cents

    def is_wished(moment: object) -> int:
        value = when(moment)  # type: ignore[arg-type]
        tally.possible += 1
        tally.true += bool(value)
        return value

    def amount(moment: object) -> int:
        assert cents is not None
        value = cents.evaluate(moment)  # type: ignore[arg-type]
        tally.some += bool(value)
        return value

    counted = replace(wish, when=_with(wish.when, is_wished))
    return counted if cents is None else replace(counted, cents=_with(cents, amount))


def _with(expression: Expression, evaluate: Evaluate) -> Expression:  # type: ignore[type-arg]
    return replace(expression, evaluate=evaluate)


def _play(rules: Rules, strategy: FileStrategy, bankroll_cents: int, *, rolls: int = _ROLLS) -> int:
    """Play by the engine until the money is gone; return the number of rolls."""
    table = RealTable(rules, strategy, bankroll_cents=bankroll_cents, short="reduce")
    count = 0
    for roll in islice(seeded_rolls(36), rolls):
        if not table.acts() and table.is_ruined:
            break
        table.roll(roll)
        count += 1
    return count


def _states(rules: Rules, strategy: FileStrategy) -> tuple[int, bool]:
    """Return how many states were found, at most `STATES_MAX`, and whether these are all."""
    return compile_states(rules, strategy, states_max=STATES_MAX)


def _never(file: StrategyFile, tallies: list[_Tally]) -> Iterator[str]:
    for at, (entry, tally) in enumerate(zip(file.wish, tallies, strict=True)):
        ((does, kind),) = entry.does.items()
        line = f"wish[{at}] ({does} {kind})"
        if not tally.possible:
            yield f"{line} was never possible"
        elif not tally.true:
            yield f"{line}: its condition was never true: {entry.when}"
        elif does == "make" and not tally.some:
            yield f"{line}: its amount was always 0"


def _numbers_nothing_has(strategy: FileStrategy, rules: Rules) -> Iterator[str]:
    """Yield the calls with `number` where the number of the wish or the memory is none that the wager has."""
    wishes = ((f"wish[{at}]", wish.calls, wish.fixed) for at, wish in enumerate(strategy.bound_wishes))
    counters = ((f"memory.{counter.label}", counter.next.named, (counter.number,)) for counter in strategy.counters)
    for line, calls, numbers in (*wishes, *counters):
        for kind, text in sorted(calls):
            for number in numbers if text == "number" else ():
                if problem := fault_of_number(rules, "won", kind, number):
                    yield f"{line}: number is {number_text(number) or 0}: {problem}"


def _unused_names(file: StrategyFile, strategy: FileStrategy) -> Iterator[str]:
    """Yield the parameters, memories and lets that decide no wish, neither themselves nor through others."""
    words = {key: _WORD.findall(f"{entry.next} {entry.start}") for key, entry in file.memory.items()}
    words |= {key: _WORD.findall(str(text)) for key, text in file.let.items()}
    waiting = [word.removesuffix("[]") for wish in strategy.bound_wishes for word in wish.reads]
    waiting += [entry.on for entry in file.wish if isinstance(entry.on, str)]
    used: set[str] = set()
    while waiting:
        word = waiting.pop()
        if word not in used:
            used.add(word)
            waiting += words.get(word, [])
    for what, keys in (("parameters", file.parameters), ("memory", file.memory), ("let", file.let)):
        yield from (f"{what}.{key} decides nothing" for key in keys if key not in used)


def _costs(file: StrategyFile, rules: Rules, strategy: FileStrategy, states: int) -> Iterator[Cost]:
    """Yield how many states are left without each memory, which then keeps its start, and without each wish."""
    budget = _BUDGET - states
    for line, without in _without_one(file, strategy):
        count = None
        if budget > 0:
            try:
                count, _ = _states(rules, without)
            except (UnlawfulWish, StrategyError):  # what is left may be unlawful alone
                count = 0
            budget -= count
        yield Cost(line, count or None)


def _without_one(file: StrategyFile, strategy: FileStrategy) -> Iterator[tuple[str, FileStrategy]]:
    start = strategy.start or ()
    for key in file.memory:
        kept = []
        for place, counter in enumerate(strategy.counters):
            if counter.label.partition("[")[0] == key:
                fixed = replace(counter.next, evaluate=_always(start[place]))
                kept.append(replace(counter, next=fixed, known={}))
            else:
                kept.append(replace(counter, known={}))
        yield f"memory.{key}", replace(strategy, counters=tuple(kept))
    for at, entry in enumerate(file.wish):
        ((does, kind),) = entry.does.items()
        wishes = strategy.bound_wishes
        yield f"wish[{at}] ({does} {kind})", replace(strategy, bound_wishes=wishes[:at] + wishes[at + 1 :])


def _always(value: int) -> Evaluate[object]:
    return lambda _scope: value
