"""The size of a law with a trailing stop, whose second coordinate is how far equity is below its highest."""

from __future__ import annotations

from dataclasses import replace
from math import isqrt, prod
from typing import NamedTuple

from passline.automaton.arrays import NEVER, Automaton
from passline.automaton.terms import SessionError, Terms
from passline.exact.session.counters import counters_of
from passline.exact.session.law import CELLS_MAX
from passline.exact.session.mass import ROWS_MAX, room_of

_DEVIATIONS = 9  # beyond these every mass is trimmed
_ROLLS_MAX = 1 << 20  # of a session whose rolls are not limited


class FallSize(NamedTuple):
    """The states of a law, with those of streaks and counts, the falls from the highest equity, and the equities."""

    states: int
    falls: int
    equities: int

    @property
    def cells(self) -> int:
        """How many probabilities are held at once."""
        return self.states * self.falls * self.equities

    def __str__(self) -> str:
        return f"{self.states:,} states x {self.falls:,} falls x {self.equities:,} equities = {self.cells:,} cells"


def fall_size(automaton: Automaton, terms: Terms, *, states: int) -> FallSize:
    """Return the size of a law with a trailing stop before it is solved: nine deviations up, and down to the stop."""
    equity, _, goal = terms.in_units(automaton.unit)
    _, trail = terms.stops_in_units(automaton.unit)
    rolls = min(terms.rolls or _ROLLS_MAX, _ROLLS_MAX)
    up, down = (max(0, int(most)) for most in (automaton.cash.max(), -automaton.cash.min()))
    squares = int(automaton.weighted_sum(automaton.cash * automaton.cash).max())
    rise = min(rolls * up, _DEVIATIONS * (isqrt(rolls * squares // automaton.total_weight) + 1) + up)
    if goal != NEVER:
        rise = min(rise, max(0, goal - equity) + up)
    falls = min(trail, rolls * down + 1)
    others = counters_of(replace(terms, trailing_stop_cents=None), unit=automaton.unit, down=down)
    repeated = states * prod(counter.levels for counter in others)
    room = room_of(repeated * falls, up + down) * (up + down)
    return FallSize(repeated, falls, rise + falls + room)


def check_fall(size: FallSize) -> None:
    """Raise SessionError for a law that would not fit into memory.

    >>> check_fall(FallSize(17, 50, 9_000))
    >>> check_fall(FallSize(17, 5_000, 9_000))
    Traceback (most recent call last):
    passline.automaton.terms.SessionError: with a trailing stop this law has 17 states x 5,000 falls x 9,000 equities = 765,000,000 cells, more than 250,000,000: stop nearer, play fewer rolls, wager in larger units, or play it with `passline simulate`
    """  # noqa: E501 - one line, as it is shown
    if size.cells > CELLS_MAX or size.states * size.falls > ROWS_MAX:
        raise SessionError(
            f"with a trailing stop this law has {size}, more than {CELLS_MAX:,}: stop nearer, play fewer rolls, wager "
            "in larger units, or play it with `passline simulate`"
        )
