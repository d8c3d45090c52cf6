"""An office whose pages could not be kept at first, while the clock of the server was wrong."""

from __future__ import annotations

import pytest

from passline.acts.judges.scene import Surroundings
from passline.errors import CrapsError
from passline.office.runtime import Offices
from passline.store.memory import MemoryLog
from passline.streams.writer import ThreadWriter
from tests.event_loop import asynchronous


class _Clock:
    """A clock that is found to be wrong."""

    fault = "the clock of this server is 60 minutes ahead of the time of the log: set it right"

    def __call__(self) -> str:
        return "2026-11-15T08:00:00.000000Z"


@asynchronous
async def test_an_office_that_cannot_be_kept_says_why_and_is_kept_once_it_can_be() -> None:
    """It was an AssertionError, and there was no office until the server was started again."""
    log, clock = MemoryLog(), _Clock()
    writer = ThreadWriter(log)
    offices = Offices(log, writer, clock, Surroundings(lambda _account: None))
    try:
        with pytest.raises(CrapsError, match=r"office of colorado cannot be kept yet: the clock .* set it right"):
            await offices.scene("colorado")
        clock.fault = ""
        assert (await offices.scene("colorado")).state.digest
    finally:
        await offices.close()
        await writer.close()
