"""The states that a strategy reaches, explored in batches: a state is a place and what is remembered there.

A *place* is the puck, the closed windows and the player's wagers. What a roll does to a place has nothing to do with
the memory, and what it does to the memory nothing to do with the place (`memories.py`), so both are worked out once and
put together for all states of a batch. Wishes depend on the place and on what they read of the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Short
from passline.automaton.memories import memories_of
from passline.automaton.seat import KEPT_ALL, LayoutRoll, SeatActs, SeatState, StrategySeat
from passline.automaton.standing import PAIRS
from passline.errors import CrapsError
from passline.strategy.interface import Seen, Wish

_SHOWN = 5  # counts at either end of a long message
_PLACE, _KEPT = 40, 28  # the lowest bits of a place and of how many wishes are kept; below them is the memory
_PLACES_MAX, _KEPT_MAX, _MEMORIES_MAX = 1 << 23, (1 << 12) - 2, 1 << 28
_KEPT_MASK, _MEMORY_MASK = (1 << 12) - 1, (1 << 28) - 1
_RESULTS = 6  # numbers of each result of a roll
_NOTHING = -1  # no state to take instead


class TooManyStates(CrapsError):
    """A strategy with more states than the limit; the message shows how they grew."""

    def __init__(self, name: str, limit: int, depths: list[int]) -> None:
        first, last = depths[:_SHOWN], depths[_SHOWN:][-_SHOWN:]
        gap = "... " if len(depths) > len(first) + len(last) else ""
        growth = ", ".join(map(str, first)) + (f", {gap}" + ", ".join(map(str, last)) if last else "")
        super().__init__(
            f"{name} has more than {limit:,} states: after 0 to {len(depths) - 1} rolls {growth} are reached. Let it "
            "remember less or use fewer different amounts. Under the policy stop, independent parts joined by + are "
            "compiled apart."
        )


class Rows(NamedTuple):
    """What follows from each state of a batch: the arrays of an automaton in cents."""

    next: NDArray[np.int64]  # [states, 36]
    cash: NDArray[np.int64]
    mark: NDArray[np.uint8]
    action: NDArray[np.int64]
    initial: NDArray[np.int64]
    outlay: NDArray[np.int64]  # [states]
    short: NDArray[np.int64]
    ended: NDArray[np.int64]  # the state in which nothing new is made; -1 if nothing is up then, or if not asked for


class Exploration:
    """The states found so far, numbered in the order they were found."""

    def __init__(self, seat: StrategySeat, short: Short, states_max: int, *, to_the_end: bool = False) -> None:
        self.seat = seat
        self.to_the_end = to_the_end
        self.policy = short
        self.states_max = states_max
        self.depths: list[int] = []  # how many states were found after 0, 1, 2, ... rolls
        self._memories = memories_of(seat.strategy)
        self._places: list[SeatState] = []  # with the memory of the first state there
        self._place_numbers: dict[tuple[object, ...], int] = {}
        self._acts = _KnownActs()
        self._carried_out: dict[tuple[int, int, tuple[Wish, ...]], int] = {}
        self._layouts = _KnownLayouts()
        self._numbers: dict[int, int] = {}
        self._keys: list[int] = []
        self._number(self._place(seat.start) << _PLACE)

    def __len__(self) -> int:
        return len(self._keys)

    def state(self, number: int) -> SeatState:
        """Return the state of a number."""
        key = self._keys[number]
        return self._state(key >> _PLACE, (key >> _KEPT & _KEPT_MASK) + KEPT_ALL, key & _MEMORY_MASK)

    def explore(self, numbers: Sequence[int]) -> Rows:
        """Play all outcomes from these states; states that are new are numbered, those of the first state first."""
        keys = np.array([self._keys[number] for number in numbers], dtype=np.int64)
        places, memories = keys >> _PLACE, keys & _MEMORY_MASK
        acts = self._acts_in(places, (keys >> _KEPT) & _KEPT_MASK, memories)
        known, layouts = self._acts, self._layouts
        instead = self._instead(places, memories, acts) if self.policy != "stop" or self.to_the_end else None
        layout = known.layout[acts]
        kinds = np.arange(len(PAIRS)) < layouts.count[layout][:, None]  # the results of each state that differ
        after = self._memories.after(np.repeat(memories, layouts.count[layout]), layouts.effects[layout][kinds])
        leads = np.full(kinds.shape, 0, dtype=np.int64)
        leads[kinds] = (layouts.place[layout][kinds] << _PLACE) | after
        short, ended = self._number_all(leads, kinds, instead)
        outcome = (np.arange(len(keys))[:, None], layouts.outcome[layout])
        return Rows(
            next=leads[outcome],
            cash=layouts.gain[layout][outcome] - known.paid[acts][:, None],
            mark=layouts.mark[layout][outcome].astype(np.uint8),
            action=layouts.action[layout][outcome],
            initial=layouts.initial[layout][outcome],
            outlay=known.outlay[acts],
            short=short,
            ended=ended,
        )

    def _number_all(
        self, leads: NDArray[np.int64], kinds: NDArray[np.bool_], instead: list[tuple[int, int]] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Turn the keys in `leads` into numbers; return the numbers of the states to take instead."""
        numbers = self._numbers
        short = np.full(len(leads), _NOTHING, dtype=np.int64)
        ended = short.copy()
        if instead is None:
            leads[kinds] = [
                known if (known := numbers.get(key)) is not None else self._number(key) for key in leads[kinds].tolist()
            ]
            return short, ended
        for at, others in enumerate(instead):
            short[at], ended[at] = (_NOTHING if key == _NOTHING else self._number(key) for key in others)
            own = kinds[at]
            leads[at, own] = [self._number(key) for key in leads[at, own].tolist()]
        return short, ended

    def _number(self, key: int) -> int:
        """Return the number of a state; one that is not known yet is added."""
        known = self._numbers.get(key)
        if known is None:
            if len(self._keys) >= self.states_max:
                raise TooManyStates(self.seat.strategy.name, self.states_max, [*self.depths, len(self._keys)])
            known = self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return known

    def _place(self, state: SeatState) -> int:
        key = (state.puck, state.closed, state.mine)
        place = self._place_numbers.setdefault(key, len(self._places))
        if place == len(self._places):
            assert place < _PLACES_MAX
            self._places.append(state)
        return place

    def _state(self, place: int, kept: int, memory: int) -> SeatState:
        at = self._places[place]
        return SeatState(at.puck, at.closed, at.mine, self._memories.value(memory), kept)

    def _acts_in(
        self, places: NDArray[np.int64], kept: NDArray[np.int64], memories: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the number of what the strategy does in each state."""
        assert not len(memories) or int(memories.max()) < _MEMORIES_MAX
        keys = places << _PLACE | kept << _KEPT | self._memories.views(memories)
        numbers = [self._acts.numbers.get(key, _NOTHING) for key in keys.tolist()]
        for at in [at for at, number in enumerate(numbers) if number == _NOTHING]:
            key = int(keys[at])
            if key not in self._acts.numbers:
                state = self._state(int(places[at]), int(kept[at]) + KEPT_ALL, int(memories[at]))
                self._acts.numbers[key] = self._acts_on(int(places[at]), state)
            numbers[at] = self._acts.numbers[key]
        return np.array(numbers, dtype=np.int64)

    def _acts_on(self, place: int, state: SeatState) -> int:
        """Return the number of what the strategy does; many memories lead to the same wishes at one place."""
        seen = Seen(state.puck, is_clearing=False, mine=state.mine, closed=state.closed)
        wishes = self.seat.strategy.wishes(seen, state.memory)
        key = (place, state.kept, wishes)
        number = self._carried_out.get(key)
        if number is None:
            done = self.seat.acts_on(state, seen, wishes)
            number = self._carried_out[key] = self._acts.add(done, self._layout(state, done))
        return number

    def _layout(self, state: SeatState, acts: SeatActs) -> int:
        """Return the number of the layout that a player has acted on, with what rolls do to it."""
        key = (state.puck, state.closed, acts.mine)
        number = self._layouts.numbers.get(key)
        if number is None:
            rolls = self.seat.layout_rolls(state, acts)
            leads = [self._place(SeatState(roll.puck, roll.closed, roll.left, None)) for roll in rolls]
            effects = [self._memories.number_effects(roll.effects) for roll in rolls]
            number = self._layouts.add(key, rolls, leads, effects)
        return number

    def _instead(
        self, places: NDArray[np.int64], memories: NDArray[np.int64], acts: NDArray[np.int64]
    ) -> list[tuple[int, int]]:
        """Return for each state the key of that in which a player acts who is short, and of that at the end."""
        made = self._acts.made[acts]
        asked = np.flatnonzero((made > 0) & ((made == 1) | (self.policy == "ride")) | self.to_the_end)
        without = self._acts_in(places[asked], np.full(len(asked), -KEPT_ALL, dtype=np.int64), memories[asked])
        bare = np.zeros(len(places), dtype=np.bool_)
        bare[asked] = self._acts.bare[without]
        found = []
        columns = (column.tolist() for column in (places, memories, made, bare))
        for place, memory, wagers, is_bare in zip(*columns, strict=True):
            ends = _key(place, 0, memory) if self.to_the_end and not is_bare else _NOTHING
            kept = wagers - 1 if self.policy == "reduce" else 0
            is_ruin = self.policy == "stop" or not wagers or (not kept and is_bare)
            found.append((_NOTHING if is_ruin else _key(place, kept, memory), ends))
        return found


def _key(place: int, kept: int, memory: int) -> int:
    assert kept < _KEPT_MAX
    return place << _PLACE | (kept - KEPT_ALL) << _KEPT | memory


class _KnownActs:
    """What the strategy does in states: the layout after acting, the cents paid, the outlay, the wagers made."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self._count = 0
        self.layout, self.paid, self.outlay, self.made = (np.zeros(256, dtype=np.int64) for _ in range(4))
        self.bare = np.zeros(256, dtype=np.bool_)

    def add(self, acts: SeatActs, layout: int) -> int:
        number, self._count = self._count, self._count + 1
        if number == len(self.layout):
            for name in ("layout", "paid", "outlay", "made", "bare"):
                setattr(self, name, _double(getattr(self, name)))
        self.layout[number], self.paid[number], self.outlay[number] = layout, acts.paid, acts.outlay
        self.made[number], self.bare[number] = acts.made, acts.is_bare
        return number


class _KnownLayouts:
    """What rolls do to layouts: of each, the results that differ, and which of them each outcome has."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[object, ...], int] = {}
        self.count = np.zeros(256, dtype=np.int64)
        self.outcome = np.zeros((256, OUTCOMES), dtype=np.uint8)
        self._results = np.zeros((256, _RESULTS, len(PAIRS)), dtype=np.int64)

    @property
    def place(self) -> NDArray[np.int64]:
        """[layout, result]: the place after a roll; below, the effects on the memory, and the amounts."""
        return self._results[:, 0]

    @property
    def effects(self) -> NDArray[np.int64]:
        return self._results[:, 1]

    @property
    def gain(self) -> NDArray[np.int64]:
        return self._results[:, 2]

    @property
    def action(self) -> NDArray[np.int64]:
        return self._results[:, 3]

    @property
    def initial(self) -> NDArray[np.int64]:
        return self._results[:, 4]

    @property
    def mark(self) -> NDArray[np.int64]:
        return self._results[:, 5]

    def add(
        self, key: tuple[object, ...], rolls: Sequence[LayoutRoll], places: Sequence[int], effects: Sequence[int]
    ) -> int:
        number = self.numbers[key] = len(self.numbers)
        if number == len(self.count):
            for name in ("count", "outcome", "_results"):
                setattr(self, name, _double(getattr(self, name)))
        count = self.count[number] = len(rolls)
        amounts = ([roll.gain, roll.action, roll.initial, roll.mark] for roll in rolls)
        self._results[number, :, :count] = [places, effects, *zip(*amounts, strict=True)]
        of_outcome = [0] * OUTCOMES
        for at, roll in enumerate(rolls):
            for outcome in roll.outcomes:
                of_outcome[outcome] = at
        self.outcome[number] = of_outcome
        return number


def _double(held: NDArray[np.generic]) -> NDArray[np.generic]:
    return np.concatenate([held, np.zeros_like(held)])
