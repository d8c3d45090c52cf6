"""What a house may not elect: every breach with its key, what is wrong and the clause; and what it may, at the bound.

cases/breaches.txt has the elections, laid over the default house of a regulation.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.case_files import cases_of
from tests.clauses.table import breaches_of

CASES = cases_of(Path(__file__).parent / "cases" / "breaches.txt")


@pytest.mark.parametrize(("elected", "told"), CASES, ids=[elected for elected, _ in CASES])
def test_a_house_is_told_every_breach_with_its_clause(elected: str, told: list[str]) -> None:
    name, _, house = elected.partition(" ")
    assert [str(breach) for breach in breaches_of(name, tomllib.loads(f"house = {house}")["house"])] == told
