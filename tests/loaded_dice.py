"""Loaded dice for tests: rolls that fall as the test chooses, everything else as with real ones.

Electronic dice follow from a committed key and the log, so nobody can choose them. Tests can: this module replaces the
function that throws them, for keys of `LoadedDice` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from passline.dice import Roll
from passline.provable_dice import DiceKeys, provable_roll
from passline.tables.dice import throwing

_known: dict[bytes, LoadedDice] = {}
_thrown: dict[bytes, Roll] = {}
_numbers = count()


class LoadedDice(DiceKeys):
    """Keys whose rolls are taken from an iterator, in the order in which they are thrown.

    Two of them with the same log id have the same keys, as two servers of one house.
    """

    def __init__(self, rolls: Iterator[Roll], log_id: str = "") -> None:
        super().__init__(b"loaded dice", log_id or f"loaded {next(_numbers)}")
        self.rolls = rolls

    def key(self, stream: str, number: int) -> bytes:
        """Return the key of a roll, and remember that it is loaded."""
        key = super().key(stream, number)
        _known[key] = self
        return key


def _loaded(key: bytes, *, closing: bytes, nonce: bytes) -> Roll:
    if key not in _known:
        return provable_roll(key, closing=closing, nonce=nonce)
    if key not in _thrown:
        _thrown[key] = next(_known[key].rolls)
    return _thrown[key]


throwing.provable_roll = _loaded  # type: ignore[attr-defined]  # no other way to choose them
