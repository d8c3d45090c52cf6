"""The fast path of making wagers answers as the full judgement does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.table import ANN, Play, make, rules_of


@pytest.mark.parametrize("number", [0, 6])
def test_repeated_odds_are_judged_by_the_current_layout(number: int) -> None:
    """The same command makes odds, adds to them, and is refused once the line wager is gone."""
    play = Play(rules_of("maryland")).shoots()
    play.make(ANN, "dont_pass", 30_00)
    play.roll("4-2")
    odds, down = make(ANN, "dont_pass_odds", 30_00, number), c.RemoveWager(seat=ANN, wager="dont_pass_odds", number=6)
    for _ in range(2):
        (made,) = play.do(odds)
        assert type(made) is e.WagerMade
        assert made.after == play.find(ANN, "dont_pass_odds", 6)
        (added,) = play.fork().do(odds)
        assert type(added) is e.WagerIncreased
        assert added.wager == made.after
        play.do(down)
    play.do(c.RemoveWager(seat=ANN, wager="dont_pass"))
    play.refuse(odds)


@pytest.mark.parametrize("field", ["seat", "number", "cents", "coupon", "media"])
def test_a_wager_that_cannot_be_hashed_is_refused(field: str) -> None:
    play = Play(rules_of("maryland"))
    strange: dict[str, Any] = {field: [5]}
    assert play.refuse(replace(make(ANN, "field", 5_00), **strange))
