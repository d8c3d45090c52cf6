"""The dice of a session in numba: Philox4x32-10, five rolls a word, as `passline.dice_sources` defines them.

Key = seed, counter = (block, session low, session high, stream 0). A block is four words. Word w is the fraction
w / 2^32; multiplied by 36 five times, its whole parts are its rolls, most significant digit first. A word whose
remainder after five digits is under (2^32 mod 36^5) / 2^32 is rejected, so that every outcome is equally likely.

`throw_block` throws other dice: with weights as `passline.dice_weights` defines them, and recorded rolls in their order
as `passline.simulation.recorded_dice` does.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel

# The constants of Philox4x32-10 (Salmon et al. 2011), and of the rolls that its words give.
BITS = 32
ROUNDS = 10
WORDS = 4
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
FACES = 36
DIGITS = 5
ROLLS = WORDS * DIGITS  # of a block without a rejected word
REJECTED = (1 << BITS) % FACES**DIGITS

_M0, _M1 = np.uint64(MULTIPLIERS[0]), np.uint64(MULTIPLIERS[1])
_W0, _W1 = np.uint64(WEYL[0]), np.uint64(WEYL[1])
_LOW = np.uint64((1 << BITS) - 1)
_HALF = np.uint64(BITS)
_FACES = np.uint64(FACES)
_SPAN = np.uint64(FACES**DIGITS)
_REJECTED = np.uint64(REJECTED)


@kernel()
def philox_block(c0: int, c1: int, c2: int, c3: int, k0: int, k1: int) -> tuple[int, int, int, int]:
    """Return four words: ten rounds of (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)).

    >>> [f"{int(word):08x}" for word in philox_block(0, 0, 0, 0, 0, 0)]
    ['6627e8d5', 'e169c58d', 'bc57ac4c', '9b00dbd8']
    """
    a, b, c, d = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    k, m = np.uint64(k0), np.uint64(k1)
    for _ in range(ROUNDS):
        p, q = a * _M0, c * _M1
        a, b, c, d = (q >> _HALF) ^ b ^ k, q & _LOW, (p >> _HALF) ^ d ^ m, p & _LOW
        k, m = (k + _W0) & _LOW, (m + _W1) & _LOW
    return a, b, c, d  # type: ignore[return-value] # mypy sees numpy's integers, numba its own


@kernel()
def spread_keys(seed: np.uint64, into: NDArray[np.uint64]) -> None:
    """Write the two keys of each round of Philox, k0 first, each to all of a row of the array."""
    k, m = seed & _LOW, seed >> _HALF
    for r in range(ROUNDS):
        into[2 * r, :] = k
        into[2 * r + 1, :] = m
        k, m = (k + _W0) & _LOW, (m + _W1) & _LOW


@kernel()
def roll_block(seed: np.uint64, session: np.uint64, block: int, into: NDArray[np.uint8]) -> int:
    """Write the rolls of a block of a session into an array of at least 20. Return how many there are."""
    words = philox_block(block, session & _LOW, session >> _HALF, 0, seed & _LOW, seed >> _HALF)  # type: ignore[arg-type]
    count = 0
    for word in words:
        rest = np.uint64(word)
        if (rest * _SPAN) & _LOW < _REJECTED:
            continue
        for _ in range(DIGITS):
            rest = (rest & _LOW) * _FACES
            into[count] = rest >> _HALF
            count += 1
    return count


@kernel()
def outcomes(seed: np.uint64, session: np.uint64, into: NDArray[np.uint8]) -> None:
    """Fill an array with the first rolls of a session, as outcomes from 0 to 35.

    >>> rolls = np.zeros(3, dtype=np.uint8)
    >>> outcomes(np.uint64(7), np.uint64(0), rolls)
    >>> [(int(d) // 6 + 1, int(d) % 6 + 1) for d in rolls]
    [(6, 5), (3, 2), (1, 6)]
    """
    thrown = np.zeros(ROLLS, dtype=np.uint8)
    done = block = 0
    while done < len(into):
        count = min(roll_block(seed, session, block, thrown), len(into) - done)
        for r in range(count):  # a slice would take numba three seconds more, for the words of an error
            into[done + r] = thrown[r]
        done += count
        block += 1


class KernelDice(NamedTuple):
    """Dice as the kernels throw them: by weights or, where `tape` is not empty, recorded rolls in their order."""

    ends: NDArray[np.uint64]  # [36] the sum of the weights up to and with each outcome
    total: np.uint64  # what all weights come to
    digits: int  # numbers under the total that a word gives
    span: np.uint64  # total^digits
    rejected: np.uint64  # 2^32 mod span
    tape: NDArray[np.uint8]  # recorded outcomes
    starts: NDArray[np.int64]  # where on the tape hands begin


@kernel()
def throw_block(dice: KernelDice, seed: np.uint64, session: np.uint64, block: int, into: NDArray[np.uint8]) -> int:
    """Write the rolls of a block of a session, whatever the dice, into an array of at least 20. Return how many."""
    if len(dice.tape):
        at = tape_start(dice, seed, session) + block * ROLLS
        for r in range(ROLLS):
            into[r] = dice.tape[(at + r) % len(dice.tape)]
        return ROLLS
    if dice.total == _FACES:
        return roll_block(seed, session, block, into)
    words = philox_block(block, session & _LOW, session >> _HALF, 0, seed & _LOW, seed >> _HALF)  # type: ignore[arg-type]
    count = 0
    for word in words:
        rest = np.uint64(word)
        if (rest * dice.span) & _LOW < dice.rejected:
            continue
        place = dice.span
        number = (rest * dice.span) >> _HALF
        for _ in range(dice.digits):
            place //= dice.total
            digit = number // place
            number -= digit * place
            into[count] = np.searchsorted(dice.ends, digit, side="right")
            count += 1
    return count


@kernel()
def tape_start(dice: KernelDice, seed: np.uint64, session: np.uint64) -> int:
    """Return where on the tape a session begins: at a hand that the words of stream 1 choose, all equally likely."""
    hands = np.uint64(len(dice.starts))
    rejected = np.uint64(1 << BITS) % hands
    block = np.uint64(0)
    while True:
        words = philox_block(block, session & _LOW, session >> _HALF, 1, seed & _LOW, seed >> _HALF)  # type: ignore[arg-type]
        for word in words:
            scaled = np.uint64(word) * hands
            if scaled & _LOW >= rejected:
                return int(dice.starts[scaled >> _HALF])
        block += np.uint64(1)
