"""Two regulations side by side: each with its own clauses, the same from either side, and only what differs."""

from __future__ import annotations

from itertools import combinations

import pytest

from passline.errors import CrapsError
from passline.papers.regulations import regulation_differences
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.explain.payouts import outcomes_paid
from passline.rules.rules import Rules
from passline.rules.schema import SideWager

DEFAULT = {name: Rules.of(name) for name in REGULATIONS}
USUAL = ("colorado", "maryland")
PAIRS = [pytest.param(*pair, marks=[pytest.mark.sweep] * (pair != USUAL)) for pair in combinations(REGULATIONS, 2)]
each_pair = pytest.mark.parametrize(("left", "right"), PAIRS)


@each_pair
def test_each_side_cites_its_own_clauses_and_the_other_side_mirrors_it(left: str, right: str) -> None:
    found = regulation_differences(DEFAULT[left], DEFAULT[right])
    back = regulation_differences(DEFAULT[right], DEFAULT[left])
    rows = {(part.title, row.about): (row.left.says, row.right.says) for part in found for row in part.rows}
    mirrored = {(part.title, row.about): (row.right.says, row.left.says) for part in back for row in part.rows}
    assert rows == mirrored
    assert all(one != other for one, other in rows.values())
    for part in found:
        for row in part.rows:
            for name, said in ((left, row.left), (right, row.right)):
                begins = {clause.partition("-")[0] for clause in clauses_of(name)}
                assert {clause.partition("-")[0] for clause in said.clauses} <= begins, (row.about, name)


@each_pair
def test_every_wager_and_payout_that_differs_is_shown(left: str, right: str) -> None:
    found = regulation_differences(DEFAULT[left], DEFAULT[right])
    parts = {part.title: {row.about for row in part.rows} for part in found}
    first, second = (DEFAULT[name].wagers for name in (left, right))
    alone = {one.display_name() for kind, one in first.items() if kind not in second}
    alone |= {one.display_name() for kind, one in second.items() if kind not in first}
    never = {"6-7-8"}  # a regulation may have it only as what nobody may deal
    assert alone - never <= parts.get("Wagers", set())
    for kind in first.keys() & second.keys():
        if not isinstance(first[kind].entry, SideWager):
            both = [outcomes_paid(DEFAULT[name], DEFAULT[name].wagers[kind]) for name in (left, right)]
            is_shown = first[kind].display_name() in parts.get("Payouts", set())
            assert is_shown == (both[0] != both[1]), kind


def test_one_regulation_is_not_compared_with_itself() -> None:
    with pytest.raises(CrapsError, match="name two regulations"):
        regulation_differences(DEFAULT["maryland"], DEFAULT["maryland"])
