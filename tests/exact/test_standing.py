"""The value of a standing layout against the engine: on average a roll changes chips and value by nothing."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from passline.automaton.standing import standings_on
from passline.dice import OUTCOMES
from passline.exact.standing import StandingValues
from passline.game import commands as c
from passline.game.decide import act
from passline.game.position import Table
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.tables.rules_in_force import rules_of
from tests.cases import one_in
from tests.tables.random_commands import play_randomly
from tests.tables.sitting import LABORATORY, PLAYERS, Sitting

pytestmark = pytest.mark.long


def house_money(table: Table) -> int:
    """The bank and the cash box: what the house has of the players'."""
    return table.money.bank + table.money.drop


def rolled(rules: Rules, table: Table, first: int, second: int) -> Table | None:
    """The table after a whole roll, or None where the dice are not to be thrown."""
    outcome = act(rules, table, c.RollDice(first=first, second=second))
    return None if isinstance(outcome, Refused) else outcome[1]


@pytest.mark.parametrize("seed", one_in(8, range(8), others=pytest.mark.whole))
@pytest.mark.parametrize("regulation", ["colorado", "arizona", "maryland", "section2"])
def test_every_roll_has_mean_zero_and_the_stated_variance(regulation: str, seed: int) -> None:
    chance = Random(seed)
    sitting = Sitting(regulation, house={"seats": 4}, approvals=LABORATORY)
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    sitting.shoot(PLAYERS[0])
    sitting.wager(PLAYERS[0], "pass", 10_00)
    check_roll(sitting)
    for _ in range(30):
        play_randomly(sitting, chance, 6)
        if sitting.table.status == "open" and sitting.table.game.position.dice == "held":
            check_roll(sitting)


def check_roll(sitting: Sitting) -> None:
    """Throw all 36 outcomes from where the table is: chips and value together change by nothing on average."""
    rules, table = rules_of(sitting.table), sitting.table.game
    values = StandingValues(rules)
    before = values.value(standings_on(rules, table.position))
    changes = []
    for roll in OUTCOMES:
        after = rolled(rules, table, roll.first, roll.second)
        if after is None:
            return
        won = house_money(after) - house_money(table)
        changes.append(values.value(standings_on(rules, after.position)) - before - won)
    assert sum(changes) == 0, table.position
    assert Fraction(sum(one**2 for one in changes), 36) == values.variance(standings_on(rules, table.position))
