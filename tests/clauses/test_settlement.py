"""From the dice at rest to the next throw: the call, the settlement, the dice passed back, and void throws."""

import pytest

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from passline.rules.clauses import Clause, clauses_of
from tests.clauses.table import ANN, BOB, SHOOTER, Play, cites, rules_of, settled

BY_HAND = frozenset({"offer", "choose", "confirm", "button"})


def _params(*clauses: str) -> list[object]:
    names = {"CO": "colorado", "S2": "section2", "MD": "maryland"}
    return [
        pytest.param(names[one[:2]], clauses_of(names[one[:2]])[one], marks=pytest.mark.clause(one), id=one)
        for one in clauses
    ]


def _landed(regulation: str, game: str, first: int, second: int) -> Play:
    play = Play(rules_of(regulation, game=game, automate=BY_HAND)).shoots()
    play.make(ANN, "field", 5_00)
    play.make(BOB, "field", 15_00)
    play.do(c.ThrowDice(seat=SHOOTER))
    play.do(c.LandDice(first=first, second=second, by="stickperson"))
    return play


@pytest.mark.clause("CO-2312-1-call")
def test_CO_2312_1_call__the_stickperson_calls_the_total_of_the_upper_faces() -> None:
    """CO-2312-1-call: that total and no other, by nobody else, before anything is settled."""
    for roll in OUTCOMES:
        play = _landed("colorado", "craps", roll.first, roll.second)
        for wrong in (roll.total - 1, roll.total + 1):
            assert "CO-2312-1-call" in cites(play.refuse(c.CallRoll(total=wrong, by="stickperson")))
        assert play.refuse(c.Settle(by="dealer"))
        (called,) = play.do(c.CallRoll(total=roll.total, by="stickperson"))
        assert isinstance(called, e.RollCalled)
        assert called.total == roll.total
        assert "CO-2312-1-call" in cites([called])
    play = _landed("colorado", "craps", 2, 3)
    for role in ("player", "shooter", "dealer", "boxperson", "floorperson"):
        assert "CO-2312-1-call" in cites(play.refuse(c.CallRoll(total=5, by=role)))


@pytest.mark.parametrize(("regulation", "row"), _params("S2-j2.settle", "S2-j3.settle", "MD-9.F.1", "MD-9.G.1"))
def test_every_wager_is_settled_before_the_dice_go_back(regulation: str, row: Clause) -> None:
    """S2-j2.settle, S2-j3.settle, MD-9.F.1, MD-9.G.1: call, settle, pass, in that order; no throw in between."""
    game = {"mini": "mini_craps"}.get(row.values["game"], row.values["game"])
    assert row.values["order"] == "call>collect>settle>pass"
    play = _landed(regulation, game, 4, 6)
    passer = play.rules.procedures.throw.passed_by.by[0]
    caller = play.rules.procedures.throw.called_by.by[0]
    throw, settle, back = c.ThrowDice(seat=SHOOTER), c.Settle(by="dealer"), c.PassDice(by=passer)
    for command in (throw, settle, back):
        assert row.id in cites(play.refuse(command))
    play.do(c.CallRoll(total=10, by=caller))
    for command in (throw, back, c.Settle(by="player")):
        assert row.id in cites(play.refuse(command))
    before = play.rack(ANN), play.rack(BOB)
    happened = play.do(settle)
    assert [type(event) for event in settled(happened, ANN, "field")] == [e.WagerWon]
    assert (play.rack(ANN) - before[0], play.rack(BOB) - before[1]) == (10_00, 30_00)
    assert row.id in cites(event for event in happened if isinstance(event, e.RollSettled))
    assert row.id in cites(play.refuse(throw))
    assert row.id in cites(play.refuse(settle))
    play.do(back)
    play.do(throw)


@pytest.mark.clause("S2-i1.effect")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
@pytest.mark.parametrize("lie", ["off_table", "stacked", "no_roll"])
@pytest.mark.parametrize("has_point", [False, True])
def test_S2_i1_effect__a_void_throw_decides_nothing_and_is_thrown_again(
    game: str, lie: str, *, has_point: bool
) -> None:
    """S2-i1.effect: wagers, racks and puck are as before, whatever the faces, and the shooter throws again."""
    assert clauses_of("section2")["S2-i1.effect"].values == {"invalid_roll": "no_decision", "action": "rethrow"}
    play = Play(rules_of("section2", game=game)).shoots()
    if has_point:
        play.roll("2-4")
    play.make(ANN, "field", 5_00)
    play.make(BOB, "any_seven", 2_00)
    before = play.table
    play.do(c.ThrowDice(seat=SHOOTER))
    if lie == "no_roll":
        (voided, *_) = play.do(c.CallNoRoll(reason="short_throw", by="stickperson"))
    else:
        (voided, *_) = play.do(c.LandDice(first=3, second=4, second_lie=lie, by="stickperson"))
    assert isinstance(voided, e.RollVoided)
    assert "S2-i1.effect" in cites([voided])
    assert (play.table.position.layout, play.table.money) == (before.position.layout, before.money)
    assert (play.table.position.puck, play.table.position.shooter) == (before.position.puck, SHOOTER)
    play.do(c.ThrowDice(seat=SHOOTER))
    assert settled(play.do(c.LandDice(first=3, second=4, by="stickperson")), ANN)
