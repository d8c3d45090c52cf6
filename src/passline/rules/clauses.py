"""Regulations and their clauses by name."""

from __future__ import annotations

from passline.rules.pages.clause_matrix import Clause, clauses_of, sound_clauses
from passline.rules.pages.library import own_regulations, regulations

__all__ = ["REGULATIONS", "Clause", "clauses_of", "find_clause"]

REGULATIONS = own_regulations()
"""The regulations that come with the package; `regulations()` has those too that were found elsewhere."""


def find_clause(id: str) -> tuple[str, Clause] | None:  # noqa: A002 - what identifies it
    """Return the regulation that has a clause, and the clause; None if none has it.

    >>> regulation, clause = find_clause("MD-5.A.5")
    >>> regulation, clause.cite
    ('maryland', 'Ch. 5 A(5)')
    """
    return next(((name, known) for name in regulations() if (known := sound_clauses(name).get(id)) is not None), None)
