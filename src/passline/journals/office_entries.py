"""Postings of an office's acts: what moved, was counted and was won, each in the shift whose journal it is in.

What tables won is posted as the books of tables enter it, so a journal says what the day's folder says. What moves
between places of chips is posted as the log moved it. Both meet in clearing accounts, which come to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from passline.acts import events as e
from passline.acts.figures import INSTEAD
from passline.acts.tills import ShiftKey
from passline.bookkeeping.act_money import units_cents
from passline.bookkeeping.results import ADDENDUM, total_result
from passline.bookkeeping.win import CLOSE_DAY, OfficeBooks
from passline.journals.chart import ActAccounts, Chart

CHIPS = "chips"
"""The stock that players hold some of. All stocks are of money."""
_SIGNS = {"closer": 1, "credits": 1, "drop": 1, "opener": -1, "fills": -1}
_PLAYERS, _TABLE = "players", "table"
_CORRECTING = {"correct_count": "count_box"}  # in logs from before acts put others right
_NO_ACCOUNTS = ActAccounts()


class LedgerAccount(NamedTuple):
    """An account of a chart, and what it is kept for."""

    key: str
    of: str = ""


class JournalPosting(NamedTuple):
    """Debits and credits that belong together."""

    day: date
    shift: str
    group: str  # what is one transaction of the shift's journal
    what: str
    act: str
    refers: str
    lines: tuple[tuple[LedgerAccount, int], ...]  # debits; credits are below zero


class _Entered(NamedTuple):
    """What an act has entered in a shift."""

    key: ShiftKey
    win: int
    drop: int
    settles: bool  # it makes a closed day known
    is_late: bool  # the day is closed


class _Books(OfficeBooks):
    """The books of tables, which tell what an act has entered."""

    _settles = False

    @property
    def is_set_up(self) -> bool:
        """Whether the facility is known."""
        return self._facility is not None

    def begin(self) -> None:
        """Forget what earlier acts have entered."""
        self.entered = list[_Entered]()

    def sum_up(self, key: ShiftKey, done: e.ActDone, cents: Mapping[str, int], *, is_correction: bool = False) -> None:
        """Enter cents, and note what they come to: the win, the drop in it, and whether a day becomes known with it."""
        win = sum(_SIGNS[column] * amount for column, amount in cents.items())
        self.entered.append(_Entered(key, win, cents.get("drop", 0), self._settles, self.is_closed(key)))
        super().sum_up(key, done, cents, is_correction=is_correction)

    def _enter_day(self, *given: object, **said: object) -> None:
        self._settles = True
        super()._enter_day(*given, **said)  # type: ignore[arg-type]
        self._settles = False


class OfficeEntries:
    """The postings of an office, act by act, in the order of the log."""

    def __init__(self, chart: Chart) -> None:
        self._chart, self._books = chart, _Books(None)
        self._books.begin()
        self._waiting: dict[int, e.ActDone] = {}
        self._said: dict[int, e.ActDone] = {}  # acts whose fields another may put right
        self._posted: dict[int, str] = {}  # acts, with the shift that they were posted in
        self.unknown: set[tuple[str, date]] = set()  # tables and days that were closed without being known

    @property
    def closed_days(self) -> dict[str, int]:
        """The gaming days whose books are closed, each with the act that closed it."""
        return self._books.under_way.closed

    @property
    def is_set_up(self) -> bool:
        """Whether the office has a facility: without one there are no gaming days."""
        return self._books.is_set_up

    @property
    def shifts(self) -> tuple[str, ...]:
        """The shifts of a gaming day, in order."""
        return tuple(shift.name for shift in self._books.facility.shifts)

    def take(self, event: e.ActEvent) -> Iterator[JournalPosting]:
        """Yield the postings of an event."""
        match event:
            case e.ActDone():
                self._waiting[event.number] = event
                self._books.take(event)
            case e.ActCompleted() if event.number in self._waiting:
                done = self._waiting.pop(event.number)
                self._books.begin()
                if done.act == CLOSE_DAY:
                    self._note_unknown(date.fromisoformat(done.things[0]))
                self._books.take(event)
                yield from self._post(done, event)
            case e.ActVoided():
                self._waiting.pop(event.number, None)
                self._books.take(event)
            case _:
                self._books.take(event)

    def place_of(self, at: str) -> tuple[date, str, str]:
        """Return the gaming day and shift of a moment; of a closed day, the addendum of the next open one.

        And which shift it was of, where it is not that.
        """
        facility = self._books.facility
        day, shift = facility.gaming_day(at), facility.shift_of(at).name
        if str(day) not in self.closed_days:
            return day, shift, ""
        return self._open_day(day), ADDENDUM, f"of {day} {shift}"

    def _open_day(self, day: date) -> date:
        while str(day) in self.closed_days:
            day = date.fromordinal(day.toordinal() + 1)
        return day

    def _note_unknown(self, day: date) -> None:
        """Note the tables of a gaming day that is being closed of which nobody knows what they won."""
        results: dict[str, list[ShiftKey]] = {}
        for key in self._books.shifts:
            if key[1] == day and key[2] != ADDENDUM:
                results.setdefault(key[0], []).append(key)
        for table, keys in results.items():
            if total_result(self._books.result_of(key) for key in keys).win is None:
                self.unknown.add((table, day))

    def _post(self, done: e.ActDone, completed: e.ActCompleted) -> Iterator[JournalPosting]:
        entered = self._books.entered
        first = completed.corrects.first if completed.corrects else 0
        lines = [*self._chip_lines(done, completed), *self._money_lines(done, completed)]
        if not entered and not lines:
            return
        refers = f"corrects act {first}" if first else ""
        refers += f" of {self._posted[first]}" if first in self._posted else ""
        posted, home = dict[tuple[date, str, str], list[tuple[LedgerAccount, int]]](), None
        for (table, day, shift), win, drop, settles, late in entered:
            at = (self._open_day(day), ADDENDUM, table) if late else (day, shift, table)
            refers = refers or (f"of {day} {shift}" if late else "")
            posted.setdefault(at, []).extend(_result_lines(table, win, drop, settles=settles))
            home = home or at
        if home is None:
            day, shift, of = self.place_of(done.occurred)
            home, refers = (day, shift, ""), refers or of
        posted.setdefault(home, []).extend(lines)
        self._posted[done.number] = f"{home[0]} {home[1]}"
        for (day, shift, table), sums in posted.items():
            alone = bool(refers) or shift == ADDENDUM
            group = f"act-{done.number}{f'-{table}' if table else ''}" if alone else table or done.act
            what = f"{table}: result of the shift" if table and not alone else done.act.replace("_", " ")
            yield JournalPosting(day, shift, group, what, str(done.number), refers, tuple(sums))

    def _chip_lines(self, done: e.ActDone, completed: e.ActCompleted) -> Iterator[tuple[LedgerAccount, int]]:
        """Yield the debits and credits of chips and money that an act moved between places."""
        if completed.corrects is not None and INSTEAD in completed.corrects.now:
            line = self._books.counts.get(completed.corrects.first)
            yield from _lines_of_moved_count(completed, is_result=line is None or line.act != "count_opener")
            return
        for move in completed.moves:
            if cents := units_cents(move.units):
                yield self._account_at(move, move.target, done, completed), cents
                yield self._account_at(move, move.source, done, completed), -cents

    def _account_at(self, move: e.StockMove, place: str, done: e.ActDone, completed: e.ActCompleted) -> LedgerAccount:
        kind, _, thing = place.partition("/")
        if kind == "patrons" and (patrons := self._accounts_of(self._first(done, completed)).patrons):
            return LedgerAccount(patrons)
        if kind != _PLAYERS or move.stock != CHIPS:
            return LedgerAccount(f"{move.stock}.{kind}", thing)
        first = self._first(done, completed)
        if account := self._accounts_of(first).for_players(first.fields):
            return LedgerAccount(account)
        return LedgerAccount("clearing.play", self._table_of((move.source, move.target), done, completed))

    def _table_of(self, ends: Sequence[str], done: e.ActDone, completed: e.ActCompleted) -> str:
        """Return the table whose result it is that chips came from players or went to them."""
        places = (*ends, *(taken.place for taken in completed.taken_up))
        if named := next((place.partition("/")[2] for place in places if place.startswith(f"{_TABLE}/")), ""):
            return named
        postings = self._books.postings.get(completed.corrects.first if completed.corrects else done.number, ())
        if postings:
            return postings[0].key[0]
        return done.things[0] if done.kind == _TABLE and done.things else done.act

    def _first(self, done: e.ActDone, completed: e.ActCompleted) -> e.ActDone:
        """Return the act whose figures an act says: itself, or the first of those that it puts right."""
        return self._said.get(completed.corrects.first, done) if completed.corrects else done

    def _accounts_of(self, done: e.ActDone) -> ActAccounts:
        return self._chart.acts.get(done.act) or self._chart.acts.get(_CORRECTING.get(done.act, ""), _NO_ACCOUNTS)

    def _money_lines(self, done: e.ActDone, completed: e.ActCompleted) -> Iterator[tuple[LedgerAccount, int]]:
        """Yield the debits and credits of money that an act says; of a correction, of the difference."""
        first = self._first(done, completed)
        accounts = self._accounts_of(first)
        if accounts.money or accounts.players:
            self._said[done.number] = done
        if completed.corrects is not None:
            was, now = ({**first.fields, **fields} for fields in (completed.corrects.was, completed.corrects.now))
        else:
            before = self._said.get(done.fields.get("corrects") or 0)  # a log from before acts put others right
            was, now = before.fields if before else {}, done.fields
        for money in accounts.money:
            if more := money.cents(now) - money.cents(was):
                yield LedgerAccount(money.debit), more
                yield LedgerAccount(money.credit), -more


def _lines_of_moved_count(completed: e.ActCompleted, *, is_result: bool) -> Iterator[tuple[LedgerAccount, int]]:
    """Yield the debits and credits of a count that was of another tray.

    The log moves the difference on the shortest way, from one tray to the other. Of a count that is a result, what
    each tray has more, players had less.
    """
    held = Counter[str]()
    for move in completed.moves:
        if move.stock == CHIPS:
            held[move.target] += units_cents(move.units)
            held[move.source] -= units_cents(move.units)
    for place, cents in held.items():
        kind, _, thing = place.partition("/")
        if kind != _PLAYERS:
            yield LedgerAccount(f"chips.{kind}", thing), cents
            if is_result:
                yield LedgerAccount("clearing.play", thing), -cents


def _result_lines(table: str, win: int, drop: int, *, settles: bool) -> Sequence[tuple[LedgerAccount, int]]:
    """Return the debits and credits with which a result is entered."""
    if settles:
        return ((LedgerAccount("win", table), -win), (LedgerAccount("clearing.unknown", table), win))
    return (
        (LedgerAccount("win", table), -win),
        (LedgerAccount("clearing.play", table), win - drop),
        (LedgerAccount("clearing.drop"), drop),
    )
