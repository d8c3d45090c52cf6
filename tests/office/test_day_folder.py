"""The day's folder of a busy house: every form in it, and nothing on any page that needs a key to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from passline.acts.printed_schema import Form
from passline.acts.rules import office_of
from passline.documents.as_escpos import roll_lines
from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf
from passline.documents.as_text import as_text
from passline.documents.sheet import PrintedSheet, cell_text, plain_text
from passline.documents.slip_height import is_short_slip
from passline.office.folder import past_of
from passline.office.views.authority import authority_sheet
from passline.office.views.day_forms import DayForm, file_copies, form_sheets, forms_of_day, forms_table
from passline.office.views.day_report import OfficePast
from passline.office.views.printed_day import day_report
from passline.rules.clauses import REGULATIONS
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office import busy_arizona, busy_house

_UNREADABLE = {
    "a key of the pages": re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b"),
    "cents": re.compile(r"\bcents\b"),
    "a code of a form": re.compile(r"PASSLINE:"),
    "a whole digest": re.compile(r"\b[0-9a-f]{64}\b"),
    "a moment as the log keeps it": re.compile(r"\d{4}-\d\d-\d\dT\d\d:"),
    "a kind and what identifies it": re.compile(r"\b(?:table|patron|person|account|slip|incident|die|box)/\w"),
    "a cut text": re.compile(r"\w\.\.\.(?:;|,|$)"),
    "something of Python": re.compile(r"\bNone\b|\bTrue\b|\bFalse\b|[{}]"),
}


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    """The log of a house in Arizona with four tables and three shifts."""
    made = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    busy_arizona.log_busy_arizona(made)
    return made


@pytest.fixture(scope="module")
def past(log: MemoryLog) -> OfficePast:
    """Its gaming day."""
    return past_of(log, "arizona", busy_arizona.DAY)


def _sheets(log: MemoryLog, past: OfficePast) -> list[PrintedSheet]:
    """All that is printed in the folder."""
    one = past.day
    report = day_report(one, regulation="Arizona", at="now", foot="log 1", forms=forms_table(one, forms_of_day(one)))
    authority = authority_sheet(log, past.authority(), one.facility, one.day, regulation="Arizona", foot="log 1")
    return [report, authority, *file_copies(past, forms_of_day(one))]


def _words(sheet: PrintedSheet) -> Iterator[str]:
    """Everything that is printed on a sheet, piece by piece."""
    yield from (sheet.title, sheet.number, sheet.about, sheet.dated, sheet.copy, sheet.small_print, *sheet.foot)
    yield from (words for fact in sheet.facts for words in fact)
    for table in sheet.tables:
        yield from (table.title, *table.heads, *map(plain_text, table.notes))
        yield from (cell_text(table, column, cell) for row in table.rows for column, cell in enumerate(row))
    for line in sheet.signatures:
        yield from (line.wants, line.remark, *line.given)


def test_everything_in_the_folder_is_read_without_a_key(log: MemoryLog, past: OfficePast) -> None:
    found = {
        f"{sheet.title} {sheet.number}: {what}: {words}"
        for sheet in _sheets(log, past)
        for words in _words(sheet)
        for what, pattern in _UNREADABLE.items()
        if pattern.search(words)
    }
    assert not found, "\n".join(sorted(found)[:40])


def test_every_page_names_the_house_the_gaming_day_and_whose_time_it_tells(log: MemoryLog, past: OfficePast) -> None:
    for sheet in _sheets(log, past):
        foot = " ".join(sheet.foot)
        assert sheet.owner == "Saguaro Hall", sheet.title
        assert "Saguaro Hall" in foot, sheet.title
        assert "gaming day" in foot.lower(), sheet.title
        assert "America/Phoenix" in foot, sheet.title


def _lines_to_sign(sheet: PrintedSheet) -> bool:
    return bool(sheet.signatures) or any("initials" in table.heads for table in sheet.tables)


def _printed_forms(past: OfficePast) -> dict[str, tuple[PrintedSheet, ...]]:
    """One of each form that the day has, those that another form of the same thing includes among them."""
    found: dict[str, tuple[PrintedSheet, ...]] = {}
    forms = past.day.rules.pages.forms
    for form in forms_of_day(past.day):
        alike = [key for key, other in forms.items() if other.thing and other.thing == forms[form.form].thing]
        for key in alike or [form.form]:
            found.setdefault(key, form_sheets(past, replace(form, form=key)))
    return found


def test_every_form_of_the_pages_is_printed_in_a_busy_day(past: OfficePast) -> None:
    printed = _printed_forms(past)
    assert {*printed} == {*past.day.rules.pages.forms} - {"outage_report"}  # tests/office/test_outage.py prints it
    for key, sheets in printed.items():
        rule: Form = past.day.rules.pages.forms[key]
        assert len(sheets) == max(len(rule.copies), 1), key
        assert all(map(_lines_to_sign, sheets)), key
        assert all(sheet.code for sheet in sheets) or rule.is_log, key
        assert as_pdf(*sheets)[:5] == b"%PDF-"
        assert sheets[0].title in as_text(sheets[0])
        assert as_html("", *sheets).count("<section") == len(sheets)


def test_no_other_office_has_a_form_that_the_busy_day_lacks() -> None:
    known = {*office_of("arizona").pages.forms}
    assert all({*office_of(name).pages.forms} <= known for name in REGULATIONS)


@pytest.mark.parametrize("columns", [42, 32])
def test_a_roll_of_any_width_has_all_that_stands_on_the_form(past: OfficePast, columns: int) -> None:
    for key, sheets in _printed_forms(past).items():
        sheet = sheets[0]
        lines = list(roll_lines(sheet, columns))
        assert max(map(len, lines)) <= columns, key
        roll = _letters(" ".join(lines))
        pieces = [*(words for fact in sheet.facts for words in fact), *sheet.foot, sheet.copy, sheet.owner]
        pieces += [words for table in sheet.tables for words in (table.title, table.nothing * (not table.rows))]
        for table in sheet.tables:
            pieces += (cell_text(table, column, cell) for row in table.rows for column, cell in enumerate(row))
        pieces += (words for line in sheet.signatures for words in (line.wants, *line.given))
        missing = [words for words in pieces if _letters(words) not in roll]
        assert not missing, (key, missing[:5])


def _letters(words: str) -> str:
    """Words without the spaces and hyphens at which lines are broken."""
    return re.sub(r"[\s-]+", "", words)


def test_what_was_corrected_or_told_late_is_marked_on_its_form(past: OfficePast) -> None:
    marked = {
        (form.form, sheet.stamp)
        for form in forms_of_day(past.day)
        for sheet in form_sheets(past, form)[:1]
        if sheet.stamp
    }
    assert marked == {
        ("fill_slip", "void"), ("fill_slip", "returned"), ("closer", "corrected"), ("count_sheet", "corrected"),
    }  # fmt: skip
    (log_of,) = form_sheets(past, DayForm("correction_log", busy_arizona.DAY.isoformat(), "", "", ""))
    (table,) = log_of.tables
    before, now = (table.heads.index(head) for head in ("before", "now"))
    assert len(table.rows) == 2
    assert all(row[before] and row[now] and row[before] != row[now] for row in table.rows)


def test_slips_are_set_without_being_measured(past: OfficePast) -> None:
    """Each slip that may need more than a third of a page is set twice, and those around it on one core."""
    slips = [sheet for sheet in file_copies(past, forms_of_day(past.day)) if sheet.form == "slip"]
    measured = [f"{slip.title} {slip.number}" for slip in slips if not is_short_slip(slip)]
    assert len(slips) > 20
    assert not measured


def test_sums_stand_under_slips_and_counts(past: OfficePast) -> None:
    report = day_report(past.day, regulation="", at="", foot="")
    tables = {table.title: table for table in report.tables}
    for title in ("Fills", "Credits", "Soft counts"):
        table = tables[title]
        assert table.totals == (len(table.rows) - 1,), title
    fills = tables["Fills"]
    amount, state = fills.heads.index("amount $"), fills.heads.index("state")
    amounts = [row[amount] for row in fills.rows[:-1] if row[state] == "accepted"]
    assert fills.rows[-1][amount] == sum(cents for cents in amounts if isinstance(cents, int))
    counted = tables["Soft counts"]
    drop = tables["Win by table and shift"].rows[-1][6]
    assert counted.rows[-1][counted.heads.index("together $")] == drop


@pytest.mark.parametrize("office", ["maryland", "colorado"])
def test_the_folder_of_another_office_is_read_without_a_key(office: str) -> None:
    log = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    busy_house.log_busy_day(log, office)
    past = past_of(log, office, busy_house.DAY)
    sheets = [day_report(past.day, regulation="", at="", foot=""), *file_copies(past, forms_of_day(past.day))]
    found = {words for sheet in sheets for words in _words(sheet) for bad in _UNREADABLE.values() if bad.search(words)}
    assert not found


def test_figures_and_sums_of_a_day_say_what_they_are() -> None:
    """The first page said "incidents, still open: 1, 1", and a sum that nobody had corrected was "as corrected"."""
    log = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    busy_house.log_busy_day(log, "maryland")
    sheet = day_report(past_of(log, "maryland", busy_house.DAY).day, regulation="", at="", foot="")
    (incidents,) = [figure.values for figure in sheet.figures if figure.name == "incidents"]
    assert incidents == (("1, 1 open", ""),)
    counts = next(table for table in sheet.tables if table.title == "Soft counts")
    assert counts.rows[-1][0] == "all"
