"""The crew of practice tables, which has no people: it keeps a table going that a stranger would hold up.

Whoever has the dice and does nothing passes them on; whoever has gone is cashed out, so that seats become free.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection
from typing import Any

from passline.authority.duties import name_of
from passline.tables.runtime.floor import Floor
from passline.web.demo.players import Crowd, Presence

_LOOK_SECONDS = 5.0  # how often newly opened practice tables are looked for
_CLOSED_SECONDS = 2.0
_GONE_SECONDS = 180.0  # after so long without a screen a player is gone


class PracticeCrew:
    """The crews of all practice tables of a server.

    With `is_shared` other processes have screens too: then nobody counts as gone, but dice are still passed on.
    """

    def __init__(
        self, floor: Floor, *, looking: Callable[[], Collection[str]], is_shared: bool = False, pace: float = 1.0
    ) -> None:
        self._floor = floor
        self._presence = Presence(looking, math.inf if is_shared else _GONE_SECONDS * pace)
        self._pace = pace
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Begin to look after practice tables."""
        self._tasks[""] = asyncio.create_task(self._look(), name="practice tables")

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _look(self) -> None:
        while True:
            for table in self._floor.running_tables:
                is_practice = table.stream.state is not None and table.live.practice_cents_max
                if is_practice and table.id not in self._tasks:
                    crew = _TableCrew(table, (), self._presence, pace=self._pace)
                    self._tasks[table.id] = asyncio.create_task(crew.play(), name=f"practice {table.id}")
            await asyncio.sleep(_LOOK_SECONDS * self._pace)


class _TableCrew(Crowd):
    """The crew of one practice table: a crowd without players."""

    async def _turn(self) -> None:
        if self._table.live.status == "open" and self._table.live.practice_cents_max:
            await super()._turn()
        else:  # stopped by people of the crew, who also release it
            await self._pause(_CLOSED_SECONDS)

    def _id_of(self, command: Any) -> str:  # noqa: ANN401 - any command
        """Return the same id in every process, so that of several crews only one acts."""
        seat, wager = getattr(command, "seat", 0), getattr(command, "wager", "")
        return f"practice-{self._table.stream.version}-{name_of(command)}-{seat}-{wager}"[:64]
