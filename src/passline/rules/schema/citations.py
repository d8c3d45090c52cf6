"""Entries that carry a citation: the clause behind everything a rulebook says."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["Cite", "Role", "Rule", "SomeTotals", "Totals", "cites_of"]

Role = Literal["player", "shooter", "dealer", "stickperson", "boxperson", "floorperson"]
"""Who acts at a table."""
Cite = str | tuple[str, ...] | dict[str, str | tuple[str, ...]]
"""The clauses behind an entry; by number, or by what a house elects, where they differ by it."""


def cites_of(cite: Cite, number: str = "") -> tuple[str, ...]:
    """Give the clauses of an entry, or those of one of its numbers where they differ by number.

    >>> cites_of("XX-1"), cites_of({"4": "XX-4", "6": ("XX-6", "XX-7")}, "6")
    (('XX-1',), ('XX-6', 'XX-7'))
    >>> cites_of({"4": "XX-4", "6": "XX-6"})
    ('XX-4', 'XX-6')
    """
    if isinstance(cite, str):
        return (cite,)
    if isinstance(cite, tuple):
        return cite
    if number:
        return cites_of(cite[number])
    return tuple(dict.fromkeys(clause for one in cite.values() for clause in cites_of(one)))


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Anything the regulation says: the clause, and the reading chosen where the text is silent or at odds."""

    cite: Cite
    reading: str = ""


class Totals(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The totals of the dice an entry speaks of."""

    totals: tuple[int, ...]


class SomeTotals(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The totals that win, unless the wager names its own pair of dice."""

    totals: tuple[int, ...] = ()
