"""Who may do what, game by game: every act is tried by every role, and the answers are compared with one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.decide import decide
from passline.game.refusal import Refused
from passline.rules.schema import cites_of
from tests.clauses.crew import ROLES, Crew

_SHORT = {"d": "dealer", "s": "stickperson", "b": "boxperson", "f": "floorperson", "p": "player", "h": "shooter"}

# Letters name roles: d dealer, s stickperson, b boxperson, f floorperson, p player, h shooter.
_CRAPS = {"offer": "s", "call": "s", "pass": "s", "order": "b", "no roll": "bs", "improper": "bs", "dispute": "b"}
_MINI = {"offer": "ds", "call": "ds", "pass": "ds", "order": "d", "no roll": "dsf", "improper": "ds", "dispute": "f"}
_EVERYWHERE = {"settle": "d", "accept": "ph", "choose": "ph", "throw": "ph", "land": "dsbf", "surrender": "ph"}
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


def _nothing(_crew: Crew) -> None:
    """The dice are in the cup."""


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
    """CO-2309-2-first, MD-9.F.1, S2-j2.pass: automated, the steps of the crew follow of themselves."""
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
    no_bank = (name, game) == ("section2", "mini_craps")
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
