"""What is open at a table: each matter is listed while it is open, and no longer."""

from passline.game import commands as c
from passline.tables import commands as k
from passline.tables.views.supervision import open_matters
from tests.tables.sitting import ANN, BOX, DEALER, FLOOR, STICK, Sitting


def _kinds(sitting: Sitting) -> list[str]:
    return [matter.kind for matter in open_matters(sitting.table)]


def test_each_matter_is_listed_until_it_is_dealt_with() -> None:
    sitting = Sitting("colorado", dice="physical", requires_dice_out=True)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    assert _kinds(sitting) == []
    sitting.do(k.DiceOut(), STICK)
    sitting.wager(ANN, "field", 5_00)
    assert _kinds(sitting) == ["past_posted"]
    sitting.roll(2, 4)
    sitting.do(k.ReportIrregularity(text="paid twice"), DEALER)
    sitting.do(k.FreezeTable(reason="a die was cocked", seat=1), STICK)
    assert _kinds(sitting) == ["dispute", "irregularity", "past_posted"]
    dispute, irregularity, _late = open_matters(sitting.table)
    assert dispute.text == "frozen, seat 1: a die was cocked"
    assert irregularity.clause == "CO-2319-direct"
    sitting.do(k.DirectAction(irregularity=1, action="take it back"), BOX)
    assert open_matters(sitting.table)[1].clause == "CO-2319-observe"
    sitting.do(k.ObserveAction(irregularity=1), BOX)
    sitting.do(k.ReleaseTable(finding="it lay flat"), FLOOR)
    sitting.do(k.DiceOut(), STICK)
    sitting.roll(2, 3)
    assert _kinds(sitting) == []


def test_condemned_dice_and_a_disputed_roll_are_matters() -> None:
    sitting = Sitting("maryland", dice="physical", automate=("offer", "choose"))
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.KeyDice(first=2, second=4), STICK)
    sitting.do(c.DisputeFaces(seat=1), ANN)
    sitting.do(k.CondemnDice(reason="lost", text="under the slots"), DEALER)
    assert _kinds(sitting) == ["faces", "dice"]
    assert open_matters(sitting.table)[1].text == "the dice are lost: under the slots"
