"""Keeps the clock of a house: records when the system's clock jumped, and the time, for the next start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

from passline.errors import CrapsError
from passline.refusal import Refused
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.clock_sync import Sync, clock_sync
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.store.timestamps import HouseClock
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.writer import ServerFault
from passline.tables.commands import RecordClockJump, RecordClockSync
from passline.web.server.logs import logger

_LOOK_SECONDS = 5.0
_KEEP_LOOKS = 6  # the time is kept at every sixth look
_KIND, _KEY = "clock", "house"


def clock_of(log: Log) -> HouseClock:
    """Return the clock of a log's house: it does not go back behind what the log has on record."""
    kept, head = _vault(log).get(_KIND, _KEY, now=""), log.head()
    newest = [stored.entry.at for stored in log.read(after=head.sequence - 1)] if head else []
    return HouseClock(max([*newest, kept.value.decode() if kept else ""]))


class ClockKeeper:
    """Looks at the clock every few seconds, also when nobody plays. `record` gives a command to the house."""

    def __init__(self, clock: HouseClock, log: Log, record: Callable[[Ask], Awaitable[Answer | Refused]]) -> None:
        self._clock, self._log, self._record = clock, log, record
        self._recorded: Sync = "unknown"

    async def run(self) -> None:
        """Look until cancelled."""
        looks = 0
        while True:
            try:
                await self.look()
                if looks % _KEEP_LOOKS == 0:
                    await self.look_at_sync()
                    await asyncio.to_thread(self.keep)
            except (CrapsError, ServerFault, OSError) as error:  # tables stand still too while the log is down
                logger().warning("the clock cannot be kept", why=str(error))
            looks += 1
            await asyncio.sleep(_LOOK_SECONDS)

    async def look_at_sync(self) -> None:
        """Record whether a time service keeps the clock, if that is not what the log says."""
        found = await asyncio.to_thread(clock_sync)
        if found.state in {"unknown", self._recorded}:
            return
        if found.state == "not synchronised":
            logger().warning("the system's clock is not synchronised", milliseconds=found.milliseconds)
        command = RecordClockSync(state=found.state, milliseconds=found.milliseconds)
        await self._record(Ask(uuid4().hex, command, THE_HOUSE))  # refused where another process has recorded it
        self._recorded = found.state

    async def look(self) -> None:
        """Record the jumps since the last look. Each has its own id, so that it is on record once."""
        self._clock()
        for jump in self._clock.jumps():
            logger().warning("the system's clock jumped", was=jump.was, found=jump.found)
            command = RecordClockJump(was=jump.was, found=jump.found)
            await self._record(Ask(f"clock-{jump.was}-{jump.found}", command, THE_HOUSE))
            self._clock.forget_jump(jump)

    def keep(self) -> None:
        """Keep the time of the house: a clock that is set back while no server runs is noticed by the next one."""
        _vault(self._log).put(Secret(_KIND, _KEY, self._clock().encode()))


def _vault(log: Log) -> AuthenticVault:
    return AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))
