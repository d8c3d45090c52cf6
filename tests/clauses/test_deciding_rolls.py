"""Which rolls win, lose, return or move a wager: every row of the matrix on each of the 36 rolls."""

import pytest

from passline.dice import OUTCOMES
from passline.game.position import Wager
from passline.game.wagers import outcome_of
from passline.rules.clauses import REGULATIONS, Clause
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Number, cites_of
from tests.clauses.layouts import amounts, did, laid_out, outcomes
from tests.clauses.matrix import COMPOSITE, Decision, decisions_of, rolls_of, rows
from tests.clauses.table import ANN, BOB, cites, rules_of


def _cited(name: str, game: str, kind: str) -> list[str]:
    entry = rules_of(name, game=game).wagers[kind].entry
    assert isinstance(entry, Number)
    return sorted({*cites_of(entry.win.cite), *cites_of(entry.lose.cite)})


DECIDING = [
    pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id)
    for regulation, row in rows()
    if decisions_of(row)
]
MOVING = [
    pytest.param(regulation, row, marks=pytest.mark.clause(row.id), id=row.id)
    for regulation, row in rows()
    if "move_to" in row.values
]


@pytest.mark.parametrize(("regulation", "row"), DECIDING)
def test_exactly_the_stated_rolls_decide_the_wager(regulation: str, row: Clause) -> None:
    """Every row that says what wins, loses or is void: those rolls do it, no other roll does, and the row is cited."""
    for decision in decisions_of(row):
        _check(regulation, row, decision)


def _check(regulation: str, row: Clause, decision: Decision) -> None:
    rules, bet = rules_of(regulation), decision.bet
    cents = amounts(rules, bet, decision.number if bet not in COMPOSITE else "")
    found = outcomes(laid_out(rules, bet, decision.number, decision.phase, cents), bet)
    for seat in (ANN, BOB):
        done = {roll: did(found[roll][seat]) for roll in OUTCOMES}
        assert {roll for roll in OUTCOMES if done[roll] == decision.does} == decision.rolls
        other = {"won": "lost", "lost": "won"}.get(decision.does)
        assert all(done[roll] == other for roll in decision.first)
        for roll in decision.rolls:
            events = found[roll][seat]
            assert row.id in cites(events)
            assert sum(getattr(one, "cents", one.wager.cents) for one in events) == cents[seat]
        if row.values.get("rolls") == "1":
            assert "stayed" not in done.values()


@pytest.mark.parametrize(("regulation", "row"), MOVING)
def test_exactly_the_stated_totals_move_the_wager(regulation: str, row: Clause) -> None:
    """Every row that moves a wager: to the number thrown, whole, on those totals and no other."""
    rules, bet = rules_of(regulation), row.values["bet"]
    cents = amounts(rules, bet)
    found = outcomes(laid_out(rules, bet, "", "on", cents), bet)
    for seat in (ANN, BOB):
        moved = {roll for roll in OUTCOMES if did(found[roll][seat]) == "moved"}
        assert moved == rolls_of(row.values["totals"])
        for roll in moved:
            (event,) = found[roll][seat]
            assert row.id in cites([event])
            after = getattr(event, "after", None)
            assert after is not None
            assert (after.number, after.cents) == (roll.total, cents[seat])


BOUGHT = [
    pytest.param(
        name, game, kind, like, marks=pytest.mark.clause(*_cited(name, game, kind)), id=f"{name}-{game}-{kind}"
    )
    for name in REGULATIONS
    for game in rulebook_of(name).games
    for kind, like in (("buy", "place_win"), ("lay", "place_lose"))
    if kind in rules_of(name, game=game).wagers
]


@pytest.mark.parametrize(("name", "game", "kind", "like"), BOUGHT)
def test_a_buy_and_a_lay_are_decided_like_the_place_wager(name: str, game: str, kind: str, like: str) -> None:
    """Another price for the same wager: on every number and roll at a point it wins, loses and stays alike."""
    rules = rules_of(name, game=game)
    assert rules.wagers[kind].numbers == rules.wagers[like].numbers
    for number in rules.wagers[kind].numbers:
        for puck in (4, 6):  # whether it works on a come-out roll is told of each
            for roll in OUTCOMES:
                one, other = (
                    outcome_of(rules, Wager(1, "player", which, number, 20_00), puck=puck, roll=roll)
                    for which in (kind, like)
                )
                assert one.does == other.does, (number, puck, roll)
    assert rules.wagers[kind].entry.win.on == ("number" if kind == "buy" else "seven")  # type: ignore[union-attr]
