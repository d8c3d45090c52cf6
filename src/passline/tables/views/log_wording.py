"""The log in words: a line for all that each entry did, with the names of its time, to be searched and shown."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, json

from passline.errors import CrapsError
from passline.people.accounts import STREAM, Account, People, name_key
from passline.people.course import PEOPLE
from passline.people.events import AccountCreated
from passline.people.wording import people_lines
from passline.store.entry import Entry
from passline.streams.course import THE_HOUSE
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import HOUSE_CODEC, TableEntry, is_house
from passline.tables.views import log_marks
from passline.tables.views.wording import call_of, house_lines, lines_of

WORDS_INDEXES = ("CREATE INDEX words_by_hand ON words (stream, hand, sequence)",)
"""The index of entries by stream and hand."""
_WINDOW = 50_000  # entries searched by one statement, so that none takes long
_WINDOWS = 20  # statements of one search; the next one goes on from there
_PREFIXES = range(3, 9)  # characters of a word that finds longer words too: each length has an index of its own,
# since FTS5 would read all entries with such words for a length that has none
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


class FoundEntries(Struct, frozen=True):
    """Entries that match, newest first; those before the entry `further` were not searched (0: all were)."""

    entries: list[WordedEntry]
    further: int


_words = json.Decoder(WordedEntry)
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
    """Return how the tables are created: full-text search where this SQLite has it, else text that is scanned."""
    has_it = _has_fts5() if full_text is None else full_text
    return {
        **log_marks.MARKS_TABLES,
        "words": """CREATE TABLE words (sequence INTEGER PRIMARY KEY, stream TEXT NOT NULL, hand INTEGER NOT NULL,
            most INTEGER NOT NULL, body BLOB NOT NULL)""",
        "names": """CREATE TABLE names (account TEXT PRIMARY KEY, name_key TEXT NOT NULL, body BLOB NOT NULL)
            WITHOUT ROWID""",
        "search": f"""CREATE VIRTUAL TABLE search USING fts5 (text, marks, content = '',
            prefix = '{" ".join(map(str, _PREFIXES))}', tokenize = 'unicode61 remove_diacritics 2')"""
        if has_it
        else "CREATE TABLE search (rowid INTEGER PRIMARY KEY, text TEXT NOT NULL, marks TEXT NOT NULL)",
    }


# --- Writing ----------------------------------------------------------------------------------------------------------


def note_words(writer: ViewWriter, entries: Iterable[tuple[Entry, TableEntry | None]]) -> None:
    """Keep entries in words and what they are found by; those of tables come with their tables before and after."""
    words: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    found: list[tuple[Entry, log_marks.EntryMarks]] = []
    names = _Names(writer)
    for entry, decision in entries:
        marks = log_marks.marks_of(entry, decision)
        one = _words_for(writer, entry, decision, marks.clauses, names)
        words.append((one.sequence, one.stream, one.hand, marks.most, writer.seal("words", json.encode(one))))
        texts.append((one.sequence, _text(one, entry), marks.marks))
        found.append((entry, marks))
    log_marks.note_moments(writer, found)
    writer.write("INSERT INTO words VALUES (?, ?, ?, ?, ?)", words)
    writer.write("INSERT INTO search (rowid, text, marks) VALUES (?, ?, ?)", texts)


def _words_for(
    writer: ViewWriter, entry: Entry, decision: TableEntry | None, clauses: tuple[str, ...], names: _Names
) -> WordedEntry:
    lines: tuple[str, ...] = ()
    call = ""
    if decision is not None:
        lines = lines_of(decision.before, decision.after, decision.events)
        call = call_of(decision.after, decision.events)
    elif is_house(entry):
        lines = house_lines(HOUSE_CODEC.events(entry))
    elif entry.stream == STREAM:
        lines = _about_people(writer, entry, names)
    return WordedEntry(
        sequence=entry.sequence,
        stream=entry.stream,
        at=entry.at,
        actor=entry.actor,
        name=names.of(entry.actor),
        role=entry.role,
        signed_by=entry.signed_by,
        signer=names.of(entry.signed_by),
        hand=entry.hand,
        lines=lines,
        call=call,
        clauses=clauses,
    )


class _Names:
    """The names of accounts, each read once for all entries of a batch; nearly all are of a few people who play."""

    def __init__(self, reader: ViewReader) -> None:
        self._reader = reader
        self._known: dict[str, str] = {"": ""}

    def of(self, account: str) -> str:
        """Return the name of an account, or the account itself if it has none."""
        if (name := self._known.get(account)) is None:
            name = self._known[account] = _names_of(self._reader, (account,)).get(account, account)
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


def _text(words: WordedEntry, entry: Entry) -> str:
    """Return what an entry is found by: its place, time, people, table, id, words, and what people wrote in it."""
    day, _, time = words.at.partition("T")
    people = (words.actor, words.name, words.role, words.signed_by, words.signer)
    return "\n".join(
        (
            str(words.sequence),
            words.at,
            f"{day} {time}",
            words.stream,
            *people,
            entry.id,
            words.call,
            *words.lines,
            *_texts_in_command(entry),
        )
    ).lower()


def _texts_in_command(entry: Entry) -> Iterable[str]:
    """Return what somebody wrote into a command, such as the text of a report: its words may not tell it in full."""
    command = bytes(entry.command)
    if not any(key in command for key in _WRITTEN):  # nearly all are wagers and rolls
        return ()
    fields = json.decode(command)
    return [text for key in map(bytes.decode, _WRITTEN) if isinstance(text := fields.get(key.strip('":')), str)]


# --- Reading ----------------------------------------------------------------------------------------------------------


def worded_entries(reader: ViewReader, sequences: Sequence[int]) -> dict[int, WordedEntry]:
    """Return entries in words by their sequence; those that were not read yet are missing."""
    asked = json.encode(list(sequences)).decode()
    rows = reader.query("SELECT body FROM words WHERE sequence IN (SELECT value FROM json_each(?))", (asked,))
    found = _entries_in(reader, rows)
    return {entry.sequence: entry for entry in found}


def hand_words(reader: ViewReader, stream: str, hand: int, *, after: int, limit: int) -> list[WordedEntry]:
    """Return the entries of one hand of a table in words, oldest first, after a sequence."""
    sql = "SELECT body FROM words WHERE stream = ? AND hand = ? AND sequence > ? ORDER BY sequence LIMIT ?"
    return _entries_in(reader, reader.query(sql, (stream, hand, after, limit)))


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
    newest = reader.query("SELECT MAX(sequence) FROM words")[0][0] or 0
    first, last = log_marks.span_of(reader, since, until)
    after, before = max(after, first), min(filter(None, (before, last)), default=0)
    high = min(before or newest + 1, newest + 1)
    found: list[WordedEntry] = []
    condition, given = _condition(reader, text, asked)
    sql = f"""SELECT words.body FROM search JOIN words ON words.sequence = search.rowid
        WHERE {condition} search.rowid < ? AND search.rowid >= ? AND words.most >= ?
        ORDER BY search.rowid DESC LIMIT ?"""  # noqa: S608
    for _ in range(_WINDOWS):
        if high <= after + 1 or len(found) >= limit:
            break
        low = max(after + 1, high - _WINDOW)
        part = _entries_in(reader, reader.query(sql, (*given, high, low, asked.least or 0, limit - len(found))))
        found += part
        high = part[-1].sequence if len(found) >= limit else low
    return FoundEntries(found, high if high > after + 1 else 0)


def find_accounts(reader: ViewReader, *, name: str = "", after: str = "", limit: int = 100) -> list[str]:
    """Return ids of accounts in their order after one, of people whose names contain a text."""
    sql = "SELECT body FROM names WHERE account > ? AND instr(name_key, ?) ORDER BY account LIMIT ?"
    rows = reader.query(sql, (after, name_key(name), limit))
    return [_names.decode(reader.unseal("name", body))[0] for [body] in rows]


def _entries_in(reader: ViewReader, rows: Iterable[tuple[bytes]]) -> list[WordedEntry]:
    return [_words.decode(reader.unseal("words", body)) for [body] in rows]


def _condition(reader: ViewReader, text: str, query: log_marks.MarkQuery) -> tuple[str, list[str]]:
    """Return the condition of a search and its parameters, for either kind of table."""
    accounts = find_accounts(reader, name=query.player) if query.player else []
    groups = list(log_marks.asked_marks(query, accounts))
    terms = [term for word in text.lower().split() if (term := _ENDS.sub("", word))]
    if text.strip() and not terms:
        raise CrapsError(f"text: {text[:40]!r} has no letter or digit to look for")
    if len(terms) > _TERMS_MAX:
        raise CrapsError(f"text: {len(terms)} words; look for at most {_TERMS_MAX}")
    if not groups and not terms:
        return "", []
    [[made]] = reader.query("SELECT sql FROM sqlite_master WHERE name = 'search'")
    if "fts5" in made:
        asked = [f"marks : ({' OR '.join(group)})" for group in groups] + [f"text : {_term(term)}" for term in terms]
        return "search MATCH ? AND", [" AND ".join(asked)]
    one = "instr(' ' || search.marks || ' ', ?)"
    parts = [f"({' OR '.join([one] * len(group))})" for group in groups] + ["instr(search.text, ?)"] * len(terms)
    return " AND ".join(parts) + " AND", [*(f" {mark} " for group in groups for mark in group), *terms]


def _term(term: str) -> str:
    """Return a word as FTS5 looks for it: a phrase if it has signs in it, or the beginning of a word.

    >>> print(_term("pass"), _term("2026-11-15"))
    "pass"* "2026-11-15"
    """
    quoted = '"' + term.replace('"', '""') + '"'
    last = "".join(letter if letter.isalnum() else " " for letter in term).split()[-1]
    return f"{quoted}*" if len(last) in _PREFIXES and not last.isdecimal() else quoted
