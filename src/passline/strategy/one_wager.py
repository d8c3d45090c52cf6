"""The strategy behind every line of a par sheet: one wager, made once and left up until it is decided."""

from __future__ import annotations

from collections.abc import Hashable

from passline.dice import number_text
from passline.game.events import Event, WagerLost, WagerReturned, WagerWon
from passline.money import dollars
from passline.rules.rules import Rules
from passline.rules.schema import SideWager, part_spot
from passline.strategy.interface import BaseStrategy, Seen, Want, Wish

_DECIDED = (WagerWon, WagerLost, WagerReturned)


class OneWager(BaseStrategy, frozen=True, kw_only=True):
    """Make one wager as soon as it can be made, with the most odds the house allows if `odds` names them; then nothing.

    Where a side wager requires a line wager of the same player, the minimum is made beside it and does not count.

    >>> OneWager(rules=Rules.of("maryland"), kind="place_win", number=6, cents=12_00).wishes(Seen(0, False, ()), False)
    (Want(kind='place_win', number=6, cents=1200),)
    """

    rules: Rules
    kind: str
    number: int = 0
    cents: int
    odds: str = ""  # the kind of odds to take behind it
    start: Hashable = False  # the memory: whether the wager is decided

    @property
    def name(self) -> str:
        """The wager, its number and its amount."""
        return " ".join(filter(None, (self.kind, number_text(self.number), dollars(self.cents))))

    @property
    def shoots(self) -> bool:
        """False: the companion shoots."""
        return False

    @property
    def counted_kinds(self) -> frozenset[str] | None:
        """The kinds of wager whose money counts; None for all. A line wager that is only required does not count."""
        return frozenset({self.kind}) if self._line else None

    @property
    def _line(self) -> str:
        entry = self.rules.wagers[self.kind].entry
        needs_line = isinstance(entry, SideWager) and entry.line_wager
        return self.rules.procedures.shooter.line_wagers[0] if needs_line else ""

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return whether the wager, or one of its parts, has been decided or returned."""
        beside = {self._line, self.odds}
        is_over = any(
            isinstance(event, _DECIDED) and event.wager.kind not in beside and getattr(event, "after", None) is None
            for event in happened
        )
        return is_over or memory

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the wager once it can be made, and odds once it has a point.

        A wager on a number that takes odds waits for the puck to be ON.
        """
        if memory:
            return ()
        waits = self.rules.wagers[self.kind].entry.make.when == "point" or (self.odds and self.number)
        wished: list[Wish] = [Want(self._line, 0, self.rules.wagers[self._line].min)] if self._line else []
        rule = self.rules.wagers[self.kind]
        kinds = {self.kind, *(part_spot(part)[0] for part, _units in rule.breakdown)}  # that it is booked as
        points = [wager.number or seen.puck for wager in seen.mine if wager.kind in kinds]
        if not points and (seen.puck or not waits):
            wished.append(Want(self.kind, self.number, self.cents))
            points = [self.number]
        if self.odds:
            numbers = self.rules.wagers[self.odds].numbers & set(points)
            wished += [Want(self.odds, point, most) for point in numbers if (most := self._most_odds(point))]
        return tuple(wished)

    def _most_odds(self, point: int) -> int:
        """Return the most odds allowed in whole chips that the house can pay exactly, or rounds."""
        rules, rule = self.rules, self.rules.wagers[self.odds]
        most = rules.odds_cents_max(rule, point, self.cents)
        assert most is not None
        most -= most % rules.chip
        is_payable = rules.winnings(rule.payouts[point], most) is not None
        return most if is_payable else most - most % rule.unit(point, rules.chip)
