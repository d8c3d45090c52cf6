"""Cash of one house in two offices: added up per patron and gaming day, reported once, and looked into together."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.rules import ActRules, office_of
from passline.acts.state import CASH_REPORT
from passline.office.compliance_file import matters_found
from passline.office.verify import house_faults
from passline.office.views.cash import CashPart
from passline.office.views.house_cash import OtherCash, cash_in_house, counts_house_cash, links_in_house
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from tests.office.bookkeeping import KeptOffice

_DAY = date(2026, 3, 2)
_PEOPLE = {"olga": "owner", "cy": "cashier", "cora": "compliance", "acc": "accountant"}


def _office(name: str, zone: str = "America/Denver") -> KeptOffice:
    office = KeptOffice(name, Facility(name="Harbour", zone=zone), _PEOPLE)
    office.go_to(str(_DAY), "12:00")
    office.send(c.SetValue(key=CASH_REPORT, value=10_000_00), "olga")
    return office


@pytest.fixture
def pit() -> KeptOffice:
    office = _office("section2")
    office.does("cy", "enter_patron", "P1", name="Ann Smith", identification="Passport 1")
    return office


@pytest.fixture
def other() -> KeptOffice:
    office = _office("colorado")
    office.does("cy", "enter_patron", "P1", name="Bea Jones", identification="passport 2")
    office.does("cy", "enter_patron", "P2", name="A. Smith", identification="PASSPORT-1")
    return office


def _brought(who: str, cents: int, hour: int = 19) -> CashPart:
    return CashPart(who, f"2026-03-02T{hour:02}:00:00.000000Z", cents, "cage")


def _lines(office: KeptOffice, parts: list[CashPart], others: dict[str, OtherCash]) -> list[tuple[str, int, bool, str]]:
    found = cash_in_house(office.state, _DAY, parts, others)
    return [(line.patron, line.cents_in, line.is_above, line.report) for line in found]


def test_who_has_shown_the_same_document_is_one_patron_in_both_offices(pit: KeptOffice, other: KeptOffice) -> None:
    here, there = [_brought("patron/P1", 6_000_00)], (_brought("patron/P2", 6_000_00), _brought("patron/P1", 9_999_00))
    assert _lines(pit, here, {"colorado": OtherCash(other.state, there)}) == [("patron/P1", 12_000_00, True, "")]
    back = {"section2": OtherCash(pit.state, tuple(here))}
    assert _lines(other, list(there), back) == [
        ("patron/P2", 12_000_00, True, ""), ("patron/P1", 9_999_00, False, ""),
    ]  # fmt: skip


def test_accounts_are_of_the_whole_house(pit: KeptOffice, other: KeptOffice) -> None:
    """Ann plays with an account at the tables of one office; the other knows whose it is."""
    other.does("cora", "link_patron", "P2", accounts=["ann"])
    there = {"colorado": OtherCash(other.state, (_brought("account/ann", 5_000_00),))}
    assert _lines(pit, [_brought("patron/P1", 5_000_01)], there) == [("patron/P1", 10_000_01, True, "")]
    assert _lines(pit, [_brought("account/ann", 5_000_01)], there) == [("patron/P1", 10_000_01, True, "")]
    assert _lines(pit, [_brought("account/bob", 5_000_01)], there) == [("account/bob", 5_000_01, False, "")]
    assert links_in_house(pit.state, {"colorado": other.state})["account/ann"] == "patron/P1"


def test_two_patrons_of_one_name_are_two_people(pit: KeptOffice, other: KeptOffice) -> None:
    """They have shown different documents. An entrant of that name is the patron of the office that held the cup."""
    other.does("cy", "enter_patron", "P9", name="ann  SMITH", identification="passport 9")
    cash = (_brought("patron/P9", 3_000_00), _brought("entrant/ann smith", 3_000_00))
    there = {"colorado": OtherCash(other.state, cash)}
    for who in ("patron/P1", "entrant/ann smith"):
        assert _lines(pit, [_brought(who, 6_000_00)], there) == [("patron/P1", 6_000_00, False, "")]
    back = {"section2": OtherCash(pit.state, (_brought("entrant/ann smith", 9_000_00),))}
    assert _lines(other, list(cash), back) == [("patron/P9", 6_000_00, False, "")]


def test_an_entrant_is_the_patron_of_the_only_office_that_has_that_name(pit: KeptOffice, other: KeptOffice) -> None:
    here, there = [_brought("patron/P1", 6_000_00)], (_brought("entrant/ann smith", 6_000_00),)
    assert _lines(pit, here, {"colorado": OtherCash(other.state, there)}) == [("patron/P1", 12_000_00, True, "")]
    entered = [_brought("entrant/bea jones", 6_000_00)]
    known = {"colorado": OtherCash(other.state, (_brought("patron/P1", 6_000_00),))}
    (line,) = _lines(pit, entered, known)
    assert line[1:] == (12_000_00, True, "")


def test_nobodys_cash_of_another_office_is_not_anybodys_here(pit: KeptOffice, other: KeptOffice) -> None:
    there = {"colorado": OtherCash(other.state, (_brought("act/7", 9_000_00),))}
    assert _lines(pit, [_brought("act/7", 2_000_00)], there) == [("act/7", 2_000_00, False, "")]


def test_one_report_is_due_for_both(pit: KeptOffice, other: KeptOffice) -> None:
    here, there = [_brought("patron/P1", 6_000_00)], (_brought("patron/P2", 6_000_00),)
    note = c.NoteCash(patron="patron/P2", day=str(_DAY), cents_in=12_000_00, cents_out=0)
    other.send(note)
    found = _lines(pit, here, {"colorado": OtherCash(other.state, there)})
    assert found == [("patron/P1", 12_000_00, False, "due, office of colorado")]
    back = _lines(other, list(there), {"section2": OtherCash(pit.state, tuple(here))})
    assert back == [("patron/P2", 12_000_00, True, "due")]


def test_structuring_over_two_offices_is_looked_into(pit: KeptOffice, other: KeptOffice) -> None:
    """Three times just below the figure, twice at one cage and once at the other."""
    cash = {
        "section2": [_brought("patron/P1", 9_000_00, 18), _brought("patron/P1", 9_100_00, 19)],
        "colorado": [_brought("patron/P2", 9_200_00, 20)],
    }

    async def found(name: str, _since: str, _until: str) -> list[CashPart]:
        return cash[name]

    async def elsewhere(*_asked: object) -> dict[str, OtherCash]:
        return {"colorado": OtherCash(other.state, tuple(cash["colorado"]))}

    alone = asyncio.run(matters_found("section2", pit.scene, found))
    assert not alone.matters
    together = asyncio.run(matters_found("section2", pit.scene, found, elsewhere))
    assert [(matter.kind, matter.patron) for matter in together.matters] == [("structuring", "patron/P1")]


# verify


def _two_offices(pit: KeptOffice, other: KeptOffice, *, is_noted: bool) -> list[str]:
    """Sell chips for cash to the same patron in both offices; return the reports that verify finds missing."""
    log = MemoryLog(SigningKey(bytes(32)), at="2025-12-30T00:00:00.000000Z")
    for office, patron in ((pit, "P1"), (other, "P2")):
        office.does("cy", "receive_chips", units={"10000": 90}, delivery=f"for {patron}", signs=("acc", "witness"))
        office.does("cy", "issue_chips", units={"10000": 90}, signs=("acc", "witness"))
        office.does("cy", "sell_chips", units={"10000": 60}, patron=patron)
    pit.write(log)
    if is_noted:
        other.send(c.NoteCash(patron="patron/P2", day=str(_DAY), cents_in=12_000_00, cents_out=0))
    other.go_to(str(_DAY), "20:00")
    other.does("cy", "enter_patron", "P9", name="Nobody else")
    other.write(log)
    owed = list[str]()
    assert not list(house_faults(log.read(), owed=owed))
    return [line for line in owed if "report of cash" in line]


def test_verify_finds_the_report_that_both_offices_together_owe(pit: KeptOffice, other: KeptOffice) -> None:
    missing = _two_offices(pit, other, is_noted=False)
    (said,) = missing
    assert said.startswith("the report of cash 2026-03-02.patron-P")
    assert "$12,000 in and $0 out, above $10,000" in said


def test_verify_takes_a_report_that_one_office_noted(pit: KeptOffice, other: KeptOffice) -> None:
    assert _two_offices(pit, other, is_noted=True) == []


def test_older_pages_count_their_own_cash_alone() -> None:
    rules = office_of("section2")
    value = replace(rules.pages.values[CASH_REPORT], house_wide=False)
    older = ActRules(rules.name, rules.digest, replace(rules.pages, values={**rules.pages.values, CASH_REPORT: value}))
    assert counts_house_cash(rules)
    assert not counts_house_cash(older)
