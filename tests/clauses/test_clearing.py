"""The clearing of come wagers: a shooter without a line wager throws only to decide those that are up."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.crew import Crew, cited, regulation_of, row


def _each(*clauses: str) -> list[Any]:
    """Return each clause with each game of its regulation."""
    return [
        pytest.param(clause, game, marks=pytest.mark.clause(clause), id=f"{clause}-{game}")
        for clause in clauses
        for game in (["craps"] if clause.startswith("CO") else ["craps", "mini_craps"])
    ]


def _crew(clause: str, game: str, seats: tuple[int, ...] = (1, 2)) -> Crew:
    return Crew(regulation_of(clause), game=game, seats=seats)


def _owing(clause: str, game: str, seats: tuple[int, ...] = (1, 2, 5)) -> Crew:
    """Make the point with a come wager of seat 1 on 8 and a don't come of seat 2 on 5, and no line wager up."""
    crew = _crew(clause, game, seats).point()
    crew.make("come", cents=15_00)
    if 2 in seats:
        crew.roll(2, 6)
        crew.make("dont_come", seat=2, cents=20_00)
        crew.roll(2, 3)
    else:
        crew.roll(2, 6)
    crew.roll(3, 3)
    return crew


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-offer", "S2-k2.offer", "MD-10.B"))
def test_declining_a_line_wager_with_come_wagers_up_sends_the_dice_left(clause: str, game: str) -> None:
    """CO-2313-2-offer, S2-k2.offer, MD-10.B: to the player on the shooter's left; a natural is like a made point."""
    values = row(clause).values
    assert values["offer"] == "left_of_shooter"
    crew = _owing(clause, game)
    for by in ("dealer", "boxperson"):
        crew.refused(c.DeclineLineWager(seat=1, by=by))
    crew.refused(c.DeclineLineWager(seat=2))
    declined = crew.one(c.DeclineLineWager(seat=1), e.LineWagerDeclined)
    assert (declined.seat, cited(declined.clause, clause)) == (1, True)
    offered = crew.offer()
    assert offered.seat == 2
    crew.do(c.AcceptDice(seat=2))
    crew.do(c.ChooseDice(seat=2, chosen=(1, 2)))
    assert crew.table.position.phase == "come_out"  # an ordinary shooter, who owes a line wager
    crew.refused(c.ThrowDice(seat=2))
    crew.make("pass", seat=2, cents=10_00)
    crew.roll(6, 5)
    crew.do(c.DeclineLineWager(seat=2))  # after a natural alike
    assert crew.offer().seat == 5


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.1"))
def test_when_nobody_else_will_shoot_the_last_shooter_clears(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.1: all others decline, or nobody else is there."""
    crew = _owing(clause, game)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.refused(c.ThrowDice(seat=1))
    crew.do(c.DeclineDice(seat=2))
    began = crew.one(c.DeclineDice(seat=5), e.ClearingBegan)
    assert (began.seat, cited(began.clause, clause)) == (1, True)
    assert (crew.table.position.phase, crew.table.position.shooter) == ("clearing", 1)
    crew.throw()
    alone = _owing(clause, game, seats=(1,))
    alone.do(c.DeclineLineWager(seat=1))
    offer = c.OfferDice(by=alone.role("offer"), dice=5)
    assert cited(alone.one(offer, e.ClearingBegan).clause, clause)
    alone.throw()


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.1"))
def test_with_a_line_wager_up_nobody_clears(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.1: somebody's line wager asks for a shooter with one."""
    crew = _owing(clause, game)
    crew.make("pass", seat=5, cents=10_00)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.do(c.DeclineDice(seat=2))
    assert not [one for one in crew.do(c.DeclineDice(seat=5)) if isinstance(one, e.ClearingBegan)]
    assert (crew.table.position.phase, crew.table.position.dice) == ("come_out", "cup")


@pytest.mark.parametrize(("clause", "game"), _each("S2-k2.end.bet", "MD-10.B.4"))
def test_a_line_wager_ends_the_clearing_once_it_is_confirmed(clause: str, game: str) -> None:
    """S2-k2.end.bet, MD-10.B.4: spoken with cash it ends nothing yet; unconfirmed it goes back before the throw."""
    crew = Crew.of(clause, game=game).clearing()
    (changed, made) = crew.make("pass", seat=2, cents=20_00, media=("cash",))
    assert isinstance(changed, e.BuyInMade)
    assert isinstance(made, e.WagerMade)
    assert crew.table.position.phase == "clearing"
    pending = crew.table
    confirmed, ended, passed = crew.do(c.ConfirmWager(seat=2, wager="pass", by="dealer"))
    assert isinstance(confirmed, e.WagerConfirmed)
    assert isinstance(ended, e.ClearingEnded)
    assert isinstance(passed, e.DiceSurrendered)
    assert (cited(ended.clause, clause), passed.seat, crew.table.position.phase) == (True, 1, "come_out")
    crew.table = pending
    crew.throw()
    assert (crew.table.position.phase, (2, "pass", 0) in crew.layout) == ("clearing", False)
    own = Crew.of(clause, game=game).clearing()
    own.make("pass", seat=1, cents=20_00, media=("cash",))
    assert len(own.do(c.ConfirmWager(seat=1, wager="pass", by="dealer"))) == 2  # the shooter keeps the dice
    assert (own.table.position.shooter, own.table.position.phase) == (1, "come_out")


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.2"))
def test_clearing_rolls_decide_come_wagers_and_nothing_begins(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.2: no point, no loser 7, no new wager but a line wager."""
    crew = _owing(clause, game)
    crew.make("place_win", seat=5, number=6, cents=12_00)
    crew.make("dont_come_odds", seat=2, number=5, cents=9_00)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.do(c.DeclineDice(seat=2))
    crew.do(c.DeclineDice(seat=5))
    for kind, number in (("come", 0), ("dont_come", 0), ("place_win", 8), ("field", 0), ("hardway", 4)):
        crew.refused(crew.making(kind, seat=2, number=number), clause)
    crew.refused(crew.making("come_odds", seat=1, number=8, cents=10_00), clause)
    crew.refused(crew.making("place_win", seat=5, number=6, cents=6_00), clause)  # an addition is new money
    for dice in ((2, 2), (3, 3), (4, 6)):  # a 6 does not pay the place wager either: it is off
        happened = crew.roll(*dice)
        assert not [one for one in happened if isinstance(one, e.PuckMoved | e.WagerWon | e.WagerLost)]
    assert (crew.table.position.puck, crew.table.position.phase) == (0, "clearing")
    crew.do(c.RemoveWager(seat=2, wager="dont_come_odds", number=5))
    crew.do(c.RemoveWager(seat=5, wager="place_win", number=6))
    happened = crew.roll(3, 4)
    assert not [one for one in happened if isinstance(one, e.DiceSurrendered)]
    assert crew.table.position.shooter == 1
    assert (crew.rack(1), crew.rack(2), crew.rack(5)) == (4_995_00, 5_020_00, 5_000_00)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-marker", "S2-k2.puck", "MD-10.B.3"))
def test_the_puck_lies_off_before_the_shooter(clause: str, game: str) -> None:
    """CO-2313-2-marker, S2-k2.puck, MD-10.B.3: from the first of these rolls to the last, whatever total comes."""
    values = row(clause).values
    assert "off" in {values.get("puck"), values.get("marker")}
    crew = _owing(clause, game)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.do(c.DeclineDice(seat=2))
    began = crew.one(c.DeclineDice(seat=5), e.ClearingBegan)
    assert (began.seat, cited(began.clause, clause)) == (1, True)
    for dice in ((2, 2), (4, 5), (5, 5), (2, 4)):
        crew.roll(*dice)
        assert (crew.table.position.puck, crew.table.position.is_clearing, crew.table.position.shooter) == (0, True, 1)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-resume", "S2-k2.end.done", "MD-10.B.4"))
def test_clearing_ends_when_the_last_come_wager_is_decided(clause: str, game: str) -> None:
    """CO-2313-2-resume, S2-k2.end.done, MD-10.B.4: one decided is not enough; then a line wager is owed again."""
    crew = _owing(clause, game)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.do(c.DeclineDice(seat=2))
    crew.do(c.DeclineDice(seat=5))
    assert not [one for one in crew.roll(4, 4) if isinstance(one, e.ClearingEnded)]
    ended = [one for one in crew.roll(1, 4) if isinstance(one, e.ClearingEnded)]
    assert [(one.reason, one.clause) for one in ended] == [("decided", clause)]
    assert (crew.table.position.phase, crew.table.position.shooter) == ("come_out", 1)
    crew.refused(c.ThrowDice(seat=1))
    crew.make("pass", cents=10_00)
    crew.roll(2, 4)
    assert crew.table.position.puck == 6


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-resume", "S2-k2.end.bet", "MD-10.B.4"))
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_clearing_ends_when_anybody_makes_a_line_wager(clause: str, game: str, line: str) -> None:
    """CO-2313-2-resume, S2-k2.end.bet, MD-10.B.4: on another player's the dice are offered again."""
    crew = _crew(clause, game).clearing()
    ended = crew.one(crew.making(line, seat=1, cents=10_00), e.ClearingEnded)
    assert (ended.reason, ended.clause) == ("line_wager", clause)
    assert (crew.table.position.phase, crew.table.position.shooter) == ("come_out", 1)
    crew.roll(2, 4)
    assert crew.table.position.puck == 6
    crew = _crew(clause, game).clearing()
    happened = crew.make(line, seat=2, cents=10_00)
    assert [cited(one.clause, clause) for one in happened if isinstance(one, e.ClearingEnded | e.DiceSurrendered)] == [
        True,
        True,
    ]
    assert (crew.table.position.phase, crew.table.position.dice) == ("come_out", "cup")
    assert crew.offer().seat == 2
    assert (1, "come", 8) in crew.layout


def _with_a_dont_come_on_5(clause: str, game: str) -> Crew:
    """Make the point with only a don't come wager of seat 2 on 5, with odds; the shooter makes no line wager."""
    crew = _crew(clause, game).point()
    crew.make("dont_come", seat=2, cents=20_00)
    crew.roll(2, 3)
    crew.make("dont_come_odds", seat=2, number=5, cents=9_00)
    crew.roll(3, 3)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    return crew


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-resume", "S2-k2.end.done", "MD-10.B.4"))
def test_clearing_ends_when_the_last_come_wager_is_removed(clause: str, game: str) -> None:
    """CO-2313-2-resume, S2-k2.end.done, MD-10.B.4: odds alone do not prolong it; then a line wager is needed."""
    crew = _with_a_dont_come_on_5(clause, game)
    crew.do(c.DeclineDice(seat=2))
    assert crew.table.position.phase == "clearing"
    kept = crew.table
    happened = crew.do(c.RemoveWager(seat=2, wager="dont_come_odds", number=5))
    assert not [one for one in happened if isinstance(one, e.ClearingEnded)]
    crew.table = kept
    ended = crew.one(c.RemoveWager(seat=2, wager="dont_come", number=5), e.ClearingEnded)
    assert (ended.reason, ended.clause) == ("removed", clause)
    assert (crew.table.position.phase, crew.table.position.shooter) == ("come_out", 1)
    crew.refused(c.ThrowDice(seat=1))
    crew.make("pass", cents=10_00)
    crew.throw()


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-resume", "S2-k2.end.done", "MD-10.B.4"))
def test_clearing_goes_on_while_another_come_wager_is_up(clause: str, game: str) -> None:
    """CO-2313-2-resume, S2-k2.end.done, MD-10.B.4: one player's removal does not end what another's wager needs."""
    crew = _owing(clause, game)
    crew.do(c.DeclineLineWager(seat=1))
    crew.offer()
    crew.do(c.DeclineDice(seat=2))
    crew.do(c.DeclineDice(seat=5))
    happened = crew.do(c.RemoveWager(seat=2, wager="dont_come", number=5))
    assert not [one for one in happened if isinstance(one, e.ClearingEnded)]
    crew.throw()


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.2"))
def test_clearing_does_not_begin_with_nothing_to_clear(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.2: removed while the dice go round, the wager gives no roll."""
    crew = _with_a_dont_come_on_5(clause, game)
    crew.do(c.RemoveWager(seat=2, wager="dont_come", number=5))
    happened = crew.do(c.DeclineDice(seat=2))
    assert [type(one) for one in happened] == [e.DiceDeclined, e.DiceCupped]
    assert (crew.table.position.phase, crew.table.position.dice) == ("come_out", "cup")
    assert crew.offer().seat == 2
    crew.refused(c.ThrowDice(seat=1))
    alone = _crew(clause, game, seats=(1,)).point()
    alone.make("dont_come", cents=20_00)
    alone.roll(2, 3)
    alone.roll(3, 3)
    alone.do(c.DeclineLineWager(seat=1))
    alone.do(c.RemoveWager(seat=1, wager="dont_come", number=5))
    cupped = alone.do(c.OfferDice(by=alone.role("offer"), dice=5))
    assert [type(one) for one in cupped] == [e.DiceCupped]
    assert alone.offer().seat == 1


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.2"))
def test_a_clearing_throw_without_come_wagers_is_refused(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.2: there is nothing to clear."""
    crew = _crew(clause, game).clearing()
    bare = replace(crew.table.position, layout=())
    crew.table = replace(crew.table, position=bare)
    crew.only(c.ThrowDice(seat=1), clause)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-exception", "S2-k2.alone", "MD-10.B.2"))
def test_a_line_wager_waits_while_a_clearing_throw_is_in_the_air(clause: str, game: str) -> None:
    """CO-2313-2-exception, S2-k2.alone, MD-10.B.2: it ends the phase after the roll."""
    crew = _crew(clause, game).clearing().throw()
    crew.refused(crew.making("pass", seat=2, cents=10_00), clause)
    crew.land(2, 2)
    crew.call()
    crew.settle()
    crew.one(crew.making("pass", seat=2, cents=10_00), e.ClearingEnded)


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-1-option", "S2-k1", "MD-10.A"))
def test_a_shooter_may_give_up_the_dice_while_clearing(clause: str, game: str) -> None:
    """CO-2313-1-option, S2-k1, MD-10.A: the phase is the shooter's, and ends with the shooter's turn."""
    crew = _crew(clause, game).clearing()
    crew.roll(2, 2)
    ended = crew.one(c.SurrenderDice(seat=1), e.ClearingEnded)
    assert (ended.reason, cited(ended.clause, clause)) == ("given_up", True)
    assert crew.table.position.phase == "come_out"
    assert (1, "come", 8) in crew.layout


@pytest.mark.parametrize(("clause", "game"), _each("CO-2313-2-offer", "S2-k2.offer", "MD-10.B"))
def test_only_come_and_dont_come_wagers_are_cleared(clause: str, game: str) -> None:
    """CO-2313-2-offer, S2-k2.offer, MD-10.B: place wagers and hardways give no further roll."""
    crew = _crew(clause, game).point()
    crew.make("place_win", seat=2, number=8, cents=12_00)
    crew.make("hardway", seat=2, number=4, cents=5_00)
    crew.roll(3, 3)
    happened = crew.do(c.DeclineLineWager(seat=1))
    assert not [one for one in happened if isinstance(one, e.LineWagerDeclined)]
    assert [one.reason for one in happened if isinstance(one, e.DiceSurrendered)] == ["no_line_wager"]
