"""A par sheet as a workbook: decimals as numbers, fractions as text, flagged lines marked, and the definitions."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format

from passline.exact.par.as_text import DEFINITIONS
from passline.exact.par.sheet import Sheet, SheetLine
from passline.rules.explain.paper_head import SIGNED_BY

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
_HEAD_FORMAT = {
    "bold": True,
    "font_color": "white",
    "bg_color": "#1F3B2D",
    "text_wrap": True,
    "valign": "vcenter",
    "border": 1,
}
_NOT_IN_NAMES = frozenset("[]:*?/\\'")
_NAME_MAX = 24  # of 31 signs, so that more words fit
_ALL = "whatever the regulation permits"
_CENTS = 100
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the format has no time zones; fixed, so that equal sheets give equal bytes


def sheet_xlsx(*sheets: Sheet) -> bytes:
    """Return a workbook as bytes: for each sheet its lines and its house, then what the figures mean.

    >>> from passline.exact.par.sheet import sheet
    >>> sheet_xlsx(sheet("section2", game="craps", wager="field"))[:2]
    b'PK'
    """
    made = io.BytesIO()
    book = Workbook(made, {"in_memory": True})
    book.set_properties({"title": f"Par sheet: {sheets[0].title}", "created": _MADE})
    names = ["par sheet"] if len(sheets) == 1 else _page_names(sheets)
    for name, sheet in zip(names, sheets, strict=True):
        _lines(book, sheet, name)
        _house(book, sheet, "house" if len(sheets) == 1 else f"{name} house")
    _definitions(book, sheets)
    book.close()
    return made.getvalue()


def _page_names(sheets: Iterable[Sheet]) -> list[str]:
    """Return a name for the page of each sheet that a workbook takes, with room for more words, and none twice."""
    names: list[str] = []
    for number, sheet in enumerate(sheets, start=1):
        signs = "".join(" " if sign in _NOT_IN_NAMES else sign for sign in sheet.house or sheet.title)
        name = " ".join(signs.split())[:_NAME_MAX].strip()
        taken = {one.lower() for one in names}
        names.append(f"{number} {name}"[:_NAME_MAX].strip() if not name or name.lower() in taken else name)
    return names


def _lines(book: Workbook, sheet: Sheet, title: str) -> None:
    page = book.add_worksheet(title)
    head = book.add_format(_HEAD_FORMAT)
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


def _house(book: Workbook, sheet: Sheet, name: str) -> None:
    """Write whose sheet it is, the elections in force, and lines for signatures."""
    page = book.add_worksheet(name)
    bold, wrapped = _bold(book), _wrapped(book)
    signed = book.add_format({"top": 1, "valign": "top", "font_color": "#5C6A63"})
    for column, width in enumerate((44, 44, 34, 50)):
        page.set_column(column, column, width)
    row = 0
    for label, said in sheet.about or (("Regulation", sheet.title), ("House", sheet.house or _ALL)):
        page.write_string(row, 0, label, bold)
        page.write_string(row, 1, said, wrapped)
        row += 1
    if sheet.elections:
        row += 1
        for column, title in enumerate(("election", "this house", "permitted", "clauses")):
            page.write_string(row, column, title, book.add_format(_HEAD_FORMAT))
        for row, one in enumerate(sheet.elections, start=row + 1):  # noqa: B020 - goes on below
            for column, text in enumerate((one.label, one.elected, one.permitted, ", ".join(one.clauses))):
                page.write_string(row, column, text, wrapped)
    for who in SIGNED_BY:
        row += 3
        page.write_string(row - 1, 0, who, bold)
        for column, text in enumerate(("signature", "name and office", "licence no.", "date")):
            page.write_string(row, column, text, signed)
    page.fit_to_pages(1, 0)


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


def _definitions(book: Workbook, sheets: Sequence[Sheet]) -> None:
    page = book.add_worksheet("definitions")
    bold, wrapped = _bold(book), _wrapped(book)
    page.set_column(0, 0, 20)
    page.set_column(1, 1, 90)
    rows = [("regulation", title) for title in dict.fromkeys(sheet.title for sheet in sheets)]
    rows += [("house", sheet.house or _ALL) for sheet in sheets]
    rows += DEFINITIONS
    rows += [("favours", "who has the edge at the stake shown; a negative edge is the player's")]
    rows += [("favourable stakes", "stakes within the limits that favour the player or cost nothing, for rounding")]
    rows += [("note", note) for note in dict.fromkeys(note for sheet in sheets for note in sheet.notes)]
    for row, (name, text) in enumerate(rows):
        page.write_string(row, 0, name, bold)
        page.write_string(row, 1, text, wrapped)


def _bold(book: Workbook) -> Format:
    return book.add_format({"bold": True, "valign": "top"})


def _wrapped(book: Workbook) -> Format:
    return book.add_format({"text_wrap": True, "valign": "top"})
