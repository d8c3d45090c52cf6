"""A physical table without keyed wagers: rolls, counts, slips, drops and estimates; what is not covered says so."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import REGULATIONS
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.verify import decision_faults
from passline.tables.views.table_view import own_of
from passline.tables.views.wording import lines_of
from tests.tables.sitting import ANN, BOX, DEALER, FLOOR, LABORATORY, OWNER, STICK, Sitting

OPENER = k.Opener(office="maryland", entry=9, act=5, cents=1_000_00, on_record=1_000_00)


def _sitting(opener: k.Opener | None = OPENER) -> Sitting:
    return Sitting(opener=opener, dice="physical", is_keyed=False)


def _paper(paper: str, *, entry: int, cents: int = 0, about: str = "") -> k.EnterPaper:
    return k.EnterPaper(office="maryland", entry=entry, act=entry, paper=paper, cents=cents, about=about)


def test_only_physical_tables_with_real_chips_are_dealt_without_keyed_wagers() -> None:
    sitting = _sitting()
    sitting.live = None
    for command in (
        k.OpenTable(name="Craps 2", house={"rules": "maryland"}, is_keyed=False),
        k.OpenTable(name="Craps 2", house={"rules": "maryland"}, dice="physical", is_demo=True, is_keyed=False),
    ):
        assert "is_keyed: only a table with physical dice and real chips" in sitting.refusal(command, OWNER)


@pytest.mark.parametrize("name", REGULATIONS)
def test_rolls_are_keyed_and_the_puck_and_the_hands_follow(name: str) -> None:
    sitting = Sitting(name, dice="physical", is_keyed=False, automate=(), approvals=LABORATORY)
    sitting.roll(2, 4)
    live = sitting.table
    assert (live.game.position.puck, live.track.hand, live.track.roll) == (6, 1, 1)
    sitting.do(k.DiceOut(), sitting.stick)
    assert sitting.table.game.position.dice == "air"
    sitting.roll(5, 4)
    sitting.roll(3, 4)
    live = sitting.table
    assert (live.game.position.puck, live.track.hand, live.track.roll) == (0, 1, 3)
    sitting.roll(6, 5)
    assert (sitting.table.track.hand, sitting.table.game.position.puck) == (2, 0)
    faults = [one.what for one in decision_faults(sitting.entries)]
    assert not [one for one in faults if "laboratory report" not in one]  # which is in no log here


def test_a_void_throw_and_a_misread_one() -> None:
    sitting = _sitting()
    sitting.do(k.DiceOut(), STICK)
    sitting.do(c.CallNoRoll(reason="not_together"), BOX)
    assert sitting.table.game.position.dice == "held"
    voided = sitting.do(k.KeyDice(first_lie="off_table"), STICK)
    assert isinstance(voided[-1], e.RollVoided)
    sitting.roll(3, 4)
    sitting.do(_paper("fill", entry=10, cents=100_00, about="F-000001"), THE_HOUSE)
    (corrected,) = sitting.do(k.CorrectRoll(first=2, second=4, reason="misread"), BOX)
    assert isinstance(corrected, t.RollCorrected)
    live = sitting.table
    assert (live.game.position.puck, live.game.money.bank, live.track.roll) == (6, 1_100_00, 1)
    sitting.roll(3, 4)
    assert sitting.table.game.position.puck == 0
    assert not list(decision_faults(sitting.entries))


@pytest.mark.parametrize(
    ("command", "by"),
    [
        (k.SeatPlayer(seat=1, account="ann", name="Ann"), ANN),
        (c.TakeSeat(seat=1), ANN),
        (c.BuyIn(seat=1, cents=100_00), DEALER),
        (c.MakeWager(seat=1, wager="pass", cents=10_00), DEALER),
        (c.OfferDice(dice=5), STICK),
    ],
)
def test_wagers_and_buy_ins_are_refused_with_a_reason(command: TableCommand, by: object) -> None:
    said = _sitting().refusal(command, by)  # type: ignore[arg-type]
    assert "wagers are not keyed in at this table" in said
    assert "[practice]" in said


def test_play_is_rated_by_estimate_and_only_there() -> None:
    sitting = _sitting()
    rate = k.RatePlayer(name="Ann", account="ann", average_cents=25_00, minutes=90)
    (rated,) = events = sitting.do(rate, FLOOR)
    assert rated == t.PlayerRated("Ann", 25_00, 90, "ann")
    assert lines_of(sitting.table, sitting.table, events) == (
        "Ann is rated, as an estimate: 25.00 on average for 90 minutes",
    )
    assert lines_of(sitting.table, sitting.table, events, seats=()) == ()
    assert "may not give rate-player" in sitting.refusal(rate, DEALER)
    wrong = sitting.refusal(k.RatePlayer(name=" ", average_cents=0, minutes=2000), BOX)
    assert wrong.count("[form]") == 3
    assert "not by an estimate [practice]" in Sitting().refusal(rate, FLOOR)


def test_counts_are_results_and_the_bank_says_that_it_is_not_covered() -> None:
    sitting = _sitting()
    sitting.do(_paper("credit", entry=10, cents=1_200_00, about="C-000001"), THE_HOUSE)
    assert sitting.table.owes == 0  # chips that the players have lost are in no ledger
    (counted,) = sitting.do(_paper("closer", entry=11, cents=700_00), THE_HOUSE)
    assert counted == t.InventoryCounted(
        act=11, kind="closer", cents=700_00, ledger=-200_00, layout=0, is_covered=False
    )
    sitting.do(_paper("drop", entry=12, about="D1"), THE_HOUSE)
    sitting.do(_paper("soft_count", entry=13, cents=400_00, about="D1"), THE_HOUSE)
    balances = sitting.table.balances
    assert (balances["patron"], balances.get("variance", 0)) == (-900_00 - 400_00, 0)
    own = own_of(sitting.table, BOX)
    assert own is not None
    assert own["not_covered"] == ["bank", "drop", "tip_box"]
    assert "bank" not in own
    sitting.do(k.CloseTable(), FLOOR)
    assert not list(decision_faults(sitting.entries))
