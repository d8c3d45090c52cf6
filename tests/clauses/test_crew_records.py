"""Records of who does what at a table: who is bound by the rules, in charge of it, draws the dice in after the call."""

from __future__ import annotations

from typing import get_args

import pytest

from passline.authority.roles import Role
from passline.game import commands as c
from passline.rules.elections import HouseBreaches
from passline.rules.explain.sections import sections
from passline.rules.rules import Rules
from passline.rules.schema import cites_of
from tests.clauses.crew import ROLES, Crew, listed, marked, row

_ROLES: tuple[Role, ...] = get_args(Role)
_BELOW: tuple[Role, ...] = ("dealer", "stickperson", "player")


def _on_the_card(rules: Rules, clause: str) -> set[str]:
    """Who has a duty that cites a clause, as the crew's card says it."""
    duties = [line for part in sections(rules) if part.title == "Duties" for line in part.lines]
    return {who for line in duties if clause in line.clauses for who in line.about.replace(",", " or").split(" or ")}


@pytest.mark.clause("CO-2301-bind")
def test_CO_2301_bind__players_and_the_house_are_held_to_the_same_rules() -> None:
    """CO-2301-bind: a player's wager and a licensee's house that break a rule are refused, whoever asks for it."""
    assert listed("CO-2301-bind", "binds") == ("licensee", "player")
    bound = Rules.of("colorado").game.duties["follow_rules"]
    assert {*bound.by} == {*ROLES}
    assert "CO-2301-bind" in cites_of(bound.cite)
    crew = Crew("colorado").come_out()
    for role in ("player", "dealer"):  # below the minimum of the table, for oneself and for another
        crew.refused(crew.making("field", seat=2, cents=1, by=role))
    with pytest.raises(HouseBreaches):
        Rules.of("colorado", house={"variations": ["double field"]})
    assert "CO-2301-bind" in cites_of(Rules.of("colorado").game.seats.cite)
    crew.do(c.TakeSeat(seat=3))  # everybody who takes part: no number of players is stated
    crew.refused(crew.making("field", seat=3, cents=1))


@pytest.mark.clause("CO-2302-1")
def test_CO_2302_1__the_boxperson_is_in_charge_of_the_table() -> None:
    """CO-2302-1: what a supervisor decides at the table the boxperson does, and neither dealer nor stickperson."""
    assert row("CO-2302-1").values["rank"] == "supervisor"
    assert _on_the_card(Rules.of("colorado"), "CO-2302-1") == {row("CO-2302-1").values["role"]} == {"boxperson"}
    for below in _BELOW:
        crew = _disputed()
        crew.refused(c.DecideDispute(first=5, second=3, by=below))
        crew.do(c.DecideDispute(first=5, second=3, by="boxperson"))
        ordered = Crew("colorado").point()
        ordered.refused(c.OrderDicePassed(reason="delay", by=below))
        ordered.do(c.OrderDicePassed(reason="delay", by="boxperson"))


def _disputed() -> Crew:
    crew = Crew("colorado").point().throw()
    crew.land(5, 3)
    crew.do(c.DisputeFaces(seat=2))
    return crew


@pytest.mark.parametrize(("clause", "game"), [marked("S2-j2.collect", "craps"), marked("S2-j3.collect", "mini_craps")])
def test_the_dice_are_drawn_in_after_the_call_by_whom_the_rule_names(clause: str, game: str) -> None:
    """S2-j2.collect, S2-j3.collect: nobody sends the dice on before the call, and only they do it after."""
    drawn_in_by = {*listed(clause, "by")}
    assert _on_the_card(Rules.of("section2", game=game), clause) == drawn_in_by
    for role in _ROLES:
        crew = Crew("section2", game=game).point().throw()
        crew.land(5, 3)
        crew.refused(c.PassDice(by=role))  # they lie where they fell until the roll is called
        crew.call()
        crew.settle()
        if role in drawn_in_by:
            crew.do(c.PassDice(by=role))
        else:
            crew.refused(c.PassDice(by=role))
