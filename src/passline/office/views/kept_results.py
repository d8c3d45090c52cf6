"""Reads results of tables from `OfficeViews`: by shift, to date, and as they were when a day was closed."""

from __future__ import annotations

from datetime import date

from msgspec import Struct, json

from passline.acts.calendar.facility import Facility
from passline.bookkeeping.period_sums import PeriodSum, SumScope, ToDate
from passline.bookkeeping.results import TableResult, results_in_order
from passline.bookkeeping.shift_books import ShiftBook
from passline.streams.projection_store import ViewReader, ViewWriter

_SHIFT, _SUM, _CLOSED = "office-shift", "office-sum", "office-closed"


class ShiftRow(Struct, frozen=True):
    """A shift of a table: what was entered, and its result with everything that is missing."""

    book: ShiftBook
    result: TableResult


class ClosedDay(Struct, frozen=True):
    """What tables had won in a gaming day, and until it, when its books were closed."""

    entry: int  # by which they were
    shifts: tuple[TableResult, ...]
    to_date: ToDate


def find_results(views: ViewReader, office: str, facility: Facility, first: date, last: date) -> list[TableResult]:
    """Return what each table has won in each shift of some gaming days, in order."""
    sql = "SELECT body FROM office_shifts WHERE office = ? AND day BETWEEN ? AND ?"
    rows = views.query(sql, (office, first.isoformat(), last.isoformat()))
    found = (json.decode(views.unseal(_SHIFT, body), type=ShiftRow).result for [body] in rows)
    return results_in_order(found, facility)


def find_shift_rows(
    views: ViewReader, office: str, facility: Facility, first: date, last: date
) -> list[tuple[ShiftBook, TableResult]]:
    """Return the books and results of the shifts of some gaming days, in order."""
    sql = "SELECT body FROM office_shifts WHERE office = ? AND day BETWEEN ? AND ?"
    rows = views.query(sql, (office, first.isoformat(), last.isoformat()))
    found = [json.decode(views.unseal(_SHIFT, body), type=ShiftRow) for [body] in rows]
    books = {(row.result.table, row.result.day, row.result.shift): row.book for row in found}
    ordered = results_in_order((row.result for row in found), facility)
    return [(books[result.table, result.day, result.shift], result) for result in ordered]


def find_to_date(views: ViewReader, office: str, day: date, scope: SumScope = "table") -> ToDate:
    """Return what each table, pit or shift won in the day, in its month and in its year until then: two rows each."""
    days, months = (find_sums(views, office, period, scope) for period in (f"{day:%Y-%m}", f"{day:%Y}"))
    return ToDate.of_day(day.isoformat(), days, months)


def find_sums(views: ViewReader, office: str, period: str, scope: SumScope) -> dict[str, dict[str, PeriodSum]]:
    """Return what each table, pit or shift won in each day of a month, or in each month of a year."""
    sql = "SELECT subject, body FROM office_sums WHERE office = ? AND period = ? AND scope = ?"
    return {
        subject: json.decode(views.unseal(_SUM, body), type=dict[str, PeriodSum])
        for subject, body in views.query(sql, (office, period, scope))
    }


def keep_closed_day(writer: ViewWriter, office: str, facility: Facility, day: str, entry: int) -> None:
    """Keep the results of a gaming day as its books are closed; only the first time counts."""
    try:
        meant = date.fromisoformat(day)
    except ValueError:  # pages that let other words be closed have no folder of them
        return
    shifts = tuple(find_results(writer, office, facility, meant, meant))
    closed = ClosedDay(entry, shifts, find_to_date(writer, office, meant))
    body = writer.seal(_CLOSED, json.encode(closed))
    writer.write("INSERT OR IGNORE INTO office_closed VALUES (?, ?, ?)", [(office, day, body)])


def find_closed_day(views: ViewReader, office: str, day: date) -> ClosedDay | None:
    """Return the results of a gaming day when its books were closed; None: they are open."""
    rows = views.query("SELECT body FROM office_closed WHERE office = ? AND day = ?", (office, day.isoformat()))
    return json.decode(views.unseal(_CLOSED, rows[0][0]), type=ClosedDay) if rows else None
