"""Papers of an office as they are printed: what stands around them, their parts as tables, and signatures.

Slips and other forms are described in `forms.toml` of the pages and printed by `acts.views.forms`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from passline.acts.papers.sheet import PaperSheet
from passline.acts.papers.signatures import PaperSignature
from passline.acts.schema import PRACTICE
from passline.documents.as_text import as_text
from passline.documents.sheet import PrintedSheet, SheetTable, SignatureLine, Styled, Words, sheet_in
from passline.errors import CrapsError
from passline.money import DOLLAR

_BOXES = (("[x] ", Styled(style="ticked")), ("[ ] ", Styled(style="box")))
_LEAD_MAX = 60  # characters of a lead that stands out
_SIGNED_WITH = ("signature", "name", "role", "licence no.", "date and time")


class PrintedPaper(Struct, frozen=True):
    """A paper with what is printed around it."""

    sheet: PaperSheet
    facility: str
    regulation: str
    signatures: tuple[PaperSignature, ...] = ()
    at: str = ""  # as of when, local time
    is_signed: bool = True  # by hand; a sign on a wall only says what the log has
    currency: str = DOLLAR  # of the regulation


def printed_sheet(paper: PrintedPaper) -> PrintedSheet:
    """Return a paper as it is printed. Raise CrapsError while a part of it is missing."""
    sheet = paper.sheet
    if not sheet.is_complete:
        missing = "; ".join(f"{part.name} [{part.clause}]" for part in sheet.missing)
        raise CrapsError(f"{sheet.title} cannot be printed while a part is missing: {missing}")
    about = _about(sheet)
    dated = (f"As of {paper.at}" if paper.at else "", _citation(sheet.clause))
    foot = (paper.facility, ", ".join(filter(None, (sheet.title, about))), sheet.digest[:12])
    made = PrintedSheet(
        title=sheet.title,
        owner=paper.facility,
        regulation=paper.regulation,
        about=about,
        dated=" · ".join(filter(None, dated)),
        tables=_tables(sheet),
        signatures=tuple(map(_signature, paper.signatures)) if paper.is_signed else (),
        signed_with=_SIGNED_WITH,
        small_print="" if paper.is_signed else _on_record(paper.signatures),
        foot=tuple(filter(None, foot)),
    )
    return sheet_in(made, paper.currency)


def paper_text(sheet: PaperSheet, *, has_about: bool = True) -> str:
    """Return a paper as plain text, each line with its clause, whether or not a part is missing."""
    return as_text(PrintedSheet(title=sheet.title, about=_about(sheet) if has_about else "", tables=_tables(sheet)))


def _about(sheet: PaperSheet) -> str:
    return sheet.thing.replace("/", " ").replace("_", " ")


def _tables(sheet: PaperSheet) -> tuple[SheetTable, ...]:
    return tuple(
        SheetTable(
            title=part.name,
            clause=_citation(part.clause),
            rows=tuple(
                (_line(line), (Styled(_citation(part.clauses[number] if part.clauses else ""), "clauses"),))
                for number, line in enumerate(part.lines)
            ),
            widths=(4.7, 1),
        )
        for part in sheet.parts
    )


def _citation(clause: str) -> str:
    return "" if clause == PRACTICE else clause


def _line(line: str) -> Words:
    """Return a line with a box, a digest or what it is about in front, or as it is."""
    for mark, box in _BOXES:
        if line.startswith(mark):
            return (box, Styled(line.removeprefix(mark)))
    if re.fullmatch(r"document [0-9a-f]{64}", line):
        return (Styled("document, SHA-256 "), Styled(line.removeprefix("document "), "mono"))
    lead, colon, text = line.partition(": ")
    return (Styled(lead, "strong"), Styled(f": {text}")) if colon and len(lead) < _LEAD_MAX else line


def _signature(signature: PaperSignature) -> SignatureLine:
    given = ("", signature.name, signature.role, signature.licence, signature.at)
    return SignatureLine(signature.wants, given, f"signed in the log, act {signature.act}" if signature.act else "")


def _on_record(signatures: tuple[PaperSignature, ...]) -> str:
    """Return who has signed in the log, in one sentence; empty if nobody is named."""
    said = []
    for signature in signatures:
        licence = f", licence {signature.licence}" if signature.licence else ""
        who = f"{signature.name} ({signature.role}{licence})"
        said.append(f"{signature.wants}, {who}, {signature.at}, act {signature.act}")
    return f"On record: {'; '.join(said)}." if said else ""
