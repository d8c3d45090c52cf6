"""The law of a session: the final equity, and how and when the session ended."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Short
from passline.automaton.terms import SessionError, Terms
from passline.chances import chance_text
from passline.notebook import arrow_table, html_table

Chance = TypeVar("Chance", float, Fraction)
"""A probability: a float64 with a bound on its error, or exact."""

Solving = Callable[[int, int | None], None]
"""Called now and then with how far a solver is, and out of how much (None if unknown)."""
CELLS_MAX = 250_000_000
"""The most cells of a law in memory: two gigabytes, and as many again for the next roll."""


def check_cells(cells: int) -> None:
    """Raise SessionError if a law of so many cells would not fit into memory.

    >>> check_cells(10**12)
    Traceback (most recent call last):
    passline.automaton.terms.SessionError: this law has 1,000,000,000,000 cells (states times equities), more than 250,000,000: play fewer rolls, decisions or hands, wager in larger units, or leave out a part
    """  # noqa: E501 - one line, as it is shown
    if cells > CELLS_MAX:
        raise SessionError(
            f"this law has {cells:,} cells (states times equities), more than {CELLS_MAX:,}: play fewer rolls, "
            "decisions or hands, wager in larger units, or leave out a part"
        )


@dataclass(frozen=True, kw_only=True)
class SessionLaw(Generic[Chance]):
    """The law of a session's final equity, and of how and when it ended.

    Equity includes open wagers at face value, unless they are played out (`is_finished`).

    Before each roll the goal is checked first, then the limit, then the stops, then whether the player can pay for the
    next wagers: a session that has reached its limit is not ruined.

    >>> law = SessionLaw(
    ...     equity_cents=(0, 5_00, 10_00), chances=(0.25, 0.25, 0.5), ruin_chances=(0.25, 0.0, 0.0),
    ...     goal_chances=(0.0, 0.0, 0.0), ruin_by_roll=(0.0, 0.25), goal_by_roll=(0.0, 0.0), limit_by_roll=(0.0, 0.75),
    ...     error=0.0, mean_error_cents=0.0, policy="stop", terms=Terms(bankroll_cents=5_00, rolls=1),
    ... )
    >>> law.ruin, law.mean_cents, law.quantile_cents(0.5), law.mean_rolls
    (0.25, 625.0, 500, 1.0)
    """

    equity_cents: tuple[int, ...]
    """The values that the final equity can have, in ascending order."""
    chances: tuple[Chance, ...]
    """The probability of each value."""
    ruin_chances: tuple[Chance, ...]
    """The part of each probability that ended in ruin."""
    goal_chances: tuple[Chance, ...]
    """The part of each probability that reached the goal."""
    ruin_by_roll: tuple[Chance, ...]
    """The probability of ruin after exactly 0, 1, 2 ... rolls, until nothing is in play any more."""
    goal_by_roll: tuple[Chance, ...]
    """The probability of reaching the goal after exactly 0, 1, 2 ... rolls."""
    limit_by_roll: tuple[Chance, ...]
    """The probability of ending at the limit after exactly 0, 1, 2 ... rolls."""
    error: float
    """The probability of no event is further than this from the truth; 0 when exact."""
    mean_error_cents: float | None
    """How far the mean can be from the truth; None when rolls, and therefore equity, are not limited."""
    policy: Short
    """What a player does who cannot pay for the outlay."""
    terms: Terms
    action_cents: Chance = None  # type: ignore[assignment] # only in examples made by hand
    """The mean amount of the wagers that won or lost during the session, odds included."""
    initial_cents: Chance = None  # type: ignore[assignment]
    """The mean amount of the wagers that won, lost or were returned, without odds."""
    up_cents: Chance = None  # type: ignore[assignment]
    """The mean, over sessions, of what is up when the dice are thrown, summed over the rolls."""
    stop_chances: tuple[Chance, ...] = ()
    """The part of each probability that ended at a stop: a loss, a fall from the highest equity, a streak."""
    stop_by_roll: tuple[Chance, ...] = ()
    """The probability of ending at a stop after exactly 0, 1, 2 ... rolls."""
    is_finished: bool = False
    """Whether wagers that were up at the end were played out; otherwise they count at face value."""

    def __repr__(self) -> str:
        finished = ", open wagers played out" * self.is_finished
        return (
            f"<SessionLaw {self.terms}: ruin {float(self.ruin):.6f}, mean {float(self.mean_cents) / 100:.4f}{finished}>"
        )

    @property
    def ruin(self) -> Chance:
        """The probability of ruin."""
        return _total(self.ruin_chances)

    @property
    def goal(self) -> Chance:
        """The probability of reaching the goal."""
        return _total(self.goal_chances)

    @property
    def stop(self) -> Chance:
        """The probability of ending at a stop."""
        return _total(self.stop_chances) if self.stop_chances else self.ruin - self.ruin

    @property
    def mean_cents(self) -> Chance:
        """The mean of the final equity."""
        return _total(p * x for x, p in zip(self.equity_cents, self.chances, strict=True))

    @property
    def loss_cents(self) -> Chance:
        """What a session costs on average: the bankroll less the mean of the final equity."""
        return self.terms.bankroll_cents - self.mean_cents

    @property
    def edge_on_action(self) -> Chance | None:
        """The loss as a share of the action: of all wagers that won or lost."""
        return self.loss_cents / self.action_cents if self.action_cents else None

    @property
    def edge_on_initial(self) -> Chance | None:
        """The loss as a share of the initial wagers: of those that won, lost or were returned, without odds."""
        return self.loss_cents / self.initial_cents if self.initial_cents else None

    @property
    def average_wager_cents(self) -> Chance | None:
        """What is up on average when the dice are thrown, with vigorish that is paid then."""
        return self.up_cents / self.mean_rolls if self.mean_rolls else None

    def loss_cents_per_hour(self, rolls_per_hour: int) -> Chance | None:
        """Return the loss of an hour at this pace: the loss by the mean number of rolls, times the rolls of an hour."""
        return self.loss_cents / self.mean_rolls * rolls_per_hour if self.mean_rolls else None

    @property
    def variance_cents(self) -> Chance:
        """The variance of the final equity, in square cents."""
        mean = self.mean_cents
        return _total(p * (x - mean) * (x - mean) for x, p in zip(self.equity_cents, self.chances, strict=True))

    @property
    def deviation_cents(self) -> float:
        """The standard deviation of the final equity."""
        return math.sqrt(self.variance_cents)

    @property
    def mean_rolls(self) -> Chance:
        """The mean number of rolls played."""
        kinds = [self.ruin_by_roll, self.goal_by_roll, self.limit_by_roll]
        kinds += [self.stop_by_roll] if self.stop_by_roll else []
        return _total(ending * n for kind in kinds for n, ending in enumerate(kind))

    @property
    def mean_rolls_to_ruin(self) -> Chance | None:
        """The mean number of rolls of the sessions that end in ruin; None if none does."""
        total = _total(self.ruin_by_roll)
        return _total(p * n for n, p in enumerate(self.ruin_by_roll)) / total if total else None

    def columns(self) -> dict[str, NDArray[np.int64] | NDArray[np.float64]]:
        """Return the law as numpy arrays by name, a row for each final equity: what polars and pandas take as it is."""
        chances = {"chance": self.chances, "ruin": self.ruin_chances, "goal": self.goal_chances}
        chances |= {"stop": self.stop_chances} if self.stop_chances else {}
        floats = {name: np.array([float(p) for p in values]) for name, values in chances.items()}
        return {"equity_cents": np.array(self.equity_cents, dtype=np.int64), **floats}

    def to_arrow(self) -> Any:  # noqa: ANN401 - a pyarrow.Table
        """Return `columns()` as an Arrow table; pyarrow must be installed."""
        return arrow_table(self.columns())

    def facts(self) -> list[tuple[str, str]]:
        """Return what a reader asks first, as (label, value) in words."""
        edges: dict[str, Any] = {
            "edge on action": self.edge_on_action,
            "edge on initial wagers": self.edge_on_initial,
        }
        return [
            ("ruin", chance_text(self.ruin)),
            *([("goal reached", chance_text(self.goal))] if self.terms.goal_cents is not None else []),
            *([("stopped", chance_text(self.stop))] if self.terms.has_stops else []),
            ("mean", f"{float(self.mean_cents) / 100:,.2f}"),
            ("standard deviation", f"{self.deviation_cents / 100:,.2f}"),
            ("expected loss", f"{float(self.loss_cents) / 100:,.2f}"),
            *((label, chance_text(edge, 4)) for label, edge in edges.items() if edge is not None),
            ("mean rolls", f"{float(self.mean_rolls):.2f}"),
        ]

    def _repr_html_(self) -> str:
        return html_table(f"A session {self.terms}", self.facts())

    def quantile_cents(self, share: float | Fraction) -> int:
        """Return the least equity such that at least `share` of the sessions end at or below it."""
        below = self.chances[0] - self.chances[0]
        for equity, chance in zip(self.equity_cents, self.chances, strict=True):
            below += chance
            if below >= share:
                return equity
        return self.equity_cents[-1]


def _total(values: Iterable[Chance]) -> Chance:
    """Return the sum: of floats rounded once, of Fractions exact."""
    listed = list(values)
    if isinstance(listed[0], float):
        return math.fsum(listed)
    return sum(listed[1:], listed[0])
