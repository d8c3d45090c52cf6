"""Sheets as bytes for a thermal printer that speaks ESC/POS: text in its columns, the code to scan, and a cut."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from unicodedata import normalize

from passline.documents.sheet import PrintedSheet, SheetTable, cell_text, plain_text
from passline.extras import extra_for

COLUMNS = 42
"""Characters in a line of a roll of 80 mm, in the printer's own letters; a roll of 58 mm has 32."""
COLUMNS_LEAST, COLUMNS_MOST = 24, 64
"""The narrowest and the widest roll that is printed on."""
_LETTERS = "CP437"  # of the printer
_CODE_DOTS = 4  # of a module of the code
_BLANK = 12  # characters of a line to write on, at least


def as_escpos(*sheets: PrintedSheet, columns: int = COLUMNS) -> bytes:
    """Return sheets as a printer takes them, each cut from the next; pictures are left out."""
    with extra_for("a thermal printer"):
        from escpos.printer import Dummy  # noqa: PLC0415 - an extra
    printer = Dummy(magic_encode_args={"encoding": _LETTERS})
    for sheet in sheets:
        printer.set(align="center", bold=True, double_height=True)
        for line in wrap(_printable(" ".join(filter(None, (sheet.title, sheet.number)))), columns):
            printer.textln(line)
        printer.set_with_default(align="left")
        for line in roll_lines(sheet, columns):
            printer.textln(line)
        if sheet.code:
            printer.set(align="center")
            printer.qr(sheet.code, size=_CODE_DOTS, native=True)
            printer.set_with_default(align="left")
        printer.cut()
    made: bytes = printer.output
    return made


def roll_lines(sheet: PrintedSheet, columns: int = COLUMNS) -> Iterator[str]:
    r"""Yield what stands below the title of a sheet, line by line, none longer than the roll is wide.

    >>> fill = PrintedSheet(title="Fill slip", owner="Harbour", facts=(("table", "craps-1"), ("why", "no $5 left")))
    >>> print(*roll_lines(fill, 24), sep="\n")
    Harbour
    ------------------------
    table: craps-1
    why: no $5 left
    """
    yield from (_printable(line) for line in _lines(sheet, columns))


def _lines(sheet: PrintedSheet, columns: int) -> Iterator[str]:
    for words in (sheet.owner, sheet.regulation, sheet.copy, sheet.stamp.upper(), sheet.about, sheet.dated):
        yield from wrap(words, columns)
    yield "-" * columns
    for name, fact in sheet.facts:
        yield from wrap(f"{name}: {fact}", columns, subsequent_indent="  ")
    for table in sheet.tables:
        yield from _table_lines(table, columns)
    for signature in sheet.signatures:
        given = ", ".join(filter(None, signature.given))
        yield from ("", "", "_" * columns)
        yield from wrap(f"{signature.wants}: {given}" if given else signature.wants, columns)
    yield from ("", *wrap(sheet.small_print, columns)) if sheet.small_print else ()
    yield from ("", *wrap(" - ".join(sheet.foot), columns)) if sheet.foot else ()


def _table_lines(table: SheetTable, columns: int) -> Iterator[str]:
    """Yield the rows of a table: in columns where they fit, else a line for each cell."""
    yield from ("", *wrap(table.title, columns))
    rows = [[cell_text(table, column, cell) for column, cell in enumerate(row)] for row in table.rows]
    lines = [list(table.heads), *rows] if table.heads else rows
    widths = [max(len(row[column]) for row in lines) for column in table.columns] if lines else []
    if not rows:
        yield from wrap(table.nothing, columns)
    elif not table.heads and len(widths) > 1:
        for name, *values in rows:
            yield from _entry_lines(name, " ".join(filter(None, values)), columns)
    elif sum(widths) + len(widths) - 1 <= columns:
        for row in lines:
            cells = zip(row, widths, table.columns, strict=True)
            yield " ".join(cell.rjust(width) if table.is_figure(at) else cell.ljust(width) for cell, width, at in cells)
    else:
        for number, row in enumerate(rows):
            yield from ("",) if number else ()
            for place, cell in enumerate(row):
                head = f"{table.heads[place]}: " if table.heads and cell else ""
                yield from wrap(f"{head}{cell}", columns, subsequent_indent="  ")
    for note in table.notes:
        yield from wrap(plain_text(note), columns)


def _entry_lines(name: str, value: str, columns: int) -> Iterator[str]:
    """Yield an entry by its name; one that is not known has a line to write on."""
    if value:
        yield from wrap(f"{name}: {value}", columns, subsequent_indent="  ")
        return
    lines = wrap(f"{name}:", columns, subsequent_indent="  ")
    room = columns - len(lines[-1]) - 1
    yield from lines[:-1]
    yield from (f"{lines[-1]} {'_' * room}",) if room >= _BLANK else (lines[-1], f"  {'_' * (columns - 2)}")


def _printable(words: str) -> str:
    """Return words in letters that the printer has: accents that it lacks are left out.

    >>> _printable("Jürgen Łuczak, Šárka: 5 €")
    'Jürgen ?uczak, Sárka: 5 ?'
    """
    return "".join(letter if _has(letter) else _nearest(letter) for letter in words)


def _has(letter: str) -> bool:
    return letter.encode(_LETTERS, "ignore") != b""


def _nearest(letter: str) -> str:
    return "".join(part for part in normalize("NFKD", letter) if _has(part)) or "?"
