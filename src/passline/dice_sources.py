"""Sources of dice: the operating system's random numbers, or a seed that gives the same dice everywhere."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator

from passline.dice import OUTCOMES, Roll
from passline.errors import CrapsError

_WORD = 0xFFFFFFFF
_BITS = 32
_ROUNDS = 10
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)  # the constants of Philox4x32, Salmon et al. 2011
_WEYL = (0x9E3779B9, 0xBB67AE85)
_FACES = len(OUTCOMES)
_DIGITS = 5  # 36^5 is the largest power of 36 under 2^32
_SPAN = _FACES**_DIGITS
_REJECTED = (1 << _BITS) % _SPAN
_SEED = re.compile(r"\d{1,20}", flags=re.ASCII)
_SEED_END = 1 << (2 * _BITS)


class DiceError(CrapsError):
    """A choice of dice that does not exist, worded for the person who made it."""


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the four words of Philox4x32-10 for a counter and a key.

    >>> [f"{word:08x}" for word in philox((0, 0, 0, 0), (0, 0))]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(_ROUNDS):
        p0, p1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (p1 >> _BITS) ^ c1 ^ k0, p1 & _WORD, (p0 >> _BITS) ^ c3 ^ k1, p0 & _WORD
        k0, k1 = (k0 + _WEYL[0]) & _WORD, (k1 + _WEYL[1]) & _WORD
    return c0, c1, c2, c3


def seeded_rolls(seed: int, *, session: int = 0, stream: int = 0) -> Iterator[Roll]:
    """Yield the rolls of one session of a seed: key = seed, counter = (block, session low, session high, stream).

    A word times 36^5 is rejected if its low half is under 2^32 mod 36^5, so that every outcome is equally likely;
    otherwise its high half is five rolls.

    >>> rolls = seeded_rolls(7)
    >>> [str(next(rolls)) for _ in range(3)]
    ['6-5', '3-2', '1-6']
    """
    key = (seed & _WORD, seed >> _BITS)
    block = 0
    while True:
        for word in philox((block, session & _WORD, session >> _BITS, stream), key):
            yield from rolls_of_word(word)
        block = (block + 1) & _WORD


def rolls_of_word(word: int) -> list[Roll]:
    """Return the five rolls of a word of 32 bits, most significant digit first, or none if it is rejected.

    >>> [str(roll) for roll in rolls_of_word(123456789)], rolls_of_word(0)
    (['1-2', '1-2', '2-4', '1-4', '5-4'], [])
    """
    scaled = word * _SPAN
    if scaled & _WORD < _REJECTED:
        return []
    rest = scaled >> _BITS
    return [OUTCOMES[rest // _FACES**place % _FACES] for place in reversed(range(_DIGITS))]


def system_roll() -> Roll:
    """Return a roll from the operating system's cryptographic random numbers; all 36 outcomes are equally likely."""
    return OUTCOMES[secrets.randbelow(_FACES)]


def seed_of(text: str) -> int:
    """Parse a seed: a whole number under 2^64.

    >>> seed_of("7")
    7
    >>> seed_of("-1")
    Traceback (most recent call last):
    passline.dice_sources.DiceError: '-1' is not a seed: a seed is a whole number from 0 to 18446744073709551615
    """
    if not _SEED.fullmatch(text) or int(text) >= _SEED_END:
        raise DiceError(f"{text!r} is not a seed: a seed is a whole number from 0 to {_SEED_END - 1}")
    return int(text)
