"""A stream served on an event loop: commands are decided in turn, written in one commit, then answered."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from passline.errors import CrapsError
from passline.refusal import Refused
from passline.store.entry import Draft, Head, Stored
from passline.store.log import Appended, AppendResult, Conflict, GivenUp, Known, LogError, TooLate
from passline.store.sealed import Log
from passline.streams.course import Actor, Answer, Aside, Ask, Course, Decision, Happened
from passline.streams.replica import Replica, clock_fault, id_was_given_up, id_was_used
from passline.streams.waiting import AnswerOrFault, Reply, Waiting, resolve
from passline.streams.writer import InDoubt, LogDown, ServerFault, Writer, fault_of

_log = logging.getLogger(__name__)
State = TypeVar("State")
_ANSWERS_KEPT = 256  # for those who send the same command again; the log has the others
_IDS_KEPT = 4096  # in doubt, or given up; a house has that many only after long trouble
_BESIDE = ThreadPoolExecutor(1, thread_name_prefix="passline-beside")  # one thread: Python runs one at a time
_SNAPSHOT_EVERY = 500  # entries: folding that many takes a few milliseconds


class _Ids(OrderedDict[tuple[str, str], None]):
    """The newest ids of a kind, by account."""

    def add(self, key: tuple[str, str]) -> None:
        self[key] = None
        if len(self) > _IDS_KEPT:
            self.popitem(last=False)

    def discard(self, key: tuple[str, str]) -> None:
        self.pop(key, None)


class RunningStream(Replica[State]):
    """A stream on an event loop. While one round of commands is being written, the next ones gather."""

    def __init__(self, name: str, course: Course[State], *, log: Log, writer: Writer, clock: Callable[[], str]) -> None:
        super().__init__(name, course, log=log, clock=clock)
        self.head: Head | None = None
        self._writer = writer
        self._waiting: list[Waiting] = []
        self._turns = 0
        self._last_done: dict[str, int] = {}  # the turn of each account's last command that was done
        self._refused: list[tuple[Waiting, Refused | Exception]] = []  # until what others wrote has been read
        self._open: dict[tuple[str, str], Waiting] = {}
        self._answers: OrderedDict[tuple[str, str], tuple[Any, Answer]] = OrderedDict()
        self._doubted = _Ids()  # those whose commit is in doubt
        self._given_up = _Ids()  # those that were asked about and not in the log: they never act
        self._is_loaded = False
        self._is_busy = True  # a round is being written: new commands wait for the next one
        self._is_behind = False
        self._entries_read = 0  # that other processes wrote
        self._refusing: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._aside: asyncio.Future[Any] | None = None  # what is being done beside the event loop

    @property
    def queue_length(self) -> int:
        """How many commands wait for their answer."""
        return len(self._open)

    async def load(self) -> None:
        """Read the stream from the log, then begin to answer."""
        await asyncio.to_thread(self._load)
        self.head = await asyncio.to_thread(self._log.head)
        self._is_loaded, self._is_busy = True, False

    async def ask(self, ask: Ask) -> Answer | Refused:
        """Carry out a command in its turn and return the answer.

        Raise LogDown if the log cannot be written: InDoubt if it is not known whether it was.
        """
        return await asyncio.shield(self.submit(ask))

    def submit(self, ask: Ask) -> asyncio.Future[Answer | Refused]:
        """Queue a command and return the future of its answer."""
        future: asyncio.Future[Answer | Refused] = asyncio.get_running_loop().create_future()
        self.take(ask, partial(resolve, future))
        return future

    def _is_sent_again(self, command: object, ask: Ask) -> bool:
        return bool(self._course.as_sent(command) == self._course.as_sent(ask.command))

    def take(self, ask: Ask, reply: Reply) -> None:
        """Queue a command and have it answered, after its news; the same command again gets the same answer."""
        key = (ask.by.account, ask.id)
        if (waiting := self._open.get(key)) is not None:
            if self._is_sent_again(waiting.ask.command, ask):
                waiting.join(ask, reply)
            else:
                reply(id_was_used(ask))
        elif (known := self._answers.get(key)) is not None:
            reply(known[1] if self._is_sent_again(known[0], ask) else id_was_used(ask))
        else:
            self._turns += 1
            waiting = self._open[key] = Waiting(ask, self._turns, self._entries_read)
            waiting.replies.append(reply)
            if key in self._given_up:
                self._refuse(waiting, id_was_given_up(ask))
            else:
                self._waiting.append(waiting)
                self._go_on()

    async def outcome(self, by: Actor, id: str) -> Answer | Refused | None:  # noqa: A002 - the entry's word
        """Return what became of a command that its sender knows only by its id; None: it was not done, and never will.

        Raise InDoubt if it is not known.
        """
        key = (by.account, id)
        if (waiting := self._open.get(key)) is not None:
            return await asyncio.shield(waiting.future())
        if key in self._answers:
            return self._answers[key][1]
        self._given_up.add(key)  # already while it is being looked for
        try:
            stored = await asyncio.to_thread(self._log.find_decided, self.name, by.account, id, gives_up=True)
            head = await self._head_over(stored) if stored else None
        except (LogError, OSError) as error:
            self._given_up.discard(key)
            raise InDoubt from error
        if stored is None:
            self._doubted.discard(key)
            return None
        self._given_up.discard(key)
        self.catch_up()
        happened = self._as_happened(stored, self._course.codec.events(stored.entry), self.state)
        return self._answer(Ask(id, None, by), happened, head)

    async def _head_over(self, stored: Stored) -> Head | None:
        """Return a head that covers an entry, which this stream may not have read yet."""
        if self.head is not None and self.head.sequence >= stored.entry.sequence:
            return self.head
        return await asyncio.to_thread(self._log.head)

    def catch_up(self) -> None:
        """Read what another process wrote, as soon as the current round is done."""
        self._is_behind = True
        self._go_on()

    @property
    def is_behind(self) -> bool:
        """Whether another process wrote what was not read yet."""
        return self._is_behind

    def fall_behind(self) -> None:
        """Note that another process wrote; its entries are read before the next command, or by `be_current`."""
        self._is_behind = True

    async def be_current(self) -> None:
        """Read what other processes wrote, if anything."""
        if self._is_behind:
            self._go_on()
            if self._reading is not None and not self._reading.done():
                await asyncio.wait((self._reading,))

    async def close(self) -> None:
        """Answer what is queued, keep a snapshot, and stop."""
        if not self._is_loaded:
            return
        while self._open or self._aside is not None or (self._reading is not None and not self._reading.done()):
            known = [*(waiting.future() for waiting in self._open.values()), self._aside, self._reading]
            under_way = [future for future in known if future is not None and not future.done()]
            if under_way:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0)
        self._is_busy = True
        self._keep_snapshot(every=1)

    def _go_on(self) -> None:
        """Start the next round unless one is running: read what others wrote, or decide what is queued."""
        if self._is_busy:
            return
        if self._is_behind:
            self._is_busy = True
            self._reading = asyncio.create_task(self._read_on(), name=f"stream {self.name}")
        elif self._waiting:
            self._is_busy = True
            round_, self._waiting = self._waiting, []
            if any(self._course.is_long(waiting.ask) for waiting in round_):
                self._do_aside(round_, Aside(lambda: self._decide(round_), partial(self._write, round_)))
            else:
                self._write(round_, self._decide(round_))

    def _write(self, round_: list[Waiting], drafts: list[Draft]) -> None:
        if drafts:
            self._writer.append(drafts, lambda outcomes: self._end(round_, outcomes))
        else:
            self._end(round_, [])

    def _do_aside(self, round_: list[Waiting], aside: Aside) -> None:
        """Do work of a round beside the event loop; a fault there ends this round and nothing more."""

        def end(done: asyncio.Future[Any]) -> None:
            self._aside = None
            try:
                aside.then(done.result())
            except Exception as error:  # noqa: BLE001 - whatever it is, the stream must go on
                aside.failed()
                self._fail(round_, error)

        self._aside = asyncio.get_running_loop().run_in_executor(_BESIDE, aside.work)
        self._aside.add_done_callback(end)

    def _end(self, round_: list[Waiting], outcomes: list[AppendResult] | LogDown | ServerFault) -> None:
        """Answer a round by what the log did with it; what must be decided again comes first in the next round.

        A fault ends this round and nothing more: the stream must not stop for good.
        """
        if isinstance(outcomes, Exception):
            self._fail(round_, outcomes)
            return
        happened, begun = list[Happened](), self.sequence
        answered: list[tuple[Waiting, Answer | Refused]] = []  # after the news, which their senders see first
        try:
            self._queue_first(self._settle(round_, outcomes, happened, answered))
            aside = self._publish(happened, begun) if happened else None
            self._keep_snapshot(every=_SNAPSHOT_EVERY)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            self._finish_all(answered)
            self._fail(round_, error)
        else:
            self._finish_all(answered)
            if aside is None:
                self._free()
            else:
                self._do_aside(round_, Aside(aside.work, partial(self._tell_made, aside.then), aside.failed))

    def _queue_first(self, again: list[Waiting]) -> None:
        """Queue commands that are to be decided again, each before those that were sent after it."""
        if again:
            self._waiting = sorted([*again, *self._waiting], key=lambda waiting: waiting.turn)

    def _tell_made(self, tell: Callable[[Any], None], made: object) -> None:
        """Tell subscribers what was made for them beside the event loop, then go on."""
        tell(made)
        self._free()

    def _free(self) -> None:
        """Go on with the next round."""
        self._is_busy = False
        self._go_on()

    def _fail(self, round_: Iterable[Waiting], error: Exception) -> None:
        """Answer a round with a fault; then read the log, which may have taken it after all."""
        fault = fault_of(error, f"the stream {self.name}")
        for waiting in round_:
            self._finish(waiting, fault)
        self._is_behind, self._is_busy = True, False
        if self._waiting:
            self._go_on()

    def _decide(self, round_: Iterable[Waiting]) -> list[Draft]:
        """Decide each command on the state that the ones before it would lead to; return what is to be written."""
        at = self._now()
        state, version, drafts = self.state, self.version, list[Draft]()
        for waiting in round_:
            ask, waiting.entries_read = waiting.ask, self._entries_read
            try:
                decided = clock_fault(self._clock, ask) or self._course.decide(state, ask, at)
                if isinstance(decided, Decision):
                    drafts.append(self._draft(ask, decided, state, at=at, expected=version))
                    state, version = decided.after, version + 1
            except Exception as error:  # noqa: BLE001 - one command's fault must not stop the others
                if not isinstance(error, CrapsError):  # whose message is for the sender
                    _log.error("%s of %s could not be judged", type(ask.command).__name__, self.name, exc_info=error)
                    error = ServerFault("the server has a fault; nothing was done")
                waiting.decided = error
            else:
                waiting.decided = decided
        return drafts

    def _settle(
        self,
        round_: list[Waiting],
        outcomes: Iterable[AppendResult],
        happened: list[Happened],
        answered: list[tuple[Waiting, Answer | Refused]],
    ) -> list[Waiting]:
        """Find the answers of a round until a draft found the stream changed; return those to be decided again."""
        following = iter(outcomes)
        for index, waiting in enumerate(round_):
            if not isinstance(waiting.decided, Decision):
                assert waiting.decided is not None
                self._refuse(waiting, waiting.decided)
                continue
            outcome = next(following)
            if isinstance(outcome, GivenUp):
                answered.append((waiting, id_was_given_up(waiting.ask)))
                return round_[index + 1 :]
            if isinstance(outcome, TooLate):
                self._log_newest = outcome.at
                return round_[index:]
            if isinstance(outcome, Conflict):
                if outcome.version <= self.version:
                    raise LogDown(f"{self.name} ends at version {outcome.version}: cut below what was acknowledged")
                self._is_behind = True
                return round_[index:]
            self.head = outcome.head
            if isinstance(outcome, Known):
                self._is_behind |= outcome.stored.entry.version > self.version
                answered.append((waiting, self._answer_again(waiting.ask, outcome.stored, self.head)))
                return round_[index + 1 :]
            assert isinstance(outcome, Appended)
            before, self.state = self.state, waiting.decided.after
            self._note(outcome.stored)
            happened.append(self._as_happened(outcome.stored, waiting.decided.events, before))
            self._last_done[waiting.ask.by.account] = waiting.turn
            answered.append((waiting, self._answer(waiting.ask, happened[-1], self.head)))
        return []

    def _finish_all(self, answered: Iterable[tuple[Waiting, Answer | Refused]]) -> None:
        for waiting, answer in answered:
            self._finish(waiting, answer)

    def _refuse(self, waiting: Waiting, refused: Refused | Exception) -> None:
        """Refuse a command, unless the log has it: then it is a repetition, and is answered as the first time."""
        task = asyncio.create_task(self._look_up(waiting, refused))
        self._refusing.add(task)
        task.add_done_callback(self._refusing.discard)

    async def _look_up(self, waiting: Waiting, refused: Refused | Exception) -> None:
        answer: AnswerOrFault = refused
        try:
            if self._log.is_shared and not waiting.is_current and await self._may_be_behind(waiting):
                self._refused.append((waiting, refused))
                self.catch_up()
                return
            if (stored := await self._find_entry(waiting)) is not None:
                answer = self._answer_again(waiting.ask, stored, await self._head_over(stored))
        except (LogError, OSError):
            answer = InDoubt()  # it may be a repetition of what was done
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            answer = fault_of(error, f"the stream {self.name}")
        self._finish(waiting, answer)

    async def _find_entry(self, waiting: Waiting) -> Stored | None:
        """Return the entry of a command, or None: for certain, if it is sent again, even while it is looked for."""
        ask = waiting.ask
        decided = partial(self._log.find_decided, gives_up=ask.again)  # the house tries its own ids until they act
        find = decided if self._is_unsure(ask) else self._log.find
        stored = await asyncio.to_thread(find, self.name, ask.by.account, ask.id)
        return await self._find_entry(waiting) if stored is None and waiting.ask.again > ask.again else stored

    async def _may_be_behind(self, waiting: Waiting) -> bool:
        """Return whether the log has what was not known here when a command was judged: of others, or just written."""
        seen = self.version
        newer = await asyncio.to_thread(lambda: next(self._log.read_stream(self.name, after=seen), None))
        return newer is not None or self._entries_read > waiting.entries_read

    def _judge_refused_again(self) -> None:
        """Queue refused commands again that were judged before what other processes wrote was read; refuse the others.

        A command is not judged after a later one of its sender has been done, which may rest on the refusal.
        """
        refused, self._refused = self._refused, []
        again = list[Waiting]()
        for waiting, why in refused:
            waiting.is_current = True
            is_last = self._last_done.get(waiting.ask.by.account, 0) < waiting.turn
            if is_last and self._entries_read > waiting.entries_read:
                again.append(waiting)
            else:
                self._refuse(waiting, why)
        self._queue_first(again)

    def _is_unsure(self, ask: Ask) -> bool:
        """Return whether an earlier sending of a command may have been done, and may even be under way."""
        key = (ask.by.account, ask.id)
        return ask.again or key in self._doubted or key in self._given_up

    def _finish(self, waiting: Waiting, answer: AnswerOrFault) -> None:
        key = (waiting.ask.by.account, waiting.ask.id)
        self._open.pop(key, None)
        if isinstance(answer, Answer):
            self._answers[key] = waiting.ask.command, answer
            if len(self._answers) > _ANSWERS_KEPT:
                self._answers.popitem(last=False)
        elif isinstance(answer, (LogDown, ServerFault)) and self._is_unsure(waiting.ask):
            answer = InDoubt()  # this sending did nothing, but an earlier one may have
        if isinstance(answer, InDoubt):
            self._doubted.add(key)
        elif self._doubted and not isinstance(answer, Exception):
            self._doubted.discard(key)
        waiting.tell(answer)

    async def _read_on(self) -> None:
        """Fold and publish what another process wrote."""
        begun, happened = self.sequence, list[Happened]()
        self._is_behind = False
        try:
            found = await asyncio.to_thread(lambda: list(self._log.read_stream(self.name, after=self.version)))
            for stored in found:
                events, earlier = self._course.codec.events(stored.entry), self.state
                self._take(stored, events)
                happened.append(self._as_happened(stored, events, earlier))
            own = self._doubted  # what this stream wrote itself without an answer
            self._entries_read += sum((stored.entry.actor, stored.entry.id) not in own for stored in found)
            if happened:
                self.head = await asyncio.to_thread(self._log.head)
                await self._tell(self._publish(happened, begun))
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody may wait for an answer
            refused, self._refused = self._refused, []
            for waiting, _ in refused:
                self._finish(waiting, InDoubt())  # it may be a repetition of what was done
            round_, self._waiting = self._waiting, []
            self._fail(round_, error)
        else:
            self._judge_refused_again()
            self._free()

    async def _tell(self, aside: Aside | None) -> None:
        if aside is None:
            return
        try:
            aside.then(await asyncio.get_running_loop().run_in_executor(_BESIDE, aside.work))
        except BaseException:
            aside.failed()
            raise

    def _publish(self, happened: list[Happened], begun: int) -> Aside | None:
        assert self.head is not None
        return self._course.publish(happened, begun=begun, head=self.head)

    def _keep_snapshot(self, *, every: int) -> None:
        if (snapshot := self._snapshot(every=every)) is not None:
            self._writer.keep(snapshot)
