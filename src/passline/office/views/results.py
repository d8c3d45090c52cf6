"""Drop, win and hold as lists: of a gaming day, and of the month and the year until then."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from msgspec.structs import asdict, replace

from passline.acts.papers.houses import game_of_table
from passline.acts.state import ActState
from passline.acts.views.wording import Names
from passline.bookkeeping.period_sums import PeriodSum, SumScope, ToDate, sum_of, sums_by_pit, sums_of_days
from passline.bookkeeping.results import TableResult, total_result
from passline.documents.sheet import Cell, SheetTable
from passline.money import Cents, with_dollar_sign
from passline.tables.money.unkeyed import NOT_COVERED

WIN_COLUMN = 7
"""The column of the win in the list of results."""
_SUM_HEADS = (
    *("drop $", "win $", "hold", "fills $", "credits $", "ledger win $", "difference $"),
    *("days", "not known", "corrections"),
)
_NO_LEDGER = "No ledger is kept of these tables: their wagers are not keyed in, so the count alone says what they won."
_SUM_WIDTHS = (1, 1, 0.6, 1, 1, 1, 1, 0.5, 0.6, 0.8)


def results_table(found: Sequence[TableResult]) -> SheetTable:
    """Return what tables have won in the shifts of a gaming day, with sums."""
    rows: list[tuple[Cell, ...]] = []
    totals = []
    is_covered = any(result.ledger is not None for result in found)
    tables = list(dict.fromkeys(result.table for result in found))
    for table in tables:
        shifts = [result for result in found if result.table == table]
        rows += (_result(table, result.shift, result, is_covered=is_covered) for result in shifts)
        if len(shifts) > 1:
            totals.append(len(rows))
            rows.append(_day_result(table, shifts, is_covered=is_covered))
    if len(tables) > 1:
        days = [row for place, row in enumerate(rows) if place in totals or row[0] not in _several(found)]
        whole = _result("all tables", "", total_result(found), is_covered=is_covered)
        rows.append(
            (*whole[:2], *(_sum_known(row[column] for row in days) for column in _TRAYS), *whole[_TRAYS.stop :])
        )
        totals.append(len(rows) - 1)
    return SheetTable(
        title="Win by table and shift",
        heads=(
            *("table", "shift", "opener $", "closer $", "fills $", "credits $", "drop $", "win $"),
            *("ledger win $", "difference $", "hold", "not known, corrected"),
        ),
        widths=(0.8, 0.8, 1, 1, 1, 1, 1, 1, 1, 1, 0.6, 2.4),
        rows=tuple(rows),
        totals=tuple(totals),
        figures=(10,),
        notes=() if is_covered or not rows else (_NO_LEDGER,),
        nothing="No table was counted.",
    )


def _result(table: str, shift: str, result: TableResult, *, is_covered: bool) -> tuple[Cell, ...]:
    closer = None if not result.closer and "the closer" in result.missing else result.closer
    drop = None if not result.drop and any("drop" in part or "box" in part for part in result.missing) else result.drop
    money: tuple[Cents | None, ...] = (result.opener, closer, result.fills, result.credits, drop)
    hold = f"{float(result.hold) * 100:.2f}%" if result.hold is not None else None
    is_alone = is_covered and not result.missing and result.ledger is None
    known = (*result.missing, *((f"ledger: {NOT_COVERED}",) if is_alone else ()))
    said = ", ".join((*known, *map(_group_thousands, result.corrections)))
    return (table, shift, *money, result.win, result.ledger_win, result.difference, hold, said)


_TRAYS = range(2, 4)  # the columns of the opener and the closer


def _day_result(table: str, shifts: Sequence[TableResult], *, is_covered: bool) -> tuple[Cell, ...]:
    """Return what a table has won in its shifts together, from the first opener to the last closer.

    Where a shift did not begin with what the one before it ended with, neither stands there.
    """
    first, last = (_result(table, "", shift, is_covered=is_covered) for shift in (shifts[0], shifts[-1]))
    whole = _result(table, "all shifts", total_result(shifts), is_covered=is_covered)
    is_unbroken = all(before.closer == after.opener for before, after in pairwise(shifts))
    trays = (first[_TRAYS[0]], last[_TRAYS[1]]) if is_unbroken else (None, None)
    return (*whole[: _TRAYS.start], *trays, *whole[_TRAYS.stop :])


def _several(found: Sequence[TableResult]) -> set[str]:
    """Return the tables that were counted in several shifts."""
    return {table for table, count in Counter(result.table for result in found).items() if count > 1}


def _sum_known(cells: Iterable[Cell]) -> Cell:
    """Return the sum of amounts, if all of them are known."""
    amounts = list(cells)
    return sum(amount for amount in amounts if isinstance(amount, int)) if None not in amounts else None


def _group_thousands(words: str) -> str:
    """Return words with commas in their amounts.

    >>> _group_thousands("act 2 corrects act 1: $200.00 to $12000.00")
    'act 2 corrects act 1: $200.00 to $12,000.00'
    """
    return re.sub(r"\$(\d+)", lambda found: with_dollar_sign(f"{int(found[1]):,}"), words)


def sums_table(title: str, head: str, sums: Mapping[str, PeriodSum]) -> SheetTable:
    """Return a table of sums by name, with their total."""
    rows = [(name, *_sum_cells(total)) for name, total in sums.items()]
    is_more = len(rows) > 1
    if is_more:
        rows.append(("all", *_sum_cells(sum_of(sums.values()))))
    return SheetTable(
        title=title,
        heads=(head, *_SUM_HEADS),
        widths=(1.2, *_SUM_WIDTHS),
        rows=tuple(rows),
        totals=(len(rows) - 1,) if is_more else (),
        figures=(3,),
        nothing="Nothing was counted.",
    )


def day_sums_table(title: str, head: str, sums: Mapping[str, PeriodSum]) -> SheetTable:
    """Return a table of sums for a single gaming day, without the column of days."""
    table = sums_table(title, head, sums)
    left = [column for column, name in enumerate(table.heads) if name != "days"]
    return replace(
        table,
        heads=tuple(table.heads[column] for column in left),
        widths=tuple(table.widths[column] for column in left),
        rows=tuple(tuple(row[column] for column in left) for row in table.rows),
    )


def to_date_table(to_date: ToDate, day: date) -> SheetTable:
    """Return what each table has won in a gaming day, and in its month and year until then."""
    rows: list[tuple[Cell, ...]] = []
    totals = []
    of_all = [(sum_of(tables.values()), said) for tables, said in _periods(to_date, day)]
    for table in to_date.year:
        rows += (
            (table, said, *_sum_cells(tables[table])) for tables, said in _periods(to_date, day) if table in tables
        )
    if len(to_date.year) > 1:
        totals = [*range(len(rows), len(rows) + len(of_all))]
        rows += (("all tables", said, *_sum_cells(total)) for total, said in of_all)
    return SheetTable(
        title="Drop, win and hold to date",
        heads=("table", "time", *_SUM_HEADS),
        widths=(0.8, 1.4, *_SUM_WIDTHS),
        rows=tuple(rows),
        totals=tuple(totals),
        figures=(4,),
        nothing="Nothing was counted this year.",
    )


def _periods(to_date: ToDate, day: date) -> list[tuple[dict[str, PeriodSum], str]]:
    return [(to_date.day, "the day"), (to_date.month, f"{day:%B} until then"), (to_date.year, f"{day:%Y} until then")]


def _sum_cells(total: PeriodSum) -> tuple[Cell, ...]:
    hold = f"{total.hold * 100:.2f}%" if total.hold is not None else None
    ledger: tuple[Cell, Cell] = (total.ledger_win, total.difference) if total.covered else (None, None)
    return (
        total.drop,
        total.win,
        hold,
        total.fills,
        total.credits,
        *ledger,
        total.days,
        total.unknown,
        total.corrections,
    )


def results_json(sums: Mapping[str, PeriodSum], shifts: Iterable[TableResult]) -> dict[str, Any]:
    """Return results for pages: sums with the share that was held, their total, and each shift with its win."""
    return {
        "sums": [{"name": name, "hold": total.hold, **asdict(total)} for name, total in sums.items()],
        "total": {"hold": sum_of(sums.values()).hold, **asdict(sum_of(sums.values()))},
        "shifts": [
            {
                **asdict(shift),
                "win": shift.win,
                "ledger_win": shift.ledger_win,
                "difference": shift.difference,
                "hold": float(shift.hold) if shift.hold is not None else None,
            }
            for shift in shifts
        ],
    }


def grouped_sums(results: Iterable[TableResult], by: str, names: Names) -> dict[str, PeriodSum]:
    """Return what was won by table, pit, day, month, shift or crew.

    Sums by shift or crew include each shift of a table whose own result is known. A shift with several crews is a line
    of its own, since nobody counted between them. The other sums are those of the tables' gaming days.
    """
    found: dict[str, PeriodSum] = {}
    if by == "pit":
        return sums_by_pit(results)
    if by == "table":
        for (_, table), total in sums_of_days(results).items():
            found[table] = found.get(table, PeriodSum()).plus(total)
        return dict(sorted(found.items()))
    if by in _SPANS:
        for (day, _), total in sums_of_days(results).items():
            span = day[: _SPANS[by]]
            found[span] = found.get(span, PeriodSum()).plus(total)
        return dict(sorted(found.items()))
    for result in results:
        key = result.shift if by == "shift" else crew_in_words(result, names)
        found[key] = found.get(key, PeriodSum()).plus(PeriodSum.of(result))
    return dict(sorted(found.items()))


def sums_by_game(state: ActState, tables: Mapping[str, PeriodSum]) -> dict[str, PeriodSum]:
    """Return what was won by game, from the sums of tables."""
    found: dict[str, list[PeriodSum]] = {}
    for table, total in tables.items():
        found.setdefault(game_of_table(state, table) or _NO_GAME, []).append(total)
    return {game: sum_of(sums) for game, sums in sorted(found.items())}


KEPT_SUMS: dict[str, SumScope] = {"table": "table", "game": "table", "pit": "pit", "shift": "shift"}
"""By what sums are kept ready, each with the scope in which they are."""
_NO_GAME = "no game on record"
_SPANS = {"day": len("2026-03-02"), "month": len("2026-03")}


def crew_in_words(result: TableResult, names: Names) -> str:
    """Return the crews of a shift of a table by the names of their boxpersons."""
    return " and ".join(names.get(crew, crew) for crew in result.crews) or "no crew on record"
