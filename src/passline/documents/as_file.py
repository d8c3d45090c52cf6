"""A sheet as a file of any kind: PDF, xlsx, HTML or text."""

from __future__ import annotations

from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf
from passline.documents.as_text import as_text
from passline.documents.as_xlsx import as_xlsx
from passline.documents.sheet import PrintedSheet

SHEET_FILES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "html": "text/html; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}
"""The kinds of file that a sheet becomes, each with its media type."""


def sheet_file(sheet: PrintedSheet, kind: str) -> bytes:
    r"""Return a sheet as a file of one of the kinds of `SHEET_FILES`.

    >>> sheet_file(PrintedSheet(title="Fire Bet"), "txt")
    b'Fire Bet\n========\n'
    """
    match kind:
        case "pdf":
            return as_pdf(sheet)
        case "xlsx":
            return as_xlsx(sheet.title, [sheet])
        case "html":
            return as_html(sheet.title, sheet).encode()
        case _:
            assert kind == "txt", kind
            return as_text(sheet).encode()
