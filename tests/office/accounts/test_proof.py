"""Actual less expected win: exactly zero on average over all outcomes of short hands, and near it over long ones.

Layouts have what random players put there under the rules of each house, taken down and called off between rolls; which
wagers those are is left to chance. Only Colorado's house takes tips, and nobody brings coupons.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from msgspec.structs import replace

from passline.dice import OUTCOMES
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table
from passline.game.refusal import Refused
from passline.office.accounts.accrual import Accrual, entry_accrual
from passline.rules.rules import Rules
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from tests.game.random_commands import Commands
from tests.tables.sitting import LABORATORY, PLAYERS, Sitting

HOUSES = {
    "colorado": {"tip_wagers": True},
    "arizona": {},
    "maryland": {},
    "section2": {},
}
"""A house of each regulation; that of Colorado takes tips."""


def _table(regulation: str) -> LiveTable:
    sitting = Sitting(regulation, house={"seats": 3, **HOUSES[regulation]}, approvals=LABORATORY, bank=900_000_00)
    for seat, who in enumerate(PLAYERS[:2], start=1):
        sitting.sit(who, seat, 100_000_00)
    return sitting.table


def _after(live: LiveTable, table: Table) -> LiveTable:
    """The live table with another game: the accounts look at nothing else of it here."""
    return replace(live, game=table)


def _act(live: LiveTable, rules: Rules, command: c.Command) -> tuple[LiveTable, Accrual, bool] | None:
    """What a command leads to, what it adds to the accounts, and whether it rolled the dice."""
    outcome = act(rules, live.game, command)
    if isinstance(outcome, Refused):
        return None
    events, table = outcome
    after = _after(live, table)
    return after, entry_accrual(live, after, events).total, any(isinstance(one, e.RollSettled) for one in events)


def _stirred(live: LiveTable, rules: Rules, random: Random, acts: int) -> tuple[LiveTable, Accrual]:
    """The table after random acts that roll no dice, and what they add."""
    commands, total = Commands(rules), Accrual()
    for _ in range(acts):
        command = commands.draw(random, live.game)
        if isinstance(command, c.RollDice | c.ThrowDice | c.LandDice | c.LeaveSeat):
            continue
        if (done := _act(live, rules, command)) is not None and not done[2]:
            live, total = done[0], total + done[1]
    return live, total


def _mean_and_variance(
    live: LiveTable, rules: Rules, random: Random, rolls: int
) -> tuple[Fraction, Fraction, Fraction]:
    """The mean of the luck over all outcomes of so many rolls, its mean square, and the mean of the stated variance."""
    if not rolls:
        return Fraction(0), Fraction(0), Fraction(0)
    live, _ = _stirred(live, rules, random, 6)
    means, squares, stated = Fraction(0), Fraction(0), Fraction(0)
    for roll in OUTCOMES:
        done = _act(live, rules, c.RollDice(first=roll.first, second=roll.second))
        if done is None:
            return Fraction(0), Fraction(0), Fraction(0)  # nobody has the dice
        after, accrual, _ = done
        mean, square, variance = _mean_and_variance(after, rules, random, rolls - 1)
        means += accrual.luck + mean
        squares += accrual.luck**2 + 2 * accrual.luck * mean + square
        stated += accrual.variance + variance
    return means / 36, squares / 36, stated / 36


@pytest.mark.long
@pytest.mark.parametrize("regulation", HOUSES)
def test_luck_has_mean_zero_and_the_stated_variance_over_all_outcomes_of_two_rolls(regulation: str) -> None:
    live = _table(regulation)
    rules = rules_of(live)
    stated = Fraction(0)
    for seed in range(16, 30):
        random = Random(seed)
        mean, square, stated = _mean_and_variance(_started(live, rules, random), rules, random, 2)
        assert mean == 0
        assert square == stated
        if stated:
            break  # otherwise nobody has the dice after those acts
    assert stated > 0


def _started(live: LiveTable, rules: Rules, random: Random) -> LiveTable:
    """A table at which somebody has a line wager and the dice, after many other acts."""
    position = live.game.position
    for command in (
        c.AcceptDice(seat=position.offered_to or 1),
        c.MakeWager(seat=1, wager="pass", cents=10_00),
        c.MakeWager(seat=2, wager="pass", cents=10_00),
    ):
        if (done := _act(live, rules, command)) is not None:
            live = done[0]
    return _stirred(live, rules, random, 60)[0]


def _simulated(regulation: str, seed: int, rolls: int) -> Accrual:
    """What random players bring over so many rolls, settled by the engine."""
    live = _table(regulation)
    rules, random, total = rules_of(live), Random(seed), Accrual()
    kept = live = _started(live, rules, random)
    while total.rolls < rolls:
        live, acts = _stirred(live, rules, random, 3)
        roll = random.choice(OUTCOMES)
        done = _act(live, rules, c.RollDice(first=roll.first, second=roll.second))
        total += acts
        if done is None:
            live = kept  # nobody shoots, or a wager waits for somebody: begin again
            continue
        live, accrual, _ = done
        total += accrual
        if min(live.game.money.racks[:2]) < 1_000_00:
            live = kept
    return total


def _check(regulation: str, rolls: int) -> None:
    total = _simulated(regulation, 16, rolls)
    assert total.deviations is not None
    assert abs(total.deviations) < 4
    assert total.theoretical > 0


@pytest.mark.long
@pytest.mark.parametrize("regulation", HOUSES)
def test_luck_stays_within_four_standard_deviations(regulation: str) -> None:
    _check(regulation, 250)


@pytest.mark.sweep
@pytest.mark.parametrize("regulation", HOUSES)
def test_luck_stays_within_four_standard_deviations_over_a_million_rolls(regulation: str) -> None:
    _check(regulation, 250_000)
