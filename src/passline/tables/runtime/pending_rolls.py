"""The dice of a table between the throw and the log."""

from __future__ import annotations

from collections.abc import Callable

from passline.dice import Roll

__all__ = ["Cup"]


class Cup:
    """Dice thrown and not yet in the log stay as they lie: neither a fault nor a race is a chance to throw again.

    >>> rolls = iter([Roll(1, 1), Roll(2, 2), Roll(3, 3)])
    >>> cup = Cup(lambda: next(rolls))
    >>> str(cup.throw()), str(cup.throw())
    ('1-1', '2-2')
    >>> cup.keep(1)  # the first is in the log; what was to follow it is judged again
    >>> str(cup.throw()), str(cup.throw())
    ('2-2', '3-3')
    """

    __slots__ = ("_source", "_thrown", "used")

    def __init__(self, source: Callable[[], Roll]) -> None:
        self._source = source
        self._thrown: list[Roll] = []
        self.used = 0  # of those thrown, by what is being judged

    def throw(self) -> Roll:
        """Give the next roll."""
        if self.used == len(self._thrown):
            self._thrown.append(self._source())
        self.used += 1
        return self._thrown[self.used - 1]

    def keep(self, rolls: int) -> None:
        """So many rolls are in the log; the others lie ready for whatever is judged next."""
        del self._thrown[:rolls]
        self.used = 0
