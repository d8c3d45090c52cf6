"""What tables have won, by shift and gaming day, from the events of an office, to the cent.

win = closer + credits + drop - opener - fills, as counted. Where a live table keeps a ledger of keyed wagers, the same
is told with what the ledger had at those counts, and the difference of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from datetime import date, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.figures import Correction
from passline.acts.state import DROPS, INVENTORIES, ShiftKey, Tills, shift_key, thing_key, tills_after
from passline.bookkeeping.act_money import (
    REQUESTS,
    REVERSAL,
    SLIPS_ENDED,
    box_cents,
    came_cents,
    reversed_fills,
    units_cents,
)
from passline.bookkeeping.posting import FigurePosting
from passline.bookkeeping.results import ADDENDUM, SPANS, EnteredAct, TableResult, results_in_order
from passline.money import Cents, dollars

CLOSE_DAY = "close_gaming_day"
"""The act that closes the books of a gaming day."""
GAMING_DAY = "gaming_day"
"""The kind of thing that is closed then; its id is the date."""
_CARRIED = {"accept_fill": ("fills", 1), "prepare_credit": ("credits", 1), "return_credit": ("credits", -1)}


def table_results(events: Iterable[tuple[str, e.ActEvent]], facility: Facility) -> list[TableResult]:
    """Return what each table has won in each shift, in order, from an office's events with their moments."""
    books = OfficeBooks(facility)
    for _, event in events:
        books.take(event)
    return results_in_order((books.result_of(key) for key in books.shifts), books.facility)


class ShiftBook(Struct, frozen=True):
    """What was entered of a table in a shift."""

    result: TableResult
    is_dropped: bool = False
    counts: tuple[int, ...] = ()  # the acts that a ledger is told for
    told: dict[int, int] = {}  # what it had, by act
    untold: dict[int, int] = {}  # what it had too little, by act: a figure was corrected that it had taken up


class OpenBooks(Struct):
    """What books must know of the past to enter the next act: all that is under way."""

    tills: Tills = Tills()
    waiting: dict[int, e.ActDone] = {}  # recorded, and not signed by everybody
    slips: dict[str, tuple[str, int, int]] = {}  # under way: the table, the cents, and the act that asked for it
    counted: dict[str, tuple[int, ShiftKey, int]] = {}  # by box the last count: its number, its shift and the cents
    crews: dict[str, str] = {}  # who is boxperson, or the crew, by table
    closed: dict[str, int] = {}  # gaming days, each with the act that closed it
    trays: dict[str, tuple[int, ...]] = {}  # by table, since its tray was counted last: the acts with figures of it


class OfficeBooks:
    """What tables have won, entered act by act. Shifts and counts may be kept elsewhere: any mapping will do."""

    def __init__(
        self,
        facility: Facility | None,
        *,
        shifts: MutableMapping[ShiftKey, ShiftBook] | None = None,
        counts: MutableMapping[int, ShiftKey] | None = None,
        postings: MutableMapping[int, tuple[FigurePosting, ...]] | None = None,
        under_way: OpenBooks | None = None,
    ) -> None:
        self._facility = facility
        self.shifts: MutableMapping[ShiftKey, ShiftBook] = {} if shifts is None else shifts
        self.under_way = under_way or OpenBooks()
        self.touched: set[ShiftKey] = set()  # shifts whose result may be another
        self._counts: MutableMapping[int, ShiftKey] = {} if counts is None else counts
        self._postings: MutableMapping[int, tuple[FigurePosting, ...]] = {} if postings is None else postings

    @property
    def facility(self) -> Facility:
        """The facility that the office is set up for."""
        assert self._facility is not None
        return self._facility

    def take(self, event: e.ActEvent) -> None:
        """Enter an event of the office."""
        waiting = self.under_way.waiting
        match event:
            case e.OfficeSetUp():
                self._facility = event.facility
            case e.ActDone():
                self.under_way.waiting = {**waiting, event.number: event}
            case e.ActVoided() | e.ActCompleted():
                done = waiting.get(event.number)
                self.under_way.waiting = {number: act for number, act in waiting.items() if number != event.number}
                if done is not None and isinstance(event, e.ActCompleted):
                    if event.corrects is not None:
                        self._put_right(done, event.corrects)
                    else:
                        self._enter(done, event)
            case e.LedgerTold():
                if (key := self._counts.get(event.act)) is not None:
                    book = self.shifts[key]
                    self._keep(key, replace(book, told={**book.told, event.act: event.ledger}))
            case _:
                pass

    def _enter(self, done: e.ActDone, completed: e.ActCompleted) -> None:  # noqa: C901 - a case per kind of act
        """Enter an act that has taken effect."""
        own = self.under_way
        before, own.tills = own.tills, tills_after(own.tills, done, self.facility)
        about = done.things[0] if done.things else ""
        if done.act in INVENTORIES:
            self._count(done, before)
        elif done.act in DROPS and (key := shift_key(done, self.facility)):
            self._add(key, done)
            self._keep(key, replace(self.shifts[key], is_dropped=True))
        elif done.act in REQUESTS:
            own.slips = {**own.slips, about: (done.fields["table"], units_cents(done.fields["units"]), done.number)}
        elif done.act in _CARRIED and about in own.slips:
            self._carry(done, about)
        elif done.act == REVERSAL:
            self._reverse(done, completed)
        elif done.act == "count_box" and about in before.boxes:
            self._count_box(done, before.boxes[about])
        elif done.act == "correct_count" and about in own.counted:
            self._correct(done, about)
        elif done.act == "set_crew":
            crew = done.fields.get("boxperson") or ", ".join(done.fields.get("crew") or ())
            own.crews = {**own.crews, about: str(crew)}
        elif done.act == CLOSE_DAY:
            own.closed = {**own.closed, about: done.number}
        if done.act in SLIPS_ENDED:
            own.slips = {slip: request for slip, request in own.slips.items() if slip != about}

    def _count_box(self, done: e.ActDone, key: ShiftKey) -> None:
        cents = box_cents(done.fields)
        self.under_way.counted = {**self.under_way.counted, done.things[0]: (done.number, key, cents)}
        self._add(key, done, drop=cents)
        self._post(done.number, key, "drop", cents)
        self._hold(key, done)

    def _post(self, act: int, key: ShiftKey, column: str, cents: int, sign: int = 1) -> None:
        """Keep where the figure of an act stands, in case it must be put right."""
        self._postings[act] = (*self._postings.get(act, ()), FigurePosting(key, column, sign, cents))
        if column != "drop":
            trays = self.under_way.trays
            self.under_way.trays = {**trays, key[0]: (*trays.get(key[0], ()), act)}

    def _follow(self, table: str, count: int) -> None:
        """Note that a tray is counted: whatever came or went before is in what its ledger has there."""
        for act in self.under_way.trays.get(table, ()):
            self._postings[act] = tuple(replace(posting, followed=count) for posting in self._postings[act])
        self.under_way.trays = {**self.under_way.trays, table: ()}

    def _put_right(self, done: e.ActDone, correction: Correction) -> None:
        """Enter the difference that a correction makes wherever its first act stands; of a closed day, in an addendum.

        The books of a closed day stay as they were closed.
        """
        own = self.under_way
        for slip, (table, cents, asked) in own.slips.items():
            if asked == correction.first:
                more = units_cents(correction.now.get("units")) - units_cents(correction.was.get("units"))
                own.slips = {**own.slips, slip: (table, cents + more, asked)}
        if not (postings := self._postings.get(correction.first, ())):
            return
        self._tell_more(done, correction, postings)
        self._postings[correction.first] = tuple(
            self._post_difference(done, correction, posting) for posting in postings
        )

    def _tell_more(self, done: e.ActDone, correction: Correction, postings: Sequence[FigurePosting]) -> None:
        """Put right what a ledger had at the next count of a tray, since the figure that was wrong was in it."""
        first, act = postings[0], postings[0].followed
        if first.column == "drop" or act not in self._counts:
            return
        value = _COLUMN_CENTS[first.column]
        more = value(correction.now) - value(correction.was)
        if first.column in _SLIP_SIGNS:
            more *= _SLIP_SIGNS[first.column] * sum(posting.sign for posting in postings)
        key = self._counts[act]
        if self._is_closed(key):
            if act not in self.shifts[key].told:
                return
            key, act = (key[0], self._open_day(done), ADDENDUM), done.number
        book = self.shifts.get(key) or ShiftBook(TableResult(table=key[0], day=key[1], shift=key[2]), is_dropped=True)
        self._keep(key, replace(book, untold={**book.untold, act: book.untold.get(act, 0) + more}))

    def _post_difference(self, done: e.ActDone, correction: Correction, posting: FigurePosting) -> FigurePosting:
        value = _COLUMN_CENTS[posting.column]
        more = value(correction.now) - value(correction.was)
        if not more:
            return posting
        after = posting.cents + more
        said, key = f"act {done.number} corrects act {correction.last}", posting.key
        if self._is_closed(key):
            table, day, shift = key
            key = (table, self._open_day(done), ADDENDUM)
            said += f" of {day} {shift}, {posting.column}"
        self._sum_up(key, done, {posting.column: posting.sign * more}, is_correction=True)
        if key != posting.key:
            book = self.shifts[key]
            is_covered = self.result_of(posting.key).ledger is not None
            untold = {done.number: 0, **book.untold} if is_covered else book.untold
            self._keep(key, replace(book, is_dropped=True, untold=untold))
        self._note(key, f"{said}: ${dollars(posting.cents)} to ${dollars(after)}")
        return replace(posting, cents=after)

    def _open_day(self, done: e.ActDone) -> date:
        """Return the gaming day of a correction, or the next one whose books are not closed."""
        day = self.facility.gaming_day(done.occurred)
        while str(day) in self.under_way.closed:
            day += timedelta(days=1)
        return day

    def _correct(self, done: e.ActDone, box: str) -> None:
        """Enter the correction of a count in the shift whose drop it was: the difference, and that it is one."""
        number, key, before = self.under_way.counted[box]
        if done.fields["corrects"] != number:
            return
        after = box_cents(done.fields)
        self.under_way.counted = {**self.under_way.counted, box: (done.number, key, after)}
        said = f"act {done.number} corrects act {number}: ${dollars(before)} to ${dollars(after)}"
        if self._is_closed(key):
            said += ", after the day was closed"
        self._sum_up(key, done, {"drop": after - before}, is_correction=True)
        self._note(key, said)

    def _count(self, done: e.ActDone, before: Tills) -> None:
        if (key := shift_key(done, self.facility)) is None:
            return
        table, counted = key[0], units_cents(done.fields.get("chips"))
        begun = before.open.get(table)
        if begun is not None:
            self.touched.add(begun)
        self._follow(table, done.number)
        if done.act == "count_opener":
            self._add(key, done, opener=counted)
            self._post(done.number, key, "opener", counted)
            return
        self._add(key, done, closer=counted)
        self._post(done.number, key, "closer", counted)
        self._hold(key, done)
        if begun is not None and begun != key:
            reason = f"{SPANS}{begun[1]} {begun[2]} and {key[1]} {key[2]}"
            for shift in (begun, key):
                result = self.shifts[shift].result
                self._keep(
                    shift, replace(self.shifts[shift], result=replace(result, missing=(*result.missing, reason)))
                )
        if done.act == "count_shift":
            following = self.under_way.tills.open[table]
            self._sum_up(following, done, {"opener": counted})
            self._post(done.number, following, "opener", counted)

    def _carry(self, done: e.ActDone, slip: str) -> None:
        """Enter a fill or credit of an open table; what a closed one gets is in its next opener.

        A fill is in the tray when it is accepted there, and a credit is not when it was made up there.
        """
        table, cents, asked = self.under_way.slips[slip]
        if (came := came_cents(done)) is not None:
            cents, asked = came, done.number  # whatever the slip is corrected to, this came
        if key := self.under_way.tills.open.get(table):
            column, sign = _CARRIED[done.act]
            self._add(key, done, **{column: sign * cents})
            self._post(asked, key, column, cents, sign)

    def _reverse(self, done: e.ActDone, completed: e.ActCompleted) -> None:
        """Enter that a fill went back out of the tray of an open table."""
        for table, cents in reversed_fills(completed):
            if key := self.under_way.tills.open.get(table):
                self._add(key, done, fills=-cents)

    def _hold(self, key: ShiftKey, done: e.ActDone) -> None:
        """Enter that a ledger is told for a count."""
        self._counts[done.number] = key
        self._keep(key, replace(self.shifts[key], counts=(*self.shifts[key].counts, done.number)))

    def _add(self, key: ShiftKey, done: e.ActDone, **cents: int) -> None:
        self._sum_up(key, done, cents)
        if self._is_closed(key):
            self._note(key, f"act {done.number} came after the day was closed")

    def _sum_up(self, key: ShiftKey, done: e.ActDone, cents: Mapping[str, int], *, is_correction: bool = False) -> None:
        book = self.shifts.get(key) or ShiftBook(TableResult(table=key[0], day=key[1], shift=key[2]))
        result, crew = book.result, self.under_way.crews.get(key[0], "")
        more: dict[str, Any] = {name: Cents(getattr(result, name) + amount) for name, amount in cents.items()}
        if crew and crew not in result.crews:
            more["crews"] = (*result.crews, crew)
        about = thing_key(done.kind, done.things[0])
        entered = (EnteredAct(name, done.number, about, amount, is_correction) for name, amount in cents.items())
        more["acts"] = (*result.acts, *entered)
        self._keep(key, replace(book, result=replace(result, **more)))

    def _note(self, key: ShiftKey, correction: str) -> None:
        result = self.shifts[key].result
        after = replace(result, corrections=(*result.corrections, correction))
        self._keep(key, replace(self.shifts[key], result=after))

    def _is_closed(self, key: ShiftKey) -> bool:
        return str(key[1]) in self.under_way.closed

    def _keep(self, key: ShiftKey, book: ShiftBook) -> None:
        self.shifts[key] = book
        self.touched.add(key)

    def result_of(self, key: ShiftKey) -> TableResult:
        """Return the result of a table in a shift, with what is missing."""
        book, tills = self.shifts[key], self.under_way.tills
        missing = list(book.result.missing)
        if key in tills.open.values():
            missing.append("the closer")
        if not book.is_dropped:
            missing.append("the drop")
        missing += (f"the count of box {box}" for box, of in tills.boxes.items() if of == key)
        is_covered = bool(book.counts if key[2] != ADDENDUM else book.untold) and {*book.counts} <= {*book.told}
        had = sum(book.told[act] for act in book.counts) + sum(book.untold.values()) if is_covered else 0
        ledger = Cents(had) if is_covered else None
        return replace(book.result, missing=tuple(missing), ledger=ledger)


_SLIP_SIGNS = {"fills": 1, "credits": -1}  # what a slip brings to the tray
_COLUMN_CENTS: dict[str, Callable[[Mapping[str, Any]], int]] = {
    **dict.fromkeys(("opener", "closer"), lambda fields: units_cents(fields.get("chips"))),
    **dict.fromkeys(("fills", "credits"), lambda fields: units_cents(fields.get("units"))),
    "drop": box_cents,
}  # what a column has of the fields of an act
