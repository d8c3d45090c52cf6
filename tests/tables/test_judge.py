"""Who may ask what of a live table, and what becomes of it."""

from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from passline.dice import Roll
from passline.game import commands as c
from passline.game import events as e
from passline.game.refusal import Refused
from passline.rules.house import House
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approval, Approvals
from passline.tables.areas import areas_of
from passline.tables.commands import HouseCommand, OwnCommand, TableCommand
from passline.tables.duties import DUTIES, ROLES, Actor, duty_of, unfit_duty, unfit_signature
from passline.tables.judge import Judged, judge
from passline.tables.limits import as_of
from passline.tables.live import fold, rules_of, rules_version, seat_of, table_id
from passline.tables.people.commands import PeopleCommand
from passline.tables.replay import replay_faults
from passline.tables.view import view_of
from tests.tables.sitting import ALL, ANN, AT, BOB, CREW, OWNER, PLAYERS, Sitting, person

LABORATORY = Approvals((Approval("laboratory_report", "laboratory", "L-7", "2026-01-02"),))
DEALER, STICK, BOX, FLOOR = (CREW[role] for role in ("dealer", "stickperson", "boxperson", "floorperson"))


def _two() -> Sitting:
    sitting = Sitting()
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    return sitting


# --- Opening and closing ----------------------------------------------------------------------------------------------


def test_a_table_opens_under_a_complete_house_with_a_bank() -> None:
    sitting = Sitting("maryland", house={"wager_cents_min": 10_00}, bank=50_000_00)
    live = sitting.table
    assert (live.id, live.name, live.status, live.house["wager_cents_min"]) == ("craps-1", "Craps 1", "open", 10_00)
    assert {"odds", "limits", "dice_set"} <= live.house.keys()
    assert live.balances == {"cage": -50_000_00, "bank": 50_000_00}
    assert live.rules == rules_version(rules_of(live))
    assert live.version == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " "}, "a table has a name"),
        ({"table": "Craps 1"}, "and an id such as"),
        ({"dice": "loaded"}, "dice: 'loaded' is not one of electronic, physical"),
        ({"buy_in": "credit"}, "buy_in: 'credit' is not one of"),
        ({"automate": ("roll",)}, "automate: roll cannot be automated"),
        ({"house": {}}, "there is no rulebook ''"),
        ({"house": {"rules": "nevada"}}, "there is no rulebook 'nevada'"),
        ({"house": {"rules": "maryland", "wager_cents_min": 10**9}}, "is over wager_cents_max"),
        ({"house": {"rules": "maryland", "dice_colour": "red"}}, "no house has such a key"),
        ({"house": {"rules": "maryland", "seats": "many"}}, "seats"),
        ({"house": {"rules": "maryland", "limits": {"field": {"min": 5, "max": 1}}}}, "is over the maximum"),
        ({"bank_cents": -1}, "a bank of"),
        ({"bank_cents": 150}, "a bank of 1.50"),
    ],
)
def test_a_table_that_may_not_be_is_not_opened(changes: dict[str, object], why: str) -> None:
    command = k.OpenTable(**{"name": "Craps 1", "house": {"rules": "maryland"}, **changes})  # type: ignore[arg-type]
    verdict = judge(None, command, by=OWNER, at=AT, dice=lambda: Roll(1, 1), approvals=Approvals())
    assert isinstance(verdict, Refused)
    assert why in str(verdict)


def test_the_breaches_of_a_house_come_with_their_clauses() -> None:
    command = k.OpenTable(name="Craps 1", house={"rules": "arizona", "wager_cents_max": 200_000_00}, dice="physical")
    verdict = judge(None, command, by=OWNER, at=AT, dice=lambda: Roll(1, 1), approvals=Approvals())
    assert isinstance(verdict, Refused)
    assert "AZ-III.D.1-b" in str(verdict)


@pytest.mark.clause("AZ-II.A.2")
def test_AZ_II_A_2__electronic_dice_need_a_laboratorys_report_on_file() -> None:
    """AZ-II.A.2: electronic dice only once a laboratory's report is on file; and no longer once it is not."""
    assert "AZ-II.A.2" in str(Sitting("arizona").opened)
    assert Sitting("arizona", dice="physical").table.status == "open"
    sitting = Sitting("arizona", approvals=LABORATORY)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.approvals = Approvals()
    assert "AZ-II.A.2" in sitting.no(k.Roll(seat=1), ANN)
    assert sitting.drawn == 1


def test_a_table_closes_when_nobody_plays_and_opens_again_where_it_left_off() -> None:
    sitting = _two()
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    refused = sitting.no(k.CloseTable(), OWNER)
    assert "1 wagers are up" in refused
    assert "players are at seats 1, 2" in refused
    sitting.roll(3, 4)
    for who in (ANN, BOB):  # Bob, who is offered the dice, lets them go by
        sitting.do(c.LeaveSeat(seat=sitting.seat(who)), who)
    version = sitting.table.version
    events = sitting.do(k.CloseTable(), FLOOR)
    assert [type(event) for event in events] == [e.CreditMade, t.TableClosed]
    live = sitting.table
    assert (live.status, live.version) == ("closed", version + 1)
    assert {account: cents for account, cents in live.balances.items() if cents} == {
        "cage": -2000_00 + 10_00,
        "count": 2000_00,
        "patron": -10_00,
    }
    assert "the table is not open" in sitting.no(c.TakeSeat(seat=1), ANN)
    sitting.do(k.OpenTable(name="Craps 1", house={"rules": "maryland"}, automate=ALL, bank_cents=500_00), OWNER)
    assert (sitting.table.hand, sitting.table.track.roll, sitting.table.version) == (1, 2, version + 2)
    assert "is open already" in sitting.no(k.OpenTable(name="Craps 1", house={"rules": "maryland"}), OWNER)


def test_a_closed_table_is_opened_again_as_itself_only() -> None:
    sitting = Sitting()
    sitting.do(k.CloseTable(), FLOOR)
    house = {"rules": "maryland"}
    for other in (k.OpenTable(name="Craps 2", house=house), k.OpenTable(name="Craps 1", table="other", house=house)):
        refused = sitting.no(other, OWNER)
        assert "this is the table 'craps-1', and the command opens" in refused
        assert "send that to POST /api/tables" in refused
    sitting.do(k.OpenTable(name="Craps of tonight", table="craps-1", house=house), OWNER)
    assert (sitting.table.id, sitting.table.name) == ("craps-1", "Craps of tonight")


def test_a_table_is_called_in_the_log_as_its_own_stream_is() -> None:
    """An id that would have to be cut is refused where it is given, and cut where it is made of a name."""
    long = k.OpenTable(name="Long", table="x" * 61, house={"rules": "maryland"})
    verdict = judge(None, long, by=OWNER, at=AT, dice=_never, approvals=Approvals())
    assert "an id such as 'craps-1'" in str(verdict)
    name = "\u0130" * 60  # each of which is written with two characters in small letters
    opened = judge(
        None, k.OpenTable(name=name, house={"rules": "maryland"}), by=OWNER, at=AT, dice=_never, approvals=Approvals()
    )
    assert isinstance(opened, Judged), str(opened)
    assert opened.after.id == table_id(name) == table_id(opened.after.id)


# --- Seats and chips --------------------------------------------------------------------------------------------------


def test_a_seat_is_taken_by_an_account_once() -> None:
    sitting = Sitting()
    events = sitting.do(c.TakeSeat(seat=3), ANN)
    assert events[0] == t.PlayerSeated(3, "ann", "Ann")
    assert "Ann is at seat 3 already" in sitting.no(c.TakeSeat(seat=4), ANN)
    assert "seat 3 is taken" in sitting.no(c.TakeSeat(seat=3), BOB)
    assert "for nobody else" in sitting.no(k.SeatPlayer(seat=4, account="ann", name="Ann"), BOB)
    assert seat_of(sitting.table, "ann") == 3
    assert seat_of(sitting.table, "bob") == 0


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_gaming_employee_watches_and_does_not_sit_down() -> None:
    """AZ-II.M.3-a: no gaming employee wagers in a craps game of the operator; elsewhere the text is silent."""
    dee = person("Dee", "player", is_employee=True)
    assert "AZ-II.M.3-a" in Sitting("arizona", dice="physical").no(c.TakeSeat(seat=1), dee)
    lying = k.SeatPlayer(seat=1, account="dee", name="Dee", is_employee=False)
    assert "AZ-II.M.3-a" in Sitting("arizona", dice="physical").no(lying, dee)
    for rules in ("maryland", "colorado", "section2"):
        Sitting(rules).do(c.TakeSeat(seat=1), dee)


@pytest.mark.clause("AZ-II.M.3-a")
def test_AZ_II_M_3_a__a_player_who_becomes_an_employee_takes_down_and_leaves() -> None:
    """AZ-II.M.3-a: a role that was given after sitting down ends the wagering as well."""
    sitting = Sitting("arizona", dice="physical", buy_in="self")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "place_win", 12_00, 6)
    hired = person("Ann", "player", is_employee=True)
    asks: tuple[TableCommand, ...] = (
        c.MakeWager(seat=1, wager="field", cents=10_00),
        c.MakeWager(seat=1, wager="place_win", number=6, cents=6_00),
        c.BuyIn(seat=1, cents=100_00),
    )
    for command in asks:
        assert "AZ-II.M.3-a" in sitting.no(command, hired)
    sitting.do(c.RemoveWager(seat=1, wager="place_win", number=6), hired)
    sitting.do(c.LeaveSeat(seat=1), hired)


@pytest.mark.clause("AZ-II.M.3-a")
@pytest.mark.parametrize(("rules", "is_barred"), [("arizona", True), ("maryland", False)])
def test_AZ_II_M_3_a__the_crew_keys_in_no_wager_for_an_employee(rules: str, *, is_barred: bool) -> None:
    """AZ-II.M.3-a: whose chips they are decides, not whose hand; the crew's own tip from them is a wager as well."""
    sitting = Sitting(rules, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "place_win", 12_00, 6)

    def keyed(command: TableCommand) -> str:
        verdict = judge(
            sitting.live,
            command,
            by=DEALER,
            at=AT,
            dice=_never,
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
        said = keyed(command)
        assert said.startswith("Ann is a gaming employee: they take down what is theirs, and leave") is is_barred
        assert ("[AZ-II.M.3-a]" in said) is is_barred
    assert keyed(c.MakeWager(seat=2, wager="field", cents=10_00)) == ""
    assert keyed(c.RemoveWager(seat=1, wager="place_win", number=6)) == ""


def test_whoever_plays_at_a_table_signs_nothing_there() -> None:
    sitting = _two()
    fill = c.Fill(cents=100_00)
    for signer, is_fit in (("bob", False), ("flo", True)):
        verdict = judge(sitting.live, fill, by=BOX, at=AT, dice=_never, approvals=Approvals(), signed_by=signer)
        assert isinstance(verdict, Refused) is not is_fit
        assert is_fit or "plays at this table, at seat 2" in str(verdict)
    demo = replace(sitting.table, is_demo=True)
    assert not isinstance(
        judge(demo, fill, by=BOX, at=AT, dice=_never, approvals=Approvals(), signed_by="bob"), Refused
    )


def test_nobody_deals_a_table_they_play_at() -> None:
    sitting = Sitting()
    sitting.do(c.TakeSeat(seat=1), person("Dee", "player"))
    assert "Dee plays at this table" in sitting.no(c.BuyIn(seat=1, cents=100_00), DEALER)


def test_cash_is_changed_by_the_dealer_or_where_the_table_says_so_by_oneself() -> None:
    sitting = _two()
    assert "by the dealer at this table" in sitting.no(c.BuyIn(seat=1, cents=100_00), ANN)
    cash = c.MakeWager(seat=1, wager="pass", cents=10_00, media=("cash",))
    assert "by the dealer at this table" in sitting.no(cash, ANN)
    assert "not for the boxperson" in sitting.no(c.BuyIn(seat=1, cents=100_00), BOX)
    own = Sitting(buy_in="self")
    own.sit(ANN, 1, 0)
    own.do(c.BuyIn(seat=1, cents=100_00), ANN)
    assert "shown to the dealer" in own.no(c.BuyIn(seat=1, cents=0, coupon=10_00), ANN)
    assert own.rack(ANN) == 100_00


def test_a_player_acts_at_the_own_seat_alone_and_as_nobody_else() -> None:
    sitting = _two()
    assert "seat 1 is not Bob's" in sitting.no(c.MakeWager(seat=1, wager="pass", cents=10_00), BOB)
    assert "is not Cat's" in sitting.no(c.MakeWager(seat=1, wager="pass", cents=10_00), PLAYERS[2])
    forged = c.MakeWager(seat=1, wager="pass", cents=10_00, by="dealer")
    verdict = sitting.ask(forged, ANN)
    assert not isinstance(verdict, Refused)
    assert verdict.command == c.MakeWager(seat=1, wager="pass", cents=10_00, by="player")
    assert sitting.entries[-1].entry.role == "player"


def test_fills_and_credits_are_the_boxpersons() -> None:
    sitting = Sitting()
    sitting.do(c.Fill(cents=100_00), BOX)
    sitting.do(c.Credit(cents=300_00), FLOOR)
    assert sitting.table.balances == {"cage": -99_800_00, "bank": 99_800_00}
    assert "not for the dealer" in sitting.no(c.Fill(cents=100_00), DEALER)
    assert unfit_signature(c.Fill(cents=100_00), BOX, FLOOR) is None
    assert unfit_signature(c.Fill(cents=100_00), BOX, DEALER) is not None


def test_whoever_walked_away_is_cashed_out_and_the_dice_go_on() -> None:
    sitting = _two()
    assert sitting.table.game.position.offered_to == 1
    assert "not for the dealer" in sitting.no(c.LeaveSeat(seat=1), DEALER)
    sitting.do(c.DeclineDice(seat=1), DEALER)
    sitting.do(c.LeaveSeat(seat=1), BOX)
    assert sitting.table.players.keys() == {2}
    assert "not for the dealer" in sitting.no(c.AcceptDice(seat=2), DEALER)


# --- Dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [c.ThrowDice(seat=1), c.LandDice(first=6, second=6), c.RollDice(first=6, second=6)],
)
@pytest.mark.parametrize("by", [ANN, DEALER, STICK, OWNER])
def test_dice_never_come_from_a_page(command: TableCommand, by: Actor) -> None:
    assert "nobody's to give" in _two().no(command, by)


def test_electronic_dice_are_drawn_once_and_only_for_a_lawful_throw() -> None:
    sitting = _two()
    sitting.shoot(ANN)
    assert "before throwing" in sitting.no(k.Roll(seat=1), ANN)
    assert "is not Bob's" in sitting.no(k.Roll(seat=1), BOB)
    assert "not the shooter" in sitting.no(k.Roll(seat=2), BOB)
    assert sitting.drawn == 0
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(5, 6)
    assert sitting.drawn == 1
    assert sitting.rack(ANN) == 1010_00
    assert "dice are electronic here" in sitting.no(k.KeyDice(first=1, second=1), STICK)
    assert "dice are electronic here" in sitting.no(k.DiceOut(), STICK)


@pytest.mark.parametrize("by", [DEALER, STICK, BOX, FLOOR, ANN])
def test_nobody_names_or_voids_the_faces_of_electronic_dice(by: Actor) -> None:
    """Whoever has seen them could else choose what they decide; a dispute stops the table instead."""
    sitting = Sitting(automate=("offer", "choose", "confirm", "button"))
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    asks: tuple[TableCommand, ...] = (
        k.CorrectRoll(first=1, second=2, reason="misread"),
        c.DisputeFaces(seat=1),
        c.DecideDispute(first=1, second=2),
        c.CallNoRoll(reason="left_table"),
    )
    for command in asks:
        if by.role in duty_of(command).by:
            refused = sitting.no(command, by)
            assert "electronic dice are what they are" in refused
            assert "MD-9.E" in refused
    sitting.do(k.FreezeTable(reason="the second die turned"), ANN)


@pytest.mark.parametrize("automate", [(), ("call",), ("call", "settle"), ("settle", "pass"), ALL])
def test_a_roll_stops_where_the_crew_goes_on(automate: tuple[str, ...]) -> None:
    sitting = Sitting(automate=(*automate, "offer", "choose"))
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(5, 6)
    for _ in range(4):
        match sitting.table.game.position.dice:
            case "rest":
                sitting.do(c.CallRoll(total=11), STICK)
            case "called":
                sitting.do(c.Settle(), DEALER)
            case "centre":
                sitting.do(c.PassDice(), STICK)
            case _:
                break
    assert sitting.table.game.position.dice == "held"
    assert sitting.rack(ANN) == 1010_00


def test_physical_dice_are_keyed_in_by_the_stickperson() -> None:
    sitting = Sitting(dice="physical")
    sitting.do(k.SeatPlayer(seat=1, account="ann", name="Ann"), DEALER)
    sitting.do(c.BuyIn(seat=1, cents=100_00), DEALER)
    sitting.do(c.MakeWager(seat=1, wager="pass", cents=10_00), DEALER)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    assert "dice are physical here" in sitting.no(k.Roll(seat=1), ANN)
    assert "keyed in by the stickperson" in sitting.no(k.KeyDice(first=2, second=4), DEALER)
    sitting.do(k.DiceOut(), STICK)
    assert sitting.table.game.position.dice == "air"
    assert "is no face" in sitting.no(k.KeyDice(first=2, second=7), STICK)
    sitting.do(k.KeyDice(first=2, second=3, second_lie="cocked"), STICK)
    assert sitting.table.game.position.puck == 6
    sitting.do(k.KeyDice(first=2, second=4), STICK)  # one that nobody announced
    assert sitting.table.game.position.puck == 0
    assert "whoever is seated by the crew" in sitting.no(c.TakeSeat(seat=2), DEALER)


def test_a_void_throw_shows_no_faces() -> None:
    """Whatever is keyed in with a die off the table, the log has no faces of it."""
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    for command in (k.KeyDice(first_lie="off_table"), k.KeyDice(first=3, second=4, first_lie="off_table")):
        verdict = sitting.ask(command, STICK)
        assert not isinstance(verdict, Refused)
        assert verdict.command == k.KeyDice(first_lie="off_table")
        assert [type(event) for event in verdict.events] == [e.DiceThrown, e.RollVoided]
    assert "0 is no face" in sitting.no(k.KeyDice(), STICK)
    assert "no way to lie" in sitting.no(k.KeyDice(first_lie="asleep"), STICK)
    assert list(replay_faults(sitting)) == []


def test_without_a_stickperson_the_dealer_keys_in_the_dice() -> None:
    sitting = Sitting(dice="physical", house={"game": "mini_craps", "stickperson": False})
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), DEALER)
    assert "by the dealer, for this house has no stickperson" in sitting.no(k.KeyDice(first=2, second=4), STICK)
    sitting.do(k.KeyDice(first=2, second=4), DEALER)


# --- Limits -----------------------------------------------------------------------------------------------------------


def _notice(least: int, most: int, minutes: int = -1) -> k.NoticeLimits:
    return k.NoticeLimits(wager_cents_min=least, wager_cents_max=most, in_minutes=minutes)


@pytest.mark.clause("AZ-III.D.3")
@pytest.mark.parametrize("rules", ["arizona", "maryland"])
def test_AZ_III_D_3__limits_change_after_notice_to_all_and_standing_wagers_keep_theirs(rules: str) -> None:
    """AZ-III.D.3: notice is recorded and as long as elected; what stands is decided as it was made."""
    sitting = Sitting(rules, approvals=LABORATORY)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    short = sitting.no(_notice(25_00, 1000_00, 29), FLOOR)
    assert "29 minutes of notice are not 30" in short
    assert (rules == "arizona") is ("AZ-III.D.3" in short)
    [noticed] = sitting.do(_notice(25_00, 1000_00), FLOOR)
    assert isinstance(noticed, t.LimitsNoticed)
    assert noticed.at == "2026-11-15T08:30:00.000000Z"
    sitting.wager(ANN, "field", 10_00)  # not in force yet
    before = sitting.table.rules
    sitting.wait(30)
    assert "25.00" in sitting.no(c.MakeWager(seat=1, wager="field", cents=10_00), ANN)
    assert sitting.table.notice is not None
    events = sitting.roll(2, 4)
    assert isinstance(events[0], t.LimitsChanged)
    live = sitting.table
    assert live.notice is None
    assert live.house["wager_cents_min"] == 25_00
    assert live.rules != before
    assert live.rules == rules_version(rules_of(live))
    assert [wager.kind for wager in live.game.position.layout] == ["pass"]  # below the new minimum, and it stays
    sitting.roll(4, 2)
    assert sitting.rack(ANN) == 1000_00 - 10_00 + 10_00  # the field lost, the line won
    sitting.wager(ANN, "field", 25_00)


def test_pages_can_be_shown_limits_whose_time_has_come_before_anybody_asks_anything() -> None:
    sitting = _two()
    sitting.do(_notice(25_00, 1000_00), FLOOR)
    assert as_of(sitting.table, sitting.at) is sitting.table
    sitting.wait(30)
    now = as_of(sitting.table, sitting.at)
    assert view_of(now)["limits"]["min"] == 25_00
    assert view_of(now)["notice"] is None
    assert next(area.min for area in areas_of(now, 1) if area.kind == "pass") == 25_00


def test_an_increase_obeys_the_new_limits() -> None:
    sitting = _two()
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(_notice(5_00, 20_00), FLOOR)
    sitting.wait(31)
    assert "20.00" in sitting.no(c.MakeWager(seat=1, wager="pass", cents=15_00), ANN)
    sitting.wager(ANN, "pass", 10_00)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (_notice(500_00, 100_00), "wager_cents_min"),
        (_notice(5_50, 100_00), "is not a whole number of the smallest chip"),
        (k.NoticeLimits(wager_cents_min=5_00, wager_cents_max=99_00, limits={"tea": {"min": 1, "max": 2}}), "tea"),
        (k.NoticeLimits(wager_cents_min=5_00, wager_cents_max=99_00, limits={"field": {"min": 1}}), "limits"),
        (_notice(5_00, 100_00, 10**9), "minutes of notice"),
    ],
)
def test_limits_that_a_house_may_not_have_are_refused(command: k.NoticeLimits, why: str) -> None:
    assert why in Sitting().no(command, FLOOR)


# --- Disputes and conduct ---------------------------------------------------------------------------------------------


def test_a_frozen_table_stands_still_until_it_is_released() -> None:
    sitting = _two()
    assert "no spectator" in sitting.no(k.FreezeTable(reason="cocked"), PLAYERS[2])
    assert "not for the surveillance" in sitting.no(k.FreezeTable(reason="cocked"), CREW["surveillance"])
    assert "a reason of" in sitting.no(k.FreezeTable(reason=""), ANN)
    [frozen] = sitting.do(k.FreezeTable(reason="the die was cocked", seat=2, shown={"1": 4, "2": 3}), ANN)
    assert frozen == t.TableFrozen("the die was cocked", 1, {"1": 4, "2": 3})
    asks: tuple[tuple[TableCommand, Actor], ...] = (
        (c.MakeWager(seat=1, wager="pass", cents=10_00), ANN),
        (c.LeaveSeat(seat=2), BOB),
        (k.CloseTable(), OWNER),
        (c.Fill(cents=100_00), BOX),
    )
    for command, by in asks:
        assert "frozen over a dispute: the die was cocked" in sitting.no(command, by)
    assert "frozen already" in sitting.no(k.FreezeTable(reason="again"), ANN)
    assert "frozen already" in sitting.no(k.FreezeTable(reason="I saw it too", shown={"2": 3}), BOB)
    assert sitting.table.frozen == frozen
    assert "a finding of" in sitting.no(k.ReleaseTable(finding=""), FLOOR)
    sitting.do(k.ReleaseTable(finding="it lay flat"), FLOOR)
    assert "is not frozen" in sitting.no(k.ReleaseTable(finding="it lay flat"), FLOOR)
    sitting.wager(ANN, "pass", 10_00)


@pytest.mark.clause("AZ-II.N.3")
def test_AZ_II_N_3__advice_is_a_breach_only_while_that_player_has_a_wager_pending() -> None:
    """AZ-II.N.3: no dealer, boxperson, stickperson or supervisor advises a player who has a wager pending."""
    sitting = Sitting("arizona", dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    advice = k.ReportConduct(breach="strategy_advice", seat=1, role="dealer", text="told to take odds")
    assert "no wager pending" in sitting.no(advice, FLOOR)
    sitting.wager(BOB, "pass", 10_00)
    assert "no wager pending" in sitting.no(advice, FLOOR)
    sitting.wager(ANN, "pass", 10_00)
    [reported] = sitting.do(advice, FLOOR)
    assert reported == t.ConductReported("strategy_advice", 1, "dealer", "told to take odds", "AZ-II.N.3")
    by_player = k.ReportConduct(breach="strategy_advice", seat=1, role="player")
    assert "AZ-II.N.3" in sitting.no(by_player, FLOOR)
    assert "is no breach here" in _two().no(advice, FLOOR)


@pytest.mark.clause("AZ-II.N.3")
def test_AZ_II_N_3__advice_during_the_last_roll_is_recorded_once_it_is_decided() -> None:
    """AZ-II.N.3: what counts is whether that player had a wager pending when the advice was given."""
    sitting = Sitting("arizona", dice="physical")
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    late = k.ReportConduct(breach="strategy_advice", seat=2, role="dealer", during="last_roll")
    assert "no wager pending" in sitting.no(replace(late, during=""), FLOOR)
    assert "no wager pending" in sitting.no(replace(late, seat=3), FLOOR)
    assert "is no moment" in sitting.no(replace(late, during="yesterday"), FLOOR)
    sitting.do(late, FLOOR)
    sitting.do(c.LeaveSeat(seat=2), BOB)
    sitting.do(c.TakeSeat(seat=2), PLAYERS[3])
    assert "no wager pending" in sitting.no(late, FLOOR)  # it was somebody else's


@pytest.mark.clause("AZ-II.N.2")
def test_AZ_II_N_2__a_prediction_aid_is_a_breach_until_both_approve() -> None:
    """AZ-II.N.2: no aid that projects outcomes unless the TGO and the SGA both approve it."""
    sitting = Sitting("arizona", dice="physical")
    sitting.sit(ANN, 1)
    aid = k.ReportConduct(breach="prediction_aid", seat=1, text="a tracker on a phone")
    [reported] = sitting.do(aid, CREW["surveillance"])
    assert isinstance(reported, t.ConductReported)
    assert reported.clause == "AZ-II.N.2"
    sitting.approvals = Approvals((Approval("prediction_aid", "TGO", "1", "2026-01-02"),))
    sitting.do(aid, BOX)
    sitting.approvals = Approvals((*sitting.approvals.on_file, Approval("prediction_aid", "SGA", "2", "2026-01-02")))
    assert "have approved the aid" in sitting.no(aid, BOX)
    assert "nobody is at seat 9" in sitting.no(k.ReportConduct(breach="prediction_aid", seat=9), BOX)


# --- Duties -----------------------------------------------------------------------------------------------------------


DUTIES_HERE = {kind: duty for kind, duty in DUTIES.items() if kind not in get_args(PeopleCommand)}


def test_every_command_has_a_duty() -> None:
    kinds = {*get_args(c.Command), *get_args(OwnCommand), *get_args(HouseCommand)}
    assert kinds == DUTIES_HERE.keys()
    assert {role for duty in DUTIES_HERE.values() for role in (*duty.by, *duty.keyed_by, *duty.signed_by)} == {*ROLES}


@pytest.mark.parametrize("role", [*ROLES, "spectator", ""])
@pytest.mark.parametrize("kind", DUTIES_HERE, ids=lambda kind: kind.__name__)
def test_whatever_is_not_a_roles_duty_is_refused(kind: type, role: str) -> None:
    """The whole matrix: whoever is not named may not, whatever the table is doing."""
    sitting = _two()
    sitting.wager(ANN, "pass", 10_00)
    who = person("Zoe", role)
    command = _some(kind)
    if kind in get_args(HouseCommand):
        assert (unfit_duty(command, who) is None) is (role in duty_of(command).by)
        return
    verdict = sitting.ask(command, who)
    if role not in duty_of(command).by:
        assert isinstance(verdict, Refused)
        assert "for the" in str(verdict) or "nobody's" in str(verdict)


def _some(kind: type) -> TableCommand:
    if kind is c.OfferDice:
        return c.OfferDice(dice=5)
    command: TableCommand = kind(**{name: _ANY[name] for name in kind.__struct_fields__ if name in _ANY})  # type: ignore[attr-defined]
    return command


_ANY: dict[str, object] = {
    "seat": 1,
    "cents": 5_00,
    "bank_cents": 5_00,
    "wager": "pass",
    "call": "off",
    "chosen": (1, 2),
    "reason": "delay",
    "first": 1,
    "second": 2,
    "total": 3,
    "account": "zoe",
    "name": "Zoe",
    "house": {"rules": "maryland"},
    "finding": "none",
    "wager_cents_min": 5_00,
    "wager_cents_max": 100_00,
    "breach": "prediction_aid",
    "kind": "prediction_aid",
    "authority": "TGO",
    "reference": "1",
    "date": "2026-01-02",
    "text": "x",
    "record_class": "security",
}


def test_a_signature_is_never_ones_own() -> None:
    for kind, duty in DUTIES_HERE.items():
        if duty.signed_by:
            command = _some(kind)
            asker, other = person("Zoe", duty.by[0]), person("Yan", duty.signed_by[0])
            assert unfit_signature(command, asker, None) is not None
            assert unfit_signature(command, asker, person("Zoe", duty.signed_by[0])) is not None
            assert unfit_signature(command, asker, person("Yan", "player")) is not None
            assert unfit_signature(command, asker, other) is None


def test_ids_are_made_of_names() -> None:
    assert table_id("  Ñ 7/B ") == "7-b"


def test_folding_what_was_judged_gives_the_table_after_it() -> None:
    sitting = _two()
    command = c.MakeWager(seat=1, wager="pass", cents=10_00)
    verdict = judge(sitting.live, command, by=ANN, at=AT, dice=_never, approvals=Approvals())
    assert not isinstance(verdict, Refused)
    assert fold(sitting.live, verdict.command, verdict.events) == verdict.after


_never: Callable[[], Roll] = list[Roll]().pop


# --- Whatever JSON says -----------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=8), some, max_size=3),
    max_leaves=6,
)
TABLES = {*get_args(TableCommand)} - {k.OpenTable}
KEYS = [*House.__struct_fields__, "", "vigorish", "rulez"]


@settings(max_examples=400)
@given(
    rules=st.sampled_from(["maryland", "colorado", "section2", "arizona", "", "../maryland", "clauses"]),
    house=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
)
def test_any_house_is_opened_or_refused(rules: str, house: dict[str, object]) -> None:
    command = k.OpenTable(name="Craps 1", house={"rules": rules, **house}, dice="physical")
    judge(None, command, by=OWNER, at=AT, dice=_never, approvals=Approvals())


def _any(kind: type) -> st.SearchStrategy[TableCommand]:
    return st.builds(kind, **{field.name: _OF.get(field.type, st.from_type(field.type)) for field in fields(kind)})


_NUMBERS = st.integers(0, 3) | st.integers(-(2**63), 2**63 - 1)  # all that JSON is read as
_OF = {int: _NUMBERS, dict[str, int]: st.dictionaries(st.text(max_size=2), _NUMBERS, max_size=2)}
ANYTHING = st.one_of([_any(kind) for kind in DUTIES if kind in TABLES])
ANYBODY = st.sampled_from([ANN, BOB, *CREW.values()])


@settings(max_examples=300)
@given(
    command=ANYTHING, by=st.sampled_from([ANN, BOB, *CREW.values()]), dice=st.sampled_from(["electronic", "physical"])
)
def test_any_command_that_can_be_decoded_is_judged(command: TableCommand, by: Actor, dice: str) -> None:
    sitting = Sitting(dice=dice)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), ANN)
    sitting.roll(2, 4)
    sitting.faces = [Roll(1, 1)]
    sitting.ask(command, by)
