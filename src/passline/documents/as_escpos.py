"""Sheets as bytes for a thermal printer that speaks ESC/POS: text in its columns, the code to scan, and a cut."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from passline.documents.sheet import PrintedSheet, SheetTable, cell_text, plain_text
from passline.extras import extra_for

COLUMNS = 42
"""Characters in a line of a roll of 80 mm, in the printer's own letters."""
_CODE_DOTS = 4  # of a module of the code


def as_escpos(*sheets: PrintedSheet) -> bytes:
    """Return sheets as a printer takes them, each cut from the next; pictures are left out."""
    with extra_for("a thermal printer"):
        from escpos.printer import Dummy  # noqa: PLC0415 - an extra
    printer = Dummy(magic_encode_args={"encoding": "CP437"})
    for sheet in sheets:
        printer.set(align="center", bold=True, double_height=True)
        printer.textln(" ".join(filter(None, (sheet.title, sheet.number))))
        printer.set_with_default(align="left")
        for line in _lines(sheet):
            printer.textln(line)
        if sheet.code:
            printer.set(align="center")
            printer.qr(sheet.code, size=_CODE_DOTS, native=True)
            printer.set_with_default(align="left")
        printer.cut()
    made: bytes = printer.output
    return made


def _lines(sheet: PrintedSheet) -> Iterator[str]:
    """Yield a sheet line by line, none longer than the roll is wide."""
    for words in (sheet.owner, sheet.copy, sheet.stamp.upper(), sheet.about, sheet.dated):
        yield from wrap(words, COLUMNS)
    yield "-" * COLUMNS
    for name, fact in sheet.facts:
        yield from wrap(f"{name}: {fact}", COLUMNS, subsequent_indent="  ")
    for table in sheet.tables:
        yield from _table_lines(table)
    for signature in sheet.signatures:
        given = ", ".join(filter(None, signature.given))
        yield from ("", "")
        yield "_" * COLUMNS
        yield from wrap(f"{signature.wants}: {given}" if given else signature.wants, COLUMNS)
    yield from wrap(sheet.small_print, COLUMNS)


def _table_lines(table: SheetTable) -> Iterator[str]:
    """Yield the rows of a table: in columns where they fit, else a line for each cell."""
    yield from ("", *wrap(table.title, COLUMNS))
    rows = [[cell_text(table, column, cell) for column, cell in enumerate(row)] for row in table.rows]
    lines = [list(table.heads), *rows] if table.heads else rows
    widths = [max(len(row[column]) for row in lines) for column in table.columns] if lines else []
    if sum(widths) + len(widths) - 1 <= COLUMNS:
        for row in lines:
            cells = zip(row, widths, table.columns, strict=True)
            yield " ".join(cell.rjust(width) if table.is_figure(at) else cell.ljust(width) for cell, width, at in cells)
    else:
        for row in rows:
            for place, cell in enumerate(row):
                head = f"{table.heads[place]}: " if table.heads and cell else ""
                yield from wrap(f"{head}{cell}", COLUMNS, subsequent_indent="  ")
    for note in table.notes:
        yield from wrap(plain_text(note), COLUMNS)
