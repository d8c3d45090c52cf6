"""Disputes about the faces: who decides them, and how."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.crew import ROLES, Crew, cited, marked, row

_CLAUSES = [
    marked("CO-2319-decide"),
    marked("S2-j1ii.A"),
    marked("S2-j1ii.B"),
    marked("MD-9.E.1"),
    marked("MD-9.E.2"),
]


def _deciders(clause: str) -> set[str]:
    values = row(clause).values
    said = values.get("decider", values.get("resolver", ""))
    return set(said.replace("pit_supervisor", "floorperson").split("|"))


def _disputed(clause: str) -> Crew:
    crew = Crew.of(clause).point()
    crew.make("place_win", seat=2, number=8, cents=12_00)
    crew.throw()
    crew.land(4, 3)
    crew.do(c.DisputeFaces(seat=2))
    return crew


def _decide(by: str, first: int = 0, second: int = 0) -> c.DecideDispute:
    return c.DecideDispute(by=by, first=first, second=second)  # type: ignore[arg-type]


@pytest.mark.parametrize("clause", _CLAUSES)
def test_a_dispute_is_decided_by_those_named_and_by_no_one_else(clause: str) -> None:
    """CO-2319-decide, S2-j1ii.A, S2-j1ii.B, MD-9.E.1, MD-9.E.2: by naming the faces; never by the dealer of craps."""
    deciders = _deciders(clause)
    for decider in deciders:
        crew = _disputed(clause)
        for by in set(ROLES) - deciders:
            crew.only(_decide(by, 4, 4), clause)
            crew.only(_decide(by), clause)
        for faces in ((0, 4), (4, 0), (7, 1), (-1, 3)):
            crew.only(_decide(decider, *faces), clause)
        decided = crew.one(_decide(decider, 4, 4), e.DisputeDecided)
        assert (decided.first, decided.second, decided.by, cited(decided.clause, clause)) == (4, 4, decider, True)
        crew.call()
        assert [one.wager.seat for one in crew.settle() if isinstance(one, e.WagerWon)] == [2]  # an 8, not a 7
        crew.refused(_decide(decider, 4, 3), clause)  # nothing is disputed any more


@pytest.mark.parametrize("clause", _CLAUSES)
def test_a_dispute_may_end_in_a_void_throw(clause: str) -> None:
    """CO-2319-decide, S2-j1ii.A, S2-j1ii.B, MD-9.E.1, MD-9.E.2: nothing is decided, and thrown again."""
    values = row(clause).values
    assert "void" in values.get("options", values.get("outcomes", "void"))
    decider = min(_deciders(clause))
    crew = _disputed(clause)
    layout = crew.layout
    voided = crew.one(_decide(decider), e.RollVoided)
    assert (voided.reason, voided.by, cited(voided.clause, clause)) == ("dispute", decider, True)
    assert (crew.layout, crew.table.position.dice, crew.table.position.is_disputed) == (layout, "held", False)
    crew.roll(4, 4)


@pytest.mark.parametrize("clause", _CLAUSES)
def test_a_dispute_stops_the_game_until_it_is_decided(clause: str) -> None:
    """CO-2319-decide, S2-j1ii.A, S2-j1ii.B, MD-9.E.1, MD-9.E.2: between rest and settlement; no call and no payment."""
    crew = Crew.of(clause).point()
    crew.only(c.DisputeFaces(seat=2), clause)
    crew.throw()
    crew.only(c.DisputeFaces(seat=2), clause)
    crew.land(4, 3)
    crew.refused(c.DisputeFaces(seat=7))
    crew.do(c.DisputeFaces(seat=2))
    crew.only(c.CallRoll(by=crew.role("call"), total=7), clause)
    decider = min(_deciders(clause))
    crew.do(_decide(decider, 4, 3))
    crew.call()
    crew.do(c.DisputeFaces(seat=1))  # still open after the call
    crew.only(c.Settle(by="dealer"), clause)
    crew.do(_decide(decider, 4, 2))
    crew.refused(c.Settle(by="dealer"))  # the total is called anew
    crew.call()
    crew.settle()
    crew.only(c.DisputeFaces(seat=2), clause)
    assert crew.table.position.puck == 0
    assert crew.rack(1) == 5_010_00


@pytest.mark.clause("CO-2319-decide")
def test_CO_2319_decide__no_dealer_overrides() -> None:
    """CO-2319-decide: not the dealer, and the stickperson is one."""
    assert row("CO-2319-decide").values["not"] == "dealer"
    crew = _disputed("CO-2319-decide")
    for by in ("dealer", "stickperson"):
        crew.only(_decide(by, 4, 4), "CO-2319-decide")
