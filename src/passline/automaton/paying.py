"""Automata of players who pay: what each strategy does in a state depends on the chips that it has left.

At a table a player leaves out each wager that the rack does not pay for, and makes the others. So a state has *ways to
act*: the first for whoever can pay for all of it, each following one for less. States are explored as they are reached,
those of all strategies in one set of arrays, which `explore` may replace by longer ones. Amounts are cents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, UNEXPLORED
from passline.automaton.seat import SeatActs, SeatState, StrategySeat
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Money, Table, Wager, wagers_of_seat
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Seen, Strategy, commands_of, wish_text
from passline.strategy.strategy_table import UnlawfulWish

STATES_MAX = 400_000
"""The most states that are found before `explore` gives up: about a gigabyte of memory."""
_PLAYER = 2  # the seat of the player at the tables of an automaton
_PLENTY = 10**11
_FIRST = 1024


class TooManyPayingStates(CrapsError):
    """Strategies that reach more states than are kept."""


class WayToAct(Struct, frozen=True, gc=False):
    """What a player does whose rack has at least so many cents, and fewer than the way before asks for."""

    acts: SeatActs
    rack_min: int


def ways_to_act(seat: StrategySeat, state: SeatState) -> Iterator[WayToAct]:
    """Yield what a strategy does in a state with all the chips it wants, then with fewer and fewer, down to none.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> seat = StrategySeat(rules, strategy_of("six_eight", rules))
    >>> placed = SeatState(5, seat.start.closed, (), seat.start.memory)
    >>> [(way.rack_min, way.acts.outlay, way.acts.made) for way in ways_to_act(seat, placed)]
    [(2400, 2400, 2), (1200, 1200, 1), (0, 0, 0)]
    """
    rack = _PLENTY
    while rack >= 0:
        acts, rack_min = acts_with(seat, state, rack)
        yield WayToAct(acts, rack_min)
        rack = rack_min - 1


def acts_with(seat: StrategySeat, state: SeatState, rack: int) -> tuple[SeatActs, int]:
    """Return what a player with this rack does, and the least rack that pays for the same.

    As at a table of several strategies, a wager that the rack does not pay for is left out, and whatever is refused
    after that may depend on it.
    """
    rules, start = seat.rules, seat.table_in(state)
    table = Table(start.position, replace(start.money, racks=_racks(start.money, rack)))
    seen = Seen(state.puck, is_clearing=False, mine=state.mine, closed=state.closed)
    lowest, made, is_short = rack, 0, False
    for wish, command in commands_of(rules, _PLAYER, seen, seat.strategy.wishes(seen, state.memory)):
        is_made = isinstance(command, c.MakeWager)
        if isinstance(command, c.MakeWager) and command.cents > table.money.racks[_PLAYER - 1]:
            is_short = True
            continue
        outcome = act(rules, table, command)
        if isinstance(outcome, Refused):
            if not is_short and not all(refusal.is_money for refusal in outcome.refusals):
                said = wish_text(rules, wish)
                raise UnlawfulWish(f"{seat.strategy.name} wishes to {said}, which is refused: {outcome}", outcome)
            is_short = True
            continue
        table, made = outcome[1], made + is_made
        lowest = min(lowest, table.money.racks[_PLAYER - 1])
    mine = wagers_of_seat(table.position, _PLAYER)
    paid = vigorish_held(mine) - vigorish_held(state.mine)
    return SeatActs(table, paid, face_of(state.mine) + rack - lowest, made, mine), rack - lowest


def _racks(money: Money, rack: int) -> tuple[int, ...]:
    return tuple(rack if seat == _PLAYER else cents for seat, cents in enumerate(money.racks, start=1))


def face_of(wagers: Iterable[Wager]) -> int:
    """Return the chips of wagers."""
    return sum(wager.cents for wager in wagers)


def vigorish_held(wagers: Iterable[Wager]) -> int:
    """Return the vigorish that was paid for wagers and is held with them."""
    return sum(wager.vigorish for wager in wagers)


class PayingAutomata:
    """The arrays of several strategies whose players pay from a rack; `starts` has the first state of each.

    State `s` has the ways to act `first[s]`, `first[s] + 1` and so on: a player whose equity is at least `need[way]`
    acts so. `next[way, d]` is the state after outcome `d`, and `cash[way, d]` the change of equity.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> automata = PayingAutomata(rules, [strategy_of("pass", rules), strategy_of("field:unit=500", rules)])
    >>> automata.starts, automata.first[:3].tolist()
    ((0, 1), [-1, -1, -1])
    >>> automata.explore([1])
    >>> automata.first[:2].tolist(), automata.need[:2].tolist(), automata.cash[0, :3].tolist()
    ([-1, 0], [500, 0], [1000, 500, 500])
    """

    def __init__(self, rules: Rules, strategies: Sequence[Strategy], *, states_max: int = STATES_MAX) -> None:
        self._seats = [StrategySeat(rules, strategy) for strategy in strategies]
        self._states_max = states_max
        self._numbers: dict[tuple[int, SeatState], int] = {}
        self._states: list[tuple[int, SeatState]] = []
        self._acts: list[tuple[int, SeatState, SeatActs]] = []  # of each way
        self.first: NDArray[np.int64] = np.full(_FIRST, UNEXPLORED, dtype=np.int64)  # [state]
        self.face: NDArray[np.int64] = np.zeros(_FIRST, dtype=np.int64)  # [state] of the wagers that are up
        self.vigorish: NDArray[np.int64] = np.zeros(_FIRST, dtype=np.int64)  # [state] held with them
        self.need: NDArray[np.int64] = np.zeros(_FIRST, dtype=np.int64)  # [way]
        self.next: NDArray[np.int32] = np.zeros((_FIRST, OUTCOMES), dtype=np.int32)  # [way, outcome]
        self.cash: NDArray[np.int64] = np.zeros((_FIRST, OUTCOMES), dtype=np.int64)  # [way, outcome]
        self.settled: NDArray[np.int64] = np.full((_FIRST, OUTCOMES + 1), UNEXPLORED, dtype=np.int64)
        self.changes: NDArray[np.int64] = np.zeros(_FIRST, dtype=np.int64)
        """What each wager gains or loses: of a way and an outcome, from `settled[way, d]` to `settled[way, d + 1]`."""
        self._changes_known = 0
        self.starts = tuple(self._number(at, seat.start) for at, seat in enumerate(self._seats))

    def __len__(self) -> int:
        """Return how many states are known, explored or not."""
        return len(self._states)

    def explore(self, states: Iterable[int]) -> None:
        """Play all outcomes from these states, in every way to act, unless it was done before."""
        for number in states:
            if self.first[number] != UNEXPLORED:
                continue
            at, state = self._states[number]
            first = len(self._acts)
            for way in ways_to_act(self._seats[at], state):
                self._add_way(at, state, way)
            self.first[number] = first

    def explore_first(self, states: int) -> None:
        """Explore the states that are reached first, until so many are known."""
        done = 0
        while done < len(self) < states:
            end = len(self)
            self.explore(range(done, end))
            done = end

    def explore_settlements(self, ways: Iterable[int]) -> None:
        """Find what each single wager gains or loses on every outcome, unless it was done before."""
        for way in ways:
            if self.settled[way, 0] != UNEXPLORED:
                continue
            found = self._wager_changes(*self._acts[way])
            for outcome in range(OUTCOMES):
                self.settled[way, outcome] = self._changes_known
                self._append_changes(found[outcome])
            self.settled[way, OUTCOMES] = self._changes_known

    def _number(self, at: int, state: SeatState) -> int:
        known = self._numbers.get((at, state))
        if known is None:
            known = len(self._states)
            if known >= self._states_max:
                raise TooManyPayingStates(f"the strategies reach more than {self._states_max:,} states")
            self._numbers[at, state] = known
            self._states.append((at, state))
            self._grow(known + 1, "first", "face", "vigorish")
            self.face[known], self.vigorish[known] = face_of(state.mine), vigorish_held(state.mine)
        return known

    def _add_way(self, at: int, state: SeatState, way: WayToAct) -> None:
        number = len(self._acts)
        self._grow(number + 1, "need", "next", "cash", "settled")
        self._acts.append((at, state, way.acts))
        self.need[number] = way.rack_min + face_of(state.mine)
        for outcomes, rolled in self._seats[at].distinct_rolls(state, way.acts):
            after = self._number(at, rolled.after)
            for outcome in outcomes:
                self.next[number, outcome], self.cash[number, outcome] = after, rolled.cash

    def _wager_changes(self, at: int, state: SeatState, acts: SeatActs) -> list[list[int]]:
        """Return what the wagers gain or lose that each outcome settles."""
        found: list[list[int]] = [[] for _ in range(OUTCOMES)]
        for outcomes, events in self._seats[at].settlements(state, acts):
            changes = [change for event in events if (change := _change(event))]
            for outcome in outcomes:
                found[outcome] = changes
        return found

    def _append_changes(self, changes: Sequence[int]) -> None:
        self._grow(self._changes_known + len(changes), "changes")
        self.changes[self._changes_known : self._changes_known + len(changes)] = changes
        self._changes_known += len(changes)

    def _grow(self, size: int, *names: str) -> None:
        """Make room in arrays for so many rows."""
        for name in names:
            held = getattr(self, name)
            if size <= len(held):
                continue
            fill = UNEXPLORED if name in {"first", "settled"} else 0
            grown = np.full((max(2 * len(held), size), *held.shape[1:]), fill, dtype=held.dtype)
            grown[: len(held)] = held
            setattr(self, name, grown)


def _change(event: e.Event) -> int:
    """Return what a settlement gains or loses its player."""
    if isinstance(event, e.WagerWon):
        return event.winnings - event.vigorish
    return -event.cents if isinstance(event, e.WagerLost) else 0
