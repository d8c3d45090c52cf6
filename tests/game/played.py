"""Commands played one after another at a new table, for tests of a few lines."""

from __future__ import annotations

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, open_table
from passline.refusal import Refused
from passline.rules.rules import Rules

OPENING = (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=500_00), c.AcceptDice(seat=1))


def played(rules: Rules, *commands: c.Command) -> tuple[tuple[e.Event, ...], Table]:
    """Play commands that must not be refused; return all events and the table after them."""
    table = open_table(rules, bank=10_000_00)
    log: tuple[e.Event, ...] = ()
    for command in commands:
        outcome = act(rules, table, command)
        assert not isinstance(outcome, Refused), f"{command}: {outcome}"
        log, table = log + outcome[0], outcome[1]
    return log, table


def refused(rules: Rules, table: Table, command: c.Command) -> str:
    """Return the refusal of a command as text; fail if it is not refused."""
    outcome = act(rules, table, command)
    assert isinstance(outcome, Refused), f"{command} was not refused"
    return str(outcome)
