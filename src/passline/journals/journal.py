"""A journal: the transactions of a shift, each of debits and credits in cents."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from msgspec import Struct


class JournalLine(Struct, frozen=True):
    """A line of a transaction: what an account is debited with; below zero, credited."""

    account: str
    cents: int


class Transaction(Struct, frozen=True, kw_only=True):
    """Something that moved money between accounts. Its lines come to nothing.

    The number is the same whenever and wherever the journal is made.
    """

    number: str  # RULES/DAY/SHIFT/TABLE, such as practice/2026-03-03/swing/craps-1
    day: date  # the gaming day
    shift: str
    what: str
    lines: tuple[JournalLine, ...]
    acts: tuple[str, ...] = ()  # of the office, by number, or entries of the log
    refers: str = ""  # what it puts right, or the shift that it is of


class Journal(Struct, frozen=True):
    """The transactions of a shift; those of an addendum came after the day that they are of was closed."""

    number: str
    day: date
    shift: str
    transactions: tuple[Transaction, ...]


def journal_lines(sums: Iterable[tuple[str, int]]) -> tuple[JournalLine, ...]:
    """Return the lines of a transaction in the order in which people write them: debits first.

    >>> journal_lines([("Income:Tables:C1", -500), ("Assets:Cash", 300), ("Assets:Cash", 200), ("Equity:X", 0)])
    (JournalLine(account='Assets:Cash', cents=500), JournalLine(account='Income:Tables:C1', cents=-500))
    """
    found: dict[str, int] = {}
    for account, cents in sums:
        found[account] = found.get(account, 0) + cents
    left = sorted((-cents, account) for account, cents in found.items() if cents)
    return tuple(
        JournalLine(account, -cents) for cents, account in sorted(left, key=lambda line: (line[0] > 0, line[1]))
    )
