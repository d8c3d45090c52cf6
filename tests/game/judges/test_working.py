"""Calls on wagers: unknown calls, and calls that change nothing."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.rules.schema import clause_text
from tests.clauses.table import ANN, Play, cites, rules_of


@pytest.mark.parametrize("call", ["up", "", "on?"])
def test_a_wager_is_called_on_or_off_and_nothing_else(call: str) -> None:
    play = Play(rules_of("maryland")).shoots()
    play.roll("4-2")
    play.make(ANN, "place_win", 18_00, number=8)
    command = c.CallWager(seat=ANN, wager="place_win", number=8, call=call)
    refusals = play.refuse(command)
    rule = play.rules.wagers["place_win"].entry.come_out
    assert rule is not None
    assert cites(refusals) >= set(clause_text(rule.cite, 8).split(", "))
    assert [one.why for one in refusals] == [f"a wager is called on or off, not {call!r}"]


def test_a_wager_that_works_on_the_come_out_roll_cannot_be_called_on() -> None:
    call = c.CallWager(seat=ANN, wager="hardway", number=8, call="on")
    off, on = (
        Play(rules_of("colorado", house={"hardways_on_come_out": elected})).shoots() for elected in ("off", "on")
    )
    for play in (off, on):
        play.make(ANN, "hardway", 5_00, number=8)
    off.do(call)
    assert [one.why for one in on.refuse(call)] == ["Hard 8 is already on"]
