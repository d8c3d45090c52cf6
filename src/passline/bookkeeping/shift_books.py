"""The books of tables by shift: what was entered in each, and all that is under way."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from datetime import date, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.state import thing_key
from passline.acts.tills import ShiftKey, Tills
from passline.bookkeeping.posting import CountLine, FigurePosting, LooseCarry
from passline.bookkeeping.results import ADDENDUM, SPANS, EnteredAct, TableResult
from passline.money import Cents

PIT = "pit"
"""The column of a posting that is no figure: in the shift, an act has said in which pit its table stands."""


class ShiftBook(Struct, frozen=True):
    """What was entered for a table in a shift."""

    result: TableResult
    is_dropped: bool = False
    counts: tuple[int, ...] = ()  # the acts that a ledger is told for
    told: dict[int, int] = {}  # what it had, by act
    untold: dict[int, int] = {}  # what it had too little, by act: a figure was corrected that it had taken up
    standing: int = 0  # how many figures stand in it that were not moved to another
    lost: int = 0  # cents of chips that nobody can explain: missing of its opener, or of a slip on its way


class SinceClosed(Struct, frozen=True):
    """Corrections of a shift whose gaming day was closed before; the shift's own book stays as it was closed."""

    missing: tuple[str, ...]  # what is not known with them
    moved: int = 0  # how many more figures would stand in it; below zero, fewer
    figures: dict[str, int] = {}  # by how much its columns, and what its ledger had, are other with them


class TakenOut(Struct, frozen=True):
    """The figures of a table's gaming day that was closed as known and became unknown by a correction."""

    at: ShiftKey  # the addendum that takes them out of all sums
    figures: dict[str, int]  # by column, with what its ledger had


class OpenBooks(Struct):
    """What books must remember to enter the next act: everything that is under way."""

    tills: Tills = Tills()
    waiting: dict[int, e.ActDone] = {}  # recorded, and not signed by everybody
    slips: dict[str, tuple[str, int, int]] = {}  # under way: the table, the cents, and the act that asked for it
    counted: dict[str, tuple[int, ShiftKey, int]] = {}  # by box the last count: its number, its shift and the cents
    crews: dict[str, str] = {}  # who is boxperson, or the crew, by table
    pits: dict[str, str] = {}  # the area in which each table stands
    placed: dict[str, int] = {}  # the act that said so, by table
    closed: dict[str, int] = {}  # gaming days, each with the act that closed it
    since_closed: dict[str, SinceClosed] = {}  # shifts of those that were corrected, by table, day and name
    settled: dict[str, ShiftKey] = {}  # of those, by table and day: closed as not known, known now; in which addendum
    taken_out: dict[str, TakenOut] = {}  # the other way round: closed as known, not known now
    trays: dict[str, tuple[int, ...]] = {}  # by table, since its tray was counted last: the acts with figures of it
    last: dict[str, int] = {}  # the last count of each tray
    loose: dict[str, tuple[LooseCarry, ...]] = {}  # by table, since its tray was counted last


class ShiftBooks:
    """The books of tables by shift. Shifts, counts and postings can be any mutable mappings, such as a database."""

    def __init__(
        self,
        facility: Facility | None,
        *,
        shifts: MutableMapping[ShiftKey, ShiftBook] | None = None,
        counts: MutableMapping[int, CountLine] | None = None,
        postings: MutableMapping[int, tuple[FigurePosting, ...]] | None = None,
        under_way: OpenBooks | None = None,
    ) -> None:
        self._facility = facility
        self.shifts: MutableMapping[ShiftKey, ShiftBook] = {} if shifts is None else shifts
        self.under_way = under_way or OpenBooks()
        self.touched: set[ShiftKey] = set()  # shifts whose result may be another
        self.counts: MutableMapping[int, CountLine] = {} if counts is None else counts
        self.postings: MutableMapping[int, tuple[FigurePosting, ...]] = {} if postings is None else postings

    @property
    def facility(self) -> Facility:
        """The facility that the office is set up for."""
        assert self._facility is not None
        return self._facility

    def sum_up(self, key: ShiftKey, done: e.ActDone, cents: Mapping[str, int], *, is_correction: bool = False) -> None:
        """Add cents to columns of a shift, with the act that brings them."""
        book = self.book(key)
        result, crew = book.result, self.under_way.crews.get(key[0], "")
        more: dict[str, Any] = {name: Cents(getattr(result, name) + amount) for name, amount in cents.items()}
        if crew and crew not in result.crews:
            more["crews"] = (*result.crews, crew)
        about = thing_key(done.kind, done.things[0])
        entered = (EnteredAct(name, done.number, about, amount, is_correction) for name, amount in cents.items())
        more["acts"] = (*result.acts, *entered)
        self.keep(key, replace(book, result=replace(result, **more)))

    def book(self, key: ShiftKey) -> ShiftBook:
        """Return the book of a shift, or a new one; the new book of an addendum waits for no drop."""
        result = TableResult(table=key[0], day=key[1], shift=key[2], pit=self.under_way.pits.get(key[0], ""))
        new = ShiftBook(result, is_dropped=key[2] == ADDENDUM)
        return self.shifts.get(key) or new

    def note(self, key: ShiftKey, correction: str) -> None:
        """Mark a shift with a correction."""
        result = self.shifts[key].result
        after = replace(result, corrections=(*result.corrections, correction))
        self.keep(key, replace(self.shifts[key], result=after))

    def note_span(self, shift: ShiftKey, begun: ShiftKey, key: ShiftKey, sign: int = 1) -> None:
        """Mark a shift as one of two that only a common count covers, or remove that mark."""
        book = self.book(shift)
        missing = missing_with_span(book.result.missing, begun, key, sign)
        self.keep(shift, replace(book, result=replace(book.result, missing=missing)))

    def keep(self, key: ShiftKey, book: ShiftBook) -> None:
        """Keep the book of a shift; if it is new, note on which act its pit depends, in case that act is corrected."""
        if (said := self.under_way.placed.get(key[0])) is not None and key not in self.shifts:
            others = (begun for begun in self.postings.get(said, ()) if not self.is_closed(begun.key))
            self.postings[said] = (*others, FigurePosting(key, PIT, 1, 0))
        self.shifts[key] = book
        self.touched.add(key)

    def is_closed(self, key: ShiftKey) -> bool:
        """Return whether the gaming day of a shift was closed, so that its book does not change any more."""
        return str(key[1]) in self.under_way.closed

    def open_day(self, done: e.ActDone) -> date:
        """Return the gaming day of a correction, or the next one whose books are not closed."""
        day = self.facility.gaming_day(done.occurred)
        while str(day) in self.under_way.closed:
            day += timedelta(days=1)
        return day

    def result_of(self, key: ShiftKey, since: SinceClosed | None = None) -> TableResult:
        """Return the result of a table in a shift, with what is missing.

        With `since`, what is missing takes corrections after the closing into account; the figures stay as closed.
        """
        book, tills = self.shifts[key], self.under_way.tills
        missing, standing = list(since.missing if since else book.result.missing), book.standing
        is_corrected = bool(book.result.corrections)
        if since is not None:
            standing += since.moved
            is_corrected = is_corrected or since.moved < 0
        if key in tills.open.values():
            missing.append("the closer")
        is_emptied = not (missing or standing or book.is_dropped) and is_corrected
        if not book.is_dropped and not is_emptied:
            missing.append("the drop")
        missing += (f"the count of box {box}" for box, of in tills.boxes.items() if of == key)
        is_covered = bool(book.counts if key[2] != ADDENDUM else book.untold) and {*book.counts} <= {*book.told}
        had = sum(book.told[act] for act in book.counts) + sum(book.untold.values()) if is_covered else 0
        ledger = Cents(had) if is_covered else None
        return replace(book.result, missing=tuple(missing), ledger=ledger, is_emptied=is_emptied)


def missing_with_span(missing: tuple[str, ...], begun: ShiftKey, key: ShiftKey, sign: int) -> tuple[str, ...]:
    """Return what is missing of a shift after two shifts were found to have only a common count, or not (`sign` -1).

    >>> day, swing = (("T1", date(2026, 3, 2), shift) for shift in ("day", "swing"))
    >>> missing_with_span((), day, swing, 1)
    ('counted only for 2026-03-02 day and 2026-03-02 swing',)
    """
    reason, left = f"{SPANS}{begun[1]} {begun[2]} and {key[1]} {key[2]}", list(missing)
    if sign > 0:
        left.append(reason)
    elif reason in left:
        left.remove(reason)
    return tuple(left)
