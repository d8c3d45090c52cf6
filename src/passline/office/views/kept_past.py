"""Reads what `OfficeViews` has kept: acts, filed things, results and cash, and a gaming day without all other days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from msgspec import Struct, json

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office, office_after
from passline.acts.history import RecordedAct, acts_named, recorded_acts
from passline.acts.noted import RESULT_KEYS
from passline.acts.papers.form_codes import EntryMark
from passline.acts.papers.sheet import PaperSheet
from passline.acts.papers.signatures import sources_wanted
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.state import INCIDENT, ActState, KnownThing, fold, thing_key
from passline.acts.views.wording import Names
from passline.bookkeeping.period_sums import ToDate
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import CLOSE_DAY, GAMING_DAY
from passline.errors import CrapsError
from passline.office.kept import names_of_log
from passline.office.views.cash import CashPart
from passline.office.views.day_report import OfficeDay, OfficePast, day_bounds
from passline.office.views.kept_days import office_at_day, printed_office_at_day, version_at_day
from passline.office.views.kept_results import find_closed_day, find_results, find_to_date
from passline.office.views.projections import projections_of
from passline.store.entry import Entry, Head
from passline.store.sealed import Log, stored_of
from passline.store.timestamps import CLOCK_SECONDS_MAX, later
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewReader, ViewsNotReady, ViewStore

_NO_FACILITY = "the office of {} is not set up in this log"
_Event = tuple[str, e.ActEvent]
_ACTS_MAX = 500  # of a thing, on its form
_NEWEST = 2**62  # of the entries and acts of a log
_CLOSED_SECONDS = 2 * 24 * 3600.0  # after a gaming day, in which most are closed: their office is read on until then


def folder_past(log: Log, views: ViewReader, office: str, day: date, names: Names) -> OfficePast:
    """Return a gaming day for its folder: as it was when its books were closed, if that is kept, or else as now."""
    head = closing_head(log, find_closing(log, views, office, day))
    closed = _closed_past(log, views, office, day, head.sequence) if head else None
    return closed or kept_past(log, views, office, day, names)


def kept_past(log: Log, views: ViewReader, office: str, day: date, names: Names) -> OfficePast:
    """Return a gaming day of an office, and the office before and after it, from the views."""
    now, rules = newest_office(log, views, office)
    assert now.facility is not None
    shifts, to_date = find_results(views, office, now.facility, day, day), find_to_date(views, office, day)
    begun, _ = office_at_day(views, office, day)
    read = _read_day(log, office, begun, day_bounds(now.facility, day))
    return _past(log, views, _Until(now, rules, shifts, to_date, names), day, read)


class _Until(Struct, frozen=True):
    """An office as of an entry of the log, and what had been won by then in a gaming day."""

    state: ActState
    rules: ActRules
    shifts: Sequence[TableResult]
    to_date: ToDate
    names: Names
    last: int = _NEWEST  # the entry


class _DayRead(Struct, frozen=True):
    """A gaming day as it was read from the log."""

    before: ActState  # the office when the day began
    until: ActState  # when it ended
    events: Sequence[_Event]
    last: int  # entry of the day; 0: it has none
    state: ActState  # the office with the entry that was read last
    reached: int  # that entry; 0: none was read


class _Corrected(Exception):
    """Something was corrected, which takes all of the office."""


def _read_day(
    log: Log,
    office: str,
    begun: ActState,
    bounds: tuple[str, str],
    *,
    until: int = _NEWEST,
    beyond: float = 0.0,
    corrects: bool = True,
) -> _DayRead:
    """Read a gaming day from an office as it had begun, and up to so many seconds after it, until an entry.

    Raise _Corrected at the first correction unless the office has what corrections need.
    """
    (begins, ends), goes_on = bounds, beyond > 0.0
    latest = later(ends, max(beyond, CLOCK_SECONDS_MAX))  # the clock of another server may be behind
    state, before, after = begun, None, None
    events, last, reached = list[_Event](), 0, 0
    for stored in log.read_stream(OFFICE_STREAM + office, after=begun.version):
        entry = stored.entry
        if entry.sequence > until:
            break
        before = before or (state if entry.at >= begins else None)
        after = after or (state if entry.at >= ends else None)
        if entry.at >= latest:
            break
        brought = OFFICE_CODEC.events(entry)
        learn_office(entry, brought)
        if not corrects and any(isinstance(event, e.ActCompleted) and event.corrects for event in brought):
            raise _Corrected
        if begins <= entry.at < ends:
            events += ((entry.at, event) for event in brought)
            last = entry.sequence
        if after is None or goes_on:
            state, reached = fold(state, entry.at, brought), entry.sequence
    return _DayRead(before or state, after or state, tuple(events), last, state, reached)


def _past(log: Log, views: ViewReader, now: _Until, day: date, read: _DayRead) -> OfficePast:
    """Return a gaming day of an office, and the office before and after it, as it was known with an entry."""
    facility, office, rules = now.state.facility, now.rules.name, now.rules
    assert facility is not None
    acts, told = _acts_of_day(log, views, office, read.events, read.last, until=now.last)
    subjects = _subjects(read.events, acts.values())
    gaming_day = OfficeDay(
        rules=rules,
        facility=facility,
        state=now.state,
        day=day,
        events=read.events,
        acts=acts,
        told=told,
        shifts=tuple(now.shifts),
        to_date=now.to_date,
        filed=find_filed(views, office, (key for key in subjects if key not in now.state.things)),
        names=now.names,
        opening=read.before.stocks,
    )
    past = OfficePast(
        gaming_day,
        read.before,
        read.until,
        acts_of=lambda sheet: acts_of_paper(log, views, rules, sheet, read.until.acts, until=now.last),
        acts_about=lambda subject: acts_done_to(log, views, office, subject, until=now.last),
        entry_of=lambda subject: find_entry(log, views, office, subject),
        authority=lambda: _find_authority(log, views, office, now.last),
        closing=find_closing(log, views, office, day),
        until_entry=lambda entry: past if entry == now.last else _closed_past(log, views, office, day, entry),
    )
    return past


def _closed_past(log: Log, views: ViewReader, office: str, day: date, last: int) -> OfficePast | None:
    """Return a gaming day as it was known with the head of the log that closed its books; None: it was not kept so."""
    closed = find_closed_day(views, office, day)
    closing = next(log.read(after=closed.entry - 1, until=closed.entry), None) if closed else None
    begun = printed_office_at_day(views, office, day)
    facility = begun.facility
    if closed is None or closing is None or facility is None:
        return None
    bounds = day_bounds(facility, day)
    try:
        read = _read_day(log, office, begun, bounds, until=last, beyond=_CLOSED_SECONDS, corrects=False)
    except _Corrected:
        begun, _ = office_at_day(views, office, day)
        read = _read_day(log, office, begun, bounds, until=last, beyond=_CLOSED_SECONDS)
    state, reached = read.state, read.reached
    if reached != closed.entry:  # it was closed later
        state, version = office_at_day(views, office, facility.gaming_day(closing.entry.at))
        for stored in log.read_stream(OFFICE_STREAM + office, after=version):
            if stored.entry.sequence > last:
                break
            state, reached = office_after(state, stored.entry), stored.entry.sequence
    rules, names = _rules_of(log, office, state), names_of_log(log, last)
    if reached != closed.entry or rules is None or state.facility != facility:
        return None  # more was written at once, or days begin at another time since
    past = _past(log, views, _Until(state, rules, closed.shifts, closed.to_date, names, last), day, read)
    # Others than accounts of the log are called as in their last act, which only the whole office says.
    return past if all(act.done.by in names for act in past.day.acts.values()) else None


def closing_head(log: Log, closed: int) -> Head | None:
    """Return the head of the log when an entry closed the books of a gaming day; None: they are open."""
    for row in log.rows(after=closed - 1) if closed else ():
        if row.seal:  # entries that were written together have one seal
            return Head(stored_of(row).entry.sequence, row.hash.hex(), row.seal.hex())
    return None


def _find_authority(log: Log, views: ViewReader, office: str, last: int) -> list[Entry]:
    """Return the entries of an office that say who was given authority, up to one of the log."""
    rows = views.query("SELECT sequence FROM office_authority WHERE office = ? AND sequence <= ?", (office, last))
    return list(_entries_at(log, office, (row[0] for row in rows)))


def find_closing(log: Log, views: ViewReader, office: str, day: date) -> int:
    """Return the entry by which the books of a gaming day were closed; 0: they are open."""
    acts = acts_done_to(log, views, office, thing_key(GAMING_DAY, day.isoformat()))
    sql = "SELECT sequence FROM office_acts WHERE office = ? AND number = ?"
    for number in (act.done.number for act in acts if act.done.act == CLOSE_DAY):
        for entry in _entries_at(log, office, (row[0] for row in views.query(sql, (office, number)))):
            events = OFFICE_CODEC.events(entry)
            if any(isinstance(event, e.ActCompleted) and event.number == number for event in events):
                return entry.sequence
    return 0


def acts_of_day(log: Log, views: ViewReader, office: str, facility: Facility, day: date) -> list[RecordedAct]:
    """Return the acts that were recorded, signed, done or taken back in a gaming day, as they stand now."""
    begins, ends = day_bounds(facility, day)
    events, last, latest = list[_Event](), 0, later(ends, CLOCK_SECONDS_MAX)
    for stored in log.read_stream(OFFICE_STREAM + office, after=version_at_day(views, office, day)):
        entry = stored.entry
        if entry.at >= latest:
            break
        if begins <= entry.at < ends:
            for event in OFFICE_CODEC.events(entry):
                events.append((entry.at, event))
            last = entry.sequence
    acts, _ = _acts_of_day(log, views, office, events, last)
    return [acts[number] for number in sorted(acts)]


def newest_office(log: Log, views: ViewReader, office: str) -> tuple[ActState, ActRules]:
    """Return an office as it is now, less what was filed, and its rules; raise CrapsError if it is not set up."""
    state, version = office_at_day(views, office, date.max)
    for stored in log.read_stream(OFFICE_STREAM + office, after=version):
        state = office_after(state, stored.entry)
    rules = _rules_of(log, office, state)
    if rules is None or state.facility is None:
        raise CrapsError(_NO_FACILITY.format(office))
    return state, rules


def _rules_of(log: Log, office: str, state: ActState) -> ActRules | None:
    """Return the rules that an office is run by; None: it has none yet."""
    rules = OFFICE_RULES.find(state.digest)
    if rules is None and state.digest:  # the pages are older than what was read
        for stored in log.read_stream(OFFICE_STREAM + office):
            learn_office(stored.entry, OFFICE_CODEC.events(stored.entry))
            if (rules := OFFICE_RULES.find(state.digest)) is not None:
                break
    return rules


def _subjects(events: Iterable[_Event], acts: Iterable[RecordedAct]) -> set[str]:
    """Return what the report of a day is about, as kind/id: what acts were done to, and incidents."""
    found = {f"{INCIDENT}/{event.id}" for _, event in events if isinstance(event, e.IncidentOpened)}
    return found | {f"{act.done.kind}/{thing}" for act in acts for thing in act.done.things}


def _acts_of_day(
    log: Log, views: ViewReader, office: str, events: Sequence[_Event], last: int, *, until: int = _NEWEST
) -> tuple[dict[int, RecordedAct], dict[int, e.LedgerTold]]:
    """Return the acts that the events of a day are about, with what came before and after them, until an entry."""
    begun = {event.number for _, event in events if isinstance(event, e.ActDone)}
    others = (event for _, event in events if not isinstance(event, e.ActDone))
    own = begun.union(*(acts_named(event)[:1] for event in others))
    if not own:
        return {}, {}
    sql = "SELECT sequence FROM office_acts WHERE office = ? AND number = ? AND sequence <= ?"
    earlier = {row[0] for number in own - begun for row in views.query(sql, (office, number, last))}
    sql = "SELECT number, sequence FROM office_acts WHERE office = ? AND number BETWEEN ? AND ?"
    after = views.query(f"{sql} AND sequence > ? AND sequence <= ?", (office, min(own), max(own), last, until))
    later = {sequence for number, sequence in after if number in own}
    before = [event for event in _events_at(log, office, earlier) if event not in events]
    after_them = _events_at(log, office, later)
    found = [*_events_about(own, before), *events, *_events_about(own, after_them)]
    told = {event.act: event for _, event in (*before, *events, *after_them) if isinstance(event, e.LedgerTold)}
    return recorded_acts(found), told


def _events_about(acts: set[int], events: Iterable[_Event]) -> Iterator[_Event]:
    return (event for event in events if not acts.isdisjoint(acts_named(event[1])))


def _events_at(log: Log, office: str, sequences: Iterable[int]) -> list[_Event]:
    """Return the events of entries of an office, each with its moment."""
    return [(entry.at, event) for entry in _entries_at(log, office, sequences) for event in OFFICE_CODEC.events(entry)]


def _entries_at(log: Log, office: str, sequences: Iterable[int]) -> Iterator[Entry]:
    for sequence in sorted(sequences):
        for stored in log.read(after=sequence - 1, until=sequence):
            if stored.entry.stream == OFFICE_STREAM + office:
                yield stored.entry


def kept_acts(
    log: Log, views: ViewReader, office: str, numbers: Iterable[int], *, until: int = _NEWEST
) -> dict[int, RecordedAct]:
    """Return acts by their numbers as of an entry, each read from its place in the log."""
    wanted = {*numbers}
    sql = "SELECT sequence FROM office_acts WHERE office = ? AND number = ? AND sequence <= ?"
    sequences = {row[0] for number in wanted for row in views.query(sql, (office, number, until))}
    found = _events_at(log, office, sequences)
    return recorded_acts((at, event) for at, event in found if not wanted.isdisjoint(acts_named(event)))


def acts_of_paper(
    log: Log, views: ViewReader, rules: ActRules, sheet: PaperSheet, acts: int, *, until: int = _NEWEST
) -> dict[int, RecordedAct]:
    """Return the acts that a paper is made from, as of an entry, among the first so many acts of its office."""
    last, digest = sources_wanted(rules, sheet)
    sql = "SELECT number FROM office_sources WHERE office = ? AND what = ? AND number <= ? ORDER BY number DESC"
    found: dict[int, RecordedAct] = {}
    for what in (*last, digest):
        for [number] in views.query(sql, (rules.name, what, acts)):
            if number not in found:
                found |= kept_acts(log, views, rules.name, [number], until=until)
            if what != digest and number in found and found[number].completed:
                break  # the last that has taken effect by then
    return dict(sorted(found.items()))


def find_acts_about(views: ViewReader, office: str, subject: str, before: int, limit: int) -> list[int]:
    """Return the numbers of the newest acts about a thing (as kind/id) before another, in order; 0: up to now."""
    sql = "SELECT number FROM office_about WHERE office = ? AND subject = ? AND number < ? ORDER BY number DESC LIMIT ?"
    return sorted(row[0] for row in views.query(sql, (office, subject, before or _NEWEST, limit)))


def acts_done_to(log: Log, views: ViewReader, office: str, subject: str, *, until: int = _NEWEST) -> list[RecordedAct]:
    """Return every act that was done to a thing (as kind/id), in order, until an entry."""
    kind, _, id_ = subject.partition("/")
    acts = kept_acts(log, views, office, find_acts_about(views, office, subject, 0, _ACTS_MAX), until=until)
    return [
        acts[number] for number in sorted(acts) if acts[number].done.kind == kind and id_ in acts[number].done.things
    ]


def find_entry(log: Log, views: ViewReader, office: str, subject: str) -> EntryMark | None:
    """Return the first entry that has an act (as act/7) or a thing (as kind/id)."""
    for [sequence] in views.query(
        "SELECT sequence FROM office_made WHERE office = ? AND subject = ?", (office, subject)
    ):
        for stored in log.read(after=sequence - 1, until=sequence):
            return EntryMark(sequence, stored.hash)
    return None


def find_incidents(views: ViewReader, office: str, about: str, limit: int) -> list[str]:
    """Return the newest incidents about a thing (as kind/id), in order, as kind/id."""
    sql = "SELECT number FROM office_incidents WHERE office = ? AND about = ? ORDER BY number DESC LIMIT ?"
    return [f"{INCIDENT}/I-{number}" for number in sorted(row[0] for row in views.query(sql, (office, about, limit)))]


def find_incidents_of_results(views: ViewReader, office: str, before: int, limit: int) -> list[int]:
    """Return the numbers of the newest incidents about results before another, the newest first; 0: up to now."""
    sql = (
        "SELECT number FROM office_incidents WHERE office = ? AND about >= ? AND about < ? AND number < ?"
        " ORDER BY number DESC LIMIT ?"
    )
    rows = views.query(sql, (office, RESULT_KEYS, f"{RESULT_KEYS}~", before or _NEWEST, limit))
    return [row[0] for row in rows]


def find_filed(views: ViewReader, office: str, subjects: Iterable[str]) -> dict[str, KnownThing]:
    """Return filed things, by kind/id, as they were when they were filed."""
    sql, found = "SELECT body FROM office_filed WHERE office = ? AND kind = ? AND id = ?", dict[str, KnownThing]()
    for subject in subjects:
        kind, _, id_ = subject.partition("/")
        for [body] in views.query(sql, (office, kind, id_)):
            found[subject] = json.decode(views.unseal("office-filed", body), type=KnownThing)
    return found


def find_cash(views: ViewReader, office: str, since: str, until: str) -> list[CashPart]:
    """Return the cash of acts that were recorded for, or entered in, a time: from a moment on and before another."""
    sql = "SELECT entry, part, body FROM office_cash WHERE office = ? AND at >= ? AND at < ? ORDER BY at, entry, part"
    rows = views.query(sql, (office, since, until))
    found = {(entry, part): body for entry, part, body in rows}  # each once, though it is kept under both its moments
    return [json.decode(views.unseal("office-cash", body), type=CashPart) for body in found.values()]


@contextmanager
def past_in_folder(log: Log, data: Path, office: str, day: date) -> Iterator[OfficePast | None]:
    """Read a gaming day of an office for its folder from the views of a data folder; None if they are incomplete."""
    if not (data / VIEWS_FILE).exists():
        yield None
        return
    store = ViewStore(data / VIEWS_FILE, log.derive("views"))
    try:
        yield folder_past(log, store, office, day, names_of_log(log)) if _is_whole(log, store) else None
    finally:
        store.close()


def _is_whole(log: Log, store: ViewStore) -> bool:
    """Return whether everything in the log is in the views."""
    try:
        return Projector(log, store, projections_of(log)).last_applied() == log.sequence
    except ViewsNotReady:
        return False
