"""Colorado's Super Front Line Winner (47.1-2317.04): its settlement, and the lammer that shows the count."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from tests.clauses.side.colorado import (
    CENTS,
    SEVEN,
    Logged,
    offered,
)
from tests.clauses.side.front_line import ELEVEN, FRONT, front_line_table
from tests.clauses.table import ANN, BOB, SHOOTER, cites, rules_of

SPOTS = [row for row in clauses_of("colorado").values() if "lammer_spot" in row.values]


@pytest.mark.clause("CO-2317.04-13", "CO-2317.04-29-settle", "CO-2317.04-29-before")
def test_CO_2317_04_29__it_is_settled_at_the_end_of_the_round_before_the_next_shooter_rolls() -> None:
    """CO-2317.04-13, -29-settle, -29-before: paid or taken by the roll that ends it, then the dice go."""
    by_hand = frozenset({"offer", "choose", "confirm", "button"})
    play = Logged(rules_of("colorado", house={"side_wagers": {FRONT: "1"}}, automate=by_hand))
    play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])
    play.shoots()
    happened: tuple[e.Event, ...] = ()
    for first, second in ((2, 2), (5, 6), (3, 4)):
        play.do(c.ThrowDice(seat=SHOOTER))
        play.do(c.LandDice(first=first, second=second, by="dealer"))
        play.do(c.CallRoll(total=first + second, by="stickperson"))
        if (first, second) == (3, 4):
            for command in (c.ThrowDice(seat=SHOOTER), c.AcceptDice(seat=ANN), c.OfferDice(dice=5, by="stickperson")):
                assert play.refuse(command)
            assert ANN in play.up(FRONT)
        happened = play.do(c.Settle(by="dealer"))
        if (first, second) != (3, 4):
            assert not play.decided(FRONT, happened)
            play.do(c.PassDice(by="stickperson"))
    kinds = [type(one) for one in happened]
    decided = play.decided(FRONT, happened)[ANN]
    assert {"CO-2317.04-13", "CO-2317.04-29-settle", "CO-2317.04-29-before"} <= cites([decided])
    assert happened.index(decided) < kinds.index(e.DiceSurrendered)
    assert not play.up(FRONT)


@pytest.mark.clause("CO-2317.04-14-always")
def test_CO_2317_04_14_always__the_count_is_kept_even_if_nobody_has_the_wager() -> None:
    """CO-2317.04-14-always: from each new shooter's first roll, and the wager is announced closed all the same."""
    play = offered(FRONT, "1")
    happened = play.throws(ELEVEN)
    assert "CO-2317.04-14-always" in cites(one for one in happened if isinstance(one, e.WindowClosed))
    play.throws(SEVEN)
    assert play.marker(FRONT).count == 2
    play.do(c.SurrenderDice(seat=SHOOTER))
    play.do(c.AcceptDice(seat=ANN))
    assert play.marker(FRONT).count == 0
    assert "CO-2317.04-14-always" in cites(one for one in play.throws(SEVEN) if isinstance(one, e.WindowClosed))
    assert play.marker(FRONT).count == 1


@pytest.mark.parametrize("row", [pytest.param(row, marks=pytest.mark.clause(row.id), id=row.id) for row in SPOTS])
def test_the_lammer_moves_to_the_spot_of_the_count(row: Clause) -> None:
    """CO-2317.04-18 to -28: one spot for each 7 or 11 of the round, named by its own clause."""
    count, spot = int(row.values["count"]), int(row.values["lammer_spot"])
    for rolls in ((SEVEN,), (ELEVEN,), (SEVEN, ELEVEN)):
        play = front_line_table().wager(FRONT)
        happened: tuple[e.Event, ...] = ()
        for index in range(count):
            happened = play.throws(rolls[index % len(rolls)])
        progressed = [one for one in happened if isinstance(one, e.WagerProgressed)]
        spots = {one.id for one in SPOTS}
        assert cites(progressed) & spots == {row.id}
        marker = play.marker(FRONT)
        assert (marker.count, spots & set(marker.clause.split(", "))) == (spot, {row.id})
    nobodys = front_line_table()
    nobodys.throws(*(ELEVEN,) * count)
    assert nobodys.marker(FRONT).count == spot
    nobodys.do(c.SurrenderDice(seat=SHOOTER))
    nobodys.do(c.AcceptDice(seat=ANN))
    assert nobodys.marker(FRONT).count == 0, "of this round alone"


def test_a_void_throw_moves_no_lammer_and_closes_nothing() -> None:
    """An 11 and a 7 called no roll count for nobody, and the wager may still be made."""
    by_hand = frozenset({"offer", "choose", "confirm", "button"})
    play = Logged(rules_of("colorado", house={"side_wagers": {FRONT: "1"}}, automate=by_hand))
    play.make(ANN, "pass", 5_00)
    play.make(BOB, "pass", 5_00)
    play.make(ANN, FRONT, CENTS[ANN])
    play.shoots()
    for first, second in ((5, 6), (3, 4)):
        play.do(c.ThrowDice(seat=SHOOTER))
        play.do(c.LandDice(first=first, second=second, by="dealer"))
        play.do(c.CallNoRoll(reason="in_cup", by="boxperson"))
    assert (play.marker(FRONT).count, play.up(FRONT)[ANN].progress) == (0, ())
    play.make(BOB, FRONT, CENTS[BOB])
