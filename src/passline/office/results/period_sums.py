"""What tables won in a gaming day, a month and a year: sums of the gaming days of tables that are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from passline.office.results.win import TableResult, total_result

__all__ = ["PeriodSum", "ToDate", "sums_of_days"]


class PeriodSum(Struct, frozen=True):
    """What a table, or several, won in a gaming day or a longer time: the sum of the gaming days that are known.

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
            days=1,
            ledger_win=day.ledger_win or 0,
            difference=day.difference or 0,
            covered=int(day.ledger_win is not None),
            corrections=len(day.corrections),
        )

    def plus(self, other: PeriodSum, sign: int = 1) -> PeriodSum:
        """Return the sum of both, or what is left without the other."""
        return PeriodSum(*(getattr(self, name) + sign * getattr(other, name) for name in self.__struct_fields__))


class ToDate(Struct, frozen=True):
    """What each table won in a gaming day, in its month until then and in its year until then, by table."""

    day: dict[str, PeriodSum] = {}
    month: dict[str, PeriodSum] = {}
    year: dict[str, PeriodSum] = {}

    @staticmethod
    def made(
        day: str,
        days: Mapping[tuple[str, str], PeriodSum],
        year: Iterable[tuple[tuple[str, str], PeriodSum]],
    ) -> ToDate:
        """Add up gaming days of the month, each by its period and table, and all that there is of the year."""
        own = {table: one for (period, table), one in days.items() if period == day}
        return ToDate(own, _by_table(days.items()), _by_table(year))


def _by_table(sums: Iterable[tuple[tuple[str, str], PeriodSum]]) -> dict[str, PeriodSum]:
    found: dict[str, PeriodSum] = {}
    for (_, table), one in sums:
        found[table] = found.get(table, PeriodSum()).plus(one)
    return dict(sorted(found.items()))


def sums_of_days(results: Iterable[TableResult]) -> dict[tuple[str, str], PeriodSum]:
    """Return what each table won in each gaming day, from the results of its shifts."""
    shifts: dict[tuple[str, str], list[TableResult]] = {}
    for one in results:
        shifts.setdefault((str(one.day), one.table), []).append(one)
    return {key: PeriodSum.of(total_result(found, table=key[1])) for key, found in shifts.items()}
