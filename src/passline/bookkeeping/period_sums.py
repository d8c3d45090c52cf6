"""What tables won in a gaming day, a month and a year: sums over the gaming days whose results are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.bookkeeping.results import ADDENDUM, TableResult, total_result

SumScope = Literal["table", "pit", "shift"]
"""What sums of gaming days are kept of: each table, each pit, each shift by its name."""
_MONTH, _YEAR = len("2026-03"), len("2026")  # of a gaming day


class PeriodSum(Struct, frozen=True):
    """What one or several tables won in a time: the sum over the gaming days whose results are known.

    >>> day = TableResult(opener=900, closer=700, drop=500, fills=100)
    >>> both = PeriodSum.of(day).plus(PeriodSum.of(TableResult(drop=70, missing=("the closer",))))
    >>> both.win, both.drop, both.days, both.unknown, both.hold
    (200, 500, 1, 1, 0.4)
    """

    drop: int = 0
    win: int = 0
    fills: int = 0
    credits: int = 0
    days: int = 0  # gaming days of tables that are known
    unknown: int = 0  # gaming days of tables of which nobody can say yet what was won
    ledger_win: int = 0  # of those that their ledgers cover
    difference: int = 0  # by which the counted win is over the ledger's
    covered: int = 0  # gaming days of tables that their ledgers cover
    corrections: int = 0

    @property
    def hold(self) -> float | None:
        """The share of the drop that was won; None where nothing was dropped."""
        return self.win / self.drop if self.drop else None

    @staticmethod
    def of(day: TableResult) -> PeriodSum:
        """Return the sum of one gaming day of a table."""
        if day.win is None:
            return PeriodSum(unknown=1, corrections=len(day.corrections))
        return PeriodSum(
            drop=day.drop,
            win=day.win,
            fills=day.fills,
            credits=day.credits,
            days=int(not day.is_emptied),
            ledger_win=day.ledger_win or 0,
            difference=day.difference or 0,
            covered=int(day.ledger_win is not None and not day.is_emptied),
            corrections=len(day.corrections),
        )

    def plus(self, other: PeriodSum, sign: int = 1) -> PeriodSum:
        """Return this sum plus another one, or minus it."""
        return PeriodSum(*(getattr(self, name) + sign * getattr(other, name) for name in self.__struct_fields__))


class ToDate(Struct, frozen=True):
    """What each table won in a gaming day, in its month until then and in its year until then, by table."""

    day: dict[str, PeriodSum] = {}
    month: dict[str, PeriodSum] = {}
    year: dict[str, PeriodSum] = {}

    @staticmethod
    def of_day(
        day: str, days: Mapping[str, Mapping[str, PeriodSum]], months: Mapping[str, Mapping[str, PeriodSum]]
    ) -> ToDate:
        """Add up, by table, the gaming days of a month until one, and the months of the year before it.

        >>> one, two, four = (PeriodSum(win=win) for win in (1, 2, 4))
        >>> days = {"T1": {"2026-03-01": one, "2026-03-02": two, "2026-03-03": four}}
        >>> months = {"T1": {"2026-02": PeriodSum(win=8), "2026-03": PeriodSum(win=7)}, "T2": {"2026-01": four}}
        >>> to_date = ToDate.of_day("2026-03-02", days, months)
        >>> [{table: one.win for table, one in sums.items()} for sums in (to_date.day, to_date.month, to_date.year)]
        [{'T1': 2}, {'T1': 3}, {'T1': 11, 'T2': 4}]
        """
        own = {table: parts[day] for table, parts in sorted(days.items()) if day in parts}
        month = {
            table: sum_of(until)
            for table, parts in sorted(days.items())
            if (until := [own for part, own in parts.items() if part <= day])
        }
        year = dict(month)
        for table, parts in months.items():
            earlier = [own for part, own in parts.items() if part < day[: len(part)]]
            if earlier:
                year[table] = sum_of([*earlier, *([month[table]] if table in month else [])])
        return ToDate(own, month, dict(sorted(year.items())))

    @staticmethod
    def of_days(day: str, sums: Mapping[tuple[str, str], PeriodSum]) -> ToDate:
        """Add up gaming days, each by itself and its table."""
        days, months = dict[str, dict[str, PeriodSum]](), dict[str, dict[str, PeriodSum]]()
        for (of_day, table), own in sums.items():
            month = of_day[:_MONTH]
            if month == day[:_MONTH]:
                days.setdefault(table, {})[of_day] = own
            elif of_day[:_YEAR] == day[:_YEAR]:
                known = months.setdefault(table, {})
                known[month] = known.get(month, PeriodSum()).plus(own)
        return ToDate.of_day(day, days, months)


def sum_of(sums: Iterable[PeriodSum]) -> PeriodSum:
    """Return the sum of all."""
    total = PeriodSum()
    for part in sums:
        total = total.plus(part)
    return total


def sums_of_days(results: Iterable[TableResult]) -> dict[tuple[str, str], PeriodSum]:
    """Return what each table won in each gaming day, from the results of its shifts."""
    shifts: dict[tuple[str, str], list[TableResult]] = {}
    for result in results:
        shifts.setdefault((str(result.day), result.table), []).append(result)
    return {key: _sum_of_day(key[1], found) for key, found in shifts.items()}


def sums_of_table_day(table: str, shifts: Sequence[TableResult]) -> dict[tuple[SumScope, str], PeriodSum]:
    """Return what a gaming day of a table adds to the sums of the table, of each pit and of each shift.

    A table that was moved during the day counts in each pit for the shifts that began there; corrections of other days
    count in its first pit.
    """
    if not shifts:
        return {}
    found: dict[tuple[SumScope, str], PeriodSum] = {("table", table): _sum_of_day(table, list(shifts))}
    first = next((shift.pit for shift in shifts if shift.shift != ADDENDUM), shifts[0].pit)
    in_pits: dict[str, list[TableResult]] = {}
    for shift in shifts:
        in_pits.setdefault(first if shift.shift == ADDENDUM else shift.pit, []).append(shift)
        found["shift", shift.shift] = PeriodSum.of(shift)
    return found | {("pit", pit): _sum_of_day(table, own) for pit, own in in_pits.items()}


def sums_by_pit(results: Iterable[TableResult]) -> dict[str, PeriodSum]:
    """Return what was won in each pit by the results of shifts, pits in order.

    >>> one, two = (TableResult(table=table, shift="day", pit="pit-1", drop=500) for table in ("T1", "T2"))
    >>> {pit: (total.drop, total.days) for pit, total in sums_by_pit([one, two]).items()}
    {'pit-1': (1000, 2)}
    """
    days: dict[tuple[str, str], list[TableResult]] = {}
    for result in results:
        days.setdefault((str(result.day), result.table), []).append(result)
    found: dict[str, PeriodSum] = {}
    for (_, table), shifts in days.items():
        for (scope, pit), own in sums_of_table_day(table, shifts).items():
            if scope == "pit":
                found[pit] = found.get(pit, PeriodSum()).plus(own)
    return dict(sorted(found.items()))


def _sum_of_day(table: str, shifts: list[TableResult]) -> PeriodSum:
    """Return the sum of a gaming day of a table; corrections of other days alone make none.

    A day that was closed as not known counts there once a correction has made it known; one that was closed as known
    is not counted any more once a correction has made it unknown.
    """
    total = total_result(shifts, table=table)
    day = PeriodSum.of(total)
    addenda = [shift for shift in shifts if shift.shift == ADDENDUM]
    if total.win is None and addenda:  # what is put right of other days counts, whatever is known of this one
        day = replace(PeriodSum.of(total_result(addenda)), days=0, covered=0, unknown=1)
    elif not any(shift.is_played for shift in shifts):
        day = replace(day, days=0, covered=0)
    signs = [(of_day, -1 if of_day.is_unknown else 1) for shift in shifts for of_day in shift.settles]
    return replace(
        day,
        days=day.days + sum(sign for of_day, sign in signs if of_day.is_played),
        unknown=day.unknown - sum(sign for _, sign in signs),
        covered=day.covered + sum(sign for of_day, sign in signs if of_day.is_covered),
    )
