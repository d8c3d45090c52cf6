"""The bank of a table: what it cannot pay it owes, as an incident in the log, until a fill covers it.

Permissions are refused and facts are recorded. Where the program hands out chips, it hands out none that the bank does
not have; chips that a dealer has handed over at a physical table are recorded, and so is every payment of a roll.
Electronic dice wait until the bank owes nothing.
"""

from __future__ import annotations

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import refusal
from passline.streams.course import Actor
from passline.tables import events as t
from passline.tables.commands import TableCommand
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of


def short_of_chips(live: LiveTable, command: TableCommand, by: Actor) -> Refusal | None:
    """Refuse cash for which the bank has no chips, unless a dealer at a physical table has changed it already."""
    is_changed = isinstance(command, c.BuyIn) or (isinstance(command, c.MakeWager) and "cash" in command.media)
    if not live.terms or not is_changed or (live.dice == "physical" and by.role != PLAYER):
        return None
    cents = command.cents  # type: ignore[union-attr]  # of both
    if type(cents) is not int or cents <= max(live.game.money.bank, 0):
        return None
    why = f"the table has no chips for {dollars(cents)}: change less, or call the floorperson for a fill"
    return refusal(rules_of(live).rulebook.general.media["chips"].cite, why)


def owing_dice(live: LiveTable, rules: Rules) -> list[Refusal]:
    """Refuse a throw of electronic dice while the bank owes chips; how many is the crew's to know."""
    if not live.terms or live.points or live.game.money.bank >= 0:
        return []
    why = "the bank owes chips that it could not pay: the dice wait for a fill; call the floorperson"
    return [refusal(rules.rulebook.general.media["chips"].cite, why)]


def debt_changed(live: LiveTable, bank: int) -> tuple[t.BankOwed | t.BankPaid, ...]:
    """Return the event of a debt that changed with a decision after which `bank` is left.

    >>> from passline.game.position import Position, Table, Money
    >>> live = LiveTable(id="craps-1", name="Craps 1", house={}, rulebook="", rules="", dice="physical", automate=(),
    ...     buy_in="dealer", is_demo=False, game=Table(Position(), Money(racks=(), coupons=())), terms=1)
    >>> debt_changed(live, bank=-25_00)
    (BankOwed(incident=1, cents=2500),)
    """
    debt = max(-bank, 0)
    if not live.terms or not live.is_keyed or live.points or debt == live.owes:
        return ()
    if debt < live.owes:
        return (t.BankPaid(live.incidents, debt),)
    return (t.BankOwed(live.incidents + (not live.owes), debt),)
