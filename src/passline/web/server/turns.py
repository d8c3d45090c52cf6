"""Turns on the event loop: requests begin one at a time, so that the tables' messages are read between any two.

Requests that arrive together would otherwise be answered in a row, and every wager that came with them would wait for
all. Whoever is logged in goes first. Strangers have a bounded share of the loop's time: after each of their requests
the next one waits for a multiple of the time which that one took.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import perf_counter

_STRANGERS_WAIT = 3.0  # times what the last one took: so strangers have a quarter of the loop's time
_WAIT_MAX = 0.1  # seconds


class Turns:
    """Whose request begins next on one event loop."""

    def __init__(self) -> None:
        self._known: deque[asyncio.Future[None]] = deque()
        self._strangers: deque[asyncio.Future[None]] = deque()
        self._is_beginning = False
        self._is_timed = False  # whether a timer will begin the next stranger's request
        self._begun = 0.0
        self._strangers_from = 0.0  # when the next request of a stranger may begin

    async def wait(self, *, is_stranger: bool) -> None:
        """Wait for the turn of a request."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._strangers if is_stranger else self._known).append(turn)
        self._go_on()
        await turn

    def _go_on(self) -> None:
        """Begin the next request in the next round of the loop, which first reads what the tables' screens sent."""
        if self._is_beginning or not (self._known or self._strangers):
            return
        loop, seconds = asyncio.get_running_loop(), self._strangers_from - perf_counter()
        if self._known or seconds <= 0:
            self._is_beginning = True
            loop.call_soon(self._begin)
        elif not self._is_timed:
            self._is_timed = True
            loop.call_later(seconds, self._time_is_up)

    def _time_is_up(self) -> None:
        self._is_timed = False
        self._go_on()

    def _begin(self) -> None:
        """Begin a request: the loop runs it from here to `_end`, until it waits for something for the first time."""
        loop, is_stranger = asyncio.get_running_loop(), not self._known
        turn = (self._strangers if is_stranger else self._known).popleft()
        self._begun = perf_counter()
        if not turn.done():  # whoever waited was cancelled
            turn.set_result(None)
        loop.call_soon(self._end, is_stranger)

    def _end(self, is_stranger: bool) -> None:  # noqa: FBT001 - `call_soon` passes it by position
        if is_stranger:
            now = perf_counter()
            self._strangers_from = now + min(_STRANGERS_WAIT * (now - self._begun), _WAIT_MAX)
        self._is_beginning = False
        self._go_on()
