"""Two strategies on the same dice, simulated: the difference of what both have after each session.

Session i of a seed throws the same dice for both, so that most of the luck cancels: the error of the mean difference is
that of the differences, not of the two results.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import Short
from passline.automaton.terms import Terms
from passline.dice_weights import FAIR, dice_note
from passline.notebook import html_table
from passline.rules.rules import Rules
from passline.side_processes import cores_here
from passline.simulation.backends.cpu.backend import chunk_of, session_records
from passline.simulation.recorded_dice import SessionDice
from passline.simulation.results import Interval, Sums, interval_of_mean, interval_of_share
from passline.simulation.simulation import PreparedStrategy, check_numbers, is_growing, prepare_strategy
from passline.strategy.interface import Strategy

_FINAL = 2  # the column of `SessionRecord`


@dataclass(frozen=True, kw_only=True)
class PairedResults:
    """The differences, in cents, of the results of two strategies: the first less the second."""

    name: str
    against: str
    sessions: int
    differences: Sums
    ahead: int
    """How many sessions the first ended with more than the second."""
    behind: int
    dice: SessionDice = FAIR

    @property
    def ties(self) -> int:
        """How many sessions both ended with the same."""
        return self.sessions - self.ahead - self.behind

    @property
    def error_cents(self) -> float:
        """The standard error of the mean difference."""
        return self.mean_cents(_ONE_DEVIATION).margin

    def mean_cents(self, confidence: float = 0.95) -> Interval:
        """Return the mean difference with its interval."""
        return interval_of_mean(self.differences, self.sessions, confidence)

    def chance_ahead(self, confidence: float = 0.95) -> Interval:
        """Return the share of sessions that the first ended with more."""
        return interval_of_share(self.ahead, self.sessions, confidence)

    def chance_of_tie(self, confidence: float = 0.95) -> Interval:
        """Return the share of sessions that both ended with the same."""
        return interval_of_share(self.ties, self.sessions, confidence)

    def __repr__(self) -> str:
        mean = self.mean_cents().value / 100
        about = f"{self.name} less {self.against}, {self.sessions:,} sessions: mean {mean:.4f}"
        return f"<PairedResults of {about} ± {self.error_cents / 100:.4f}{dice_note(self.dice)}>"

    def _repr_html_(self) -> str:
        mean = f"{self.mean_cents().value / 100:,.4f}, standard error {self.error_cents / 100:,.4f}"
        shares = {"ahead": self.chance_ahead(), "level": self.chance_of_tie()}
        facts = [("mean difference", mean)]
        facts += [(name, f"{share.value:.4%} ± {share.margin:.4%}") for name, share in shares.items()]
        return html_table(f"{self.name} less {self.against}: {self.sessions:,} sessions{dice_note(self.dice)}", facts)


_ONE_DEVIATION = math.erf(math.sqrt(0.5))


def simulate_against(
    rules: Rules,
    strategy: Strategy | str,
    against: Strategy | str,
    terms: Terms,
    *,
    sessions: int = 100_000,
    seed: int = 0,
    short: Short = "stop",
    cores: int | None = None,
    dice: SessionDice = FAIR,
) -> PairedResults:
    """Simulate two strategies on the same dice, and return the differences of their results.

    >>> terms = Terms(bankroll_cents=500_00, rolls=20)
    >>> found = simulate_against(Rules.of("maryland"), "pass", "dont_pass", terms, sessions=2_000, seed=7)
    >>> found.ahead, found.ties, f"{found.mean_cents().value:.2f}"
    (865, 265, '150.00')
    """
    check_numbers(sessions=sessions, seed=seed, precision_cents=None, cores=cores)
    pair = [
        prepare_strategy(rules, played, terms, short=short, sessions=sessions, dice=dice)
        for played in (strategy, against)
    ]
    return compare_pair(pair[0], pair[1], sessions=sessions, seed=seed, cores=cores)


def compare_pair(
    first: PreparedStrategy, second: PreparedStrategy, *, sessions: int, seed: int, cores: int | None = None
) -> PairedResults:
    """Play the first sessions of a seed with two prepared strategies, and return their differences."""
    check_numbers(sessions=sessions, seed=seed, precision_cents=None, cores=cores)
    size = min(chunk_of(ready.limits) for ready in (first, second))
    pieces = (range(at, min(at + size, sessions)) for at in range(0, sessions, size))
    total = squares = ahead = behind = 0
    workers = 1 if is_growing(first) or is_growing(second) else cores or cores_here()
    for values, counts in _difference_counts(first, second, seed, pieces, workers):
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            total += value * count
            squares += value * value * count
            ahead += count * (value > 0)
            behind += count * (value < 0)
    names = {"name": first.name, "against": second.name}
    sums = Sums(total, squares)
    return PairedResults(
        **names, sessions=sessions, differences=sums, ahead=ahead, behind=behind, dice=first.tables.dice
    )


_Counted = tuple[NDArray[np.int64], NDArray[np.int64]]


def _difference_counts(
    first: PreparedStrategy, second: PreparedStrategy, seed: int, pieces: Iterator[range], workers: int
) -> Iterator[_Counted]:
    """Yield the differences of each piece with how often each occurs."""

    def play(piece: range) -> _Counted:
        return np.unique(_finals(first, seed, piece) - _finals(second, seed, piece), return_counts=True)

    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[_Counted]] = deque()
        for piece in pieces:  # only a few at a time, so that a long run needs little memory
            waiting.append(pool.submit(play, piece))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        for future in waiting:
            yield future.result()


def _finals(ready: PreparedStrategy, seed: int, piece: range) -> NDArray[np.int64]:
    """Return what each session of a piece ends with, in cents."""
    records = session_records(ready.tables, ready.limits, seed=seed, first=piece.start, sessions=len(piece))
    units = np.concatenate([rows[:, _FINAL] for _at, rows in records])
    return units * ready.tables.unit + ready.limits.left_over
