"""Dice that are not fair: the weights of the 36 outcomes, as whole numbers, and how people name them.

`biased:srr=6.5` is one seven in 6.5 rolls: the six sevens are scaled alike, and so are the thirty other outcomes.
`biased:1=16,2=17,3=17,4=17,5=17,6=16`, or the six weights alone, are weights of the faces of both dice; those of a
second die that differs follow another colon. Faces that are not named weigh 1. Thirty-six weights are those of the
outcomes, the first die's face first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Protocol

from msgspec import Struct

from passline.dice import OUTCOMES, SEVEN, Roll
from passline.dice_sources import DiceError, philox

BIASED = "biased:"
"""How the name of dice that are not fair begins."""
NOT_THE_GAMES = "NOT the game's dice"
"""What every page, report and file says of them."""
WEIGHT_MAX = (1 << 32) - 1
"""The most that the weights of all outcomes come to: more does not fit a word of the seeded dice."""
_BITS = 32
_WORD = (1 << _BITS) - 1
_SPAN_MAX = 1 << 27  # of several digits, so that few words are rejected; five digits of fair dice are within it
_FACES = 6
_SEVENS = sum(roll.total == SEVEN for roll in OUTCOMES)
_OTHERS = len(OUTCOMES) - _SEVENS
_FACE = re.compile(r"([1-6])=(.+)")
_NUMBER_MAX = 40  # letters
_EXAMPLES = "biased:srr=6.5, biased:6=1.1 or biased:16,17,17,17,17,16"


class DiceWeights(Struct, frozen=True, cache_hash=True):
    """How often each of the 36 outcomes comes, in whole numbers in lowest terms.

    >>> biased = dice_named("biased:srr=6.5")
    >>> biased.total, biased.weights[:6], biased.seven, biased.is_fair
    (390, (11, 11, 11, 11, 11, 10), Fraction(2, 13), False)
    >>> print(biased)
    dice of one seven in 6.5 rolls
    """

    weights: tuple[int, ...] = (1,) * len(OUTCOMES)
    words: str = "fair dice"

    @property
    def total(self) -> int:
        """What all weights come to."""
        return sum(self.weights)

    @property
    def is_fair(self) -> bool:
        """Whether all outcomes are equally likely."""
        return len(set(self.weights)) == 1

    @property
    def seven(self) -> Fraction:
        """The chance of a seven."""
        sevens = (weight for weight, roll in zip(self.weights, OUTCOMES, strict=True) if roll.total == SEVEN)
        return Fraction(sum(sevens), self.total)

    def chance(self, roll: Roll) -> Fraction:
        """Return the chance of an outcome.

        >>> dice_named("biased:6=2").chance(Roll(6, 6))
        Fraction(4, 49)
        """
        return Fraction(self.weights[OUTCOMES.index(roll)], self.total)

    def __str__(self) -> str:
        return self.words


FAIR = DiceWeights()
"""Fair dice."""


class _Dice(Protocol):
    @property
    def is_fair(self) -> bool: ...


def dice_note(dice: _Dice) -> str:
    """Return what is added to a title of figures with these dice; nothing for the game's own.

    >>> dice_note(FAIR), dice_note(dice_of_rolls_to_seven(7))
    ('', ", NOT the game's dice: dice of one seven in 7 rolls")
    """
    return "" if dice.is_fair else f", {NOT_THE_GAMES}: {dice}"


def weighted_dice(weights: Sequence[int | Fraction], words: str = "") -> DiceWeights:
    """Return dice whose 36 outcomes have these weights; raise DiceError if there are no such dice.

    >>> weighted_dice([Fraction(1, 2)] * 36) == FAIR
    True
    """
    if len(weights) != len(OUTCOMES) or not all(isinstance(weight, int | Fraction) for weight in weights):
        raise DiceError(f"{len(weights)} weights: there are 36 outcomes, each with a whole number or a fraction")
    if min(weights) <= 0:
        raise DiceError("a weight is 0 or less: every outcome must be possible, if only with a small weight")
    scale = lcm(*(Fraction(weight).denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    lowest = tuple(weight // gcd(*whole) for weight in whole)
    if (total := sum(lowest)) > WEIGHT_MAX:
        raise DiceError(f"these weights come to {total:,}, more than {WEIGHT_MAX:,}: use rounder numbers")
    if lowest == FAIR.weights:
        return FAIR
    return DiceWeights(lowest, words or "dice of these weights: " + ", ".join(map(str, lowest)))


def dice_of_faces(first: Sequence[int | Fraction], second: Sequence[int | Fraction] | None = None) -> DiceWeights:
    """Return the dice whose faces have these weights; without a second list both dice are alike.

    >>> print(dice_of_faces([1, 1, 1, 1, 1, 2]))
    dice whose faces 1 to 6 weigh 1, 1, 1, 1, 1, 2
    """
    other = first if second is None else second
    if len(first) != _FACES or len(other) != _FACES:
        raise DiceError(f"{len(first)} and {len(other)} weights: a die has six faces")
    shown = ", ".join(map(_text, first))
    if second is not None:
        shown += ", and those of the second die " + ", ".join(map(_text, second))
    return weighted_dice(
        [face * beside for face in first for beside in other], f"dice whose faces 1 to 6 weigh {shown}"
    )


def dice_of_rolls_to_seven(rolls: int | Fraction) -> DiceWeights:
    """Return dice that show one seven in so many rolls, with the six sevens alike and the thirty others alike.

    >>> dice_of_rolls_to_seven(6) == FAIR, dice_of_rolls_to_seven(7).seven
    (True, Fraction(1, 7))
    >>> dice_of_rolls_to_seven(1)
    Traceback (most recent call last):
    passline.dice_sources.DiceError: one seven in 1 rolls: it must be more than 1, or nothing but sevens would come
    """
    if rolls <= 1:
        raise DiceError(f"one seven in {_text(rolls)} rolls: it must be more than 1, or nothing but sevens would come")
    seven, other = Fraction(1, _SEVENS), (Fraction(rolls) - 1) / _OTHERS
    weights = [seven if roll.total == SEVEN else other for roll in OUTCOMES]
    return weighted_dice(weights, f"dice of one seven in {_text(rolls)} rolls")


def weighted_rolls(dice: DiceWeights, seed: int, *, session: int = 0) -> Iterator[Roll]:
    """Yield the rolls of one session of a seed with these dice; fair ones throw what `seeded_rolls` does.

    With weights that come to w, and k the most digits with w^k up to 2^27 (at least one), each word of Philox times w^k
    is rejected when its low half is under 2^32 mod w^k; else its high half is k numbers under w, most significant
    first. The number n stands for the first outcome whose weight, together with those before it, is above n.

    >>> from passline.dice_sources import seeded_rolls
    >>> rolls = weighted_rolls(dice_named("biased:srr=6.5"), 7)
    >>> [str(next(rolls)) for _ in range(3)], [str(next(weighted_rolls(FAIR, 7))), str(next(seeded_rolls(7)))]
    (['6-5', '2-5', '2-2'], ['6-5', '6-5'])
    """
    law = WordLaw.of(dice)
    ends = list(accumulate(dice.weights))
    key, block = (seed & _WORD, seed >> _BITS), 0
    while True:
        for word in philox((block, session & _WORD, session >> _BITS, 0), key):
            scaled = word * law.span
            if scaled & _WORD < law.rejected:
                continue
            for place in reversed(range(law.digits)):
                number = (scaled >> _BITS) // law.total**place % law.total
                yield OUTCOMES[bisect_right(ends, number)]
        block = (block + 1) & _WORD


class WordLaw(Struct, frozen=True):
    """How many rolls a word of 32 bits gives, and which words are rejected so that every number is equally likely.

    >>> WordLaw.of(FAIR)
    WordLaw(total=36, digits=5, span=60466176, rejected=1868800)
    """

    total: int
    digits: int
    span: int
    rejected: int

    @classmethod
    def of(cls, dice: DiceWeights) -> WordLaw:
        """Return the law of the words that these dice are thrown with."""
        total, digits = dice.total, 1
        while total ** (digits + 1) <= _SPAN_MAX:
            digits += 1
        return cls(total, digits, total**digits, (1 << _BITS) % total**digits)


def dice_named(text: str) -> DiceWeights:
    """Return the dice that a name such as `biased:srr=6.5` stands for; `fair` are the game's own.

    >>> dice_named("fair") == dice_named("biased:1,1,1,1,1,1") == FAIR
    True
    >>> dice_named("biased:6=1.1:fair").weights[30:]  # only the first die
    (11, 11, 11, 11, 11, 11)
    >>> dice_named("biased:7=2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.dice_sources.DiceError: --dice biased:7=2: '7=2' is neither a face with its weight, such as 6=1.1, nor ...
    """
    if text == "fair":
        return FAIR
    named = text.removeprefix(BIASED)
    if named == text or not named:
        raise DiceError(f"--dice {text}: choose fair, or dice such as {_EXAMPLES}")
    try:
        if named.startswith("srr="):
            return dice_of_rolls_to_seven(_number(named.removeprefix("srr=")))
        if named.count(",") == len(OUTCOMES) - 1:
            return weighted_dice([_number(weight) for weight in named.split(",")])
        first, colon, second = named.partition(":")
        return dice_of_faces(_faces(first), _faces(second) if colon else None)
    except DiceError as error:
        raise DiceError(f"--dice {text}: {error}") from None


def _faces(text: str) -> list[int | Fraction]:
    """Return the weights of the six faces that a text names."""
    if text == "fair":
        return [1] * _FACES
    parts = text.split(",")
    if len(parts) == _FACES and not any("=" in part for part in parts):
        return [_number(part) for part in parts]
    weights: dict[int, int | Fraction] = {}
    for part in parts:
        named = _FACE.fullmatch(part.strip())
        if named is None:
            raise DiceError(
                f"{part!r} is neither a face with its weight, such as 6=1.1, nor one of six weights; {_EXAMPLES}"
            )
        if int(named[1]) in weights:
            raise DiceError(f"face {named[1]} has two weights: give it one")
        weights[int(named[1])] = _number(named[2])
    return [weights.get(face, 1) for face in range(1, _FACES + 1)]


def _number(text: str) -> int | Fraction:
    """Return a weight or a number of rolls: whole, a decimal or a fraction."""
    is_short = len(text) <= _NUMBER_MAX and "e" not in text.lower()
    try:
        value = Fraction(text.strip() if is_short else "no number")
    except (ValueError, ZeroDivisionError):
        raise DiceError(f"{text[:_NUMBER_MAX]!r} is not a number such as 16, 6.5 or 13/2") from None
    if value < 0:
        raise DiceError(f"{text} is below 0")
    return int(value) if value.denominator == 1 else value


def _text(value: int | Fraction) -> str:
    """Return a number as a short decimal where it is one, else as a fraction.

    >>> _text(Fraction(13, 2)), _text(Fraction(1, 3)), _text(7)
    ('6.5', '1/3', '7')
    """
    shown = f"{float(value):g}"
    return shown if "e" not in shown and Fraction(shown) == value else str(value)
