"""The player's seat in an automaton: from any state, one strategy acts and any dice are rolled, in the real engine.

At seat 1 a companion always has a line wager and shoots, so that the player need not. The player at seat 2 has a rack
that never runs out, because money is the session's concern. A hand ends only by a loser 7.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.arrays import FACES, HAND, IDLE, LINE, WON
from passline.automaton.standing import PAIRS, gain_of_settlement
from passline.dice import Roll
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.judges.throwing import settle_roll
from passline.game.notation import format_wager
from passline.game.position import Money, Position, Table, Wager, open_table, wagers_of_seat
from passline.game.settlement import settlement
from passline.game.wagers import is_working
from passline.refusal import Refused
from passline.rules.memo import Memo
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
from passline.strategy.strategy_table import UnlawfulWish

_COMPANION, _PLAYER = 1, 2
_RACK = 10**11
KEPT_ALL = -1
"""No policy leaves a wish out."""
_SETTLED = frozenset({e.WagerWon, e.WagerLost, e.WagerReturned})
_OF_A_WAGER = _SETTLED | {e.WagerMoved, e.WagerProgressed, e.CallLapsed}


class SeatState(Struct, frozen=True, gc=False, cache_hash=True):
    """A state before the strategy acts: the puck, the closed windows, the player's wagers and the strategy's memory."""

    puck: int
    closed: tuple[str, ...]
    mine: tuple[Wager, ...]
    memory: Hashable
    kept: int = KEPT_ALL  # how many of the wagers wished for are made; fewer when equity is short

    def __str__(self) -> str:
        parts = [f"puck ON {self.puck}" if self.puck else "puck OFF"]
        if self.closed:
            parts.append(f"closed {' '.join(self.closed)}")
        if self.mine:
            parts.append("up " + "; ".join(format_wager(wager, with_seat=False) for wager in self.mine))
        if self.memory is not None:
            parts.append(f"memory {self.memory}")
        if self.kept != KEPT_ALL:
            parts.append(f"short: {self.kept} wishes kept")
        return " | ".join(parts)


class SeatActs(Struct, frozen=True, gc=False):
    """The result of the strategy's acts in a state."""

    table: Table  # after acting
    paid: int  # vigorish, in cents
    outlay: int  # the equity needed, in cents
    made: int  # how many wagers were made or raised
    mine: tuple[Wager, ...]  # the player's wagers after acting

    @property
    def is_bare(self) -> bool:
        """Whether no wager of the player's is up."""
        return not self.mine


class SeatRoll(Struct, frozen=True, gc=False):
    """The result of one pair of dice: the next state, the change of equity, the marks and the amounts that ended."""

    after: SeatState
    cash: int
    mark: int
    action: int  # of the wagers that won or lost
    initial: int  # of the wagers that won, lost or were returned, odds left out


class _TableRoll(Struct, frozen=True, gc=False):
    """What a roll does to a table where only the companion plays, and what the strategy hears of it."""

    puck: int
    closed: tuple[str, ...]
    mark: int
    heard: tuple[e.Event, ...]


class LayoutRoll(Struct, frozen=True, gc=False):
    """What a roll does to a layout: the dice that do it, the table after it, and its effects on the strategy."""

    outcomes: tuple[int, ...]
    puck: int
    closed: tuple[str, ...]
    left: tuple[Wager, ...]
    gain: int
    mark: int
    action: int
    initial: int
    effects: Hashable


class _WagerRoll(Struct, frozen=True, gc=False):
    """What a roll does to a wager: what becomes of it, the gain, the amounts that ended and what the strategy hears."""

    wager: Wager
    after: Wager | None
    gain: int
    action: int
    initial: int
    heard: tuple[e.Event, ...]


_Settled = tuple[tuple[Wager, ...], int, int, int, Hashable]
"""The wagers left, the gain, the amount decided, that without odds, and the effects on the memory."""
_LAYOUTS_MAX = 50_000
_TABLE_ROLLS: dict[bool, Memo[tuple[int, tuple[str, ...]], list[_TableRoll]]] = {False: Memo(), True: Memo()}
"""By hears_rolls."""
_TABLES: Memo[int, Table] = Memo()


class StrategySeat:
    """One strategy at a table of its own.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> seat = StrategySeat(rules, strategy_of("pass:odds=2", rules))
    >>> for roll, rolled in seat.rolls(seat.start, seat.acts(seat.start)):
    ...     if roll.first == 2:
    ...         print(roll.pair, rolled.after, rolled.cash)
    2-2 puck ON 4 | up pass 10.00 0
    2-3 puck ON 5 | up pass 10.00 0
    2-4 puck ON 6 | up pass 10.00 0
    2-5 puck OFF 1000
    2-6 puck ON 8 | up pass 10.00 0
    """

    def __init__(self, rules: Rules, strategy: Strategy, *, only: frozenset[str] | None = None) -> None:
        rules = self.rules = at_meters(rules)
        self.strategy = strategy
        self._only = only
        self._odds = frozenset(kind for kind, rule in rules.wagers.items() if rule.behind)
        self._sees_after = strategy.sees_after
        self._hears = {e.DiceSurrendered} | (ROLL_EVENTS if strategy.hears_rolls else frozenset())
        # shared by all strategies under these rules that hear the same events
        self._known = rules.memory_of(_TABLE_ROLLS[strategy.hears_rolls])
        tables = rules.memory_of(_TABLES)
        if not tables:
            tables[_COMPANION] = _table_with_companion(rules)
        self._come_out = tables[_COMPANION]
        self._companion = self._come_out.position.layout[0]
        self._layout_rolls: dict[tuple[int, tuple[str, ...], tuple[Wager, ...]], list[LayoutRoll]] = {}
        self._wager_rolls: dict[tuple[int, Wager], list[tuple[int, _WagerRoll]]] = {}
        self._known_effects: dict[tuple[int, ...], Hashable] = {}  # by what is known of table and wagers, as identities
        self.start = SeatState(0, self._come_out.position.closed, (), strategy.start)

    def acts(self, state: SeatState) -> SeatActs:
        """Let the strategy act; raise UnlawfulWish with the clauses for a wish that is refused."""
        seen = Seen(state.puck, is_clearing=False, mine=state.mine, closed=state.closed)
        return self.acts_on(state, seen, self.strategy.wishes(seen, state.memory))

    def acts_on(self, state: SeatState, seen: Seen, wishes: tuple[Wish, ...]) -> SeatActs:
        """Let the player act on wishes; raise UnlawfulWish with the clauses for one that is refused."""
        table = self.table_in(state)
        outlay, made = self._face(state.mine), 0
        for wish, command in commands_of(self.rules, _PLAYER, seen, wishes):
            if isinstance(wish, Want):
                if made == state.kept:
                    continue
                made += 1
            elif is_of_unmade_wager(table.position, command):
                continue
            outcome = act(self.rules, table, command)
            if isinstance(outcome, Refused):
                said = f"{wish_text(self.rules, wish)} ({state})"
                message = f"{self.strategy.name} wishes to {said}, which is refused: {outcome}"
                if not self.rules.wagers[wish.kind].is_offered:
                    message += "; a house file can offer it (`passline house new` prints one to start from)"
                raise UnlawfulWish(message, outcome)
            table = outcome[1]
            own = wagers_of_seat(table.position, _PLAYER)
            outlay = max(outlay, self._face(own) + self._vigorish_of(own) - self._vigorish_of(state.mine))
        mine = wagers_of_seat(table.position, _PLAYER)
        return SeatActs(table, self._vigorish_of(mine) - self._vigorish_of(state.mine), outlay, made, mine)

    def table_in(self, state: SeatState) -> Table:
        """Return the table as it is before the strategy acts; its player has a rack that never runs out."""
        come_out = self._come_out
        layout = (self._companion, *state.mine)
        position = replace(come_out.position, puck=state.puck, closed=state.closed, layout=layout)
        return Table(position, come_out.money)

    def rolls(self, state: SeatState, acts: SeatActs) -> Iterator[tuple[Roll, SeatRoll]]:
        """Yield each pair of dice with its result; the order of the two dice decides nothing."""
        results = {outcome: rolled for outcomes, rolled in self.distinct_rolls(state, acts) for outcome in outcomes}
        yield from ((roll, results[outcomes_of(roll)[0]]) for roll in PAIRS)

    def distinct_rolls(self, state: SeatState, acts: SeatActs) -> Iterator[tuple[tuple[int, ...], SeatRoll]]:
        """Yield each result that differs from the others, with the outcomes of the dice that lead to it.

        Puck, windows and marks are those of the companion's table; the player's wagers are settled on their own.
        """
        memory, paid = state.memory, acts.paid
        key = (state.puck, state.closed, acts.mine)
        rolls = self._layout_rolls.get(key)
        if rolls is None:
            if len(self._layout_rolls) > _LAYOUTS_MAX:
                self._layout_rolls.clear()
            rolls = self._layout_rolls[key] = self.layout_rolls(state, acts)
        for rolled in rolls:
            after = memory if memory is None else self.memory_after(memory, rolled.effects)
            state_after = SeatState(rolled.puck, rolled.closed, rolled.left, after)
            yield rolled.outcomes, SeatRoll(state_after, rolled.gain - paid, rolled.mark, rolled.action, rolled.initial)

    def memory_after(self, memory: Hashable, effects: Hashable) -> Hashable:
        """Return the memory after these effects of a roll."""
        return self.strategy.memory_after(memory, effects)

    def layout_rolls(self, state: SeatState, acts: SeatActs) -> list[LayoutRoll]:
        """Return what rolls do to the layout after acting, those alike in all that counts as one, in `PAIRS`' order."""
        mine, position = acts.mine, acts.table.position
        around = self._table_rolls(state.puck, state.closed)
        idle = IDLE if self._is_idle(state.puck, mine) else 0
        settled = self._settled_whole if any(wager.working for wager in mine) else self._settled_apart
        outcomes: dict[tuple[object, ...], tuple[int, ...]] = {}
        for places, (left, gain, action, initial, effects) in settled(position, mine, around):
            rolled = around[places[0]]
            result = (rolled.puck, rolled.closed, left, gain, rolled.mark | idle, action, initial, effects)
            found = tuple([outcome for place in places for outcome in _OUTCOMES_OF_PAIRS[place]])
            outcomes[result] = (*outcomes.get(result, ()), *found)
        return [LayoutRoll(found, *result) for result, found in outcomes.items()]  # type: ignore[arg-type]

    def _settled_whole(
        self, position: Position, mine: tuple[Wager, ...], around: list[_TableRoll]
    ) -> Iterator[tuple[list[int], _Settled]]:
        """Yield what each pair of dice does to wagers of which some were called, so that calls lapse."""
        own = replace(position, layout=mine)
        for place, roll in enumerate(PAIRS):
            left, gain, action, initial, happened = self._settle(mine, settle_roll(self.rules, own, roll))
            yield [place], (left, gain, action, initial, self._effects_of(around[place], left, happened))

    def _settled_apart(
        self, position: Position, mine: tuple[Wager, ...], around: list[_TableRoll]
    ) -> Iterator[tuple[list[int], _Settled]]:
        """Yield what pairs of dice, by their places, do to wagers, each of which is settled as if it stood alone."""
        struck: list[list[_WagerRoll]] = [[] for _ in PAIRS]
        for wager in mine:
            for place, roll in self._rolls_of_wager(position, wager):
                struck[place].append(roll)
        alike: dict[tuple[int, ...], list[int]] = {}
        for place, rolled in enumerate(around):
            alike.setdefault((id(rolled), *map(id, struck[place])), []).append(place)
        for key, places in alike.items():
            decided = struck[places[0]]
            left, gain, action, initial = mine, 0, 0, 0
            for roll in decided:
                gain, action, initial = gain + roll.gain, action + roll.action, initial + roll.initial
            if decided:
                left = _left_of(mine, decided)
            effects = None if self._sees_after else self._known_effects.get(key)
            if effects is None:
                heard = self._events_heard(position, mine, places[0], decided)
                effects = self._known_effects[key] = self._effects_of(around[places[0]], left, heard)
            yield places, (left, gain, action, initial, effects)

    def _events_heard(
        self, position: Position, mine: tuple[Wager, ...], place: int, decided: list[_WagerRoll]
    ) -> Sequence[e.Event]:
        """Return what the strategy hears of its wagers, in the order of the settlement."""
        if len(decided) < 2 or self.strategy.start is None:  # noqa: PLR2004  # of one wager the order is its own
            return decided[0].heard if decided else ()
        return self._settle(mine, settlement(self.rules, replace(position, layout=mine), PAIRS[place]))[4]

    def _rolls_of_wager(self, position: Position, wager: Wager) -> list[tuple[int, _WagerRoll]]:
        """Return what pairs of dice do to one wager, by their places in `PAIRS`; those that do nothing are left out."""
        known = self._wager_rolls.get((position.puck, wager))
        if known is None:
            known = self._wager_rolls[position.puck, wager] = []
            own = replace(position, layout=(wager,))
            alike: dict[_WagerRoll, _WagerRoll] = {}
            for place, roll in enumerate(PAIRS):
                if happened := settlement(self.rules, own, roll):
                    left, gain, action, initial, heard = self._settle((wager,), happened)
                    rolled = _WagerRoll(wager, left[0] if left else None, gain, action, initial, tuple(heard))
                    known.append((place, alike.setdefault(rolled, rolled)))
        return known

    def _effects_of(self, rolled: _TableRoll, left: tuple[Wager, ...], happened: Sequence[e.Event]) -> Hashable:
        """Return what a roll does to the memory."""
        if self.strategy.start is None:
            return None
        seen = Seen(rolled.puck, is_clearing=False, mine=left, closed=rolled.closed) if self._sees_after else None
        return self.strategy.effects((*rolled.heard, *happened), seen)

    def settlements(self, state: SeatState, acts: SeatActs) -> Iterator[tuple[tuple[int, ...], list[e.Event]]]:
        """Yield what each pair of dice does to the player's wagers, with the outcomes that it is of."""
        mine = wagers_of_seat(acts.table.position, _PLAYER)
        own = replace(acts.table.position, puck=state.puck, layout=mine)
        for roll in PAIRS:
            yield outcomes_of(roll), settle_roll(self.rules, own, roll) if mine else []

    def _settle(
        self, mine: tuple[Wager, ...], happened: Iterable[e.Event]
    ) -> tuple[tuple[Wager, ...], int, int, int, list[e.Event]]:
        """Return the wagers left, the gain, the amount decided, that without odds, and what the strategy hears."""
        gain = action = initial = 0
        settled: list[e.Event] = []
        for event in happened:
            kind = type(event)
            if kind not in _OF_A_WAGER:
                continue
            mine = _swap(mine, event.wager, getattr(event, "after", None))  # type: ignore[union-attr]
            if kind in _SETTLED:
                settled.append(event)
                if self._only is None or event.wager.kind in self._only:  # type: ignore[union-attr]
                    gain += gain_of_settlement(event)  # type: ignore[arg-type]
                    decided = 0 if kind is e.WagerReturned else event.cents  # type: ignore[union-attr]
                    action += decided
                    if event.wager.kind not in self._odds:  # type: ignore[union-attr]
                        initial += decided or event.wager.cents  # type: ignore[union-attr]
            elif self._sees_after and kind in AFTER_EVENTS:
                settled.append(event)
        return mine, gain, action, initial, settled

    def _table_rolls(self, puck: int, closed: tuple[str, ...]) -> list[_TableRoll]:
        """Return what each pair of dice does to the companion's table."""
        known = self._known.get((puck, closed))
        if known is None:
            position = replace(self._come_out.position, puck=puck, closed=closed, layout=(self._companion,))
            table = Table(position, self._come_out.money)
            alike: dict[_TableRoll, _TableRoll] = {}
            rolls = (self._table_roll(table, roll) for roll in PAIRS)
            known = self._known[puck, closed] = [alike.setdefault(rolled, rolled) for rolled in rolls]
        return known

    def _table_roll(self, table: Table, roll: Roll) -> _TableRoll:
        outcome = act(self.rules, table, c.RollDice(first=roll.first, second=roll.second))
        assert not isinstance(outcome, Refused), outcome
        happened, after = outcome
        kinds = {type(event) for event in happened}
        mark = (LINE if kinds & _SETTLED else 0) | (HAND if e.DiceSurrendered in kinds else 0)
        mark |= WON if e.WagerWon in kinds else 0
        heard = tuple(event for event in happened if type(event) in self._hears)
        return _TableRoll(after.position.puck, after.position.closed, mark, heard)

    def _is_idle(self, puck: int, mine: tuple[Wager, ...]) -> bool:
        return not any(
            is_working(self.rules.wagers[wager.kind], wager, is_come_out=not puck)
            for wager in mine
            if self._only is None or wager.kind in self._only
        )

    def _face(self, wagers: Sequence[Wager]) -> int:
        return sum(wager.cents for wager in wagers if self._only is None or wager.kind in self._only)

    def _vigorish_of(self, wagers: Sequence[Wager]) -> int:
        return sum(wager.vigorish for wager in wagers if self._only is None or wager.kind in self._only)


def _left_of(mine: tuple[Wager, ...], decided: Sequence[_WagerRoll]) -> tuple[Wager, ...]:
    """Return the wagers that are left after some of them were decided, moved or progressed."""
    gone = [roll.wager for roll in decided]
    left = [wager for wager in mine if wager not in gone]
    after = [roll.after for roll in decided if roll.after is not None]
    return tuple(sorted([*left, *after]) if after else left)


def outcomes_of(roll: Roll) -> tuple[int, ...]:
    """Return the outcomes of a pair of dice: two, or one of a double."""
    first, second = roll.first - 1, roll.second - 1
    return (FACES * first + second,) if first == second else (FACES * first + second, FACES * second + first)


_OUTCOMES_OF_PAIRS = tuple(map(outcomes_of, PAIRS))


def _swap(wagers: tuple[Wager, ...], wager: Wager, after: Wager | None) -> tuple[Wager, ...]:
    """Return the wagers with one replaced by what became of it, or left out."""
    rest = [other for other in wagers if other != wager]
    return tuple(sorted([*rest, after])) if after is not None else tuple(rest)


def _table_with_companion(rules: Rules) -> Table:
    """Return a table before a new shooter's first come-out roll; the companion has the dice and a line wager."""
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
