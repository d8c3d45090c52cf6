"""Moves a count of a tray that was entered for the wrong shift or table to the right one, when it is corrected.

What came to the tray or left it since moves with it. Both shifts are marked, or the addendum of a day that is closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.shifts import day_of_shift
from passline.acts.figures import INSTEAD, Correction
from passline.acts.tills import INVENTORIES, WHERE_COUNTED, ShiftKey, opened_shift, with_open
from passline.bookkeeping.posting import CountLine, FigurePosting, LooseCarry
from passline.bookkeeping.results import ADDENDUM, SettledDay, TableResult, total_result
from passline.bookkeeping.shift_books import ShiftBooks, SinceClosed, TakenOut, missing_with_span
from passline.money import amount_text


class MovedCounts(ShiftBooks):
    """Books in which counts of trays are moved by corrections."""

    _put_right_days: frozenset[tuple[str, date]] = frozenset()  # of tables, closed: what was corrected of them just now

    def move_count(self, done: e.ActDone, correction: Correction) -> None:
        """Move a count to the shift, and the table, that a correction says."""
        line = self.counts.get(correction.first)
        if line is None or line.act not in INVENTORIES or WHERE_COUNTED.isdisjoint(correction.now):
            return
        table, gaming_day = correction.now.get(INSTEAD, line.key[0]), correction.now.get("gaming_day", line.gaming_day)
        shift = correction.now.get("shift", line.key[2])
        day = date.fromisoformat(gaming_day) if gaming_day else day_of_shift(line.occurred, shift, self.facility)
        after = replace(line, key=(table, day, shift), gaming_day=gaming_day or "")
        if table == line.key[0]:
            self._to_another_shift(done, correction.first, line, after)
        else:
            self._to_another_table(done, correction.first, line, after)
        self._settle_days(done, self._put_right_days)
        self._put_right_days = frozenset()

    def _settle_days(self, done: e.ActDone, days: Iterable[tuple[str, date]]) -> None:
        """Enter the gaming days that were closed as not known, and are known with a correction, in an addendum.

        None of their figures was in any sum: now all of them are there. If another correction makes one unknown again,
        they are taken out. One that was closed as known and is not any more is taken out, and put back, likewise.
        """
        own = self.under_way
        for table, day in sorted(days):
            keys = ((table, day, shift.name) for shift in self.facility.shifts)
            known = [key for key in keys if key in self.shifts]
            closed = total_result(self.result_of(key) for key in known)
            now = [self.result_of(key, own.since_closed.get(_shift_words(key))) for key in known]
            is_known, place = total_result(now).win is not None, f"{table} {day}"
            if closed.win is not None:
                self._take_day_out(done, known, closed, is_known=is_known)
                continue
            if is_known == (place in own.settled):
                continue
            at = (table, self.open_day(done), ADDENDUM)
            self._enter_day(done, at, _figures_of(closed), day, 1 if is_known else -1)
            if is_known:
                is_played = not all(result.is_emptied for result in now)
                own.settled = {**own.settled, place: at}
                self._settle(at, day, SettledDay(day, is_played, is_played and closed.ledger is not None))
            else:
                self._settle(own.settled[place], day, None)
                own.settled = {name: where for name, where in own.settled.items() if name != place}

    def _take_day_out(
        self, done: e.ActDone, shifts: Sequence[ShiftKey], closed: TableResult, *, is_known: bool
    ) -> None:
        """Take the figures of a gaming day that was closed as known out of all sums, or put them back.

        They are its figures as it was closed, with all that was corrected since.
        """
        own, (table, day, _) = self.under_way, shifts[0]
        place, at = f"{table} {day}", (table, self.open_day(done), ADDENDUM)
        if is_known == (place not in own.taken_out):
            return
        if is_known:
            taken = own.taken_out[place]
            self._enter_day(done, at, taken.figures, day, 1, said="closed as known, is known again")
            self._settle(taken.at, day, None)
            own.taken_out = {name: out for name, out in own.taken_out.items() if name != place}
            return
        since = [own.since_closed[_shift_words(key)] for key in shifts if _shift_words(key) in own.since_closed]
        figures = Counter(_figures_of(closed))
        for corrected in since:
            figures.update({key: cents for key, cents in corrected.figures.items() if key != _LEDGER or key in figures})
        self._enter_day(done, at, figures, day, -1, said="closed as known, is not known any more")
        own.taken_out = {**own.taken_out, place: TakenOut(at, dict(figures))}
        is_played = any(not self.result_of(key).is_emptied for key in shifts)
        is_covered = is_played and closed.ledger is not None
        self._settle(at, day, SettledDay(day, is_played, is_covered, is_unknown=True))

    def _settle(self, at: ShiftKey, day: date, settled: SettledDay | None) -> None:
        """Note in an addendum that it makes a gaming day known; None: that it does so no more."""
        book = self.shifts[at]
        left = tuple(known for known in book.result.settles if known.day != day)
        after = replace(book.result, settles=(*left, settled) if settled else left)
        self.keep(at, replace(book, result=after))

    def _enter_day(
        self, done: e.ActDone, at: ShiftKey, figures: Mapping[str, int], day: date, sign: int, *, said: str = ""
    ) -> None:
        """Enter all figures of a closed gaming day in an addendum, or take them out."""
        self.sum_up(
            at, done, {key: sign * cents for key, cents in figures.items() if key != _LEDGER}, is_correction=True
        )
        book = self.shifts[at]
        if _LEDGER in figures:
            untold = {**book.untold, done.number: book.untold.get(done.number, 0) + sign * figures[_LEDGER]}
            self.keep(at, replace(book, untold=untold))
        said = said or f"closed as not known, {'is known' if sign > 0 else 'is not known again'}"
        self.note(at, f"act {done.number}: what was won on {day}, {said} with its corrections")

    def correct_closed(self, key: ShiftKey, column: str, cents: int) -> None:
        """Note by how much a correction changes a figure of a shift whose day is closed."""
        own, name = self.under_way, _shift_words(key)
        before = own.since_closed.get(name) or SinceClosed(self.book(key).result.missing)
        figures = {**before.figures, column: before.figures.get(column, 0) + cents}
        own.since_closed = {**own.since_closed, name: replace(before, figures=figures)}

    def _since_closed(
        self, key: ShiftKey, *, moved: int = 0, span: tuple[ShiftKey, ShiftKey, int] | None = None
    ) -> None:
        """Note what a correction has made of a shift of a closed day."""
        own, name = self.under_way, _shift_words(key)
        before = own.since_closed.get(name) or SinceClosed(self.book(key).result.missing)
        missing = before.missing if span is None else missing_with_span(before.missing, *span)
        after = replace(before, missing=missing, moved=before.moved + moved)
        own.since_closed = {**own.since_closed, name: after}
        self._put_right_days |= {key[:2]}

    def _to_another_shift(self, done: e.ActDone, count: int, line: CountLine, after: CountLine) -> None:
        table = line.key[0]
        before, opened = (opened_shift(line.act, key, self.facility) for key in (line.key, after.key))
        self._respan(line.begun, line.key, sign=-1)
        self._span_of_following(line, before, sign=-1)
        self._move_own(done, count, line, after)
        if opened is not None:
            for act in dict.fromkeys(line.carried):
                self.postings[act] = tuple(
                    self._move(done, count, posting, opened)
                    if posting.key == before and posting.carried > count
                    else posting
                    for posting in self.postings[act]
                )
        self.counts[count] = after
        if line.following:
            following = self.counts[line.following]
            self.counts[line.following] = replace(following, begun=opened)
        else:
            self._open(table, opened)
        self._respan(after.begun, after.key)
        self._span_of_following(after, opened)

    @staticmethod
    def _is_since(posting: FigurePosting, count: int, opened: ShiftKey | None) -> bool:
        """Return whether a figure was carried after a count, in the shift that this had opened."""
        return posting.key == opened and posting.carried > count

    def _to_another_table(self, done: e.ActDone, count: int, line: CountLine, after: CountLine) -> None:
        """Move the last count of one tray to another one that was not counted since either."""
        wrong, right, own = line.key[0], after.key[0], self.under_way
        opened = opened_shift(line.act, after.key, self.facility)
        previous, begun = own.last.get(right, 0), own.tills.open.get(right)
        after = replace(after, begun=begun, previous=previous, carried=())
        self._respan(line.begun, line.key, sign=-1)
        self._move_own(done, count, line, after)
        self.counts[count] = after
        back = self._carry_elsewhere(done, count, wrong, count, line.begun)
        there = self._carry_elsewhere(done, count, right, previous, opened)
        for act, carried in ((line.previous, back), (count, there)):
            if act in self.counts:
                self.counts[act] = replace(self.counts[act], carried=(*self.counts[act].carried, *carried), following=0)
        if previous in self.counts:
            self.counts[previous] = replace(self.counts[previous], following=count)
        own.last = {**own.last, wrong: line.previous, right: count}
        trays = {table: tuple(act for act in acts if act != count) for table, acts in own.trays.items()}
        own.trays = {**trays, right: (*trays.get(right, ()), count)}
        self._open(wrong, line.begun)
        self._open(right, opened)
        self._respan(after.begun, after.key)

    def carry_over(self, done: e.ActDone, to: ShiftKey | None) -> None:
        """Move what came or went after the moment of a count, but was recorded before it, to the shift that it opened.

        `to` is that shift; None: the count has opened none.
        """
        line = self.counts[done.number]
        there = self._carry_elsewhere(done, done.number, line.key[0], line.previous, to, moment=done.occurred)
        self.counts[done.number] = replace(line, carried=there)

    def _carry_elsewhere(
        self, done: e.ActDone, count: int, table: str, under: int, to: ShiftKey | None, *, moment: str = ""
    ) -> tuple[int, ...]:
        """Enter what came to a tray or left it since a count in another shift; None: none was open.

        It stands under the count `under` until now. Return the acts whose figures stand in the other shift. With a
        moment, that counts, and not what was recorded first.
        """

        def is_before(carry: FigurePosting | LooseCarry) -> bool:
            return carry.occurred <= moment if moment else carry.carried <= count

        own, loose = self.under_way, list[LooseCarry]()
        line, acts = self.counts.get(under), dict[int, None]()
        for act in dict.fromkeys(line.carried if line else ()):
            left = list[FigurePosting]()
            for posting in self.postings[act]:
                if is_before(posting) or posting.key[0] != table:
                    left.append(posting)
                elif to is None:
                    self._enter_figure(done, count, posting.key, posting, -1)
                    figure = (posting.column, posting.sign, posting.cents, posting.occurred)
                    loose.append(LooseCarry(act, posting.carried, *figure))
                else:
                    left.append(self._move(done, count, posting, to))
                    acts[act] = None
            self.postings[act] = tuple(left)
        if line is not None:
            self.counts[under] = replace(line, carried=tuple(act for act in line.carried if act not in acts))
        for carry in own.loose.get(table, ()):
            if to is None or is_before(carry):
                loose.append(carry)
                continue
            brought = (carry.column, carry.sign, carry.cents)
            posting = FigurePosting(to, *brought, carried=carry.carried, occurred=carry.occurred)
            self._enter_figure(done, count, to, posting, 1)
            self.postings[carry.of] = (*self.postings.get(carry.of, ()), posting)
            acts[carry.of] = None
        own.loose = {**own.loose, table: tuple(loose)}
        return tuple(acts)

    def _move_own(self, done: e.ActDone, count: int, line: CountLine, after: CountLine) -> None:
        """Move the figures of a count, and what its ledger had."""
        opened = opened_shift(line.act, after.key, self.facility)
        self.postings[count] = tuple(
            self._move(done, count, posting, after.key if posting.key == line.key or opened is None else opened)
            for posting in self.postings[count]
        )
        if not line.is_held or line.key == after.key:
            return
        book = self.shifts[line.key]
        told, untold = book.told.get(count), book.untold.get(count)
        if not self.is_closed(line.key):
            left = tuple(act for act in book.counts if act != count)
            without = ({act: cents for act, cents in of.items() if act != count} for of in (book.told, book.untold))
            self.keep(line.key, replace(book, counts=left, **dict(zip(("told", "untold"), without, strict=True))))
        elif told is not None:
            self._tell_addendum(line.key, done, -told)
        if self.is_closed(after.key):
            if told is not None:
                self._tell_addendum(after.key, done, told)
            return
        book = self.book(after.key)
        self.keep(
            after.key,
            replace(
                book,
                counts=(*book.counts, count),
                told=book.told if told is None else {**book.told, count: told},
                untold=book.untold if untold is None else {**book.untold, count: untold},
            ),
        )

    def _tell_addendum(self, of: ShiftKey, done: e.ActDone, cents: int) -> None:
        """Note what a ledger had of a shift of a closed day that a count of it was moved to, or from."""
        self.correct_closed(of, _LEDGER, cents)
        key = (of[0], self.open_day(done), ADDENDUM)
        book = self.book(key)
        self.keep(key, replace(book, untold={**book.untold, done.number: book.untold.get(done.number, 0) + cents}))

    def _move(self, done: e.ActDone, count: int, posting: FigurePosting, key: ShiftKey) -> FigurePosting:
        """Take a figure from the shift where it stands, and enter it in another."""
        if key == posting.key:
            return posting
        self._enter_figure(done, count, posting.key, posting, -1)
        self._enter_figure(done, count, key, posting, 1)
        return replace(posting, key=key)

    def _enter_figure(self, done: e.ActDone, count: int, key: ShiftKey, posting: FigurePosting, sign: int) -> None:
        """Enter a figure in a shift, or take it out; of a closed day, in the addendum."""
        said = f"act {done.number} corrects act {count}" if done.number != count else f"act {count} was told late"
        said += f": {amount_text(posting.cents)}, {posting.column},"
        said += " came from another shift or table" if sign > 0 else " is of another shift or table"
        self._enter_with_note(done, key, posting, sign, said)

    def enter_late(self, done: e.ActDone, count: int, posting: FigurePosting) -> None:
        """Enter a figure in its shift that was recorded after the count of the tray that already included it."""
        amount = f"{amount_text(posting.cents)}, {posting.column}"
        said = f"act {done.number} was told after act {count}, which had it: {amount}"
        is_covered = self.is_closed(posting.key) and self.result_of(posting.key).ledger is not None
        at = self._enter_with_note(done, posting.key, posting, 1, said)
        if is_covered:
            book = self.shifts[at]
            self.keep(at, replace(book, untold={done.number: 0, **book.untold}))

    def _enter_with_note(
        self, done: e.ActDone, key: ShiftKey, posting: FigurePosting, sign: int, said: str
    ) -> ShiftKey:
        """Enter a figure in a shift with a note, or take it out; of a closed day, in the addendum. Return where."""
        at = key
        if self.is_closed(key):
            at = (key[0], self.open_day(done), ADDENDUM)
            said += f", of {key[1]} {key[2]}"
            self._since_closed(key, moved=sign)
            self.correct_closed(key, posting.column, sign * posting.sign * posting.cents)
        self.sum_up(at, done, {posting.column: sign * posting.sign * posting.cents}, is_correction=True)
        self.keep(at, replace(self.shifts[at], standing=self.shifts[at].standing + sign))
        self.note(at, said)
        return at

    def _open(self, table: str, key: ShiftKey | None) -> None:
        """Note which shift of a table is open now; None: none is."""
        tills = self.under_way.tills
        self.touched |= {shift for shift in (tills.open.get(table), key) if shift is not None and shift in self.shifts}
        self.under_way.tills = with_open(tills, table, key)

    def _span_of_following(self, line: CountLine, opened: ShiftKey | None, *, sign: int = 1) -> None:
        following = self.counts.get(line.following) if line.following else None
        if following is not None and following.act != "count_opener":
            self._respan(opened, following.key, sign=sign)

    def _respan(self, begun: ShiftKey | None, key: ShiftKey, *, sign: int = 1) -> None:
        """Note that a count runs over several shifts, or take that back."""
        if begun is None or begun == key:
            return
        for shift in (begun, key):
            if self.is_closed(shift):
                self._since_closed(shift, span=(begun, key, sign))
            else:
                self.note_span(shift, begun, key, sign)


_LEDGER = "ledger"


def _figures_of(closed: TableResult) -> dict[str, int]:
    """Return the figures of a result by column, and what its ledger had if that covers it."""
    columns = ("opener", "closer", "fills", "credits", "drop")
    figures = {column: int(cents) for column in columns if (cents := getattr(closed, column))}
    return figures if closed.ledger is None else {**figures, _LEDGER: int(closed.ledger)}


def _shift_words(key: ShiftKey) -> str:
    return f"{key[0]} {key[1]} {key[2]}"
