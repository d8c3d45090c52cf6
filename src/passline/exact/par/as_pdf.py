"""A par sheet as a PDF, made by typst without network access. Equal sheets give equal bytes."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Literal

import msgspec
import typst

from passline.exact.par.as_text import DEFINITIONS, groups
from passline.exact.par.sheet import Sheet

__all__ = ["sheet_pdf"]


def sheet_pdf(sheet: Sheet) -> bytes:
    """Return the sheet as a PDF.

    >>> from passline.exact.par.sheet import sheet
    >>> sheet_pdf(sheet("section2", game="craps", wager="field"))[:5]
    b'%PDF-'
    """
    return _set(sheet, "pdf")


def _set(sheet: Sheet, form: Literal["pdf", "svg"]) -> bytes:
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
    template = (files("passline.exact.par") / "sheet.typ").read_bytes()
    return typst.compile(
        template, format=form, ignore_system_fonts=True, sys_inputs={"sheet": json.dumps(content)}, timestamp=0
    )
