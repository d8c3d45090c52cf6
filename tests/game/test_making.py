"""Amounts that do not divide into the parts of a wager."""

from __future__ import annotations

import pytest

from passline.rules.rules import clause_text
from tests.clauses.table import ANN, Play, make, rules_of


@pytest.mark.parametrize(("wager", "unlawful", "lawful"), [("c_and_e", 10_25, 10_50), ("horn", 10_50, 11_00)])
def test_a_wager_of_parts_divides_into_whole_cents(wager: str, unlawful: int, lawful: int) -> None:
    """Where the text gives no unit: a part of a cent cannot be paid at all."""
    play = Play(rules_of("arizona", house={"smallest_chip_cents": 25}))
    refusals = play.refuse(make(ANN, wager, unlawful))
    assert {one.clause for one in refusals} == {clause_text(play.rules.rulebook.general.unpayable.cite)}
    play.make(ANN, wager, lawful)
