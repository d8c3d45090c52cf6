"""Seats and chips: who sits where, who changes cash, who fills and credits."""

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.refusal import Refused
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.duties import unfit_signature
from passline.tables.live import seat_of
from tests.tables.sitting import (
    ANN,
    AT,
    BOB,
    BOX,
    DEALER,
    FLOOR,
    LABORATORY,
    PLAYERS,
    Sitting,
    person,
    table_for_two,
)


def test_an_account_takes_one_seat() -> None:
    sitting = Sitting()
    events = sitting.do(c.TakeSeat(seat=3), ANN)
    assert events[0] == t.PlayerSeated(3, "ann", "Ann")
    assert "Ann is already at seat 3" in sitting.refusal(c.TakeSeat(seat=4), ANN)
    assert "seat 3 is taken" in sitting.refusal(c.TakeSeat(seat=3), BOB)
    assert "for somebody else" in sitting.refusal(k.SeatPlayer(seat=4, account="ann", name="Ann"), BOB)
    assert seat_of(sitting.table, "ann") == 3
    assert seat_of(sitting.table, "bob") == 0


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_gaming_employee_watches_and_does_not_sit_down() -> None:
    """AZ-II.M.3-a: no gaming employee wagers in a craps game of the operator; elsewhere the text is silent."""
    dee = person("Dee", "player", is_employee=True)
    assert "AZ-II.M.3-a" in Sitting("arizona", approvals=LABORATORY, dice="physical").refusal(c.TakeSeat(seat=1), dee)
    lying = k.SeatPlayer(seat=1, account="dee", name="Dee", is_employee=False)
    assert "AZ-II.M.3-a" in Sitting("arizona", approvals=LABORATORY, dice="physical").refusal(lying, dee)
    for rules in ("maryland", "colorado", "section2"):
        Sitting(rules).do(c.TakeSeat(seat=1), dee)


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_player_who_becomes_an_employee_takes_down_and_leaves() -> None:
    """AZ-II.M.3-a: a role granted after sitting down ends the wagering as well."""
    sitting = Sitting("arizona", approvals=LABORATORY, buy_in="self", practice=2_000_00)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "place_win", 12_00, 6)
    hired = person("Ann", "player", is_employee=True)
    asks: tuple[TableCommand, ...] = (
        c.MakeWager(seat=1, wager="field", cents=10_00),
        c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00),
        c.BuyIn(seat=1, cents=100_00),
    )
    for command in asks:
        assert "AZ-II.M.3-a" in sitting.refusal(command, hired)
    sitting.do(c.RemoveWager(seat=1, wager="place_win", number=6), hired)
    sitting.do(c.LeaveSeat(seat=1), hired)


@pytest.mark.clause("AZ-II.M.3-a")
@pytest.mark.parametrize(("rules", "is_barred"), [("arizona", True), ("maryland", False)])
def test_AZ_II_M_3_a__the_crew_keys_in_no_wager_for_an_employee(rules: str, *, is_barred: bool) -> None:
    """AZ-II.M.3-a: the owner of the chips decides, not who places them; a tip wagered for the crew counts as well."""
    sitting = Sitting(rules, approvals=LABORATORY, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "place_win", 12_00, 6)

    def keyed(command: TableCommand) -> str:
        verdict = decide(
            sitting.live,
            command,
            by=DEALER,
            at=AT,
            approvals=Approvals(),
            employed=lambda account: account == "ann",
        )
        return str(verdict) if isinstance(verdict, Refused) else ""

    stakes: tuple[TableCommand, ...] = (
        c.MakeWager(seat=1, wager="field", cents=10_00),
        c.MakeWager(seat=1, wager="field", cents=10_00, owner="crew"),
        c.BuyIn(seat=1, cents=100_00),
    )
    for command in stakes:
        refusal = keyed(command)
        assert refusal.startswith("Ann is a gaming employee and may only take down their wagers and leave") is is_barred
        assert ("[AZ-II.M.3-a]" in refusal) is is_barred
    assert keyed(c.MakeWager(seat=2, wager="field", cents=10_00)) == ""
    assert keyed(c.RemoveWager(seat=1, wager="place_win", number=6)) == ""


def test_whoever_is_kept_away_is_not_seated_and_makes_no_new_stake() -> None:
    sitting = table_for_two()
    sitting.wager(ANN, "place_win", 12_00, 6)

    def asked(command: TableCommand, by: Actor = DEALER) -> str:
        why = {"ann": "is kept away from the games (patron P1)", "zoe": "is kept away from the games (patron P2)"}
        verdict = decide(
            sitting.live, command, by=by, at=AT, approvals=Approvals(), excluded=lambda account: why.get(account, "")
        )
        return str(verdict) if isinstance(verdict, Refused) else ""

    may = "Ann is kept away from the games (patron P1), and may only take down wagers and leave [practice]"
    assert asked(c.MakeWager(seat=1, wager="field", cents=10_00)) == may
    assert asked(c.BuyIn(seat=1, cents=100_00)) == may
    assert asked(c.MakeWager(seat=2, wager="field", cents=10_00)) == ""
    assert asked(c.RemoveWager(seat=1, wager="place_win", number=6)) == ""
    refused = asked(c.TakeSeat(seat=4), Actor("zoe", "Zoe", "player"))
    assert refused == "Zoe is kept away from the games (patron P2) [practice]"


def test_a_player_signs_nothing_at_their_own_table() -> None:
    sitting = table_for_two()
    fill = c.Fill(cents=100_00)
    for signer, is_fit in (("bob", False), ("flo", True)):
        verdict = decide(sitting.live, fill, by=BOX, at=AT, approvals=Approvals(), signed_by=signer)
        assert isinstance(verdict, Refused) is not is_fit
        assert is_fit or "is playing at this table, at seat 2" in str(verdict)
    demo = replace(sitting.table, is_demo=True)
    assert not isinstance(decide(demo, fill, by=BOX, at=AT, approvals=Approvals(), signed_by="bob"), Refused)


def test_nobody_deals_at_a_table_where_they_play() -> None:
    sitting = Sitting()
    sitting.do(c.TakeSeat(seat=1), person("Dee", "player"))
    assert "Dee plays at this table" in sitting.refusal(c.BuyIn(seat=1, cents=100_00), DEALER)


def test_the_dealer_changes_cash_unless_the_table_lets_players_do_it() -> None:
    sitting = table_for_two()
    assert "the dealer changes cash" in sitting.refusal(c.BuyIn(seat=1, cents=100_00), ANN)
    cash = c.MakeWager(seat=1, wager="pass", cents=10_00, media=("cash",))
    assert "the dealer changes cash" in sitting.refusal(cash, ANN)
    assert "the boxperson may not give" in sitting.refusal(c.BuyIn(seat=1, cents=100_00), BOX)
    own = Sitting(buy_in="self")
    own.sit(ANN, 1, 0)
    own.do(c.BuyIn(seat=1, cents=100_00), ANN)
    assert "show the coupon to the dealer" in own.refusal(c.BuyIn(seat=1, cents=0, coupon=10_00), ANN)
    assert own.rack(ANN) == 100_00


def test_a_player_acts_only_at_their_own_seat_and_only_as_a_player() -> None:
    sitting = table_for_two()
    assert "seat 1 is not Bob's" in sitting.refusal(c.MakeWager(seat=1, wager="pass", cents=10_00), BOB)
    assert "is not Cat's" in sitting.refusal(c.MakeWager(seat=1, wager="pass", cents=10_00), PLAYERS[2])
    forged = c.MakeWager(seat=1, wager="pass", cents=10_00, by="dealer")
    verdict = sitting.ask(forged, ANN)
    assert not isinstance(verdict, Refused)
    assert verdict.command == c.MakeWager(seat=1, wager="pass", cents=10_00, by="player")
    assert sitting.entries[-1].entry.role == "player"


def test_the_boxperson_fills_and_credits() -> None:
    sitting = Sitting()
    sitting.do(c.Fill(cents=100_00), BOX)
    sitting.do(c.Credit(cents=300_00), FLOOR)
    assert sitting.table.balances == {"cage": -99_800_00, "bank": 99_800_00}
    assert "the dealer may not give" in sitting.refusal(c.Fill(cents=100_00), DEALER)
    assert unfit_signature(c.Fill(cents=100_00), BOX, FLOOR) is None
    assert unfit_signature(c.Fill(cents=100_00), BOX, DEALER) is not None


def test_a_player_who_walked_away_is_cashed_out_and_the_dice_pass_on() -> None:
    sitting = table_for_two()
    assert sitting.table.game.position.offered_to == 1
    assert "the dealer may not give" in sitting.refusal(c.LeaveSeat(seat=1), DEALER)
    sitting.do(c.DeclineDice(seat=1), DEALER)
    sitting.do(c.LeaveSeat(seat=1), BOX)
    assert sitting.table.players.keys() == {2}
    assert "the dealer may not give" in sitting.refusal(c.AcceptDice(seat=2), DEALER)
