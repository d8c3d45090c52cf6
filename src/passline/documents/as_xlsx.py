"""Sheets as a workbook, a page each, and long lists that are written as they come. Equal sheets give equal bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from passline.documents.sheet import Cell, PrintedSheet, SheetTable, cell_text, plain_text
from passline.extras import extra_for

CELL_TEXT_MAX = 32_767
"""The most characters that a cell can have."""
_NAME_MAX = 31
_WIDTHS = (8, 60)  # of a column, in characters
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zones; fixed, so that equal sheets give equal bytes
_MONEY = {"num_format": "#,##0.00;[Red]-#,##0.00"}
_FORMATS: dict[str, dict[str, Any]] = {
    "head": {"bold": True, "font_color": "white", "bg_color": "#1F3B2D", "text_wrap": True, "valign": "vcenter"},
    "title": {"bold": True, "font_color": "#1F3B2D"},
    "name": {"bold": True},
    "lone": {},  # runs over the cells beside it
    "signed": {"top": 1, "font_color": "#5C6A63"},
    "text": {"text_wrap": True},
    "figure": {"num_format": "#,##0"},
    "decimal": {"num_format": "0.0000"},
    "share": {"num_format": "0.0000%"},
    "money": _MONEY,
}
_MARKS: dict[str, dict[str, Any]] = {"": {}, " total": {"bold": True, "top": 1}, " flagged": {"bg_color": "#FFF2CC"}}


def tables_xlsx(title: str, tables: Iterable[SheetTable]) -> bytes:
    """Return a workbook with a page for each table, under its title without its clauses."""
    return as_xlsx(title, [PrintedSheet(title=table.title.partition(" [")[0], tables=(table,)) for table in tables])


def as_xlsx(title: str, sheets: Sequence[PrintedSheet]) -> bytes:
    """Return a workbook with a page for each sheet, under its title.

    >>> as_xlsx("Fire Bet", [PrintedSheet(title="pays", facts=(("4 points", "24 to 1"),))])[:2]
    b'PK'
    """
    made = io.BytesIO()
    book = _book(made, in_memory=True)
    book.set_properties({"title": title, "created": _MADE})
    formats = {
        f"{kind}{mark}": book.add_format({"valign": "top"} | look | marked)
        for kind, look in _FORMATS.items()
        for mark, marked in _MARKS.items()
    }
    for name, sheet in zip(_page_names(sheets), sheets, strict=True):
        _Page(book.add_worksheet(name), formats).write(sheet)
    book.close()
    return made.getvalue()


_UNFIT = re.compile(r"[\[\]:*?/\\'\x00-\x1f\U00010000-\U0010ffff]")
"""What no page's name has: signs of formulas, control characters, and what counts as two characters there."""


def _page_names(sheets: Iterable[PrintedSheet]) -> list[str]:
    """Return names that pages may have, none twice."""
    names: list[str] = []
    for sheet in sheets:
        title = " ".join(_UNFIT.sub(" ", sheet.title).split()) or "Sheet"
        tried = (_short_name(f"{again} {title}" if again else title) for again in range(len(names) + 2))
        names.append(next(name for name in tried if name.lower() not in {other.lower() for other in names}))
    return names


def _short_name(name: str) -> str:
    """Return a name without its middle where it is too long for a page."""
    half = _NAME_MAX // 2
    return name if len(name) <= _NAME_MAX else f"{name[:half].strip()}…{name[-half:].strip()}"


def stream_xlsx(
    path: Path, title: str, heads: Sequence[tuple[str, int]], rows: Iterable[Sequence[Any]], *, rows_max: int
) -> None:
    """Write rows under heads, each with its width, in constant memory; a full page is followed by a new one.

    Decimals are money.
    """
    with _book(str(path), constant_memory=True) as book:
        bold, money = book.add_format({"bold": True}), book.add_format(_MONEY)
        page, at = _heads(book, title, heads, bold), 1
        for row in rows:
            if at == rows_max:
                page, at = _heads(book, title, heads, bold), 1
            for column, cell in enumerate(row):
                if isinstance(cell, str) and cell:
                    page.write_string(at, column, cell[:CELL_TEXT_MAX])
                elif isinstance(cell, int | Decimal):
                    page.write_number(at, column, cell, money if isinstance(cell, Decimal) else None)
            at += 1


def _heads(book: Any, title: str, heads: Sequence[tuple[str, int]], bold: Any) -> Any:  # noqa: ANN401
    page = book.add_worksheet(f"{title} {len(book.worksheets()) + 1}")
    page.freeze_panes(1, 1)
    for column, (name, width) in enumerate(heads):
        page.set_column(column, column, width)
        page.write_string(0, column, name, bold)
    return page


def _book(to: Any, **options: bool) -> Any:  # noqa: ANN401 - xlsxwriter brings no types
    with extra_for("a workbook"):
        from xlsxwriter import Workbook  # noqa: PLC0415 - an extra
    # What people typed must not become a formula or a link.
    return Workbook(to, options | {"strings_to_formulas": False, "strings_to_urls": False})


class _Page:
    """A page that is written from the top."""

    def __init__(self, page: Any, formats: dict[str, Any]) -> None:  # noqa: ANN401
        self.page, self.formats = page, formats
        self.row = 0
        self.widths: dict[int, int] = {}

    def write(self, sheet: PrintedSheet) -> None:
        is_list = len(sheet.tables) == 1 and bool(sheet.tables[0].heads) and not sheet.facts
        for fact in sheet.facts:
            self._texts(fact, "name", "text")
        for table in sheet.tables:
            self._table(table, is_titled=not is_list)
        for line in sheet.signatures:
            self.row += 1
            self._texts((line.wants,), "name")
            self._texts(line.given, "text")
            self._texts(sheet.signed_with, "signed")
        for column, longest in self.widths.items():
            self.page.set_column(column, column, min(max(longest, _WIDTHS[0]) + 2, _WIDTHS[1]))
        if is_list:
            (table,) = sheet.tables
            self.page.freeze_panes(1, table.fixed)
            self.page.autofilter(0, 0, max(len(table.rows), 1), len(table.heads) - 1)
            self.page.repeat_rows(0)
        self.page.set_landscape()
        self.page.fit_to_pages(1, 0)

    def _table(self, table: SheetTable, *, is_titled: bool) -> None:
        if is_titled:
            self.row += bool(self.row)
            self._texts((table.title,), "title")
        if table.heads:
            self._texts(table.heads, "head")
        for number, row in enumerate(table.rows):
            mark = " total" if number in table.totals else " flagged" if number in table.flagged else ""
            for column, cell in enumerate(row):
                self._cell(table, column, cell, mark)
            self.row += 1
        if not table.rows:
            self._texts((table.nothing,), "lone")
        for note in table.notes:
            self._texts((plain_text(note),), "lone")

    def _cell(self, table: SheetTable, column: int, cell: Cell, mark: str) -> None:
        text = cell_text(table, column, cell)
        self.widths[column] = max(self.widths.get(column, 0), len(text))
        if isinstance(cell, int | float):
            kind = "money" if table.is_money(column) else "share" if table.is_share(column) else "figure"
            number = Decimal(cell) / 100 if kind == "money" else cell
            kind = "decimal" if isinstance(cell, float) and kind == "figure" else kind
            self.page.write_number(self.row, column, number, self.formats[kind + mark])
        elif text:
            self.page.write_string(self.row, column, text[:CELL_TEXT_MAX], self.formats[f"text{mark}"])
        elif mark:
            self.page.write_blank(self.row, column, None, self.formats[f"text{mark}"])

    def _texts(self, texts: Sequence[str], *formats: str) -> None:
        """Write texts side by side, the last format for all that remain, and move to the next row."""
        for column, text in enumerate(texts):
            if len(texts) > 1:
                self.widths[column] = max(self.widths.get(column, 0), len(text))
            name = formats[min(column, len(formats) - 1)]
            self.page.write_string(self.row, column, text[:CELL_TEXT_MAX], self.formats[name])
        self.row += 1
