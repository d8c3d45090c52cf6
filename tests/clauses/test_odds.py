"""Odds: who may add them when, and how they lose, win and come down with their base wager."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from tests.clauses.layouts import BASES, WAYS, amounts, did, laid_out, outcomes
from tests.clauses.matrix import ODDS, POINTS, listed_pays, rows
from tests.clauses.table import ANN, BOB, Play, breaches_of, cites, make, rules_of, settled

RIGHTS = [
    pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id)
    for regulation, row in rows()
    if row.area == "odds" and row.values.get("bet") in ODDS and {"points", "requires"} & set(row.values)
]
_FOLLOW = {"section2": "S2-f.lose"}  # elsewhere the clause that gives the right also binds odds to their wager


@pytest.mark.parametrize(("regulation", "row"), RIGHTS)
def test_a_player_may_add_odds_once_a_point_is_set(regulation: str, row: Clause) -> None:
    """Every row that gives the right: on each point and not before; no house may refuse it."""
    rules, bet = rules_of(regulation), row.values["bet"]
    base = bet.removesuffix("_odds")
    assert row.values.get("base", row.values.get("requires", base).split("+")[0]) == base
    for point in row.values.get("points", "|".join(POINTS)).split("|"):
        cents = amounts(rules, bet, point)
        early = laid_out(rules, base, "", "come_out" if base in {"pass", "dont_pass"} else "on", BASES)
        assert _FOLLOW.get(regulation, row.id) in cites(early.refuse(make(ANN, bet, cents[ANN], point)))
        play = laid_out(rules, base, point, "point", BASES)
        for seat in (ANN, BOB):
            (made,) = play.make(seat, bet, cents[seat], point)
            assert isinstance(made, e.WagerMade)
            assert (made.after.cents, made.after.number) == (cents[seat], int(point))
            assert row.id in cites([made])
        behind = outcomes(play, base)
        for roll, by_seat in outcomes(play, bet).items():
            for seat, found in by_seat.items():
                if not found:
                    continue
                assert did(found) == did(behind[roll][seat]) in {"won", "lost"}
                assert (row.id if did(found) == "won" else _FOLLOW.get(regulation, row.id)) in cites(found)
        stranger = make(1, bet, cents[ANN], point)  # has no such wager
        if base != "pass":
            assert _FOLLOW.get(regulation, row.id) in cites(play.refuse(stranger))
    assert breaches_of(regulation, {"odds": dict.fromkeys(POINTS, 0)})


@pytest.mark.clause("S2-f.lose")
@pytest.mark.parametrize("bet", ODDS[:4])
def test_S2_f_lose__odds_lose_and_come_down_with_their_wager(bet: str) -> None:
    """S2-f.lose: odds lose when the original wager does, cannot stand without it, and come down with it."""
    rules, base = rules_of("section2"), bet.removesuffix("_odds")
    assert clauses_of("section2")["S2-f.lose"].values == {
        "bet": "odds", "lose": "with_original", "requires": "original"
    }  # fmt: skip
    for point in POINTS:
        cents = amounts(rules, bet, point)
        play = laid_out(rules, bet, point, "on", cents)
        flats = outcomes(play, base)
        for roll, by_seat in outcomes(play, bet).items():
            for seat in (ANN, BOB):
                assert did(by_seat[seat]) == did(flats[roll][seat])
                if by_seat[seat]:
                    assert ("S2-f.lose" in cites(by_seat[seat])) is (did(by_seat[seat]) == "lost")
        if base.startswith("dont"):
            number = 0 if base == "dont_pass" else int(point)
            down = play.do(c.RemoveWager(seat=ANN, wager=base, number=number))
            assert [event.wager.kind for event in down if isinstance(event, e.WagerRemoved)] == [base, bet]
            assert "S2-f.lose" in cites(down)
            assert play.find(ANN, bet, point) is None
            assert play.find(BOB, bet, point) is not None
            assert "S2-f.lose" in cites(play.refuse(make(ANN, bet, cents[ANN], point)))


@pytest.mark.clause("CO-2304-42-odds")
@pytest.mark.parametrize("number", POINTS)
def test_CO_2304_42_odds__true_odds_behind_a_put_wager(number: str) -> None:
    """CO-2304-42-odds: paid at true odds, lost with the put wager, at most 100 dollars, off on a come-out roll."""
    rules, clause = rules_of("colorado"), "CO-2304-42-odds"
    pays, cents = listed_pays("colorado", "put_odds", number), amounts(rules, "put_odds", number)
    play = laid_out(rules, "put_odds", number, "on", cents)
    happened = play.fork().roll(WAYS[number])
    for seat in (ANN, BOB):
        (won,) = settled(happened, seat, "put_odds")
        assert isinstance(won, e.WagerWon)
        assert (won.pays, won.winnings) == (pays, cents[seat] * pays.pays // pays.to)
        assert clause in cites([won])
    for seat in (ANN, BOB):
        (lost,) = settled(play.fork().roll("3-4"), seat, "put_odds")
        assert isinstance(lost, e.WagerLost)
        assert clause in cites([lost])
    most = int(clauses_of("colorado")[clause].values["max"]) * 100
    wide = Play(rules_of("colorado", house={"odds": dict.fromkeys(POINTS, 10)})).shoots()
    wide.make(ANN, "put", 50_00, number)
    step = 10_00 if number in {"6", "8"} else 2_00
    assert clause in cites(wide.refuse(make(ANN, "put_odds", most + step, number)))
    assert clause in cites(wide.make(ANN, "put_odds", most, number))
    off = settled(wide.roll("3-4"), ANN)
    assert {event.wager.kind: type(event) for event in off} == {"put": e.WagerLost, "put_odds": e.WagerReturned}
    assert clause in cites(off)
    assert clause in cites(Play(rules).shoots().refuse(make(ANN, "put_odds", 10_00, number)))
