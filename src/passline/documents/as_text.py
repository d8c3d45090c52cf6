"""Sheets and tables as lines of text, and tables as lines of JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import json

from passline.documents.sheet import Cell, PrintedSheet, SheetTable, cell_text, plain_text

_BLANK = "_" * 24  # to be written on


def as_text(sheet: PrintedSheet) -> str:
    r"""Return a sheet as plain text; pictures are left out.

    >>> print(as_text(PrintedSheet(title="Fire Bet", tables=(SheetTable(title="pays", rows=(("24 to 1",),)),))), end="")
    Fire Bet
    ========
    <BLANKLINE>
    pays
      24 to 1
    """
    title = " ".join(filter(None, (sheet.title, sheet.number)))
    head = f"{title} ({sheet.about})" if sheet.about else title
    said = (sheet.copy, sheet.stamp.upper())
    lines = [head, "=" * len(head), *filter(None, said), *(f"{name}: {fact or _BLANK}" for name, fact in sheet.facts)]
    for figure in sheet.figures:
        values = "; ".join(f"{value} on {of}" if of else value for value, of in figure.values)
        lines.append(f"{figure.name}: {values}")
    for table in sheet.tables:
        lines += ["", *_table_lines(table)]
    for line in sheet.signatures:
        given = [f"{label}: {known or '_' * 12}" for label, known in _fill(sheet.signed_with, line.given)]
        lines += ["", line.wants, f"  {'  '.join(given)}"]
    return "\n".join([*lines, *filter(None, (sheet.small_print, sheet.code)), ""])


def _fill(labels: tuple[str, ...], given: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return zip(labels, (*given, *("" for _ in labels[len(given) :])), strict=True)


def _table_lines(table: SheetTable) -> Iterator[str]:
    title = f"{table.title} ({table.code})" if table.code else table.title
    yield f"{title} [{table.clause}]" if table.clause else title
    yield from table.about
    yield from _rows_under_heads(table) if table.heads else _rows_as_sentences(table)
    yield from map(plain_text, table.notes)


def _rows_as_sentences(table: SheetTable) -> Iterator[str]:
    for row in table.rows:
        cells = (cell_text(table, column, cell) for column, cell in enumerate(row))
        yield f"  {' '.join(filter(None, cells))}"


def _rows_under_heads(table: SheetTable) -> Iterator[str]:
    if not table.rows:
        yield table.nothing
        return
    cells = [tuple(cell_text(table, at, cell).replace("\n", " ") for at, cell in enumerate(row)) for row in table.rows]
    widths = [max(len(row[at]) for row in (table.heads, *cells)) for at in table.columns]
    groups = dict(table.groups)
    for number, row in enumerate((table.heads, *cells), start=-1):
        if number in groups:
            yield groups[number]
        yield "  ".join(
            cell.rjust(width) if table.is_figure(at) else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()


def table_text(table: SheetTable) -> str:
    """Return a table as lines of text, with figures to the right.

    >>> print(table_text(SheetTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500), ("T2", 12_00)))))
    Fills
    table  amount $
    T1         5.00
    T2        12.00
    """
    return "\n".join(_table_lines(table))


def table_jsonl(table: SheetTable) -> bytes:
    r"""Return a table as JSON lines: an object for each row; money is in cents.

    >>> table_jsonl(SheetTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500),)))
    b'{"table":"T1","amount_cents":500}\n'
    """
    return b"".join(json.encode(row) + b"\n" for row in listed_rows(table))


def listed_rows(table: SheetTable) -> list[dict[str, Cell]]:
    """Return each row of a table as a dictionary by column heads; money is in cents."""
    keys = [
        head.replace(table.money, "cents").replace(",", "").replace(".", "").replace(" ", "_") for head in table.heads
    ]
    return [dict(zip(keys, row, strict=True)) for row in table.rows]
