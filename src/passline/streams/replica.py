"""The state of one stream in memory, folded from the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

from msgspec import MsgspecError, Raw, json

from passline.refusal import Refusal, Refused
from passline.store.entry import Draft, Entry, Head, Stored
from passline.store.log import Snapshot
from passline.store.sealed import Log
from passline.store.timestamps import FOLLOWED_SECONDS, later, utc_now
from passline.streams.course import Answer, Ask, Course, Decision, Happened

State = TypeVar("State")


class Replica(Generic[State]):
    """What a stream has in memory. Its state is always what is in the log, never what is about to be written."""

    def __init__(self, name: str, course: Course[State], *, log: Log, clock: Callable[[], str]) -> None:
        self.name = name
        self.state: State | None = None
        self.version = 0
        self.sequence = 0  # of the newest entry of this stream
        self._course = course
        self._log = log
        self._clock = clock
        self._hash = b""
        self._last = ""  # the time of the stream's newest entry
        self._log_newest = ""  # and of an entry of another stream, if a decision was too late for it
        self._snapshot_version = 0

    def _load(self) -> None:
        """Read the newest snapshot and what came after it."""
        snapshot = self._log.snapshot(self.name)
        if snapshot is not None:
            try:
                self.state = self._course.codec.state(snapshot.state)
            except MsgspecError:  # written by another version of Passline; the log has everything
                pass
            else:
                self.version, self.sequence, self._hash = snapshot.version, snapshot.sequence, snapshot.hash
                self._snapshot_version = snapshot.version
                newest = next(iter(self._log.read(after=snapshot.sequence - 1, until=snapshot.sequence)), None)
                self._last = newest.entry.at if newest else ""
        self._fold(self._log.read_stream(self.name, after=self.version))
        if self.state is not None and not self._course.knows_rules(self.state):  # it came from a snapshot
            for stored in self._log.read_stream(self.name):
                self._course.learn_rules(stored.entry, self._course.codec.events(stored.entry))
                if self._course.knows_rules(self.state):
                    return

    def _fold(self, entries: Iterable[Stored]) -> None:
        following = iter(entries)
        newest = next(following, None)
        if newest is None:  # the usual case, and cheap
            return

        def read(first: Stored) -> Iterator[tuple[Entry, Sequence[Any]]]:
            nonlocal newest
            for stored in chain([first], following):
                newest = stored
                yield stored.entry, self._course.codec.events(stored.entry)

        self.state = self._course.fold_all(self.state, read(newest))
        self._note(newest)

    def _take(self, stored: Stored, events: Sequence[Any]) -> None:
        self.state = self._course.fold(self.state, stored.entry, events)
        self._note(stored)

    def _now(self) -> str:
        """Return the time of a decision: the clock's, but not before the stream's last entry nor the log's newest.

        If one of these is further ahead than processes that decide at once can be, a clock is or was wrong: then the
        own clock counts, and `verify` warns.
        """
        at = self._clock()
        for newest in (self._last, self._log_newest):
            if at < newest <= later(at, FOLLOWED_SECONDS):
                at = newest
        return at

    def _note(self, stored: Stored) -> None:
        self.version, self.sequence, self._hash = stored.entry.version, stored.entry.sequence, stored.hash
        self._last = stored.entry.at

    def _snapshot(self, *, every: int) -> Snapshot | None:
        """Return a snapshot if at least so many entries came since the last one."""
        if self.state is None or self.version - self._snapshot_version < every:
            return None
        self._snapshot_version = self.version
        return Snapshot(self.name, self.version, self.sequence, self._hash, json.encode(self.state))

    def _draft(self, ask: Ask, decision: Decision, before: State | None, *, at: str, expected: int) -> Draft:
        hand, rules = self._course.marks(decision.after)
        return Draft(
            stream=self.name,
            expected=expected,
            at=at,
            actor=ask.by.account,
            role=self._course.role_of(before, ask),
            signed_by=ask.signed_by,
            id=ask.id,
            hand=hand,
            rules=rules,
            command=Raw(json.encode(decision.command)),
            events=Raw(json.encode(decision.events)),
            in_order=True,
        )

    def _as_happened(self, stored: Stored, events: Sequence[Any], before: State | None) -> Happened:
        return Happened(stored, events, before, self.state, self._course.lines(before, self.state, events))

    def _answer(self, ask: Ask, happened: Happened, head: Head | None) -> Answer:
        assert head is not None
        entry, hash_ = happened.stored.entry, happened.stored.hash.hex()
        return Answer(entry.id, entry.sequence, head, self._course.lines_to(ask.by, happened), entry.events, hash_)

    def _answer_again(self, ask: Ask, stored: Stored, head: Head | None) -> Answer | Refused:
        """Answer an id that is in the log already: as the first time if the command is the same."""
        if not self._course.is_same(stored.entry, ask):
            return id_was_used(ask)
        return self._answer(ask, self._as_happened(stored, self._course.codec.events(stored.entry), self.state), head)


def state_in_log(log: Log, name: str, course: Course[State]) -> State | None:
    """Return a stream as a log has it, from its newest snapshot on; None if it has not begun."""
    replica = Replica(name, course, log=log, clock=utc_now)
    replica._load()  # noqa: SLF001 - our own
    return replica.state


def id_was_used(ask: Ask) -> Refused:
    """Refuse a command whose id came earlier with another command."""
    why = f"the id {ask.id} was sent before with another command: send this one with a new id"
    return Refused((Refusal("log", why),))


def id_was_given_up(ask: Ask) -> Refused:
    """Refuse a command that comes after its sender was told that it was not done."""
    why = f"the id {ask.id} was asked about and found not to be done, so it never acts: send the command with a new id"
    return Refused((Refusal("log", why),))


def clock_fault(clock: Callable[[], str], ask: Ask) -> Refused | None:
    """Refuse a command while the server's clock is wrong, unless it is what puts the clock's jump on record."""
    why: str = getattr(clock, "fault", "")
    if not why or getattr(ask.command, "is_about_clock", False):
        return None
    return Refused((Refusal("log", why),))
