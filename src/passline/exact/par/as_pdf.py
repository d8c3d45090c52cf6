"""A par sheet as a PDF, made by typst without network access. Equal sheets give equal bytes."""

from __future__ import annotations

from typing import Any

import msgspec

from passline.exact.par.as_text import DEFINITIONS, groups
from passline.exact.par.sheet import Sheet
from passline.rules.explain.clause_lists import shortened_clauses
from passline.rules.explain.paper_head import SIGNED_BY
from passline.typesetting import set_page

__all__ = ["sheet_pdf"]


def sheet_pdf(*sheets: Sheet) -> bytes:
    """Return sheets as a PDF, one after another.

    >>> from passline.exact.par.sheet import sheet
    >>> sheet_pdf(sheet("section2", game="craps", wager="field"))[:5]
    b'%PDF-'
    """
    content = {"sheets": [_content(sheet) for sheet in sheets], "definitions": DEFINITIONS, "signed_by": SIGNED_BY}
    return set_page("passline.exact.par", "sheet.typ", content)


def _content(sheet: Sheet) -> dict[str, Any]:
    wagers = [
        {**msgspec.to_builtins(group), "has_pushes": group.has_pushes, "has_outlays": group.has_outlays}
        for group in groups(sheet)
    ]
    elections = [
        {**msgspec.to_builtins(one), "clauses": ", ".join(shortened_clauses(one.clauses))} for one in sheet.elections
    ]
    return {
        "title": sheet.title,
        "house": sheet.house or "all that the regulation permits a house",
        "lines": len(sheet.lines),
        "groups": wagers,
        "notes": sheet.notes,
        "elections": elections,
        "about": sheet.about,
    }
