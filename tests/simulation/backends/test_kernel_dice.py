"""The dice of the kernels: published vectors of Philox4x32-10, and rolls of our own."""

import numpy as np
import pytest

from passline.dice_sources import philox as plain_philox
from passline.dice_sources import seeded_rolls
from passline.simulation.backends.cpu.kernel_dice import outcomes, philox_block

# From the known-answer file of the Random123 library: counter, key, words.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_philox_returns_the_published_words(counter: str, key: str, words: str) -> None:
    c0, c1, c2, c3 = (int(word, 16) for word in counter.split())
    k0, k1 = (int(word, 16) for word in key.split())
    expected = [int(word, 16) for word in words.split()]
    assert [int(word) for word in philox_block(c0, c1, c2, c3, k0, k1)] == expected
    assert list(plain_philox((c0, c1, c2, c3), (k0, k1))) == expected


@pytest.mark.parametrize(
    ("seed", "session", "shown"),
    [
        (7, 0, "65 32 16 51 44 54 11 22 14 51 15 14 66 13 15 14 14 11 35 26"),
        (2**64 - 1, 2**40 + 3, "35 61 42 34 51 14 21 26 36 52 42 25 45 56 55 35 56 61 61 46"),
    ],
)
def test_rolls_of_a_session_never_change(seed: int, session: int, shown: str) -> None:
    rolls = np.zeros(20, dtype=np.uint8)
    outcomes(np.uint64(seed), np.uint64(session), rolls)
    assert " ".join(f"{d // 6 + 1}{d % 6 + 1}" for d in rolls.tolist()) == shown


def test_kernel_dice_are_those_of_dice_sources() -> None:
    """Enough rolls for rejected words, about one in 2,300."""
    for seed, session in ((0, 0), (7, 1), (2**63 + 11, 2**33 + 5)):
        rolls = np.zeros(40_000, dtype=np.uint8)
        outcomes(np.uint64(seed), np.uint64(session), rolls)
        source = seeded_rolls(seed, session=session)
        assert rolls.tolist() == [
            (roll.first - 1) * 6 + roll.second - 1 for roll, _ in zip(source, rolls, strict=False)
        ]
