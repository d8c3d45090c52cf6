"""The law of a session as exact rationals, computed modulo primes.

After n rolls every probability is a whole number over 36^n (over w^n where the weights of dice that are not fair come
to w). That number is computed modulo enough primes for 36^n, each
with the kernels of the float64 law, and recovered by the Chinese remainder theorem. Residues are whole numbers in
float64: they are exact, at the speed of floats, as long as the sums of one roll stay below 2^53.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import ENDINGS, GOAL, LIMIT, RUIN, STOP, Automaton
from passline.automaton.terms import SessionError, Terms
from passline.exact.session.float_law import limited_arcs
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.mass import Arcs, Start, Walk

_EXACT = 1 << 53  # float64 represents every whole number up to here


def rational_law(automaton: Automaton, terms: Terms, *, solving: Solving | None = None) -> SessionLaw[Fraction]:
    """Return the exact law of a session. Its rolls must be limited; decisions or hands may be as well.

    >>> from passline import Rules, compile_strategy, strategy_of
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
    modulus, scale = 1, arcs.scale**terms.rolls
    residues: _Residues | None = None
    for prime in _primes(below=_EXACT // (max(arcs.weight_max, 2 * arcs.scale) + 1)):
        found = _residues_modulo(arcs, start, terms.rolls, prime)
        residues = found if residues is None else residues.combine(found, modulus, prime)
        modulus *= prime
        if solving:
            solving(modulus.bit_length(), scale.bit_length())
        if modulus > scale * (1 + int(arcs.wagered.max())):
            break
    else:
        raise SessionError(
            f"the weights of these dice come to {arcs.scale:,}, too much for fractions: use rounder ones"
        )
    assert residues is not None
    return _law(residues, start, terms.rolls, arcs.scale)


@dataclass(frozen=True, eq=False)
class _Residues:
    """Numerators modulo one prime, or modulo the product of several."""

    base: int
    """The equity of the first cell. It is the same for every prime, because windows depend only on the arcs."""
    ended: NDArray[np.object_]
    """[ending, cell] of the final law, over scale^rolls."""
    by_roll: NDArray[np.object_]
    """[ending, n] over scale^n; then three rows of what roll n + 1 is wagered on, as in `Arcs.wagered`."""

    def combine(self, other: _Residues, modulus: int, prime: int) -> _Residues:
        """Return the residues modulo m p: x + m ((r - x) / m mod p) is x modulo m and r modulo p."""
        inverse = pow(modulus, -1, prime)
        ended = self.ended + modulus * ((other.ended - self.ended) * inverse % prime)
        by_roll = self.by_roll + modulus * ((other.by_roll - self.by_roll) * inverse % prime)
        return _Residues(self.base, ended, by_roll)


def _residues_modulo(arcs: Arcs, start: Start, rolls: int, prime: int) -> _Residues:
    """Play the session modulo a prime. Masses that ended are multiplied per roll, as arcs do for the others."""
    walk = Walk(arcs, arcs.count.astype(np.float64), equity=start.equity, goal=start.goal, stop=start.stop)
    by_roll = np.zeros((len(ENDINGS) + len(arcs.wagered), rolls + 1), dtype=object)
    for n in range(rolls + 1):
        walk.settle(is_last=n == rolls)
        walk.kernels.reduce(walk.mass, walk.low, walk.high, float(prime))
        for kind, (low, masses) in enumerate(walk.endings()):
            walk.ended[kind, low : low + len(masses)] += masses
            by_roll[kind, n] = int(masses.astype(np.uint64).sum()) % prime
        everywhere = np.full(len(ENDINGS), walk.ended.shape[1])
        if n < rolls:
            acting = _row_sums(walk, prime)
            by_roll[len(ENDINGS) :, n] = [int(row.astype(object) @ acting) % prime for row in arcs.wagered]
            walk.ended *= arcs.scale
            walk.kernels.reduce(walk.ended, np.zeros_like(everywhere), everywhere, float(prime))
            walk.roll()
    return _Residues(walk.base, walk.ended.astype(np.int64).astype(object) % prime, by_roll)


def _row_sums(walk: Walk, prime: int) -> NDArray[np.object_]:
    """Return the masses in play by state, modulo the prime."""
    windows = (walk.mass[row, walk.low[row] : max(walk.low[row], walk.high[row])] for row in range(len(walk.arcs)))
    return np.array([int(cells.astype(np.uint64).sum()) % prime for cells in windows], dtype=object)


def _law(residues: _Residues, start: Start, rolls: int, weight: int) -> SessionLaw[Fraction]:
    cells = np.flatnonzero(residues.ended.any(axis=0))
    scale = weight**rolls
    ended = [[Fraction(numerator, scale) for numerator in row[cells]] for row in residues.ended]
    by_roll = [tuple(Fraction(numerator, weight**n) for n, numerator in enumerate(row)) for row in residues.by_roll]
    wagered = [sum(row, Fraction(0)) * start.unit / weight for row in by_roll[len(ENDINGS) :]]
    return SessionLaw(
        equity_cents=tuple(start.cents(residues.base + int(cell)) for cell in cells),
        chances=tuple(Fraction(int(residues.ended[:, cell].sum()), scale) for cell in cells),
        ruin_chances=tuple(ended[RUIN]),
        goal_chances=tuple(ended[GOAL]),
        stop_chances=tuple(ended[STOP]),
        ruin_by_roll=by_roll[RUIN],
        goal_by_roll=by_roll[GOAL],
        limit_by_roll=by_roll[LIMIT],
        stop_by_roll=by_roll[STOP],
        error=0.0,
        mean_error_cents=0.0,
        policy=start.policy,
        terms=start.terms,
        action_cents=wagered[0],
        initial_cents=wagered[1],
        up_cents=wagered[2],
    )


_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # sufficient for every number below 3.3e24


def _is_prime(number: int) -> bool:
    """Return whether an odd number above 37 is prime (Miller's test)."""
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
    """Yield the primes below a bound, in descending order."""
    return (number for number in range((below - 1) | 1, _WITNESSES[-1], -2) if number < below and _is_prime(number))
