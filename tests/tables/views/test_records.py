"""Records compiled from the log: daily activity, filed reports, posted limits and the notice given of changes."""

import pytest

from passline.authority.roles import RECORD_READERS
from passline.game import commands as c
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.duties import REPORTS
from passline.tables.house import decide as decide_house
from passline.tables.rules_in_force import rules_of
from passline.tables.verify import decision_faults
from passline.tables.views.records import CLASSES, posting_of
from passline.tables.views.table_view import own_of, view_of
from tests.tables.signed_house import SignedHouse
from tests.tables.sitting import ANN, AT, BOB, CREW, LABORATORY, Sitting
from tests.tables.views.viewed import activity, postings, records

FLOOR, SUE, REG = CREW["floorperson"], CREW["surveillance"], CREW["regulator"]


def _a_day(sitting: Sitting) -> Sitting:
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2, 500_00)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.MakeWager(seat=1, wager="field", cents=5_00, owner="crew"), ANN)
    sitting.shoot(ANN)
    sitting.roll(2, 2)  # the crew's Field Bet wins: 5 and its stake
    sitting.wager(BOB, "place_win", 12_00, 6)
    sitting.roll(4, 2)  # Bob wins 14
    sitting.roll(3, 4)  # the Pass Bet loses
    sitting.do(c.Fill(cents=100_00), CREW["boxperson"])
    sitting.do(c.Credit(cents=30_00), CREW["boxperson"])
    return sitting


@pytest.mark.clause("AZ-II.E.1")
def test_AZ_II_E_1__daily_activity_and_accounting_come_from_the_log() -> None:
    """AZ-II.E.1: hands, rolls, drop, fills, credits, win and tips of each table, day by day."""
    sitting = _a_day(Sitting("arizona", approvals=LABORATORY, dice="physical"))
    [day] = activity(sitting)
    assert (day.table, day.day, day.hands, day.rolls) == ("craps-1", "2026-11-15", 1, 3)
    assert (day.drop, day.fills, day.credits, day.tips) == (1500_00, 100_100_00, 30_00, 10_00)
    assert day.win == 10_00 - 14_00 - 5_00
    assert day.bank_closing == day.bank_opening + day.fills - day.credits - day.drop + day.win
    sitting.wait(24 * 60)
    sitting.do(c.Fill(cents=100_00), CREW["boxperson"])
    first, second = activity(sitting)
    assert first == day
    assert (second.day, second.bank_opening, second.fills, second.win) == ("2026-11-16", day.bank_closing, 100_00, 0)
    [record, _next] = records(sitting.entries, "daily_activity_accounting")
    assert "hands 1, rolls 3" in record.text
    assert "win -$9.00" in record.text


def test_a_correction_changes_the_win_of_the_day() -> None:
    sitting = _a_day(Sitting("arizona", approvals=LABORATORY, dice="physical"))
    before = activity(sitting)[0]
    sitting.do(k.CorrectRoll(first=3, second=3, reason="misread"), CREW["boxperson"])
    [day] = activity(sitting)
    assert day.win == before.win - 10_00  # the Pass Bet was not lost
    assert day.bank_closing == day.bank_opening + day.fills - day.credits - day.drop + day.win
    assert day.corrections == 1


def _filed(record_class: str, by: Actor) -> None:
    house = SignedHouse()
    house.do_house(k.FileReport(record_class=record_class, table="craps-1", text="a hat on the rail"), by)
    [record] = records(house.entries, record_class)[:1]
    assert (record.record_class, record.by, record.text) == (record_class, by.account, "a hat on the rail")
    assert not list(decision_faults(house.entries))


@pytest.mark.clause("AZ-II.E.2")
def test_AZ_II_E_2__security_reports_are_filed_and_disputes_are_among_them() -> None:
    """AZ-II.E.2: security reports."""
    _filed("security", SUE)
    sitting = Sitting("arizona", approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    sitting.do(k.FreezeTable(reason="the die was cocked"), ANN)
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"1": 2}), THE_HOUSE)
    record, shown = records(sitting.entries, "security")
    assert shown.text == "shown before the freeze: to Ann up to entry 2"
    assert record.text == "the table is frozen over a dispute of Ann: the die was cocked"
    assert (record.by, record.clause) == ("ann", "AZ-II.E.2")


@pytest.mark.clause("AZ-II.E.3")
def test_AZ_II_E_3__surveillance_reports_are_filed_by_surveillance() -> None:
    """AZ-II.E.3: surveillance activities and reports."""
    _filed("surveillance", SUE)
    house = SignedHouse()
    report = k.FileReport(record_class="surveillance", text="x")
    verdict = decide_house(house.state, report, by=FLOOR, at=AT, head=None, tables=(), sign=house.key.sign)
    assert isinstance(verdict, Refused)


def test_a_notice_to_surveillance_is_a_surveillance_record() -> None:
    """For example the fourth point of a Fire Bet, in Maryland."""
    sitting = Sitting("maryland", house={"side_wagers": {"fire": "A"}})
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "fire", 1_00)
    sitting.shoot(ANN)
    for first, second in ((2, 2), (2, 3), (4, 2), (4, 4)):
        sitting.wager(ANN, "pass", 10_00)
        sitting.roll(first, second)
        sitting.roll(first, second)
    [record] = records(sitting.entries, "surveillance")
    assert record.text == "surveillance is told: Fire has counted 4 [MD-11.A.6]"
    assert view_of(sitting.table)["markers"][0] == {"kind": "fire", "count": 4, "lit": (4, 5, 6, 8)}


@pytest.mark.clause("AZ-II.E.4")
def test_AZ_II_E_4__the_regulator_files_investigative_reports_and_no_others() -> None:
    """AZ-II.E.4: investigative reports; the only thing that a regulator writes."""
    _filed("investigative", REG)
    for record_class in CLASSES:
        assert ("regulator" in REPORTS[record_class].by) is (record_class == "investigative")


@pytest.mark.clause("AZ-II.E-0")
def test_AZ_II_E_0__the_regulator_reads_every_record() -> None:
    """AZ-II.E-0: access to all records; the four classes are examples."""
    assert "regulator" in RECORD_READERS
    assert not set(RECORD_READERS) & {"player", "dealer", "stickperson", "spectator"}
    sitting = _a_day(Sitting("arizona", approvals=LABORATORY, dice="physical"))
    listed = rules_of(sitting.table).rulebook.general.live.records
    assert {*CLASSES} == listed.keys() - {"any"}
    assert {*CLASSES} == {"daily_activity_accounting", "security", "surveillance", "investigative"}
    own = own_of(sitting.table, REG)
    assert own is not None
    assert own["bank"] == sitting.table.game.money.bank
    assert {entry.entry.actor for entry in sitting} == {"olga", "ann", "bob", "dee", "stan", "bea"}


@pytest.mark.parametrize(
    ("rules", "clause"),
    [
        pytest.param("arizona", "AZ-II.G.4-b", marks=pytest.mark.clause("AZ-II.G.4-b"), id="AZ-II.G.4-b"),
        pytest.param("arizona", "AZ-III.D.2", marks=pytest.mark.clause("AZ-III.D.2"), id="AZ-III.D.2"),
        pytest.param("maryland", "MD-3.C", marks=pytest.mark.clause("MD-3.C"), id="MD-3.C"),
    ],
)
def test_the_limits_are_posted_at_the_table_from_its_opening(rules: str, clause: str) -> None:
    """The minimum and maximum of the table, and of each wager that has its own, are shown and recorded."""
    limits = {"field": {"min": 3_00, "max": 300_00}}
    sitting = Sitting(
        rules, approvals=LABORATORY, dice="physical", house={"limits": limits, "wager_cents_max": 1000_00}
    )
    view = view_of(sitting.table)["limits"]
    assert (view["min"], view["max"]) == (5_00, 1000_00)
    assert view["wagers"]["field"] == {"min": 3_00, "max": 300_00}
    [posted] = postings(sitting)
    assert (posted.wager_cents_min, posted.wager_cents_max) == (5_00, 1000_00)
    assert posted.wagers["field"] == (3_00, 300_00)
    assert clause in posted.clause
    assert posted == posting_of(sitting.table, sequence=1, at=sitting.at)
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=500_00), FLOOR)
    assert view_of(sitting.table)["notice"]["wager_cents_min"] == 10_00
    noticed_at = sitting.at
    sitting.wait(30)
    sitting.sit(ANN, 1)
    [_first, changed] = postings(sitting)
    assert (changed.wager_cents_min, changed.wager_cents_max, changed.noticed_at) == (10_00, 500_00, noticed_at)
    assert changed.wagers["field"] == (3_00, 300_00)
    assert view_of(sitting.table)["limits"]["min"] == 10_00
