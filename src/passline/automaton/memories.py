"""The memories of a strategy as numbers, and which memory follows another after a roll, many at a time.

What a roll does to a memory depends on the memory and on the roll's effects alone, whatever is on the layout, so it is
worked out once for each value that a counter of a strategy file reads. The memory of any other strategy is opaque.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from passline.strategy.interface import Strategy
from passline.strategy.memory_counter import MemoryCounter
from passline.strategy.strategy_file import FileStrategy

Numbers = NDArray[np.int64]
_KNOWN_MAX = 2_000_000
_EFFECTS = 1 << 24
"""More effects of rolls than are ever numbered."""
_CODES_MAX = 1 << 38  # so that a code with the number of its effects is a 64-bit number


class Memories:
    """The memories that were reached, numbered from that before a session; here they are opaque.

    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> strategy = strategy_of("one_three_two_six", Rules.of("maryland"))
    >>> memories = memories_of(strategy)
    >>> nothing = memories.number_effects(strategy.effects(()))
    >>> memories.after(np.array([0, 0]), np.array([nothing, nothing])), memories.value(0)
    (array([0, 0]), (0,))
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self._effects: dict[Hashable, int] = {}
        self._effects_of: list[Hashable] = []
        self._values: list[Hashable] = []
        self._numbers: dict[Hashable, int] = {}
        self._after: dict[int, int] = {}
        self._number(strategy.start)

    def value(self, number: int) -> Hashable:
        """Return the memory of a number."""
        return self._values[number]

    def number_effects(self, effects: Hashable) -> int:
        """Return the number of what a roll does to memories."""
        number = self._effects.setdefault(effects, len(self._effects_of))
        if number == len(self._effects_of):
            self._effects_of.append(effects)
        return number

    def views(self, memories: Numbers) -> Numbers:
        """Return a number for what wishes read of each memory: equal ones lead to the same wishes."""
        return memories

    def after(self, memories: Numbers, effects: Numbers) -> Numbers:
        """Return the memory that follows each after these effects."""
        if self.strategy.start is None:
            return memories
        pairs, places = np.unique(effects << 32 | memories, return_inverse=True)
        if len(self._after) > _KNOWN_MAX:
            self._after.clear()
        found = [self._after.get(pair) for pair in pairs.tolist()]
        for at, number in enumerate(found):
            if number is None:
                pair = int(pairs[at])
                value = self.strategy.memory_after(self._values[pair & 0xFFFFFFFF], self._effects_of[pair >> 32])
                found[at] = self._after[pair] = self._number(value)
        return np.array(found, dtype=np.int64)[places]

    def _number(self, value: Hashable) -> int:
        number = self._numbers.setdefault(value, len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number


class CountedMemories(Memories):
    """The memories of a strategy file: a row of counters each."""

    def __init__(self, strategy: FileStrategy) -> None:
        assert strategy.start is not None
        self._counters = [_KnownCounter(strategy.counters, counter) for counter in strategy.counters]
        self._read_by_wishes = list(strategy.places_wished)
        self._rows = np.zeros((1024, len(strategy.counters)), dtype=np.int64)
        self._views = np.zeros(1024, dtype=np.int64)
        self._view_numbers: dict[bytes, int] = {}
        self._numbers_of_rows: dict[bytes, int] = {}
        super().__init__(strategy)
        self._number_rows(np.array([strategy.start], dtype=np.int64))

    def value(self, number: int) -> Hashable:
        """Return the counters of a number."""
        return tuple(self._rows[number].tolist())

    def views(self, memories: Numbers) -> Numbers:
        """Return a number for the counters that wishes read of each memory."""
        found: Numbers = self._views[memories]
        return found

    def after(self, memories: Numbers, effects: Numbers) -> Numbers:
        """Return the memory that follows each after these effects."""
        before = self._rows[memories]
        rows = np.empty_like(before)
        for at, counter in enumerate(self._counters):
            rows[:, at] = counter.after(before, effects, self._effects_of)
        return self._number_rows(rows)

    def _number_rows(self, rows: Numbers) -> Numbers:
        known = self._numbers_of_rows
        before = len(known)
        numbers: list[int] = []
        fresh: list[int] = []
        for at, row in enumerate(_bytes_of(rows)):
            number = known.setdefault(row, len(known))
            if number >= before + len(fresh):
                fresh.append(at)
            numbers.append(number)
        if fresh:
            self._add_rows(rows[fresh], before)
        return np.array(numbers, dtype=np.int64)

    def _add_rows(self, rows: Numbers, before: int) -> None:
        end = before + len(rows)
        if end > len(self._rows):
            room = max(2 * len(self._rows), end)
            self._rows = np.concatenate([self._rows[:before], np.zeros((room - before, rows.shape[1]), dtype=np.int64)])
            self._views = np.concatenate([self._views[:before], np.zeros(room - before, dtype=np.int64)])
        self._rows[before:end] = rows
        views = self._view_numbers
        read = _bytes_of(np.ascontiguousarray(rows[:, self._read_by_wishes]))
        self._views[before:end] = [views.setdefault(view, len(views)) for view in read]


class _KnownCounter:
    """A counter, and what is known of its values after a roll: one for each value of the counters that it reads."""

    def __init__(self, counters: Sequence[MemoryCounter], counter: MemoryCounter) -> None:
        self._counter = counter
        self._reads = list(counter.reads)
        spans = [counters[place].max - counters[place].min + 1 for place in self._reads]
        self._least = np.array([counters[place].min for place in self._reads], dtype=np.int64)
        factors = [prod(spans[at + 1 :]) for at in range(len(spans))]
        self._factors = np.array(factors, dtype=np.int64) if prod(spans) < _CODES_MAX else None
        self._known: dict[int, int] = {}

    def after(self, rows: Numbers, effects: Numbers, effects_of: Sequence[Hashable]) -> Numbers:
        """Return the values of the counter after these effects, where all counters were these rows before."""
        if self._factors is None:
            values = [self._value(effects_of[effect], row) for effect, row in zip(effects.tolist(), rows, strict=True)]
            return np.array(values, dtype=np.int64)
        codes = effects + _EFFECTS * ((rows[:, self._reads] - self._least) @ self._factors)
        distinct, first, places = np.unique(codes, return_index=True, return_inverse=True)
        if len(self._known) > _KNOWN_MAX:
            self._known.clear()
        found = [self._known.get(code) for code in distinct.tolist()]
        for at, value in enumerate(found):
            if value is None:
                row = int(first[at])
                found[at] = self._known[int(distinct[at])] = self._value(effects_of[int(effects[row])], rows[row])
        return np.array(found, dtype=np.int64)[places]

    def _value(self, effects: Hashable, row: Numbers) -> int:
        assert isinstance(effects, tuple)
        return self._counter.after(effects[0], tuple(row.tolist()), effects[1])


def memories_of(strategy: Strategy) -> Memories:
    """Return the memories of a strategy, of which only that before a session is known yet."""
    if isinstance(strategy, FileStrategy) and strategy.start is not None:
        return CountedMemories(strategy)
    return Memories(strategy)


def _bytes_of(rows: Numbers) -> list[bytes]:
    """Return each row as bytes, equal where the rows are."""
    if not rows.shape[1]:
        return [b""] * len(rows)
    found: list[bytes] = np.ascontiguousarray(rows).view(f"V{rows.shape[1] * 8}").ravel().tolist()
    return found
