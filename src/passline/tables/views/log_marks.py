"""The marks by which a search finds entries besides their words: player, table, hand, clause, event, amount, moment.

Each is a mark, a word of the search's own index; a search for several reads only the entries that have all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from passline.errors import CrapsError
from passline.people.accounts import name_key
from passline.rules.pages.clause_matrix import sound_clauses
from passline.rules.pages.library import regulations
from passline.store.entry import Entry
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry

MARKS_TABLES = {
    "quarters": "CREATE TABLE quarters (quarter TEXT PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID",
    "event_kinds": "CREATE TABLE event_kinds (event TEXT PRIMARY KEY) WITHOUT ROWID",
}
"""The first entry of every quarter of an hour, and the kinds of events that occur in the log."""
# Read from the bytes as they are in the log: quotation marks inside a text are escaped, so that none looks like a key.
_FOUND = re.compile(
    rb'"(?:event":"([a-z-]+)/|clause":"([^"\\]+)"|seat":(\d{1,3})'
    rb'|(?:cents|winnings|vigorish|drop|tips|[a-z_]*cents[a-z_]*)":(\d{1,15}))'
)
_BEGINS = b'{"event":'  # an event; inside a text these quotation marks would be escaped too
_MARKS_KEPT = 10_000  # in memory, of streams, people, clauses and events
_EVENTS_KEPT, _SHORT = 4_000, 1_000  # events in memory, each of fewer bytes
_BIT_MAX = 50  # of the largest amount there can be
_CLAUSES_MAX = 200  # below one that is asked for
_PLAYERS_MAX = 50  # of one name
_MINUTES = 15  # every zone is some quarters of an hour away from UTC


class MarkQuery(Struct, frozen=True, kw_only=True):
    """What a search asks of entries; everything that is given must hold."""

    stream: str = ""
    hand: int | None = None
    player: str = ""  # an account, or a name or part of one
    clause: str = ""  # with all clauses below it
    event: str = ""  # its kind, as it is stored
    amount: int | None = None  # cents that moved
    least: int | None = None  # cents: this amount or a larger one


# --- Writing ----------------------------------------------------------------------------------------------------------


class EntryMarks(Struct, frozen=True):
    """The marks of an entry."""

    events: dict[str, None]  # kinds, each once
    clauses: tuple[str, ...]
    marks: str
    most: int  # the largest amount, in cents


def marks_of(entry: Entry, decision: TableEntry | None) -> EntryMarks:
    """Return the marks of an entry; an entry of a table needs the table before and after."""
    text = bytes(entry.events)
    told = _known_events(text) if len(text) < _SHORT else _read_events(text)
    people = dict.fromkeys(filter(None, (entry.actor, entry.signed_by)))
    if decision is not None:
        for seat in told.seats:
            people |= _player(decision, seat)
    marks = [_mark("s", entry.stream), f"h{entry.hand}", *(_mark("p", who) for who in people), *told.marks]
    return EntryMarks(told.events, told.clauses, " ".join(marks), told.most)


class _EventsTold(Struct, frozen=True):
    """What an entry's events tell of what it is found by."""

    events: dict[str, None]
    clauses: tuple[str, ...]
    seats: tuple[int, ...]
    most: int
    marks: tuple[str, ...]


class _EventTold(Struct, frozen=True, gc=False):
    """What one event tells."""

    kinds: tuple[str, ...]
    clauses: tuple[str, ...]
    seats: tuple[int, ...]
    amounts: tuple[int, ...]


def _read_event(text: bytes) -> _EventTold:
    found = _FOUND.findall(text)
    return _EventTold(
        tuple({kind.decode(): None for kind, _, _, _ in found if kind}),
        _apart(text for _, text, _, _ in found if text),
        tuple({int(seat): None for _, _, seat, _ in found if seat}),
        tuple({int(cents): None for _, _, _, cents in found if cents}.keys() - {0}),
    )


def _known_or_read(rest: bytes) -> _EventTold:
    return _known_event(rest) if len(rest) < _SHORT else _read_event(_BEGINS + rest)


@lru_cache(maxsize=_EVENTS_KEPT)  # a player makes the same wager again and again, and rolls decide the same wagers
def _known_event(rest: bytes) -> _EventTold:
    return _read_event(_BEGINS + rest)


def _read_events(text: bytes) -> _EventsTold:
    first, *others = text.split(_BEGINS)
    told = [_read_event(first), *map(_known_or_read, others)]
    events = dict.fromkeys(kind for event in told for kind in event.kinds)
    clauses = tuple(dict.fromkeys(clause for event in told for clause in event.clauses))
    amounts = dict.fromkeys(cents for event in told for cents in event.amounts)
    most = max(amounts, default=0)
    marks = [
        *(_mark("c", clause) for clause in clauses),
        *(_mark("e", kind) for kind in events),
        *(f"a{cents}" for cents in amounts),
    ]
    if most:
        marks.append(f"m{most.bit_length()}")
    seats = tuple(dict.fromkeys(seat for event in told for seat in event.seats))
    return _EventsTold(events, clauses, seats, most, tuple(marks))


_known_events = lru_cache(maxsize=_EVENTS_KEPT)(_read_events)


def clauses_in(entry: Entry) -> tuple[str, ...]:
    """Return the clauses that an entry's events name, each once."""
    return _apart(text for _, text, _, _ in _FOUND.findall(bytes(entry.events)) if text)


def _apart(texts: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for text in dict.fromkeys(texts) for clause in text.decode().split(", ")))


def _player(decision: TableEntry, seat: int) -> dict[str, None]:
    """Return the accounts and names of whoever sat at a seat before an entry and after it."""
    was, now = (table.players.get(seat) if table else None for table in (decision.before, decision.after))
    seated = (now,) if was is now else (was, now)
    return dict.fromkeys(mark for player in seated if player for mark in (player.account, _known_key(player.name)))


_known_key = lru_cache(maxsize=_MARKS_KEPT)(name_key)


@lru_cache(maxsize=_MARKS_KEPT)
def _mark(kind: str, value: str) -> str:
    return f"{kind}{value.encode().hex()}"


def note_moments(writer: ViewWriter, entries: Iterable[tuple[Entry, EntryMarks]]) -> None:
    """Keep where each quarter of an hour begins, and the kinds of events that there are."""
    quarters: dict[str, int] = {}
    kinds: dict[str, None] = {}
    for entry, found in entries:
        quarters.setdefault(_quarter(entry.at), entry.sequence)
        kinds |= found.events
    writer.write("INSERT OR IGNORE INTO quarters VALUES (?, ?)", quarters.items())
    writer.write("INSERT OR IGNORE INTO event_kinds VALUES (?)", [(kind,) for kind in kinds])


def _quarter(at: str) -> str:
    """Return the quarter of an hour of a moment.

    >>> _quarter("2026-11-15T08:44:59.000000Z")
    '2026-11-15T08:30'
    """
    return f"{at[:14]}{int(at[14:16]) // _MINUTES * _MINUTES:02}"


# --- Reading ----------------------------------------------------------------------------------------------------------


def event_kinds(reader: ViewReader) -> list[str]:
    """Return the kinds of events that occur in the log."""
    return [kind for [kind] in reader.query("SELECT event FROM event_kinds ORDER BY event")]


def span_of(reader: ViewReader, since: str, until: str) -> tuple[int, int]:
    """Return the entry before a moment's first, and the first that is not before another (0: no end).

    >>> from passline.streams.projection_store import ViewStore
    >>> span_of(ViewStore(None, b"a key"), "", "")
    (0, 0)
    """
    first = "SELECT first FROM quarters WHERE quarter >= ? ORDER BY quarter LIMIT 1"
    after = before = 0
    if since:
        rows = reader.query(first, (_quarter(since),))
        newest = reader.query("SELECT MAX(sequence) FROM words")[0][0] or 0
        after = rows[0][0] - 1 if rows else newest
    if until:
        rows = reader.query(first, (_quarter(until),))
        before = rows[0][0] if rows else 0
    return after, before


def asked_marks(query: MarkQuery, accounts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield groups of marks: an entry is asked for if it has one of every group.

    `accounts` are those whose names contain what was typed as the player's.
    """
    if query.stream:
        yield (_mark("s", query.stream),)
    if query.hand is not None:
        yield (f"h{query.hand}",)
    if query.player:
        named = dict.fromkeys((query.player, name_key(query.player), *accounts))
        yield tuple(_mark("p", who) for who in [*named][:_PLAYERS_MAX])
    if query.clause:
        yield tuple(_mark("c", clause) for clause in _clauses_below(query.clause))
    if query.event:
        yield (_mark("e", query.event),)
    if query.amount is not None:
        yield (f"a{query.amount}",)
    if query.least is not None:
        yield tuple(f"m{bits}" for bits in range(max(query.least, 1).bit_length(), _BIT_MAX + 1))


def _clauses_below(clause: str) -> tuple[str, ...]:
    """Return a clause and those below it: the ids of which it is a part, up to a sign between parts.

    >>> _clauses_below("MD-3.B"), _clauses_below("practice")
    (('MD-3.B', 'MD-3.B.1', 'MD-3.B.2'), ('practice',))
    """
    known = [id_ for regulation in regulations() for id_ in sound_clauses(regulation) if id_.startswith(clause)]
    below = [id_ for id_ in known if not id_[len(clause) :][:1].isalnum() and id_ != clause]
    if len(below) > _CLAUSES_MAX:
        raise CrapsError(f"clause: {len(below)} clauses are below {clause[:40]}; name one that is further down")
    return (clause, *below)
