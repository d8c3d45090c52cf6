"""How busy the event loop is: how late it comes to what is due, which tables feel long before anything is refused."""

from __future__ import annotations

import asyncio
from time import monotonic

_LOOK_SECONDS = 0.25
_SHARE = 0.1  # of the newest look in the average: what lasts for a second or two counts
_BUSY_SECONDS = 0.03  # a wager is then shown about this much later


class LoopLoad:
    """The lateness of one event loop, averaged over some seconds.

    >>> load = LoopLoad()
    >>> load.note(0.2), load.is_busy, [load.note(0.2) for _ in range(10)][0], load.is_busy
    (None, False, None, True)
    """

    def __init__(self) -> None:
        self.late_seconds = 0.0

    @property
    def is_busy(self) -> bool:
        """Whether tables are shown noticeably later than they could be."""
        return self.late_seconds > _BUSY_SECONDS

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            due = monotonic() + _LOOK_SECONDS
            await asyncio.sleep(_LOOK_SECONDS)
            self.note(max(0.0, monotonic() - due))

    def note(self, seconds: float) -> None:
        """Note how late the loop was at one look."""
        self.late_seconds += (seconds - self.late_seconds) * _SHARE
