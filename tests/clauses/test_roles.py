"""Roles: every command is tried by every role in every game, and the answers are compared with one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.decide import decide
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED
from passline.rules.schema import Cite, cites_of
from tests.clauses.crew import ROLES, Crew

_SHORT = {"d": "dealer", "s": "stickperson", "b": "boxperson", "f": "floorperson", "p": "player", "h": "shooter"}

# Letters name roles: d dealer, s stickperson, b boxperson, f floorperson, p player, h shooter.
_CRAPS = {"offer": "s", "call": "s", "pass": "s", "order": "b", "no roll": "bs", "improper": "bs", "dispute": "b"}
_MINI = {"offer": "ds", "call": "ds", "pass": "ds", "order": "d", "no roll": "dsf", "improper": "ds", "dispute": "f"}
_EVERYWHERE = {"settle": "d", "accept": "p", "choose": "ph", "throw": "ph", "land": "dsbf", "surrender": "ph"}
_EVERYWHERE |= {"fill": "bf", "credit": "bf", "buy in": "pd", "come": "p", "leave": "p", "stand": "p", "sit": "p"}
_EVERYWHERE |= {"disputed by": "p", "make": "phds", "make for another": "pds", "remove": "pds", "reduce": "pds"}
_EVERYWHERE |= {"call on": "p", "decline": "p", "decline line": "ph", "leave as shooter": ""}
_TABLE: dict[tuple[str, str], dict[str, str]] = {
    ("colorado", "craps"): {**_CRAPS, "settle": "ds", "dispute": "bf", "button": "ds"},
    ("section2", "craps"): {**_CRAPS, "button": "d"},
    ("arizona", "craps"): {**_CRAPS, "dispute": "f", "button": "d"},
    ("maryland", "craps"): {**_CRAPS, "button": "d"},
    ("section2", "mini_craps"): {**_MINI, "button": "d"},
    ("maryland", "mini_craps"): {**_MINI, "button": "d"},
}


def _offered(crew: Crew) -> None:
    crew.offer()


def _accepted(crew: Crew) -> None:
    crew.offer()
    crew.do(c.AcceptDice(seat=1))


def _point(crew: Crew) -> None:
    crew.point()


def _air(crew: Crew) -> None:
    crew.point().throw()


def _rest(crew: Crew) -> None:
    _air(crew)
    crew.land(5, 3)


def _disputed(crew: Crew) -> None:
    _rest(crew)
    crew.do(c.DisputeFaces(seat=2))


def _called(crew: Crew) -> None:
    _rest(crew)
    crew.call()


def _settled(crew: Crew) -> None:
    _called(crew)
    crew.settle()


def _call_made(crew: Crew) -> None:
    crew.come_out()
    crew.make("place_win", seat=2, number=6, cents=12_00)
    crew.do(c.CallWager(seat=2, wager="place_win", number=6, call="on"))


def _stood(crew: Crew) -> None:
    crew.do(c.StandUp(seat=2))


def _placed(crew: Crew) -> None:
    crew.come_out()
    crew.make("place_win", seat=2, number=6, cents=24_00)


def _chosen(crew: Crew) -> None:
    crew.shoot(1)


def _nothing(_crew: Crew) -> None:
    """Do nothing: the dice are in the cup."""


_ACTS: dict[str, tuple[Callable[[Crew], None], Any]] = {
    "offer": (_nothing, c.OfferDice(dice=5)),
    "accept": (_offered, c.AcceptDice(seat=1)),
    "choose": (_accepted, c.ChooseDice(seat=1, chosen=(1, 2))),
    "throw": (_point, c.ThrowDice(seat=1)),
    "surrender": (_point, c.SurrenderDice(seat=1)),
    "order": (_point, c.OrderDicePassed(reason="delay")),
    "land": (_air, c.LandDice(first=5, second=3)),
    "no roll": (_air, c.CallNoRoll(reason="short_throw")),
    "improper": (_air, c.CallNoRoll(reason="improper")),
    "dispute": (_disputed, c.DecideDispute(first=5, second=3)),
    "call": (_rest, c.CallRoll(total=8)),
    "settle": (_called, c.Settle()),
    "pass": (_settled, c.PassDice()),
    "fill": (_nothing, c.Fill(cents=100_00)),
    "credit": (_nothing, c.Credit(cents=100_00)),
    "buy in": (_nothing, c.BuyIn(seat=2, cents=100_00)),
    "come": (_nothing, c.TakeSeat(seat=3)),
    "leave": (_point, c.LeaveSeat(seat=2)),
    "leave as shooter": (_chosen, c.LeaveSeat(seat=1)),
    "stand": (_point, c.StandUp(seat=2)),
    "sit": (_stood, c.SitDown(seat=2)),
    "disputed by": (_rest, c.DisputeFaces(seat=2)),
    "make": (_point, c.MakeWager(seat=1, wager="field", cents=10_00)),
    "make for another": (_point, c.MakeWager(seat=2, wager="field", cents=10_00)),
    "remove": (_placed, c.RemoveWager(seat=2, wager="place_win", number=6)),
    "reduce": (_placed, c.ReduceWager(seat=2, wager="place_win", number=6, cents=12_00)),
    "call on": (_placed, c.CallWager(seat=2, wager="place_win", number=6, call="on")),
    "decline": (_offered, c.DeclineDice(seat=1)),
    "decline line": (_chosen, c.DeclineLineWager(seat=1)),
    "button": (_call_made, c.PlaceButton(seat=2, wager="place_win", number=6)),
}


@pytest.mark.parametrize(("name", "game"), sorted(_TABLE))
@pytest.mark.parametrize("act", sorted(_ACTS))
def test_every_act_belongs_to_its_roles(name: str, game: str, act: str) -> None:
    """CO-2309-2-first, S2-g2i.first, MD-7.B.1.a and the rows of who does what: these may and nobody else."""
    scene, command = _ACTS[act]
    crew = Crew(name, game=game)
    scene(crew)
    may = {by for by in ROLES if not isinstance(decide(crew.rules, crew.table, replace(command, by=by)), Refused)}
    assert may == {_SHORT[one] for one in {**_EVERYWHERE, **_TABLE[name, game]}[act]}


@pytest.mark.parametrize(("name", "game"), sorted(_TABLE))
def test_a_whole_roll_is_the_shooters(name: str, game: str) -> None:
    """CO-2310-simul, S2-h1.simul, MD-8.A.throw: the crew does not throw."""
    crew = Crew(name, game=game, automate=AUTOMATED)
    crew.do(c.AcceptDice(seat=1))
    crew.make("pass", cents=10_00)
    roll = c.RollDice(first=2, second=4)
    may = {by for by in ROLES if not isinstance(decide(crew.rules, crew.table, replace(roll, by=by)), Refused)}
    assert (may, roll.by) == ({"player", "shooter"}, "shooter")


@pytest.mark.parametrize(("name", "game"), sorted(_TABLE))
def test_a_credit_takes_no_more_than_the_bank_has(name: str, game: str) -> None:
    """MD-4.B and its like: chips that are not there cannot go to the cage."""
    crew = Crew(name, game=game)
    bank = crew.table.money.bank
    refused = crew.refused(c.Credit(cents=bank + crew.rules.chip), *cites_of(_chips(crew)))
    assert [one.why[:8] for one in refused.refusals] == ["the bank"]
    crew.do(c.Credit(cents=bank))
    assert crew.table.money.bank == 0
    crew.do(c.Fill(cents=crew.rules.chip))
    crew.do(c.Credit(cents=crew.rules.chip))


def _chips(crew: Crew) -> Cite:
    return crew.rules.rulebook.general.media["chips"].cite


def test_a_wrong_role_is_named_with_what_else_is_wrong() -> None:
    """MD-4.B, MD-3.B.2, MD-1.B.2: every clause a command breaks, whoever gives it."""
    crew = Crew("maryland").point()
    too_much = c.MakeWager(seat=2, wager="field", cents=6_000_00, by="boxperson")
    crew.refused(too_much, "MD-4.B", "MD-3.B.2", "MD-1.B.2")


@pytest.mark.parametrize("game", ["section2", "maryland"])
def test_without_a_stickperson_the_dealer_does_it_all(game: str) -> None:
    """S2-g2ii.first, MD-7.B.2.a: at mini-craps, where a house may do without one."""
    for act in ("offer", "call", "pass", "no roll", "improper"):
        scene, command = _ACTS[act]
        crew = Crew(game, game="mini_craps", house={"stickperson": False})
        scene(crew)
        assert isinstance(decide(crew.rules, crew.table, replace(command, by="stickperson")), Refused)
        crew.do(replace(command, by="dealer"))


@pytest.mark.parametrize(("name", "game"), sorted(_TABLE))
def test_every_house_step_can_be_automated(name: str, game: str) -> None:
    """CO-2309-2-first, MD-9.F.1, S2-j2.pass: automated, the steps of the crew follow by themselves."""
    crew = Crew(name, game=game, automate=frozenset({"offer", "choose", "call", "settle", "pass"}))
    assert crew.table.position.offered_to == 1
    crew.do(c.AcceptDice(seat=1))
    assert crew.table.position.dice == "held"
    crew.make("pass", cents=10_00)
    crew.do(c.RollDice(first=2, second=4))
    crew.throw()
    crew.land(3, 4)
    assert (crew.table.position.puck, crew.table.position.dice, crew.table.position.offered_to) == (0, "offered", 2)


_LISTS = {"void": {"off_table", "stacked", "two_faces"}, "order": {"delay", "repeated_invalid", "violation"}}
_REASONS = {"not_together", "short_throw", "on_bank", "in_cup", "on_rail", "cheating", "improper"}


@pytest.mark.parametrize(("name", "game"), sorted(_TABLE))
def test_the_lists_of_reasons_are_complete(name: str, game: str) -> None:
    """CO-2311-2, S2-i2, MD-8.C: what voids a throw, what a call may name, what it may not, why dice may be taken."""
    procedures = Crew(name, game=game).rules.procedures
    no_bank = game == "mini_craps"  # no boxperson, so no bank in front of one
    assert set(procedures.throw.void) == _LISTS["void"]
    assert set(procedures.shooter.order_reasons) == _LISTS["order"]
    assert set(procedures.no_roll.reasons) == _REASONS - ({"on_bank"} if no_bank else set())
    coupons = {"touched_coupons"} if name == "section2" else set()
    assert set(procedures.no_roll.no_reason) == {"touched_chips"} | coupons | ({"on_bank"} if no_bank else set())
    timely = {key for key, reason in procedures.no_roll.reasons.items() if reason.before_rest}
    assert timely == ({"not_together", "short_throw", "improper"} if name in {"colorado", "section2"} else set())
    assert (procedures.dice.set_min, procedures.dice.chosen) == (5, 2)
    assert procedures.shooter.line_wagers == ("pass", "dont_pass")
    assert procedures.clearing.wagers == ("come", "dont_come")


def test_arizonas_procedures_are_marked_as_house_rules() -> None:
    """AZ-II.G.2.d.iii, AZ-II.G.2.d.iv: the text has none; each entry says so and cites the duty to supply them."""
    procedures = Crew("arizona").rules.procedures
    rules = [procedures.throw.together, procedures.shooter.surrender, procedures.no_roll, procedures.dispute]
    rules += [*procedures.throw.void.values(), *procedures.no_roll.reasons.values(), procedures.clearing.alone]
    for rule in rules:
        assert rule.reading == "House rule."
        assert {"AZ-II.G.2.d.iii", "AZ-II.G.2.d.iv"} & set(cites_of(rule.cite))
