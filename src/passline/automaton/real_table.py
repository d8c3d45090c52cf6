"""A player at a real table, to check an automaton against: real wagers from a real rack, beside a companion who shoots.

What money allows is asked of the engine itself: a player is short when it refuses a wager for want of chips.
"""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from passline.automaton.arrays import HAND, LINE, Short
from passline.dice import Roll
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager, open_table
from passline.game.refusal import Refused
from passline.game.wording import format_event
from passline.rules.rules import Rules
from passline.strategy.interface import ROLL_EVENTS, Seen, Strategy, Want
from passline.strategy.strategy_table import UnlawfulWish
from passline.strategy.wish_commands import commands_of

__all__ = ["ReplayTable"]

_COMPANION, _PLAYER = 1, 2
_CHIPS = 10**11
_SETTLED = (e.WagerWon, e.WagerLost, e.WagerReturned)


class ReplayTable:
    """One strategy at seat 2 with a bankroll; at seat 1 a companion who always has a line wager and throws.

    >>> from passline.dice import roll_of
    >>> from passline.strategy.library import pass_with_odds
    >>> table = ReplayTable(Rules.of("maryland"), pass_with_odds(10_00, 2), bankroll_cents=100_00)
    >>> table.acts(), table.roll(roll_of(2, 2)), table.equity_cents
    (True, 0, 10000)
    >>> table.acts(), table.roll(roll_of(1, 3)), table.equity_cents
    (True, 1, 15000)
    >>> table.told[0]
    'seat 2 Pass Line wins 10.00 (10.00 at 1 to 1) [MD-3.A.1.a.ii, MD-5.A.1]'
    """

    def __init__(self, rules: Rules, strategy: Strategy, *, bankroll_cents: int, short: Short = "stop") -> None:
        self.rules, self.strategy, self.policy = rules, strategy, short
        self.memory: Hashable = strategy.start
        self.told: tuple[str, ...] = ()
        """What the last acts or the last roll did for the player, in words."""
        self.wagered_cents = 0
        self._hears = {e.DiceSurrendered} | (ROLL_EVENTS if strategy.hears_rolls else frozenset())
        self.table: Table = open_table(rules, bank=_CHIPS)
        for seat, chips in ((_COMPANION, _CHIPS), (_PLAYER, bankroll_cents)):
            self._must(c.TakeSeat(seat=seat))
            self._must(c.BuyIn(seat=seat, cents=chips))
        self._companion_shoots()

    @property
    def equity_cents(self) -> int:
        """The rack, and wagers up at face."""
        return self.table.money.racks[_PLAYER - 1] + sum(wager.cents for wager in self._mine())

    def acts(self, floor_cents: int = 0) -> bool:
        """Let the strategy act, as far as the policy and all but `floor_cents` of the rack allow; whether it could.

        Where it could not, `is_ruined` says whether the floor was the only reason.
        """
        wished = self._wished()
        made = sum(isinstance(wish, Want) for wish, _ in wished)
        kept: int | None = None
        while (table := self._acted(wished, kept, floor_cents)) is None:
            count = made if kept is None else kept
            if self.policy == "stop" or not count:
                self.is_ruined = self._acted(wished, kept, 0) is None
                return False
            fewer = count - 1 if self.policy == "reduce" else 0
            if not fewer and not self._mine(self._must_act(wished)):
                self.is_ruined = self._acted(wished, kept, 0) is None
                return False
            kept = fewer
        self.table = table
        return True

    is_ruined = False
    """Whether the last acts could not be paid for from the whole rack either."""

    def roll(self, roll: Roll) -> int:
        """Throw the dice; give the marks of the roll."""
        happened = self._must(c.RollDice(first=roll.first, second=roll.second))
        settled = [event for event in happened if isinstance(event, _SETTLED)]
        mine = [event for event in settled if event.wager.seat == _PLAYER]
        self.wagered_cents += sum(event.cents for event in mine if not isinstance(event, e.WagerReturned))
        self.told = tuple(format_event(event, self.rules) for event in mine)
        heard = tuple(event for event in happened if event in mine or type(event) in self._hears)
        if self.memory is not None and heard:
            self.memory = self.strategy.remember(self.memory, heard)
        mark = LINE if any(event.wager.seat == _COMPANION for event in settled) else 0
        if any(isinstance(event, e.DiceSurrendered) for event in happened):
            mark |= HAND
        self._companion_shoots()
        return mark

    def start_over(self) -> None:
        """Forget everything, as before a session."""
        self.memory = self.strategy.start

    def _mine(self, table: Table | None = None) -> tuple[Wager, ...]:
        return tuple(wager for wager in (table or self.table).position.layout if wager.seat == _PLAYER)

    def _wished(self) -> list[tuple[object, c.Command]]:
        position = self.table.position
        seen = Seen(position.puck, is_clearing=False, mine=self._mine(), closed=position.closed)
        wishes = self.strategy.wishes(seen, self.memory)
        return list(commands_of(self.rules, _PLAYER, seen, wishes))

    def _acted(self, wished: list[tuple[object, c.Command]], kept: int | None, floor_cents: int) -> Table | None:
        """The table after acting with all but so much of the rack; None for who is short."""
        if self.table.money.racks[_PLAYER - 1] < floor_cents:
            return None
        table, told, made = _with_rack(self.table, -floor_cents), [], 0
        for wish, command in wished:
            if isinstance(wish, Want):
                if made == kept:
                    continue
                made += 1
            outcome = act(self.rules, table, command)
            if isinstance(outcome, Refused):
                if all(one.is_money for one in outcome.refusals):
                    return None
                raise UnlawfulWish(f"{self.strategy.name} wishes for what is refused: {wish}: {outcome}")
            happened, table = outcome
            told += [format_event(event, self.rules) for event in happened]
        self.told = tuple(told)
        return _with_rack(table, floor_cents)

    def _must_act(self, wished: list[tuple[object, c.Command]]) -> Table:
        """The table once nothing new is made, which costs nothing."""
        table = self._acted(wished, 0, 0)
        assert table is not None
        return table

    def _must(self, command: c.Command) -> tuple[e.Event, ...]:
        outcome = act(self.rules, self.table, command)
        assert not isinstance(outcome, Refused), f"{command}: {outcome}"
        happened, self.table = outcome
        return tuple(happened)

    def _companion_shoots(self) -> None:
        """See to it that the companion has the dice and a line wager."""
        while self.table.position.dice == "offered":
            seat = self.table.position.offered_to
            self._must(c.AcceptDice(seat=seat) if seat == _COMPANION else c.DeclineDice(seat=seat))
        line = self.rules.procedures.shooter.line_wagers[0]
        if not self.table.position.puck and not any(w.seat == _COMPANION for w in self.table.position.layout):
            self._must(c.MakeWager(seat=_COMPANION, wager=line, cents=self.rules.wagers[line].min))


def _with_rack(table: Table, change: int) -> Table:
    """A table with so much more in the player's rack."""
    if not change:
        return table
    racks = list(table.money.racks)
    racks[_PLAYER - 1] += change
    return Table(table.position, replace(table.money, racks=tuple(racks)))
