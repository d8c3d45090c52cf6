"""A table whose money is on the office's papers: counts, slips, drops and tips, entered once and in their order."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.verify import decision_faults
from passline.tables.views.table_view import own_of
from tests.tables.sitting import ANN, BOX, DEALER, FLOOR, OWNER, STICK, Sitting

OPENER = k.Opener(office="maryland", entry=9, act=5, cents=1_000_00, on_record=1_000_00)


def _sitting(**changes: object) -> Sitting:
    return Sitting(**{"opener": OPENER, "dice": "physical", **changes})  # type: ignore[arg-type]


def _paper(paper: str, *, entry: int, cents: int = 0, about: str = "", act: int = 0) -> k.EnterPaper:
    return k.EnterPaper(office="maryland", entry=entry, act=act or entry, paper=paper, cents=cents, about=about)


def _enter(sitting: Sitting, paper: str, **what: object) -> tuple[t.TableEvent, ...]:
    return sitting.do(_paper(paper, **what), THE_HOUSE)  # type: ignore[arg-type]


def _reopening(sitting: Sitting, opener: k.Opener | None) -> k.OpenTable:
    return k.OpenTable(
        name="Craps 1",
        house={"rules": "maryland"},
        dice="physical",
        clearance=2 if opener else 0,
        opener=opener,
        terms=sitting.table.terms,
    )


def _bought(sitting: Sitting, cents: int = 300_00) -> None:
    sitting.do(k.SeatPlayer(seat=1, account="ann", name="Ann"), ANN)
    sitting.do(c.BuyIn(seat=1, cents=cents), DEALER)


def test_the_bank_is_the_opener_and_no_fill() -> None:
    sitting = _sitting()
    opened, counted = (sitting.opened.events[place] for place in (0, 1))  # type: ignore[union-attr]
    assert isinstance(opened, t.TableOpened)
    assert counted == t.InventoryCounted(
        act=5, kind="opener", cents=1_000_00, ledger=1_000_00, layout=0, brought=1_000_00
    )
    assert not [one for one in sitting.opened.events if isinstance(one, e.FillMade)]  # type: ignore[union-attr]
    assert (sitting.table.game.money.bank, sitting.table.balances["cage"]) == (1_000_00, -1_000_00)


def test_an_opener_that_differs_from_the_record_leaves_a_variance() -> None:
    sitting = Sitting(opener=k.Opener(office="maryland", entry=9, act=5, cents=995_00, on_record=1_000_00))
    assert sitting.table.balances == {"cage": -1_000_00, "bank": 995_00, "variance": 5_00}


def test_a_bank_that_somebody_names_is_refused() -> None:
    command = k.OpenTable(
        name="Craps 2", house={"rules": "maryland"}, bank_cents=500_00, clearance=1, opener=OPENER, terms=3
    )
    sitting = _sitting()
    sitting.live = None
    said = sitting.refusal(command, OWNER)
    assert "leave it out [practice]" in said


def test_a_clearance_without_an_opener_opens_nothing_under_todays_terms() -> None:
    sitting = _sitting()
    sitting.live = None
    said = sitting.refusal(k.OpenTable(name="Craps 2", house={"rules": "maryland"}, clearance=1, terms=3), OWNER)
    assert "has not been counted" in said
    old = k.OpenTable(name="Craps 2", house={"rules": "maryland"}, clearance=1, terms=2, bank_cents=500_00)
    assert not isinstance(sitting.ask(old, OWNER), Refused)


@pytest.mark.parametrize(("command", "word"), [(c.Fill(cents=100_00), "fill"), (c.Credit(cents=100_00), "credit")])
def test_the_crew_brings_and_takes_no_chips_by_its_word(command: c.Fill | c.Credit, word: str) -> None:
    said = _sitting().refusal(command, BOX)
    assert f"a {word} " in said
    assert "in the office, under the table's money; when it is" in said
    assert "[practice]" in said
    assert not isinstance(Sitting().ask(command, BOX), Refused)  # a house that keeps its office elsewhere


def test_slips_move_the_bank_with_their_numbers() -> None:
    sitting = _sitting()
    assert _enter(sitting, "fill", entry=10, cents=200_00, about="F-000001") == (e.FillMade(200_00, "F-000001"),)
    assert _enter(sitting, "credit", entry=11, cents=50_00, about="C-000001") == (e.CreditMade(50_00, "C-000001"),)
    assert sitting.table.game.money.bank == 1_150_00
    _enter(sitting, "credit_back", entry=12, cents=50_00, about="C-000001")
    assert sitting.table.game.money.bank == 1_200_00
    assert sitting.table.balances == {"cage": -1_200_00, "bank": 1_200_00, "variance": 0}


def test_a_paper_is_entered_once_and_in_its_order() -> None:
    sitting = _sitting()
    _enter(sitting, "fill", entry=12, cents=200_00, about="F-000001")
    for entry in (12, 10, 9):
        assert "entered up to its entry 12" in str(sitting.refusal(_paper("fill", entry=entry, cents=1_00), THE_HOUSE))
    other = k.EnterPaper(office="colorado", entry=20, act=20, paper="fill", cents=1_00)
    assert "not on the papers" in sitting.refusal(other, THE_HOUSE)
    assert "no paper" in sitting.refusal(_paper("loan", entry=20), THE_HOUSE)
    assert "server" in sitting.refusal(_paper("fill", entry=20, cents=1_00), FLOOR)
    assert "not on the papers" in Sitting().refusal(_paper("fill", entry=20, cents=1_00), THE_HOUSE)


def test_a_count_is_held_against_the_ledger_and_carries_the_layout() -> None:
    sitting = _sitting(automate=())
    _bought(sitting)
    sitting.do(c.MakeWager(seat=1, wager="pass", cents=25_00), DEALER)
    (counted,) = _enter(sitting, "shift", entry=10, cents=690_00)
    assert counted == t.InventoryCounted(act=10, kind="shift", cents=690_00, ledger=700_00, layout=25_00)
    assert (sitting.table.game.money.bank, sitting.table.balances["variance"]) == (690_00, 10_00)
    (again,) = _enter(sitting, "shift", entry=11, cents=690_00)
    assert again == t.InventoryCounted(act=11, kind="shift", cents=690_00, ledger=690_00, layout=25_00)


def test_a_box_is_dropped_and_counted_against_the_cash_that_was_changed() -> None:
    sitting = _sitting()
    _bought(sitting)
    (dropped,) = _enter(sitting, "drop", entry=10, about="D1")
    assert dropped == t.BoxDropped(act=10, box="D1", ledger=300_00, layout=0)
    assert (sitting.table.game.money.drop, sitting.table.balances["boxes"]) == (0, 300_00)
    (counted,) = _enter(sitting, "soft_count", entry=11, cents=280_00, about="D1")
    assert counted == t.BoxCounted(act=11, box="D1", cents=280_00, ledger=300_00)
    balances = sitting.table.balances
    assert (balances["boxes"], balances["count"], balances["variance"]) == (0, 280_00, 20_00)


def test_a_box_from_before_the_books_is_in_no_ledger() -> None:
    (counted,) = _enter(_sitting(), "soft_count", entry=11, cents=280_00, about="D9")
    assert counted == t.BoxCounted(act=11, box="D9", cents=280_00, ledger=0, is_covered=False)


def test_the_tip_box_is_collected() -> None:
    sitting = _sitting(automate=())
    _bought(sitting)
    sitting.do(c.MakeWager(seat=1, wager="pass", cents=25_00), DEALER)
    (collected,) = _enter(sitting, "tips", entry=10, about="B1")
    assert collected == t.TipsCollected(act=10, box="B1", ledger=0)


def test_closing_moves_nothing_and_the_closed_table_takes_papers() -> None:
    sitting = _sitting()
    _bought(sitting)
    sitting.do(c.LeaveSeat(seat=1), ANN)
    closed = sitting.do(k.CloseTable(), FLOOR)
    assert closed == (t.TableClosed(drop=0, tips=0),)
    money = sitting.table.game.money
    assert (money.bank, money.drop) == (700_00, 300_00)
    (counted,) = _enter(sitting, "closer", entry=10, cents=700_00)
    assert isinstance(counted, t.InventoryCounted)
    assert counted.cents == counted.ledger == 700_00
    _enter(sitting, "drop", entry=11, about="D1")
    _enter(sitting, "fill", entry=12, cents=100_00, about="F-000002")
    assert (sitting.table.game.money.bank, sitting.table.game.money.drop) == (800_00, 0)


def test_a_closed_table_opens_again_with_its_closer_and_then_its_opener_counted() -> None:
    sitting = _sitting()
    sitting.do(k.CloseTable(), FLOOR)
    assert "its closing inventory" in sitting.refusal(_reopening(sitting, OPENER), OWNER)
    _enter(sitting, "closer", entry=10, cents=1_000_00)
    assert "its opening inventory" in sitting.refusal(_reopening(sitting, OPENER), OWNER)
    _enter(sitting, "opener", entry=12, act=12, cents=995_00)
    opener = k.Opener(office="maryland", entry=12, act=12, cents=995_00, on_record=1_000_00)
    opened = sitting.do(_reopening(sitting, opener), OWNER)
    assert [type(one) for one in opened] == [t.TableOpened]
    assert (sitting.table.game.money.bank, sitting.table.balances["variance"]) == (995_00, 5_00)
    assert sitting.table.status == "open"
    assert not list(decision_faults(sitting.entries))


def test_a_table_leaves_its_office_only_with_empty_tray_and_boxes() -> None:
    sitting = _sitting()
    sitting.do(k.CloseTable(), FLOOR)
    said = sitting.refusal(_reopening(sitting, None), OWNER)
    assert "its tray holds 1000.00 by the papers of maryland's office: take it to the cage by a credit slip" in said
    _enter(sitting, "credit", entry=10, cents=1_000_00, about="C-000001")
    sitting.do(_reopening(sitting, None), OWNER)
    assert sitting.table.books is None


def test_a_roll_is_corrected_over_a_fill_and_not_over_a_count() -> None:
    sitting = _sitting()
    _bought(sitting)
    sitting.do(c.AcceptDice(seat=1), ANN)
    sitting.do(c.MakeWager(seat=1, wager="pass", cents=25_00), DEALER)
    sitting.do(k.KeyDice(first=3, second=4), STICK)
    _enter(sitting, "fill", entry=10, cents=200_00, about="F-000001")
    assert sitting.table.game.money.bank == 1_000_00 - 300_00 - 25_00 + 200_00
    sitting.do(k.CorrectRoll(first=1, second=1, reason="misread"), BOX)
    assert sitting.table.game.money.bank == 1_000_00 - 300_00 + 25_00 + 200_00
    _enter(sitting, "shift", entry=11, cents=sitting.table.game.money.bank)
    assert "no roll to correct" in sitting.refusal(k.CorrectRoll(first=3, second=4, reason="misread"), BOX)
    assert not list(decision_faults(sitting.entries))


def test_a_frozen_table_takes_papers_and_a_debt_is_covered_by_one() -> None:
    sitting = _sitting()
    _bought(sitting, 1_100_00)
    assert sitting.table.owes == 100_00
    sitting.do(k.FreezeTable(reason="a late wager"), BOX)
    made = _enter(sitting, "fill", entry=10, cents=500_00, about="F-000001")
    assert made == (e.FillMade(500_00, "F-000001"), t.BankPaid(1, 0))


def test_the_crew_that_counts_a_tray_is_not_shown_what_it_should_hold() -> None:
    sitting = _sitting()
    for who in (DEALER, BOX, FLOOR):
        own = own_of(sitting.table, who)
        assert own is not None
        assert own["counted_blind"] == ["bank", "drop", "tip_box"]
        assert "bank" not in own
    assert (own_of(sitting.table, OWNER) or {})["bank"] == 1_000_00
    assert (own_of(Sitting(dice="physical").table, FLOOR) or {})["bank"] == 100_000_00
