"""Settlement: odds that are off, and the shares of the parts of a composite wager."""

from __future__ import annotations

from copy import copy

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.game.position import Wager
from passline.game.settlement import coupon_share, parts_of
from passline.rules.rules import Rules
from tests.clauses.table import ANN, rules_of
from tests.game.played import OPENING, played


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        pytest.param("pass", "AZ-III.J.1-a", marks=pytest.mark.clause("AZ-III.J.1-a"), id="AZ-III.J.1-a"),
        pytest.param("dont_pass", "AZ-III.J.2-a", marks=pytest.mark.clause("AZ-III.J.2-a"), id="AZ-III.J.2-a"),
    ],
)
@pytest.mark.parametrize("roll", [(3, 3), (3, 4)], ids=["point", "seven"])
def test_AZ_III_J__odds_called_off_go_back_when_their_wager_is_decided(
    line: str, clause: str, roll: tuple[int, int]
) -> None:
    """AZ-III.J.1-a, AZ-III.J.2-a: odds cannot stay up without their base wager."""
    odds = f"{line}_odds"
    log, table = played(
        Rules.of("arizona", house={"off_calls": True}),
        *OPENING,
        c.MakeWager(seat=1, wager=line, cents=20_00),
        c.RollDice(first=2, second=4),
        c.MakeWager(seat=1, wager=odds, number=6, cents=30_00),
        c.CallWager(seat=1, wager=odds, number=6, call="off"),
        c.RollDice(first=roll[0], second=roll[1]),
    )
    returned = [event for event in log if isinstance(event, e.WagerReturned)]
    assert [(one.wager.kind, one.wager.cents, one.clause) for one in returned] == [(odds, 30_00, clause)]
    assert table.position.layout == ()


def test_a_part_of_two_units_has_two_shares_of_the_chips_and_of_the_coupon() -> None:
    """Every part is one unit in these rulebooks, but the schema allows more."""
    rules = rules_of("colorado")
    rule = copy(rules.wagers["c_and_e"])
    rule.parts, rule.units = (("any_craps", 2), ("eleven", 1)), 3
    wager = Wager(ANN, "player", "c_and_e", 0, 30_00, coupon=6_00)
    assert parts_of(rules, rule, wager) == [("any_craps", 20_00, 4_00), ("eleven", 10_00, 2_00)]
    assert [coupon_share(rule, wager, part) for part in ("any_craps", "eleven", "")] == [4_00, 2_00, 6_00]
