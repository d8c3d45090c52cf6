"""What the tests of elections share: values from the clause matrix, and tables to try them at."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.rules import Rules
from tests.clauses.table import Play

CHIP = 1_00


def value(clause: str, key: str) -> str:
    """Return a value of the clause matrix about an election."""
    return next(clauses_of(name)[clause].values[key] for name in REGULATIONS if clause in clauses_of(name))


def basis_points(clause: str) -> int:
    """Return a fraction of the matrix in hundredths of a percent."""
    points = Fraction(value(clause, "max_fraction")) * 10_000
    assert points.denominator == 1
    return int(points)


def regulation_of(clause: str) -> str:
    return next(name for name in REGULATIONS if clause in clauses_of(name))


def play(clause: str, house: Mapping[str, Any] | None = None, *, game: str = "craps") -> Play:
    """Return a table of the clause's regulation, where the first player has the dice and a line wager."""
    return Play(Rules.of(regulation_of(clause), house=house, game=game)).shoots()
