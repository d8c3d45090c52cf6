"""What random play once broke, one test for each, named for the rule that was broken."""

from __future__ import annotations

import msgspec
import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.evolve import fold
from passline.game.notation import format_table, parse_table
from passline.game.position import Table, find, open_table
from passline.game.refusal import Refused
from passline.rules.rules import AUTOMATED, Rules
from tests.game.random_houses import GAMES

OPENING = (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=500_00), c.AcceptDice(seat=1))
MINI = [
    pytest.param("section2", "S2-c6.seated", marks=pytest.mark.clause("S2-c6.seated"), id="S2-c6.seated"),
    pytest.param("maryland", "MD-4.F.seat", marks=pytest.mark.clause("MD-4.F.seat"), id="MD-4.F.seat"),
]


def _play(rules: Rules, *commands: c.Command) -> tuple[tuple[e.Event, ...], Table]:
    """Play commands that must be obeyed: all that happened, and the table they lead to."""
    table = open_table(rules, bank=10_000_00)
    log: tuple[e.Event, ...] = ()
    for command in commands:
        outcome = act(rules, table, command)
        assert not isinstance(outcome, Refused), f"{command}: {outcome}"
        log, table = log + outcome[0], outcome[1]
    return log, table


def _refusal(rules: Rules, table: Table, command: c.Command) -> str:
    outcome = act(rules, table, command)
    assert isinstance(outcome, Refused), f"{command} was obeyed"
    return str(outcome)


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        pytest.param("pass", "AZ-III.J.1-a", marks=pytest.mark.clause("AZ-III.J.1-a"), id="AZ-III.J.1-a"),
        pytest.param("dont_pass", "AZ-III.J.2-a", marks=pytest.mark.clause("AZ-III.J.2-a"), id="AZ-III.J.2-a"),
    ],
)
@pytest.mark.parametrize("roll", [(3, 3), (3, 4)], ids=["point", "seven"])
def test_AZ_III_J__odds_called_off_go_back_when_their_wager_is_decided(
    line: str, clause: str, roll: tuple[int, int]
) -> None:
    """AZ-III.J.1-a, AZ-III.J.2-a: odds need their original wager; off by a call they stayed up without it."""
    odds = f"{line}_odds"
    log, table = _play(
        Rules.of("arizona", house={"off_calls": True}),
        *OPENING,
        c.MakeWager(seat=1, wager=line, cents=20_00),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager=odds, number=6, cents=30_00),
        c.CallWager(seat=1, wager=odds, number=6, call="off"),
        c.RollDice(first=roll[0], second=roll[1]),
    )
    returned = [event for event in log if isinstance(event, e.WagerReturned)]
    assert [(one.wager.kind, one.wager.cents, one.clause) for one in returned] == [(odds, 30_00, clause)]
    assert table.position.layout == ()


@pytest.mark.clause("CO-2305-1-matchplay")
@pytest.mark.parametrize(("coupon", "stays"), [(18_00, 18_00), (24_00, 24_00), (30_00, 0)])
def test_CO_2305_1_matchplay__odds_cut_under_the_face_of_their_coupon_give_it_back(coupon: int, stays: int) -> None:
    """CO-2305-1-matchplay: a coupon needs chips of at least its face, when its wager shrinks with another one too."""
    log, table = _play(
        Rules.of("colorado"),
        c.TakeSeat(seat=1),
        c.BuyIn(seat=1, cents=500_00, coupon=50_00),
        c.AcceptDice(seat=1),
        c.MakeWager(seat=1, wager="dont_pass", cents=10_00),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager="dont_pass_odds", number=6, cents=48_00, coupon=coupon),
        c.ReduceWager(seat=1, wager="dont_pass", cents=5_00),
    )
    cut = find(table.position, 1, "dont_pass_odds", 6)
    assert cut is not None
    assert (cut.cents, cut.coupon) == (24_00, stays)
    assert table.money.coupons[0] == 50_00 - stays
    assert isinstance(log[-1], e.WagerReduced)


@pytest.mark.clause("CO-2305-1-coins")
def test_CO_2305_1_coins__odds_cut_behind_a_wager_with_coins_are_still_chips() -> None:
    """CO-2305-1-coins: coins lie on the line only, and odds were cut to half a dollar behind them."""
    _log, table = _play(
        Rules.of("colorado", house={"unpayable": "round_up"}),
        *OPENING,
        c.MakeWager(seat=1, wager="dont_pass", cents=10_50, media=("chips", "coins")),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager="dont_pass_odds", number=6, cents=50_00),
        c.ReduceWager(seat=1, wager="dont_pass", cents=5_00),
    )
    cut = find(table.position, 1, "dont_pass_odds", 6)
    assert cut is not None
    assert cut.cents == 27_00  # five times 5.50 is 27.50


@pytest.mark.clause("CO-2305-2-late")
def test_CO_2305_2_late__odds_behind_a_late_wager_nobody_confirmed_go_back_with_it() -> None:
    """CO-2305-2-late: the put wager went back unconfirmed, and left the odds that were confirmed behind."""
    log, table = _play(
        Rules.of("colorado", automate=AUTOMATED - {"confirm"}),
        *OPENING,
        c.MakeWager(seat=1, wager="pass", cents=10_00),
        c.RollDice(first=2, second=4),
        c.ThrowDice(seat=1),
        c.MakeWager(seat=1, wager="put", number=8, cents=10_00),
        c.MakeWager(seat=1, wager="put_odds", number=8, cents=20_00),
        c.ConfirmWager(seat=1, wager="put_odds", number=8, by="dealer"),
        c.LandDice(by="dealer", first=1, second=1),
    )
    returned = [event for event in log if isinstance(event, e.WagerReturned)]
    assert [(one.wager.kind, one.wager.cents) for one in returned] == [("put", 10_00), ("put_odds", 20_00)]
    assert "CO-2305-2-late" in returned[0].clause
    assert [wager.kind for wager in table.position.layout] == ["pass"]


@pytest.mark.parametrize(("regulation", "game"), GAMES)
def test_the_dice_go_round_once_though_the_first_one_asked_has_left(regulation: str, game: str) -> None:
    """CO-2309-2-clockwise, S2-k3, MD-10.D: the round ended only before the first seat asked, so it never ended."""
    rules = Rules.of(regulation, game=game, automate=AUTOMATED - {"offer"})
    by = "dealer" if game == "mini_craps" else "stickperson"
    log, table = _play(
        rules,
        *(c.TakeSeat(seat=seat) for seat in (1, 2, 3)),
        c.OfferDice(by=by, dice=5),  # type: ignore[arg-type]
        c.DeclineDice(seat=1),
        c.LeaveSeat(seat=1),
        c.DeclineDice(seat=2),
        c.DeclineDice(seat=3),
    )
    assert log[-1] == e.DiceCupped(1)
    assert table.position.dice == "cup"
    declined = [event for event in log if isinstance(event, e.DiceDeclined)]
    assert [(one.seat, one.offered_to) for one in declined] == [(1, 2), (2, 3), (3, 0)]


@pytest.mark.parametrize("regulation", ["section2", "maryland"])
def test_dice_declined_by_the_only_player_who_stands_go_back_to_the_cup(regulation: str) -> None:
    """S2-c6.seated, MD-4.F.seat: nobody may shoot, and the dice lay before no one for good."""
    rules = Rules.of(regulation, game="mini_craps")
    _log, table = _play(rules, c.TakeSeat(seat=4), c.StandUp(seat=4), c.DeclineDice(seat=4))
    assert table.position.dice == "cup"
    outcome = act(rules, table, c.SitDown(seat=4))
    assert not isinstance(outcome, Refused)
    assert outcome[1].position.offered_to == 4


@pytest.mark.parametrize(("regulation", "clause"), MINI)
def test_a_mini_craps_shooter_sits(regulation: str, clause: str) -> None:
    """S2-c6.seated, MD-4.F.seat: who may not wager may not shoot; one who got up after the offer could accept it."""
    rules = Rules.of(regulation, game="mini_craps")
    _log, table = _play(rules, c.TakeSeat(seat=4), c.StandUp(seat=4))
    assert clause in _refusal(rules, table, c.AcceptDice(seat=4))
    _log, table = _play(rules, c.TakeSeat(seat=4), c.StandUp(seat=4), c.SitDown(seat=4), c.AcceptDice(seat=4))
    assert table.position.shooter == 4


def test_no_amount_is_too_large_to_print() -> None:
    """MD-4.B: what chips cannot be is refused; a table with such a sum on it did not parse back."""
    rules, most = Rules.of("maryland"), 10**11
    _log, table = _play(rules, c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=most), c.Fill(by="floorperson", cents=most))
    assert parse_table(format_table(table)) == table
    for command in (
        c.BuyIn(seat=1, cents=most + 1_00),
        c.Fill(by="floorperson", cents=most + 1_00),
        c.Credit(by="floorperson", cents=most + 1_00),
    ):
        assert "MD-4.B" in _refusal(rules, table, command)
    lifted = Rules.of("maryland", limits_apply=False)
    bet = c.MakeWager(seat=1, wager="field", cents=most + 1_00, media=("cash",))
    assert "MD-4.B" in _refusal(lifted, table, bet)
    assert not isinstance(act(lifted, table, msgspec.structs.replace(bet, cents=most)), Refused)
    section2 = Rules.of("section2")
    _log, table = _play(section2, c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=0, coupon=most))
    assert parse_table(format_table(table)) == table
    assert "S2-c2.layout" in _refusal(section2, table, c.BuyIn(seat=1, cents=0, coupon=most + 1))


def test_no_set_of_dice_is_too_large_to_print() -> None:
    """MD-7.A: a set of dice was offered at any size, and its position did not parse back."""
    rules = Rules.of("maryland", house={"dice_set": 6}, automate=AUTOMATED - {"offer"})
    _log, table = _play(rules, c.TakeSeat(seat=1))
    for dice in (5, 7, 10**20):
        assert "MD-7.A" in _refusal(rules, table, c.OfferDice(by="stickperson", dice=dice))
    _log, table = _play(rules, c.TakeSeat(seat=1), c.OfferDice(by="stickperson", dice=6))
    assert parse_table(format_table(table)) == table


def test_a_log_of_many_decisions_folds_to_the_table_they_led_to() -> None:
    """The same wager, made and decided twice, is two wagers to a fold of the whole log as well."""
    rules = Rules.of("maryland")
    again = (c.MakeWager(seat=1, wager="pass", cents=10_00), c.RollDice(first=5, second=6))
    log, table = _play(rules, *OPENING, *again, *again, *again)
    assert fold(open_table(rules, bank=10_000_00), log) == table
    assert table.money.racks[0] == 530_00


@pytest.mark.clause("CO-2317.04-8-allow")
def test_a_tip_waits_until_its_players_own_wager_stands() -> None:
    """CO-2317.04-8-allow: a tip beside an unconfirmed Super Front Line Winner stayed up when that one went back."""
    house = {"side_wagers": {"front_line_winner": "1"}, "front_line_tips": True}
    rules = Rules.of("colorado", house=house, automate=AUTOMATED - {"confirm", "call", "settle", "pass"})
    line = c.MakeWager(seat=1, wager="pass", cents=10_00)
    own = c.MakeWager(seat=1, wager="front_line_winner", cents=5_00)
    tip = msgspec.structs.replace(own, owner="crew", by="dealer")
    _log, table = _play(rules, *OPENING, line, c.ThrowDice(seat=1), own)
    assert "CO-2317.04-8-allow" in _refusal(rules, table, tip)
    confirmed = c.ConfirmWager(seat=1, wager="front_line_winner", by="dealer")
    _log, table = _play(rules, *OPENING, line, c.ThrowDice(seat=1), own, confirmed, tip)
    assert [wager.owner for wager in table.position.layout] == ["crew", "player", "player"]
