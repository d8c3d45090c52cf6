"""What a session counts beside its equity, as levels that the states are repeated for.

A counter has levels, the first at the start. After each roll its level follows from that before, the marks of the roll
and the change of equity; some lead to an end of the session. The product of all counters of a session has one level for
each combination of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import LIMIT, LINE, STOP, WON
from passline.automaton.terms import Terms

_Index = NDArray[np.int64]


class Counter(Protocol):
    """What `arcs_of` repeats states for."""

    @property
    def levels(self) -> int:
        """How many there are."""

    @property
    def marks(self) -> int:
        """The bits of the marks that it reads."""

    def leads(self, level: int, mark: _Index, shift: _Index) -> _Index:
        """Return the level after each of some rolls, from their marks and changes of equity; -1 - ending at an end."""


@dataclass(frozen=True)
class MarkCounter:
    """Rolls with a mark, line decisions or ends of hands: the last of them ends the session.

    >>> MarkCounter(LINE, 2).leads(1, np.array([0, LINE]), np.array([0, 0])).tolist()
    [1, -3]
    """

    mark: int
    levels: int

    @property
    def marks(self) -> int:
        """The mark that is counted."""
        return self.mark

    def leads(self, level: int, mark: _Index, shift: _Index) -> _Index:
        """Return the level after each roll."""
        del shift
        after = level + ((mark & self.mark) != 0)
        return np.where(after >= self.levels, -1 - LIMIT, after)


@dataclass(frozen=True)
class StreakCounter:
    """Line decisions in a row that the pass line wins or loses; those of a side without a limit are not counted.

    >>> streaks = StreakCounter(wins=2, losses=3)
    >>> [streaks.leads(level, np.array([LINE | WON, LINE]), np.zeros(2, dtype=int)).tolist() for level in range(4)]
    [[1, 2], [-4, 2], [1, 3], [1, -4]]
    """

    wins: int | None
    losses: int | None

    @property
    def levels(self) -> int:
        """None, then 1, 2, ... wins in a row, then 1, 2, ... losses in a row."""
        return (self.wins or 1) + (self.losses or 1) - 1

    @property
    def marks(self) -> int:
        """That the line is decided, and for whom."""
        return LINE | WON

    def leads(self, level: int, mark: _Index, shift: _Index) -> _Index:
        """Return the level after each roll."""
        del shift
        most = self.wins or 1  # the first level after those of wins
        won = self._after(level if level < most else 0, self.wins, 0)
        lost = self._after(max(0, level - most + 1), self.losses, most - 1)
        return np.where((mark & LINE) == 0, level, np.where((mark & WON) != 0, won, lost))

    @staticmethod
    def _after(count: int, most: int | None, before: int) -> int:
        """Return the level of one more in a row; `before` levels come before those of its side."""
        if most is None:
            return 0
        return -1 - STOP if count + 1 >= most else before + count + 1


@dataclass(frozen=True)
class FallCounter:
    """How far equity is below its highest; `is_stop` says whether a fall of as many units as levels ends the session.

    >>> FallCounter(5, is_stop=True).leads(3, np.zeros(3, dtype=int), np.array([4, -1, -2])).tolist()
    [0, 4, -4]
    """

    levels: int
    is_stop: bool
    marks: int = 0

    def leads(self, level: int, mark: _Index, shift: _Index) -> _Index:
        """Return the level after each roll."""
        del mark
        after = np.maximum(level - shift, 0)
        return np.where(after >= self.levels, -1 - STOP, after)


def counters_of(terms: Terms, *, unit: int, down: int) -> tuple[Counter, ...]:
    """Return what sessions on these terms count; no roll loses more than `down` units.

    >>> counters_of(Terms(bankroll_cents=100_00, rolls=2, trailing_stop_cents=30_00, line_wins=3), unit=100, down=10)
    (StreakCounter(wins=3, losses=None), FallCounter(levels=21, is_stop=False, marks=0))
    """
    found: list[Counter] = []
    mark, count = terms.counted
    if count is not None:
        found.append(MarkCounter(mark, count))
    if terms.line_wins is not None or terms.line_losses is not None:
        found.append(StreakCounter(terms.line_wins, terms.line_losses))
    if terms.trailing_stop_cents is not None:
        _, trail = terms.stops_in_units(unit)
        most = trail if terms.rolls is None else min(trail, terms.rolls * down + 1)
        found.append(FallCounter(most, is_stop=most == trail))
    return tuple(found)


def level_leads(counters: Sequence[Counter], mark: _Index, shift: _Index) -> list[_Index]:
    """Return for each level of the product the level after each roll; -1 - ending at an end, at the limit before stops.

    >>> both = (MarkCounter(LINE, 2), StreakCounter(wins=1, losses=None))
    >>> [after.tolist() for after in level_leads(both, np.array([LINE | WON, LINE]), np.zeros(2, dtype=int))]
    [[-4, 1], [-3, -3]]
    """
    tables = [[counter.leads(level, mark, shift) for level in range(counter.levels)] for counter in counters]
    found = []
    for levels in product(*(range(counter.levels) for counter in counters)):
        after = np.zeros(len(mark), dtype=np.int64)
        ends = np.full(len(mark), -1 - STOP - 1, dtype=np.int64)
        for counter, table, level in zip(counters, tables, levels, strict=True):
            lead = table[level]
            ends = np.where(lead < 0, np.maximum(ends, lead), ends)
            after = after * counter.levels + lead
        found.append(np.where(ends >= -1 - STOP, ends, after))
    return found
