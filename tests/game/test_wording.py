"""Each event is told in one line, with its arithmetic and its clauses."""

from typing import get_args

import pytest
from msgspec.structs import replace

from passline.game import events as e
from passline.game.position import Wager
from passline.game.wording import _SENTENCES, format_event, progress_text
from passline.money import Pays
from passline.rules.rules import Rules

RULES = Rules.of("maryland")
NAMES = {1: "Ann", 2: "Bob"}
PLACE = Wager(1, "player", "place_win", 6, 12_00)
BUY = Wager(2, "player", "buy", 4, 25_00, vigorish=1_00)
WHIRL = Wager(2, "player", "whirl", 0, 5_00)
COME = Wager(1, "player", "come", 0, 10_00)
FIRE = Wager(1, "player", "fire", 0, 5_00)
LUCKY = Wager(2, "player", "lucky_shooter", 0, 5_00)
LITTLE = Wager(1, "player", "little_ones", 1, 3_00)
TIP = Wager(2, "crew", "pass", 0, 2_00)
VIGORISH = getattr(RULES.wagers["buy"].vigorish, "clause_made", "none")
TOLD: list[tuple[e.Event, str]] = [
    (e.SeatTaken(1, is_employee=False), "Ann comes to the table"),
    (e.SeatTaken(2, is_employee=True), "Bob comes to the table to watch"),
    (e.SeatLeft(1, 12_00, 0), "Ann leaves with 12.00"),
    (e.SeatLeft(2, 12_00, 5_00), "Bob leaves with 12.00 and a coupon of 5.00"),
    (e.PlayerStood(1, ""), "Ann stands up"),
    (e.PlayerStood(2, "MD-4.F.remain"), "Bob stands up while wagers are up, a breach [MD-4.F.remain]"),
    (e.PlayerSat(3), "seat 3 sits down"),
    (e.BuyInMade(1, 100_00, 0), "Ann changes 100.00 for chips"),
    (e.BuyInMade(2, 100_00, 25_00), "Bob changes 100.00 for chips and brings a coupon of 25.00"),
    (e.FillMade(100_00), "a fill brings 100.00 to the bank"),
    (e.CreditMade(100_00), "a credit takes 100.00 from the bank"),
    (e.WagerMade(PLACE, "MD-3.A.5"), "Ann Place 6 is made for 12.00 [MD-3.A.5]"),
    (e.WagerMade(BUY, "MD-3.A.41"), f"Bob Buy 4 is made for 25.00 and pays vigorish 1.00 [{VIGORISH}] [MD-3.A.41]"),
    (
        e.WagerMade(BUY, f"MD-3.A.41, {VIGORISH}"),
        f"Bob Buy 4 is made for 25.00 and pays vigorish 1.00 [MD-3.A.41, {VIGORISH}]",
    ),
    (
        e.WagerMade(Wager(2, "crew", "pass", 0, 5_00, coupon=5_00, pending=("dealer|boxperson", "floorperson")), "X"),
        (
            "Bob Pass Line for the crew is made for 5.00 with a coupon of 5.00"
            ", if confirmed by dealer or boxperson and floorperson [X]"
        ),
    ),
    (
        e.WagerIncreased(Wager(1, "player", "place_win", 6, 6_00), PLACE, "MD-3.A.5"),
        "Ann Place 6 grows by 6.00 to 12.00 [MD-3.A.5]",
    ),
    (
        e.WagerIncreased(Wager(2, "player", "buy", 4, 15_00), BUY, "X"),
        f"Bob Buy 4 grows by 10.00 to 25.00, vigorish paid 1.00 [{VIGORISH}] [X]",
    ),
    (
        e.WagerReduced(BUY, Wager(2, "player", "buy", 4, 15_00), "MD-4.D"),
        f"Bob Buy 4 is reduced by 10.00 to 15.00, vigorish refunded 1.00 [{VIGORISH}] [MD-4.D]",
    ),
    (e.WagerRemoved(PLACE, "MD-4.D"), "Ann Place 6 is removed, 12.00 [MD-4.D]"),
    (e.WagerRemoved(BUY, "MD-4.D"), f"Bob Buy 4 is removed, 25.00, vigorish refunded 1.00 [{VIGORISH}] [MD-4.D]"),
    (
        e.WagerCalled(PLACE, Wager(1, "player", "place_win", 6, 12_00, working="on?"), "X"),
        "Ann Place 6 is called on [X]",
    ),
    (
        e.ButtonPlaced(PLACE, Wager(1, "player", "place_win", 6, 12_00, working="off"), "X"),
        "Ann Place 6 gets the OFF button [X]",
    ),
    (
        e.CallLapsed(Wager(1, "player", "place_win", 6, 12_00, working="on"), PLACE, "X"),
        "Ann Place 6 is no longer called on [X]",
    ),
    (e.WagerConfirmed(PLACE, PLACE, "dealer", "X"), "Ann Place 6 is confirmed by the dealer [X]"),
    (
        e.WagerConfirmed(PLACE, Wager(1, "player", "place_win", 6, 12_00, pending=("boxperson",)), "dealer", "X"),
        "Ann Place 6 is confirmed by the dealer, if confirmed by boxperson [X]",
    ),
    (e.WagerLost(WHIRL, None, "craps_2", 1_00, "MD-5.E"), "Bob Whirl (Craps Two) loses 1.00 [MD-5.E]"),
    (
        e.WagerWon(PLACE, None, "", 12_00, Pays(7, to=6), 14_00, 0, "MD-3.A.5.b, MD-5.A.7"),
        "Ann Place 6 wins 14.00 (12.00 at 7 to 6) [MD-3.A.5.b, MD-5.A.7]",
    ),
    (
        e.WagerWon(WHIRL, None, "any_seven", 1_00, Pays(4, to=1), 4_00, 0, "MD-5.E"),
        "Bob Whirl (Any Seven) wins 4.00 (1.00 at 4 to 1) [MD-5.E]",
    ),
    (
        e.WagerWon(BUY, None, "", 25_00, Pays(2, to=1), 50_00, 1_00, "X"),
        "Bob Buy 4 wins 50.00 (25.00 at 2 to 1), less vigorish 1.00 leaves 49.00 [X]",
    ),
    (
        e.WagerWon(PLACE, None, "", 12_00, Pays(7, to=5), 17_00, 0, "X"),
        "Ann Place 6 wins 17.00 (12.00 at 7 to 5, rounded up) [X]",
    ),
    (
        e.WagerWon(Wager(2, "player", "pass", 0, 30_00, coupon=25_00), None, "", 30_00, Pays(1, to=1), 55_00, 0, "X"),
        "Bob Pass Line wins 55.00 (30.00 at 1 to 1, matched by a coupon of 25.00) [X]",
    ),
    (
        e.WagerWon(FIRE, None, "", 5_00, Pays(25, to=1, is_for=True), 120_00, 0, "X"),
        "Ann Fire wins 120.00 (5.00 at 25 for 1: 125.00 with the stake) [X]",
    ),
    (
        e.WagerWon(FIRE, None, "", 5_00, Pays(24, to=1), 120_00, 0, "X"),
        "Ann Fire wins 120.00 (5.00 at 24 to 1) [X]",
    ),
    (
        e.WagerWon(LUCKY, replace(LUCKY, progress=(0, 0)), "", 0, Pays(1, to=1), 5_00, 0, "X"),
        "Bob Lucky Shooter wins 5.00 (5.00 at 1 to 1), and stays up [X]",
    ),
    (
        e.WagerWon(TIP, None, "", 2_00, Pays(1, to=1), 2_00, 0, "X"),
        "Bob Pass Line for the crew wins 2.00 to the tip box (2.00 at 1 to 1) [X]",
    ),
    (e.WagerRemoved(TIP, "X"), "Bob Pass Line for the crew is removed, 2.00 to the tip box [X]"),
    (e.WagerReturned(TIP, "X"), "Bob Pass Line for the crew is returned, 2.00 to the tip box [X]"),
    (
        e.WagerProgressed(FIRE, replace(FIRE, progress=(1, 1 << 4 | 1 << 10)), "X"),
        "Ann Fire: 2 counted (4, 10) [X]",
    ),
    (e.WagerProgressed(FIRE, replace(FIRE, progress=(1, 0)), "X"), "Ann Fire: nothing counted [X]"),
    (
        e.WagerProgressed(LUCKY, replace(LUCKY, progress=(6, 1 << 4)), "X"),
        "Bob Lucky Shooter: initial point 6, 1 hit (4) [X]",
    ),
    (e.WagerProgressed(LUCKY, replace(LUCKY, progress=(0, 0)), "X"), "Bob Lucky Shooter: no initial point [X]"),
    (
        e.WagerProgressed(LITTLE, replace(LITTLE, progress=(1 << 2 | 1 << 6,)), "X"),
        "Ann Little Ones 1: 2 of 5 (2, 6) [X]",
    ),
    (e.WindowClosed("new_hand", "X"), "the window new hand closes for this hand [X]"),
    (e.SurveillanceNotified("fire", 4, "X"), "surveillance is told: Fire has counted 4 [X]"),
    (e.WagerReturned(COME, "X"), "Ann Come is returned, 10.00 [X]"),
    (e.WagerMoved(COME, Wager(1, "player", "come", 9, 10_00), "X"), "Ann Come moves to 9 [X]"),
    (e.DiceOffered(2, 5, "X"), "5 dice are offered to Bob [X]"),
    (e.DiceAccepted(2, "X"), "Bob is the shooter [X]"),
    (e.DiceDeclined(1, 2, "X"), "Ann declines the dice; they go to Bob [X]"),
    (e.DiceDeclined(1, 0, "X"), "Ann declines the dice [X]"),
    (e.DiceChosen(1, (2, 5), 3, "stickperson", "X"), "Ann picks dice 2 and 5; 3 go back to the stickperson's cup [X]"),
    (e.DiceSurrendered(1, "loser_7", "X"), "Ann gives up the dice: loser 7 [X]"),
    (e.DiceCupped(1), "the dice are back in the cup"),
    (e.LineWagerDeclined(1, "X"), "Ann will not make a line wager [X]"),
    (e.ClearingBegan(1, "X"), "Ann throws to clear the come wagers [X]"),
    (e.ClearingEnded("decided", "X"), "the come wagers are cleared [X]"),
    (e.ClearingEnded("removed", "X"), "no come wager is left to clear [X]"),
    (e.ClearingEnded("line_wager", "X"), "a line wager ends the clearing of come wagers [X]"),
    (e.ClearingEnded("given_up", "X"), "the clearing of come wagers ends with the shooter's turn [X]"),
    (e.DiceThrown(1), "Ann throws"),
    (e.DiceLanded(3, 4, "X"), "the dice show 3-4 [X]"),
    (e.RollVoided("off_table", "", is_late=False, clause="X"), "no roll: off table [X]"),
    (
        e.RollVoided("short_throw", "boxperson", is_late=True, clause="X"),
        "no roll called by the boxperson: short throw, called late [X]",
    ),
    (e.FacesDisputed(2), "Bob disputes the faces"),
    (e.DisputeDecided(3, 4, "boxperson", "X"), "the boxperson rules the faces 3-4 [X]"),
    (e.RollCalled(7, "X"), "7 is called [X]"),
    (e.RollSettled(3, 4, "X"), "the wagers on 3-4 are settled [X]"),
    (e.MeterRaised("fire", 1_0000, 501_00_0000, "X"), "the meter of Fire rises to 501.00 [X]"),
    (
        e.MeterPaid(Wager(1, "player", "fire", 0, 5_00), 501_00, 500_00_0000, "X"),
        "Ann Fire is paid 501.00 from the meter, which stands at 500.00 [X]",
    ),
    (
        e.MeterClosed("fire", 501_00_0000, "why", "X"),
        "the meter of Fire, at 501.00, is closed: why [X]",
    ),
    (
        e.MeterClosed("fire", 501_00_0000, "why", "X", above="another meter", into="small"),
        "the meter of Fire, at 501.00, is closed: why; what is above its base goes to the meter of Small [X]",
    ),
    (
        e.MeterClosed("fire", 501_00_0000, "why", "X", above="prize", cents=1_00, agreed={"T": "9"}),
        (
            "the meter of Fire, at 501.00, is closed: why; what is above its base, 1.00, is handed out as a prize; "
            "agreed: T 9 [X]"
        ),
    ),
    (e.MeterOpened("fire", 500_00_0000, "X"), "the meter of Fire is open again, at 500.00 [X]"),
    (e.PuckMoved(6, "X"), "the puck is ON 6 [X]"),
    (e.PuckMoved(0, "X"), "the puck is OFF [X]"),
    (e.DicePassed(1, "X"), "the dice go to Ann [X]"),
]


@pytest.mark.parametrize(("event", "line"), TOLD, ids=[line for _event, line in TOLD])
def test_an_event_is_told_in_one_line(event: e.Event, line: str) -> None:
    assert format_event(event, RULES, NAMES) == line


def test_a_part_of_a_composite_wager_tells_its_own_share_of_the_coupon() -> None:
    whirl = Wager(2, "player", "whirl", 0, 5_00, coupon=5_00)
    won = e.WagerWon(whirl, None, "eleven", 1_00, Pays(15, to=1), 30_00, 0, "X")
    line = "Bob Whirl (Eleven) wins 30.00 (1.00 at 15 to 1, matched by a coupon of 1.00) [X]"
    assert format_event(won, RULES, NAMES) == line
    settled = replace(won, wager=replace(whirl, cents=2_00), winnings=31_00)
    assert "matched by a coupon of 1.00, rounded up)" in format_event(settled, RULES, NAMES)


def test_a_coupon_does_not_hide_that_a_payment_was_rounded_up() -> None:
    place = Wager(1, "player", "place_win", 6, 5_00, coupon=5_00)
    won = e.WagerWon(place, None, "", 5_00, Pays(7, to=6), 12_00, 0, "X")
    line = "Ann Place 6 wins 12.00 (5.00 at 7 to 6, matched by a coupon of 5.00, rounded up) [X]"
    assert format_event(won, RULES, NAMES) == line
    line = "Ann Pass Line wins 20.00 (10.00 at 1 to 1, matched by a coupon of 10.00) [X]"
    flat = e.WagerWon(Wager(1, "player", "pass", 0, 10_00, coupon=10_00), None, "", 10_00, Pays(1, to=1), 20_00, 0, "X")
    assert format_event(flat, RULES, NAMES) == line


def test_a_call_taken_back_is_told_as_one() -> None:
    called = replace(PLACE, working="on")
    assert format_event(e.WagerCalled(called, PLACE, "X"), RULES, NAMES) == "Ann Place 6 is no longer called on [X]"


def test_every_event_is_told() -> None:
    assert _SENTENCES.keys() == set(get_args(e.Event))
    assert {type(event) for event, _line in TOLD} == set(get_args(e.Event))


def test_a_count_of_totals_is_a_number_and_no_list() -> None:
    rules = Rules.of("colorado")
    assert progress_text(rules.wagers["front_line_winner"], (0, 3)) == "3 counted"
    assert progress_text(rules.wagers["sharp_shooter"], (1, 10)) == "10 counted"
    assert progress_text(rules.wagers["fire"], (1, 1 << 9)) == "1 counted (9)"


def test_without_names_players_are_called_by_their_seats() -> None:
    assert format_event(e.WagerLost(PLACE, None, "", 12_00, "X"), RULES) == "seat 1 Place 6 loses 12.00 [X]"
