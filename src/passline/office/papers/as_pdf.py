"""Papers and reports of an office as PDFs, made by typst without network access. Equal content gives equal bytes."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, to_builtins

from passline.errors import CrapsError
from passline.office.papers.pictures import ReportPicture
from passline.office.papers.sheet import PaperSheet
from passline.office.papers.signatures import PaperSignature
from passline.office.papers.tables import OfficeTable, cell_text
from passline.typesetting import set_page

__all__ = ["OfficeReport", "PrintedPaper", "paper_pdf", "report_pdf"]

_TICKED, _OPEN = "[x] ", "[ ] "


class PrintedPaper(Struct, frozen=True):
    """A paper with what is printed around it."""

    sheet: PaperSheet
    facility: str
    regulation: str
    signatures: tuple[PaperSignature, ...] = ()
    at: str = ""  # as of when, local time
    is_signed: bool = True  # by hand; a sign on a wall only says what the log has


class OfficeReport(Struct, frozen=True, kw_only=True):
    """A report of an office: what it is about, and its tables."""

    title: str
    about: str
    facility: str
    regulation: str
    at: str
    figures: tuple[tuple[str, str], ...] = ()  # what stands on top: name and figure
    pictures: tuple[ReportPicture, ...] = ()
    tables: tuple[OfficeTable, ...] = ()
    foot: str = ""


def paper_pdf(paper: PrintedPaper, form: Literal["pdf", "png"] = "pdf") -> bytes:
    """Return a paper as a PDF. Raise CrapsError while a part of it is missing."""
    sheet = paper.sheet
    if not sheet.is_complete:
        missing = "; ".join(f"{one.name} [{one.clause}]" for one in sheet.missing)
        raise CrapsError(f"{sheet.title} cannot be printed while a part is missing: {missing}")
    parts = [
        {
            "name": part.name,
            "clause": _cited(part.clause),
            "lines": [
                _line(line, part.clauses[number] if part.clauses else "") for number, line in enumerate(part.lines)
            ],
        }
        for part in sheet.parts
    ]
    content = {
        "title": sheet.title,
        "about": sheet.thing.replace("/", " ").replace("_", " "),
        "facility": paper.facility,
        "regulation": paper.regulation,
        "clause": _cited(sheet.clause),
        "digest": sheet.digest,
        "at": paper.at,
        "parts": parts,
        "is_signed": paper.is_signed,
        "signatures": to_builtins(paper.signatures),
    }
    return set_page("passline.office.papers", "paper.typ", content, form)


def report_pdf(report: OfficeReport, form: Literal["pdf", "png"] = "pdf") -> bytes:
    """Return a report as a PDF."""
    content = {**to_builtins(report), "tables": [_table(one) for one in report.tables]}
    return set_page("passline.office.papers", "report.typ", content, form)


def _table(table: OfficeTable) -> dict[str, Any]:
    columns = range(len(table.heads))
    return {
        "title": table.title,
        "heads": table.heads,
        "rows": [[cell_text(table, column, row[column]) for column in columns] for row in table.rows],
        "widths": table.widths or [1.0 for _ in columns],
        "right": [column for column in columns if table.is_figure(column)],
        "nothing": table.nothing,
        "bold": table.totals,
    }


def _cited(clause: str) -> str:
    return "" if clause == "practice" else clause


def _line(line: str, clause: str) -> dict[str, str]:
    """Return a line as the template sets it: with a box, with what it is about in front, or as it is."""
    for mark, box in ((_TICKED, "ticked"), (_OPEN, "open")):
        if line.startswith(mark):
            return {"box": box, "lead": "", "text": line.removeprefix(mark), "clause": _cited(clause)}
    lead, colon, text = line.partition(": ")
    if not colon:
        lead, text = "", line
    return {"box": "", "lead": lead, "text": text, "clause": _cited(clause)}
