"""The floor: every table of a house as it runs, and the house itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from passline.dice import Roll
from passline.game.refusal import Refused
from passline.people.accounts import STREAM as PEOPLE
from passline.store.entry import Head
from passline.store.genesis import HOUSE
from passline.store.log import Log, LogError
from passline.streams.course import Answer, Ask, Course
from passline.streams.running import RunningStream
from passline.streams.subscriber import Subscriber
from passline.streams.writer import AGAIN_SECONDS, Writer
from passline.tables.commands import OpenTable
from passline.tables.entries import TABLE
from passline.tables.house import HouseState
from passline.tables.live import LiveTable, table_id
from passline.tables.runtime.house_stream import HouseCourse
from passline.tables.runtime.table_stream import TableCourse

__all__ = ["Floor", "RunningTable"]

_log = logging.getLogger(__name__)
_FOLLOW_SECONDS = 5.0  # one wait for other processes; it returns as soon as something comes


class RunningTable(Struct, frozen=True):
    """A table in memory: its stream and its course."""

    id: str
    stream: RunningStream[LiveTable]
    course: TableCourse

    @property
    def live(self) -> LiveTable:
        """The table as it is in the log."""
        assert self.stream.state is not None
        return self.stream.state

    @property
    def current(self) -> LiveTable:
        """The table as a command would find it now, with limits that just came into force."""
        return self.course.current

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send a screen the table, and its news from now on."""
        self.course.subscribers.add(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send a screen nothing more."""
        self.course.subscribers.discard(subscriber)


class Floor:
    """All tables of a log. A table is read when it is first needed and stays in memory.

    `throw` draws electronic dice; `employed` tells at once whether an account is an employee's; `is_shared` means that
    other processes write to the same log.
    """

    def __init__(
        self,
        log: Log,
        *,
        clock: Callable[[], str],
        throw: Callable[[], Roll],
        employed: Callable[[str], bool] = lambda _account: False,
        is_shared: bool = False,
        measured: Callable[[int, float], None] = lambda _drafts, _seconds: None,
        committed: Callable[[Head], None] = lambda _head: None,
    ) -> None:
        self.log = log
        self.writer = Writer(log, measured, committed)
        self.people_version = 0  # the newest that another process wrote
        self._clock = clock
        self._throw = throw
        self._employed = employed
        self._is_shared = is_shared
        self._names: set[str] = set()
        self._tables: dict[str, asyncio.Task[RunningTable]] = {}
        house = HouseCourse(
            log, lambda: (table.live for table in self.running if table.stream.state is not None), self._refresh
        )
        self._house: RunningStream[HouseState] = self._running(HOUSE, house)
        self._follower: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Read the house and the list of tables, and begin to follow other processes."""
        self._loop = asyncio.get_running_loop()
        await self._house.load()
        streams = await asyncio.to_thread(self.log.streams)
        self._names = {stream.removeprefix(TABLE) for stream in streams if stream.startswith(TABLE)}
        if self._is_shared:
            self._follower = asyncio.create_task(self._follow(), name="follower")

    async def close(self) -> None:
        """Answer what is queued, keep snapshots, and stop writing."""
        if self._follower is not None:
            self._follower.cancel()
            await asyncio.gather(self._follower, return_exceptions=True)
        running = [task.result() for task in self._tables.values() if task.done() and not task.exception()]
        for table in running:
            table.course.stop()
        await asyncio.gather(self._house.close(), *(table.stream.close() for table in running))
        await self.writer.close()

    @property
    def house(self) -> HouseState:
        """The state of the house: approvals, reports, shifts."""
        assert self._house.state is not None
        return self._house.state

    @property
    def running(self) -> list[RunningTable]:
        """The tables in memory."""
        tasks = self._tables.values()
        return [task.result() for task in tasks if task.done() and not task.cancelled() and not task.exception()]

    def ids(self) -> list[str]:
        """Return the ids of all tables that were ever opened."""
        return sorted(self._names)

    async def table(self, id: str) -> RunningTable | None:  # noqa: A002 - the page's own word
        """Return a table, read from the log if necessary; None if there never was one."""
        if id not in self._names:
            return None
        return await self._started(id)

    async def load_all(self) -> list[RunningTable]:
        """Load every table and return them all."""
        found = await asyncio.gather(*(self.table(id_) for id_ in self.ids()))
        return [table for table in found if table is not None]

    async def open(self, ask: Ask) -> tuple[str, Answer | Refused]:
        """Open a table with an OpenTable command; return its id and the answer."""
        command = ask.command
        assert isinstance(command, OpenTable)
        id = table_id(command.table or command.name) or "table"  # noqa: A001 - refused there if it is no name
        table = await self._started(id)
        answer = await table.stream.ask(ask)
        if isinstance(answer, Answer):
            self._names.add(id)
        elif table.stream.state is None and not table.stream.queued:  # nobody else is opening it either
            self._tables.pop(id, None)
            await table.stream.close()
        return id, answer

    async def ask_house(self, ask: Ask) -> Answer | Refused:
        """Carry out a command to the whole house, with every table loaded."""
        await self.load_all()
        return await self._house.ask(ask)

    def _refresh(self) -> None:
        """Send every table's screens what the approvals on file now allow."""
        for table in self.running:
            table.course.refresh()

    async def _started(self, id: str) -> RunningTable:  # noqa: A002
        task = self._tables.get(id)
        if task is None:
            task = self._tables[id] = asyncio.create_task(self._start_table(id))
        try:
            return await asyncio.shield(task)
        except Exception:
            self._tables.pop(id, None)  # the log could not be read: try again next time
            raise

    async def _start_table(self, id: str) -> RunningTable:  # noqa: A002
        course = TableCourse(self._throw, lambda: self.house.approvals, self._clock, self._employed)
        stream: RunningStream[LiveTable] = self._running(TABLE + id, course)
        course.stream = stream
        await stream.load()
        course.refresh()
        return RunningTable(id, stream, course)

    def _running(self, name: str, course: Course[Any]) -> RunningStream[Any]:
        return RunningStream(name, course, log=self.log, writer=self.writer, clock=self._clock)

    async def _follow(self) -> None:
        """Watch for what other processes write, and have the loaded streams read it."""
        head = self._house.head
        seen, fault = head.sequence if head else 0, ""
        while True:
            try:
                if await asyncio.to_thread(self.log.wait_for, seen, _FOLLOW_SECONDS):
                    seen = await asyncio.to_thread(self._read_on, seen)
                fault = ""
            except Exception as error:  # noqa: BLE001 - the database is gone; try until it is back
                if fault != (fault := f"{type(error).__name__}: {error}"):  # said once, not every second
                    is_ours = not isinstance(error, LogError | OSError)
                    _log.error("other processes cannot be followed: %s", fault, exc_info=is_ours)
                await asyncio.sleep(AGAIN_SECONDS)

    def _read_on(self, seen: int) -> int:
        """Read what was written after a sequence, in a thread; have its streams catch up; return the last sequence."""
        entries = [stored.entry for stored in self.log.read(after=seen)]
        self._loop.call_soon_threadsafe(self._notice, {entry.stream: entry.version for entry in entries})
        return entries[-1].sequence if entries else seen

    def _notice(self, versions: dict[str, int]) -> None:
        for name, version in versions.items():
            stream: RunningStream[Any] | None = self._house if name == HOUSE else None
            if name == PEOPLE:
                self.people_version = version
            elif name.startswith(TABLE):
                id_ = name.removeprefix(TABLE)
                self._names.add(id_)
                task = self._tables.get(id_)
                with suppress(asyncio.InvalidStateError):  # still being read
                    stream = task.result().stream if task and not task.cancelled() else None
            if stream is not None and version > stream.version:
                stream.catch_up()
