"""Rolls that somebody wrote down: a text of two faces each, such as 3-4, 34 or 3,4, in the order they were thrown."""

from __future__ import annotations

import re
from pathlib import Path

from passline.bounded_text import read_named_file, text_of_file
from passline.dice import Roll, roll_of
from passline.dice_sources import DiceError

_DIGITS = re.compile(r"\d+")
_WRITTEN = re.compile(r"[\d\s,;/-]*", flags=re.ASCII)
_FACES = frozenset("123456")
_SHOWN = 30  # letters of a line in an error


def read_rolls(path: Path) -> list[Roll]:
    """Return the rolls recorded in a file; raise DiceError, with the line, where it holds anything else."""
    return rolls_in(text_of_file(read_named_file(path), str(path)), str(path))


def rolls_in(text: str, name: str = "the record") -> list[Roll]:
    r"""Return the rolls in a text, one or more on each line; what follows a # is a comment, a first line may be words.

    >>> [str(roll) for roll in rolls_in("die, die\n3-4 # the come-out roll\n25 6,6\n")]
    ['3-4', '2-5', '6-6']
    >>> rolls_in("3-4\n7-1")
    Traceback (most recent call last):
    passline.dice_sources.DiceError: the record: line 2, '7-1': a roll is two faces from 1 to 6, such as 3-4
    """
    rolls: list[Roll] = []
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        if number == 1 and written and not any(sign.isdigit() for sign in written):
            continue  # the heads of columns
        faces = _faces(written)
        if faces is None:
            raise DiceError(
                f"{name}: line {number}, {written[:_SHOWN]!r}: a roll is two faces from 1 to 6, such as 3-4"
            )
        rolls += (roll_of(int(first), int(second)) for first, second in zip(faces[::2], faces[1::2], strict=True))
    if not rolls:
        raise DiceError(f"{name}: has no rolls: write two faces for each, such as 3-4, in the order they were thrown")
    return rolls


def _faces(written: str) -> str | None:
    """Return the faces on a line, two for each roll; None if they are not such."""
    if not _WRITTEN.fullmatch(written):
        return None
    faces = ""
    for digits in _DIGITS.findall(written):
        is_whole = len(digits) == 1 or (len(digits) == 2 and not len(faces) % 2)  # noqa: PLR2004 - of a roll
        if not is_whole or not set(digits) <= _FACES:
            return None
        faces += digits
    return None if len(faces) % 2 else faces
