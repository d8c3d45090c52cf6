"""Which visitors of a demo are still there, judged by their screens and their commands."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import monotonic

__all__ = ["Presence"]


class Presence:
    """When each visitor was last seen. Whoever logged out, or was not seen for `patience` seconds, is gone.

    >>> now = 0.0
    >>> presence = Presence(lambda: {"ann"}, 60, clock=lambda: now)
    >>> presence.is_gone("ann"), presence.is_gone("bob")
    (False, False)
    >>> now = 61.0
    >>> presence.is_gone("ann"), presence.is_gone("bob")
    (False, True)
    """

    def __init__(
        self, looking: Callable[[], Collection[str]], patience: float, clock: Callable[[], float] = monotonic
    ) -> None:
        self._looking = looking  # returns the accounts that have a screen open
        self._patience = patience
        self._clock = clock
        self._seen: dict[str, float] = {}
        self._left: set[str] = set()

    def saw(self, account: str) -> None:
        """Record that a visitor did something."""
        self._seen[account] = self._clock()

    def leave(self, account: str) -> None:
        """Record that a guest logged out, who cannot come back."""
        self._left.add(account)

    def is_gone(self, account: str) -> bool:
        """Return whether a visitor has left for good, or was away for too long."""
        if account in self._left:
            return True
        now = self._clock()
        if account in self._looking():
            self._seen[account] = now
        return now - self._seen.setdefault(account, now) > self._patience
