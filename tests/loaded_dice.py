"""Loaded dice for tests: rolls that fall as the test chooses, everything else as with real ones.

Electronic dice follow from a committed key and the log, so nobody can choose them. Tests can: this module replaces the
function that throws them, for keys of `LoadedDice` only.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from passline.dice import Roll
from passline.provable_dice import DiceKeys, provable_roll
from passline.tables.electronic import throwing

__all__ = ["LoadedDice"]

_known: dict[bytes, LoadedDice] = {}
_numbers = count()


class LoadedDice(DiceKeys):
    """Keys whose rolls are taken from an iterator, in the order in which they are thrown."""

    def __init__(self, rolls: Iterator[Roll]) -> None:
        super().__init__(sha256(f"loaded dice {next(_numbers)}".encode()).digest(), "loaded")
        self._rolls = rolls
        self._thrown: dict[bytes, Roll] = {}

    def key(self, stream: str, number: int) -> bytes:
        """Return the key of a roll, and remember that it is loaded."""
        key = super().key(stream, number)
        _known[key] = self
        return key

    def roll(self, key: bytes) -> Roll:
        """Return the roll of a key: always the same one."""
        if key not in self._thrown:
            self._thrown[key] = next(self._rolls)
        return self._thrown[key]


def _loaded(key: bytes, *, closing: bytes, nonce: bytes) -> Roll:
    dice = _known.get(key)
    return dice.roll(key) if dice else provable_roll(key, closing=closing, nonce=nonce)


throwing.provable_roll = _loaded  # type: ignore[attr-defined]  # no other way to choose them
