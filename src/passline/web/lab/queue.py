"""The queue of the laboratory: so many questions of one visitor, so many in all, and one at a time beside the tables.

Two processes answer: a quick one for what is asked while somebody writes, and a long one for laws. Whoever asks for
several strategies lets others go between them. A visitor who goes away ends their question, and with it its process.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from time import monotonic

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from passline.refusal import Refusal
from passline.side_processes import SideProcess, Stopped, TooSlow, WorkFailed, pack_question
from passline.web.lab.answers import LabLine, LabNext, LabRefused, LabWaiting
from passline.web.lab.questions import LabQuestion, Warming
from passline.web.server.gate import Bucket
from passline.web.server.logs import logger
from passline.web.server.responses import Denied

MEGABYTES = 1_500
"""The address space of a process of the laboratory: much of it is libraries, which are shared and never touched."""
QUICK_SECONDS, LONG_SECONDS = 12.0, 45.0
"""The longest that one strategy is looked at, and that its law is solved."""
_OF_ONE_MAX = 2
_RATE, _BURST = 4.0, 40  # questions a second of one visitor, and at once: an answer may have half a megabyte
_BUCKETS_MAX = 2_000
_QUICK_MAX, _LONG_MAX = 24, 12
_KEPT_BYTES = 8_000_000
_TELL_SECONDS = 1.0  # between two lines to somebody who waits, so that it is seen when they go
_RETRY_SECONDS = 5
_OF_THE_MOMENT = (b'{"line":"progress"', b'{"line":"waiting"')
_REFUSED = b'{"line":"refused"'
_FAULT = "this question met a fault of the program; its operator finds it in the server's log"


class _Kept:
    """The answers that were given last, by the digest of their question, up to so many bytes."""

    def __init__(self) -> None:
        self._lines: OrderedDict[bytes, tuple[bytes, ...]] = OrderedDict()
        self._size = 0

    def find(self, key: bytes) -> tuple[bytes, ...] | None:
        if key in self._lines:
            self._lines.move_to_end(key)
        return self._lines.get(key)

    def add(self, key: bytes, lines: tuple[bytes, ...]) -> None:
        if key in self._lines:
            return
        self._lines[key] = lines
        self._size += sum(map(len, lines))
        while self._size > _KEPT_BYTES:
            _, gone = self._lines.popitem(last=False)
            self._size -= sum(map(len, gone))


class Lane:
    """One process and the visitors before it."""

    def __init__(self, seconds: float, waiting_max: int, *, has_laws: bool) -> None:
        self.process = SideProcess("passline.web.lab.work:answer", seconds=seconds, tells=True, megabytes=MEGABYTES)
        self._waiting_max, self._has_laws = waiting_max, has_laws
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lab")
        self._of_one: Counter[str] = Counter()
        self._buckets: dict[str, Bucket] = {}
        self._turns: list[object] = []  # the first of them is answered
        self._moved = asyncio.Event()
        self._kept = _Kept()
        self._warming: asyncio.Task[None] | None = None

    def enter(self, visitor: str) -> None:
        """Let a visitor in. Raise Denied with Retry-After if they ask too much already, or if all is full."""
        now = monotonic()
        bucket = self._buckets.pop(visitor, None) or Bucket(_BURST, now=now)
        self._buckets[visitor] = bucket
        if len(self._buckets) > _BUCKETS_MAX:
            del self._buckets[next(iter(self._buckets))]
        if bucket.spend(_RATE, _BURST, now=now) < 0:
            bucket.tokens = -1.0
            why = f"you ask more than {_RATE:g} questions a second; wait a moment"
            raise Denied(429, (Refusal("lab", why),), headers={"Retry-After": "1"})
        if self._of_one[visitor] >= _OF_ONE_MAX:
            why = f"you ask {_OF_ONE_MAX} questions already; cancel one, or wait for it"
            raise Denied(429, (Refusal("lab", why),), headers={"Retry-After": str(_RETRY_SECONDS)})
        if self._of_one.total() >= self._waiting_max:
            why = "too many questions wait for the laboratory; try again in a few seconds"
            raise Denied(503, (Refusal("lab", why),), headers={"Retry-After": str(_RETRY_SECONDS)}, in_doubt=False)
        self._of_one[visitor] += 1

    def leave(self, visitor: str) -> None:
        """Let a visitor go."""
        self._of_one[visitor] -= 1
        if not self._of_one[visitor]:
            del self._of_one[visitor]

    async def lines(self, questions: Sequence[LabQuestion]) -> AsyncIterator[bytes]:
        """Yield the answers to questions, line by line, each once it is its turn; one that is known has no turn."""
        for place, question in enumerate(questions):
            if len(questions) > 1:
                yield _line(LabNext(place))
            given = pack_question(question)
            key = sha256(given).digest()
            if (known := self._kept.find(key)) is not None:
                for line in known:
                    yield line
                continue
            told: list[bytes] = []
            async for line in self._in_turn(given):
                if not line.startswith(_OF_THE_MOMENT):
                    told.append(line)
                yield line
            if not any(line.startswith(_REFUSED) for line in told):
                self._kept.add(key, tuple(told))

    def warm(self) -> None:
        """Have the process started and ready, unless it is: the next question is answered at once."""
        if not self.process.pid and (self._warming is None or self._warming.done()):
            self._warming = asyncio.create_task(self._warm(), name="lab")

    async def _warm(self) -> None:
        async for _ in self._in_turn(pack_question(Warming(self._has_laws))):
            pass

    async def close(self) -> None:
        """End the process and whatever it does."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        self.process.stop()
        await asyncio.to_thread(self.process.close)
        self._threads.shutdown(wait=False)

    async def _in_turn(self, given: bytes) -> AsyncIterator[bytes]:
        turn = object()
        self._turns.append(turn)
        try:
            while self._turns[0] is not turn:
                yield _line(LabWaiting(self._turns.index(turn)))
                with suppress(TimeoutError):
                    async with asyncio.timeout(_TELL_SECONDS):
                        await self._moved.wait()
            async for line in self._work(given):
                yield line
        finally:
            self._turns.remove(turn)
            self._moved.set()
            self._moved = asyncio.Event()

    async def _work(self, given: bytes) -> AsyncIterator[bytes]:
        """Yield what the process tells; end it if nobody listens any more."""
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[bytes] = asyncio.Queue()

        def tell(line: bytes) -> None:
            loop.call_soon_threadsafe(told.put_nowait, line + b"\n")

        work = asyncio.ensure_future(loop.run_in_executor(self._threads, self.process.do, given, tell))
        work.add_done_callback(lambda _done: told.put_nowait(b""))
        try:
            while line := await told.get():
                yield line
            work.result()
        except TooSlow as slow:
            yield _line(LabRefused((Refusal("lab", f"{slow}, or ask for less: the tables come first here"),)))
        except (WorkFailed, Stopped) as error:
            logger().warning("the laboratory has not answered", why=str(error))
            yield _line(LabRefused((Refusal("lab", _FAULT),)))
        finally:
            if not work.done():
                self.process.stop()
                await asyncio.wait({work})
                work.exception()  # that it was stopped is no news


class Lab:
    """The laboratory of one server process."""

    def __init__(self) -> None:
        self.quick = Lane(QUICK_SECONDS, _QUICK_MAX, has_laws=False)
        self.long = Lane(LONG_SECONDS, _LONG_MAX, has_laws=True)

    async def close(self) -> None:
        """End its processes."""
        await asyncio.gather(self.quick.close(), self.long.close())


class LabAnswer(StreamingResponse):
    """The answer to questions as lines of JSON. Whoever breaks it off ends the question."""

    def __init__(self, lane: Lane, visitor: str, questions: Sequence[LabQuestion]) -> None:
        lane.enter(visitor)
        self._lane, self._visitor = lane, visitor
        self._lines = lane.lines(questions)
        super().__init__(self._lines, media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines as they come, until there are no more or whoever asked has gone."""
        del scope
        sending = asyncio.ensure_future(self.stream_response(send))
        leaving = asyncio.ensure_future(_until_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
            await self._lines.aclose()  # type: ignore[attr-defined]  # a generator, which has it
            self._lane.leave(self._visitor)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _line(line: LabLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"
