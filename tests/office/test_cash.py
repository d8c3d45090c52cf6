"""Cash per patron and gaming day: exact over daylight-saving changes, linked, reported above what an office is told."""

from __future__ import annotations

from datetime import date

import pytest

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import running_clock
from passline.acts.rules import Person
from passline.acts.views.today import today_of
from passline.documents.as_text import listed_rows
from passline.documents.as_xlsx import tables_xlsx
from passline.game import commands as g
from passline.office.verify import house_faults
from passline.office.views.cash import CashPart, PatronCash, cash_by_patron, cash_of_acts, cash_of_buy_ins, cash_table
from passline.refusal import Refused
from passline.store.memory import MemoryLog
from passline.tables.views.buy_ins import buy_ins_of
from tests.office.bookkeeping import KeptOffice
from tests.tables.decoded import table_entries
from tests.tables.sitting import ANN, BOB, CREW, Sitting

PEOPLE = {
    "olga": "owner", "cora": "compliance", "cy": "cashier", "cal": "cashier", "acc": "accountant", "dan": "dealer",
}  # fmt: skip
MARCH = date(2026, 3, 7)  # in Denver the clock goes forward in its night
NOVEMBER = date(2026, 10, 31)  # and back in this one
DOCUMENT = "d" * 64


@pytest.fixture
def office() -> KeptOffice:
    """An office with chips in its cage and one patron."""
    office = KeptOffice("section2", Facility(name="Harbour", zone="America/Denver"), PEOPLE)
    office.go_to("2026-03-07", "12:00")
    chips = {"10000": 1_000}
    office.does("cy", "receive_chips", units=chips, delivery="note 1", signs=("acc", "witness"))
    office.does("cy", "issue_chips", units=chips, signs=("acc", "witness"))
    office.does("cy", "enter_patron", "P1", name="Ann Smith")
    return office


def _cash(office: KeptOffice, day: date, *parts: CashPart) -> dict[str, tuple[int, int]]:
    return {one.patron: (one.cents_in, one.cents_out) for one in _lines(office, day, *parts)}


def _lines(office: KeptOffice, day: date, *parts: CashPart) -> list[PatronCash]:
    waiting: dict[int, e.ActDone] = {}
    own = cash_of_acts(office.rules, (event for _, event in office.events), waiting)
    return cash_by_patron(office.state, day, [*parts, *own])


def test_a_report_that_is_due_and_missing_is_found(office: KeptOffice) -> None:
    """The figure of the moment counts: raising it afterwards hides nothing. What the server noted is not missing."""
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    office.does("cy", "sell_chips", units={"10000": 60}, patron="P1")
    office.does("cy", "sell_chips", units={"10000": 41}, patron="P1")
    office.send(c.SetValue(key="cash_report", value=1_000_000_00), "olga")
    assert _missing(office) == [], "the server has not had its hour"
    office.go_to("2026-03-07", "14:00")
    office.does("cy", "enter_patron", "P2", name="Bob Smith")
    (missing,) = _missing(office)
    assert "2026-03-07.patron-P1" in missing
    assert "$10,100 in and $0 out, above $10,000" in missing
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    office.send(c.NoteCash(patron="patron/P1", day="2026-03-07", cents_in=10_100_00, cents_out=0))
    assert _missing(office) == []


def _missing(office: KeptOffice) -> list[str]:
    log, owed = MemoryLog(at="2025-12-30T00:00:00.000000Z"), list[str]()
    office.write(log)
    assert list(house_faults(log.read(), owed=owed)) == []
    return owed


def test_sales_and_redemptions_are_cash_of_a_named_patron(office: KeptOffice) -> None:
    office.does("cy", "sell_chips", units={"10000": 30}, patron="P1")
    office.does("cy", "sell_chips", units={"10000": 12}, patron="P1", not_cash=True, signs=("cal", "second"))
    office.does("cy", "redeem_chips", units={"10000": 7}, patron="P1")
    office.does("cy", "sell_chips", units={"10000": 1})
    nameless = f"act/{office.state.acts}"
    assert _cash(office, MARCH) == {"patron/P1": (3_000_00, 700_00), nameless: (100_00, 0)}
    assert not office.tries("cy", "sell_chips", units={"10000": 1}, patron="P2")


@pytest.mark.parametrize(
    ("day", "begins", "ends"),
    [
        (MARCH, "2026-03-07T13:00:00.000000Z", "2026-03-08T12:00:00.000000Z"),  # 23 hours
        (NOVEMBER, "2026-10-31T12:00:00.000000Z", "2026-11-01T13:00:00.000000Z"),  # 25 hours
    ],
)
def test_a_gaming_day_is_exact_over_daylight_saving(office: KeptOffice, day: date, begins: str, ends: str) -> None:
    before = begins.replace(":00:00.000000", ":59:59.999999")
    before = before.replace(f"T{begins[11:13]}", f"T{int(begins[11:13]) - 1}")
    last = ends.replace(f"T{ends[11:13]}:00:00.000000", f"T{int(ends[11:13]) - 1}:59:59.999999")
    moments = {before: 1, begins: 10, last: 100, ends: 1_000}
    parts = [CashPart("account/ann", at, cents, "table T1") for at, cents in moments.items()]
    assert _cash(office, day, *parts) == {"account/ann": (110, 0)}


def test_buy_ins_are_cash_and_leaving_a_seat_is_not() -> None:
    sitting = Sitting("section2", name="Craps 1", dice="physical")
    sitting.sit(ANN, 1, 300_00)
    sitting.sit(BOB, 2, 40_00)
    sitting.do(g.BuyIn(seat=1, cents=25_00), CREW["dealer"])
    sitting.do(g.LeaveSeat(seat=1), ANN)
    found = [one for decision in table_entries(sitting.entries) for one in buy_ins_of(decision)]
    parts = [(one.who, one.cents) for one in cash_of_buy_ins(found)]
    assert parts == [
        (f"account/{ANN.account}", 300_00),
        (f"account/{BOB.account}", 40_00),
        (f"account/{ANN.account}", 25_00),
    ]


def test_walk_ins_and_accounts_are_linked_to_one_patron(office: KeptOffice) -> None:
    office.does("cy", "enter_patron", "W7", name="a man in a green hat")
    office.does("cy", "sell_chips", units={"10000": 60}, patron="W7")
    office.does("cy", "sell_chips", units={"10000": 30}, patron="P1")
    brought = [CashPart(f"account/{name}", "2026-03-07T20:00:00.000000Z", 2_000_00, "table T1") for name in ("a", "b")]
    assert len(_cash(office, MARCH, *brought)) == 4
    assert not office.tries("cy", "link_patron", "P1", accounts=["a"])
    office.does("cora", "link_patron", "P1", accounts=["a", "b"], walk_ins=["W7"])
    assert _cash(office, MARCH, *brought) == {"patron/P1": (13_000_00, 0)}
    office.does("cora", "link_patron", "P1", accounts=["a"], walk_ins=["W7"])
    assert _cash(office, MARCH, *brought) == {"patron/P1": (13_000_00, 0)}, "whoever was linked stays so"
    right = {"accounts": ["a"], "walk_ins": ["W7"]}
    first = office.state.acts - 1
    office.does(
        "cora", "correct_link_patron", "P1", corrects=first, reason="two people", signs=("cy", "second"), **right
    )
    assert _cash(office, MARCH, *brought) == {"patron/P1": (11_000_00, 0), "account/b": (2_000_00, 0)}
    office.does("cora", "link_patron", "W7", walk_ins=["P1"])  # a circle: still one patron
    assert len(_cash(office, MARCH, *brought)) == 2


def _noted(office: KeptOffice) -> list[str]:
    """Have the server note what is above; return the refusals."""
    said = []
    for one in _lines(office, MARCH):
        if one.is_above:
            note = c.NoteCash(patron=one.patron, day=MARCH.isoformat(), cents_in=one.cents_in, cents_out=one.cents_out)
            answer = office.send(note)
            said += [str(answer)] if isinstance(answer, Refused) else []
    return said


def test_a_report_is_due_above_the_figure_and_not_at_it(office: KeptOffice) -> None:
    office.does("cy", "sell_chips", units={"10000": 100}, patron="P1")
    assert [one.is_above for one in _lines(office, MARCH)] == [False], "nobody has said above how much"
    office.send(c.SetValue(key="cash_report", value=10_000_00), "olga")
    assert [one.is_above for one in _lines(office, MARCH)] == [False]
    office.does("cy", "sell_chips", units={"10000": 1}, patron="P1")
    assert [one.is_above for one in _lines(office, MARCH)] == [True]
    assert _noted(office) == []
    assert len(_noted(office)) == 1, "once"
    subject = "cash_report/2026-03-07.patron-P1"
    clock = running_clock(office.rules, office.state, "cash_report", subject, office.at)
    assert clock is not None
    assert (clock.status, clock.due) == ("due", "")
    office.send(c.SetValue(key="cash_report_within", value={"count": 15, "unit": "days"}), "olga")
    (due,) = [one for one in today_of(office.scene).due if one.clock == "cash_report"]
    assert (due.about, due.due, due.is_overdue) == (subject, "2026-03-23 00:00", False)
    office.go_to("2026-03-07", "13:00")
    office.does("cy", "redeem_chips", units={"10000": 2}, patron="P1")
    assert _noted(office) == []
    report = office.state.thing("cash_report", "2026-03-07.patron-P1")
    assert report is not None
    assert (report.facts["cash_in"], report.facts["cash_out"]) == (10_100_00, 200_00)
    assert not office.tries("cy", "file_cash_report", "2026-03-07.patron-P1", report=DOCUMENT)
    office.does("cora", "file_cash_report", "2026-03-07.patron-P1", report=DOCUMENT)
    assert [one.report for one in _lines(office, MARCH)] == ["filed"]
    assert not [one for one in today_of(office.scene).due if one.clock == "cash_report"]
    office.does("cy", "redeem_chips", units={"10000": 1}, patron="P1")  # more came after it was filed
    assert _noted(office) == []
    assert [one.report for one in _lines(office, MARCH)] == ["due"]


def test_only_the_server_notes_cash(office: KeptOffice) -> None:
    note = c.NoteCash(patron="patron/P1", day="2026-03-07", cents_in=1, cents_out=0)
    assert "the server does it by itself" in str(office.send(note, "olga"))
    assert "nobody has said" in str(office.send(note))
    office.send(c.SetValue(key="cash_report", value=1), "olga")
    assert "want no report" in str(office.send(note))


def test_reports_are_read_by_those_who_must_know(office: KeptOffice) -> None:
    seen = {
        role: office.rules.is_seen_by("cash_report", Person(role, role, frozenset({role})), office.state)
        for role in ("compliance", "owner", "regulator", "cashier", "dealer", "floorperson", "surveillance")
    }
    assert [role for role, is_seen in seen.items() if is_seen] == ["compliance", "owner", "regulator"]
    assert office.rules.is_seen_by("patron", Person("d", "D", frozenset({"dealer"})), office.state)


def test_the_list_names_people_and_goes_into_a_workbook(office: KeptOffice) -> None:
    office.does("cy", "sell_chips", units={"10000": 30}, patron="P1")
    table = cash_table(office.state, MARCH, _lines(office, MARCH), {})
    assert listed_rows(table) == [
        {
            "patron": "patron P1",
            "name": "Ann Smith",
            "accounts": "",
            "cash_in_cents": 3_000_00,
            "cash_out_cents": 0,
            "times": 1,
            "report": "",
        }
    ]
    assert tables_xlsx(table.title, [table])[:2] == b"PK"


def test_verify_holds_what_was_noted_against_the_log(office: KeptOffice) -> None:
    office.send(c.SetValue(key="cash_report", value=1_000_00), "olga")
    office.does("cy", "sell_chips", units={"10000": 30}, patron="P1")
    assert _noted(office) == []
    log = MemoryLog(at="2025-12-30T00:00:00.000000Z")
    office.write(log)
    assert not list(house_faults(log.read()))
    office.send(c.NoteCash(patron="patron/P1", day="2026-03-07", cents_in=3_000_01, cents_out=0))
    log = MemoryLog(at="2025-12-30T00:00:00.000000Z")
    office.write(log)
    (fault,) = house_faults(log.read())
    assert "notes 300001 cents in and 0 out of patron/P1 on 2026-03-07; the log has 300000 in" in fault.what
