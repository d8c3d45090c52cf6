"""Sources of dice: published vectors of Philox4x32-10, the rolls of a seed, rejection, and electronic dice."""

from collections import Counter
from itertools import islice

import pytest

from passline.dice import OUTCOMES
from passline.dice_sources import DiceError, philox, seed_of, seeded_rolls, system_roll

ONES = 0xFFFFFFFF


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((ONES,) * 4, (ONES,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_has_the_published_words(counter: tuple[int, int, int, int], key: tuple[int, int], words: str) -> None:
    assert " ".join(f"{word:08x}" for word in philox(counter, key)) == words


def _by_definition(seed: int, session: int, stream: int, count: int) -> list[tuple[int, int]]:
    """Return the dice of contract 8 of the design, computed with long division instead of masks."""
    faces: list[tuple[int, int]] = []
    block = 0
    while len(faces) < count:
        counter = (block, session % 2**32, session // 2**32, stream)
        for word in philox(counter, (seed % 2**32, seed // 2**32)):
            high, low = divmod(word * 36**5, 2**32)
            if low < 2**32 % 36**5:
                continue
            digits = []
            for _ in range(5):
                high, digit = divmod(high, 36)
                digits.append(digit)
            faces += [(digit // 6 + 1, digit % 6 + 1) for digit in reversed(digits)]
        block += 1
    return faces[:count]


@pytest.mark.parametrize(
    ("seed", "session", "stream"), [(7, 0, 0), (7, 1, 0), (7, 0, 1), (2**63 + 5, 2**40 + 3, 9), (0, 2**32, 0)]
)
def test_a_seed_gives_the_rolls_of_the_design(seed: int, session: int, stream: int) -> None:
    thrown = islice(seeded_rolls(seed, session=session, stream=stream), 2_000)
    assert [(roll.first, roll.second) for roll in thrown] == _by_definition(seed, session, stream, 2_000)


def test_sessions_streams_and_seeds_differ() -> None:
    walks = {
        tuple(islice(seeded_rolls(seed, session=session, stream=stream), 20))
        for seed in (7, 7 + 2**32)
        for session in (0, 1, 2**32)
        for stream in (0, 1)
    }
    assert len(walks) == 12


def test_a_rejected_word_gives_no_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """The word 0 has a low half of 0, under the bound; the next word counts."""
    word = 2**31 + 1
    words = iter([(0, word, 0, 0), (word, 0, 0, 0)])
    monkeypatch.setattr("passline.dice_sources.philox", lambda _counter, _key: next(words))
    half = (word * 36**5) >> 32
    expected = [OUTCOMES[half // 36**place % 36] for place in (4, 3, 2, 1, 0)]
    assert list(islice(seeded_rolls(1), 10)) == expected * 2


def test_every_outcome_is_about_equally_frequent() -> None:
    """3,600 of each are expected; five standard deviations are 296."""
    counts = Counter(islice(seeded_rolls(11), 129_600))
    assert set(counts) == set(OUTCOMES)
    assert max(abs(count - 3_600) for count in counts.values()) < 296


def test_electronic_dice_use_the_operating_systems_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def drawn(end: int) -> int:
        asked.append(end)
        return 35 - len(asked)

    monkeypatch.setattr("passline.dice_sources.secrets.randbelow", drawn)
    assert [str(system_roll()) for _ in range(2)] == ["6-5", "6-4"]
    assert asked == [36, 36]


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", str(2**64), "\u0661"])
def test_text_that_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(DiceError, match="is not a seed"):
        seed_of(text)


def test_the_largest_seed_is_accepted() -> None:
    assert seed_of(str(2**64 - 1)) == 2**64 - 1
