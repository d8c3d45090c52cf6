"""The results of sessions: whole numbers, equal however the sessions are split and in whatever order they end.

Sums are exact. The histograms have a fixed number of cells, and values beyond an end are counted in its last cell, so
memory does not grow with the number of sessions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS, GOAL, LIMIT, NEVER, RUIN, STOP
from passline.notebook import arrow_table
from passline.simulation.kernel_tables import Playable
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.reference_session import SessionRecord

QUANTITIES = ("rolls", "final", "peak", "drawdown", "wagered")
"""The quantities that are summed, in the order of `SessionRecord`."""

_CELLS_MAX = 1 << 16
_ROLLS_KNOWN_MAX = 1 << 12  # later endings are counted at this roll
_ROLLS_PER_DECISION, _ROLLS_PER_HAND = 8, 40  # more than nearly all sessions need on average
_DEVIATIONS = 8


@dataclass(frozen=True)
class Bins:
    """The cells of a histogram: cell i starts at first + i * width; the cells at the ends also hold values beyond."""

    first: int
    width: int  # a power of two, so that kernels can shift instead of dividing
    cells: int

    def cell(self, value: int) -> int:
        """Return the cell of a value.

        >>> [Bins(first=0, width=4, cells=3).cell(value) for value in (-1, 3, 4, 100)]
        [0, 0, 1, 2]
        """
        return min(max((value - self.first) // self.width, 0), self.cells - 1)

    @property
    def shift(self) -> int:
        """The binary logarithm of the width."""
        return self.width.bit_length() - 1


@dataclass(frozen=True)
class Shape:
    """The sizes of the histograms, which follow from the tables and the limits."""

    equity: Bins  # for final equity and for peaks
    drawdown: Bins
    rolls: int  # the last roll that endings are counted at


def rolls_expected(limits: SessionLimits) -> int:
    """Return about how many rolls a session takes that is not ruined."""
    if limits.marks == NEVER:
        return limits.rolls
    return min(limits.rolls, limits.marks * (_ROLLS_PER_DECISION if limits.mark == 1 else _ROLLS_PER_HAND))


def shape_of(tables: Playable, limits: SessionLimits) -> Shape:
    """Return histograms wide enough for nearly all sessions: eight deviations of the most volatile state.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> ready = prepare_strategy(Rules.of("maryland"), "pass", Terms(bankroll_cents=100_00, rolls=20))
    >>> shape_of(ready.tables, ready.limits).equity
    Bins(first=0, width=1, cells=32)
    """
    rolls = min(rolls_expected(limits), _ROLLS_KNOWN_MAX)
    cash = tables.cash_of_parts
    win = sum(max(0, int(part.max())) for part in cash)
    root = sum(math.isqrt(int((part * part).sum(axis=1).max()) // 36) + 1 for part in cash)
    rise = min(rolls * win, _DEVIATIONS * (math.isqrt(rolls) + 1) * root + win) + 1
    top = limits.equity + rise
    if limits.goal != NEVER:
        top = min(top, max(limits.goal, limits.equity) + win)
    fall = max(1, top)
    return Shape(equity=_bins(top + 1), drawdown=_bins(fall + 1), rolls=rolls)


def _bins(values: int) -> Bins:
    width = 1 << ((values - 1) // _CELLS_MAX).bit_length()
    return Bins(first=0, width=width, cells=max(1, -(-values // width)))


@dataclass(frozen=True)
class Sums:
    """The sum and the sum of the squares of a quantity."""

    total: int = 0
    squares: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def times(self, factor: float) -> Interval:
        """Return the interval of what is `factor` times as large.

        >>> Interval(value=0.5, low=0.4, high=0.6).times(2)
        Interval(value=1.0, low=0.8, high=1.2)
        """
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def holds(self, truth: float) -> bool:
        """Return whether a value lies within the interval.

        >>> Interval(value=0.5, low=0.4, high=0.6).holds(0.55)
        True
        """
        return self.low <= truth <= self.high


@dataclass(frozen=True, eq=False)
class Results:
    """The results of sessions of one strategy. Amounts are in units, or in cents where a name says so."""

    shape: Shape
    unit: int
    left_over: int  # cents of every equity beyond whole units
    bankroll: int  # units
    sessions: int
    endings: tuple[int, ...]  # ruin, goal, limit, stop
    sums: dict[str, Sums]  # of all sessions, by quantity
    to_ruin: Sums  # rolls of the sessions that ended in ruin
    final: NDArray[np.int64]  # [ending, cell]
    peak: NDArray[np.int64]  # [cell]
    drawdown: NDArray[np.int64]  # [cell]
    by_roll: NDArray[np.int64]  # [ending, roll] how many ended at this roll

    def __add__(self, other: Results) -> Results:
        """Return the results of both. Order and grouping make no difference."""
        same = ("shape", "unit", "left_over", "bankroll")
        assert all(getattr(self, name) == getattr(other, name) for name in same), "one strategy on one set of terms"
        return replace(
            self,
            sessions=self.sessions + other.sessions,
            endings=tuple(a + b for a, b in zip(self.endings, other.endings, strict=True)),
            sums={name: self.sums[name] + other.sums[name] for name in QUANTITIES},
            to_ruin=self.to_ruin + other.to_ruin,
            final=self.final + other.final,
            peak=self.peak + other.peak,
            drawdown=self.drawdown + other.drawdown,
            by_roll=self.by_roll + other.by_roll,
        )

    def __repr__(self) -> str:
        endings = ", ".join(f"{name} {count:,}" for name, count in zip(ENDINGS, self.endings, strict=True))
        return f"<Results of {self.sessions:,} sessions, {self.rolls:,} rolls: {endings}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Results) and self.plain() == other.plain()

    __hash__ = None  # type: ignore[assignment] # arrays have no hash

    @property
    def rolls(self) -> int:
        """How many rolls all sessions took together."""
        return self.sums["rolls"].total

    def chance(self, ending: int, confidence: float = 0.95) -> Interval:
        """Return the share of sessions with this ending, with the Wilson interval, which also holds for rare endings.

        >>> found = interval_of_share(0, 1000, 0.95)
        >>> f"{found.low:.6f} {found.high:.6f}"
        '0.000000 0.003827'
        """
        return interval_of_share(self.endings[ending], self.sessions, confidence)

    def mean(self, quantity: str, confidence: float = 0.95) -> Interval:
        """Return the mean of a quantity per session, in units or rolls, with its interval."""
        return interval_of_mean(self.sums[quantity], self.sessions, confidence)

    def mean_cents(self, quantity: str = "final", confidence: float = 0.95) -> Interval:
        """Return the mean of an amount in cents, with its interval."""
        found = self.mean(quantity, confidence)
        shift = self.left_over if quantity in {"final", "peak"} else 0
        return Interval(*(end * self.unit + shift for end in (found.value, found.low, found.high)))

    def loss_cents(self, confidence: float = 0.95) -> Interval:
        """Return what a session cost on average: the bankroll less the mean of the final equity."""
        mean, start = self.mean_cents("final", confidence), self.cents(self.bankroll)
        return Interval(start - mean.value, start - mean.high, start - mean.low)

    def edge_on_action(self, confidence: float = 0.95) -> Interval:
        """Return the loss as a share of the action; the interval holds whatever the two have to do with each other."""
        loss, action = self.loss_cents(confidence), self.mean_cents("wagered", confidence)
        if not action.value:
            return Interval(math.nan, math.nan, math.nan)
        edge = loss.value / action.value
        margin = (loss.margin + abs(edge) * action.margin) / action.value
        return Interval(edge, edge - margin, edge + margin)

    def rolls_to_ruin(self, confidence: float = 0.95) -> Interval:
        """Return the mean number of rolls until ruin, of the sessions that ended in ruin."""
        return interval_of_mean(self.to_ruin, self.endings[RUIN], confidence)

    def deviation_cents(self, quantity: str = "final") -> float:
        """Return the standard deviation of an amount in cents."""
        return math.sqrt(_variance(self.sums[quantity], self.sessions)) * self.unit

    def quantile_cents(self, share: float | Fraction) -> int:
        """Return the least final equity, by the histogram, at or below which at least this share of sessions end."""
        below = np.cumsum(self.final.sum(axis=0))
        cell = int(np.searchsorted(below, math.ceil(share * self.sessions)))
        bins = self.shape.equity
        return self.cents(bins.first + min(cell, bins.cells - 1) * bins.width)

    def ahead(self, confidence: float = 0.95) -> Interval:
        """Return the share of sessions that ended with a profit; exact while cells are one unit wide."""
        bins = self.shape.equity
        return interval_of_share(int(self.final[:, bins.cell(self.bankroll) + 1 :].sum()), self.sessions, confidence)

    def cents(self, equity: int) -> int:
        """Convert an equity to cents."""
        return equity * self.unit + self.left_over

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """Return the final equities as numpy arrays by name, a row for each cell that a session ended in."""
        cells = np.flatnonzero(self.final.sum(axis=0))
        bins = self.shape.equity
        equity = (bins.first + cells * bins.width) * self.unit + self.left_over
        ended = {name: self.final[code, cells] for code, name in enumerate(ENDINGS)}
        return {"equity_cents": equity, "sessions": self.final[:, cells].sum(axis=0), **ended}

    def to_arrow(self) -> Any:  # noqa: ANN401 - a pyarrow.Table
        """Return `columns()` as an Arrow table; pyarrow must be installed."""
        return arrow_table(self.columns())

    def plain(self) -> dict[str, object]:
        """Return everything as plain numbers, for JSON and for comparing."""
        return {
            "sessions": self.sessions,
            "unit_cents": self.unit,
            "left_over_cents": self.left_over,
            "bankroll": self.bankroll,
            "endings": dict(zip(ENDINGS, self.endings, strict=True)),
            "sums": {name: [sums.total, sums.squares] for name, sums in self.sums.items()},
            "rolls_to_ruin": [self.to_ruin.total, self.to_ruin.squares],
            "histograms": {
                "final": _sparse(self.shape.equity, self.final.sum(axis=0)),
                "final_ruined": _sparse(self.shape.equity, self.final[RUIN]),
                "final_at_goal": _sparse(self.shape.equity, self.final[GOAL]),
                "peak": _sparse(self.shape.equity, self.peak),
                "drawdown": _sparse(self.shape.drawdown, self.drawdown),
                "ruin_by_roll": _sparse(_by_one(self.by_roll[RUIN]), self.by_roll[RUIN]),
                "goal_by_roll": _sparse(_by_one(self.by_roll[GOAL]), self.by_roll[GOAL]),
                "limit_by_roll": _sparse(_by_one(self.by_roll[LIMIT]), self.by_roll[LIMIT]),
                "stop_by_roll": _sparse(_by_one(self.by_roll[STOP]), self.by_roll[STOP]),
            },
        }


def _by_one(counts: NDArray[np.int64]) -> Bins:
    return Bins(first=0, width=1, cells=len(counts))


def _sparse(bins: Bins, counts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the cells that are not empty, as (least value, count)."""
    return [(bins.first + int(cell) * bins.width, int(counts[cell])) for cell in np.flatnonzero(counts)]


def _z(confidence: float) -> float:
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def _variance(sums: Sums, count: int) -> float:
    """Return the unbiased variance; its numerator is exact."""
    return (count * sums.squares - sums.total * sums.total) / (count * (count - 1)) if count > 1 else 0.0


def interval_of_mean(sums: Sums, count: int, confidence: float) -> Interval:
    """Return the mean of so many values with the interval of the normal law."""
    if not count:
        return Interval(math.nan, math.nan, math.nan)
    mean, margin = sums.total / count, _z(confidence) * math.sqrt(_variance(sums, count) / count)
    return Interval(mean, mean - margin, mean + margin)


def interval_of_share(hits: int, count: int, confidence: float) -> Interval:
    """Return the share of hits with the Wilson interval, which also holds for rare ones."""
    if not count:
        return Interval(math.nan, math.nan, math.nan)
    z, share = _z(confidence), hits / count
    scale = 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    margin = z / scale * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return Interval(share, min(middle - margin, share), max(middle + margin, share))


def empty(tables: Playable, limits: SessionLimits) -> Results:
    """Return the results of no sessions, to which others are added."""
    shape = shape_of(tables, limits)
    return Results(
        shape=shape,
        unit=tables.unit,
        left_over=limits.left_over,
        bankroll=limits.equity,
        sessions=0,
        endings=(0,) * len(ENDINGS),
        sums={name: Sums() for name in QUANTITIES},
        to_ruin=Sums(),
        final=np.zeros((len(ENDINGS), shape.equity.cells), dtype=np.int64),
        peak=np.zeros(shape.equity.cells, dtype=np.int64),
        drawdown=np.zeros(shape.drawdown.cells, dtype=np.int64),
        by_roll=np.zeros((len(ENDINGS), shape.rolls + 1), dtype=np.int64),
    )


def results_of(tables: Playable, limits: SessionLimits, sessions: list[SessionRecord]) -> Results:
    """Return the results of these sessions, in plain Python: the specification of what the kernels collect.

    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> ready = prepare_strategy(Rules.of("maryland"), "pass", Terms(bankroll_cents=30_00, rolls=4))
    >>> ruined = SessionRecord(ending=0, rolls=3, final=0, peak=3, drawdown=3, wagered=3)
    >>> found = results_of(ready.tables, ready.limits, [ruined])
    >>> found.endings, found.mean_cents("wagered").value
    ((1, 0, 0, 0), 3000.0)
    """
    found = empty(tables, limits)
    for played in sessions:
        found.final[played.ending, found.shape.equity.cell(played.final)] += 1
        found.peak[found.shape.equity.cell(played.peak)] += 1
        found.drawdown[found.shape.drawdown.cell(played.drawdown)] += 1
        found.by_roll[played.ending, min(played.rolls, found.shape.rolls)] += 1
    return replace(
        found,
        sessions=len(sessions),
        endings=tuple(sum(played.ending == ending for played in sessions) for ending in range(len(ENDINGS))),
        sums={name: _sums([getattr(played, name) for played in sessions]) for name in QUANTITIES},
        to_ruin=_sums([played.rolls for played in sessions if played.ending == RUIN]),
    )


def _sums(values: list[int]) -> Sums:
    return Sums(sum(values), sum(value * value for value in values))
