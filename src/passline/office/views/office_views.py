"""`OfficeViews`: the projection of offices, so that no page or paper has to fold more of them than one gaming day."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from datetime import date
from typing import ClassVar, TypeVar

from msgspec import json
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office, office_after
from passline.acts.history import acts_named
from passline.acts.papers.form_codes import made_subjects
from passline.acts.papers.signatures import sources_of
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.state import ActState, fold, thing_key
from passline.acts.tills import ShiftKey
from passline.bookkeeping.comps import (
    COMP_ACTS,
    COMPS_TABLES,
    VOID_COMP,
    CompLine,
    comp_line,
    keep_comp_line,
)
from passline.bookkeeping.estimates import CLOSE_RATING, RATINGS_TABLES, VOID_RATING, forget_rating, keep_rating
from passline.bookkeeping.period_sums import PeriodSum, SumScope, sums_of_table_day
from passline.bookkeeping.posting import CountLine, FigurePosting
from passline.bookkeeping.shift_books import OpenBooks, ShiftBook
from passline.bookkeeping.shift_buy_ins import (
    LOGGED_BUY_IN,
    LOGGED_BUY_INS,
    add_buy_ins,
    buy_ins_table,
    logged_buy_ins,
)
from passline.bookkeeping.win import CLOSE_DAY, OfficeBooks
from passline.office.views.authority import tells_authority
from passline.office.views.cash import cash_of_acts
from passline.office.views.kept_days import BEGINNING, office_at_day
from passline.office.views.kept_results import ShiftRow, keep_closed_day
from passline.store.entry import Entry, Stored
from passline.store.sealed import Log
from passline.streams.projection import Projection
from passline.streams.projection_store import ViewReader, ViewWriter

Key = TypeVar("Key")
Value = TypeVar("Value")
_SHIFT, _SUM, _FILED, _CASH = "office-shift", "office-sum", "office-filed", "office-cash"
_MONTH, _YEAR = len("2026-03"), len("2026")  # of a gaming day
_DaySums = dict[tuple[SumScope, str], PeriodSum]
_LEVEL = 1  # of compression: ten times smaller, and soon done


class _Rows(MutableMapping[Key, Value]):
    """Rows of a table as a mapping: read when they are asked for, written when they are stored."""

    def __init__(self, read: Callable[[Key], Value | None]) -> None:
        self._read = read
        self._known: dict[Key, Value | None] = {}
        self.changed: set[Key] = set()

    def __getitem__(self, key: Key) -> Value:
        if key not in self._known:
            self._known[key] = self._read(key)
        if (found := self._known[key]) is None:
            raise KeyError(key)
        return found

    def __setitem__(self, key: Key, value: Value) -> None:
        self._known[key] = value
        self.changed.add(key)

    def __delitem__(self, key: Key) -> None:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Key]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def forget(self) -> None:
        """Forget what is written."""
        self._known.clear()
        self.changed.clear()


class _Kept:
    """One office as far as it was read."""

    def __init__(self, name: str, writer: ViewWriter, log: Log, before: int) -> None:
        self.name = name
        self.writer = writer
        self.state, version = _newest_state(writer, name)
        self.day = _newest_day(writer, name)
        for stored in log.read_stream(OFFICE_STREAM + name, after=version):
            if stored.entry.sequence >= before:
                break
            self.state = office_after(self.state, stored.entry)
        rows = writer.query("SELECT body FROM office_books WHERE office = ?", (name,))
        under_way = json.decode(writer.unseal("office-books", rows[0][0]), type=OpenBooks) if rows else OpenBooks()
        self.shifts: _Rows[ShiftKey, ShiftBook] = _Rows(self._shift)
        self.counts: _Rows[int, CountLine] = _Rows(self._count)
        self.postings: _Rows[int, tuple[FigurePosting, ...]] = _Rows(self._read_posting)
        self.books = OfficeBooks(
            self.state.facility,
            shifts=self.shifts,
            counts=self.counts,
            postings=self.postings,
            under_way=under_way,
        )

    def _shift(self, key: ShiftKey) -> ShiftBook | None:
        found = _shift_rows(self.writer, "office = ? AND tbl = ? AND day = ? AND shift = ?", (self.name, *_texts(key)))
        return found[0].book if found else None

    def _count(self, act: int) -> CountLine | None:
        rows = self.writer.query("SELECT body FROM office_counts WHERE office = ? AND act = ?", (self.name, act))
        return json.decode(self.writer.unseal(_SHIFT, rows[0][0]), type=CountLine) if rows else None

    def _read_posting(self, act: int) -> tuple[FigurePosting, ...] | None:
        rows = self.writer.query("SELECT body FROM office_postings WHERE office = ? AND act = ?", (self.name, act))
        return json.decode(self.writer.unseal(_SHIFT, rows[0][0]), type=tuple[FigurePosting, ...]) if rows else None


def _texts(key: ShiftKey) -> tuple[str, str, str]:
    return key[0], key[1].isoformat(), key[2]


def _shift_rows(reader: ViewReader, where: str, parameters: Sequence[object]) -> list[ShiftRow]:
    rows = reader.query(f"SELECT body FROM office_shifts WHERE {where}", parameters)  # noqa: S608 - our own words
    return [json.decode(reader.unseal(_SHIFT, body), type=ShiftRow) for [body] in rows]


def _newest_state(reader: ViewReader, office: str) -> tuple[ActState, int]:
    return office_at_day(reader, office, date.max)


def _newest_day(reader: ViewReader, office: str) -> str:
    [[day]] = reader.query("SELECT max(day) FROM office_days WHERE office = ?", (office,))
    return day or ""


def subjects_named(rules: ActRules | None, done: e.ActDone) -> set[str]:
    """Return the things and people that an act was done to or names in a field, as kind/id."""
    found = {thing_key(done.kind, thing) for thing in done.things if done.kind}
    rule = rules.act(done.act) if rules else None
    for key, field in (rule.fields if rule else {}).items():
        kind = "person" if field.type in {"person", "people"} else field.of[0] if field.of else ""
        if field.type in {"thing", "things", "person", "people"}:
            value = done.fields.get(key)
            found |= {f"{kind}/{name}" for name in ([value] if isinstance(value, str) else value or ())}
    return found


class OfficeViews(Projection):
    """What is kept of offices: where acts stand in the log, filed things, results by shift, each day's beginning."""

    name = "office"
    version = 12
    tables: ClassVar[dict[str, str]] = {
        "office_acts": "CREATE TABLE office_acts (office TEXT NOT NULL, number INTEGER NOT NULL,"
        " sequence INTEGER NOT NULL, PRIMARY KEY (office, number, sequence)) WITHOUT ROWID",
        "office_about": "CREATE TABLE office_about (office TEXT NOT NULL, subject TEXT NOT NULL,"
        " number INTEGER NOT NULL, PRIMARY KEY (office, subject, number)) WITHOUT ROWID",
        "office_sources": "CREATE TABLE office_sources (office TEXT NOT NULL, what TEXT NOT NULL,"
        " number INTEGER NOT NULL, PRIMARY KEY (office, what, number)) WITHOUT ROWID",
        "office_made": "CREATE TABLE office_made (office TEXT NOT NULL, subject TEXT NOT NULL,"
        " sequence INTEGER NOT NULL, PRIMARY KEY (office, subject)) WITHOUT ROWID",
        "office_authority": "CREATE TABLE office_authority (office TEXT NOT NULL, sequence INTEGER NOT NULL,"
        " PRIMARY KEY (office, sequence)) WITHOUT ROWID",
        "office_incidents": "CREATE TABLE office_incidents (office TEXT NOT NULL, about TEXT NOT NULL,"
        " number INTEGER NOT NULL, PRIMARY KEY (office, about, number)) WITHOUT ROWID",
        "office_days": "CREATE TABLE office_days (office TEXT NOT NULL, day TEXT NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (office, day))",
        "office_filed": "CREATE TABLE office_filed (office TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,"
        " body BLOB NOT NULL, PRIMARY KEY (office, kind, id))",
        "office_shifts": "CREATE TABLE office_shifts (office TEXT NOT NULL, day TEXT NOT NULL, shift TEXT NOT NULL,"
        " tbl TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (office, day, shift, tbl))",
        "office_counts": "CREATE TABLE office_counts (office TEXT NOT NULL, act INTEGER NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (office, act))",
        "office_postings": "CREATE TABLE office_postings (office TEXT NOT NULL, act INTEGER NOT NULL,"
        " body BLOB NOT NULL, PRIMARY KEY (office, act))",
        "office_sums": "CREATE TABLE office_sums (office TEXT NOT NULL, period TEXT NOT NULL, scope TEXT NOT NULL,"
        " subject TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (office, period, scope, subject))",
        "office_cash": "CREATE TABLE office_cash (office TEXT NOT NULL, at TEXT NOT NULL, entry INTEGER NOT NULL,"
        " part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (office, at, entry, part))",
        "office_closed": "CREATE TABLE office_closed (office TEXT NOT NULL, day TEXT NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (office, day))",
        "office_books": "CREATE TABLE office_books (office TEXT PRIMARY KEY, body BLOB NOT NULL)",
        **buy_ins_table(LOGGED_BUY_INS),
        **RATINGS_TABLES,
        **COMPS_TABLES,
    }

    def __init__(self, log: Log) -> None:
        self._log = log
        self.forget()

    def forget(self) -> None:
        """Forget the offices in memory."""
        self._offices: dict[str, _Kept] = {}

    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        """Write what the next entries of the log do."""
        taken = set[str]()
        for stored in entries:
            entry = stored.entry
            if not entry.stream.startswith(OFFICE_STREAM):
                continue
            name = entry.stream.removeprefix(OFFICE_STREAM)
            if name not in self._offices:
                self._offices[name] = _Kept(name, writer, self._log, entry.sequence)
            kept = self._offices[name]
            kept.writer = writer
            taken.add(name)
            _take(writer, kept, entry)
        for name in taken:
            _store(writer, self._offices[name])


def _take(writer: ViewWriter, kept: _Kept, entry: Entry) -> None:
    events = OFFICE_CODEC.events(entry)
    learn_office(entry, events)
    before = kept.state
    if before.facility is not None and (day := before.facility.gaming_day(entry.at).isoformat()) > kept.day:
        if kept.day:  # of the first day nobody can say when it began
            body = writer.seal(BEGINNING, zlib.compress(json.encode(replace(before, ended={})), _LEVEL))
            writer.write("INSERT OR REPLACE INTO office_days VALUES (?, ?, ?)", [(kept.name, day, body)])
        kept.day = day
    rules = OFFICE_RULES.find(before.digest)
    writer.write("INSERT OR IGNORE INTO office_acts VALUES (?, ?, ?)", _act_rows(kept.name, entry, events))
    made = [(kept.name, subject, entry.sequence) for subject in made_subjects(events)]
    writer.write("INSERT OR IGNORE INTO office_made VALUES (?, ?, ?)", made)
    if tells_authority(before, events):
        writer.write("INSERT OR IGNORE INTO office_authority VALUES (?, ?)", [(kept.name, entry.sequence)])
    for event in events:
        kept.books.take(event)
        if isinstance(event, e.ActDone):
            rows = [(kept.name, subject, event.number) for subject in subjects_named(rules, event)]
            writer.write("INSERT OR IGNORE INTO office_about VALUES (?, ?, ?)", rows)
        elif isinstance(event, e.ActCompleted):
            done = _act_of(before, events, event.number)
            _note_sources(writer, kept.name, rules, done, event)
            _note_buy_in(writer, kept, done, event)
            _note_rating(writer, kept, done, entry.sequence)
            _note_comp(writer, kept, done)
        elif isinstance(event, e.IncidentOpened):
            number = int(event.id.rpartition("-")[2])
            rows = [(kept.name, about, number) for about in {event.about, event.result or event.about}]
            writer.write("INSERT OR IGNORE INTO office_incidents VALUES (?, ?, ?)", rows)
        else:
            _note_by_server(writer, kept.name, before, event)
    if rules is not None:
        waiting = {pending.done.number: pending.done for pending in before.pending.values()}
        cash = [
            (kept.name, at, entry.sequence, number, writer.seal(_CASH, json.encode(part)))
            for number, part in enumerate(cash_of_acts(rules, events, waiting, before.figures, entered=entry.at))
            for at in sorted({part.at, part.entry_at, part.corrected or part.at})
        ]
        writer.write("INSERT OR REPLACE INTO office_cash VALUES (?, ?, ?, ?, ?)", cash)
    kept.state = fold(before, entry.at, events)
    _keep_closed(writer, kept, entry.sequence, _days_closed(before, events))


def _days_closed(before: ActState, events: Sequence[e.ActEvent]) -> list[str]:
    """Return the gaming days whose books events close."""
    completed = [_act_of(before, events, event.number) for event in events if isinstance(event, e.ActCompleted)]
    return [day for done in completed if done.act == CLOSE_DAY for day in done.things]


def _keep_closed(writer: ViewWriter, kept: _Kept, entry: int, days: Sequence[str]) -> None:
    """Write down what is on record of gaming days as an entry closes their books."""
    if days and kept.state.facility is not None:
        _store(writer, kept)
        for day in days:
            keep_closed_day(writer, kept.name, kept.state.facility, day, entry)


def _act_of(before: ActState, events: Sequence[e.ActEvent], number: int) -> e.ActDone:
    """Return an act that takes effect now: recorded by the same entry, or waiting until now."""
    own = (event for event in events if isinstance(event, e.ActDone) and event.number == number)
    return next(own, None) or before.pending[str(number)].done


def _note_sources(
    writer: ViewWriter, office: str, rules: ActRules | None, done: e.ActDone, completed: e.ActCompleted
) -> None:
    """Note where papers find an act that they are made from; of things that are filed there are none."""
    kinds = rules.pages.things if rules else {}
    if done.kind in kinds and kinds[done.kind].filed:
        return
    rows = [(office, what, done.number) for what in sources_of(done, completed)]
    writer.write("INSERT OR IGNORE INTO office_sources VALUES (?, ?, ?)", rows)


def _note_buy_in(writer: ViewWriter, kept: _Kept, done: e.ActDone, completed: e.ActCompleted) -> None:
    """Add a buy-in that was logged to its shift; a correction takes back what was said, and says it rightly."""
    facility, correction = kept.state.facility, completed.corrects
    if facility is None:
        return
    if correction is None and done.act == LOGGED_BUY_IN:
        brought = logged_buy_ins(facility, done.occurred, [(1, done.fields)])
    elif correction is not None:
        figure = kept.state.figures.at_hand.get(str(correction.first)) or completed.recalled
        if figure is None or figure.act != LOGGED_BUY_IN:
            return
        said = [(-1, {**figure.fields, **correction.was}), (1, {**figure.fields, **correction.now})]
        brought = logged_buy_ins(facility, figure.occurred, said)
    else:
        return
    add_buy_ins(writer, LOGGED_BUY_INS, kept.name, brought)


def _note_rating(writer: ViewWriter, kept: _Kept, done: e.ActDone, sequence: int) -> None:
    """Keep a rating that is closed, and forget one that is made void."""
    if kept.state.facility is None or done.act not in {CLOSE_RATING, VOID_RATING}:
        return
    rating = kept.state.things[thing_key(done.kind, done.things[0])]
    if done.act == VOID_RATING:
        forget_rating(writer, kept.name, rating.id)
    else:
        keep_rating(writer, kept.name, kept.state.facility, rating=rating, closed=done, sequence=sequence)


def _note_by_server(writer: ViewWriter, office: str, before: ActState, event: e.ActEvent) -> None:
    """Keep things that were filed, and comps that were earned."""
    if isinstance(event, e.ThingsFiled):
        _file(writer, office, before, event.things)
    elif isinstance(event, e.CompEarned):
        known = event.credit.facts
        figures = {"theoretical": known["theoretical"], "earned": known["earned"]}
        earned = CompLine(patron=known["patron"], day=known["gaming_day"], **figures)
        keep_comp_line(writer, office, earned, f"earned/{earned.patron}")


def _note_comp(writer: ViewWriter, kept: _Kept, done: e.ActDone) -> None:
    """Keep what an act says of comps, on the gaming day on which it was done."""
    if kept.state.facility is None or done.act not in COMP_ACTS:
        return
    comp = kept.state.things.get(thing_key(done.kind, done.things[0])) if done.act == VOID_COMP else None
    said = comp.facts if comp else done.fields
    day = kept.state.facility.gaming_day(done.occurred).isoformat()
    line = comp_line(done.act, str(said["patron"]), int(said["worth"]), day=day)
    keep_comp_line(writer, kept.name, line, f"act/{done.number}")


def _act_rows(office: str, entry: Entry, events: Iterable[e.ActEvent]) -> list[tuple[str, int, int]]:
    numbers = {number for event in events for number in acts_named(event)}
    return [(office, number, entry.sequence) for number in sorted(numbers)]


def _file(writer: ViewWriter, office: str, before: ActState, things: Sequence[str]) -> None:
    known = (before.things[key] for key in things)
    rows = [(office, thing.kind, thing.id, writer.seal(_FILED, json.encode(thing))) for thing in known]
    writer.write("INSERT OR REPLACE INTO office_filed VALUES (?, ?, ?, ?)", rows)


def _store(writer: ViewWriter, kept: _Kept) -> None:
    """Write what was entered since the last time: shifts, the gaming days and months that they belong to, the rest."""
    books, name = kept.books, kept.name
    days = sorted({(key[0], key[1].isoformat()) for key in books.touched})
    before = {(table, day): _sums_kept(writer, name, table, day) for table, day in days}
    rows = []
    for key in books.touched:
        body = writer.seal(_SHIFT, json.encode(ShiftRow(books.shifts[key], books.result_of(key))))
        table, day, shift = _texts(key)
        rows.append((name, day, shift, table, body))
    writer.write("INSERT OR REPLACE INTO office_shifts VALUES (?, ?, ?, ?, ?)", rows)
    changed = _SumsChanged(writer, name)
    for table, day in days:
        changed.replace(day, before[table, day], _sums_kept(writer, name, table, day))
    changed.store()
    counts = [(name, act, writer.seal(_SHIFT, json.encode(kept.counts[act]))) for act in kept.counts.changed]
    writer.write("INSERT OR REPLACE INTO office_counts VALUES (?, ?, ?)", counts)
    posted = [(name, act, writer.seal(_SHIFT, json.encode(kept.postings[act]))) for act in kept.postings.changed]
    writer.write("INSERT OR REPLACE INTO office_postings VALUES (?, ?, ?)", posted)
    body = writer.seal("office-books", json.encode(books.under_way))
    writer.write("INSERT OR REPLACE INTO office_books VALUES (?, ?)", [(name, body)])
    books.touched.clear()
    kept.shifts.forget()
    kept.counts.forget()
    kept.postings.forget()


def _sums_kept(reader: ViewReader, office: str, table: str, day: str) -> _DaySums:
    """Return what a gaming day of a table adds to sums, by what is kept of its shifts."""
    rows = _shift_rows(reader, "office = ? AND day = ? AND tbl = ?", (office, day, table))
    return sums_of_table_day(table, [row.result for row in rows])


class _SumsChanged:
    """The sums of months by day, and of years by month, that change together."""

    def __init__(self, writer: ViewWriter, office: str) -> None:
        self._writer, self._office = writer, office
        self._sums: dict[tuple[str, SumScope, str], dict[str, PeriodSum]] = {}

    def replace(self, day: str, before: _DaySums, after: _DaySums) -> None:
        """Put what a gaming day of a table adds now in the place of what it added before."""
        for scope, subject in {**before, **after}:
            was, now = (sums.get((scope, subject), PeriodSum()) for sums in (before, after))
            for period, part in ((day[:_MONTH], day), (day[:_YEAR], day[:_MONTH])):
                parts = self._parts(period, scope, subject)
                parts[part] = parts.get(part, PeriodSum()).plus(now).plus(was, -1)

    def _parts(self, period: str, scope: SumScope, subject: str) -> dict[str, PeriodSum]:
        key = period, scope, subject
        if key not in self._sums:
            sql = "SELECT body FROM office_sums WHERE office = ? AND period = ? AND scope = ? AND subject = ?"
            rows = self._writer.query(sql, (self._office, *key))
            body = self._writer.unseal(_SUM, rows[0][0]) if rows else b"{}"
            self._sums[key] = json.decode(body, type=dict[str, PeriodSum])
        return self._sums[key]

    def store(self) -> None:
        """Write the sums that changed."""
        rows = [(self._office, *key, self._writer.seal(_SUM, json.encode(parts))) for key, parts in self._sums.items()]
        self._writer.write("INSERT OR REPLACE INTO office_sums VALUES (?, ?, ?, ?, ?)", rows)
