"""Sheets as a file of any kind (PDF, xlsx, HTML or text), and a list as one that other programs read."""

from __future__ import annotations

from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf
from passline.documents.as_text import as_text, table_jsonl, table_text
from passline.documents.as_xlsx import as_xlsx, tables_xlsx
from passline.documents.sheet import PrintedSheet, SheetTable

SHEET_FILES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
"""The kinds of file that a sheet becomes, each with its media type."""
LIST_FILES = {"jsonl": "application/jsonl", **{kind: SHEET_FILES[kind] for kind in ("xlsx", "txt")}}
"""The kinds of file that a list becomes, each with its media type."""


def sheet_file(kind: str, sheet: PrintedSheet, *more: PrintedSheet) -> bytes:
    r"""Return a sheet, or several behind each other, as a file of one of the kinds of `SHEET_FILES`.

    >>> sheet_file("txt", PrintedSheet(title="Fire Bet"))
    b'Fire Bet\n========\n'
    """
    sheets = (sheet, *more)
    title = f"{sheet.title} {sheet.number}".strip()
    match kind:
        case "pdf":
            return as_pdf(*sheets)
        case "xlsx":
            return as_xlsx(title, sheets)
        case "html":
            return as_html(title, *sheets).encode()
        case _:
            assert kind == "txt", kind
            return "\n".join(map(as_text, sheets)).encode()


def list_file(kind: str, table: SheetTable) -> bytes:
    r"""Return a list as a file of one of the kinds of `LIST_FILES`.

    >>> list_file("jsonl", SheetTable(title="Drops", heads=("table", "cents"), rows=(("T1", 5_00),)))
    b'{"table":"T1","cents":500}\n'
    """
    match kind:
        case "jsonl":
            return table_jsonl(table)
        case "xlsx":
            return tables_xlsx(table.title, [table])
        case _:
            assert kind == "txt", kind
            return f"{table_text(table)}\n".encode()
