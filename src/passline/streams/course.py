"""`Course`: what each kind of stream implements for the runtime that all streams share.

Everything people do is a stream of decisions in the log: each table, the house, its people. A kind of stream is a
`Course`. `running.RunningStream` serves it on an event loop, `blocking.BlockingStream` serves threads that can wait.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Raw, Struct, json

from passline.authority.roles import OWNER
from passline.refusal import Refused
from passline.store.entry import Entry, Head, Stored, upcast

Command = TypeVar("Command")
Event = TypeVar("Event")
State = TypeVar("State")


class Actor(Struct, frozen=True):
    """Somebody who gives a command, in one of their roles."""

    account: str
    name: str
    role: str
    is_employee: bool = False  # whether the account has any role but player


THE_HOUSE = Actor("house", "The house", OWNER, is_employee=True)
"""The server itself, which opens a first table before anybody has an account. No person has its account."""


class Ask(Struct, frozen=True, gc=False):
    """A command as somebody sends it. The same id from the same account acts once."""

    id: str
    command: Any
    by: Actor
    signed_by: str = ""  # the account that signed it off
    again: bool = False  # sent before, without an answer: it is refused only if it is certain that it was not done


class Decision(Struct, frozen=True, gc=False):
    """A decided command: as it was completed, its events, and the state after them."""

    command: Any
    events: tuple[Any, ...]
    after: Any


class RollReceipt(Struct, frozen=True, gc=False):
    """The entry in which thrown dice landed, which follows the entry of the command that closed wagers."""

    sequence: int
    hash: str


class Answer(Struct, frozen=True, gc=False, omit_defaults=True):
    """The receipt for a command that is durably in the log: its place there, and the head to verify it against."""

    id: str
    sequence: int
    head: Head
    lines: tuple[str, ...]
    events: Raw
    hash: str  # of the entry itself, in hex
    roll: RollReceipt | None = None  # where dice were thrown and have landed


class Happened(Struct, frozen=True, gc=False):
    """A decision that is in the log: its entry, its events, the states around it, and its public wording."""

    stored: Stored
    events: Sequence[Any]
    before: Any
    after: Any
    lines: tuple[str, ...]


class Aside(Struct, frozen=True, gc=False):
    """Work of some milliseconds that changes nothing, for a thread beside the event loop, and what the loop then does.

    Until that is done nothing else happens on the stream, and other streams are served.
    """

    work: Callable[[], Any]
    then: Callable[[Any], None]
    failed: Callable[[], None] = lambda: None  # called instead, if the work or what follows fails


class Codec(Generic[Command, Event, State]):
    """Reads the commands and events of one kind of stream from its entries, and its snapshots."""

    def __init__(self, command: object, event: object, state: type[State]) -> None:
        self._commands = json.Decoder(command)
        self._events = json.Decoder(tuple[event, ...])  # type: ignore[valid-type]
        self._states = json.Decoder(state)

    def command(self, entry: Entry) -> Command:
        """Return the command that an entry records."""
        command: Command = self._commands.decode(entry.command)
        return command

    def events(self, entry: Entry) -> tuple[Event, ...]:
        """Return the events of an entry, in today's version."""
        events: tuple[Event, ...] = self._events.decode(upcast(entry.events))
        return events

    def state(self, snapshot: bytes) -> State:
        """Return the state of a snapshot."""
        return self._states.decode(snapshot)


class Course(ABC, Generic[State]):
    """One kind of stream: how its commands are decided, its events folded and worded, and who hears of them.

    Two methods are enough; the others have a default.

    >>> class Add(Struct, frozen=True, tag_field="command", tag="add"):
    ...     count: int
    >>> class Added(Struct, frozen=True, tag_field="event", tag="added/1"):
    ...     count: int
    >>> class Counter(Course[int]):
    ...     codec = Codec(Add, Added, int)
    ...
    ...     def decide(self, state, ask, at):
    ...         if ask.command.count < 1:
    ...             return Refused((Refusal("form", "add at least 1"),))
    ...         return Decision(ask.command, (Added(ask.command.count),), (state or 0) + ask.command.count)
    ...
    ...     def fold(self, state, entry, events):
    ...         return (state or 0) + sum(event.count for event in events)

    It runs on any log, and every decision is in that log before it is answered:

    >>> from passline.refusal import Refusal
    >>> from passline.store.memory import MemoryLog
    >>> from passline.store.timestamps import utc_now
    >>> from passline.streams.blocking import BlockingStream
    >>> counter, ann = BlockingStream("counter", Counter(), log=MemoryLog(), clock=utc_now), Actor("a1", "Ann", "owner")
    >>> counter.ask(Ask("id-1", Add(2), ann)).sequence, counter.ask(Ask("id-1", Add(2), ann)).sequence
    (2, 2)
    >>> str(counter.ask(Ask("id-2", Add(0), ann)))
    'add at least 1 [form]'
    >>> counter.newest()
    2
    """

    codec: ClassVar[Codec[Any, Any, Any]]

    @abstractmethod
    def decide(self, state: State | None, ask: Ask, at: str) -> Decision | Refused:
        """Judge a command at a moment, completed by what only the server knows. Nothing is changed."""

    @abstractmethod
    def fold(self, state: State | None, entry: Entry, events: Sequence[Any]) -> State:
        """Return the state after an entry of the log."""

    def knows_rules(self, state: State) -> bool:  # noqa: ARG002 - for those whose log keeps their rules
        """Return whether this process knows the rules that a state, perhaps of a snapshot, is to be decided by."""
        return True

    def learn_rules(self, entry: Entry, events: Sequence[Any]) -> None:
        """Make known to this process the rules that an entry keeps, if any; `fold` does so too."""

    def fold_all(self, state: State | None, entries: Iterable[tuple[Entry, Sequence[Any]]]) -> State | None:
        """Return the state after many entries; override it where that is quicker than one by one."""
        for entry, events in entries:
            state = self.fold(state, entry, events)
        return state

    def is_same(self, entry: Entry, ask: Ask) -> bool:
        """Return whether an entry came from this very command; override it where `decide` completes commands."""
        return bool(self.as_sent(self.codec.command(entry)) == self.as_sent(ask.command))

    def as_sent(self, command: Any) -> Any:  # noqa: ANN401 - of any command
        """Return a command without what a server fills in before it is decided, which may differ the second time."""
        return command

    def role_of(self, state: State | None, ask: Ask) -> str:  # noqa: ARG002 - for those that keep roles
        """Return the role in which the sender acts, to write into the entry's envelope."""
        return ask.by.role

    def marks(self, after: State) -> tuple[int, str]:  # noqa: ARG002 - for those that have them
        """Return the hand and the version of the rules to write into the entry's envelope."""
        return 0, ""

    def lines(self, before: State | None, after: State | None, events: Sequence[Any]) -> tuple[str, ...]:  # noqa: ARG002
        """Return what happened in words that anybody may read."""
        return ()

    def lines_to(self, by: Actor, happened: Happened) -> tuple[str, ...]:  # noqa: ARG002 - for those who hear more
        """Return what happened in words for the sender, who may be told more than others."""
        return happened.lines

    def is_long(self, ask: Ask) -> bool:  # noqa: ARG002 - for those that have such commands
        """Return whether a command takes milliseconds to decide: that is done beside the event loop."""
        return False

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> Aside | None:
        """Tell subscribers what a commit wrote; `begun` is the sequence they had before it.

        Return how to go on beside the event loop if there is much to tell.
        """
