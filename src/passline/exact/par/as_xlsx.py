"""A par sheet as a workbook: decimals as numbers, fractions as text, flagged lines marked, and the definitions."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

from xlsxwriter import Workbook

from passline.exact.par.as_text import DEFINITIONS
from passline.exact.par.sheet import Sheet, SheetLine

__all__ = ["sheet_xlsx"]

_COLUMNS = (
    *(("game", 14), ("wager", 17), ("number", 8), ("option", 34), ("pays", 42), ("stake", 9)),
    *(("win", 9), ("lose", 9), ("push", 9), ("edge", 10), ("edge fraction", 16), ("edge on outlay", 10)),
    *(("edge resolved", 10), ("edge per roll", 10), ("rolls", 9), ("rolls fraction", 16), ("sd", 9)),
    *(("favours", 9), ("favourable stakes", 24), ("clauses", 40)),
)
_FORMATS = {
    "stake": "0.00",
    **dict.fromkeys(("win", "lose", "push", "edge", "edge on outlay", "edge resolved", "edge per roll"), "0.0000%"),
    **dict.fromkeys(("rolls", "sd"), "0.0000"),
}
_FLAGGED = "#FFF2CC"
_HEAD = "#1F3B2D"
_CENTS = 100
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zones; fixed, so that equal sheets give equal bytes


def sheet_xlsx(sheet: Sheet) -> bytes:
    """Return the workbook as bytes.

    >>> from passline.exact.par.sheet import sheet
    >>> sheet_xlsx(sheet("section2", game="craps", wager="field"))[:2]
    b'PK'
    """
    made = io.BytesIO()
    book = Workbook(made, {"in_memory": True})
    book.set_properties({"title": f"Par sheet: {sheet.title}", "created": _MADE})
    _lines(book, sheet)
    _definitions(book, sheet)
    book.close()
    return made.getvalue()


def _lines(book: Workbook, sheet: Sheet) -> None:
    page = book.add_worksheet("par sheet")
    head = book.add_format(
        {"bold": True, "font_color": "white", "bg_color": _HEAD, "text_wrap": True, "valign": "vcenter", "border": 1}
    )
    formats = {
        (name, flagged): book.add_format(
            {"valign": "top", "num_format": _FORMATS.get(name, "@")} | ({"bg_color": _FLAGGED} if flagged else {})
        )
        for name, _width in _COLUMNS
        for flagged in (False, True)
    }
    for column, (name, width) in enumerate(_COLUMNS):
        page.set_column(column, column, width)
        page.write_string(0, column, name, head)
    page.set_row(0, 30)
    for row, line in enumerate(sheet.lines, start=1):
        for column, ((name, _width), value) in enumerate(zip(_COLUMNS, _cells(line), strict=True)):
            page.write(row, column, value, formats[name, line.is_flagged])
    page.freeze_panes(1, 4)
    page.autofilter(0, 0, len(sheet.lines), len(_COLUMNS) - 1)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)


def _cells(line: SheetLine) -> tuple[Any, ...]:
    par = line.par
    shares = (par.win, par.lose, par.push)
    edges = (par.edge_on_outlay, par.edge_resolved, par.edge_per_roll)
    return (
        *(line.game, line.wager, line.number or "", line.option or "", line.pays, par.stake / _CENTS),
        *(*map(float, shares), float(par.edge), str(par.edge), *map(float, edges)),
        *(float(par.rolls), str(par.rolls), float(par.sd), par.favours),
        *(", ".join(map(str, line.favourable)), ", ".join(line.clauses)),
    )


def _definitions(book: Workbook, sheet: Sheet) -> None:
    page = book.add_worksheet("definitions")
    bold = book.add_format({"bold": True, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    page.set_column(0, 0, 20)
    page.set_column(1, 1, 90)
    house = sheet.house or "whatever the regulation permits"
    rows = [("regulation", sheet.title), ("house", house), *DEFINITIONS]
    rows += [("favours", "who has the edge at the stake shown; a negative edge is the player's")]
    rows += [("favourable stakes", "stakes within the limits that favour the player or cost nothing, for rounding")]
    rows += [("note", note) for note in sheet.notes]
    for row, (name, text) in enumerate(rows):
        page.write_string(row, 0, name, bold)
        page.write_string(row, 1, text, wrapped)
