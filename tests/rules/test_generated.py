"""Regulations that nobody has seen are dealt as they are written; `./x bench regulations` deals a thousand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.generated.dealt import deal
from tests.rules.generated.regulation import SEEDS, families_of, regulation_from

FAMILIES = {"line", "odds", "number", "hardway", "one_roll", "composite", "hand", "collection", "machine"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_generated_regulation_is_dealt(seed: int) -> None:
    assert deal(regulation_from(seed))


def test_they_have_wagers_of_every_family_and_terms_that_change() -> None:
    regulations = [regulation_from(seed) for seed in SEEDS]
    families: Counter[str] = sum(map(families_of, regulations), Counter())
    assert set(families) == FAMILIES
    assert min(families.values()) >= 5, families
    assert sum(bool(regulation.before) for regulation in regulations) > 5
