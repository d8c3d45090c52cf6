"""A par sheet as a PDF, made by typst without network access. Equal sheets give equal bytes."""

from __future__ import annotations

import msgspec

from passline.exact.par.as_text import DEFINITIONS, groups
from passline.exact.par.sheet import Sheet
from passline.typesetting import set_page

__all__ = ["sheet_pdf"]


def sheet_pdf(sheet: Sheet) -> bytes:
    """Return the sheet as a PDF.

    >>> from passline.exact.par.sheet import sheet
    >>> sheet_pdf(sheet("section2", game="craps", wager="field"))[:5]
    b'%PDF-'
    """
    wagers = [
        {**msgspec.to_builtins(group), "has_pushes": group.has_pushes, "has_outlays": group.has_outlays}
        for group in groups(sheet)
    ]
    content = {
        "title": sheet.title,
        "house": sheet.house or "all that the regulation permits a house",
        "lines": len(sheet.lines),
        "groups": wagers,
        "notes": sheet.notes,
        "definitions": DEFINITIONS,
    }
    return set_page("passline.exact.par", "sheet.typ", content)
