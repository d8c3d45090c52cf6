"""Stakes at which rounding leaves the house no edge."""

from fractions import Fraction
from typing import Any

import pytest

from passline.exact.par.favourable import Stakes, favourable_stakes
from passline.exact.par.lines import Offered, offered_by_house, smallest_exact_stake
from passline.exact.par.par import ParCache, par_of
from passline.rules.rules import Rules
from passline.strategy.strategy_table import UnlawfulWish
from tests.cases import one_in

pytestmark = pytest.mark.long

NO_MINIMUMS: dict[str, Any] = {"limits": {"centre": {"min": 1_00, "max": 100_00}}}  # of buy and lay wagers
ROUNDING: dict[str, Any] = {**NO_MINIMUMS, "unpayable": "round_up"}


def favourable(rules: Rules, kind: str, number: int = 0, option: str | None = None) -> list[str]:
    solver = ParCache()
    offers = [one for one in offered_by_house(rules) if (one.kind, one.number) == (kind, number)]
    one = next(one for one in offers if option is None or one.option == option)
    stake = smallest_exact_stake(one)
    assert stake
    return [str(some) for some in favourable_stakes(one, solver.par(one, stake), solver.par)]


def test_colorado_with_rounding_has_stakes_without_an_edge() -> None:
    rules = Rules.of("colorado", house=ROUNDING)
    assert par_of(rules, kind="place_win", number=6, cents=5_00).edge == 0
    assert favourable(rules, "place_win", 6)[0] == "5.00"
    assert favourable(rules, "buy", 4) == ["5.00-19.00"]
    assert par_of(rules, kind="buy", number=4, cents=19_00).edge == 0
    assert par_of(rules, kind="buy", number=4, cents=20_00).edge == Fraction(1, 20)
    assert favourable(rules, "hardway", 6) == []


def test_without_rounding_only_vigorish_is_rounded() -> None:
    rules = Rules.of("colorado", house=NO_MINIMUMS)
    assert favourable(rules, "place_win", 6) == []
    assert favourable(rules, "buy", 5) == ["6.00-18.00 by 2.00"]
    large = Rules.of("colorado", house=NO_MINIMUMS | {"wager_cents_min": 2000})
    assert favourable(large, "buy", 4) == []
    assert favourable(Rules.of("colorado"), "buy", 5) == []


@pytest.mark.parametrize(
    ("house", "kind", "number", "odds"),
    one_in(
        3,
        [
            (ROUNDING, "place_win", 6, ""),
            (ROUNDING, "place_lose", 4, ""),
            (ROUNDING, "buy", 5, ""),
            (ROUNDING, "lay", 9, ""),
            (NO_MINIMUMS, "lay", 9, ""),
            (ROUNDING, "dont_pass", 0, "dont_pass_odds"),
            (ROUNDING, "horn", 0, ""),
            (ROUNDING, "whirl", 0, ""),
            (ROUNDING, "field", 0, ""),
        ],
        others=pytest.mark.whole,
    ),
)
def test_no_favourable_stake_is_missed(house: dict[str, Any], kind: str, number: int, odds: str) -> None:
    """Solve every stake up to the maximum: the stakes that the bound skips have an edge."""
    rules = Rules.of("colorado", house={**house, "wager_cents_max": 30_00})
    one = Offered(rules=rules, kind=kind, number=number, odds=odds)
    solver = ParCache()
    stake = smallest_exact_stake(one)
    assert stake
    found = favourable_stakes(one, solver.par(one, stake), solver.par)
    claimed = {cents for some in found for cents in range(some.first, (some.last or 0) + 1, some.step)}
    free = set()
    for cents in range(rules.wagers[kind].min, rules.wagers[kind].max + 1, rules.chip):
        try:
            edge = solver.par(one, cents).edge
        except UnlawfulWish:
            continue
        if edge <= 0 and not (odds and cents > 20_00):  # where the cap on odds binds
            free.add(cents)
    assert claimed == free


def test_stakes_print_compactly() -> None:
    assert str(Stakes(10_00, 50_00, 10_00)) == "10.00-50.00 by 10.00"
