"""Shooters: the set of dice, offering and choosing them, the line wager, and giving the dice up."""

from __future__ import annotations

from typing import Any

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.elections import HouseBreaches
from passline.rules.rules import Rules
from tests.clauses.crew import ROLES, Crew, cited, every_game, listed, marked, regulation_of, row

_SEATS = (2, 5, 9)  # nobody at 1: the first offer goes on clockwise


def _offer(by: str, dice: int = 5) -> c.OfferDice:
    return c.OfferDice(by=by, dice=dice)  # type: ignore[arg-type]


def _games(clause: str) -> list[str]:
    """Return the games of a regulation that a clause is about: its own, or all."""
    named = row(clause).values.get("game", "")
    if named:
        return [named]
    return ["craps", "mini_craps"] if regulation_of(clause) in {"section2", "maryland"} else ["craps"]


def _each(*clauses: str) -> list[Any]:
    """Return each clause with each game it is about."""
    return [
        pytest.param(clause, game, marks=pytest.mark.clause(clause), id=f"{clause}-{game}")
        for clause in clauses
        for game in _games(clause)
    ]


# ---- the set


@pytest.mark.parametrize(
    ("clause", "game"),
    _each("CO-2309-1-set", "CO-2313-3-set", "S2-g1.five", "S2-k3.craps", "S2-k3.mini", "MD-7.A", "MD-10.C"),
)
def test_a_set_has_five_dice_or_more(clause: str, game: str) -> None:
    """CO-2309-1-set, CO-2313-3-set, S2-g1.five, S2-k3.craps, S2-k3.mini, MD-7.A, MD-10.C: at the opening and later."""
    values = row(clause).values
    least = int(values.get("min_dice") or values.get("set_min") or values.get("set_size") or 5)
    name = regulation_of(clause)
    with pytest.raises(HouseBreaches) as caught:
        Rules.of(name, game=game, house={"dice_set": least - 1})
    assert {one.key for one in caught.value.breaches} == {"dice_set"}
    assert any(cited(one.clause, clause) for one in caught.value.breaches)
    crew = Crew(name, game=game, seats=_SEATS)
    by = crew.role("offer")
    for dice in (least - 1, 2, 0, -5):
        crew.only(_offer(by, dice), clause)
    assert crew.one(_offer(by, least), e.DiceOffered).dice == least
    crew.do(c.AcceptDice(seat=2))
    assert crew.one(c.ChooseDice(seat=2, chosen=(1, least)), e.DiceChosen).cupped == least - 2
    crew.do(c.SurrenderDice(seat=2))
    crew.only(_offer(by, least - 1), clause)  # the two that were thrown rejoin the set
    assert crew.one(_offer(by, least), e.DiceOffered).dice == least


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-3-set", "S2-k3.craps", "S2-k3.mini", "MD-10.C"))
def test_the_whole_set_goes_out_again(clause: str, game: str) -> None:
    """CO-2313-3-set, S2-k3.craps, S2-k3.mini, MD-10.C: a table with seven dice offers seven, not five."""
    crew = Crew(regulation_of(clause), game=game, seats=_SEATS, house={"dice_set": 7})
    crew.shoot(2)
    crew.do(c.SurrenderDice(seat=2))
    crew.only(_offer(crew.role("offer"), 6), clause)
    offered = crew.one(_offer(crew.role("offer"), 7), e.DiceOffered)
    assert (offered.dice, offered.seat) == (7, 5)


# ---- the offer


@pytest.mark.parametrize(("clause", "game"), _each("CO-2309-2-first", "S2-g2i.first", "MD-7.B.1.a"))
def test_the_first_offer_at_craps_goes_to_the_boxpersons_left(clause: str, game: str) -> None:
    """CO-2309-2-first, S2-g2i.first, MD-7.B.1.a: seat 1, or the first player after it; by the stickperson alone."""
    assert row(clause).values["first_offer"] == "left_of_boxperson"
    crew = Crew(regulation_of(clause), game=game, seats=(1, 4), house={"seat_left_of_stickperson": 4})
    for by in set(ROLES) - {"stickperson"}:
        crew.only(_offer(by), clause)
    offered = crew.one(_offer("stickperson"), e.DiceOffered)
    assert (offered.seat, cited(offered.clause, clause)) == (1, True)
    crew.only(_offer("stickperson"), clause)  # they lie before somebody already
    empty = Crew(regulation_of(clause), game=game, seats=())
    empty.only(_offer("stickperson"), clause)


@pytest.mark.parametrize(("clause", "game"), _each("S2-g2ii.first", "MD-7.B.2.a"))
def test_the_first_offer_at_mini_craps_goes_to_the_offerors_own_left(clause: str, game: str) -> None:
    """S2-g2ii.first, MD-7.B.2.a: the dealer's left or the stickperson's, whoever offers and is there."""
    assert row(clause).values["first_offer"].removesuffix("_dealer_or_stick") in {"left_of_offeror", "left_of"}
    for by, seat in (("dealer", 1), ("stickperson", 4)):
        crew = Crew(regulation_of(clause), game=game, seats=(1, 4, 6), house={"seat_left_of_stickperson": 4})
        for wrong in ("player", "shooter", "boxperson", "floorperson"):
            crew.only(_offer(wrong), clause)
        offered = crew.one(_offer(by), e.DiceOffered)
        assert (offered.seat, cited(offered.clause, clause)) == (seat, True)
    crew = Crew(regulation_of(clause), game=game, seats=(1, 4), house={"stickperson": False})
    crew.only(_offer("stickperson"), clause)
    assert crew.one(_offer("dealer"), e.DiceOffered).seat == 1


@pytest.mark.parametrize(
    ("clause", "game"),
    _each("CO-2309-2-clockwise", "S2-g2i.next", "S2-g2ii.next", "MD-7.B.1.b", "MD-7.B.2.b", "MD-10.D"),
)
def test_declined_dice_go_on_clockwise_until_somebody_accepts(clause: str, game: str) -> None:
    """CO-2309-2-clockwise, S2-g2i.next, S2-g2ii.next, MD-7.B.1.b, MD-7.B.2.b, MD-10.D: in turn, nobody out of it."""
    assert row(clause).values["order"] == "clockwise"
    crew = Crew(regulation_of(clause), game=game, seats=_SEATS)
    crew.offer()
    for seat, follower in ((2, 5), (5, 9)):
        for other in set(_SEATS) - {seat}:
            crew.only(c.AcceptDice(seat=other), clause)
            crew.only(c.DeclineDice(seat=other), clause)
        declined = crew.one(c.DeclineDice(seat=seat), e.DiceDeclined)
        assert (declined.offered_to, cited(declined.clause, clause)) == (follower, True)
    crew.do(c.DeclineDice(seat=9))  # all have declined: back to the cup, and nobody shoots
    assert (crew.table.position.dice, crew.table.position.shooter) == ("cup", 0)
    crew.refused(c.ThrowDice(seat=2))
    assert crew.offer().seat == 2
    crew.do(c.DeclineDice(seat=2))
    crew.do(c.AcceptDice(seat=5))
    assert crew.table.position.shooter == 5


@pytest.mark.parametrize(
    ("clause", "game"),
    _each("CO-2309-3-shooter", "CO-2312-3", "CO-2313-4-new", "S2-g3.shooter", "S2-k4.shooter", "MD-7.C", "MD-10.E"),
)
def test_the_first_to_accept_is_the_shooter(clause: str, game: str) -> None:
    """CO-2309-3-shooter, CO-2312-3, CO-2313-4-new, S2-g3.shooter, S2-k4.shooter, MD-7.C, MD-10.E: first and later."""
    crew = Crew(regulation_of(clause), game=game, seats=_SEATS)
    for shooter in (2, 5):
        crew.offer()
        for by in ("dealer", "stickperson", "boxperson", "floorperson"):
            crew.only(c.AcceptDice(seat=shooter, by=by), clause)
        accepted = crew.one(c.AcceptDice(seat=shooter), e.DiceAccepted)
        assert (accepted.seat, cited(accepted.clause, clause)) == (shooter, True)
        assert crew.table.position.shooter == shooter
        crew.refused(c.AcceptDice(seat=9))
        crew.do(c.ChooseDice(seat=shooter, chosen=(1, 2)))
        crew.do(c.SurrenderDice(seat=shooter))


@pytest.mark.parametrize(
    ("clause", "game"),
    _each("CO-2309-3-two", "CO-2312-3", "CO-2313-4-new", "S2-g3.two", "S2-k4.two", "MD-7.C", "MD-10.E"),
)
def test_the_shooter_picks_two_dice(clause: str, game: str) -> None:
    """CO-2309-3-two, CO-2312-3, CO-2313-4-new, S2-g3.two, S2-k4.two, MD-7.C, MD-10.E: two of the set, exactly."""
    values = row(clause).values
    two = int(values.get("dice_used") or values.get("selected") or values.get("dice_in_play") or 2)
    crew = Crew(regulation_of(clause), game=game, seats=_SEATS, house={"dice_set": 6})
    for shooter in (2, 5):
        crew.offer()
        crew.do(c.AcceptDice(seat=shooter))
        crew.refused(c.ThrowDice(seat=shooter))  # not before they are picked
        for chosen in ((), (1,), (1, 1), (1, 2, 3), (0, 1), (6, 7)):
            crew.only(c.ChooseDice(seat=shooter, chosen=chosen), clause)
        crew.only(c.ChooseDice(seat=9, chosen=(1, 2)), clause)
        crew.only(c.ChooseDice(seat=shooter, chosen=(1, 2), by="dealer"), clause)
        chosen_ = crew.one(c.ChooseDice(seat=shooter, chosen=(3, 6)), e.DiceChosen)
        assert (len(chosen_.chosen), chosen_.cupped, cited(chosen_.clause, clause)) == (two, 6 - two, True)
        crew.only(c.ChooseDice(seat=shooter, chosen=(1, 2)), clause)  # once
        crew.do(c.SurrenderDice(seat=shooter))


# ---- the line wager owed


@pytest.mark.parametrize(("clause", "game"), _each("CO-2310-bet", "S2-h1.bet", "MD-8.A.bet"))
def test_a_shooter_makes_a_line_wager_before_throwing(clause: str, game: str) -> None:
    """CO-2310-bet, S2-h1.bet, MD-8.A.bet: pass or don't pass, the shooter's own, before each come-out roll."""
    values = row(clause).values
    lines = values.get("requires", values.get("required_bet", "")).split("|")
    assert lines == ["pass", "dont_pass"]
    for line in lines:
        crew = Crew(regulation_of(clause), game=game)
        crew.shoot(1)
        crew.make("pass", seat=2, cents=10_00)  # another player's does not count
        crew.make("place_win", seat=1, number=6, cents=12_00)
        crew.only(c.ThrowDice(seat=1), clause)
        crew.make(line, seat=1, cents=15_00)
        crew.roll(6, 1)  # decided: it is owed again
        crew.only(c.ThrowDice(seat=1), clause)
        crew.make(line, seat=1, cents=15_00)
        crew.roll(2, 4)
        crew.roll(1, 2)  # while the point is on nothing is owed
        assert crew.table.position.puck == 6


@pytest.mark.parametrize(("clause", "game"), _each("CO-2310-bet", "S2-h1.bet", "MD-8.A.bet"))
def test_a_successor_in_mid_point_owes_the_line_wager_at_the_next_come_out(clause: str, game: str) -> None:
    """CO-2310-bet, S2-h1.bet, MD-8.A.bet: it cannot be made with a point on, so it falls due later."""
    crew = Crew(regulation_of(clause), game=game).point()
    crew.do(c.SurrenderDice(seat=1))
    crew.shoot(2)
    crew.roll(1, 3)
    crew.refused(c.DeclineLineWager(seat=2), clause)  # nothing is owed yet
    crew.roll(3, 3)
    assert crew.rack(1) == 5_010_00  # the first shooter's pass wager rode with the successor
    crew.only(c.ThrowDice(seat=2), clause)
    crew.make("dont_pass", seat=2, cents=10_00)
    crew.throw()


@pytest.mark.parametrize(("clause", "game"), _each("CO-2310-bet", "S2-h1.bet", "MD-8.A.bet"))
def test_a_shooter_who_declines_a_line_wager_loses_the_dice(clause: str, game: str) -> None:
    """CO-2310-bet, S2-h1.bet, MD-8.A.bet: with no come wager up; place wagers and hardways do not count."""
    crew = Crew(regulation_of(clause), game=game)
    crew.shoot(1)
    crew.make("place_win", seat=1, number=6, cents=12_00)
    crew.make("hardway", seat=1, number=8, cents=5_00)
    crew.only(c.DeclineLineWager(seat=2), clause)
    crew.only(c.DeclineLineWager(seat=1, by="boxperson"), clause)
    gone = crew.one(c.DeclineLineWager(seat=1), e.DiceSurrendered)
    assert (gone.seat, gone.reason, cited(gone.clause, clause)) == (1, "no_line_wager", True)
    assert (1, "place_win", 6) in crew.layout
    assert crew.offer().seat == 2


@pytest.mark.parametrize("clause", [marked("S2-h1.bet"), marked("MD-8.A.bet")])
def test_an_unconfirmed_line_wager_is_none(clause: str) -> None:
    """S2-h1.bet, MD-8.A.bet: spoken with cash it counts once the dealer has confirmed it."""
    crew = Crew.of(clause)
    crew.shoot(1)
    crew.make("pass", cents=10_00, media=("cash",))
    crew.only(c.ThrowDice(seat=1), clause)
    crew.do(c.ConfirmWager(seat=1, wager="pass", by="dealer"))
    crew.throw()


# ---- keeping and giving up


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-1-option", "S2-k1", "MD-10.A"))
def test_a_shooter_may_give_up_the_dice_after_any_roll(clause: str, game: str) -> None:
    """CO-2313-1-option, S2-k1, MD-10.A: in mid-point too; point and wagers stand, and nobody else gives them up."""
    values = row(clause).values
    assert "after_any_roll" in values.values()
    for dice, puck in (((6, 1), 0), ((1, 1), 0), ((2, 4), 6)):
        crew = Crew(regulation_of(clause), game=game).come_out()
        crew.make("place_win", seat=2, number=8, cents=12_00)
        crew.throw()
        crew.only(c.SurrenderDice(seat=1), clause)  # not during a roll
        crew.land(*dice)
        crew.only(c.SurrenderDice(seat=1), clause)
        crew.call()
        crew.settle()
        layout = crew.layout
        crew.only(c.SurrenderDice(seat=2), clause)
        for by in ("dealer", "stickperson", "boxperson", "floorperson"):
            crew.only(c.SurrenderDice(seat=1, by=by), clause)
        gone = crew.one(c.SurrenderDice(seat=1), e.DiceSurrendered)
        assert (gone.reason, cited(gone.clause, clause)) == ("surrender", True)
        assert (crew.table.position.puck, crew.layout, crew.table.position.shooter) == (puck, layout, 0)
        crew.shoot(2)
        assert crew.table.position.puck == puck


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-1-a", "S2-k1i", "MD-10.A.1"))
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_a_loser_7_takes_the_dice_away(clause: str, game: str, line: str) -> None:
    """CO-2313-1-a, S2-k1i, MD-10.A.1: a 7 against a point, whatever the shooter wagered; never on a come-out roll."""
    crew = Crew(regulation_of(clause), game=game, seats=(1, 4))
    crew.shoot(1)
    for dice in ((6, 1), (6, 5), (1, 1), (1, 2), (6, 6)):
        crew.make(line, cents=10_00)
        assert not [one for one in crew.roll(*dice) if isinstance(one, e.DiceSurrendered)]
        assert crew.table.position.shooter == 1
    crew.make(line, cents=10_00)
    crew.roll(2, 4)
    crew.roll(5, 6)
    assert crew.table.position.shooter == 1
    gone = [one for one in crew.roll(3, 4) if isinstance(one, e.DiceSurrendered)]
    assert [(one.seat, one.reason, cited(one.clause, clause)) for one in gone] == [(1, "loser_7", True)]
    crew.refused(c.ThrowDice(seat=1))
    assert crew.offer().seat == 4


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-3", "S2-k3.craps", "S2-k3.mini", "MD-10.C"))
def test_a_new_shooter_is_sought_from_the_old_ones_left(clause: str, game: str) -> None:
    """CO-2313-3, S2-k3.craps, S2-k3.mini, MD-10.C: clockwise, the old shooter last; chosen or forced alike."""
    values = row(clause).values
    assert {values.get("offer"), values.get("first_offer")} & {
        "left_of_prev",
        "left_of_prev_shooter",
        "left_of_previous_shooter",
    }
    crew = Crew(regulation_of(clause), game=game, seats=_SEATS)
    crew.shoot(5)
    crew.make("pass", seat=5, cents=10_00)
    crew.roll(2, 4)
    crew.roll(3, 4)  # forced
    offered = crew.offer()
    assert (offered.seat, cited(offered.clause, clause)) == (9, True)
    assert [crew.one(c.DeclineDice(seat=seat), e.DiceDeclined).offered_to for seat in (9, 2)] == [2, 5]
    crew.do(c.AcceptDice(seat=5))  # the old shooter comes last and is not passed over
    crew.do(c.SurrenderDice(seat=5))
    offered = crew.offer()
    assert (offered.seat, cited(offered.clause, clause)) == (9, True)


@pytest.mark.parametrize(
    ("clause", "game", "by", "reason"),
    [
        *(
            pytest.param(
                f"CO-2313-1-b-{end}", "craps", "boxperson", reason, marks=pytest.mark.clause(f"CO-2313-1-b-{end}")
            )
            for end, reason in (("delay", "delay"), ("invalid", "repeated_invalid"), ("violate", "violation"))
        ),
        *(
            pytest.param(f"MD-10.A.2.{end}", game, by, reason, marks=pytest.mark.clause(f"MD-10.A.2.{end}"))
            for end, reason in (("delay", "delay"), ("invalid", "repeated_invalid"), ("violate", "violation"))
            for game, by in (("craps", "boxperson"), ("mini_craps", "dealer"))
        ),
        *(
            pytest.param(
                clause, row(clause).values["game"], row(clause).values["by"], reason, marks=pytest.mark.clause(clause)
            )
            for clause in ("S2-k1ii.craps", "S2-k1ii.mini")
            for reason in ("delay", "repeated_invalid", "violation")
        ),
    ],
)
def test_a_shooter_may_be_ordered_to_pass_the_dice(clause: str, game: str, by: str, reason: str) -> None:
    """CO-2313-1-b-delay, S2-k1ii.craps, S2-k1ii.mini, MD-10.A.2.delay and siblings: who may, for what, when."""
    crew = Crew(regulation_of(clause), game=game)
    order = c.OrderDicePassed(by=by, reason=reason)  # type: ignore[arg-type]
    crew.refused(order, clause)  # nobody has the dice
    crew.point()
    for other in set(ROLES) - {by}:
        crew.only(c.OrderDicePassed(by=other, reason=reason), clause)  # type: ignore[arg-type]
    crew.only(c.OrderDicePassed(by=by, reason="losing"), clause)  # type: ignore[arg-type]
    crew.throw()
    crew.only(order, clause)
    crew.land(1, 1)
    crew.only(order, clause)
    crew.call()
    crew.settle()
    gone = crew.one(order, e.DiceSurrendered)
    assert (gone.seat, gone.reason, cited(gone.clause, clause)) == (1, reason, True)
    assert crew.table.position.puck == 6
    assert (1, "pass", 0) in crew.layout
    if clause.startswith("S2"):
        assert len(listed(clause, "grounds")) == len(crew.rules.procedures.shooter.order_reasons)


@pytest.mark.parametrize(("name", "game"), every_game())
def test_arizonas_house_deals_the_same_procedures(name: str, game: str) -> None:
    """CO-2309-3-shooter, S2-g3.shooter, MD-7.C: every game, Arizona's by house rule too, goes from offer to throw."""
    crew = Crew(name, game=game, seats=_SEATS)
    crew.shoot(5)
    crew.make("pass", seat=5, cents=10_00)
    crew.throw()
    assert crew.table.position.dice == "air"
