"""Chances as text: in percent, and rare ones with an exponent, so that none that can happen is shown as 0."""

from __future__ import annotations

from fractions import Fraction

from passline.errors import CrapsError

_PERCENT = 100


def chance_text(chance: float | Fraction, places: int = 6) -> str:
    """Return a chance in percent; if that leaves too few digits, as 3.1e-9 or, near certainty, as 1 - 3.1e-9.

    >>> chance_text(0.24727450), chance_text(3.1e-9), chance_text(0), chance_text(Fraction(1)), chance_text(1 - 2e-8)
    ('24.727450%', '3.1e-9', '0%', '100%', '1 - 2.0e-8')
    """
    left = 1 - chance
    if chance == 0 or left <= 0:
        return "100%" if chance else "0%"
    if abs(chance) < 10**-places:
        return exponent_text(chance)
    return f"1 - {exponent_text(left)}" if left < 10**-places else f"{float(chance):.{places}%}"


def plain_chance(chance: float | Fraction) -> float | str:
    """Return a chance as JSON has it: an exact one as p/q.

    >>> plain_chance(Fraction(1, 6)), plain_chance(0.25)
    ('1/6', 0.25)
    """
    return str(chance) if isinstance(chance, Fraction) else chance


def exponent_text(value: float | Fraction) -> str:
    """Return a number with two digits and its exponent.

    >>> exponent_text(3.14e-9), exponent_text(Fraction(1, 10**400))
    ('3.1e-9', '1.0e-400')
    """
    if isinstance(value, Fraction) and not float(value):
        digits = len(str(value.denominator // value.numerator))  # below the range of float
        small = exponent_text(value * 10**digits)
        head, _, exponent = small.partition("e")
        return f"{head}e{int(exponent) - digits}"
    head, _, exponent = f"{float(value):.1e}".partition("e")
    return f"{head}e{int(exponent)}"


def chance_from(text: str) -> Fraction:
    """Parse a chance: 5%, 0.05 or 1/20.

    >>> chance_from("5%") == chance_from("0.05") == chance_from("1/20")
    True
    >>> chance_from("5")
    Traceback (most recent call last):
    passline.errors.CrapsError: '5' is not a chance: write it as 5%, 0.05 or 1/20, from 0 to 1
    """
    try:
        written = text.strip()
        value = Fraction(written.removesuffix("%").strip()) / (_PERCENT if written.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise CrapsError(f"{text!r} is not a chance: write it as 5%, 0.05 or 1/20, from 0 to 1")
    return value
