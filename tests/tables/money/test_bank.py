"""A bank that cannot pay owes: chips it lacks are not handed out, and what it owes is an incident until a fill."""

import msgspec
import pytest
from msgspec import Raw, json

from passline.game import commands as c
from passline.game import events as e
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.terms import TERMS
from passline.tables.verify import decision_faults
from passline.tables.views.table_view import own_of
from passline.tables.views.wording import lines_of
from tests.event_loop import asynchronous
from tests.tables.running_floor import ANN as PLAYER
from tests.tables.running_floor import ask, running
from tests.tables.sitting import ANN, BOB, BOX, DEALER, FLOOR, OWNER, STICK, Sitting, draft_of
from tests.tables.views.viewed import records

MILLION = 1_000_000_00


def bank(sitting: Sitting) -> int:
    return sitting.table.game.money.bank


@pytest.mark.parametrize("dice", ["electronic", "physical"])
def test_a_player_gets_no_chips_that_the_bank_does_not_have(dice: str) -> None:
    sitting = Sitting(dice=dice, buy_in="self", bank=1_000_00)
    sitting.do(c.TakeSeat(seat=1), ANN)
    said = sitting.refusal(c.BuyIn(seat=1, cents=MILLION), ANN)
    assert "no chips for 1000000.00" in said
    assert "call the floorperson for a fill" in said
    assert "1000.00:" not in said, "what the bank has is not told"
    assert "no chips" in sitting.refusal(c.BuyIn(seat=1, cents=1_001_00), ANN)
    cash = c.MakeWager(seat=1, wager="pass", cents=1_005_00, media=("cash",))
    assert "no chips" in sitting.refusal(cash, ANN)
    sitting.do(c.BuyIn(seat=1, cents=1_000_00), ANN)
    assert bank(sitting) == 0
    assert "no chips" in sitting.refusal(c.BuyIn(seat=1, cents=1_00), ANN)
    sitting.do(c.Fill(cents=500_00), BOX)
    sitting.do(c.BuyIn(seat=1, cents=500_00), ANN)


def test_with_electronic_dice_the_dealer_gets_none_either() -> None:
    sitting = Sitting(bank=1_000_00)
    sitting.do(c.TakeSeat(seat=1), ANN)
    assert "no chips" in sitting.refusal(c.BuyIn(seat=1, cents=MILLION), DEALER)


def owing(dice: str, stake: int = 500_00) -> Sitting:
    """Return a table whose bank of 2000.00 has just come to owe: Ann won 15 to 1 on an eleven."""
    sitting = Sitting(dice=dice, bank=2_000_00)
    sitting.sit(ANN, 1, 1_000_00)
    sitting.sit(BOB, 2, 500_00)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(ANN, "eleven", stake)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    return sitting


def test_electronic_dice_wait_for_a_fill_while_the_bank_owes() -> None:
    sitting = owing("electronic")
    debt = -bank(sitting)
    assert debt == 15 * 500_00 + 10_00 - 500_00
    assert (sitting.table.owes, sitting.table.incidents) == (debt, 1)
    assert sitting.table.game.money.racks[0] > 7_500_00, "the player has won: the debt is the house's"
    sitting.wager(ANN, "pass", 10_00)
    said = sitting.refusal(k.Roll(seat=1), ANN)
    assert "the dice wait for a fill" in said
    assert "7010.00" not in said, "how much is the crew's to know"
    filled = sitting.do(c.Fill(cents=1_000_00), BOX)
    assert filled[-1] == t.BankPaid(1, debt - 1_000_00)
    assert "the dice wait for a fill" in sitting.refusal(k.Roll(seat=1), ANN)
    filled = sitting.do(c.Fill(cents=debt - 1_000_00), BOX)
    assert filled[-1] == t.BankPaid(1, 0)
    sitting.roll(3, 3)
    assert (sitting.table.owes, sitting.table.incidents) == (0, 1)
    assert list(decision_faults(sitting.entries)) == []


def test_a_physical_throw_is_recorded_and_the_debt_is_an_incident_until_it_is_paid() -> None:
    sitting = owing("physical")
    first = sitting.table.owes
    assert first == -bank(sitting) > 0
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(ANN, "eleven", 100_00)
    events = sitting.roll(5, 6)
    assert e.RollSettled in {type(event) for event in events}, "what has happened is recorded"
    grown = [event for event in events if isinstance(event, t.BankOwed)]
    assert [(event.incident, event.cents) for event in grown] == [(1, first + 15 * 100_00 + 10_00)]
    sitting.do(c.BuyIn(seat=2, cents=50_00), DEALER)  # a dealer has handed over what was on the table
    assert sitting.table.owes == grown[0].cents + 50_00
    sitting.do(c.Fill(cents=100_000_00), BOX)
    assert sitting.table.owes == 0
    sitting.wager(BOB, "eleven", 500_00)
    sitting.do(c.Credit(cents=bank(sitting)), FLOOR)
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(5, 6)
    assert sitting.table.incidents == 2, "another debt is another incident"
    assert "it needs a fill first" in sitting.refusal(k.CloseTable(), OWNER)
    assert list(decision_faults(sitting.entries)) == []


def test_a_correction_brings_a_debt_and_takes_it_back() -> None:
    sitting = owing("physical")
    sitting.do(k.CorrectRoll(first=3, second=4, reason="a seven"), STICK)
    assert (sitting.table.owes, bank(sitting) >= 0) == (0, True)
    sitting.do(k.CorrectRoll(first=6, second=5, reason="an eleven after all"), STICK)
    assert (sitting.table.owes, sitting.table.incidents) == (-bank(sitting), 2)


def test_the_crew_reads_the_debt_and_everybody_that_there_is_one() -> None:
    sitting = owing("physical")
    owed = t.BankOwed(1, 7_010_00)
    live = sitting.table
    assert lines_of(live, live, (owed,)) == (
        "incident 1: the bank owes 7010.00 that it could not pay, and needs a fill",
    )
    (public,) = lines_of(live, live, (owed,), seats=())
    assert public == "incident 1: the bank owes chips that it could not pay, and needs a fill"
    assert lines_of(live, live, (t.BankPaid(1, 5_00),), seats=()) == ()
    assert lines_of(live, live, (t.BankPaid(1, 0),), seats=(1,)) == ("incident 1 is over: the bank owes nothing more",)
    sitting.do(c.Fill(cents=live.owes), BOX)
    told = [record.text for record in records(sitting.entries, "security")]
    assert [text for text in told if "incident" in text] == [
        "incident 1: the bank owes 7010.00 that it could not pay, and needs a fill",
        "incident 1 is over: the bank owes nothing more",
    ]
    own = own_of(live, FLOOR)
    assert own is not None
    assert (own["owes"], own["bank"]) == (live.owes, -live.owes)


def test_an_entry_that_hides_its_incident_is_found() -> None:
    sitting = owing("physical")
    last = sitting.entries.pop().entry
    events = [event for event in json.decode(last.events) if event["event"] != "bank-owed/1"]
    sitting.add(msgspec.structs.replace(draft_of(last), events=Raw(json.encode(events))))
    (fault,) = decision_faults(sitting.entries)
    assert fault.sequence == last.sequence
    assert "events, but" in fault.what


def test_a_debt_from_before_there_were_terms_is_as_it_was() -> None:
    sitting = Sitting(dice="physical", bank=100_00, terms=0)
    sitting.do(c.TakeSeat(seat=1), ANN)
    (bought,) = sitting.do(c.BuyIn(seat=1, cents=MILLION), DEALER)
    assert isinstance(bought, e.BuyInMade)
    assert (sitting.table.owes, bank(sitting)) == (0, 100_00 - MILLION)
    assert list(decision_faults(sitting.entries)) == []


@asynchronous
async def test_a_server_opens_every_table_under_its_terms_whatever_it_is_sent() -> None:
    async with running() as (floor, table):
        assert table.live.terms == TERMS
        assert "no chips for 1000000.00" in str(await ask(table, PLAYER, c.BuyIn(seat=1, cents=MILLION)))
        assert list(decision_faults(floor.log.read())) == []
