"""Papers and lists of an office as files that people print, sign and hand over."""

from __future__ import annotations

import io
import zipfile
from functools import cache

import pytest
from msgspec import json
from msgspec.structs import replace

from passline.acts.history import RecordedAct, recorded_acts
from passline.acts.papers.printed import PrintedPaper, printed_sheet
from passline.acts.papers.sheet import PaperSheet, sheet_of
from passline.acts.papers.signatures import PaperSignature, signatures_of
from passline.acts.state import ActState
from passline.acts.views.lists import acts_table, stocks_table, things_table
from passline.documents.as_pdf import as_pdf
from passline.documents.as_text import table_jsonl
from passline.documents.as_xlsx import tables_xlsx
from passline.errors import CrapsError
from passline.store.memory import MemoryLog
from tests.office.logged_day import log_day, logged_events
from tests.office.offices import known_house, known_office


@cache
def _office(day: str, office: str) -> tuple[ActState, dict[int, RecordedAct]]:
    log = MemoryLog()
    state = log_day(day, log)
    return state, recorded_acts(logged_events(log, office))


def _equipment() -> tuple[PaperSheet, tuple[PaperSignature, ...]]:
    state, acts = _office("maryland_rules", "maryland")
    rules = known_office("maryland")
    sheet = sheet_of(rules, state, "equipment", "T1", known_house)
    return sheet, signatures_of(rules, state, acts, sheet)


def test_a_paper_becomes_the_same_pdf_each_time() -> None:
    sheet, signatures = _equipment()
    paper = PrintedPaper(sheet, "Harbour", "Maryland", signatures, "2026-03-02 10:00")
    made = as_pdf(printed_sheet(paper))
    assert made.startswith(b"%PDF-")
    assert made == as_pdf(printed_sheet(paper))
    assert made != as_pdf(printed_sheet(replace(paper, facility="Port")))


@pytest.mark.parametrize("words", ["x" + "é" * 31 + "y", "é" * 32, "Ж" * 31 + "ab", "d" * 64, "e\u0301" * 21 + "x"])
def test_a_line_that_begins_like_a_document_is_printed_in_any_script(words: str) -> None:
    """Such as the incident "document xéé...": as long in bytes as a digest, so it was cut inside a letter."""
    assert len(words.encode()) == 64
    sheet, signatures = _equipment()
    lines = (f"document {words}", f"{words}: {words}")
    about = replace(sheet, thing=words, parts=(replace(sheet.parts[0], lines=lines, clauses=(), name=words),))
    made = as_pdf(printed_sheet(PrintedPaper(about, words, "Maryland", signatures, "2026-03-02 10:00")))
    assert made.startswith(b"%PDF-")


def test_a_paper_that_lacks_a_part_is_not_printed() -> None:
    state, _acts = _office("maryland_rules", "maryland")
    sheet = sheet_of(known_office("maryland"), state, "fire_display", "h3", known_house)
    with pytest.raises(CrapsError, match=r"MD-2\.D\.4\.e\.i"):
        printed_sheet(PrintedPaper(sheet, "Harbour", "Maryland"))


def test_a_checklist_has_a_clause_for_each_box() -> None:
    sheet, _signatures = _equipment()
    seen = sheet.parts[0]
    assert len(seen.clauses) == len(seen.lines)
    assert dict(zip(seen.clauses, seen.lines, strict=True))["MD-2.E.tip"].startswith("[x] a tip box")


def test_a_paper_is_signed_by_those_who_signed_in_the_log_and_by_whoever_is_still_to_sign() -> None:
    _sheet, (first, to_come) = _equipment()
    assert (first.name, first.role, first.at) == ("Flo", "floorperson", "2026-03-02 09:00")
    assert first.act
    assert to_come == PaperSignature("supervisor")
    state, acts = _office("maryland_rules", "maryland")
    rules = known_office("maryland")
    fire = signatures_of(rules, state, acts, sheet_of(rules, state, "fire_display", "h1", known_house))
    assert [one.wants for one in fire] == ["Draft a house", "Put up the Fire Bet's display"]


def test_lists_become_workbooks_and_json_lines() -> None:
    state, acts = _office("practice_money", "practice")
    rules = known_office("practice")
    tables = [
        things_table(rules, state, "table"),
        things_table(rules, state, "incident"),
        stocks_table(rules, state),
        acts_table(rules, state.facility, acts.values()),
    ]
    book = tables_xlsx("Everything", tables)
    assert book == tables_xlsx("Everything", tables)
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        assert sum(name.startswith("xl/worksheets/sheet") for name in parts.namelist()) == len(tables)
    lines = [json.decode(line) for line in table_jsonl(tables[2]).splitlines()]
    assert lines
    assert sum(line["amount_cents"] for line in lines) == 0  # double entry
    assert len(table_jsonl(tables[3]).splitlines()) == len(acts)


def test_people_are_called_by_their_names_in_lists() -> None:
    state, acts = _office("practice_money", "practice")
    table = acts_table(
        known_office("practice"), state.facility, acts.values(), {"ned": "Ned Nolan", "nia": "Nia North"}
    )
    assert any("team: Ned Nolan, Nia North" in str(row[8]) for row in table.rows)
    people = things_table(
        known_office("arizona"), _office("arizona_people", "arizona")[0], "person", (), {"sam": "Sam Sun"}
    )
    assert ("sam", "Sam Sun") in {(row[0], row[1]) for row in people.rows}
