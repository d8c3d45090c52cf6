"""Manual slips: they are printed beforehand, numbered without a gap, and every one is told, void or missing."""

from __future__ import annotations

from datetime import date
from itertools import combinations

import pytest

from passline.acts import commands as c
from passline.acts.check import office_problems
from passline.acts.judges.slips import acts_on_slip
from passline.acts.papers.form_codes import read_code
from passline.acts.rules import office_of
from passline.acts.views.forms import FormMatter
from passline.acts.views.manual_slips import find_slip, manual_sheets, missing_words
from passline.documents.as_text import as_text
from passline.office.folder import past_of
from passline.rules.clauses import REGULATIONS
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.outage_story import (
    HANDED,
    SLIPS,
    OutageOffice,
    accept,
    fill_lines,
    incidents,
    numbers,
    refused,
    whole_batch,
)


@pytest.fixture
def office() -> OutageOffice:
    """An office after its outage, of which nothing was told yet."""
    return OutageOffice()


# Slips that are printed beforehand.


def test_every_office_prints_manual_slips_of_its_forms() -> None:
    for name in REGULATIONS:
        pages = office_of(name).pages
        assert not office_problems(office_of(name)), name
        manual = {key: form.manual for key, form in pages.forms.items() if form.manual}
        assert {"fill_slip", "credit_slip", "opener", "closer", "drop_sheet"} <= {*manual}, name
        assert len({*manual.values()}) == len(manual), "each kind has numbers of its own"


def test_every_act_that_is_written_on_a_slip_can_be_told_later() -> None:
    for name in REGULATIONS:
        rules = office_of(name)
        acts = {act for form in rules.pages.forms.values() if form.manual for act in acts_on_slip(rules, form)}
        tellings = {act: rules.telling_of(rules.pages.acts[act]) for act in acts}
        wrong = [
            act for act, telling in tellings.items() if not telling or (not telling.within and telling.of == "others")
        ]
        assert not [act for act in wrong if not rules.pages.acts[act].is_fact], name


def test_slips_are_numbered_by_kind_without_a_gap(office: OutageOffice) -> None:
    office.does("sam", "print_slips", form="fill_slip", pieces=2)
    office.does("sam", "print_slips", form="closer", pieces=1)
    made = [slip.id for slip in office.state.of_kind("manual_slip") if slip.id.startswith(("MF", "MX"))]
    assert made == [*numbers("MF", *range(1, SLIPS + 3)), "MX-000001"]
    known = office.state.thing("manual_slip", "MF-000004")
    assert known is not None
    assert (known.state, known.facts["form"], known.facts["area"], known.facts["holder"]) == (
        "handed_out", "fill_slip", "pit-2", "fay",
    )  # fmt: skip
    printed = office.state.mark("print_slips", "manual_slip/MF-000004")
    assert printed is not None
    assert printed.by == "sam"


def test_slips_are_printed_of_forms_that_have_them_and_not_too_many(office: OutageOffice) -> None:
    before = office.state
    tell = "refused: form: 'incident_report' is not one of"
    assert office.do("sam", "print_slips", form="incident_report", pieces=1).startswith(tell)
    assert "201 is more than 200" in office.do("sam", "print_slips", form="closer", pieces=201)
    assert "numbered by the office" in office.do("sam", "print_slips", "MX-000009", form="closer", pieces=1)
    assert "table: is missing" in office.do("sam", "hand_out_slips", "MF-000006")
    assert "dealer may not" in office.do("dan", "print_slips", form="closer", pieces=1)
    assert office.state is before


def test_a_slip_has_its_number_its_code_its_copies_and_lines_to_sign(office: OutageOffice) -> None:
    log = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    office.write(log)
    past = past_of(log, "section2", date(2026, 3, 1))
    slip = find_slip(office.rules, office.state, "MF-000002")
    assert slip is not None
    entry = past.entry_of("manual_slip/MF-000002")
    matter = FormMatter(rules=office.rules, state=office.state, facility=office.facility)
    original, duplicate, triplicate = manual_sheets(matter, slip, entry)
    assert [sheet.copy.partition(":")[0] for sheet in (original, duplicate, triplicate)] == [
        "Original", "Duplicate", "Triplicate",
    ]  # fmt: skip
    assert original.number == "MF-000002"
    code = read_code(original.code)
    assert code is not None
    (stored,) = log.read(after=code.sequence - 1, until=code.sequence)
    assert (code.number, code.hash) == ("MF-000002", stored.hash.hex())
    assert b"print_slips" in stored.body
    pages = office.rules.pages
    names = [pages.acts[act].name for act in pages.forms["fill_slip"].acts]
    assert [(line.wants, line.given) for line in original.signatures] == [(name, ()) for name in names]
    assert ("table", "T1") in original.facts
    text = as_text(original)
    assert "Fill slip MF-000002 (manual slip)" in text
    assert [row[0] for row in original.tables[0].rows] == [100, 500, 2500, "total"]


@pytest.mark.parametrize("form", [key for key, form in office_of("arizona").pages.forms.items() if form.manual])
def test_every_kind_of_slip_has_what_its_acts_ask_for(form: str) -> None:
    office = OutageOffice()
    office.does("sam", "print_slips", form=form, pieces=1)
    series = office.rules.pages.forms[form].manual
    slip = find_slip(office.rules, office.state, f"{series}-{office.state.numbers[series]:06}")
    assert slip is not None
    matter = FormMatter(rules=office.rules, state=office.state, facility=office.facility)
    sheet = manual_sheets(matter, slip, None)[0]
    assert sheet.signatures
    assert sheet.facts[:2] == (("gaming day", ""), ("date and time", ""))
    assert len(manual_sheets(matter, slip, None)) > 1, "an original and a duplicate"
    pages = office.rules.pages
    if pages.forms[form].is_log:
        assert [row[0][-1].text for row in sheet.tables[0].rows] == [  # type: ignore[index, union-attr]
            pages.acts[act].name for act in pages.forms[form].acts
        ]


# Numbers that are missing.


def _missing(office: OutageOffice) -> list[str]:
    return sorted(slip.id for slip in office.state.of_kind("manual_slip", ["missing"]))


def test_every_slip_handed_out_is_told_void_or_missing(office: OutageOffice) -> None:
    answer = office.tells(office.comes_back(), whole_batch())
    lost = [slip for slip in HANDED if slip not in {"MF-000001", "MF-000002", "MS-000001", "MD-000001"}]
    assert _missing(office) == lost
    (why,) = incidents(answer)
    assert "11 slips are missing: MD-000002 to MD-000005, MF-000003 to MF-000005, MS-000002 to MS-000005" in why
    assert [slip.number for slip in office.today.slips] == sorted(lost)
    assert missing_words(office.rules, office.state) == [
        f"manual slips {listed}, {place}, missing since outage O-000001"
        for listed, place in (
            ("MD-000002 to MD-000003, MF-000003, MS-000002 to MS-000003", "handed to table T1"),
            ("MD-000004 to MD-000005, MF-000004 to MF-000005, MS-000004 to MS-000005", "handed to pit-2"),
        )
    ]


_COUNTED = ("MF-000001", "MF-000002", "MF-000003", "MF-000004", "MF-000005")


@pytest.mark.parametrize("left_out", [some for size in range(4) for some in combinations(_COUNTED, size)])
def test_any_numbers_left_out_are_found(left_out: tuple[str, ...]) -> None:
    """Whatever is left out of a batch is named: neither more, nor less."""
    office = OutageOffice()
    spared = [slip for slip in HANDED if not slip.startswith("MF")]
    office.does("sam", "return_slips", *spared, blank=True, signs=("bob", "witness"))
    lines = [
        line
        for place, slip in enumerate(_COUNTED)
        if slip not in left_out
        for line in fill_lines(slip, table="T1" if place < 3 else "T2", begins=f"14:{10 * place:02}", u500=2)
    ]
    (why,) = incidents(office.tells(office.comes_back(), lines))
    assert _missing(office) == [*left_out]
    assert ("missing" in why) == bool(left_out)


def test_a_slip_that_nobody_was_handed_is_missing_between_those_used(office: OutageOffice) -> None:
    office.does("sam", "return_slips", *HANDED, blank=True, signs=("bob", "witness"))
    office.does("sam", "hand_out_slips", "MF-000001", "MF-000003", table="T1")
    lines = [*fill_lines("MF-000001"), *fill_lines("MF-000003", begins="14:30")]
    (why,) = incidents(office.tells(office.comes_back(), lines))
    assert _missing(office) == ["MF-000002"]
    assert "1 slip is missing: MF-000002" in why


def test_slips_that_were_handed_out_since_are_for_the_next_outage(office: OutageOffice) -> None:
    outage = office.comes_back()
    office.does("sam", "hand_out_slips", "MF-000006", table="T2")
    accept(office.tells(outage, fill_lines("MF-000001")))
    assert "MF-000006" not in _missing(office)


def test_a_missing_slip_that_is_found_is_voided_or_told_in_a_further_batch(office: OutageOffice) -> None:
    outage = office.comes_back()
    accept(office.tells(outage, fill_lines("MF-000001")))
    assert "all their parts are handed back" in office.do(
        "sam", "void_slips", "MF-000002", reason="gone", handed_back=False, signs="witness", signed_by="bob"
    )
    office.voids("MF-000002")
    (why,) = incidents(office.tells(outage, fill_lines("MF-000003", begins="14:40")))
    assert "1 manual slip" in why
    assert {"MF-000002", "MF-000003"}.isdisjoint(_missing(office))
    assert "it is used already" in refused(office.tells(outage, fill_lines("MF-000003", begins="14:50")))


def test_a_slip_that_was_used_long_ago_is_refused_when_it_was_filed(office: OutageOffice) -> None:
    accept(office.tells(office.comes_back(), fill_lines("MF-000001")))
    office.go_to("2026-03-05", "09:00")
    office.look_round()
    assert "manual_slip/MF-000001" in office.state.ended
    office.go_to("2026-03-05", "12:00")
    began = office.facility.moment(date(2026, 3, 5), "10:00")
    accept(office.send(c.DoAct(act="record_outage", fields={"reason": "again"}, occurred=began), "sam"))
    line = {**fill_lines("MF-000001")[0], "occurred": "2026-03-05 10:30"}
    assert "it is used already" in refused(office.tells("O-000002", [line]))


def test_an_empty_batch_says_that_nothing_was_done_and_finds_what_is_missing(office: OutageOffice) -> None:
    (why,) = incidents(office.tells(office.comes_back(), []))
    assert "0 acts told from 0 manual slips; 15 slips are missing" in why
