"""Threads for what waits: sessions, secrets that are hashed and uploads that are read, apart from everything else.

A stranger who logs in waits for other strangers. Somebody who is logged in waits for neither of them, nor for those who
read the log; and a queue that is full is refused at once rather than growing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from passline.refusal import Refusal
from passline.web.server.responses import Denied

T = TypeVar("T")
_RETRY_SECONDS = 3
_UNBOUNDED = 1_000_000


class BoundedPool:
    """A few threads, and a queue before them: so long in all, and so long for each address."""

    def __init__(
        self,
        name: str,
        *,
        threads: int,
        waiting_max: int = _UNBOUNDED,
        of_one_max: int = _UNBOUNDED,
        busy: str = "too many people are logging in just now",
    ) -> None:
        self._busy = busy
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)
        self._waiting_max, self._of_one_max = waiting_max, of_one_max
        self._waiting = 0
        self._of_one: Counter[str] = Counter()

    async def run(self, work: Callable[[], T], *, address: str = "") -> T:
        """Do work in a thread. Raise Denied with Retry-After if too many wait already."""
        if self._waiting >= self._waiting_max or self._of_one[address] >= self._of_one_max:
            why = f"{self._busy}; try again in a few seconds"
            raise Denied(503, (Refusal("people", why),), headers={"Retry-After": str(_RETRY_SECONDS)})
        self._waiting += 1
        self._of_one[address] += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, work)
        future.add_done_callback(lambda _done: self._leave(address))  # also if whoever asked has gone
        return await asyncio.shield(future)

    def _leave(self, address: str) -> None:
        self._waiting -= 1
        self._of_one[address] -= 1
        if not self._of_one[address]:
            del self._of_one[address]


class Pools:
    """The threads of one server."""

    def __init__(self) -> None:
        self.sessions = BoundedPool("sessions", threads=2)
        self.strangers = BoundedPool("strangers", threads=2, waiting_max=32, of_one_max=16)
        self.known = BoundedPool("known", threads=2, waiting_max=256)  # those who are logged in, or were on this device
        busy = "too many houses and plans are being read just now"
        self.uploads = BoundedPool("uploads", threads=1, waiting_max=32, of_one_max=4, busy=busy)
