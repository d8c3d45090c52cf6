"""Entries that carry a citation: the clause behind everything a rulebook says."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from passline.dice import number_text
from passline.refusal import Refusal

Cite = str | tuple[str, ...] | dict[str, str | tuple[str, ...]]
"""The clauses behind an entry; by number, or by what a house elects, where they differ by it."""
Total = Annotated[int, Meta(ge=2, le=12)]
"""A total of two dice."""
Count = Annotated[int, Meta(ge=1, le=1000)]
"""A number of something that there is at least one of."""
Most = Annotated[int, Meta(ge=0, le=1000)]
"""The least or the most of something; 0, or without its key, nothing bounds it."""
Multiple = Most | str
"""A multiple of a wager: a whole number, or a text such as "2.5"; 0, or without its key, nothing bounds it."""
BasisPoints = Annotated[int, Meta(ge=0, le=10_000)]
"""A rate in hundredths of a percent."""
CentsAmount = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""An amount in cents, up to ten million dollars; 0, or without its key, there is none."""
_MEMO_MAX = 50_000


def cites_of(cite: Cite, number: str = "") -> tuple[str, ...]:
    """Return the clauses of an entry, or only those of `number` where they differ by number.

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
    return tuple(dict.fromkeys(clause for some in cite.values() for clause in cites_of(some)))


def cites_when(cite: Cite, choice: str) -> tuple[str, ...]:
    """Return the clauses of an entry; only those of the house's `choice` where they differ by election.

    >>> cites_when({"made": "XX-1", "won": "XX-2"}, "won"), cites_when("XX-3", "won")
    (('XX-2',), ('XX-3',))
    """
    return cites_of(cite, choice if isinstance(cite, dict) and choice in cite else "")


def clause_text(cite: Cite, number: int = 0) -> str:
    """Return the clauses of an entry as refusals, settlements and breaches print them."""
    if isinstance(cite, str):
        return cite
    return ", ".join(cites_of(cite, number_text(number)))


def refusal(cite: Cite, why: str, number: int = 0, *, is_money: bool = False) -> Refusal:
    """Return a refusal that cites an entry of the rulebook."""
    return Refusal(clause_text(cite, number), why, is_money=is_money)


@lru_cache(maxsize=_MEMO_MAX)
def join_clauses(*clauses: str) -> str:
    """Join texts of clauses into one that names each clause once.

    >>> join_clauses("XX-1, XX-2", "", "XX-2", "XX-3")
    'XX-1, XX-2, XX-3'
    """
    return ", ".join(dict.fromkeys(clause for text in clauses for clause in text.split(", ") if clause))


class Rule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Anything the regulation says: the clause, and the reading chosen where the text is silent or contradictory."""

    cite: Cite
    reading: str = ""


class Totals(Rule, frozen=True, kw_only=True):
    """The totals of the dice that an entry is about."""

    totals: tuple[Total, ...]


class SomeTotals(Rule, frozen=True, kw_only=True):
    """The totals that win; none where the player chooses a pair of dice."""

    totals: tuple[Total, ...] = ()
