"""`Registry`: the running streams of one kind by name. Tables, offices and tournaments are each in one."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

from passline.refusal import Refused
from passline.streams.course import Answer
from passline.streams.running import RunningStream

Served = TypeVar("Served")  # the stream, or what has it


class Registry(ABC, Generic[Served]):
    """The streams whose names begin with `prefix`. One is read when it is first needed and stays in memory.

    If that fails, everybody who waits is told why, and whoever asks next tries again.
    tests/streams/test_one_mechanism.py finds a second registry.
    """

    prefix: ClassVar[str]

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Served]] = {}
        self._names: set[str] = set()

    @abstractmethod
    async def _start(self, name: str) -> Served:
        """Read a stream by the rest of its name."""

    def _stream_of(self, served: Served) -> RunningStream[Any]:
        """Return the stream of what was started; override it where that only has one."""
        assert isinstance(served, RunningStream)
        return served

    def ids(self) -> list[str]:
        """Return the names of all streams of this kind that are in the log."""
        return sorted(self._names)

    def know(self, streams: Iterable[str]) -> None:
        """Learn which streams there are from names of streams of the log."""
        self._names |= {name.removeprefix(self.prefix) for name in streams if name.startswith(self.prefix)}

    async def get(self, name: str) -> Served:
        """Return a stream, read from the log if necessary, whether it has begun or not."""
        task = self._tasks.get(name)
        if task is None:
            task = self._tasks[name] = asyncio.create_task(self._start(name))
        try:
            return await asyncio.shield(task)
        except Exception:
            self._tasks.pop(name, None)  # the log could not be read: try again next time
            raise

    def find(self, name: str) -> Served | None:
        """Return a stream that is in memory; None if it was not asked for, is being read, or could not be read."""
        task = self._tasks.get(name)
        is_read = task is not None and task.done() and not task.cancelled() and task.exception() is None
        return task.result() if task is not None and is_read else None

    def in_memory(self) -> dict[str, Served]:
        """Return the streams that were read, by name."""
        return {name: served for name in self._tasks if (served := self.find(name)) is not None}

    async def keep_if_begun(self, name: str, answer: Answer | Refused) -> None:
        """Keep a stream whose first command is in the log; drop one that has not begun, unless others wait for it."""
        stream = self._stream_of(await self.get(name))
        if isinstance(answer, Answer):
            self._names.add(name)
        elif stream.state is None and not stream.queue_length:
            self._tasks.pop(name, None)
            await stream.close()

    def notice(self, stream: str, version: int) -> None:
        """Have a stream of this kind read what another process wrote, if it is in memory."""
        self.know((stream,))
        served = self.find(stream.removeprefix(self.prefix)) if stream.startswith(self.prefix) else None
        if served is not None and version > self._stream_of(served).version:
            self._stream_of(served).catch_up()

    async def close(self) -> None:
        """Answer what is queued, keep snapshots, and stop."""
        await asyncio.gather(*(self._stream_of(served).close() for served in self.in_memory().values()))
