"""Waiting for what another thread or process does, as long as a busy machine may need."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep


def wait_until(condition: Callable[[], bool], *, seconds: float = 60, every: float = 0.01) -> None:
    """Wait until the condition holds; fail if it does not within the time. `every`: seconds between two looks."""
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, f"waited {seconds} seconds in vain"
        sleep(every)


async def until(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    """Let the event loop run until the condition holds; fail if it does not within the time."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
