"""The player's seat in an automaton: the real engine, a companion who shoots, and one player whose money is counted.

The companion at seat 1 always holds a line wager and throws, so that a player without one is lawful; the player sits at
seat 2 with a rack that never runs dry, for what money allows is the session's business. A hand ends only by a loser 7.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.arrays import HAND, IDLE, LINE
from passline.dice import Roll, roll_of
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.judges.throwing import settled
from passline.game.notation import format_wager
from passline.game.position import Money, Table, Wager, open_table
from passline.game.refusal import Refused
from passline.game.settlement import settlement
from passline.game.wagers import is_working
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.strategy.interface import ROLL_EVENTS, Seen, Strategy, Want
from passline.strategy.strategy_table import UnlawfulWish
from passline.strategy.wish_commands import commands_of

__all__ = ["Acted", "Rolled", "Situation", "StrategySeat"]

_COMPANION, _PLAYER = 1, 2
_RACK = 10**11
_ALL = -1
_SETTLED = frozenset({e.WagerWon, e.WagerLost, e.WagerReturned})
_OF_A_WAGER = _SETTLED | {e.WagerMoved, e.WagerProgressed, e.CallLapsed}
_PAIRS = tuple(roll_of(first, second) for first in range(1, 7) for second in range(first, 7))


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


class _Moment(Struct, frozen=True, gc=False):
    """What a roll does to the table around the companion."""

    puck: int
    closed: tuple[str, ...]
    mark: int
    heard: tuple[e.Event, ...]


_MOMENTS: dict[bool, Memo[tuple[int, tuple[str, ...]], list[_Moment]]] = {False: Memo(), True: Memo()}  # by hears_rolls
_TABLES: Memo[int, Table] = Memo()


class StrategySeat:
    """One strategy at a table of its own under rules.

    >>> from passline.strategy.library import pass_with_odds
    >>> seat = StrategySeat(Rules.of("maryland"), pass_with_odds(10_00, 2))
    >>> acted = seat.acted(seat.start)
    >>> for roll, rolled in seat.rolls(seat.start, acted):
    ...     if roll.first == 2:
    ...         print(roll.pair, rolled.after, rolled.cash)
    2-2 puck ON 4 | up pass 10.00 0
    2-3 puck ON 5 | up pass 10.00 0
    2-4 puck ON 6 | up pass 10.00 0
    2-5 puck OFF 1000
    2-6 puck ON 8 | up pass 10.00 0
    """

    def __init__(self, rules: Rules, strategy: Strategy, *, only: frozenset[str] | None = None) -> None:
        self.rules = rules
        self.strategy = strategy
        self._only = only
        self._hears = {e.DiceSurrendered} | (ROLL_EVENTS if strategy.hears_rolls else frozenset())
        # what happens around the companion is the same for every strategy under these rules that hears the same
        self._known = rules.remembered(_MOMENTS[strategy.hears_rolls])
        tables = rules.remembered(_TABLES)
        if not tables:
            tables[_COMPANION] = _table_with_companion(rules)
        self._come_out = tables[_COMPANION]
        self._companion = self._come_out.position.layout[0]
        self.start = Situation(0, self._come_out.position.closed, (), strategy.start)

    def acted(self, situation: Situation) -> Acted:
        """Let the strategy act; what it may not do raises UnlawfulWish with the clause."""
        come_out = self._come_out
        layout = (self._companion, *situation.mine)
        position = replace(come_out.position, puck=situation.puck, closed=situation.closed, layout=layout)
        table = Table(position, come_out.money)
        seen = Seen(situation.puck, is_clearing=False, mine=situation.mine, closed=situation.closed)
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
                if not self.rules.wagers[wish.kind].is_offered:
                    message += "; a house file can offer it (`passline house new` prints one to start from)"
                raise UnlawfulWish(message, outcome)
            table = outcome[1]
            outlay = max(outlay, self._face(_own(table)) + self._held(_own(table)) - self._held(situation.mine))
        mine = _own(table)
        return Acted(table, self._held(mine) - self._held(situation.mine), outlay, made, not mine)

    def rolls(self, situation: Situation, acted: Acted) -> Iterator[tuple[Roll, Rolled]]:
        """Throw each pair of dice once and settle: which die shows what decides nothing.

        The table moves on as it does around the companion alone; each wager of the player's is settled by itself.
        """
        position = acted.table.position
        mine = _own(acted.table)
        own = replace(position, layout=mine)
        idle = IDLE if self._is_idle(position.puck, mine) else 0
        events_of = settled if any(wager.working for wager in mine) else settlement  # a call may lapse
        for roll, moment in zip(_PAIRS, self._moments(situation.puck, situation.closed), strict=True):
            gain = action = 0
            left, heard = mine, moment.heard
            for event in events_of(self.rules, own, roll) if mine else ():
                kind = type(event)
                if kind not in _OF_A_WAGER:
                    continue
                left = _swapped(left, event.wager, getattr(event, "after", None))  # type: ignore[union-attr]
                if kind in _SETTLED:
                    heard = (*heard, event)
                    if self._only is None or event.wager.kind in self._only:  # type: ignore[union-attr]
                        gain += _gain(event)
                        action += 0 if kind is e.WagerReturned else event.cents  # type: ignore[union-attr]
            memory = situation.memory
            if memory is not None and heard:
                memory = self.strategy.remember(memory, heard)
            after = Situation(moment.puck, moment.closed, left, memory)
            yield roll, Rolled(after, gain - acted.paid, moment.mark | idle, action)

    def _moments(self, puck: int, closed: tuple[str, ...]) -> list[_Moment]:
        """Give what each pair of dice does to the table around the companion."""
        known = self._known.get((puck, closed))
        if known is None:
            position = replace(self._come_out.position, puck=puck, closed=closed, layout=(self._companion,))
            table = Table(position, self._come_out.money)
            known = self._known[puck, closed] = [self._moment(table, roll) for roll in _PAIRS]
        return known

    def _moment(self, table: Table, roll: Roll) -> _Moment:
        outcome = act(self.rules, table, c.RollDice(first=roll.first, second=roll.second))
        assert not isinstance(outcome, Refused), outcome
        happened, after = outcome
        kinds = {type(event) for event in happened}
        mark = (LINE if kinds & _SETTLED else 0) | (HAND if e.DiceSurrendered in kinds else 0)
        heard = tuple(event for event in happened if type(event) in self._hears)
        return _Moment(after.position.puck, after.position.closed, mark, heard)

    def _is_idle(self, puck: int, mine: tuple[Wager, ...]) -> bool:
        return not any(
            is_working(self.rules.wagers[wager.kind], wager, is_come_out=not puck)
            for wager in mine
            if self._only is None or wager.kind in self._only
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


def _swapped(wagers: tuple[Wager, ...], wager: Wager, after: Wager | None) -> tuple[Wager, ...]:
    """Put what became of a wager in its place."""
    rest = [one for one in wagers if one != wager]
    return tuple(sorted([*rest, after])) if after is not None else tuple(rest)


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
