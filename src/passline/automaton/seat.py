"""The player's seat in an automaton: the real engine, a companion who shoots, and one player whose money is counted.

The companion at seat 1 always holds a line wager and throws, so that a player without one is lawful; the player sits at
seat 2 with a rack that never runs dry, for what money allows is the session's business. A hand ends only by a loser 7.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.arrays import HAND, IDLE, LINE
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.notation import format_wager
from passline.game.position import Money, Table, Wager, open_table
from passline.game.refusal import Refused
from passline.game.wagers import is_working
from passline.rules.rules import Rules
from passline.strategy.acting import commands_of
from passline.strategy.interface import Seen, Strategy, Want
from passline.strategy.playing import UnlawfulWish

__all__ = ["Acted", "Rolled", "Situation", "StrategySeat"]

_COMPANION, _PLAYER = 1, 2
_RACK = 10**11
_ALL = -1
_SETTLED = frozenset({e.WagerWon, e.WagerLost, e.WagerReturned})
_HEARD = _SETTLED | {e.DiceSurrendered}


class Situation(Struct, frozen=True, gc=False, cache_hash=True):
    """What a state is: the puck, the windows closed, the player's wagers, the memory, and how many wishes are kept."""

    puck: int
    closed: tuple[str, ...]
    mine: tuple[Wager, ...]
    memory: Hashable
    kept: int = _ALL  # of the wagers wished for: those that remain when equity is short

    def __str__(self) -> str:
        parts = [f"puck ON {self.puck}" if self.puck else "puck OFF"]
        if self.closed:
            parts.append(f"closed {' '.join(self.closed)}")
        if self.mine:
            parts.append("up " + "; ".join(format_wager(wager, with_seat=False) for wager in self.mine))
        if self.memory is not None:
            parts.append(f"memory {self.memory}")
        if self.kept != _ALL:
            parts.append(f"short: {self.kept} wishes kept")
        return " | ".join(parts)


class Acted(Struct, frozen=True, gc=False):
    """A table after the strategy acted: what it cost at once, what equity it called for, how many wagers it made."""

    table: Table
    paid: int  # vigorish, in cents
    outlay: int
    made: int
    is_bare: bool  # nothing of the player's is up


class Rolled(Struct, frozen=True, gc=False):
    """What one outcome leads to."""

    after: Situation
    cash: int
    mark: int
    action: int


class StrategySeat:
    """One strategy at a table of its own under rules.

    >>> from passline.strategy.library import pass_with_odds
    >>> seat = StrategySeat(Rules.of("maryland"), pass_with_odds(10_00, 2))
    >>> acted = seat.acted(seat.start)
    >>> rolled = seat.rolled(seat.start, acted, 1, 3)
    >>> str(rolled.after), rolled.cash
    ('puck ON 4 | up pass 10.00', 0)
    """

    def __init__(self, rules: Rules, strategy: Strategy, *, only: frozenset[str] | None = None) -> None:
        self.rules = rules
        self.strategy = strategy
        self._only = only
        self._hears = _HEARD | ({e.RollSettled} if getattr(strategy, "hears_rolls", False) else set())
        self._come_out = _table_with_companion(rules)
        self._companion = self._come_out.position.layout[0]
        self.start = Situation(0, self._come_out.position.closed, (), strategy.start)

    def acted(self, situation: Situation) -> Acted:
        """Let the strategy act; what it may not do raises UnlawfulWish with the clause."""
        come_out = self._come_out
        layout = (self._companion, *situation.mine)
        position = replace(come_out.position, puck=situation.puck, closed=situation.closed, layout=layout)
        table = Table(position, come_out.money)
        seen = Seen(situation.puck, is_clearing=False, mine=situation.mine)
        wishes = self.strategy.wishes(seen, situation.memory)
        outlay, made = self._face(situation.mine), 0
        for wish, command in commands_of(self.rules, _PLAYER, seen, wishes):
            if isinstance(wish, Want):
                if made == situation.kept:
                    continue
                made += 1
            outcome = act(self.rules, table, command)
            if isinstance(outcome, Refused):
                message = f"{self.strategy.name} wishes for what is refused: {wish} at [{situation}]: {outcome}"
                raise UnlawfulWish(message)
            table = outcome[1]
            outlay = max(outlay, self._face(_own(table)) + self._held(_own(table)) - self._held(situation.mine))
        mine = _own(table)
        return Acted(table, self._held(mine) - self._held(situation.mine), outlay, made, not mine)

    def rolled(self, situation: Situation, acted: Acted, first: int, second: int) -> Rolled:
        """Throw the dice and settle."""
        outcome = act(self.rules, acted.table, c.RollDice(first=first, second=second))
        assert not isinstance(outcome, Refused), outcome
        happened, table = outcome
        gain = action = mark = 0
        heard: list[e.Event] = []
        for event in happened:
            kind = type(event)
            if kind is e.DiceSurrendered:
                mark |= HAND
            elif kind in _SETTLED:
                wager = event.wager  # type: ignore[union-attr]  # settlement events all name a wager
                if wager.seat == _COMPANION:
                    mark |= LINE
                    continue
                if self._only is None or wager.kind in self._only:
                    gain += _gain(event)
                    action += 0 if kind is e.WagerReturned else event.cents  # type: ignore[union-attr]
            if kind in self._hears:
                heard.append(event)
        if self._is_idle(acted):
            mark |= IDLE
        mine, cash = _own(table), gain - acted.paid
        if self._only is None:  # chips are conserved: the events say what the rack says
            before, after = _RACK + self._face(situation.mine), table.money.racks[_PLAYER - 1] + self._face(mine)
            assert after - before == cash, (situation, happened)
        position, memory = table.position, situation.memory
        if memory is not None and heard:
            memory = self.strategy.remember(memory, tuple(heard))
        return Rolled(Situation(position.puck, position.closed, mine, memory), cash, mark, action)

    def _is_idle(self, acted: Acted) -> bool:
        position = acted.table.position
        return not any(
            is_working(self.rules.wagers[wager.kind], wager, is_come_out=not position.puck)
            for wager in position.layout
            if wager.seat == _PLAYER and (self._only is None or wager.kind in self._only)
        )

    def _face(self, wagers: Sequence[Wager]) -> int:
        return sum(wager.cents for wager in wagers if self._only is None or wager.kind in self._only)

    def _held(self, wagers: Sequence[Wager]) -> int:
        return sum(wager.vigorish for wager in wagers if self._only is None or wager.kind in self._only)


def _gain(event: e.Event) -> int:
    """What a settlement adds to equity, where vigorish held counts as paid when the wager was made."""
    if isinstance(event, e.WagerWon):
        return event.winnings - event.vigorish
    if isinstance(event, e.WagerLost):
        return -event.cents
    assert isinstance(event, e.WagerReturned)
    return event.wager.vigorish


def _own(table: Table) -> tuple[Wager, ...]:
    return tuple(wager for wager in table.position.layout if wager.seat == _PLAYER)


def _table_with_companion(rules: Rules) -> Table:
    """A table before a new shooter's first come-out roll: the companion has the dice and a line wager."""
    line = rules.procedures.shooter.line_wagers[0]
    table = open_table(rules, bank=_RACK)
    commands: tuple[c.Command, ...] = (
        c.TakeSeat(seat=_COMPANION),
        c.BuyIn(seat=_COMPANION, cents=_RACK),
        c.AcceptDice(seat=_COMPANION),
        c.MakeWager(seat=_COMPANION, wager=line, cents=rules.wagers[line].min),
        c.TakeSeat(seat=_PLAYER),
        c.BuyIn(seat=_PLAYER, cents=_RACK),
    )
    for command in commands:
        outcome = act(rules, table, command)
        assert not isinstance(outcome, Refused), outcome
        table = outcome[1]
    racks = [_RACK if seat else 0 for seat in table.position.seats]
    return Table(table.position, Money(racks=tuple(racks), bank=_RACK, coupons=table.money.coupons))
