"""The result of a table in a shift, and results added up: opener, closer, fills, credits and drop, to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.money import Cents

ADDENDUM = "addendum"
"""The shift in which corrections of closed days stand: in the books of the day on which they were made."""
SPANS = "counted only for "
"""How it begins that shifts were counted only together."""


class EnteredAct(Struct, frozen=True):
    """An act behind a figure of a result: in which column it was entered, and with how many cents."""

    column: str  # opener, closer, fills, credits or drop
    act: int
    about: str  # the thing that it was done to, as kind/id
    cents: int
    is_correction: bool = False


class SettledDay(Struct, frozen=True):
    """A table's gaming day that was closed with an unknown result, and is known after a correction, or the reverse.

    All its figures are added in the addendum of the day on which it was corrected, and in no other sum; or taken out.
    """

    day: date
    is_played: bool = True  # without, nothing of it was of this table
    is_covered: bool = False  # its ledger covers it
    is_unknown: bool = False  # it was closed as known, and is not known any more


class TableResult(Struct, frozen=True, kw_only=True):
    """The result of a table in a shift, or the sum of several such results.

    >>> shift = TableResult(table="T1", opener=Cents(900), closer=Cents(700), drop=Cents(500), fills=Cents(100))
    >>> shift.win, shift.hold
    (200, Fraction(2, 5))
    """

    table: str = ""
    day: date | None = None  # the gaming day
    shift: str = ""
    pit: str = ""  # the area in which the table stood when something was entered first
    opener: Cents = Cents(0)
    closer: Cents = Cents(0)
    fills: Cents = Cents(0)
    credits: Cents = Cents(0)
    drop: Cents = Cents(0)
    corrections: tuple[str, ...] = ()  # of counts, each with the acts and by how much the drop became another
    missing: tuple[str, ...] = ()  # what is not known yet, without which nobody can say what was won
    crews: tuple[str, ...] = ()  # the boxpersons of the crews that were set meanwhile, or the crews
    ledger: Cents | None = None  # closer and drop as the table's ledger had them; None: it does not cover the play
    acts: tuple[EnteredAct, ...] = ()  # behind its figures, in the order in which they were entered
    is_emptied: bool = False  # all that was entered was of another shift or table: nothing is left but the marks
    settles: tuple[SettledDay, ...] = ()  # of an addendum: gaming days that were closed as not known, and are known now

    @property
    def is_played(self) -> bool:
        """Whether it has more than corrections."""
        return self.shift != ADDENDUM and not self.is_emptied

    @property
    def win(self) -> Cents | None:
        """What the table has won, below zero if it has lost; None: it is not known."""
        if self.missing:
            return None
        return Cents(self.closer + self.credits + self.drop - self.opener - self.fills)

    @property
    def ledger_win(self) -> Cents | None:
        """What the table has won by its ledger of keyed wagers; None: that is not covered, or not known yet.

        >>> TableResult(opener=Cents(900), closer=Cents(700), drop=Cents(500), ledger=Cents(1210)).ledger_win
        310
        """
        if self.missing or self.ledger is None:
            return None
        return Cents(self.ledger + self.credits - self.opener - self.fills)

    @property
    def difference(self) -> Cents | None:
        """By how much the counted win is over the ledger's, below zero if it is short; None: not both are known."""
        if self.win is None or self.ledger_win is None:
            return None
        return Cents(self.win - self.ledger_win)

    @property
    def hold(self) -> Fraction | None:
        """The share of the drop that the table has won; None where nothing was dropped or it is not known."""
        return Fraction(self.win, self.drop) if self.win is not None and self.drop else None


def total_result(results: Iterable[TableResult], **said: Any) -> TableResult:  # noqa: ANN401 - of the total itself
    """Return the sum of results; what is missing in one of them is missing in the total.

    A count that one shift lacks is not missing in the total if another of the results has it.
    """
    parts = list(results)
    played = [part for part in parts if part.is_played] or parts
    missing = [reason for part in parts for reason in part.missing if not _is_covered(reason, part, parts)]
    return TableResult(
        opener=Cents(sum(part.opener for part in parts)),
        closer=Cents(sum(part.closer for part in parts)),
        fills=Cents(sum(part.fills for part in parts)),
        credits=Cents(sum(part.credits for part in parts)),
        drop=Cents(sum(part.drop for part in parts)),
        corrections=tuple(correction for part in parts for correction in part.corrections),
        missing=tuple(dict.fromkeys(missing)),
        ledger=None if any(part.ledger is None for part in played) else Cents(sum(part.ledger or 0 for part in parts)),
        **said,
    )


def _is_covered(reason: str, part: TableResult, parts: list[TableResult]) -> bool:
    """Return whether a count runs over several shifts that are all among the parts."""
    if not reason.startswith(SPANS):
        return False
    return all(
        any(other.table == part.table and _name(other) == name for other in parts) for name in _shifts_in(reason)
    )


def _name(result: TableResult) -> str:
    return f"{result.day} {result.shift}"


def _shifts_in(reason: str) -> list[str]:
    return reason.removeprefix(SPANS).split(" and ")


def results_in_order(results: Iterable[TableResult], facility: Facility) -> list[TableResult]:
    """Return results by day, shift and table."""
    order = {shift.name: number for number, shift in enumerate(facility.shifts)}
    return sorted(results, key=lambda result: (str(result.day), order.get(result.shift, len(order)), result.table))
