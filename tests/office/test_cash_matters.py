"""What compliance looks into: cash just below a report, of nobody who is known, or told for another gaming day."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.patrons import entrant_key, linked_patrons
from passline.acts.rules import TOLD_LATE
from passline.documents.as_text import listed_rows
from passline.office.compliance_file import ComplianceFile, FoundCash, matters_found
from passline.office.views.cash import (
    CashPart,
    cash_by_patron,
    cash_of_acts,
    cash_waiting,
    days_of,
    transactions_table,
)
from passline.office.views.cash_matters import CashMatter, cash_matters
from passline.refusal import Refused
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.bookkeeping import KeptOffice

PEOPLE = {"olga": "owner", "cora": "compliance", "cy": "cashier", "cal": "cashier", "acc": "accountant",
          "flo": "floorperson"}  # fmt: skip
MARCH = date(2026, 3, 7)
NOON = "2026-03-07T19:00:00.000000Z"


@pytest.fixture
def office() -> KeptOffice:
    """An office that reports above $10,000, with chips in its cage and a patron whose document was seen."""
    office = KeptOffice("section2", Facility(name="Harbour", zone="America/Denver"), PEOPLE)
    office.go_to("2026-03-07", "12:00")
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    chips = {"10000": 5_000}
    office.does("cy", "receive_chips", units=chips, delivery="note 1", signs=("acc", "witness"))
    office.does("cy", "issue_chips", units=chips, signs=("acc", "witness"))
    office.does("cy", "enter_patron", "P1", name="Ann Smith", identification="passport")
    return office


def _parts(office: KeptOffice) -> list[CashPart]:
    waiting: dict[int, e.ActDone] = {}
    return [
        part
        for done in office.done
        for part in cash_of_acts(office.rules, done.events, waiting, office.state.figures, entered=done.at)
    ]  # fmt: skip


def _above(office: KeptOffice, day: date) -> dict[str, int]:
    found = cash_by_patron(office.state, day, _parts(office))
    return {patron.patron: patron.cents_in for patron in found if patron.is_above}


def _matters(office: KeptOffice, day: date, *parts: CashPart) -> list[CashMatter]:
    return cash_matters(office.rules, office.state, day, [*_parts(office), *parts])


def _kinds(office: KeptOffice, day: date, *parts: CashPart) -> list[tuple[str, str]]:
    return [(matter.kind, matter.patron) for matter in _matters(office, day, *parts)]


def _sells(office: KeptOffice, chips: int, occurred: str = "", **fields: object) -> None:
    told = c.DoAct(act="sell_chips", fields={"units": {"10000": chips}, **fields}, occurred=occurred)
    answer = office.send(told, "cy")
    assert not isinstance(answer, Refused), answer
    if any(TOLD_LATE in pending.done.waits for pending in office.state.pending.values()):
        office.signs("flo", TOLD_LATE)


def test_cash_told_for_other_days_counts_on_the_day_of_its_entry(office: KeptOffice) -> None:
    """$9,000 today, "26 hours ago" and "in 2001" made no report."""
    for occurred in ("", "2026-03-06T17:00:00.000000Z", "2001-01-01T12:00:00.000000Z"):
        _sells(office, 90, occurred, patron="P1")
    assert _above(office, MARCH) == {"patron/P1": 27_000_00}
    kinds = _kinds(office, MARCH)
    assert kinds.count(("another_day", "patron/P1")) == 2
    assert ("structuring", "patron/P1") in kinds


def test_much_cash_told_for_three_days_ago_is_reported(office: KeptOffice) -> None:
    _sells(office, 300, "2026-03-04T19:00:00.000000Z", patron="P1")
    assert _above(office, MARCH) == {"patron/P1": 30_000_00}
    assert _above(office, date(2026, 3, 4)) == {"patron/P1": 30_000_00}, "the day for which it was told counts too"
    (matter,) = _matters(office, MARCH)
    assert (matter.kind, matter.why) == ("another_day", "$30,000 was told for 2026-03-04")


def test_cash_told_for_another_day_is_looked_into_before_anybody_signs_it(office: KeptOffice) -> None:
    told = c.DoAct(
        act="sell_chips", fields={"units": {"10000": 90}, "patron": "P1"}, occurred="2026-03-04T19:00:00.000000Z"
    )
    office.send(told, "cy")
    waiting = cash_waiting(office.rules, office.state, office.at)
    (matter,) = cash_matters(office.rules, office.state, MARCH, [], waiting)
    office.signs("flo", TOLD_LATE)
    assert cash_waiting(office.rules, office.state, office.at) == []
    assert [signed.id for signed in _matters(office, MARCH)] == [matter.id], "signed, it is the same matter"


def test_the_day_that_is_told_is_not_left_out_where_its_own_cash_is_below(office: KeptOffice) -> None:
    yesterday = CashPart("patron/P1", "2026-03-06T19:00:00.000000Z", 9_000_00, "cage")
    _sells(office, 90, "2026-03-06T20:00:00.000000Z", patron="P1")
    (line,) = cash_by_patron(office.state, date(2026, 3, 6), [yesterday, *_parts(office)])
    assert (line.cents_in, line.is_above) == (18_000_00, True)
    facility = office.state.facility
    assert facility is not None
    assert days_of(facility, yesterday) == {date(2026, 3, 6)}


@pytest.mark.parametrize(
    ("brought", "is_found"),
    [
        ([(7, 8_000_00), (7, 8_000_00), (7, 8_000_00)], True),  # single amounts of one day
        ([(7, 2_400_00)] * 4, False),  # one day just below
        ([(5, 2_400_00)] * 4 + [(6, 9_999_00), (7, 4_000_00), (7, 4_000_00)], True),  # sums of three days
        ([(5, 9_000_00), (6, 9_000_00)], False),
        ([(5, 9_000_00), (6, 9_000_00), (7, 7_999_99)], False),  # the last is not just below
        ([(2, 9_000_00), (6, 9_000_00), (7, 9_000_00)], False),  # the first is too long ago
        ([(5, 9_000_00), (6, 9_000_00), (7, 10_000_00)], True),  # at the figure no report is due
        ([(5, 9_000_00), (6, -9_000_00), (7, 9_000_00)], False),  # in and out are apart
        ([(5, -9_000_00), (6, -9_000_00), (7, -9_000_00)], True),
    ],
)
def test_staying_just_below_the_figure_is_looked_into(
    office: KeptOffice, brought: list[tuple[int, int]], *, is_found: bool
) -> None:
    parts = [CashPart("account/bo", f"2026-03-0{day}T19:00:00.000000Z", cents, "table T1") for day, cents in brought]
    assert _kinds(office, MARCH, *parts) == ([("structuring", "account/bo")] if is_found else [])


def test_the_figures_of_the_rule_are_settings_of_the_house(office: KeptOffice) -> None:
    parts = [CashPart("account/bo", f"2026-03-0{day}T19:00:00.000000Z", 6_000_00, "table T1") for day in (2, 7)]
    assert _kinds(office, MARCH, *parts) == []
    for key, value in (("structuring_share", 60), ("structuring_times", 2), ("structuring_days", 6)):
        assert not isinstance(office.send(c.SetValue(key=key, value=value), "olga"), Refused)
    assert _kinds(office, MARCH, *parts) == [("structuring", "account/bo")]


def test_cash_that_nobody_is_known_for_is_looked_into_and_signed_by_a_second_person(office: KeptOffice) -> None:
    _sells(office, 29)
    assert not office.state.pending
    assert _kinds(office, MARCH) == []
    _sells(office, 30)
    assert next(iter(office.state.pending.values())).done.waits == ("unnamed",), "one cashier alone does not sell it"
    assert _kinds(office, MARCH) == []
    office.signs("flo", "unnamed")
    assert _kinds(office, MARCH) == [("unnamed", f"act/{office.state.acts}")]
    _sells(office, 30, patron="P1")
    assert not office.state.pending, "of a patron who is named it is nobody else's"


def test_a_patron_without_a_document_and_many_amounts_just_below_are_looked_into(office: KeptOffice) -> None:
    office.does("cy", "enter_patron", "W1", name="a man in a green hat")
    _sells(office, 30, patron="W1")
    assert _kinds(office, MARCH) == [("unnamed", "patron/W1")]
    for _ in range(3):
        _sells(office, 29)
    assert _kinds(office, MARCH) == [("unnamed", "patron/W1"), ("unnamed", "nobody")]


def test_buy_ins_at_tables_without_keyed_wagers_add_up(office: KeptOffice) -> None:
    office.does("olga", "register_table", "T1", area="main floor")
    office.does("flo", "log_buy_in", table="T1", amount=9_000_00, patron="P1")
    _sells(office, 20, patron="P1")
    assert _above(office, MARCH) == {"patron/P1": 11_000_00}
    assert not office.tries("cy", "log_buy_in", table="T1", amount=9_000_00)
    office.does("flo", "log_buy_in", table="T1", amount=0)
    assert office.state.incidents == 1, "it is recorded, as every fact is, and looked into"


def test_an_entrant_of_a_tournament_is_the_one_patron_of_the_same_name(office: KeptOffice) -> None:
    assert linked_patrons(office.state)[entrant_key("ann  SMITH")] == "patron/P1"
    office.does("cy", "enter_patron", "P2", name="Ann Smith")
    assert entrant_key("Ann Smith") not in linked_patrons(office.state), "two have the name: nobody knows who it is"


def test_the_log_of_transactions_lists_each_time_from_the_house_s_figure_up(office: KeptOffice) -> None:
    _sells(office, 20, patron="P1")
    _sells(office, 5, "2026-03-06T17:00:00.000000Z", patron="P1")
    _sells(office, 24)
    found = cash_by_patron(office.state, MARCH, _parts(office))
    rows = listed_rows(transactions_table(office.state, MARCH, found, {}, 2_500_00))
    assert [(row["name"], row["cash_in_cents"], row["by"], row["remark"]) for row in rows] == [
        ("Ann Smith", 2_000_00, "Cy", ""),
        ("Ann Smith", 500_00, "Cy", "told for 2026-03-06"),
    ]


# --- Corrected cash ---------------------------------------------------------------------------------------------------


def _corrects(office: KeptOffice, number: int, chips: int, **fields: object) -> None:
    said = {"corrects": number, "reason": "misread", "units": {"10000": chips}, **fields}
    office.does("cy", "correct_sell_chips", signs=("flo", "second"), **said)


def _looks(office: KeptOffice) -> FoundCash:
    """What the server finds when it looks, from rows that are kept under each of their moments."""

    async def cash(_name: str, since: str, until: str) -> list[CashPart]:
        return [
            part
            for part in _parts(office)
            if any(since <= at < until for at in (part.at, part.entry_at, part.corrected or part.at))
        ]

    return asyncio.run(matters_found("section2", office.scene, cash))


def test_a_corrected_sale_is_reported_for_its_own_gaming_day(office: KeptOffice) -> None:
    _sells(office, 20, patron="P1")
    number = office.state.acts
    office.go_to("2026-03-10", "12:00")
    _corrects(office, number, 120)
    assert _above(office, MARCH) == {"patron/P1": 12_000_00}
    assert _above(office, date(2026, 3, 10)) == {}, "nothing was brought on the day of the correction"
    facility = office.state.facility
    assert facility is not None
    assert {day for part in _parts(office) for day in days_of(facility, part)} == {MARCH}


def test_an_act_that_counted_on_two_days_is_taken_back_from_each(office: KeptOffice) -> None:
    _sells(office, 300, "2026-03-04T19:00:00.000000Z", patron="P1")
    number = office.state.acts
    assert _above(office, date(2026, 3, 4)) == _above(office, MARCH) == {"patron/P1": 30_000_00}
    _corrects(office, number, 30)
    for day in (date(2026, 3, 4), MARCH):
        (line,) = cash_by_patron(office.state, day, _parts(office))
        assert (line.cents_in, line.is_above) == (3_000_00, False)


def test_a_correction_that_makes_a_structure_is_looked_into_days_later(office: KeptOffice) -> None:
    for day, chips in ((5, 90), (6, 90), (7, 9)):
        office.go_to(f"2026-03-0{day}", "13:00")
        _sells(office, chips, patron="P1")
    number = office.state.acts
    office.go_to("2026-03-12", "12:00")
    assert _looks(office).matters == ()
    _corrects(office, number, 90)
    (matter,) = _looks(office).matters
    assert (matter.kind, matter.day, [part.cents for part in matter.parts]) == (
        "structuring",
        "2026-03-07",
        [9_000_00] * 3,
    )


def test_a_corrected_amount_counts_once_in_a_structure(office: KeptOffice) -> None:
    _sells(office, 90, patron="P1")
    _corrects(office, office.state.acts, 95)
    _sells(office, 90, patron="P1")
    assert _kinds(office, MARCH) == [], "two times, though three figures were keyed"


def test_a_matter_that_a_correction_takes_back_stays_and_says_so(office: KeptOffice) -> None:
    file = ComplianceFile(MemoryLog(SigningKey(bytes(32)), at=office.at), lambda: office.at)
    for _ in range(3):
        _sells(office, 90, patron="P1")
    number = office.state.acts
    file.take("section2", _looks(office))
    (opened,) = file.matters("section2")
    _corrects(office, number, 9)
    for _ in range(2):
        file.take("section2", _looks(office))
    (kept,) = file.matters("section2")
    assert (kept.matter, kept.state) == (opened.matter, "open")
    (note,) = kept.notes
    assert note.text.startswith(f"act {office.state.acts} has corrected act {number}: $9,000 to $900; ")
    assert note.text.endswith("by the figures as they are now this would not be looked into")


def test_a_report_that_a_correction_takes_below_the_figure_stays_and_says_so(office: KeptOffice) -> None:
    _sells(office, 120, patron="P1")
    number, day = office.state.acts, str(MARCH)
    noted = c.NoteCash(patron="patron/P1", day=day, cents_in=12_000_00, cents_out=0)
    assert not isinstance(office.send(noted), Refused)
    _corrects(office, number, 12)
    assert not isinstance(office.send(replace(noted, cents_in=1_200_00)), Refused)
    assert isinstance(office.send(replace(noted, cents_in=1_200_00)), Refused), "once"
    (line,) = cash_by_patron(office.state, MARCH, _parts(office))
    assert (line.is_above, line.report) == (False, "due, below the figure since a correction")
    unknown = c.NoteCash(patron="patron/P2", day=day, cents_in=1_200_00, cents_out=0)
    assert isinstance(office.send(unknown), Refused), "of nobody else it makes one"


def test_a_buy_in_of_the_wrong_patron_is_taken_back_from_one_and_counts_for_the_other(office: KeptOffice) -> None:
    office.does("cy", "enter_patron", "P2", name="Ben Jones", identification="passport 2")
    office.does("olga", "register_table", "T1", area="main floor")
    office.does("flo", "log_buy_in", table="T1", amount=11_000_00, patron="P1")
    said = {"corrects": office.state.acts, "reason": "another man", "amount": 11_000_00, "patron": "P2"}
    office.does("flo", "correct_log_buy_in", signs=("cy", "second"), **said)
    assert _above(office, MARCH) == {"patron/P2": 11_000_00}
    said = {"corrects": office.state.acts, "reason": "nobody knows him", "amount": 11_000_00, "unsaid": ["patron"]}
    office.does("flo", "correct_log_buy_in", signs=("cy", "second"), **said)
    assert list(_above(office, MARCH)) == ["act/6"]
