"""`Registry`: the running streams of one kind by name. Tables, offices and tournaments are each in one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Generic, TypeVar

from passline.refusal import Refused
from passline.streams.course import Answer
from passline.streams.running import RunningStream

__all__ = ["Registry"]

Served = TypeVar("Served")  # the stream, or what has it


class Registry(Generic[Served]):
    """The streams whose names begin with `prefix`. One is read when it is first needed and stays in memory.

    `start` reads one by the rest of its name; `stream_of` returns the stream of what `start` returned. If a start
    fails, everybody who waits is told why, and whoever asks next tries again.

    No second one is written beside it: tests/test_structure.py finds modules that keep tasks of running streams.
    """

    def __init__(
        self,
        prefix: str,
        start: Callable[[str], Coroutine[Any, Any, Served]],
        stream_of: Callable[[Served], RunningStream[Any]],
    ) -> None:
        self._prefix, self._start, self._stream_of = prefix, start, stream_of
        self._tasks: dict[str, asyncio.Task[Served]] = {}
        self._names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        """Whether a stream is in the log."""
        return name in self._names

    def names(self) -> list[str]:
        """Return the names of all streams of this kind that are in the log."""
        return sorted(self._names)

    def know(self, streams: Iterable[str]) -> None:
        """Learn which streams there are from the names of all streams of the log."""
        self._names |= {name.removeprefix(self._prefix) for name in streams if name.startswith(self._prefix)}

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

    def is_needed(self, name: str) -> bool:
        """Return whether a stream was asked for here: it is in memory, or is being read."""
        return name in self._tasks

    def running(self) -> dict[str, Served]:
        """Return the streams in memory by name."""
        return {name: served for name in list(self._tasks) if (served := self.find(name)) is not None}

    async def keep_if_begun(self, name: str, answer: Answer | Refused) -> None:
        """Keep a stream whose first command is in the log; drop one that has not begun, unless others wait for it."""
        if isinstance(answer, Answer):
            self._names.add(name)
        elif (served := self.find(name)) is not None:
            stream = self._stream_of(served)
            if stream.state is None and not stream.queued:
                self._tasks.pop(name)
                await stream.close()

    def notice(self, stream: str, version: int) -> None:
        """Have a stream of this kind read what another process wrote, if it is in memory."""
        if not stream.startswith(self._prefix):
            return
        self.know((stream,))
        served = self.find(stream.removeprefix(self._prefix))
        if served is not None and version > self._stream_of(served).version:
            self._stream_of(served).catch_up()

    async def close(self) -> None:
        """Answer what is queued on every stream, keep snapshots, and stop."""
        await asyncio.gather(*(self._stream_of(served).close() for served in self.running().values()))
