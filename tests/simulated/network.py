"""Connections between people and a house: in order, slow, and cut at any moment with what is on its way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from tests.simulated.loop import SimulatedLoop

_SECONDS = 0.000_5, 0.02  # that a message takes
_NOTICED_SECONDS = 0.001, 1.0  # until one end knows that the connection is cut


class Connection:
    """One connection. `to_page` is read by the person's page, `to_house` is called by the server."""

    def __init__(self, page: SimulatedLoop, house: SimulatedLoop, chance: Random) -> None:
        self._page, self._house, self._chance = page, house, chance
        self._arrives = {page: 0.0, house: 0.0}  # the last message each way, which none overtakes
        self.is_cut = False
        self.seconds = 0.0  # that everything takes more
        self.to_page: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.to_house: Callable[[bytes], None] = lambda _text: None
        self.left: Callable[[], None] = lambda: None  # the server is told that the page is gone

    def send_to_page(self, text: bytes) -> None:
        self._send(self._page, lambda: self.to_page.put_nowait(text))

    def send_to_house(self, text: bytes) -> None:
        self._send(self._house, lambda: self.to_house(text))

    def _send(self, loop: SimulatedLoop, deliver: Callable[[], None]) -> None:
        if not self.is_cut:
            self._deliver(loop, lambda: None if self.is_cut else deliver(), self._chance.uniform(*_SECONDS))

    def _deliver(self, loop: SimulatedLoop, deliver: Callable[[], None], seconds: float) -> None:
        at = self._arrives[loop] = max(self._arrives[loop] + 0.000_001, loop.time() + seconds + self.seconds)
        loop.call_soon_threadsafe(loop.call_at, at, deliver)

    def cut(self) -> None:
        """Lose what is on its way, both ways; each end learns of it some time later."""
        if self.is_cut:
            return
        self.is_cut = True
        self._deliver(self._page, lambda: self.to_page.put_nowait(None), self._chance.uniform(*_NOTICED_SECONDS))
        self._deliver(self._house, self.left, self._chance.uniform(*_NOTICED_SECONDS))
