"""Forms: each described on a page, printed from the log, numbered, with the code of its entry and who signed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.acts.check import office_problems
from passline.acts.papers.form_codes import read_code
from passline.acts.rules import office_of
from passline.documents.as_text import as_text
from passline.documents.sheet import PrintedSheet, SheetTable
from passline.office.folder import folder_faults, past_of, write_folder
from passline.office.views.day_forms import DayForm, file_copies, form_sheets, forms_of_day, forms_table
from passline.office.views.day_report import OfficePast, day_tables
from passline.office.views.printed_day import day_report
from passline.rules.clauses import REGULATIONS
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.busy_house import DAY, TABLES, log_busy_day

_FORMS = {
    *("fill_request", "fill_slip", "credit_request", "credit_slip", "opener", "shift_inventory", "closer"),
    *("drop_sheet", "count_summary", "count_sheet", "tip_sheet", "key_log", "chip_log", "transaction_log"),
    *("currency_report", "incident_report"),
}


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    """The log of a house with four tables and three shifts."""
    made = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    log_busy_day(made)
    return made


@pytest.fixture(scope="module")
def past(log: MemoryLog) -> OfficePast:
    """Its gaming day."""
    return past_of(log, "section2", DAY)


def _sheets(past: OfficePast, form: str, number: str) -> tuple[PrintedSheet, ...]:
    return form_sheets(past, DayForm(form, number, "", "", ""))


def _table(tables: tuple[SheetTable, ...] | list[SheetTable], title: str) -> SheetTable:
    return next(table for table in tables if table.title == title)


def test_every_office_prints_every_form() -> None:
    for name in REGULATIONS:
        assert {*office_of(name).pages.forms} >= _FORMS, name
        assert not office_problems(office_of(name)), name
    assert {"dice_log", "store_log"} <= {*office_of("arizona").pages.forms}


def test_a_slip_comes_in_parts_with_its_number_its_signatures_and_its_code(log: MemoryLog, past: OfficePast) -> None:
    original, duplicate, triplicate = _sheets(past, "fill_slip", "F-000005")
    assert [sheet.copy.partition(":")[0] for sheet in (original, duplicate, triplicate)] == [
        "Original", "Duplicate", "Triplicate",
    ]  # fmt: skip
    assert {replace(sheet, copy="") for sheet in (original, duplicate, triplicate)} == {replace(original, copy="")}
    assert [line.given[1] for line in original.signatures] == ["Flo", "Cass", "Fay", "Dan"]
    assert original.tables[0].rows[-1] == ("total", None, 1_500_00)
    code = read_code(original.code)
    assert code is not None
    assert (code.number, original.number) == ("F-000005", "F-000005")
    (stored,) = log.read(after=code.sequence - 1, until=code.sequence)
    assert stored.hash.hex() == code.hash
    assert b"request_fill" in stored.body
    assert len(_sheets(past, "fill_request", "F-000005")) == 2


def test_a_void_slip_says_so_and_has_no_line_for_what_never_came(past: OfficePast) -> None:
    sheet = _sheets(past, "fill_slip", "F-000007")[0]
    assert sheet.stamp == "void"
    assert [line.wants for line in sheet.signatures] == ["Ask for a fill", "Void a fill slip", "who signs the void too"]
    assert ("why", "the table had enough by then") in sheet.facts


def test_a_slip_under_way_has_lines_for_those_who_are_still_to_sign(log: MemoryLog) -> None:
    before = past_of(log, "section2", date(2026, 3, 1))
    rules = before.day.rules
    thing = before.day.thing("fill_slip", "F-000001")
    assert thing is not None
    begun = replace(
        before,
        day=replace(before.day, filed={"fill_slip/F-000001": replace(thing, state="prepared")}),
        acts_about=lambda subject: list(before.acts_about(subject))[:2],
    )
    lines = _sheets(begun, "fill_slip", "F-000001")[0].signatures
    assert [(line.wants, bool(line.given)) for line in lines] == [
        (rules.pages.acts[act].name, act in {"request_fill", "prepare_fill"})
        for act in ("request_fill", "prepare_fill", "carry_fill", "accept_fill")
    ]


def test_a_count_sheet_adds_up_and_a_log_has_a_line_for_each_act(past: OfficePast) -> None:
    (sheet,) = _sheets(past, "count_sheet", "166")
    assert sheet.number == "no. 166"
    assert ("together", "$1,962.50") in sheet.facts
    (drops,) = _sheets(past, "drop_sheet", DAY.isoformat())
    assert len(drops.tables[0].rows) == 3 * len(TABLES)
    (keys,) = _sheets(past, "key_log", DAY.isoformat())
    assert len(keys.tables[0].rows) == 8
    (cash,) = _sheets(past, "transaction_log", DAY.isoformat())
    (table,) = cash.tables
    assert [row[3] for row in table.rows] == ["Rex Harlow (rex)"] * 4 + [""]
    columns = [table.heads.index(head) for head in ("cash in $", "cash out $")]
    assert [table.rows[-1][column] for column in columns] == [13_500_00, 1_200_00]


def test_a_currency_report_names_the_patron_and_leaves_lines_for_the_rest(past: OfficePast) -> None:
    report = next(form for form in forms_of_day(past.day) if form.form == "currency_report")
    (sheet,) = form_sheets(past, report)
    lines = next(table.rows for table in sheet.tables if table.title.startswith("Part I:"))
    person = {row[0]: row[1] for row in lines}
    assert person["4 last name, or legal name of the entity"] == "Rex Harlow"
    assert person["21 cash in of this person"] == "$13,500.00"
    assert person["17 date of birth"] == ""
    assert sheet.code


def test_a_currency_report_has_the_items_of_form_112_in_their_order(past: OfficePast) -> None:
    """Items 1 to 28, with the letters of cash in and out, and the parts on who files; each cash in and out once."""
    parts = past.day.rules.pages.forms["currency_report"].parts.values()
    named = [part.name.split(" cash in: ")[0].split(" cash out: ")[0].split() for part in parts]
    numbers = [int(words[0]) for words in named if words[0].isdigit()]
    assert numbers == sorted(numbers)
    assert {*numbers} == {*range(1, 29)}
    letters = {item: [words[1] for words in named if words[0] == item and len(words[1]) == 1] for item in ("25", "27")}
    assert letters == {"25": [*"abcdefghi", "z"], "27": [*"abcdefghij", "z"]}
    filer = next(part.name for part in parts if part.under.startswith("Part IV"))
    assert filer == "type of institution, and of gaming institution"


def test_an_incident_is_printed_with_its_finding(past: OfficePast) -> None:
    (sheet,) = _sheets(past, "incident_report", "I-1")
    assert ("what was found", "a fill was being made up while the cage was counted") in sheet.facts
    assert ("who is involved", "Cass, Carl") in sheet.facts
    assert "Fred" in as_text(sheet)


def test_numbers_of_a_series_have_no_gap_and_one_that_is_missing_is_named(past: OfficePast) -> None:
    rows = {row[0]: row for row in forms_table(past.day, forms_of_day(past.day)).rows}
    assert rows["Fill slip"] == ("Fill slip", "F-000005 to F-000011", 7, 1, "none")
    gone = [act for act in past.day.own_acts() if act.done.kind != "fill_slip" or "F-000008" not in act.done.things]
    without = replace(past.day, acts={act.done.number: act for act in gone})
    assert {row[0]: row[-1] for row in forms_table(without, forms_of_day(without)).rows}["Fill slip"] == "F-000008"


def test_totals_by_shift_pit_and_game_are_those_of_the_tables(past: OfficePast) -> None:
    tables = day_tables(past.day)
    results = _table(tables, "Win by table and shift")
    drop, win = (results.rows[-1][results.heads.index(head)] for head in ("drop $", "win $"))
    for by, names in (
        ("shift", ["day", "swing", "grave"]),
        ("pit", ["pit-1", "pit-2"]),
        ("game", ["craps", "mini craps"]),
    ):
        sums = _table(tables, f"Drop, win and hold by {by}")
        assert [row[0] for row in sums.rows] == [*names, "all"]
        assert sums.rows[-1][1:3] == (drop, win)


def test_the_file_of_a_day_has_its_forms_what_is_open_and_who_closed_it(
    log: MemoryLog, past: OfficePast, tmp_path: Path
) -> None:
    closing = past.acts_about(f"gaming_day/{DAY}")
    listed = forms_table(past.day, forms_of_day(past.day))
    report = day_report(past.day, regulation="", at="", foot="", closing=closing, forms=listed)
    assert [line.given[1:3] for line in report.signatures[:2]] == [("Abe", "accountant"), ("Ada", "auditor")]
    assert [table.title for table in report.tables[:2]] == ["Forms in this file", "Open matters"]
    assert [row[:2] for row in report.tables[1].rows] == [
        ("incident, under investigation", "I-1"), ("report of cash, due", DAY.isoformat()),
    ]  # fmt: skip
    manifest = write_folder(log, "section2", DAY, tmp_path / "day")
    assert {"day.html", "forms.pdf", "forms.html"} <= {*manifest.files}
    assert folder_faults(tmp_path / "day", log.public_key) == []
    page = (tmp_path / "day" / "forms.html").read_text(encoding="utf-8")
    sheets = file_copies(past, forms_of_day(past.day))
    assert page.count("<section") == len(sheets) == 49
    assert all(sheet.number in page for sheet in sheets)
    assert not any("Request" in sheet.title for sheet in sheets)  # a slip has all that its request has
