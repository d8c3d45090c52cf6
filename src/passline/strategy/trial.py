"""A strategy tried at a table: played for a while beside a shooter, to find out whether the rules refuse a wish."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice

from passline.dice_sources import seeded_rolls
from passline.game.events import Event
from passline.rules.rules import Rules
from passline.strategy.base import BaseStrategy, Simple
from passline.strategy.expression import StrategyError
from passline.strategy.interface import Seen, Strategy, Want, Wish
from passline.strategy.strategy_table import StrategyTable, UnlawfulWish

__all__ = ["fault_in_play"]

_ROLLS = 600  # some eighty hands: every point, and most streaks that a strategy can remember
_BANKROLL = 10**9


class _Offered(BaseStrategy, frozen=True):
    """A strategy without its wishes for wagers that the house does not offer: only the house decides about those."""

    strategy: Strategy
    rules: Rules

    @property
    def name(self) -> str:
        """Its name."""
        return self.strategy.name

    @property
    def shoots(self) -> bool:
        """Whether it takes the dice."""
        return self.strategy.shoots

    @property
    def hears_rolls(self) -> bool:
        """Whether it hears of every roll."""
        return self.strategy.hears_rolls

    @property
    def start(self) -> Hashable:
        """Its first memory."""
        return self.strategy.start

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return its memory after a roll."""
        return self.strategy.remember(memory, happened)

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return its wishes for what is offered."""
        wished = self.strategy.wishes(seen, memory)
        return tuple(wish for wish in wished if self.rules.wagers[wish.kind].is_offered)


def fault_in_play(strategy: Strategy, rules: Rules) -> str:
    """Play a strategy with all the money it wants; return the refusal of the first wish that the rules refuse, or "".

    >>> from passline.strategy.lookup import strategy_of
    >>> colorado = Rules.of("colorado")
    >>> fault_in_play(strategy_of("pass", colorado), colorado)
    ''
    >>> fault_in_play(strategy_of("six_eight:unit=$130", colorado), colorado)[:62]
    'six_eight:unit=13000 wishes to make Place Bet to Win 6 for $13'
    """

    def least(seen: Seen) -> tuple[Wish, ...]:
        return () if seen.puck else (Want("pass", 0, rules.wagers["pass"].min),)

    table = StrategyTable(rules, [Simple("the shooter", shoots=True, wish=least), _Offered(strategy, rules)])
    table.open(_BANKROLL)
    try:
        table.play((roll.first, roll.second) for roll in islice(seeded_rolls(18), _ROLLS))
    except (UnlawfulWish, StrategyError) as error:
        return str(error)
    return ""
