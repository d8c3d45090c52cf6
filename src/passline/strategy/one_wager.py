"""One wager made once and left to its end: the strategy behind every line of a par sheet."""

from __future__ import annotations

from collections.abc import Hashable

from passline.dice import number_text
from passline.game.events import Event, WagerLost, WagerReturned, WagerWon
from passline.money import dollars
from passline.rules.rules import Rules
from passline.rules.schema import SideWager
from passline.strategy.combined import Adding
from passline.strategy.interface import Seen, Want, Wish

__all__ = ["OneWager"]

_DECIDED = (WagerWon, WagerLost, WagerReturned)


class OneWager(Adding, frozen=True, kw_only=True):
    """Make one wager as soon as it may be made, with the most odds the house allows where asked, and no other after it.

    A wager that needs a line wager of its player gets one beside it, whose money is not this strategy's business.

    >>> OneWager(rules=Rules.of("maryland"), kind="place_win", number=6, cents=12_00).wishes(Seen(0, False, ()), False)
    (Want(kind='place_win', number=6, cents=1200),)
    """

    rules: Rules
    kind: str
    number: int = 0
    cents: int
    odds: str = ""  # the kind of odds taken behind it
    start: Hashable = False  # not over yet

    @property
    def name(self) -> str:
        """The wager's own name."""
        return " ".join(filter(None, (self.kind, number_text(self.number), dollars(self.cents))))

    @property
    def shoots(self) -> bool:
        """It is the companion who shoots."""
        return False

    @property
    def counted(self) -> frozenset[str] | None:
        """The wagers whose money counts: all, unless a line wager stands beside it only because it must."""
        return frozenset({self.kind}) if self._line else None

    @property
    def _line(self) -> str:
        entry = self.rules.wagers[self.kind].entry
        needs_line = isinstance(entry, SideWager) and entry.line_wager
        return self.rules.procedures.shooter.line_wagers[0] if needs_line else ""

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """It is over once the wager, or one of its parts, is decided or returned."""
        beside = {self._line, self.odds}
        over = any(
            isinstance(event, _DECIDED) and event.wager.kind not in beside and getattr(event, "after", None) is None
            for event in happened
        )
        return over or memory

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """The wager at its first moment, and odds once there is a point; with odds at once it waits for a point."""
        if memory:
            return ()
        waits = self.rules.wagers[self.kind].entry.make.when == "point" or (self.odds and self.number)
        wished: list[Wish] = [Want(self._line, 0, self.rules.wagers[self._line].min)] if self._line else []
        points = [wager.number or seen.puck for wager in seen.mine if wager.kind == self.kind]
        if not points and (seen.puck or not waits):
            wished.append(Want(self.kind, self.number, self.cents))
            points = [self.number]
        if self.odds:
            numbers = self.rules.wagers[self.odds].numbers & set(points)
            wished += [Want(self.odds, point, most) for point in numbers if (most := self._most(point))]
        return tuple(wished)

    def _most(self, point: int) -> int:
        """The most odds allowed that can be made of chips and, where the house does not round, paid with them."""
        rules, rule = self.rules, self.rules.wagers[self.odds]
        most = rules.odds_cents_max(rule, point, self.cents)
        assert most is not None
        most -= most % rules.chip
        is_payable = rules.winnings(rule.payouts[point], most) is not None
        return most if is_payable else most - most % rule.unit(point, rules.chip)
