"""Detects when this machine runs slowly: shared machines nearly stop for some milliseconds now and then."""

from __future__ import annotations

import asyncio
import bisect
import time
from itertools import pairwise
from statistics import median

_EVERY_SECONDS = 0.005
_LOOPS = 400
_SLOW = 4.0  # times the usual duration of the same work
_DRAIN_SECONDS = 0.1  # after a slow spell, while queued work is done


class Pace:
    """Times a fixed piece of work again and again, in processor time so that waiting does not count."""

    def __init__(self) -> None:
        self._took: list[tuple[float, float]] = []  # when, how long

    async def watch(self) -> None:
        """Time the work until cancelled."""
        while True:
            begun, when = time.thread_time(), time.perf_counter()
            for _ in range(_LOOPS):
                pass
            self._took.append((when, time.thread_time() - begun))
            await asyncio.sleep(_EVERY_SECONDS)

    def spells(self) -> list[tuple[float, float]]:
        """Return the slow spells, each from the last measurement at full speed until queued work is done."""
        usual = median(took for _, took in self._took)
        found: list[tuple[float, float]] = []
        for (before, _), (when, took) in pairwise(self._took):
            if took > _SLOW * usual:
                begin, end = before, when + _DRAIN_SECONDS
                found = (
                    [*found[:-1], (found[-1][0], end)] if found and begin <= found[-1][1] else [*found, (begin, end)]
                )
        return found


def is_within(spells: list[tuple[float, float]], moment: float) -> bool:
    """Return whether a moment is in one of the spells, which are in order.

    >>> is_within([(1.0, 2.0)], 1.5), is_within([(1.0, 2.0)], 2.5), is_within([], 0.0)
    (True, False, False)
    """
    place = bisect.bisect_right(spells, (moment, float("inf")))
    return place > 0 and moment <= spells[place - 1][1]
