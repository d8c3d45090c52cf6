"""Regulations that nobody has seen are dealt as they are written; `./x bench regulations` deals a thousand."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.cases import one_in
from tests.rules.generated.amendment import amended_from, deal_amended
from tests.rules.generated.dealt import deal
from tests.rules.generated.regulation import SEEDS, families_of, regulation_from

FAMILIES = {
    *("line", "odds", "number", "hardway", "one_roll", "composite"),
    *("hand", "collection", "machine", "progressive"),
}


@pytest.mark.parametrize("seed", one_in(14, SEEDS, others=pytest.mark.whole))
def test_a_generated_regulation_is_dealt(seed: int) -> None:
    assert deal(regulation_from(seed))


def test_they_have_wagers_of_every_family_and_terms_that_change() -> None:
    regulations = [regulation_from(seed) for seed in SEEDS]
    families: Counter[str] = sum(map(families_of, regulations), Counter())
    assert set(families) == FAMILIES
    assert min(families.values()) >= 5, families
    assert sum(bool(regulation.before) for regulation in regulations) > 5


@pytest.mark.whole
@pytest.mark.parametrize("seed", one_in(32, SEEDS, others=pytest.mark.whole))
def test_a_generated_amendment_is_dealt_on_both_sides_of_its_day(seed: int) -> None:
    assert deal_amended(amended_from(seed))


def test_amendments_bring_change_and_repeal_wagers_and_parts_on_dice() -> None:
    amended = [amended_from(seed) for seed in SEEDS]
    added = sum(("bundle", "") not in each.before for each in amended)
    assert 5 < added < len(SEEDS) - 5, "some texts have a wager of parts on dice, others have it from the day on"
    repealed = [kind for each in amended for kind, number in each.before if (kind, number) not in each.answers]
    assert len([kind for kind in repealed if kind.startswith("quick_")]) > 5
    assert all(each.changed for each in amended)
