"""Money: whole cents, payouts as the layout prints them, rounding, and amounts in words."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NewType, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from passline.errors import CrapsError

CENTS_MAX = 10**11  # the most that changes hands at once: more is a slip of the finger
Cents = NewType("Cents", int)
"""An amount of money: whole cents."""

POINT_CENTS = 100
"""A point of a tournament, which is a dollar chip to the game."""
DOLLAR = "$"
"""The sign before amounts, where a rulebook has no other."""
_Shown = TypeVar("_Shown")
_SIGNED = re.compile(r"\$(?=\d)")
_PAYS = re.compile(r"([1-9]\d*) (to|for) ([1-9]\d*)")
_MULTIPLE = re.compile(r"\d{1,4}\.\d?[1-9]")
_DOLLARS = re.compile(r"\$?(\d{1,15})(?:\.(\d{2}))?")


class MoneyError(CrapsError):
    """An amount or a payout that cannot be parsed."""


class Pays(Struct, frozen=True, gc=False, cache_hash=True):
    """A payout as the layout prints it.

    >>> Pays(7, to=6).on(Cents(12_00))
    Fraction(1400, 1)
    >>> Pays(7, to=6).on(Cents(5_00))  # exact: rounding is up to the caller
    Fraction(1750, 3)
    >>> Pays.parse("9 to 5") == Pays(9, to=5)
    True
    >>> str(Pays(9, to=5))
    '9 to 5'
    """

    pays: int
    to: int
    is_for: bool = False  # worded "31 for 1": the 31 include the stake

    @classmethod
    def parse(cls, text: str, *, is_for_allowed: bool = False) -> Pays:
        """Parse "9 to 5", or with `is_for_allowed` "31 for 1" too: only some side wagers are worded so.

        >>> Pays.parse("31 for 1")
        Traceback (most recent call last):
        passline.money.MoneyError: payout '31 for 1' is not of the form '9 to 5'
        >>> Pays.parse("31 for 1", is_for_allowed=True).on(Cents(1_00))
        Fraction(3000, 1)
        """
        return _parsed_pays(text, is_for_allowed)

    def on(self, wager: int) -> Fraction:
        """Return what a wager of this many cents wins, exactly."""
        return Fraction(wager * (self.pays - self.to if self.is_for else self.pays), self.to)

    def whole(self, wager: int) -> int | None:
        """Return what a wager of this many cents wins, or None if that is not whole cents.

        >>> Pays(7, to=6).whole(12_00), Pays(7, to=6).whole(5_00)
        (1400, None)
        """
        cents, rest = divmod(wager * (self.pays - self.to if self.is_for else self.pays), self.to)
        return None if rest else cents

    def unit(self, chip: int) -> int:
        """Return the smallest amount whose every multiple can be paid exactly in chips of this size.

        >>> Pays(7, to=6).unit(1_00), Pays(3, to=2).unit(1_00)
        (600, 200)
        """
        return lcm(chip, Fraction(chip * self.to, self.pays).numerator)

    @property
    def ratio(self) -> Fraction:
        """What one unit wins, for comparing two payouts."""
        return Fraction(self.pays - self.to if self.is_for else self.pays, self.to)

    def __str__(self) -> str:
        return f"{self.pays} {'for' if self.is_for else 'to'} {self.to}"


@lru_cache(maxsize=1_000)  # the rules of a table are made of some hundred payouts, most of them alike
def _parsed_pays(text: str, is_for_allowed: bool) -> Pays:  # noqa: FBT001 - quicker than by its name
    match = _PAYS.fullmatch(text)
    if match is None or (match[2] == "for" and not is_for_allowed):
        raise MoneyError(f"payout {text!r} is not of the form '9 to 5'")
    return Pays(int(match[1]), to=int(match[3]), is_for=match[2] == "for")


def percent_text(points: int) -> str:
    """Return basis points as a percentage.

    >>> percent_text(1_000), percent_text(125), percent_text(50)
    ('10 %', '1.25 %', '0.5 %')
    """
    whole, parts = divmod(points, 100)
    return f"{whole}.{parts:02}".rstrip("0").rstrip(".") + " %" if parts else f"{whole} %"


def round_up_to(amount: Fraction, unit: int) -> int:
    """Round up to a whole number of units.

    >>> round_up_to(Fraction(1750, 3), 100)
    600
    """
    return -int(-amount // unit) * unit


def round_down_to(amount: Fraction, unit: int) -> int:
    """Round down to a whole number of units.

    >>> round_down_to(Fraction(125), 100)
    100
    """
    return int(amount // unit) * unit


@lru_cache(maxsize=1_000)
def multiple_of(written: int | str) -> Fraction:
    """Return a multiple of a wager as it is written: a whole number, or in quotes one with decimals.

    >>> multiple_of(3), multiple_of("2.5")
    (Fraction(3, 1), Fraction(5, 2))
    >>> multiple_of("3")
    Traceback (most recent call last):
    passline.money.MoneyError: '3' is not a multiple, such as 3 or "2.5"
    """
    if isinstance(written, str) and not _MULTIPLE.fullmatch(written):
        raise MoneyError(f'{written!r} is not a multiple, such as 3 or "2.5"')
    return Fraction(written)


def multiple_text(multiple: Fraction | int) -> str:
    """Return a multiple as it is printed.

    >>> multiple_text(3), multiple_text(Fraction(5, 2))
    ('3x', '2.5x')
    """
    hundredths = Fraction(multiple) * 100
    return f"{hundredths.numerator // 100}.{hundredths.numerator % 100:02d}".rstrip("0").rstrip(".") + "x"


def dollars(cents: int) -> str:
    """Return cents as dollars.

    >>> dollars(1250), dollars(-5)
    ('12.50', '-0.05')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def short_dollars(cents: int) -> str:
    """Return cents as dollars, with decimals only where there are cents.

    >>> short_dollars(1200), short_dollars(1250)
    ('12', '12.50')
    """
    return dollars(cents).removesuffix(".00")


def amount_text(cents: int) -> str:
    """Return cents with the sign of the currency before them and two decimals; `in_currency` gives it the house's sign.

    >>> amount_text(1250), amount_text(-500)
    ('$12.50', '-$5.00')
    """
    return with_dollar_sign(dollars(cents))


def dollar_amount(cents: int, *, is_grouped: bool = False) -> str:
    """Return cents as a short amount with a dollar sign and, if grouped, commas between thousands.

    >>> dollar_amount(1250), dollar_amount(-500), dollar_amount(500_000, is_grouped=True)
    ('$12.50', '-$5', '$5,000')
    >>> dollar_amount(-50, is_grouped=True)
    '-$0.50'
    """
    text = short_dollars(abs(cents))
    if is_grouped:
        whole, point, rest = text.partition(".")
        text = f"{int(whole):,}{point}{rest}"
    return with_dollar_sign(f"{'-' * (cents < 0)}{text}")


def in_currency(shown: _Shown, sign: str) -> _Shown:
    """Return a text, or anything made of texts, with another sign before its amounts: that of a rulebook.

    >>> in_currency(("at least $5.00", {"most": "$5,000"}), "€")
    ('at least €5.00', {'most': '€5,000'})
    """
    return shown if sign == DOLLAR else cast("_Shown", _with_sign(shown, sign))


def _with_sign(shown: object, sign: str) -> object:
    if isinstance(shown, str):
        return _SIGNED.sub(lambda _found: sign, shown)
    if isinstance(shown, dict):
        return {key: _with_sign(value, sign) for key, value in shown.items()}
    if isinstance(shown, list | tuple):
        return type(shown)(_with_sign(part, sign) for part in shown)
    if isinstance(shown, Struct):
        return replace(shown, **{name: _with_sign(getattr(shown, name), sign) for name in shown.__struct_fields__})
    return shown


def with_dollar_sign(amount: str) -> str:
    """Put a dollar sign before an amount, after its minus.

    >>> with_dollar_sign("12.50"), with_dollar_sign("-1,200")
    ('$12.50', '-$1,200')
    """
    return f"-${amount[1:]}" if amount.startswith("-") else f"${amount}"


def cents_from(text: str) -> Cents:
    """Parse an amount of dollars with no or two decimals.

    >>> cents_from("12.50"), cents_from("$5")
    (1250, 500)
    >>> cents_from("1.005")
    Traceback (most recent call last):
    passline.money.MoneyError: '1.005' is not an amount in dollars, such as 5 or 12.50
    """
    match = _DOLLARS.fullmatch(text.strip())
    if match is None:
        raise MoneyError(f"{text!r} is not an amount in dollars, such as 5 or 12.50")
    return Cents(int(match[1]) * 100 + int(match[2] or 0))
