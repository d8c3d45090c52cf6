"""Verifies what servers noted of play: results beyond luck, counts that suggest a theft, and the play behind comps.

No earlier entry has such a figure: a server takes it from the accounts that it keeps of the whole log. So the
accounts are made again here, up to each note, and must give the same figure. A server may have read them a little
earlier than it wrote the note: if they differ at the note's own entry, every moment of the minutes before it is tried.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isclose
from pathlib import Path
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import asdict

from passline.acts.commands import NoteComp, NoteResult, NoteSkim
from passline.acts.course import OFFICE_STREAM, office_after
from passline.acts.rules import OFFICE_RULES
from passline.acts.state import ActState
from passline.bookkeeping.follower import AccountsFollower
from passline.bookkeeping.game_speed import RollsFollower
from passline.bookkeeping.shift_buy_ins import BuyInsFollower
from passline.money import dollars
from passline.office.views.office_views import OfficeViews
from passline.office.views.rated_play import find_ratings, worth_by_patron
from passline.office.views.result_alarms import AlarmedResult, crew_of, find_result_alarms
from passline.office.views.theft import find_theft
from passline.store.entry import Entry, Stored
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from passline.store.verify import Fault
from passline.streams.projection import Projection, Projector
from passline.streams.projection_store import ViewsNotReady, ViewStore, ViewWriter
from passline.streams.redecide import FORGED
from passline.tables.entries import TableEntry, is_table, table_entry
from passline.tables.live import LiveTable
from passline.tables.views.projected import TableFollower

PlayNote = NoteResult | NoteSkim | NoteComp
"""What a server notes of play."""
_READ_SECONDS = 300  # before it is written, a figure may have been read: as long as servers may be apart
_BATCH = 1000
_ROUNDING = 1e-6  # machines may differ in the last digits of a logarithm
_ROUNDED = ("low", "high", "evidence")
_CHANGES_COMPS = (b'"player-rated', b'"roll-corrected')  # at a table, of a gaming day that is over


class NotedPlay(Struct, frozen=True):
    """A note of a server: its entry, its office, and the earliest moment at which its figures may have been read."""

    entry: Entry
    office: str
    note: PlayNote
    since: str


def noted_play(entry: Entry, command: object) -> Iterator[NotedPlay]:
    """Yield the note of play in an entry of an office, if it has one."""
    if isinstance(command, PlayNote):
        since = later(entry.at, -_READ_SECONDS)
        yield NotedPlay(entry, entry.stream.removeprefix(OFFICE_STREAM), command, since)


def noted_play_faults(noted: Sequence[NotedPlay], read: Callable[[], Iterable[Stored]]) -> Iterator[Fault]:
    """Yield a fault for every note of play whose figures do not follow from the log; `read` reads the log anew."""
    if not noted:
        return
    try:
        unborne = _unborne(read(), noted)
        unborne = _unborne(read(), [own for own, _ in unborne], tries_before=True) if unborne else []
    except ViewsNotReady:
        raise
    except FORGED:  # an entry that cannot be read or folded is told by whoever decides it again
        return
    for own, found in unborne:
        yield Fault(own.entry.sequence, f"{_words(own.note)}; {_found_words(found)}")


def _unborne(
    entries: Iterable[Stored], noted: Sequence[NotedPlay], *, tries_before: bool = False
) -> list[tuple[NotedPlay, PlayNote | None]]:
    """Return the notes that the log does not bear out, each with what it comes to at the note's own entry."""
    left, unborne = list(noted), list[tuple[NotedPlay, PlayNote | None]]()
    with tempfile.TemporaryDirectory() as folder:
        books = _Books(Path(folder) / "views.sqlite")
        for stored in entries:
            entry = stored.entry
            while left and left[0].entry.sequence == entry.sequence:
                own = left.pop(0)
                found = books.note_like(own, own.entry.at)
                if not _is_alike(own.note, found):
                    unborne.append((own, found))
            if not left:
                break
            if tries_before:  # as it was until this entry
                near = [own for own in left if own.since <= entry.at and _may_change(own, entry)]
                borne = [own for own in near if _is_alike(own.note, books.note_like(own, entry.at))]
                left = [own for own in left if own not in borne]
            books.take(stored)
    return unborne


class _Books:
    """The accounts of a log and its offices, as far as it was read."""

    def __init__(self, path: Path) -> None:
        nothing = MemoryLog()  # each stream is read from its first entry on, so nothing is read again
        self._store = ViewStore(path, b"of one reading")
        self._views: tuple[Projection, ...] = (_PlayViews(), OfficeViews(nothing))
        Projector(nothing, self._store, self._views).begin()
        self._states: dict[str, ActState] = {}
        self._waiting: list[Stored] = []

    def take(self, stored: Stored) -> None:
        """Take the next entry of the log."""
        entry = stored.entry
        if entry.stream.startswith(OFFICE_STREAM):
            self._states[entry.stream] = office_after(self._states.get(entry.stream), entry)
        self._waiting.append(stored)
        if len(self._waiting) >= _BATCH:
            self._apply()

    def _apply(self) -> None:
        with self._store.transaction() as writer:
            for view in self._views:
                view.apply(writer, self._waiting)
        self._waiting = []

    def note_like(self, noted: NotedPlay, at: str) -> PlayNote | None:
        """Return what a server would note now in place of a note; None if there is nothing to note."""
        state = self._states.get(OFFICE_STREAM + noted.office) or ActState()
        rules, note, name = OFFICE_RULES.find(state.digest), noted.note, noted.office
        if rules is None or state.facility is None:
            return None
        if self._waiting:
            self._apply()
        if isinstance(note, NoteComp):
            ratings = find_ratings(self._store, name, state, "day", note.day)
            worth = worth_by_patron(ratings).get(note.patron)
            return None if worth is None else NoteComp(patron=note.patron, day=note.day, theoretical=worth)
        if isinstance(note, NoteSkim):
            day = state.facility.gaming_day(at)
            theft = find_theft(self._store, rules, state, state.facility, day)
            place = _place(note)
            return next((found for found in theft.notes() if _place(found) == place), None)
        alarms = find_result_alarms(self._store, rules, state, note.month)
        alarm = next((own for own in alarms if (own.scope, own.subject) == (note.scope, note.subject)), None)
        if alarm is None:
            return None
        return AlarmedResult(alarm, crew_of(self._store, name, alarm.scope, alarm.subject, note.month)).note


class _PlayViews(Projection):
    """What is kept of play, without the log in words and the records beside it that a server's pages show."""

    name, version = "play", 1
    tables: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self._followers: tuple[TableFollower, ...] = (AccountsFollower(), BuyInsFollower(), RollsFollower())
        self._tables: dict[str, LiveTable] = {}
        self.tables = {name: sql for follower in self._followers for name, sql in follower.tables.items()}  # type: ignore[misc]
        self.indexes = tuple(sql for follower in self._followers for sql in follower.indexes)  # type: ignore[misc]

    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        """Write what the next entries of the log do."""
        for stored in entries:
            decision = self._decision(stored.entry) if is_table(stored.entry) else None
            for follower in self._followers:
                follower.note(writer, stored, decision)
        for follower in self._followers:
            follower.store(writer)

    def _decision(self, entry: Entry) -> TableEntry:
        decision = table_entry(self._tables.get(entry.stream), entry)
        self._tables[entry.stream] = decision.after
        return decision


def _may_change(noted: NotedPlay, entry: Entry) -> bool:
    """Return whether an entry may change the figures of a note: one of its office, or of a table that was played at."""
    if not is_table(entry):
        return entry.stream == noted.entry.stream
    return not isinstance(noted.note, NoteComp) or any(tag in bytes(entry.events) for tag in _CHANGES_COMPS)


def _place(note: NoteSkim) -> tuple[str, ...]:
    """Return what tells an alarm about counts from every other."""
    return (note.look, note.kind, note.subject, note.table, note.day, note.shift)


def _is_alike(note: PlayNote, found: PlayNote | None) -> bool:
    """Return whether a note is what was found, but for the last digits of what machines round differently."""
    if found is None:
        return False
    figures, others = asdict(note), asdict(found)
    rounded = [name for name in _ROUNDED if name in figures]
    are_near = all(isclose(figures.pop(name), others.pop(name), rel_tol=_ROUNDING, abs_tol=1) for name in rounded)
    return are_near and figures == others


def _words(note: PlayNote) -> str:
    """Return what a note says."""
    match note:
        case NoteComp():
            return f"notes that play of patron {note.patron} on {note.day} was worth {dollars(note.theoretical)}"
        case NoteSkim():
            what = f"{dollars(note.short)} short in {note.shifts} shifts, {note.evidence:,} to one of {note.bound:,}"
            return f"notes {note.look} of {note.kind} {note.subject} until {note.day} {note.shift}: {what}"
        case _:
            band = f"luck leaves {dollars(note.low)} to {dollars(note.high)}, but for once in {note.bound:,}"
            dealt = f", dealt by {', '.join(note.people)}" if note.people else ""
            what = f"{dollars(note.won)} in {note.rolls:,} rolls, where {band}{dealt}"
            return f"notes that {' '.join(filter(None, (note.scope, note.subject)))} won in {note.month} {what}"


def _found_words(found: PlayNote | None) -> str:
    return "the log has nothing of it to note" if found is None else f"by the log the server {_words(found)}"
