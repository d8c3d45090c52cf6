"""Who must confirm a wager, and when a tip is allowed."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from passline.authority.roles import Role
from passline.game import commands as c
from passline.rules.rules import AUTOMATED, Rules
from tests.clauses.table import ANN, SHOOTER, Play, make, rules_of
from tests.game.played import OPENING, played, refused


@pytest.mark.parametrize(
    ("by", "pending"), [("player", ("dealer|boxperson|stickperson",)), ("dealer", ()), ("stickperson", ())]
)
def test_a_late_wager_put_up_by_a_confirming_role_needs_no_confirmation(by: Role, pending: tuple[str, ...]) -> None:
    play = Play(rules_of("colorado", automate=AUTOMATED - {"confirm"})).shoots()
    play.do(c.ThrowDice(seat=SHOOTER))
    play.do(replace(make(ANN, "field", 5_00), by=by))
    field = play.find(ANN, "field")
    assert field is not None
    assert field.pending == pending
    assert field.late is bool(pending)


@pytest.mark.clause("CO-2317.04-8-allow")
def test_a_tip_needs_the_players_own_wager_confirmed() -> None:
    """CO-2317.04-8-allow: otherwise the tip would stay up when the unconfirmed wager goes back."""
    house = {"side_wagers": {"front_line_winner": "1"}, "front_line_tips": True}
    rules = Rules.of("colorado", house=house, automate=AUTOMATED - {"confirm", "call", "settle", "pass"})
    line = c.MakeWager(seat=1, wager="pass", cents=10_00)
    own = c.MakeWager(seat=1, wager="front_line_winner", cents=5_00)
    tip = msgspec.structs.replace(own, owner="crew", by="dealer")
    _log, table = played(rules, *OPENING, line, c.ThrowDice(seat=1), own)
    assert "CO-2317.04-8-allow" in refused(rules, table, tip)
    confirmed = c.ConfirmWager(seat=1, wager="front_line_winner", by="dealer")
    _log, table = played(rules, *OPENING, line, c.ThrowDice(seat=1), own, confirmed, tip)
    assert [wager.owner for wager in table.position.layout] == ["crew", "player", "player"]
