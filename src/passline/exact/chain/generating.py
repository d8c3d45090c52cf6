"""The generating function of a count over a hand as a quotient of polynomials, and the law as a sum of powers.

A count over a hand with S states, of which a roll adds at most J, has chances that follow a linear recurrence of order
S J at most. So twice as many chances determine the shortest one (Berlekamp and Massey), exactly, and with it the
quotient. Its poles are one over the eigenvalues of the chain, and each eigenvalue e adds w e^n to the chance of n.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, TypeVar

import numpy as np

from passline.exact.chain.hand_law import CountLaw

_STEPS = 60  # of Newton's method; a root of float64 needs five for the digits of 200 bits
_BITS = 256
_Number = TypeVar("_Number", complex, Fraction)


class GeneratingFunction(NamedTuple):
    """The sum of chance(n) z^n as a quotient of two polynomials with whole coefficients, the constant ones first."""

    numerator: tuple[int, ...]
    denominator: tuple[int, ...]

    def __str__(self) -> str:
        return f"({_polynomial(self.numerator)}) / ({_polynomial(self.denominator)})"

    def chances(self, count: int) -> list[Fraction]:
        """Return the first chances again, from the recurrence that the denominator is.

        >>> GeneratingFunction((0, 1), (2, -1)).chances(4)
        [Fraction(0, 1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
        """
        found: list[Fraction] = []
        for n in range(count):
            above = self.numerator[n] if n < len(self.numerator) else 0
            earlier = zip(self.denominator[1:], reversed(found), strict=False)
            found.append((above - sum((c * p for c, p in earlier), Fraction(0))) / self.denominator[0])
        return found


class Eigenvalue(NamedTuple):
    """An eigenvalue of the chain, and its weight: the chance of n is the sum of weight * value^n from some n on."""

    value: complex
    weight: complex

    @property
    def tail_weight(self) -> complex:
        """The same of the chance of n or more: it is the sum of tail_weight * value^(n - 1)."""
        return self.weight * self.value / (1 - self.value)


def generating_function(law: CountLaw) -> GeneratingFunction:
    """Return the generating function of a law, in lowest terms.

    >>> from passline import Rules, compile_strategy, strategy_of
    >>> from passline.exact.chain.hand_law import COUNTS, count_law
    >>> rules = Rules.of("maryland")
    >>> automaton = compile_strategy(rules, strategy_of("pass", rules))
    >>> print(generating_function(count_law(automaton, COUNTS["points"](automaton))))
    (98) / (165 - 67 z)
    """
    chances = [law.chance(n) for n in range(2 * law.order + 2)]
    recurrence = _shortest_recurrence(chances)
    terms = [
        sum((c * chances[n - k] for k, c in enumerate(recurrence) if k <= n), Fraction(0)) for n in range(law.order + 1)
    ]
    while terms and not terms[-1]:
        terms.pop()
    scale = lcm(*(c.denominator for c in (*recurrence, *terms)))
    whole = [[int(c * scale) for c in row] for row in (terms, recurrence)]
    common = gcd(*whole[0], *whole[1])
    return GeneratingFunction(*(tuple(c // common for c in row) for row in whole))


def eigenvalues(function: GeneratingFunction) -> list[Eigenvalue]:
    """Return the eigenvalues of a generating function with their weights, the largest first, to float64.

    >>> [only] = eigenvalues(GeneratingFunction((98,), (165, -67)))
    >>> f"{only.value.real:.6f} {only.weight.real:.6f}"
    '0.406061 0.593939'
    """
    characteristic = function.denominator  # its coefficients from the constant on are those of x^d down to 1
    found = []
    for guess in np.roots([float(c) for c in characteristic]):
        value = complex(guess) if guess.imag else _newton_root(characteristic, Fraction(guess.real))
        pole = 1 / value
        slope = _at([n * c for n, c in enumerate(function.denominator)][1:], pole)
        found.append(Eigenvalue(complex(value), complex(-_at(function.numerator, pole) * value / slope)))
    return sorted(found, key=lambda eigenvalue: -abs(eigenvalue.value))


def _at(coefficients: list[int] | tuple[int, ...], z: _Number) -> _Number:
    total = z - z
    for coefficient in reversed(coefficients):
        total = total * z + coefficient
    return total


def _newton_root(characteristic: tuple[int, ...], guess: Fraction) -> Fraction:
    """Return a real root by Newton's method in fractions of 256 bits."""
    root, scale = guess, 1 << _BITS
    for _ in range(_STEPS):
        value = slope = Fraction(0)
        for coefficient in characteristic:  # the highest power first
            slope = slope * root + value
            value = value * root + coefficient
        if not slope:
            return guess
        after = Fraction(round((root - value / slope) * scale), scale)
        if after == root:
            break
        root = after
    return root


def _shortest_recurrence(values: list[Fraction]) -> list[Fraction]:
    """Return c with c[0] = 1 and the sum of c[k] values[n - k] = 0 for all later n, of the least length."""
    shortest, before = [Fraction(1)], [Fraction(1)]
    length, gap, discrepancy_before = 0, 1, Fraction(1)
    for n, value in enumerate(values):
        earlier = (shortest[k] * values[n - k] for k in range(1, min(length, len(shortest) - 1) + 1))
        discrepancy = value + sum(earlier, Fraction(0))
        if not discrepancy:
            gap += 1
            continue
        kept = shortest
        padded = [Fraction(0)] * gap + before
        size = max(len(shortest), len(padded))
        ratio = discrepancy / discrepancy_before
        shortest = [
            (shortest[k] if k < len(shortest) else 0) - ratio * (padded[k] if k < len(padded) else 0)
            for k in range(size)
        ]
        if 2 * length <= n:
            length, before, discrepancy_before, gap = n + 1 - length, kept, discrepancy, 1
        else:
            gap += 1
    while not shortest[-1]:
        shortest.pop()
    return shortest


def _polynomial(coefficients: tuple[int, ...]) -> str:
    shown = ""
    for power, coefficient in enumerate(coefficients):
        if not coefficient:
            continue
        size = "" if abs(coefficient) == 1 and power else f"{abs(coefficient)}"
        letter = "" if not power else "z" if power == 1 else f"z^{power}"
        sign = ("-" if coefficient < 0 else "") if not shown else " - " if coefficient < 0 else " + "
        shown += sign + " ".join(filter(None, (size, letter)))
    return shown or "0"
