"""Dice: the 36 outcomes, the numbers of wagers as codes and text, and the stickperson's calls."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from passline.errors import CrapsError

SEVEN = 7
"""The total that decides most wagers; opposite faces of a die also add up to it."""

ROLLS_PER_HOUR = 100
"""The pace of a full table in the reckoning of most books on the game, used where none is measured or named."""


class NumberError(CrapsError):
    """Text that is not a number a wager can be on."""


class Roll(Struct, frozen=True, gc=False, cache_hash=True):
    """The faces of two dice at rest.

    >>> Roll(5, 3).total, Roll(5, 3).pair, Roll(4, 4).is_hard
    (8, '3-5', True)
    """

    first: int
    second: int

    @property
    def total(self) -> int:
        """The sum of the two faces."""
        return self.first + self.second

    @property
    def pair(self) -> str:
        """The two faces, smaller first, as a hop wager names them."""
        first, second = self.first, self.second
        return f"{first}-{second}" if first <= second else f"{second}-{first}"

    @property
    def is_hard(self) -> bool:
        """Whether both dice show the same face."""
        return self.first == self.second

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


OUTCOMES: tuple[Roll, ...] = tuple(Roll(first, second) for first in range(1, 7) for second in range(1, 7))
"""The 36 outcomes of two dice, the first die's face first."""


def roll_of(first: int, second: int) -> Roll:
    """Return the outcome with these faces.

    >>> roll_of(6, 1) is OUTCOMES[30]
    True
    """
    return OUTCOMES[first * 6 + second - 7]


_PAIR = 100
_NUMBER = re.compile(r"(?a:0|[1-9]\d?|([1-6])-([1-6]))?")


@lru_cache(maxsize=1_000)
def number_code(text: str) -> int:
    """Return the code of a wager's number: the number itself, or 100 plus the two digits of a pair of dice.

    >>> number_code("6"), number_code("1-3"), number_code("3-1"), number_code("")
    (6, 113, 113, 0)
    >>> number_code("1-7")
    Traceback (most recent call last):
    passline.dice.NumberError: '1-7' is not a number such as 6 or a pair of dice such as 1-3
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise NumberError(f"{text!r} is not a number such as 6 or a pair of dice such as 1-3")
    if match[1]:
        return pair_code(*sorted((int(match[1]), int(match[2]))))
    return int(text or 0)


def pair_code(low: int, high: int) -> int:
    """Return the code of a pair of dice, the lower one first.

    >>> pair_code(1, 3)
    113
    """
    return _PAIR + low * 10 + high


def number_text(code: int) -> str:
    """Return the text of a code, as `number_code` reads it.

    >>> number_text(6), number_text(113), number_text(0)
    ('6', '1-3', '')
    """
    if code > _PAIR:
        return f"{(code - _PAIR) // 10}-{code % 10}"
    return str(code) if code else ""


_NAMES = {2: "Aces", 3: "Ace-deuce", 11: "Yo-leven", 12: "Boxcars"}
_WORDS = {4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine", 10: "Ten"}
_NATURALS = {7, 11}
_POINTS = frozenset({4, 5, 6, 8, 9, 10})


def stick_call(roll: Roll, *, point: int, is_come_out: bool, points: frozenset[int] = _POINTS) -> str:
    """Return the stickperson's call: what came up, then what it means for the line.

    A roll without a point that is not a come-out roll only clears come wagers: it neither sets a point nor ends a hand.

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


def _name_of(roll: Roll) -> str:
    total = roll.total
    if total in _NAMES:
        return _NAMES[total]
    word = _WORDS[total]
    if total in {4, 6, 8, 10}:
        return f"Hard {word.lower()}" if roll.is_hard else f"{word}, easy {word.lower()}"
    return word
