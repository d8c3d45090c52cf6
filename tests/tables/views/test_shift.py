"""Totals of a table for a shift, from its ledger, and what whoever counts the table is not told."""

from passline.game import commands as c
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables.house import balances_at
from passline.tables.house_events import ShiftClosed
from passline.tables.views.shift import ShiftTotals, is_blind_to, shift_totals, without_banks
from tests.tables.sitting import ANN, BOB, BOX, Sitting

OPENER = k.Opener(office="maryland", entry=3, act=2, cents=1_000_00, on_record=1_000_00)


def _played(sitting: Sitting) -> Sitting:
    sitting.sit(ANN, 1, 500_00)
    sitting.sit(BOB, 2, 300_00)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(1, 1)  # craps: the pass line loses 10
    return sitting


def _closed(sitting: Sitting) -> ShiftClosed:
    return ShiftClosed(1, 9, "", balances_at([sitting.table]), "")


def test_a_shift_has_the_cash_the_fills_and_the_win_since_the_last_one() -> None:
    sitting = _played(Sitting(dice="physical", bank=10_000_00))
    totals = shift_totals(sitting.table, None, roles=("owner",))
    assert (totals.bank_before, totals.fills, totals.drop, totals.win) == (0, 10_000_00, 800_00, 10_00)
    assert (totals.bank, totals.layout, totals.tips) == (9_210_00, 0, 0)
    first = _closed(sitting)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 20_00)
    sitting.roll(2, 2)  # the field pays 20
    sitting.do(c.Fill(cents=1_000_00), BOX)
    sitting.do(c.Credit(cents=400_00), BOX)
    totals = shift_totals(sitting.table, first, roles=("floorperson",))
    assert (totals.bank_before, totals.fills, totals.drop, totals.win) == (9_210_00, 600_00, 0, -20_00)
    assert (totals.bank, totals.layout) == (9_210_00 + 600_00 - 20_00, 10_00)
    assert totals.bank == sitting.table.game.money.bank


def test_whoever_counts_a_bank_is_not_told_it() -> None:
    sitting = _played(Sitting(dice="physical", opener=OPENER))
    assert [is_blind_to(sitting.table, (role,)) for role in ("floorperson", "boxperson", "owner", "surveillance")] == [
        *(True, True, False, False)
    ]
    assert not is_blind_to(sitting.table, ("floorperson", "owner"))
    blind = shift_totals(sitting.table, None, roles=("floorperson",))
    assert blind == ShiftTotals(table="craps-1", name="Craps 1", status="open", players=2, rolls=1, is_blind=True)
    seen = shift_totals(sitting.table, None, roles=("owner",))
    assert seen.win == 10_00
    sitting.do(k.EnterPaper(office="maryland", entry=4, act=4, paper="shift", cents=200_00), THE_HOUSE)
    assert shift_totals(sitting.table, None, roles=("owner",)).win == 10_00  # a variance is no play


def test_a_table_without_keyed_wagers_has_no_totals() -> None:
    sitting = Sitting(dice="physical", is_keyed=False)
    assert not shift_totals(sitting.table, None, roles=("owner",)).is_covered


def test_records_of_a_counted_table_are_told_without_its_bank() -> None:
    day = {"table": "craps-1", "bank_opening": 5, "drop": 4, "win": 3, "bank_closing": 2, "rolls": 7}
    told = without_banks("activity", day, {"craps-1"})
    assert (told["bank_opening"], told["win"], told["rolls"], told["is_blind"]) == (0, 0, 7, True)
    assert without_banks("activity", day, {"craps-2"}) == day
    text = {"table": "craps-1", "text": "win 3", "clause": ""}
    assert "win" not in without_banks("daily_activity_accounting", text, {"craps-1"})["text"]
