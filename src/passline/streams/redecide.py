"""`StreamCheck`: decides the entries of a log again and compares what comes of it with what is written.

It is the base of everything that `passline verify` says about decisions: of people, tables, offices and tournaments.
`tests/streams/test_one_mechanism.py` finds a comparison of decisions that is made elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Any, Generic, TypeGuard, TypeVar

from msgspec import MsgspecError, Struct, json

from passline.errors import CrapsError
from passline.refusal import Refused
from passline.store.entry import Entry, Stored
from passline.streams.course import Actor, Ask, Codec, Course, Decision

State = TypeVar("State")
FORGED = (AssertionError, AttributeError, CrapsError, LookupError, MsgspecError, TypeError, ValueError)
"""What is raised when an impossible entry is read, decided or folded."""
_SHOWN = 160  # characters of a command or an event in a message


class Case(Struct, Generic[State], frozen=True, gc=False):
    """An entry to be decided again: its command, its events, and the state of its stream before it."""

    stored: Stored
    command: Any
    events: tuple[Any, ...]
    before: State | None
    decision: Decision | Refused | None = None  # if it was decided already

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return self.stored.entry


class StreamCheck(Generic[State]):
    """Checks the streams of one kind, entry by entry in the log's order, as their `course` decides and folds them.

    After an entry that cannot be read, decided or folded its stream is lost: nothing after it can be checked. Override
    `decide_again` and `fold` where verifying needs more than an entry tells, and the other methods to check more.
    """

    course: Course[State]

    def __init__(self, codec: Codec[Any, Any, State]) -> None:
        self._codec = codec
        self._states: dict[str, State] = {}
        self._lost: set[str] = set()

    def state(self, stream: str) -> State | None:
        """Return a stream as far as it was checked; None if it has not begun or is lost."""
        return None if stream in self._lost else self._states.get(stream)

    def is_lost(self, stream: str) -> bool:
        """Return whether a stream has an entry after which it cannot be checked."""
        return stream in self._lost

    def faults_of(self, stored: Stored) -> Iterator[str]:
        """Yield what is wrong with the next entry of a stream."""
        stream = stored.entry.stream
        if stream in self._lost:
            return
        try:
            case = self.case_of(stored, self._states.get(stream))
            yield from self.faults_of_people(case)
            yield from self._decision_faults(case)
        except Exception:
            self._lost.add(stream)
            raise

    def case_of(self, stored: Stored, before: State | None) -> Case[State]:
        """Return an entry as it is to be decided again."""
        return Case(stored, self._codec.command(stored.entry), self._codec.events(stored.entry), before)

    def _decision_faults(self, case: Case[State]) -> Iterator[str]:
        entry = case.entry
        try:
            decision = case.decision or self.decide_again(case)
            if is_as_written(decision, case.command, case.events):
                after = decision.after
            else:  # go on from what is written, so that one fault is reported once
                after = self.fold(case)
                yield from self.differences(case, decision, after)
        except FORGED as error:
            self._lost.add(entry.stream)
            what = "these events are impossible in the state before them"
            yield f"{entry.stream}: {what} ({type(error).__name__}: {error})"
            return
        yield from self.faults_beyond(case, after)
        self._states[entry.stream] = after

    def actor_of(self, entry: Entry) -> Actor:
        """Return who gave the command of an entry."""
        return Actor(entry.actor, entry.actor, entry.role)

    def decide_again(self, case: Case[State]) -> Decision | Refused:
        """Decide a command as its server did; the events tell what only the server knew then."""
        entry = case.entry
        ask = Ask(entry.id, case.command, self.actor_of(entry), entry.signed_by)
        return self.course.decide(case.before, ask, entry.at)

    def fold(self, case: Case[State]) -> State:
        """Return the state after an entry as it is written."""
        return self.course.fold(case.before, case.entry, case.events)

    def faults_of_people(self, case: Case[State]) -> Iterator[str]:  # noqa: ARG002 - for those that know people
        """Yield who could not have given or signed the command."""
        return iter(())

    def faults_beyond(self, case: Case[State], after: State) -> Iterator[str]:  # noqa: ARG002 - for those that check more
        """Yield faults where an entry contradicts other entries or its own envelope."""
        return iter(())

    def differences(self, case: Case[State], decision: Decision | Refused, after: State) -> Iterator[str]:  # noqa: ARG002 - likewise
        """Yield where an entry differs from what is decided now."""
        return differences(case.entry, case.command, case.events, decision)


def is_as_written(decision: Decision | Refused, command: object, events: Sequence[Any]) -> TypeGuard[Decision]:
    """Return whether deciding again gave the command and the events that are written."""
    return isinstance(decision, Decision) and decision.events == events and decision.command == command


def is_encoded_so(decision: Decision | Refused, entry: Entry) -> TypeGuard[Decision]:
    """Return whether the events that the rules give are those of an entry byte by byte: nobody need read them then."""
    return isinstance(decision, Decision) and json.encode(decision.events) == bytes(entry.events)


def differences(
    entry: Entry,
    command: object,
    found: Sequence[Any],
    decision: Decision | Refused,
    is_alike: Callable[[object, object, object], bool] = lambda _command, now, then: eq(now, then),
) -> Iterator[str]:
    """Yield the differences between what is written and what deciding again gave."""
    name = str(type(command).__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a Struct
    if isinstance(decision, Refused):
        yield f"{name} by {entry.actor} as the {entry.role} would be refused: {decision}"
        return
    if decision.command != command:
        yield f"{name} would have been written as {_text(decision.command)}"
    if len(decision.events) != len(found):
        yield f"{name} brings about {len(decision.events)} events, but {len(found)} are written"
    for place, (now, then) in enumerate(zip(decision.events, found, strict=False), start=1):
        if not is_alike(command, now, then):
            yield f"event {place} of {name} is written as {_text(then)}; the rules give {_text(now)}"
            return


def _text(thing: object) -> str:
    text = json.encode(thing).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
