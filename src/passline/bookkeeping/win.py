"""What tables have won, by shift and gaming day, from the events of an office, to the cent.

win = closer + credits + drop - opener - fills, as counted. If a live table keeps a ledger of keyed wagers, the same sum
is also given with what the ledger had at those counts, and the difference between the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.figures import Correction
from passline.acts.tills import DROPS, INVENTORIES, ShiftKey, Tills, shift_key, tills_after
from passline.bookkeeping.act_money import (
    MARKERS,
    REQUESTS,
    REVERSAL,
    SLIPS_ENDED,
    box_cents,
    came_cents,
    count_with_it,
    marker_cents,
    reversed_fills,
    units_cents,
)
from passline.bookkeeping.moved_counts import MovedCounts
from passline.bookkeeping.pits import AREA, NO_PIT, pits_after, placed_after
from passline.bookkeeping.posting import CountLine, FigurePosting, LooseCarry
from passline.bookkeeping.results import ADDENDUM, TableResult, results_in_order
from passline.bookkeeping.shift_books import PIT
from passline.money import amount_text

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


class OfficeBooks(MovedCounts):
    """What tables have won, entered act by act."""

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
                    self.under_way.pits = pits_after(self.under_way.pits, event)
                    self.under_way.placed = placed_after(self.under_way.placed, event)
                    self._note_lost(done, event)
                    if event.corrects is not None:
                        self._put_right(done, event.corrects)
                    else:
                        self._enter(done, event)
            case e.LedgerTold():
                if (line := self.counts.get(event.act)) is not None:
                    book = self.shifts[line.key]
                    self.keep(line.key, replace(book, told={**book.told, event.act: event.ledger}))
            case _:
                pass

    def _enter(self, done: e.ActDone, completed: e.ActCompleted) -> None:  # noqa: C901 - a case per kind of act
        """Enter an act that has taken effect."""
        own = self.under_way
        before, own.tills = own.tills, tills_after(own.tills, done, self.facility)
        about = done.things[0] if done.things else ""
        if done.act in INVENTORIES:
            is_late = any(move.since for move in completed.figures)
            self._count(done, before, is_late=is_late)
            if is_late and done.number in self.counts:
                self.carry_over(done, own.tills.open.get(about))
        elif done.act in DROPS and (key := shift_key(done, self.facility)):
            self._add(key, done)
            self.keep(key, replace(self.shifts[key], is_dropped=True))
        elif done.act in REQUESTS:
            own.slips = {**own.slips, about: (done.fields["table"], units_cents(done.fields["units"]), done.number)}
        elif done.act in _CARRIED and about in own.slips:
            self._carry(done, completed, about)
        elif done.act == REVERSAL:
            self._reverse(done, completed)
        elif done.act in MARKERS:
            self._draw(done, completed)
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

    def _note_lost(self, done: e.ActDone, completed: e.ActCompleted) -> None:
        """Enter chips that nobody can explain: an opener is not the last closer, or others came than a slip says."""
        lost = sum(
            units_cents(move.units) * ((move.target == _UNEXPLAINED) - (move.source == _UNEXPLAINED))
            for move in completed.moves
        )
        about = done.things[0] if done.things else ""
        if not lost:
            return
        if completed.corrects is not None:
            posted = self.postings.get(completed.corrects.first, ())
            key = posted[0].key if posted else None
        elif about in self.under_way.slips:
            key = self.under_way.tills.open.get(self.under_way.slips[about][0])
        else:
            key = shift_key(done, self.facility)
        if key is not None:
            book = self.book(key)
            self.keep(key, replace(book, lost=book.lost + lost))

    def _count_box(self, done: e.ActDone, key: ShiftKey) -> None:
        cents = box_cents(done.fields)
        self.under_way.counted = {**self.under_way.counted, done.things[0]: (done.number, key, cents)}
        self._add(key, done, drop=cents)
        self._post(done.number, FigurePosting(key, "drop", 1, cents))
        self.counts[done.number] = CountLine(key)
        self._hold(key, done)

    def _post(self, act: int, posting: FigurePosting) -> None:
        """Keep where the figure of an act stands, in case it must be put right."""
        key = posting.key
        self.postings[act] = (*self.postings.get(act, ()), posting)
        self.keep(key, replace(self.shifts[key], standing=self.shifts[key].standing + 1))
        if posting.column != "drop":
            trays = self.under_way.trays
            self.under_way.trays = {**trays, key[0]: (*trays.get(key[0], ()), act)}

    def _follow(self, table: str, count: int) -> None:
        """Note that a tray is counted: whatever came or went before is in what its ledger has there."""
        for act in self.under_way.trays.get(table, ()):
            self.postings[act] = tuple(replace(posting, followed=count) for posting in self.postings[act])
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
        if not (postings := self.postings.get(correction.first, ())):
            return
        if postings[0].column == PIT:
            self._move_to_pit(done, correction, postings)
            return
        self._tell_more(done, correction, postings)
        self.postings[correction.first] = tuple(
            self._post_difference(done, correction, posting) for posting in postings
        )
        self.move_count(done, correction)

    def _move_to_pit(self, done: e.ActDone, correction: Correction, postings: Sequence[FigurePosting]) -> None:
        """Have shifts of a table count in the pit where it stood; those of closed days stay as they were closed."""
        if AREA not in correction.now:
            return
        was, now = (str(said.get(AREA) or "") for said in (correction.was, correction.now))
        for key in (posting.key for posting in postings if not self.is_closed(posting.key)):
            book = self.book(key)
            self.keep(key, replace(book, result=replace(book.result, pit=now)))
            self.note(key, f"act {done.number} corrects act {correction.last}: {was or NO_PIT} to {now or NO_PIT}")

    def _tell_more(self, done: e.ActDone, correction: Correction, postings: Sequence[FigurePosting]) -> None:
        """Put right what a ledger had at the next count of a tray, since the figure that was wrong was in it."""
        first = postings[0]
        if first.column == "drop":
            return
        value = _COLUMN_CENTS[first.column]
        more = value(correction.now) - value(correction.was)
        if first.column in _SLIP_SIGNS:
            more *= _SLIP_SIGNS[first.column] * sum(posting.sign for posting in postings)
        self._put_ledger_right(done, first.followed, more)

    def _put_ledger_right(self, done: e.ActDone, act: int, more: int) -> None:
        """Note that a ledger had so much too little at a count of a tray; of a closed day, in an addendum."""
        if (line := self.counts.get(act)) is None or not line.is_held:
            return
        key = line.key
        if self.is_closed(key):
            if act not in self.shifts[key].told:
                return
            self.correct_closed(key, "ledger", more)
            key, act = (key[0], self.open_day(done), ADDENDUM), done.number
        book = self.book(key)
        self.keep(key, replace(book, untold={**book.untold, act: book.untold.get(act, 0) + more}))

    def _post_difference(self, done: e.ActDone, correction: Correction, posting: FigurePosting) -> FigurePosting:
        value = _COLUMN_CENTS[posting.column]
        more = value(correction.now) - value(correction.was)
        if not more:
            return posting
        after = posting.cents + more
        said, key = f"act {done.number} corrects act {correction.last}", posting.key
        if self.is_closed(key):
            table, day, shift = key
            key = (table, self.open_day(done), ADDENDUM)
            said += f" of {day} {shift}, {posting.column}"
            self.correct_closed(posting.key, posting.column, posting.sign * more)
        self.sum_up(key, done, {posting.column: posting.sign * more}, is_correction=True)
        if key != posting.key:
            book = self.shifts[key]
            is_covered = self.result_of(posting.key).ledger is not None
            untold = {done.number: 0, **book.untold} if is_covered else book.untold
            self.keep(key, replace(book, is_dropped=True, untold=untold))
        self.note(key, f"{said}: {amount_text(posting.cents)} to {amount_text(after)}")
        return replace(posting, cents=after)

    def _correct(self, done: e.ActDone, box: str) -> None:
        """Enter the correction of a count in the shift whose drop it was: the difference, and that it is one."""
        number, key, before = self.under_way.counted[box]
        if done.fields["corrects"] != number:
            return
        after = box_cents(done.fields)
        self.under_way.counted = {**self.under_way.counted, box: (done.number, key, after)}
        said = f"act {done.number} corrects act {number}: {amount_text(before)} to {amount_text(after)}"
        if self.is_closed(key):
            said += ", after the day was closed"
        self.sum_up(key, done, {"drop": after - before}, is_correction=True)
        self.note(key, said)

    def _count(self, done: e.ActDone, before: Tills, *, is_late: bool) -> None:
        if (key := shift_key(done, self.facility)) is None:
            return
        table, counted = key[0], units_cents(done.fields.get("chips"))
        begun = before.open.get(table)
        if begun is not None:
            self.touched.add(begun)
        self._follow(table, done.number)
        self._line_up(done, key, begun, is_late=is_late)
        if done.act == "count_opener":
            self._add(key, done, opener=counted)
            self._post(done.number, FigurePosting(key, "opener", 1, counted))
            return
        self._add(key, done, closer=counted)
        self._post(done.number, FigurePosting(key, "closer", 1, counted))
        self._hold(key, done)
        if begun is not None and begun != key:
            for shift in (begun, key):
                self.note_span(shift, begun, key)
        if done.act == "count_shift":
            following = self.under_way.tills.open[table]
            self.sum_up(following, done, {"opener": counted})
            self._post(done.number, FigurePosting(following, "opener", 1, counted))

    def _line_up(self, done: e.ActDone, key: ShiftKey, begun: ShiftKey | None, *, is_late: bool) -> None:
        """Enter a count of a tray behind the one before it."""
        own, table = self.under_way, key[0]
        previous = own.last.get(table, 0)
        if (before := self.counts.get(previous)) is not None:
            self.counts[previous] = replace(before, following=done.number)
        self.counts[done.number] = CountLine(
            key,
            is_held=done.act != "count_opener",
            act=done.act,
            occurred=done.occurred,
            gaming_day=done.fields.get("gaming_day") or "",
            begun=begun,
            previous=previous,
        )
        own.last = {**own.last, table: done.number}
        since = tuple(carry for carry in own.loose.get(table, ()) if carry.occurred > done.occurred)
        own.loose = {name: carries for name, carries in own.loose.items() if name != table}
        own.loose |= {table: since} if since and is_late else {}

    def _carry(self, done: e.ActDone, completed: e.ActCompleted, slip: str) -> None:
        """Enter a fill or credit of an open table; what a closed one gets is in its next opener.

        A fill is in the tray when it is accepted there, and a credit is not when it was made up there.
        """
        table, cents, asked = self.under_way.slips[slip]
        if (came := came_cents(done)) is not None:
            cents, asked = came, done.number  # whatever the slip is corrected to, this came
        column, sign = _CARRIED[done.act]
        self._bring(done, completed, table, LooseCarry(asked, done.number, column, sign, cents, done.occurred))

    def _bring(self, done: e.ActDone, completed: e.ActCompleted, table: str, carry: LooseCarry) -> None:
        """Enter what came to a tray, or left it, in the shift that is open there; without one, in none."""
        if count := count_with_it(completed, table):
            self._bring_before(done, carry, count)
            return
        own = self.under_way
        if (key := own.tills.open.get(table)) is None:
            own.loose = {**own.loose, table: (*own.loose.get(table, ()), carry)}
            return
        self._add(key, done, **{carry.column: carry.sign * carry.cents})
        figure = (carry.column, carry.sign, carry.cents)
        posting = FigurePosting(key, *figure, carried=carry.carried, occurred=carry.occurred)
        self._post(carry.of, posting)
        if (line := self.counts.get(own.last.get(table, 0))) is not None:
            self.counts[own.last[table]] = replace(line, carried=(*line.carried, carry.of))

    def _bring_before(self, done: e.ActDone, carry: LooseCarry, count: int) -> None:
        """Enter what came to a tray, or left it, before a count that was told first: in the shift that was open then.

        It was in the tray that was counted. Its ledger was told of it too late. Of a closed day, it is in an addendum;
        where no shift was open it is in the opener.
        """
        line = self.counts.get(count)
        if line is None or line.begun is None:
            return
        figure = (carry.column, carry.sign, carry.cents)
        posting = FigurePosting(line.begun, *figure, followed=count, carried=carry.carried, occurred=carry.occurred)
        self.enter_late(done, count, posting)
        self.postings[carry.of] = (*self.postings.get(carry.of, ()), posting)
        if (previous := self.counts.get(line.previous)) is not None:
            self.counts[line.previous] = replace(previous, carried=(*previous.carried, carry.of))
        self._put_ledger_right(done, count, _SLIP_SIGNS[carry.column] * carry.sign * carry.cents)

    def _reverse(self, done: e.ActDone, completed: e.ActCompleted) -> None:
        """Enter that a fill went back out of the tray of an open table."""
        for table, cents in reversed_fills(completed):
            self._bring(done, completed, table, LooseCarry(done.number, done.number, "fills", -1, cents, done.occurred))

    def _draw(self, done: e.ActDone, completed: e.ActCompleted) -> None:
        """Enter chips that left the tray of an open table for a marker or front money, as a credit of the table."""
        for table, cents in marker_cents(completed):
            if (key := self.under_way.tills.open.get(table)) is not None:
                self._add(key, done, credits=cents)

    def _hold(self, key: ShiftKey, done: e.ActDone) -> None:
        """Enter that a ledger is told for a count."""
        self.keep(key, replace(self.shifts[key], counts=(*self.shifts[key].counts, done.number)))

    def _add(self, key: ShiftKey, done: e.ActDone, **cents: int) -> None:
        self.sum_up(key, done, cents)
        if self.is_closed(key):
            self.note(key, f"act {done.number} came after the day was closed")


_UNEXPLAINED = "unexplained"  # where the pages put what is not there
_SLIP_SIGNS = {"fills": 1, "credits": -1}  # what a slip brings to the tray
_COLUMN_CENTS: dict[str, Callable[[Mapping[str, Any]], int]] = {
    **dict.fromkeys(("opener", "closer"), lambda fields: units_cents(fields.get("chips"))),
    **dict.fromkeys(("fills", "credits"), lambda fields: units_cents(fields.get("units"))),
    "drop": box_cents,
}  # what a column has of the fields of an act
