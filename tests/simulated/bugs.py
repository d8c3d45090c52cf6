"""Deliberate bugs in the code that commits, completes throws and delivers: the simulation must find every one.

Each takes the place of a function of the program while a history happens, and says what is wrong with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from passline.store.entry import Draft, Stored
from passline.store.log import Snapshot
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog
from passline.store.timestamps import HouseClock
from passline.streams import commit_process, writer
from passline.streams.commit_process import Frames, RemoteWriter
from passline.streams.course import Aside, Ask, Happened
from passline.streams.replica import Replica
from passline.streams.running import RunningStream
from passline.streams.subscriber import Subscriber
from passline.streams.writer import LogDown, Reply, ThreadWriter
from passline.tables.live import Closing, LiveTable
from passline.tables.runtime import table_stream
from passline.tables.runtime.roll_completion import RollCompletion

_SIZE = 4  # bytes before each message


class Bug:
    """One bug: what it says, where it is, and the function that takes the place of the program's own."""

    def __init__(self, what: str, owner: Any, name: str, put: Callable[[Any], Callable[..., Any]]) -> None:  # noqa: ANN401 - a module or a class
        self.what, self.owner, self.name = what, owner, name
        self._put = put

    @contextmanager
    def there(self) -> Iterator[None]:
        """Have the program be wrong for this block."""
        own = getattr(self.owner, self.name)
        setattr(self.owner, self.name, self._put(own))
        try:
            yield
        finally:
            setattr(self.owner, self.name, own)


BUGS: list[Bug] = []
"""Every bug, in the order of the code that it is in: the store, the writer, streams, throws, screens."""


def _bug(what: str, owner: Any, name: str) -> Callable[[Callable[..., Any]], None]:  # noqa: ANN401 - a module or a class
    """Enter a bug; the function below is called with the program's own one first."""

    def enter(wrong: Callable[..., Any]) -> None:
        BUGS.append(Bug(what, owner, name, lambda own: _bound(wrong, own)))

    return enter


def _bound(wrong: Callable[..., Any], own: Callable[..., Any]) -> Callable[..., Any]:
    def instead(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - of any function
        return wrong(own, *given, **named)

    return instead


# The store.


@_bug("a commit does not wait for the disk", SqliteLog, "_prepare")
def _no_sync(own: Callable[..., Any], log: SqliteLog) -> None:
    own(log)
    log._writer.execute("PRAGMA synchronous = NORMAL").fetchall()


@_bug("a commit that failed counts as done", SqliteLog, "_commit")
def _commit_anyway(own: Callable[..., Any], log: SqliteLog) -> None:
    try:
        own(log)
    except Exception:  # noqa: BLE001 - the bug
        log._recalled = None


@_bug("the clock of the house follows one that is set back", HouseClock, "__call__")
def _set_back(own: Callable[..., Any], clock: HouseClock) -> str:
    clock._now = min(clock._now, clock._read_wall())
    return str(own(clock))


# The writer.


@_bug("a commit in doubt counts as not done", writer, "settle_doubt")
def _not_done(_own: Callable[..., Any], _log: object, _drafts: Sequence[Draft], doubt: Exception) -> None:
    raise LogDown(str(doubt))


@_bug("results of one commit reach the wrong streams", ThreadWriter, "_end")
def _swap(own: Callable[..., Any], writer_: ThreadWriter, batches: list[Any], outcome: Any) -> None:  # noqa: ANN401
    if isinstance(outcome, list) and len(batches) > 1 and len({len(batch.drafts) for batch in batches}) == 1:
        size = len(batches[0].drafts)
        outcome = [*outcome[size:], *outcome[:size]]
    own(writer_, batches, outcome)


@_bug("what waits while a commit begins is forgotten", ThreadWriter, "_next_batches")
def _forget(own: Callable[..., Any], writer_: ThreadWriter) -> list[Any]:
    batches: list[Any] = own(writer_)
    if len(batches) > 1:
        del batches[-1]
    return batches


# The process that commits.


@_bug("the next process that commits is not sent what was not answered", RemoteWriter, "connection_made")
def _not_sent_again(own: Callable[..., Any], writer_: RemoteWriter, transport: asyncio.WriteTransport) -> None:
    asked, writer_._asked = writer_._asked, {}
    own(writer_, transport)
    writer_._asked = asked


@_bug("the beginning of a message that comes in parts is lost", Frames, "cut")
def _lose_rest(own: Callable[..., Any], frames: Frames, data: bytes) -> Iterator[bytes]:
    yield from own(frames, data)
    if len(frames._left) > _SIZE:
        frames._left = b""


@_bug("replies of one commit reach the wrong servers", commit_process, "_commit")
def _mix(own: Callable[..., Any], log: Log, asked: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    replies: list[tuple[Any, Any]] = own(log, asked)
    connections = [connection for connection, _ in replies]
    return list(zip(reversed(connections), (reply for _, reply in replies), strict=True))


@_bug("an id that was called never done is written all the same", Log, "find_decided")
def _not_given_up(own: Callable[..., Any], log: Log, *given: Any, **_named: Any) -> Stored | None:  # noqa: ANN401
    return own(log, *given)  # type: ignore[no-any-return]


# Streams.


@_bug("a command that must be decided again is forgotten", RunningStream, "_queue_first")
def _forget_again(_own: Callable[..., Any], _stream: RunningStream[Any], _again: list[Any]) -> None:
    pass


@_bug("a snapshot has what came after it", Replica, "_snapshot")
def _ahead(own: Callable[..., Any], replica: Replica[Any], *, every: int) -> Snapshot | None:
    snapshot: Snapshot | None = own(replica, every=every)
    return None if snapshot is None else replace(snapshot, version=snapshot.version - 1)


@_bug("a command that is sent again acts again", Replica, "_draft")
def _again(own: Callable[..., Any], replica: Replica[Any], ask: Ask, *given: Any, **named: Any) -> Draft:  # noqa: ANN401
    return own(replica, replace(ask, id=ask.id + "-again") if ask.again else ask, *given, **named)  # type: ignore[no-any-return]


@_bug("answers come before the news of what they answer", RunningStream, "_end")
def _early(own: Callable[..., Any], stream: RunningStream[Any], round_: list[Any], outcomes: Reply) -> None:
    publish = stream._publish

    def late(happened: list[Happened], begun: int) -> Aside | None:
        asyncio.get_running_loop().call_soon(publish, happened, begun)
        return None

    stream._publish = late  # type: ignore[method-assign]
    try:
        own(stream, round_, outcomes)
    finally:
        stream._publish = publish  # type: ignore[method-assign]


# Throws.


@_bug("a throw that was open at a restart is left open", RollCompletion, "begin")
def _leave_open(_own: Callable[..., Any], _completion: RollCompletion, _live: LiveTable) -> None:
    pass


@_bug("the dice land before the head is kept outside the database", RollCompletion, "_anchor")
async def _unanchored(_own: Callable[..., Any], _completion: RollCompletion) -> None:
    pass


@_bug("the next throw is committed to the key that this one reveals", RollCompletion, "_ask")
def _same_key(
    own: Callable[..., Any], completion: RollCompletion, live: LiveTable, closing: Closing, nonce: str
) -> Ask:
    ask: Ask = own(completion, live, closing, nonce)
    return replace(ask, command=replace(ask.command, next_digest=completion.digest(closing.number)))


@_bug("after a restart the dice follow from another entry", RollCompletion, "_hash_of")
def _other_entry(own: Callable[..., Any], completion: RollCompletion, version: int) -> bytes:
    return bytes(own(completion, version - 1))


@_bug("a throw waits for the shooter's nonce for as long as it takes", RollCompletion, "_nonce_in_time")
async def _wait_for_nonce(own: Callable[..., Any], completion: RollCompletion, _seconds: float) -> bytes:
    return bytes(await own(completion, 3_600.0))


# Screens.


@_bug("what moved in a rack is told to nobody", table_stream, "_accounts_touched")
def _untold(_own: Callable[..., Any], _before: LiveTable, _after: LiveTable) -> set[str]:
    return set()


@_bug("news overtake what is still being sent", Subscriber, "tell_news")
def _overtake(_own: Callable[..., Any], subscriber: Subscriber, message: bytes, sequence: int) -> None:
    if subscriber.push is not None and subscriber.push(message, False):  # noqa: FBT003 - as the program does
        subscriber.sent = sequence
    else:
        subscriber.tell(message, sequence=sequence)


@_bug("a screen that is busy is told nothing of what it missed", Subscriber, "take")
def _miss(own: Callable[..., Any], subscriber: Subscriber) -> list[bytes]:
    messages: list[bytes] = own(subscriber)
    return messages[:1] if len(messages) > 1 else messages


def found(bug: Bug, histories: Callable[[], object]) -> str:
    """Return how a bug was noticed; empty: the histories went well with it."""
    with bug.there():
        try:
            histories()
        except Exception as error:  # noqa: BLE001 - whatever is noticed
            return f"{type(error).__name__}: {error}"
    return ""
