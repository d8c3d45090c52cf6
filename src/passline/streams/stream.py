"""One stream of the log as it runs: everything asked of it is judged in turn, written in one commit, then answered."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Raw, Struct

from passline.errors import CrapsError
from passline.game.refusal import Refusal, Refused
from passline.store.entry import Draft, Head, Stored
from passline.store.log import Appended, AppendResult, Conflict, Known, Log, LogError, Snapshot
from passline.streams.writer import LogDown, ServerFault, Writer

__all__ = ["Answer", "Ask", "Asker", "Course", "Happened", "Ruling", "RunningStream"]

_log = logging.getLogger(__name__)
State = TypeVar("State")
_KNOWN_MAX = 256  # answers kept at hand for those who ask again; the log has the others
_SNAPSHOT_EVERY = 500  # entries: folding that many takes a few milliseconds


class Asker(Protocol):
    """Who asks."""

    @property
    def account(self) -> str:
        """Under which account."""

    @property
    def role(self) -> str:
        """In which role."""


class Ask(Struct, frozen=True, gc=False):
    """What somebody asks of a stream; the same id of the same account acts once."""

    id: str
    command: Any
    by: Any  # an Asker
    signed_by: str = ""


class Answer(Struct, frozen=True, gc=False):
    """What an ask brought about, which is in the log, durably: here is the place, and the head to hold it against."""

    id: str
    sequence: int
    head: Head
    lines: tuple[str, ...]
    events: Raw


class Ruling(Struct, frozen=True, gc=False):
    """A command as it was judged and completed, what it brings about, and where it leaves the stream."""

    command: Any
    events: Sequence[Any]
    after: Any
    hand: int = 0
    rules: str = ""


class Happened(Struct, frozen=True, gc=False):
    """One entry that is in the log now, with its events read, the states around it, and what all may hear of it."""

    stored: Stored
    events: Sequence[Any]
    before: Any
    after: Any
    lines: tuple[str, ...]


class Course(Protocol[State]):
    """What a stream is about: how its commands are judged, its events folded, and its state kept."""

    def judge(self, state: State | None, ask: Ask, at: str) -> Ruling | Refused:
        """Judge an ask, completed by what only the server knows."""

    def written(self, judged: int) -> None:
        """So many of the asks judged since the last call are in the log; the others will be judged again."""

    def is_same(self, stored: Stored, ask: Ask) -> bool:
        """Whether an entry is what came of this ask, whatever the server completed in it."""

    def read(self, stored: Stored) -> Sequence[Any]:
        """Give the events of an entry."""

    def fold(self, state: State | None, stored: Stored, events: Sequence[Any]) -> State:
        """Give the state after an entry."""

    def lines(self, before: State | None, after: State | None, events: Sequence[Any]) -> tuple[str, ...]:
        """Say what happened in words, as all may hear it."""

    def lines_to(self, by: Any, happened: Happened) -> tuple[str, ...]:  # noqa: ANN401 - an Asker
        """Say it to whoever asked for it, who may hear more."""

    def encode(self, state: State) -> bytes:
        """Write the state for a snapshot."""

    def decode(self, state: bytes) -> State:
        """Read the state of a snapshot."""

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> None:
        """Tell whoever listens what is in the log now, once per commit; `begun` is the sequence they know."""


class _Waiting:
    """An ask, who waits for its answer, and how it was judged last."""

    __slots__ = ("ask", "future", "verdict")

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.future: asyncio.Future[Answer | Refused] = asyncio.get_running_loop().create_future()
        self.verdict: Ruling | Refused | None = None

    def tell(self, answer: Answer | Refused | Exception) -> None:
        if self.future.done():  # whoever waited has gone; what was asked is done all the same
            return
        if isinstance(answer, Exception):
            self.future.set_exception(answer)
            self.future.exception()  # one that nobody waits for any more is no fault
        else:
            self.future.set_result(answer)


class RunningStream(Generic[State]):
    """A stream in memory: its state is what is in the log, never what is only hoped to get there."""

    def __init__(self, name: str, course: Course[State], *, log: Log, writer: Writer, clock: Callable[[], str]) -> None:
        self.name = name
        self.state: State | None = None
        self.version = 0
        self.sequence = 0  # of the newest entry of this stream
        self.head: Head | None = None
        self._course = course
        self._log = log
        self._writer = writer
        self._clock = clock
        self._hash = b""
        self._kept = 0  # the version of the newest snapshot
        self._waiting: list[_Waiting] = []
        self._open: dict[tuple[str, str], _Waiting] = {}
        self._known: OrderedDict[tuple[str, str], tuple[Any, Answer]] = OrderedDict()
        self._is_loaded = False
        self._is_busy = True  # a round is on its way: what is asked meanwhile waits for the next
        self._is_behind = False
        self._refusing: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None

    @property
    def queued(self) -> int:
        """How many asks wait for their answer."""
        return len(self._open)

    async def load(self) -> None:
        """Read the newest snapshot and what came after it, and begin to answer."""
        await asyncio.to_thread(self._load)
        self.head = await asyncio.to_thread(self._log.head)
        self._is_loaded, self._is_busy = True, False

    def _load(self) -> None:
        snapshot = self._log.snapshot(self.name)
        if snapshot is not None:
            try:
                self.state = self._course.decode(snapshot.state)
            except msgspec.MsgspecError:  # written by another version of Passline: the log itself is what counts
                snapshot = None
        if snapshot is not None:
            self.version, self.sequence, self._hash = snapshot.version, snapshot.sequence, snapshot.hash
            self._kept = snapshot.version
        for stored in self._log.read_stream(self.name, after=self.version):
            self._take(stored, self._course.read(stored))

    async def ask(self, ask: Ask) -> Answer | Refused:
        """Judge an ask in its turn; the answer comes once it is in the log. LogDown when the log takes nothing."""
        return await asyncio.shield(self.submit(ask))

    def submit(self, ask: Ask) -> asyncio.Future[Answer | Refused]:
        """Queue an ask and give what will hold its answer; the same ask again gets the same answer."""
        key = (ask.by.account, ask.id)
        waiting = self._open.get(key)
        if waiting is not None and waiting.ask.command != ask.command:
            waiting = _Waiting(ask)
            waiting.tell(_used_before(ask))
        elif waiting is None:
            waiting = _Waiting(ask)
            command, known = self._known.get(key, (None, None))
            if known is not None:
                waiting.tell(known if command == ask.command else _used_before(ask))
                return waiting.future
            self._open[key] = waiting
            self._waiting.append(waiting)
            self._go_on()
        return waiting.future

    def catch_up(self) -> None:
        """Read what another process wrote, as soon as it is this stream's turn."""
        self._is_behind = True
        self._go_on()

    async def close(self) -> None:
        """Answer what waits, keep a snapshot, and stop."""
        if not self._is_loaded:
            return
        while self._open:
            await asyncio.wait([waiting.future for waiting in self._open.values()])
            await asyncio.sleep(0)
        if self._reading is not None:
            await self._reading
        self._is_busy = True
        self._keep(every=1)

    def _go_on(self) -> None:
        """Begin what is next, unless something is on its way: read what others wrote, or judge what is asked."""
        if self._is_busy:
            return
        if self._is_behind:
            self._is_busy = True
            self._reading = asyncio.create_task(self._read_on(), name=f"stream {self.name}")
        elif self._waiting:
            self._is_busy = True
            asks, self._waiting = self._waiting, []
            drafts = self._judge(asks)
            if drafts:
                self._writer.append(drafts, lambda outcomes: self._end(asks, outcomes))
            else:
                self._end(asks, [])

    def _end(self, asks: list[_Waiting], outcomes: list[AppendResult] | LogDown | ServerFault) -> None:
        """Answer asks by what became of them in the log; those that must be judged again come first in the next round.

        A fault ends the round and nothing more: the table must not stop for good.
        """
        if isinstance(outcomes, Exception):
            self._course.written(0)
            self._fail(asks, outcomes)
            return
        happened, begun = list[Happened](), self.sequence
        try:
            try:
                self._waiting = [*self._sort_out(asks, outcomes, happened), *self._waiting]
            finally:
                self._course.written(len(happened))
            if happened:
                self._publish(happened, begun)
                self._keep(every=_SNAPSHOT_EVERY)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            self._fail(asks, error)
        else:
            self._is_busy = False
            self._go_on()

    def _fail(self, asks: Iterable[_Waiting], error: Exception) -> None:
        """Tell asks that nothing came of them; before the next the log is read: it may have taken them after all."""
        told = self._fault_of(error)
        for waiting in asks:
            self._finish(waiting, told)
        self._is_behind, self._is_busy = True, False
        if self._waiting:
            self._go_on()

    def _fault_of(self, error: Exception) -> LogDown | ServerFault:
        """Tell a log that cannot be asked from a program that failed, and keep what only its operator can use."""
        if isinstance(error, LogDown | ServerFault):
            return error
        if isinstance(error, LogError | OSError):
            return LogDown(str(error))
        _log.error("the stream %s failed by a fault of the server", self.name, exc_info=error)
        return ServerFault("the server has a fault; ask again with the same id, which acts once")

    def _judge(self, asks: Iterable[_Waiting]) -> list[Draft]:
        """Judge each ask on what the ones before it would lead to."""
        at = self._clock()
        state, version, drafts = self.state, self.version, list[Draft]()
        for waiting in asks:
            ask = waiting.ask
            try:
                verdict = self._course.judge(state, ask, at)
                if isinstance(verdict, Ruling):
                    drafts.append(self._draft(ask, verdict, at=at, expected=version))
                    state, version = verdict.after, version + 1
            except Exception as error:  # noqa: BLE001 - a fault in judging one ask is that ask's alone
                if not isinstance(error, CrapsError):  # that is about what was asked
                    _log.error("%s of %s could not be judged", type(ask.command).__name__, self.name, exc_info=error)
                    error = ServerFault("the server has a fault; nothing was done")
                waiting.tell(error)
                verdict = Refused(())
            waiting.verdict = verdict
        return drafts

    def _draft(self, ask: Ask, judged: Ruling, *, at: str, expected: int) -> Draft:
        return Draft(
            stream=self.name,
            expected=expected,
            at=at,
            actor=ask.by.account,
            role=ask.by.role,
            signed_by=ask.signed_by,
            id=ask.id,
            hand=judged.hand,
            rules=judged.rules,
            command=Raw(msgspec.json.encode(judged.command)),
            events=Raw(msgspec.json.encode(judged.events)),
        )

    def _sort_out(
        self, asks: list[_Waiting], outcomes: Iterable[AppendResult], happened: list[Happened]
    ) -> list[_Waiting]:
        """Answer asks by what became of their drafts, up to the first that found the stream other than it expected."""
        following = iter(outcomes)
        for index, waiting in enumerate(asks):
            if not isinstance(waiting.verdict, Ruling):
                assert waiting.verdict is not None
                self._refuse(waiting, waiting.verdict)
                continue
            outcome = next(following)
            if isinstance(outcome, Conflict):
                if outcome.version <= self.version:
                    raise LogDown(f"{self.name} ends at version {outcome.version}: cut below what was acknowledged")
                self._is_behind = True
                return asks[index:]
            self.head = outcome.head
            if isinstance(outcome, Known):
                self._is_behind = outcome.stored.entry.version > self.version
                self._finish(waiting, self._again(waiting.ask, outcome.stored))
                return asks[index + 1 :]
            assert isinstance(outcome, Appended)
            before, self.state = self.state, waiting.verdict.after
            self._note(outcome.stored)
            happened.append(self._happened(outcome.stored, waiting.verdict.events, before))
            self._finish(waiting, self._answer(waiting.ask, happened[-1]))
        return []

    def _again(self, ask: Ask, stored: Stored) -> Answer | Refused:
        """Answer an id that is in the log: as it was answered then, if the same was asked."""
        if not self._course.is_same(stored, ask):
            return _used_before(ask)
        return self._answer(ask, self._happened(stored, self._course.read(stored), self.state))

    def _happened(self, stored: Stored, events: Sequence[Any], before: State | None) -> Happened:
        return Happened(stored, events, before, self.state, self._course.lines(before, self.state, events))

    def _answer(self, ask: Ask, happened: Happened) -> Answer:
        assert self.head is not None
        entry = happened.stored.entry
        return Answer(entry.id, entry.sequence, self.head, self._course.lines_to(ask.by, happened), entry.events)

    def _refuse(self, waiting: _Waiting, refused: Refused) -> None:
        """Refuse, unless the same ask was carried out long ago: then what is refused now is only its repetition."""
        task = asyncio.create_task(self._look_up(waiting, refused))
        self._refusing.add(task)
        task.add_done_callback(self._refusing.discard)

    async def _look_up(self, waiting: _Waiting, refused: Refused) -> None:
        ask = waiting.ask
        answer: Answer | Refused | Exception = refused
        try:
            stored = await asyncio.to_thread(self._log.find, self.name, ask.by.account, ask.id)
            if stored is not None:
                answer = self._again(ask, stored)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            answer = self._fault_of(error)
        self._finish(waiting, answer)

    def _finish(self, waiting: _Waiting, answer: Answer | Refused | Exception) -> None:
        key = (waiting.ask.by.account, waiting.ask.id)
        self._open.pop(key, None)
        if isinstance(answer, Answer):
            self._known[key] = waiting.ask.command, answer
            if len(self._known) > _KNOWN_MAX:
                self._known.popitem(last=False)
        waiting.tell(answer)

    async def _read_on(self) -> None:
        """Fold what is in the log and not yet here: another process wrote it."""
        begun, happened = self.sequence, list[Happened]()
        self._is_behind = False
        try:
            found = await asyncio.to_thread(lambda: list(self._log.read_stream(self.name, after=self.version)))
            for stored in found:
                events, earlier = self._course.read(stored), self.state
                self._take(stored, events)
                happened.append(self._happened(stored, events, earlier))
            if happened:
                self.head = await asyncio.to_thread(self._log.head)
                self._publish(happened, begun)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody may wait for an answer
            asks, self._waiting = self._waiting, []
            self._fail(asks, error)
        else:
            self._is_busy = False
            self._go_on()

    def _take(self, stored: Stored, events: Sequence[Any]) -> None:
        self.state = self._course.fold(self.state, stored, events)
        self._note(stored)

    def _note(self, stored: Stored) -> None:
        self.version, self.sequence, self._hash = stored.entry.version, stored.entry.sequence, stored.hash

    def _publish(self, happened: Sequence[Happened], begun: int) -> None:
        assert self.head is not None
        self._course.publish(happened, begun=begun, head=self.head)

    def _keep(self, *, every: int) -> None:
        if self.state is None or self.version - self._kept < every:
            return
        state = self._course.encode(self.state)
        self._writer.keep(Snapshot(self.name, self.version, self.sequence, self._hash, state))
        self._kept = self.version


def _used_before(ask: Ask) -> Refused:
    return Refused(
        (Refusal("log", f"the id {ask.id} was sent before with another command: send this one with a new id"),)
    )
