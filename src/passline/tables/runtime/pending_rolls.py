"""Electronic rolls that were drawn and are not yet in the log."""

from __future__ import annotations

from collections.abc import Callable

from passline.dice import Roll

__all__ = ["PendingRolls"]


class PendingRolls:
    """Keeps drawn rolls until they are in the log: neither a fault nor a race is a chance to draw again.

    >>> rolls = iter([Roll(1, 1), Roll(2, 2), Roll(3, 3)])
    >>> pending = PendingRolls(lambda: next(rolls))
    >>> str(pending.throw()), str(pending.throw())
    ('1-1', '2-2')
    >>> pending.keep(1)  # the first is in the log; what follows it is decided again
    >>> str(pending.throw()), str(pending.throw())
    ('2-2', '3-3')
    """

    __slots__ = ("_source", "_thrown", "used")

    def __init__(self, source: Callable[[], Roll]) -> None:
        self._source = source
        self._thrown: list[Roll] = []
        self.used = 0  # how many of them the current round of decisions has used

    def throw(self) -> Roll:
        """Return the next roll, drawn earlier or now."""
        if self.used == len(self._thrown):
            self._thrown.append(self._source())
        self.used += 1
        return self._thrown[self.used - 1]

    def keep(self, rolls: int) -> None:
        """Drop the rolls that are in the log; the others are used by the next decisions."""
        del self._thrown[:rolls]
        self.used = 0
