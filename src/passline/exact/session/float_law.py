"""The law of a session in float64, with a proven bound on its error.

Every probability is computed by sums and products of nonnegative numbers, so each rounding changes it by a factor
between 1 - u and 1 + u, where u = 2^-53. After k roundings the factor is within 1 +- k u / (1 - k u); k is counted from
the operations done. Cells at the edge of the law below a threshold are dropped, and their mass is added to the bound.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import GOAL, LIMIT, RUIN, STOP, Automaton
from passline.automaton.terms import Terms, check_marks
from passline.exact.session.counters import counters_of
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.mass import Arcs, Start, Walk, arcs_of

TRIM = 1e-18
"""Cells at the edge of a law with less mass are dropped, and so is all mass in play once it is less."""

_UNIT_ROUNDOFF = Fraction(1, 2**53)
_SLACK = Fraction(1_000_001, 1_000_000)  # the sum of dropped masses is rounded too, fewer than 2^30 times
_READING = 6  # roundings of the sums, products and squares in the properties of a law
_UNDERFLOW = Fraction(1, 10**290)  # more than all products together can lose by underflow


def session_law(
    automaton: Automaton, terms: Terms, *, trim: float = TRIM, solving: Solving | None = None
) -> SessionLaw[float]:
    """Return the law of a session of a strategy: its final equity, ruin, goal and rolls.

    The cost of one roll is linear in the number of states times the number of reachable equities.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass:odds=2", rules))
    >>> law = session_law(automaton, Terms(bankroll_cents=300_00, rolls=100, goal_cents=500_00))
    >>> f"{law.ruin:.9f} {law.goal:.9f} {law.mean_cents / 100:.6f} {law.quantile_cents(0.5) / 100}"
    '0.058907156 0.168954771 297.191604 296.0'
    >>> law.error < 1e-12
    True
    """
    start = Start(automaton, terms)
    if terms.shooter_loss_cents is not None:
        return _shooter_law(automaton, start, trim, solving)
    arcs = limited_arcs(automaton, terms)
    walk = Walk(arcs, arcs.count / arcs.scale, equity=start.equity, goal=start.goal, stop=start.stop)
    by_roll: tuple[list[float], ...] = ([], [], [], [])
    dropped, acted = 0.0, np.zeros(len(arcs))
    for rolls in itertools.count():
        if solving:
            solving(rolls, terms.rolls)
        is_last = rolls == terms.rolls
        walk.settle(is_last=is_last)
        for kind, (low, masses) in enumerate(walk.endings()):
            by_roll[kind].append(math.fsum(masses))
            walk.ended[kind, low : low + len(masses)] += masses
        if is_last:
            break
        dropped += walk.kernels.trim(walk.mass, walk.low, walk.high, len(arcs), trim)
        left = walk.kernels.add_totals(walk.mass, walk.low, walk.high, acted)
        if left < trim:
            dropped += left
            break
        walk.roll()
    roundings = rolls * (arcs.roundings_per_roll + 1) + arcs.roundings_at_an_end + _READING
    bound = _Bound(factor=_relative(roundings), dropped=Fraction(dropped) * _SLACK)
    law = _law(walk.ended, by_roll, base=walk.base, start=start, bound=bound)
    return with_wagered(law, arcs, acted, start.unit)


def _shooter_law(automaton: Automaton, start: Start, trim: float, solving: Solving | None) -> SessionLaw[float]:
    """Return the law of a session with a loss limit per shooter."""
    from passline.exact.session.loss_limit import ShooterWalk  # noqa: PLC0415 - its kernels take long to import

    rolls = start.terms.rolls or 0
    walk = ShooterWalk(automaton, start.terms, equity=start.equity, goal=start.goal, stop=start.stop)
    by_roll: tuple[list[float], ...] = ([], [], [], [])
    dropped, acted = 0.0, np.zeros(walk.size)
    for n in range(rolls + 1):
        if solving:
            solving(n, rolls)
        dropped += walk.begin_hands(trim)
        ended, trimmed = walk.settle(0.0 if n == rolls else trim, is_last=n == rolls)
        dropped += trimmed
        for kind, masses in enumerate(ended):
            by_roll[kind].append(math.fsum(masses))
        if n < rolls:
            acted += walk.masses_in_play()
            walk.roll()
    bound = _Bound(
        factor=_relative((rolls + 1) * walk.roundings_per_roll + _READING), dropped=Fraction(dropped) * _SLACK
    )
    law = _law(walk.ended, by_roll, base=walk.lowest, start=start, bound=bound)
    return with_wagered(law, walk.arcs, acted, start.unit)


def with_wagered(law: SessionLaw[float], arcs: Arcs, acted: NDArray[np.float64], unit: int) -> SessionLaw[float]:
    """Return the law with what was wagered in the mean; `acted` is the mean number of rolls from each state."""
    action, initial, up = (float(amounts @ acted) * unit / arcs.scale for amounts in arcs.wagered)
    return replace(law, action_cents=action, initial_cents=initial, up_cents=up)


def bound_law(
    ended: NDArray[np.float64], *, base: int, start: Start, roundings: int, dropped: Fraction
) -> SessionLaw[float]:
    """Return the law of masses that ended, as [ending, equity - base], which were rounded and dropped so much."""
    bound = _Bound(factor=_relative(roundings + _READING), dropped=dropped * _SLACK)
    return _law(ended, ([], [], [], []), base=base, start=start, bound=bound)


def limited_arcs(automaton: Automaton, terms: Terms) -> Arcs:
    """Return the arcs of a session, with its states repeated for each level of what it counts.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass", rules))
    >>> len(limited_arcs(automaton, Terms(bankroll_cents=50_00, decisions=10)))
    40
    """
    mark, _ = terms.counted
    if terms.rolls is None:
        check_marks(automaton, mark)
    counters = counters_of(terms, unit=automaton.unit, down=max(0, -int(automaton.cash.min())))
    return arcs_of(automaton, counters=counters)


@dataclass(frozen=True)
class _Bound:
    """An upper bound on the error of computed masses: their relative error, and the mass that was dropped."""

    factor: Fraction
    dropped: Fraction

    @property
    def error(self) -> float:
        """The bound on the error of any probability, rounded up."""
        return _rounded_up(self.factor + self.dropped + _UNDERFLOW)

    def mean_error(self, size: float, largest: float) -> float:
        """Return the bound on the error of a mean; `size` is the mean absolute value, `largest` bounds dropped ones."""
        return _rounded_up(self.factor * Fraction(size) * _SLACK + (self.dropped + _UNDERFLOW) * Fraction(largest))


def _relative(roundings: int) -> Fraction:
    """Return how far a product of so many rounding factors can be from 1."""
    first_order = roundings * _UNIT_ROUNDOFF
    return first_order / (1 - first_order)


def _rounded_up(value: Fraction) -> float:
    return math.nextafter(float(value), math.inf)


def _law(
    ended: NDArray[np.float64], by_roll: tuple[list[float], ...], *, base: int, start: Start, bound: _Bound
) -> SessionLaw[float]:
    """Build the law from the masses that ended, as [ending, equity - base], and from their sums by roll."""
    terms = start.terms
    chances = ended.sum(axis=0)
    cells = np.flatnonzero(chances)
    equity = tuple(start.cents(base + int(cell)) for cell in cells)
    mean_error = None
    if terms.rolls is not None:
        size = math.fsum(abs(x) * p for x, p in zip(equity, chances[cells].tolist(), strict=True))
        mean_error = bound.mean_error(size, start.equity_cents_max)
    return SessionLaw(
        equity_cents=equity,
        chances=tuple(chances[cells].tolist()),
        ruin_chances=tuple(ended[RUIN, cells].tolist()),
        goal_chances=tuple(ended[GOAL, cells].tolist()),
        stop_chances=tuple(ended[STOP, cells].tolist()),
        ruin_by_roll=tuple(by_roll[RUIN]),
        goal_by_roll=tuple(by_roll[GOAL]),
        limit_by_roll=tuple(by_roll[LIMIT]),
        stop_by_roll=tuple(by_roll[STOP]),
        error=bound.error,
        mean_error_cents=mean_error,
        policy=start.policy,
        terms=terms,
    )
