"""A table where a strategy plays one session with real money, to replay and check what an automaton says.

The player pays from a real rack, so the engine itself refuses what the player cannot afford. A companion shoots, as in
an automaton.
"""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from passline.automaton.arrays import HAND, LINE, WON, Short
from passline.automaton.terms import SessionError
from passline.dice import Roll
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager, open_table, wagers_of_seat
from passline.game.wording import format_event
from passline.money import dollars
from passline.refusal import Refused
from passline.rules.meters import at_meters
from passline.rules.rules import Rules
from passline.strategy.interface import (
    AFTER_EVENTS,
    ROLL_EVENTS,
    Seen,
    Strategy,
    Want,
    Wish,
    commands_of,
    is_of_unmade_wager,
    wish_text,
)
from passline.strategy.purse import Purse, SeenMoney
from passline.strategy.strategy_table import UnlawfulWish

_COMPANION, _PLAYER = 1, 2
_CHIPS = 10**11
_SETTLED = (e.WagerWon, e.WagerLost, e.WagerReturned)


class RealTable:
    """A strategy at seat 2 with a bankroll, and at seat 1 a companion who always has a line wager and shoots.

    >>> from passline.dice import roll_of
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> table = RealTable(rules, strategy_of("pass:odds=2", rules), bankroll_cents=100_00)
    >>> table.acts(), table.roll(roll_of(2, 2)), table.equity_cents
    (True, 0, 10000)
    >>> table.acts(), table.roll(roll_of(1, 3)), table.equity_cents
    (True, 9, 15000)
    >>> table.messages[0]
    'seat 2 Pass Line wins 10.00 (10.00 at 1 to 1) [MD-3.A.1.a.ii, MD-5.A.1]'
    """

    def __init__(self, rules: Rules, strategy: Strategy, *, bankroll_cents: int, short: Short = "stop") -> None:
        rules = at_meters(rules)  # as the automaton has them
        if bankroll_cents % rules.chip:
            raise SessionError(
                f"a bankroll of {dollars(bankroll_cents)} cannot be dealt in chips of {dollars(rules.chip)}: bring "
                f"{dollars(bankroll_cents // rules.chip * rules.chip)}"
            )
        self.rules, self.strategy, self.policy = rules, strategy, short
        self.memory: Hashable = strategy.start
        self.messages: tuple[str, ...] = ()
        """What the player's last acts or the last roll did to the player's wagers, in words."""
        self.happened: tuple[e.Event, ...] = ()
        """The events of the player's last acts, or of the last roll with everybody's wagers."""
        self.wagered_cents = 0
        self._hears = {e.DiceSurrendered} | (ROLL_EVENTS if strategy.hears_rolls else frozenset())
        self._purse = Purse(bankroll_cents) if strategy.reads_money else None
        self.table: Table = open_table(rules, bank=_CHIPS)
        for seat, chips in ((_COMPANION, _CHIPS), (_PLAYER, bankroll_cents)):
            self._must(c.TakeSeat(seat=seat))
            self._must(c.BuyIn(seat=seat, cents=chips))
        self._companion_shoots()

    @property
    def equity_cents(self) -> int:
        """The player's rack and the wagers up at face."""
        return self.table.money.racks[_PLAYER - 1] + sum(wager.cents for wager in self._mine())

    def acts(self, floor_cents: int = 0) -> bool:
        """Let the strategy act within its policy, keeping `floor_cents` in the rack; return whether it could.

        If it could not, `is_ruined` tells whether it could not have without the floor either.
        """
        wished = self._commands()
        made = sum(isinstance(wish, Want) for wish, _ in wished)
        kept: int | None = None
        while (table := self._act(wished, kept, floor_cents)) is None:
            count = made if kept is None else kept
            fewer = count - 1 if self.policy == "reduce" else 0
            if self.policy == "stop" or not count or not (fewer or self._mine(self._must_act(wished))):
                self.is_ruined = self._act(wished, kept, 0) is None
                return False
            kept = fewer
        self.table = table
        return True

    is_ruined = False
    """Whether the strategy could not act although it might have spent its whole rack."""

    def roll(self, roll: Roll) -> int:
        """Roll the dice and settle; return the marks of the roll."""
        happened = self._must(c.RollDice(first=roll.first, second=roll.second))
        self.happened = happened
        settled = [event for event in happened if isinstance(event, _SETTLED)]
        mine = [event for event in settled if event.wager.seat == _PLAYER]
        self.wagered_cents += sum(event.cents for event in mine if not isinstance(event, e.WagerReturned))
        self.messages = tuple(format_event(event, self.rules) for event in mine)
        self._remember(tuple(event for event in happened if event in mine or self._is_heard(event)))
        line = [event for event in settled if event.wager.seat == _COMPANION]
        mark = (LINE if line else 0) | (WON if any(isinstance(event, e.WagerWon) for event in line) else 0)
        if any(isinstance(event, e.DiceSurrendered) for event in happened):
            mark |= HAND
            if self._purse:
                self._purse.end_hand(self.equity_cents)
        self._companion_shoots()
        return mark

    def _is_heard(self, event: e.Event) -> bool:
        is_after = self.strategy.sees_after and type(event) in AFTER_EVENTS
        return type(event) in self._hears or (is_after and event.wager.seat == _PLAYER)  # type: ignore[union-attr]

    def _remember(self, heard: tuple[e.Event, ...]) -> None:
        if self._purse:
            self._purse.settle(self.equity_cents)
        if self.memory is None:
            return
        if self.strategy.sees_after:
            self.memory = self.strategy.remember_seen(self.memory, heard, self.sight())
        else:
            self.memory = self.strategy.remember(self.memory, heard)

    def sight(self) -> Seen:
        """Return what the strategy sees now."""
        position = self.table.position
        return Seen(position.puck, is_clearing=False, mine=self._mine(), closed=position.closed, money=self._money())

    def _money(self) -> SeenMoney | None:
        rack = self.table.money.racks[_PLAYER - 1]
        return self._purse.sight(self.equity_cents, rack_cents=rack) if self._purse else None

    def _mine(self, table: Table | None = None) -> tuple[Wager, ...]:
        return wagers_of_seat((table or self.table).position, _PLAYER)

    def _commands(self) -> list[tuple[Wish, c.Command]]:
        seen = self.sight()
        wishes = self.strategy.wishes(seen, self.memory)
        return list(commands_of(self.rules, _PLAYER, seen, wishes))

    def _act(self, wished: list[tuple[Wish, c.Command]], kept: int | None, floor_cents: int) -> Table | None:
        """Return the table after acting with all of the rack but the floor; None if that is not enough."""
        if self.table.money.racks[_PLAYER - 1] < floor_cents:
            return None
        table, events, made = _with_rack(self.table, -floor_cents), list[e.Event](), 0
        for wish, command in wished:
            if isinstance(wish, Want):
                if made == kept:
                    continue
                made += 1
            elif is_of_unmade_wager(table.position, command):
                continue
            outcome = act(self.rules, table, command)
            if isinstance(outcome, Refused):
                if all(refusal.is_money for refusal in outcome.refusals):
                    return None
                said = wish_text(self.rules, wish)
                raise UnlawfulWish(f"{self.strategy.name} wishes to {said}, which is refused: {outcome}")
            happened, table = outcome
            events += happened
        self.happened = tuple(events)
        self.messages = tuple(format_event(event, self.rules) for event in events)
        return _with_rack(table, floor_cents)

    def _must_act(self, wished: list[tuple[Wish, c.Command]]) -> Table:
        """Return the table after acting without making a wager, which costs nothing."""
        table = self._act(wished, 0, 0)
        assert table is not None
        return table

    def _must(self, command: c.Command) -> tuple[e.Event, ...]:
        outcome = act(self.rules, self.table, command)
        assert not isinstance(outcome, Refused), f"{command}: {outcome}"
        happened, self.table = outcome
        return tuple(happened)

    def _companion_shoots(self) -> None:
        """Pass the dice to the companion and make the companion's line wager."""
        while self.table.position.dice == "offered":
            seat = self.table.position.offered_to
            self._must(c.AcceptDice(seat=seat) if seat == _COMPANION else c.DeclineDice(seat=seat))
        line = self.rules.procedures.shooter.line_wagers[0]
        if not self.table.position.puck and not any(w.seat == _COMPANION for w in self.table.position.layout):
            self._must(c.MakeWager(seat=_COMPANION, wager=line, cents=self.rules.wagers[line].min))


def _with_rack(table: Table, change: int) -> Table:
    """Return the table with the player's rack changed by an amount."""
    if not change:
        return table
    racks = list(table.money.racks)
    racks[_PLAYER - 1] += change
    return Table(table.position, replace(table.money, racks=tuple(racks)))
