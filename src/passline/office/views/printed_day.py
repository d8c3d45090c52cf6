"""A gaming day of an office as it is printed: figures and pictures, what is open, and who closed its books."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.history import ActSignature, RecordedAct
from passline.acts.views.wording import time_zone_in_words
from passline.bookkeeping.chance import BAND_ONE_IN, band_of, luck_evidence_of
from passline.bookkeeping.period_sums import PeriodSum
from passline.bookkeeping.results import TableResult, total_result
from passline.bookkeeping.win import CLOSE_DAY
from passline.charts import money
from passline.documents.pictures import ChartItem, SheetChart, chart_of
from passline.documents.sheet import Cell, PrintedSheet, SheetFigure, SheetTable, SignatureLine, cell_text
from passline.money import with_dollar_sign
from passline.office.views.cage import tables_of_day
from passline.office.views.day_report import INCIDENTS, OPEN_MATTERS, OfficeDay
from passline.office.views.results import WIN_COLUMN
from passline.tables.money.unkeyed import NOT_COVERED

_DOLLAR = 100
_MOMENTS = {"occurred", "recorded", "opened", "at"}  # columns of times of the day
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)")
_ALWAYS = {"drop $", "win $", "fills $", "credits $", "opener $", "closer $"}  # printed also where all of it is nought
_SIGNED_WITH = ("signature", "name", "role", "licence no.", "date and time")


def day_report(
    day: OfficeDay,
    *,
    regulation: str,
    at: str,
    foot: str,
    closing: Sequence[RecordedAct] = (),
    forms: SheetTable | None = None,
    tables: Sequence[SheetTable] = (),
) -> PrintedSheet:
    """Return a gaming day as it is printed; `closing` are the acts by which its books were closed.

    `tables` are those of the day, if they are at hand.
    """
    tables = tables or tables_of_day(day)
    total = total_result(day.shifts)
    results = tables[0]

    def in_dollars(cents: int | None) -> str:
        return "not known yet" if cents is None else with_dollar_sign(cell_text(results, WIN_COLUMN, cents))

    found = next(table.rows for table in tables if table.title == INCIDENTS)
    incidents = [row for row in found if row[2] != "closed"]
    about = f"{day.day:%A, %d %B %Y}".replace(" 0", " ")
    figures = (
        ("win of all tables", in_dollars(total.win) if day.shifts else "-"),
        ("win by the ledgers", _by_ledger(total, in_dollars) if day.shifts else "-"),
        ("win of the month until then", in_dollars(_sum(day.to_date.month))),
        ("win of the year until then", in_dollars(_sum(day.to_date.year))),
        ("drop counted so far" if total.missing else "drop", in_dollars(total.drop)),
        ("fills", in_dollars(total.fills)),
        ("credits", in_dollars(total.credits)),
        ("incidents", f"{len(found)}, {len(incidents)} open" if found else "none"),
        ("acts", str(len(tables[-1].rows))),
    )
    return PrintedSheet(
        title="Gaming day",
        about=about,
        owner=day.facility.name,
        regulation=regulation,
        dated=f"As of {at}",
        figures=tuple(SheetFigure(name, ((figure, ""),)) for name, figure in figures),
        pictures=_pictures(day),
        tables=tuple(
            without_empty_columns(_with_short_times(table, day.day))
            for table in (*((forms,) if forms else ()), *_in_file_order(tables))
        ),
        signatures=tuple(_signature_block(day, closing)),
        signed_with=_SIGNED_WITH,
        foot=(day.facility.name, f"Gaming day, {about}", time_zone_in_words(day.facility), foot),
        form="landscape",
    )


def _in_file_order(tables: Sequence[SheetTable]) -> list[SheetTable]:
    """Return the tables of a day with what is open before everything else."""
    return sorted(tables, key=lambda table: table.title != OPEN_MATTERS)


def _with_short_times(table: SheetTable, day: date) -> SheetTable:
    """Return a table with times as they stand in the report of a day: the date only where it is another one."""
    columns = {column for column, head in enumerate(table.heads) if head in _MOMENTS}

    def short(cell: Cell) -> Cell:
        if not isinstance(cell, str) or not (found := _MOMENT.fullmatch(cell)):
            return cell
        own = date.fromisoformat(found[1])
        return found[2] if own == day else f"{own:%d %b} {found[2]}".lstrip("0")

    rows = (tuple(short(cell) if at in columns else cell for at, cell in enumerate(row)) for row in table.rows)
    return replace(table, rows=tuple(rows)) if columns else table


def without_empty_columns(table: SheetTable) -> SheetTable:
    """Return a table without the columns that have no entry, or only zeros in a column of counts."""
    empty = (None, "", 0, NOT_COVERED)
    kept = [column for column in table.columns if any(row[column] not in empty for row in table.rows)]
    if not table.rows or len(kept) == len(table.heads):
        return table
    kept = [column for column in table.columns if column in kept or table.heads[column] in _ALWAYS]
    return replace(
        table,
        heads=tuple(table.heads[column] for column in kept),
        widths=tuple(table.widths[column] for column in kept) if table.widths else (),
        rows=tuple(tuple(row[column] for column in kept) for row in table.rows),
        figures=tuple(kept.index(column) for column in table.figures if column in kept),
    )


def _signature_block(day: OfficeDay, closing: Sequence[RecordedAct]) -> Iterator[SignatureLine]:
    """Yield the lines under the file of a day: who closed its books, or is to close them, and who receives it."""
    rule = day.rules.act(CLOSE_DAY)
    act = next((act for act in reversed(closing) if act.done.act == CLOSE_DAY and act.status == "done"), None)
    if act is not None:
        remark = f"signed in the log, act {act.done.number}"
        wants = rule.name if rule else CLOSE_DAY
        yield SignatureLine(wants, _known_of(day, act.done, act.at), remark)
        for signature in act.signatures:
            sign = rule.signs.get(signature.part) if rule else None
            yield SignatureLine(sign.name if sign else signature.part, _known_of(day, signature, signature.at), remark)
    elif rule is not None:
        yield SignatureLine(rule.name, (), f"not closed yet: {day.rules.words_of(rule.by)}")
        yield from (SignatureLine(sign.name, (), day.rules.words_of(sign.by)) for sign in rule.signs.values())
    yield SignatureLine("who received this file")


def _known_of(day: OfficeDay, who: e.ActDone | ActSignature, at: str) -> tuple[str, ...]:
    """Return what is known of somebody who signed."""
    known = day.state.thing("person", who.by)
    licence = str(known.facts.get("licence", "")) if known else ""
    return ("", who.name, who.role.replace("_", " "), licence, day.local(at))


def _pictures(day: OfficeDay) -> tuple[SheetChart, ...]:
    """Return the pictures of a day: win against expected by day, and hold by table."""
    items = []
    for account in day.course:
        if account.sums.rolls:
            expected = float(account.sums.theoretical - account.sums.carried) / _DOLLAR
            low, high = band_of(account.sums, luck_evidence_of(account))
            name = f"{date.fromisoformat(account.span):%d %b}".lstrip("0")
            items.append(ChartItem(name, account.sums.won / _DOLLAR, expected, (low / _DOLLAR, high / _DOLLAR)))
    won = chart_of(
        "Win against expected",
        f"Won with keyed wagers (dot), expected (dashes). Luck alone leaves the band at most 1 day in {BAND_ONE_IN}.",
        items,
        money,
    )
    held = chart_of(
        "Hold by table",
        "Counted win as a share of the drop.",
        [ChartItem(table, sums.hold if sums.days else None) for table, sums in day.to_date.day.items()],
        lambda share: f"{share * 100:.1f}%",
    )
    return tuple(picture for picture in (won, held) if picture is not None)


def _sum(tables: Mapping[str, PeriodSum]) -> int:
    """Return what tables have won together, of what is known."""
    return sum(table.win for table in tables.values())


def _by_ledger(total: TableResult, money: Callable[[int | None], str]) -> str:
    """Return what the ledgers of the tables have won, and what they do not cover."""
    if total.missing:
        return money(None)
    return (
        NOT_COVERED if total.ledger_win is None else f"{money(total.ledger_win)}, difference {money(total.difference)}"
    )
