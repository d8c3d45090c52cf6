"""Theoretical win, entry by entry: the change of the layout's exact value at each act, and the luck of each roll.

Let V be the house's exact value of all wagers that stand. What an act of a player or the crew adds to the house's money
and to V is theoretical win: a wager made, raised, taken down, charged. What a roll adds to both has mean zero; it is
luck, with an exact variance over the whole layout. So at any moment

    won = theoretical win + luck - V

and when the layout is empty the house has won what it should have, and its luck. A corrected roll replaces the first
one: the correction's own change of money and V is luck too, and it adds no variance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from passline.automaton.standing import standings_on
from passline.exact.standing import StandingValues
from passline.game import events as e
from passline.tables import events as t
from passline.tables.events import TableEvent
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of

__all__ = ["Accrual", "accrual_of", "house_money", "house_value"]

_HOUSE = ("bank", "drop", "cage", "count", "boxes", "variance")


class Accrual(Struct, frozen=True):
    """What one entry, or many of them together, adds to the house's accounts, in cents."""

    won: int = 0
    theoretical: Fraction = Fraction(0)
    luck: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)  # of the luck, in cents squared
    rolls: int = 0

    def __add__(self, other: Accrual) -> Accrual:
        return Accrual(
            self.won + other.won,
            self.theoretical + other.theoretical,
            self.luck + other.luck,
            self.variance + other.variance,
            self.rolls + other.rolls,
        )

    @property
    def deviations(self) -> float | None:
        """The luck in standard deviations; None while no roll could move anything."""
        return float(self.luck) / float(self.variance) ** 0.5 if self.variance else None


def house_money(balances: Mapping[str, int]) -> int:
    """Return what the house has of the players' money, by a table's ledger.

    >>> house_money({"bank": -250_00, "drop": 500_00, "rack/1": 250_00, "patron": -500_00})
    25000
    """
    return sum(balances.get(account, 0) for account in _HOUSE)


def house_value(live: LiveTable | None) -> Fraction:
    """Return the exact value that the wagers standing at a table have for the house."""
    if live is None or not live.game.position.layout:
        return Fraction(0)
    return -StandingValues(rules_of(live)).value(standings_on(live.game.position))


def accrual_of(before: LiveTable | None, after: LiveTable, events: Sequence[TableEvent]) -> Accrual:
    """Return what an entry of a table adds; nothing at a tournament's table, or where no wagers are keyed in."""
    if after.points is not None or (before is not None and before.points is not None) or not after.is_keyed:
        return Accrual()
    won = house_money(after.balances) - house_money(before.balances if before else {})
    change = won + house_value(after) - house_value(before)
    kinds = {type(event) for event in events}
    if e.RollSettled in kinds and before is not None:
        variance = StandingValues(rules_of(before)).variance(standings_on(before.game.position))
        return Accrual(won, luck=change, variance=variance, rolls=1)
    if t.RollCorrected in kinds:
        return Accrual(won, luck=change)
    return Accrual(won, theoretical=change)
