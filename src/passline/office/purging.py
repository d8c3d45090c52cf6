"""Which archived segments could be purged, and what holds the others. Only the oldest can go, when their time is over.

Reading: no regulation says how much an open matter keeps. Here it keeps every segment from a year before it was opened,
since whoever looks into it asks about the months before. A segment that is kept also keeps all younger ones, because a
log can only be proved without gaps from one boundary on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from msgspec import Struct

from passline.acts.rules import OFFICE_RULES
from passline.acts.state import CASH_REPORT, INCIDENT, INCIDENT_OPENED, ActState, thing_key
from passline.errors import CrapsError
from passline.office.gaming_days import GamingDays, facility_in, offices_in
from passline.office.kept import house_of_log
from passline.people.accounts import STREAM as PEOPLE
from passline.people.accounts import People
from passline.people.course import PeopleCourse
from passline.store.archived.database_log import DatabaseLog
from passline.store.log import LogError
from passline.store.named_segments import Segment
from passline.store.sealed import Log
from passline.store.timestamps import HouseClock
from passline.store.upkeep.retention import retention_words, years_kept
from passline.streams.replica import state_in_log
from passline.tables.entries import TABLE, TABLE_CODEC, table_entry

HOLDING = (INCIDENT, "dispute", CASH_REPORT, "held_item")
"""The kinds of things of an office that hold segments until they are in the last of their states."""
HELD_BEFORE = timedelta(days=366)
"""How long before it was opened a matter holds segments."""


class Hold(Struct, frozen=True):
    """An open matter, for which segments must be kept."""

    what: str
    since: str  # when it was opened

    def __str__(self) -> str:
        return f"{self.what}, open since {self.since[: len('2026-11-15')]}"


class SegmentAge(Struct, frozen=True):
    """An archived segment, the gaming day on which it ends, and why it is kept; empty: it could be purged."""

    segment: Segment
    day: str
    why: str


class PurgePlan(Struct, frozen=True):
    """What could be purged now."""

    years: int  # for which records are kept; 0: for ever
    before: str  # the gaming day; what ended before it is over its time; empty: nothing is
    holds: tuple[Hold, ...]
    segments: tuple[SegmentAge, ...]

    def lines(self) -> Iterator[str]:
        """Yield the plan in words: its terms, a line for each segment, and the sum."""
        if self.years:
            yield f"{retention_words(self.years)}: the time of gaming days before {self.before} is over"
        else:
            yield f"{retention_words(0)}: two owners choose otherwise on the page of the accounts"
        for hold in self.holds:
            yield f"open: {hold}"
        for aged in self.segments:
            held = f"entries {aged.segment.first:,} to {aged.segment.last:,}"
            yield f"{aged.segment.name}: {held}, to the gaming day {aged.day}: {aged.why or 'could go'}"
        free = [aged for aged in self.segments if not aged.why]
        sizes = sum(aged.segment.size for aged in free)
        yield f"{len(free):,} of {len(self.segments):,} files could go, {sizes:,} bytes"


def plan_purge(log: Log, at: str) -> PurgePlan:
    """Return what could be purged at a moment; raise CrapsError if the time is not certain.

    A moment after the newest entry of the log counts as that entry's, so that a fast clock makes nothing old.
    """
    if not isinstance(log, DatabaseLog):
        raise LogError("a log in memory has no archived segments, of which the oldest could be purged")
    at = min(at, _at_of(log, log.sequence))
    if (house := house_of_log(log)) is not None and house.sync == "not synchronised":
        raise CrapsError(
            "no time service keeps the clock of this server, as the log has on record: have one set it, then serve the "
            "house once, before anything counts as old"
        )
    offices, days = offices_in(log), GamingDays(facility_in(log))
    people = state_in_log(log, PEOPLE, PeopleCourse()) or People()
    years = years_kept(people.safeguards.retention, at)
    before = _years_before(days.day_of(at), years) if years else ""
    holds = sorted((*_office_holds(offices), *_frozen_tables(log)), key=lambda hold: (hold.since, hold.what))
    return PurgePlan(years, before, tuple(holds), tuple(_ages(log, days, before, holds)))


def clock_for_purge(log: Log) -> str:
    """Return the time of the house; raise CrapsError if the system's clock is wrong."""
    clock = HouseClock(_at_of(log, log.sequence))
    now = clock()
    if clock.fault:
        raise CrapsError(clock.fault)
    return now


def _ages(log: DatabaseLog, days: GamingDays, before: str, holds: Iterable[Hold]) -> Iterator[SegmentAge]:
    """Yield every segment with why it stays: from the first that does on, all do."""
    first_held = min((_day_before(days.day_of(hold.since)) for hold in holds), default="9999")
    kept = ""
    for segment in log.archived.segments():
        day = days.day_of(_at_of(log, segment.last))
        if day < before:  # a clock that was set back may have dated the last entry before the others
            file = log.archived.file_of(segment)
            file.check_file()
            day = days.day_of(max(entry.at for part in file.ids() for entry in part))
        why = "" if before and day < before else "stays, its time is not over" if before else "stays for ever"
        if not why and day >= first_held:
            why = "stays, held by what is open"
        why = why or (f"stays, since {kept} does" if kept else "")
        kept = kept or (segment.name if why else "")
        yield SegmentAge(segment, day, why)


def _at_of(log: Log, sequence: int) -> str:
    stored = next(iter(log.read(after=sequence - 1, until=sequence)), None)
    if stored is None:
        raise LogError(f"entry {sequence} is missing: run passline verify on this log")
    return stored.entry.at


def _years_before(day: str, years: int) -> str:
    """Return the day so many years before another.

    >>> _years_before("2028-02-29", 5)
    '2023-02-28'
    """
    last = date.fromisoformat(day)
    is_leap_day = (last.month, last.day) == (2, 29)
    return last.replace(year=last.year - years, day=28 if is_leap_day else last.day).isoformat()


def _day_before(day: str) -> str:
    return (date.fromisoformat(day) - HELD_BEFORE).isoformat()


def _office_holds(offices: dict[str, ActState]) -> Iterator[Hold]:
    for name, state in offices.items():
        rules = OFFICE_RULES.find(state.digest)
        opened = state.marks.get(INCIDENT_OPENED, {})
        for kind in HOLDING:
            states = rules.pages.things[kind].states if rules and kind in rules.pages.things else ()
            for thing in state.of_kind(kind):
                if not states or thing.state != states[-1]:
                    mark = opened.get(thing_key(kind, thing.id))
                    since = min(thing.since, mark.at) if mark else thing.since
                    yield Hold(f"{kind.replace('_', ' ')} {thing.id} of the office of {name}", since)
        for number, pending in state.pending.items():
            yield Hold(f"act {number} of the office of {name}, which waits for a signature", pending.at)


def _frozen_tables(log: Log) -> Iterator[Hold]:
    for stream in log.streams():
        if not stream.startswith(TABLE):
            continue
        snapshot = log.snapshot(stream)
        live = TABLE_CODEC.state(snapshot.state) if snapshot else None
        for stored in log.read_stream(stream, after=snapshot.version if snapshot else 0):
            live = table_entry(live, stored.entry).after
        if live is not None and live.status == "frozen":
            froze = next(iter(log.read_stream(stream, after=live.froze - 1)))
            yield Hold(f"the dispute at table {live.id}, which is frozen", froze.entry.at)
