"""Networks: which parts of a strategy are independent, and their products."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from passline import Rules
from passline.automaton.compiler import compile_strategy
from passline.automaton.minimise import minimise
from passline.automaton.network import independent_parts, multiply, network
from passline.strategy.interface import Simple
from passline.strategy.lookup import strategy_of
from tests.strategy.samples import mine

SIDES = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
MARYLAND = Rules.of("maryland", house={"side_wagers": SIDES})
COLORADO = Rules.of("colorado", house={"side_wagers": {"front_line_winner": "1"}})


def parts(rules: Rules, text: str) -> list[str]:
    return [part.name for part in independent_parts(rules, strategy_of(text, rules))]


def test_parts_without_a_common_wager_are_independent() -> None:
    assert parts(MARYLAND, "molly + fire + bonus_craps") == ["molly", "fire", "bonus_craps"]


def test_parts_with_a_common_wager_are_one_part() -> None:
    assert parts(MARYLAND, "fire + molly + field + come") == ["fire", "molly + come", "field"]


def test_a_clause_ties_a_side_wager_to_the_line_wager_it_needs() -> None:
    """CO-2317.04-2-line: a player who makes a front line winner has a line wager."""
    assert parts(COLORADO, "front_line_winner + field + dont_pass") == ["front_line_winner + dont_pass", "field"]


def test_a_part_that_does_not_state_its_wagers_is_one_with_all_others() -> None:
    unstated = Simple("unstated", shoots=False, wish=lambda _seen: ())
    strategy = strategy_of("fire", MARYLAND) + unstated + strategy_of("field", MARYLAND)
    assert len(independent_parts(MARYLAND, strategy)) == 1


def test_a_strategy_that_lowers_wagers_before_another_raises_some_is_one_with_it() -> None:
    """Found by reading: what comes down pays for what is made, so the two do not need the sum of their outlays."""
    assert parts(MARYLAND, "place_limit + field") == ["place_limit + field"]
    assert parts(MARYLAND, "field + place_limit") == ["field", "place_limit"]


def test_a_strategy_that_reads_the_whole_layout_is_one_with_all_others(tmp_path: Path) -> None:
    reads = mine(tmp_path, '[[wish]]\nmake = "any_seven"\nwhen = "layout > 10_00"\namount = "$5"\n', MARYLAND)
    assert len(independent_parts(MARYLAND, reads + strategy_of("field", MARYLAND))) == 1


@pytest.mark.parametrize("text", ["pass + fire", "molly + field", "six_eight + hardways + any_seven"])
def test_a_product_walks_as_the_whole_strategy(text: str) -> None:
    found = network(MARYLAND, strategy_of(text, MARYLAND)).whole
    whole = minimise(compile_strategy(MARYLAND, strategy_of(text, MARYLAND)))
    assert found is not None
    here = there = 0
    for d in np.random.default_rng(11).integers(0, 36, 2_000):
        assert found.outlay[here] * found.unit == whole.outlay[there] * whole.unit
        assert found.cash[here, d] * found.unit == whole.cash[there, d] * whole.unit
        assert found.action[here, d] * found.unit == whole.action[there, d] * whole.unit
        assert found.mark[here, d] == whole.mark[there, d]
        here, there = int(found.next[here, d]), int(whole.next[there, d])


def test_parts_whose_product_is_over_the_budget_stay_separate() -> None:
    found = network(MARYLAND, strategy_of("molly + fire", MARYLAND), budget=400)
    assert found.whole is None
    assert [len(part) for part in found.parts] == [352, 118]
    assert multiply(*found.parts, budget=400) is None


def test_a_strategy_that_drops_wishes_is_compiled_as_one() -> None:
    found = network(MARYLAND, strategy_of("pass + field", MARYLAND), short="reduce")
    assert found.whole is not None
    assert found.whole.policy == "reduce"
    assert (found.whole.short >= 0).any()
