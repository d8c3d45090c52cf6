"""The record clauses that the game owns: each is printed on the crew's card or recorded in an event."""

from __future__ import annotations

from typing import Any

import pytest

from passline.authority.roles import Role
from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.explain.sections import sections
from passline.rules.explain.wagers import CitedLine
from passline.rules.rules import Rules
from tests.clauses.crew import Crew
from tests.clauses.table import ANN, BOB, SHOOTER, Play, cites
from tests.rules.election_cases import regulation_of, value

EVERYBODY = "everybody"
CREW_OF_MINI = "dealer or stickperson"
# clause, game, who has the duty, and words it is printed with
DUTIES = [
    ("CO-BASIS", "craps", EVERYBODY, "keeps to Rule 23"),
    ("CO-2301-bind", "craps", EVERYBODY, "keeps to Rule 23"),
    ("CO-2302-1", "craps", value("CO-2302-1", "role"), value("CO-2302-1", "rank")),
    ("CO-2302-9", "craps", value("CO-2302-9", "role"), "calls the rolls and works the stick"),
    ("CO-2309-1-control", "craps", value("CO-2309-1-control", "custodian"), "controls the dice"),
    ("CO-2309-3-cup", "craps", "stickperson", "to the cup, directly in front of the stickperson"),
    ("CO-2310-far", "craps", "shooter", value("CO-2310-far", "target").replace("_", " ")),
    ("CO-2313-4-cup", "craps", "stickperson", "to the cup, directly in front of the stickperson"),
    ("S2-c2.convert", "craps", "dealer", "cash of a spoken wager into chips or plaques"),
    ("S2-c2.convert", "mini_craps", "dealer", "cash of a spoken wager into chips or plaques"),
    ("S2-g1.ctrl.craps", "craps", value("S2-g1.ctrl.craps", "dice_control"), "controls the dice"),
    ("S2-g1.ctrl.ministick", "mini_craps", CREW_OF_MINI, "controls the dice"),
    ("S2-g1.ctrl.mini", "mini_craps", CREW_OF_MINI, "controls the dice"),
    ("S2-g3.rest", "craps", "stickperson", "returns the dice not picked to the cup"),
    ("S2-g3.rest", "mini_craps", CREW_OF_MINI, "returns the dice not picked to the cup"),
    ("S2-h1.wall", "craps", "shooter", value("S2-h1.wall", "target").replace("_", " ")),
    ("S2-h1.wall", "mini_craps", "shooter", value("S2-h1.wall", "target").replace("_", " ")),
    ("S2-j2.collect", "craps", value("S2-j2.collect", "by"), "midway between stickperson and boxperson"),
    ("S2-j3.collect", "mini_craps", CREW_OF_MINI, "to the middle of the table after the call"),
    ("S2-k4.rest", "craps", "stickperson", "returns the dice not picked to the cup"),
    ("S2-k4.rest", "mini_craps", CREW_OF_MINI, "returns the dice not picked to the cup"),
    ("AZ-I.1", "craps", value("AZ-I.1", "role"), "supervises this table, and no other"),
    ("AZ-I.3", "craps", value("AZ-I.3", "role"), "operates the game, applies the house rules and pays"),
    ("AZ-I.6-a", "craps", "stickperson", "controls the dice between rolls and delivers them with a stick"),
    ("MD-4.C.2", "craps", "dealer", "cash of a spoken wager into value chips or plaques"),
    ("MD-4.C.2", "mini_craps", "dealer", "cash of a spoken wager into value chips or plaques"),
    ("MD-7.A.1", "craps", value("MD-7.A.1", "controller"), "controls the dice"),
    ("MD-7.A.1", "mini_craps", CREW_OF_MINI, "controls the dice"),
    ("MD-7.A.2", "mini_craps", CREW_OF_MINI, "controls the dice"),
    ("MD-7.A.3", "craps", "stickperson", "keeps all dice not in play in the cup"),
    ("MD-7.A.3", "mini_craps", CREW_OF_MINI, "keeps all dice not in play in the cup"),
    ("MD-7.D.1", "craps", "stickperson", "directly in front of the stickperson"),
    ("MD-7.D.2", "mini_craps", CREW_OF_MINI, "directly in front of the dealer or stickperson"),
    ("MD-8.A.far", "craps", "shooter", "throws the dice against the far end"),
    ("MD-8.A.far", "mini_craps", "shooter", "throws the dice against the far end"),
    ("MD-10.F", "craps", "stickperson", "returns the dice not picked to the cup, directly in front of the stickperson"),
    ("MD-10.F", "mini_craps", CREW_OF_MINI, "returns the dice not picked to the cup"),
]
# clause, game, whether the table has a stickperson, and who then controls the dice
CONTROL = [
    ("CO-2309-1-control", "craps", True, value("CO-2309-1-control", "custodian")),
    ("S2-g1.ctrl.craps", "craps", True, value("S2-g1.ctrl.craps", "dice_control")),
    ("S2-g1.ctrl.ministick", "mini_craps", True, value("S2-g1.ctrl.ministick", "dice_control")),
    ("S2-g1.ctrl.mini", "mini_craps", False, value("S2-g1.ctrl.mini", "dice_control")),
    ("AZ-I.6-a", "craps", True, "stickperson"),
    ("MD-7.A.1", "craps", True, value("MD-7.A.1", "controller")),
    ("MD-7.A.1", "mini_craps", True, value("MD-7.A.1", "controller")),
    ("MD-7.A.2", "mini_craps", False, value("MD-7.A.2", "controller")),
]
CUP = [
    *(("CO-2309-3-cup", "craps"), ("S2-g3.rest", "craps"), ("S2-g3.rest", "mini_craps"), ("MD-7.A.3", "craps")),
    *(("MD-7.A.3", "mini_craps"), ("MD-7.D.1", "craps"), ("MD-7.D.2", "mini_craps")),
]
CUP_AGAIN = [
    *(("CO-2313-4-cup", "craps"), ("S2-k4.rest", "craps"), ("S2-k4.rest", "mini_craps")),
    *(("MD-10.F", "craps"), ("MD-10.F", "mini_craps")),
]
# Duties of hands and eyes, which nothing but the crew's card has: printed and tested so, but not claimed as held.
PRINTED = {"CO-2301-bind", "CO-2302-1", "S2-j2.collect", "S2-j3.collect", "AZ-I.1"}
BELOW = {"S2-d1.to", "S2-d1.for", "AZ-P.1", "AZ-I.0"}


def each(cases: list[Any], names: str) -> pytest.MarkDecorator:
    """Run a test for each case; its first value is the clause it checks, and claims unless it is only printed."""
    values = [
        pytest.param(*one, marks=() if one[0] in PRINTED else pytest.mark.clause(one[0]), id=f"{one[0]}-{index}")
        for index, one in enumerate(cases)
    ]
    return pytest.mark.parametrize(names.split(), values)


def printed(name: str, title: str, game: str = "craps", **house: object) -> list[CitedLine]:
    """Return the lines under a heading of the rules in words."""
    rules = Rules.of(name, game=game, house=house)
    return [line for part in sections(rules) if part.title == title for line in part.lines]


@each(DUTIES, "clause game who words")
def test_a_duty_is_printed_with_who_has_it(clause: str, game: str, who: str, words: str) -> None:
    cited = [line for line in printed(regulation_of(clause), "Duties", game) if clause in line.clauses]
    assert [(line.about, words in line.says) for line in cited] == [(who, True)], cited


@each(CONTROL, "clause game stickperson controller")
def test_the_dice_are_recorded_as_controlled_by(clause: str, game: str, *, stickperson: bool, controller: str) -> None:
    rules = Rules.of(regulation_of(clause), game=game, house={"stickperson": stickperson})
    table = Play(rules)
    chosen = table.do(c.AcceptDice(seat=SHOOTER))[-1]
    assert isinstance(chosen, e.DiceChosen)
    assert chosen.controlled_by == controller
    duty = [
        line
        for line in printed(regulation_of(clause), "Duties", game, stickperson=stickperson)
        if clause in line.clauses
    ]
    assert controller in duty[0].about
    assert ("stickperson" in duty[0].about) is stickperson


@each(CUP, "clause game")
def test_the_dice_not_picked_are_recorded_as_back_in_the_cup(clause: str, game: str) -> None:
    for dice in (5, 7):
        table = Play(Rules.of(regulation_of(clause), game=game, house={"dice_set": dice}))
        chosen = table.do(c.AcceptDice(seat=SHOOTER))[-1]
        assert isinstance(chosen, e.DiceChosen)
        assert (len(chosen.chosen), chosen.cupped) == (2, dice - 2)


@each(CUP_AGAIN, "clause game")
def test_a_new_shooter_s_other_dice_go_back_to_the_cup(clause: str, game: str) -> None:
    table = Play(Rules.of(regulation_of(clause), game=game, house={"dice_set": 6})).shoots()
    table.do(c.SurrenderDice(seat=SHOOTER))
    chosen = table.do(c.AcceptDice(seat=ANN))[-1]
    assert isinstance(chosen, e.DiceChosen)
    assert (chosen.seat, chosen.cupped) == (ANN, 4)


@pytest.mark.parametrize(
    "clause",
    [pytest.param(clause, marks=pytest.mark.clause(clause), id=clause) for clause in ("S2-c2.convert", "MD-4.C.2")],
)
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_the_cash_of_a_spoken_wager_is_changed_at_once(clause: str, game: str) -> None:
    """The change is recorded before the wager: cash to the drop, chips on the layout, the rack as it was."""
    table = Play(Rules.of(regulation_of(clause), game=game)).shoots()
    drop = table.table.money.drop
    for seat, cents in ((ANN, 20_00), (BOB, 35_00)):
        rack = table.rack(seat)
        changed, made = table.do(c.MakeWager(seat=seat, wager="pass", cents=cents, media=("cash",)))
        assert isinstance(changed, e.BuyInMade)
        assert (changed.seat, changed.cents) == (seat, cents)
        assert isinstance(made, e.WagerMade)
        assert (made.after.cents, table.rack(seat)) == (cents, rack)
    assert table.table.money.drop == drop + 55_00
    by_hand = Play(Rules.of(regulation_of(clause), game=game, automate=frozenset()))
    by_hand.do(c.MakeWager(seat=ANN, wager="pass", cents=20_00, media=("cash",)))
    confirmed = by_hand.do(c.ConfirmWager(seat=ANN, wager="pass", by="dealer"))
    assert clause in cites(confirmed)


@pytest.mark.clause("CO-2302-9")
def test_CO_2302_9__the_call_of_a_roll_is_recorded_when_the_stickperson_makes_it() -> None:
    """CO-2302-9: the one who works the stick calls the rolls, and nobody else does."""
    assert value("CO-2302-9", "role") == "stickperson"
    others: tuple[Role, ...] = ("dealer", "boxperson", "floorperson")
    crew = Crew("colorado").come_out().throw()
    crew.land(2, 4)
    for other in others:
        crew.refused(c.CallRoll(by=other, total=6))
    assert crew.one(c.CallRoll(by="stickperson", total=6), e.RollCalled).total == 6


@pytest.mark.clause("AZ-I.3")
def test_AZ_I_3__wagers_are_settled_when_the_dealer_settles_them() -> None:
    """AZ-I.3: the dealer pays and takes, and the settlement is recorded."""
    assert value("AZ-I.3", "role") == "dealer"
    others: tuple[Role, ...] = ("stickperson", "boxperson", "floorperson")
    crew = Crew("arizona").come_out().throw()
    crew.land(6, 5)
    crew.call()
    for other in others:
        crew.refused(c.Settle(by=other))
    happened = crew.do(c.Settle(by="dealer"))
    assert [type(one) for one in happened] == [e.WagerWon, e.RollSettled]


@pytest.mark.parametrize(
    ("clause", "game"),
    [
        pytest.param(clause, game, marks=pytest.mark.clause(clause), id=f"{clause}-{game}")
        for clause, game, *_ in DUTIES
        if clause in {"CO-2310-far", "S2-h1.wall", "MD-8.A.far"}
    ],
)
def test_a_throw_that_falls_short_of_the_far_end_is_recorded_as_void(clause: str, game: str) -> None:
    """The duty is the shooter's; the crew calls the breach, which is recorded with its reason."""
    crew = Crew(regulation_of(clause), game=game).come_out().throw()
    voided = crew.one(c.CallNoRoll(by="stickperson", reason="short_throw"), e.RollVoided)
    assert (voided.reason, voided.by, crew.table.position.dice) == ("short_throw", "stickperson", "held")


@pytest.mark.clause("CO-BASIS")
def test_CO_BASIS__the_rules_name_their_rule_their_statutes_and_their_date() -> None:
    """CO-BASIS: the text in force is named by rule, statutes and newest amendment."""
    (title, *_), head = (part.title for part in sections(Rules.of("colorado"))), sections(Rules.of("colorado"))[0]
    says = {line.about: line.says for line in head.lines}
    assert f"Rule {value('CO-BASIS', 'rule')}" in title
    assert says["statutes"].split(", ") == value("CO-BASIS", "statutes").split("|")
    assert says["amended"] == f"to {value('CO-BASIS', 'latest_amendment')}"


@pytest.mark.clause("AZ-P.1")
def test_AZ_P_1__only_what_the_approved_rules_have_is_offered() -> None:
    """AZ-P.1: craps is offered under the Compact alone, and a house may be stricter than it, never laxer."""
    wagers = next(line for line in printed("arizona", "The game") if line.about == "wagers")
    assert "AZ-P.1" in wagers.clauses
    assert "only those" in wagers.says
    readings = [line.says for line in printed("arizona", "Readings") if "AZ-P.1" in line.clauses]
    assert any("stricter" in reading and "never laxer" in reading for reading in readings)
    table = Play(Rules.of("arizona")).shoots()
    assert "AZ-P.1" in cites(table.refuse(c.MakeWager(seat=ANN, wager="six_seven_eight", cents=5_00)))


@pytest.mark.clause("AZ-I.0")
def test_AZ_I_0__words_left_undefined_have_their_usual_meaning() -> None:
    """AZ-I.0: a come-out roll opens the game or follows a decision of the line."""
    assert [line.about for line in printed("arizona", "The game") if "AZ-I.0" in line.clauses] == ["come-out roll"]
    table = Play(Rules.of("arizona")).shoots()
    table.roll("2-4")
    decided = table.roll("3-3")
    puck = [event for event in decided if isinstance(event, e.PuckMoved)]
    assert [(event.point, "AZ-I.0" in cites([event])) for event in puck] == [(0, True)]


def test_every_record_of_the_game_is_printed_or_recorded() -> None:
    rows = {
        row.id
        for name in REGULATIONS
        for row in clauses_of(name).values()
        if row.kind == "record" and row.part == "game"
    }
    assert len(rows) == 32
    assert {one[0] for one in (*DUTIES, *CONTROL, *CUP, *CUP_AGAIN)} | BELOW == rows
