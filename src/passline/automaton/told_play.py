"""A strategy played on given dice by the engine, telling before each roll what it does and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from passline.automaton.real_table import RealTable
from passline.automaton.told import ToldWish
from passline.dice import Roll, number_text
from passline.rules.rules import Rules
from passline.strategy.interface import Combined, Seen, Strategy, wish_text
from passline.strategy.purse import SeenMoney
from passline.strategy.strategy_file import FileStrategy


class ToldRoll(Struct, frozen=True):
    """One roll: what the strategy saw and remembered, its wishes, what it did, the dice and what they decided."""

    roll: int
    puck: int
    memory: dict[str, int]
    money: SeenMoney | None
    wishes: tuple[ToldWish, ...]
    acted: tuple[str, ...]
    short: bool  # whether it had too little money to act
    dice: str
    settled: tuple[str, ...]
    equity_cents: int


def told_play(rules: Rules, strategy: Strategy, dice: Iterable[Roll], *, bankroll_cents: int) -> Iterator[ToldRoll]:
    """Play these dice with a companion who shoots; yield each roll with its reasons.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> told = told_play(rules, strategy_of("pass:odds=2", rules), [Roll(2, 2), Roll(1, 3)], bankroll_cents=500_00)
    >>> for roll in told:
    ...     print(roll.dice, [(wish.said or wish.why_not) for wish in roll.wishes], roll.equity_cents)
    2-2 [('make Pass Bet for $10',)] 50000
    1-3 ['it cannot be made now', ('make Pass supplemental wager 4 for $20',)] 55000
    """
    table = RealTable(rules, strategy, bankroll_cents=bankroll_cents, short="reduce")
    for count, roll in enumerate(dice, start=1):
        seen, memory = table.sight(), table.memory
        wishes = tuple(told_wishes(rules, strategy, seen, memory))
        is_short = not table.acts()
        acted = () if is_short else table.messages
        table.roll(roll)
        yield ToldRoll(
            roll=count,
            puck=seen.puck,
            memory=dict(_memory_values(strategy, memory)),
            money=seen.money,
            wishes=wishes,
            acted=acted,
            short=is_short,
            dice=roll.pair,
            settled=table.messages,
            equity_cents=table.equity_cents,
        )


def _parts(strategy: Strategy, memory: object) -> Iterator[tuple[Strategy, object]]:
    """Yield the strategies of a sum, each with its own memory."""
    if isinstance(strategy, Combined):
        memories = memory if isinstance(memory, tuple) else (None, None)
        yield from _parts(strategy.first, memories[0])
        yield from _parts(strategy.second, memories[1])
    else:
        yield strategy, memory


def told_wishes(rules: Rules, strategy: Strategy, seen: Seen, memory: object) -> Iterator[ToldWish]:
    """Yield each wish of a file at a moment: what it says and why, or why it says nothing."""
    for part, own in _parts(strategy, memory):
        if isinstance(part, FileStrategy):
            for at, reason in part.reasons(seen, own):
                yield ToldWish(
                    strategy=part.name,
                    wish=at,
                    does=reason.does,
                    wager=reason.wager,
                    number=number_text(reason.number) if reason.number else "",
                    said=tuple(wish_text(rules, wish) for wish in reason.wished),
                    when=reason.when,
                    values=reason.values,
                    why_not=reason.why_not,
                )


def _memory_values(strategy: Strategy, memory: object) -> Iterator[tuple[str, int]]:
    for part, own in _parts(strategy, memory):
        if isinstance(part, FileStrategy):
            yield from part.memory_values(own).items()
