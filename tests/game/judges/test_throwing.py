"""Wagers that nobody confirmed before the dice rest."""

from __future__ import annotations

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.rules.rules import AUTOMATED, Rules
from tests.game.played import OPENING, played


@pytest.mark.clause("CO-2305-2-late")
def test_CO_2305_2_late__odds_behind_a_late_wager_nobody_confirmed_go_back_with_it() -> None:
    """CO-2305-2-late: the odds were confirmed, but the put wager behind which they stand was not."""
    log, table = played(
        Rules.of("colorado", automate=AUTOMATED - {"confirm"}),
        *OPENING,
        c.MakeWager(seat=1, wager="pass", cents=10_00),
        c.RollDice(first=2, second=4),
        c.ThrowDice(seat=1),
        c.MakeWager(seat=1, wager="put", number=8, cents=10_00),
        c.MakeWager(seat=1, wager="put_odds", number=8, cents=20_00),
        c.ConfirmWager(seat=1, wager="put_odds", number=8, by="dealer"),
        c.LandDice(by="dealer", first=1, second=1),
    )
    returned = [event for event in log if isinstance(event, e.WagerReturned)]
    assert [(one.wager.kind, one.wager.cents) for one in returned] == [("put", 10_00), ("put_odds", 20_00)]
    assert "CO-2305-2-late" in returned[0].clause
    assert [wager.kind for wager in table.position.layout] == ["pass"]
