"""Dice: the 36 outcomes, their names, and the calls of the stick."""

from __future__ import annotations

import re

from msgspec import Struct

from passline.errors import CrapsError

__all__ = ["OUTCOMES", "SEVEN", "NumberError", "Roll", "number_code", "number_text", "roll_of", "stick_call"]

SEVEN = 7
"""The total that decides most of the layout; opposite faces of a die add up to it too."""


class NumberError(CrapsError):
    """A number that no wager can be on."""


class Roll(Struct, frozen=True, gc=False, cache_hash=True):
    """Two dice at rest, one face each.

    >>> Roll(5, 3).total, Roll(5, 3).pair, Roll(4, 4).is_hard
    (8, '3-5', True)
    """

    first: int
    second: int

    @property
    def total(self) -> int:
        """The sum of the two upper faces."""
        return self.first + self.second

    @property
    def pair(self) -> str:
        """The faces, smaller first, as a hop wager names them."""
        return f"{min(self.first, self.second)}-{max(self.first, self.second)}"

    @property
    def is_hard(self) -> bool:
        """Whether both dice show the same face."""
        return self.first == self.second

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


OUTCOMES: tuple[Roll, ...] = tuple(Roll(first, second) for first in range(1, 7) for second in range(1, 7))
"""The 36 outcomes of two dice, the first die's face first."""


def roll_of(first: int, second: int) -> Roll:
    """Give the outcome with these faces.

    >>> roll_of(6, 1) is OUTCOMES[30]
    True
    """
    return OUTCOMES[first * 6 + second - 7]


_PAIR = 100
_NUMBER = re.compile(r"(?a:0|[1-9]\d?|([1-6])-([1-6]))?")


def number_code(text: str) -> int:
    """Give the whole number that stands for a wager's number: itself, or a pair of dice as 100 plus its two digits.

    >>> number_code("6"), number_code("1-3"), number_code("3-1"), number_code("")
    (6, 113, 113, 0)
    >>> number_code("1-7")
    Traceback (most recent call last):
    passline.dice.NumberError: '1-7' is no number of the layout, such as 6, or a pair of dice, such as 1-3
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        message = f"{text!r} is no number of the layout, such as 6, or a pair of dice, such as 1-3"
        raise NumberError(message)
    if match[1]:
        low, high = sorted((int(match[1]), int(match[2])))
        return _PAIR + low * 10 + high
    return int(text or 0)


def number_text(code: int) -> str:
    """Print what `number_code` reads.

    >>> number_text(6), number_text(113), number_text(0)
    ('6', '1-3', '')
    """
    if code > _PAIR:
        return f"{(code - _PAIR) // 10}-{code % 10}"
    return str(code) if code else ""


_NAMES = {2: "Aces", 3: "Ace-deuce", 11: "Yo-leven", 12: "Boxcars"}
_WORDS = {4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten"}


_POINTS = frozenset({4, 5, 6, 8, 9, 10})  # of the usual game


def stick_call(roll: Roll, *, point: int, is_come_out: bool, points: frozenset[int] = _POINTS) -> str:
    """Give the stickperson's call: what came up and what it means for the line, information first.

    Without a point a roll that is no come-out roll only clears come wagers, so it marks none and nobody sevens out.

    >>> stick_call(Roll(3, 4), point=6, is_come_out=False)
    'Seven out, line away'
    >>> stick_call(Roll(2, 4), point=0, is_come_out=True)
    'Six, easy six, mark the point'
    >>> stick_call(Roll(4, 4), point=8, is_come_out=False)
    'Hard eight, winner, pay the line'
    >>> stick_call(Roll(6, 5), point=0, is_come_out=True, points=frozenset({2, 3, 4, 5, 6, 8, 9, 10, 11, 12}))
    'Yo-leven, mark the point'
    >>> stick_call(Roll(3, 4), point=0, is_come_out=False)
    'Seven, come wagers only'
    """
    total = roll.total
    name = _name_of(roll)
    if not (is_come_out or point):
        return f"{name}, come wagers only"
    if total == SEVEN:
        return "Seven, front line winner" if is_come_out else "Seven out, line away"
    if not is_come_out:
        return f"{name}, winner, pay the line" if total == point else name
    if total in points:
        return f"{name}, mark the point"
    return f"{name}, {'front line winner' if total in _NATURALS else 'craps, line away'}"


_NATURALS = {7, 11}


def _name_of(roll: Roll) -> str:
    total = roll.total
    if total in _NAMES:
        return _NAMES[total]
    word = _WORDS[total]
    if total in {4, 6, 8, 10}:
        return f"Hard {word.lower()}" if roll.is_hard else f"{word}, easy {word.lower()}"
    return word
