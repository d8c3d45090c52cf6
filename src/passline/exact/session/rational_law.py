"""The law of a session as exact rationals, by residues modulo primes.

After n rolls every probability is a whole number over 36^n. That number is found modulo as many primes as 36^n needs,
each by the same kernels as the float64 law, and put together by the Chinese remainder theorem. Residues are whole
numbers held in float64: as long as a roll's sums stay below 2^53 all is exact, at the speed of floats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Automaton
from passline.exact.session import kernels
from passline.exact.session.arcs import ENDINGS, LIMIT, REACHED, RUINED, Arcs
from passline.exact.session.float_law import limited_arcs
from passline.exact.session.law import SessionError, SessionLaw, Solving, Terms
from passline.exact.session.mass import Start, Walk

__all__ = ["rational_law"]

_EXACT = 1 << 53  # whole numbers up to here are float64s


def rational_law(automaton: Automaton, terms: Terms, *, solving: Solving | None = None) -> SessionLaw[Fraction]:
    """Give the law of a session, exactly. It takes a limit of rolls, alone or beside one of decisions or hands.

    >>> from passline.automaton.compiler import compile_strategy
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass", rules))
    >>> law = rational_law(automaton, Terms(bankroll_cents=20_00, rolls=3))
    >>> law.ruin, law.mean_cents  # open wagers count at face, so a session cut short is not yet decided
    (Fraction(1, 81), Fraction(512750, 243))
    """
    if terms.rolls is None:
        raise SessionError("an exact law needs a limit of rolls: without one its denominators have no end")
    if terms.shooter_loss_cents is not None:
        raise SessionError("with a loss limit per shooter there is only the law in float64, with its bound")
    start = Start(automaton, terms)
    arcs = limited_arcs(automaton, terms)
    modulus, scale = 1, OUTCOMES**terms.rolls
    known: _Residues | None = None
    for prime in _primes(below=_EXACT // (max(arcs.weight_max, 2 * OUTCOMES) + 1)):
        found = _residues(arcs, start, terms.rolls, prime)
        known = found if known is None else known.combined(found, modulus, prime)
        modulus *= prime
        if solving:
            solving(modulus.bit_length(), scale.bit_length())
        if modulus > scale:
            break
    assert known is not None
    return _law(known, start, terms.rolls)


@dataclass(frozen=True, eq=False)
class _Residues:
    """Numerators, or what is known of them so far: modulo one prime, or the product of several."""

    base: int
    """The equity of the first cell: the same for every prime, for windows depend on arcs alone."""
    ended: NDArray[np.object_]
    """[ending, cell] over 36^N."""
    by_roll: NDArray[np.object_]
    """[ending, n] over 36^n."""

    def combined(self, other: _Residues, modulus: int, prime: int) -> _Residues:
        """Take a further prime in: x + m ((r - x) / m mod p) is x modulo m and r modulo p."""
        inverse = pow(modulus, -1, prime)
        ended = self.ended + modulus * ((other.ended - self.ended) * inverse % prime)
        by_roll = self.by_roll + modulus * ((other.by_roll - self.by_roll) * inverse % prime)
        return _Residues(self.base, ended, by_roll)


def _residues(arcs: Arcs, start: Start, rolls: int, prime: int) -> _Residues:
    """Play the session modulo a prime. What ended is scaled by 36 on every roll, as what goes on is by its arcs."""
    walk = Walk(arcs, arcs.count.astype(np.float64), equity=start.equity, goal=start.goal)
    by_roll = np.zeros((ENDINGS, rolls + 1), dtype=object)
    for n in range(rolls + 1):
        walk.settle(is_last=n == rolls)
        kernels.reduce(walk.mass, walk.low, walk.high, float(prime))
        for kind, (low, masses) in enumerate(walk.endings()):
            walk.ended[kind, low : low + len(masses)] += masses
            by_roll[kind, n] = int(masses.astype(np.uint64).sum()) % prime
        everywhere = np.full(ENDINGS, walk.ended.shape[1])
        if n < rolls:
            walk.ended *= OUTCOMES
            kernels.reduce(walk.ended, np.zeros_like(everywhere), everywhere, float(prime))
            walk.roll()
    return _Residues(walk.base, walk.ended.astype(np.int64).astype(object) % prime, by_roll)


def _law(known: _Residues, start: Start, rolls: int) -> SessionLaw[Fraction]:
    cells = np.flatnonzero(known.ended.any(axis=0))
    scale = OUTCOMES**rolls
    ended = [[Fraction(numerator, scale) for numerator in row[cells]] for row in known.ended]
    by_roll = [tuple(Fraction(numerator, OUTCOMES**n) for n, numerator in enumerate(row)) for row in known.by_roll]
    return SessionLaw(
        equity_cents=tuple(start.cents(known.base + int(cell)) for cell in cells),
        chances=tuple(Fraction(int(known.ended[:, cell].sum()), scale) for cell in cells),
        ruin_chances=tuple(ended[RUINED]),
        goal_chances=tuple(ended[REACHED]),
        ruin_by_roll=by_roll[RUINED],
        goal_by_roll=by_roll[REACHED],
        limit_by_roll=by_roll[LIMIT],
        error=0.0,
        mean_error_cents=0.0,
        policy=start.policy,
        terms=start.terms,
    )


_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # they decide every number below 3.3e24


def _is_prime(number: int) -> bool:
    """Whether an odd number above 37 is prime: Miller's test."""
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    for witness in _WITNESSES:
        power = pow(witness, (number - 1) >> twos, number)
        if power in {1, number - 1}:
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def _primes(*, below: int) -> Iterator[int]:
    """Primes from the largest below a bound on down."""
    return (number for number in range((below - 1) | 1, _WITNESSES[-1], -2) if number < below and _is_prime(number))
