"""The clause matrix: every clause of the four regulations, as data inside the package."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Literal

import msgspec
from msgspec import Struct

REGULATIONS = ("colorado", "section2", "arizona", "maryland")
"""The regulations that come with the package."""


class Clause(Struct, frozen=True):
    """One row of the matrix: a single obligation, permission, definition, payout or limit.

    >>> clauses_of("maryland")["MD-5.A.5"].values
    {'bet': 'place_win', 'pays': '9:5', 'number': '4', 'way': 'win'}
    """

    id: str
    cite: str
    area: str
    summary: str
    actor: str
    kind: Literal["engine", "election", "record", "physical"]
    values: dict[str, str]
    depends: tuple[str, ...]
    trap: str
    part: Literal["game", "sidebets", "tables", "office", "tournament"]


@cache
def clauses_of(regulation: str) -> dict[str, Clause]:
    """Return a regulation's clauses by id, in the order of its text; empty for a regulation without a matrix."""
    path = files("passline") / "rulebooks" / "clauses" / f"{regulation}.csv"
    if not path.is_file():
        return {}
    rows = csv.DictReader(StringIO(path.read_text(encoding="utf-8")))
    return {row["id"]: _clause(row) for row in rows}


def find_clause(id: str) -> tuple[str, Clause] | None:  # noqa: A002 - what identifies it
    """Return the regulation that has a clause, and the clause; None if none has it.

    >>> regulation, clause = find_clause("MD-5.A.5")
    >>> regulation, clause.cite
    ('maryland', 'Ch. 5 A(5)')
    """
    return next(((name, known) for name in REGULATIONS if (known := clauses_of(name).get(id)) is not None), None)


def _clause(row: dict[str, str]) -> Clause:
    values = dict(pair.split("=", 1) for pair in row["values"].split(";") if "=" in pair)
    depends = tuple(clause for clause in row["depends"].split(";") if clause)
    return msgspec.convert({**row, "values": values, "depends": depends}, Clause)
