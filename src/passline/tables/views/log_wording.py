"""The log in words: a line for all that each entry did, with the names of its time, to be searched and shown.

What the log itself has of an entry is not written again: whoever reads words reads their entries too.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct, json

from passline.errors import CrapsError
from passline.people.accounts import STREAM, Account, People, name_key
from passline.people.course import PEOPLE
from passline.people.events import AccountCreated
from passline.people.wording import people_lines
from passline.store.entry import Entry
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import HOUSE_CODEC, TableEntry, is_house
from passline.tables.views import log_marks
from passline.tables.views.wording import call_of, house_lines, lines_of

_WINDOW_FIRST = 500  # the newest entries, searched first: mostly they fill a page
_WIDER = 4  # times as many entries for the next statement
_WINDOW = 50_000  # entries searched by one statement, so that none takes long
_WINDOWS = 23  # statements of one search; the next one goes on from there
_PREFIXES = range(3, 9)  # characters of a word that finds longer words too: each length has an index of its own,
# since FTS5 would read all entries with such words for a length that has none
_PENDING_BYTES = 16 << 20  # of an index in memory, before it writes within a batch
_MERGED = 8  # parts of an index of one size, which are then made one: each merging writes them all again
_TERMS_MAX = 12
_WRITTEN = (b'"text":', b'"reason":', b'"finding":', b'"reference":', b'"authority":')
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")  # signs around a word


class WordedEntry(Struct, frozen=True):
    """An entry in words, with the names of the people who gave and signed it."""

    sequence: int
    stream: str
    at: str
    actor: str
    name: str
    role: str
    signed_by: str
    signer: str
    hand: int
    lines: tuple[str, ...]
    call: str = ""
    clauses: tuple[str, ...] = ()


class EntryWords(Struct, frozen=True, array_like=True):
    """The words that are kept of an entry; the rest is in the log."""

    lines: tuple[str, ...] = ()
    call: str = ""
    name: str = ""  # of the actor then; empty: the account has none
    signer: str = ""


class FoundEntries(Struct, frozen=True):
    """Entries that match, newest first; those before the entry `further` were not searched (0: all were)."""

    sequences: list[int]
    further: int


_words = json.Decoder(EntryWords)
_names = json.Decoder(tuple[str, str])
_ANYTHING = log_marks.MarkQuery()


@cache
def _has_fts5() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE one USING fts5 (text)")
        except sqlite3.OperationalError:
            return False
    return True


def words_tables(*, full_text: bool | None = None) -> dict[str, str]:
    """Return the SQL that creates the tables: full-text search where this SQLite has it, else text that is scanned.

    Words and names are found by their beginnings too; numbers, moments, ids and marks, most of which stand in a few
    entries only, are kept apart, so that they fill none of the indexes of beginnings.
    """
    has_it = _has_fts5() if full_text is None else full_text
    prefix = f"prefix = '{' '.join(map(str, _PREFIXES))}',"
    options = "content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'"
    return {
        **log_marks.MARKS_TABLES,
        "words": "CREATE TABLE words (sequence INTEGER PRIMARY KEY, most INTEGER NOT NULL, body BLOB NOT NULL)",
        "names": """CREATE TABLE names (account TEXT PRIMARY KEY, name_key TEXT NOT NULL, body BLOB NOT NULL)
            WITHOUT ROWID""",
        "search": f"CREATE VIRTUAL TABLE search USING fts5 (text, {prefix} {options})"
        if has_it
        else "CREATE TABLE search (rowid INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        "codes": f"CREATE VIRTUAL TABLE codes USING fts5 (text, marks, {options})"
        if has_it
        else "CREATE TABLE codes (rowid INTEGER PRIMARY KEY, text TEXT NOT NULL, marks TEXT NOT NULL)",
    }


def words_settings() -> tuple[str, ...]:
    """Return the SQL that sets the full-text indexes to write a batch at once and merge in larger steps than usual."""
    settings = {"hashsize": _PENDING_BYTES, "automerge": _MERGED}
    return tuple(
        f"INSERT INTO {name} ({name}, rank) VALUES ('{setting}', {value})"  # noqa: S608 - constants only
        for name in ("search", "codes")
        for setting, value in settings.items()
        if _has_fts5()
    )


# --- Writing ----------------------------------------------------------------------------------------------------------


def note_words(writer: ViewWriter, entries: Iterable[tuple[Entry, TableEntry | None]]) -> None:
    """Keep entries in words and what they are found by; those of tables come with their tables before and after."""
    words: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    codes: list[tuple[object, ...]] = []
    found: list[tuple[Entry, log_marks.EntryMarks]] = []
    names = _Names(writer)
    for entry, decision in entries:
        marks = log_marks.marks_of(entry, decision)
        kept = _words_for(writer, entry, decision, names)
        words.append((entry.sequence, marks.most, writer.seal("words", json.encode(kept), str(entry.sequence))))
        texts.append((entry.sequence, _text(entry, kept)))
        codes.append((entry.sequence, _codes(entry), marks.marks))
        found.append((entry, marks))
    log_marks.note_moments(writer, found)
    writer.write("INSERT INTO words VALUES (?, ?, ?)", words)
    writer.write("INSERT INTO search (rowid, text) VALUES (?, ?)", texts)
    writer.write("INSERT INTO codes (rowid, text, marks) VALUES (?, ?, ?)", codes)


def _words_for(writer: ViewWriter, entry: Entry, decision: TableEntry | None, names: _Names) -> EntryWords:
    lines: tuple[str, ...] = ()
    call = ""
    if decision is not None:
        lines = lines_of(decision.before, decision.after, decision.events)
        call = call_of(decision.after, decision.events)
    elif is_house(entry):
        lines = house_lines(HOUSE_CODEC.events(entry))
    elif entry.stream == STREAM:
        lines = _about_people(writer, entry, names)
    return EntryWords(lines, call, names.of(entry.actor), names.of(entry.signed_by))


class _Names:
    """The names of accounts, each read once for all entries of a batch; nearly all are of a few people who play."""

    def __init__(self, reader: ViewReader) -> None:
        self._reader = reader
        self._known: dict[str, str] = {"": ""}

    def of(self, account: str) -> str:
        """Return the name of an account; nothing if it has none."""
        if (name := self._known.get(account)) is None:
            name = self._known[account] = _names_of(self._reader, (account,)).get(account, "")
        return name

    def learn(self, names: Mapping[str, str]) -> None:
        """Take names that were just read or given."""
        self._known.update(names)


def _about_people(writer: ViewWriter, entry: Entry, known_names: _Names) -> tuple[str, ...]:
    """Return an entry about people in words; learn the names of everybody it mentions."""
    events = PEOPLE.events(entry)
    made = [(event.account, event.name) for event in events if isinstance(event, AccountCreated)]
    rows = [(account, name_key(name), writer.seal("name", json.encode((account, name)))) for account, name in made]
    writer.write("INSERT OR REPLACE INTO names VALUES (?, ?, ?)", rows)
    names = _names_of(writer, {entry.actor, *_texts_in(msgspec.to_builtins(events))})
    known_names.learn(names)
    known = People({account: Account(account, name, frozenset()) for account, name in names.items()})
    return people_lines(events, known, actor=entry.actor)


def _texts_in(value: Any) -> Iterable[str]:  # noqa: ANN401 - JSON
    """Yield all texts in JSON: among them are the accounts it mentions, whatever the fields are called."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part)


def _names_of(reader: ViewReader, accounts: Iterable[str]) -> dict[str, str]:
    asked = json.encode(sorted(accounts)).decode()
    rows = reader.query("SELECT body FROM names WHERE account IN (SELECT value FROM json_each(?))", (asked,))
    return {THE_HOUSE.account: THE_HOUSE.name, **dict(_names.decode(reader.unseal("name", body)) for [body] in rows)}


def _text(entry: Entry, words: EntryWords) -> str:
    """Return the words an entry is found by, and by their beginnings: its place, people, lines, what people wrote."""
    people = (entry.actor, words.name, entry.role, entry.signed_by, words.signer)
    told = (entry.stream, *filter(None, people), words.call, *words.lines, *_texts_in_command(entry))
    return "\n".join(dict.fromkeys(told)).lower()


def _codes(entry: Entry) -> str:
    """Return what else an entry is found by: its number, time and id."""
    day, _, time = entry.at.partition("T")
    return "\n".join((str(entry.sequence), entry.at, f"{day} {time}", entry.id)).lower()


def _texts_in_command(entry: Entry) -> Iterable[str]:
    """Return what somebody wrote into a command, such as the text of a report: its words may not tell it in full."""
    command = bytes(entry.command)
    if not any(key in command for key in _WRITTEN):  # nearly all are wagers and rolls
        return ()
    fields = json.decode(command)
    return [text for key in map(bytes.decode, _WRITTEN) if isinstance(text := fields.get(key.strip('":')), str)]


# --- Reading ----------------------------------------------------------------------------------------------------------


def kept_words(reader: ViewReader, sequences: Sequence[int]) -> dict[int, EntryWords]:
    """Return the words of entries by their sequence; those that were not read yet are missing."""
    asked = json.encode(list(sequences)).decode()
    sql = "SELECT sequence, body FROM words WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence"
    rows = reader.query(sql, (asked,))
    return {sequence: _words.decode(reader.unseal("words", body, str(sequence))) for sequence, body in rows}


def worded_entries(reader: ViewReader, log: Log, sequences: Sequence[int]) -> dict[int, WordedEntry]:
    """Return entries in words by their sequence, in its order; those that were not read yet are missing."""
    words = kept_words(reader, sequences)
    found = (stored for sequence in words for stored in log.read(after=sequence - 1, until=sequence))
    return {stored.entry.sequence: _with_words(stored.entry, words[stored.entry.sequence]) for stored in found}


def _with_words(entry: Entry, words: EntryWords) -> WordedEntry:
    return WordedEntry(
        sequence=entry.sequence,
        stream=entry.stream,
        at=entry.at,
        actor=entry.actor,
        name=words.name or entry.actor,
        role=entry.role,
        signed_by=entry.signed_by,
        signer=words.signer or entry.signed_by,
        hand=entry.hand,
        lines=words.lines,
        call=words.call,
        clauses=log_marks.clauses_in(entry),
    )


def hand_words(reader: ViewReader, log: Log, stream: str, hand: int, *, after: int, limit: int) -> list[WordedEntry]:
    """Return the entries of one hand of a table in words, oldest first, after a sequence."""
    before = next(log.read(after=after - 1, until=after), None) if after else None
    version = before.entry.version if before is not None and before.entry.stream == stream else 0
    later = (stored.entry for stored in log.read_stream(stream, after=version, hand=hand))
    entries = list(islice((entry for entry in later if entry.sequence > after), limit))
    words = kept_words(reader, [entry.sequence for entry in entries])
    return [_with_words(entry, words[entry.sequence]) for entry in entries if entry.sequence in words]


def find_entries(
    reader: ViewReader,
    asked: log_marks.MarkQuery = _ANYTHING,
    *,
    text: str = "",
    since: str = "",
    until: str = "",
    after: int = 0,
    before: int = 0,
    limit: int = 100,
) -> FoundEntries:
    """Return the newest entries that match everything asked for, between two sequences or moments (empty: no end).

    Every word of `text` must stand in the entry's words, names, table, time, id or number; a word of three to
    eight letters also finds longer words that begin with it. However long the log, one search reads at most a
    million entries: then it says from where the next one goes on.
    """
    sql = """SELECT IFNULL((SELECT MAX(sequence) FROM words), 0),
        (SELECT instr(sql, 'fts5') FROM sqlite_master WHERE name = 'search')"""
    [[newest, is_full_text]] = reader.query(sql)
    first, last = log_marks.span_of(reader, since, until)
    after, before = max(after, first), min(filter(None, (before, last)), default=0)
    high = min(before or newest + 1, newest + 1)
    wanted = _wanted_by(reader, text, asked)
    search = _full_text_search(reader, wanted) if is_full_text else _scan(wanted)
    found: list[int] = []
    if search is None:
        return FoundEntries([], 0)
    window = min(_WINDOW_FIRST, _WINDOW)
    for _ in range(_WINDOWS):
        if high <= after + 1 or len(found) >= limit:
            break
        low = max(after + 1, high - window)
        found += search(reader, high, low, asked.least or 0, limit - len(found))
        high = found[-1] if len(found) >= limit else low
        window = min(window * _WIDER, _WINDOW)
    return FoundEntries(found, high if high > after + 1 else 0)


class _Wanted(Struct, frozen=True):
    """What a search is for: words, and groups of marks of which an entry must have one each."""

    terms: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]


def _wanted_by(reader: ViewReader, text: str, query: log_marks.MarkQuery) -> _Wanted:
    accounts = find_accounts(reader, name=query.player) if query.player else []
    terms = tuple(term for word in text.lower().split() if (term := _ENDS.sub("", word)))
    if text.strip() and not terms:
        raise CrapsError(f"text: {text[:40]!r} has no letter or digit to look for")
    if len(terms) > _TERMS_MAX:
        raise CrapsError(f"text: {len(terms)} words; look for at most {_TERMS_MAX}")
    return _Wanted(terms, tuple(log_marks.asked_marks(query, accounts)))


def find_accounts(reader: ViewReader, *, name: str = "", after: str = "", limit: int = 100) -> list[str]:
    """Return ids of accounts in their order after one, of people whose names contain a text."""
    sql = "SELECT body FROM names WHERE account > ? AND instr(name_key, ?) ORDER BY account LIMIT ?"
    rows = reader.query(sql, (after, name_key(name), limit))
    return [_names.decode(reader.unseal("name", body))[0] for [body] in rows]


_Search = Callable[[ViewReader, int, int, int, int], list[int]]
"""Returns the newest matches before a sequence and from another on, of at least an amount: at most so many."""
_RANGE = "rowid < ? AND rowid >= ?"


def _full_text_search(reader: ViewReader, wanted: _Wanted) -> _Search | None:
    """Return a search by the indexes of text; None if something asked for is nowhere in the log."""
    terms = [f"text : {_term(term)}" for term in wanted.terms]
    where = _places_of(reader, terms)
    if not all(map(any, where)):
        return None
    words = [term for term, place in zip(terms, where, strict=True) if place == (1, 0)]
    codes = [f"marks : ({' OR '.join(group)})" for group in wanted.groups]
    codes += [term for term, place in zip(terms, where, strict=True) if place == (0, 1)]
    either = [term for term, place in zip(terms, where, strict=True) if place == (1, 1)]
    table = "search" if words else "codes" if codes else "words"
    conditions: list[str] = []
    asked: list[tuple[str, bool]] = []  # each with whether the range comes again
    if words or codes:
        conditions.append(f"{table} MATCH ?")
        asked.append((" AND ".join(words or codes), False))
    if words and codes:
        conditions.append(f"+search.rowid IN (SELECT rowid FROM codes WHERE codes MATCH ? AND {_RANGE})")  # noqa: S608 - constants only
        asked.append((" AND ".join(codes), True))
    for term in either:
        parts = [f"SELECT rowid FROM {name} WHERE {name} MATCH ? AND {_RANGE}" for name in ("search", "codes")]  # noqa: S608 - constants only
        conditions.append(f"+{table}.rowid IN ({' UNION '.join(parts)})")
        asked += [(term, True)] * 2
    joined = "words" if table == "words" else f"{table} JOIN words ON words.sequence = {table}.rowid"
    sql = f"""SELECT words.sequence FROM {joined} WHERE {" AND ".join([*conditions, ""])} {table}.rowid < ?
        AND {table}.rowid >= ? AND words.most >= ? ORDER BY {table}.rowid DESC LIMIT ?"""  # noqa: S608 - constants only

    def search(reader: ViewReader, high: int, low: int, least: int, limit: int) -> list[int]:
        given: list[object] = []
        for text, is_ranged in asked:
            given += (text, high, low) if is_ranged else (text,)
        return [row[0] for row in reader.query(sql, (*given, high, low, least, limit))]

    return search


def _places_of(reader: ViewReader, terms: Sequence[str]) -> list[tuple[int, int]]:
    """Return of each term whether it is anywhere among the words, and among the codes."""
    if not terms:
        return []
    looks = [f"EXISTS (SELECT 1 FROM {name} WHERE {name} MATCH ?)" for _ in terms for name in ("search", "codes")]  # noqa: S608 - constants only
    [row] = reader.query(f"SELECT {', '.join(looks)}", [term for term in terms for _ in range(2)])
    return list(zip(row[::2], row[1::2], strict=True))


def _scan(wanted: _Wanted) -> _Search:
    """Return a search that reads the text of all entries, for an SQLite without full-text search."""
    conditions, given = list[str](), list[str]()
    for group in wanted.groups:
        parts = ["instr(' ' || codes.marks || ' ', ?)"] * len(group)
        conditions.append(f"({' OR '.join(parts)})")
        given += [f" {mark} " for mark in group]
    for term in wanted.terms:
        conditions.append("(instr(search.text, ?) OR instr(codes.text, ?))")
        given += [term, term]
    sql = f"""SELECT words.sequence FROM words JOIN search ON search.rowid = words.sequence
        JOIN codes ON codes.rowid = words.sequence WHERE {" AND ".join([*conditions, ""])} words.sequence < ?
        AND words.sequence >= ? AND words.most >= ? ORDER BY words.sequence DESC LIMIT ?"""  # noqa: S608 - constants only

    def search(reader: ViewReader, high: int, low: int, least: int, limit: int) -> list[int]:
        return [row[0] for row in reader.query(sql, (*given, high, low, least, limit))]

    return search


def _term(term: str) -> str:
    """Return a word as FTS5 looks for it: a phrase if it has signs in it, or the beginning of a word.

    >>> print(_term("pass"), _term("2026-11-15"))
    "pass"* "2026-11-15"
    """
    quoted = '"' + term.replace('"', '""') + '"'
    last = "".join(letter if letter.isalnum() else " " for letter in term).split()[-1]
    return f"{quoted}*" if len(last) in _PREFIXES and not last.isdecimal() else quoted
