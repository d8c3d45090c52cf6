"""StrategyTable: strategies play lawfully through the real engine, drop what they cannot pay for, and start over."""

import pytest

from benchmarks._strategies import lineup, pass_with_odds, whirl_buy_lay
from passline.rules.rules import Rules
from passline.strategy.interface import Call, Simple, StrategyError, Want, Wish
from passline.strategy.lookup import strategy_of
from passline.strategy.strategy_table import StrategyTable, UnlawfulWish

RULES = Rules.of("maryland", house={"wager_cents_min": 100, "come_odds_on_come_out": "off"})


def chips(table: StrategyTable) -> int:
    money, layout = table.table.money, table.table.position.layout
    return sum(money.racks) + sum(w.cents for w in layout) + money.bank + money.tip_box + money.drop


def test_eight_strategies_play_lawfully_and_conserve_chips() -> None:
    table = StrategyTable(RULES, lineup(RULES))
    dice = [(first, second) for first in range(1, 7) for second in range(1, 7)] * 12
    for start in range(0, 36, 7):
        table.open(500_00)
        before = chips(table)
        assert table.play(dice[start:] + dice[:start]) > 300
        assert chips(table) == before
        assert min(table.table.money.racks) >= 0


def test_a_session_starts_over() -> None:
    table = StrategyTable(RULES, lineup(RULES))
    results = []
    for _ in range(2):
        table.open(500_00)
        table.play([(2, 4), (4, 4), (3, 3), (3, 4), (5, 6), (1, 3), (2, 2), (1, 6)])
        results.append((table.table, table.memories, table.rolls))
    assert results[0] == results[1]


def test_a_wager_that_cannot_be_paid_for_is_not_made() -> None:
    table = StrategyTable(RULES, (pass_with_odds(10_00, 2), whirl_buy_lay(5_00, 25_00, 30_00)))
    table.open(26_00)
    table.play([(2, 4)])
    kinds = {(wager.seat, wager.kind) for wager in table.table.position.layout}
    assert (1, "pass") in kinds
    assert (2, "buy") not in kinds, "26.00 less a whirl leaves 21.00"
    table.play([(2, 3)])
    assert (1, "pass_odds") not in {(wager.seat, wager.kind) for wager in table.table.position.layout}


def test_nobody_shoots_when_nobody_makes_a_line_wager() -> None:
    table = StrategyTable(RULES, (whirl_buy_lay(5_00, 25_00, 30_00),))
    table.open(500_00)
    with pytest.raises(StrategyError, match="nobody shoots and no dice are thrown; seat a shooter too"):
        table.play([(1, 1), (2, 2)])
    iron_cross = StrategyTable(RULES, [strategy_of("iron_cross", RULES)])
    iron_cross.open(500_00)
    with pytest.raises(StrategyError, match=r"^iron_cross: no line wager"):
        iron_cross.play([(1, 1)])


def test_a_refused_wish_is_said_as_a_player_would() -> None:
    wrong = Simple("mine", shoots=True, wish=lambda _seen: (Want("pass", 0, 10_00), Want("place_win", 6, 13_00)))
    table = StrategyTable(RULES, [wrong])
    table.open(500_00)
    with pytest.raises(UnlawfulWish) as refused:
        table.play([(2, 2)])
    assert str(refused.value).startswith("mine wishes to make Place Bet to Win 6 for $13, which is refused: ")
    assert "(" not in str(refused.value).partition("refused:")[0]


@pytest.mark.parametrize("wish", [Want("place_win", 6, 13_00), Want("put", 6, 10_00), Call("pass", 0, "off")])
def test_an_unlawful_wish_is_an_error_with_its_clause(wish: Wish) -> None:
    table = StrategyTable(RULES, (Simple("wrong", shoots=True, wish=lambda _seen: (Want("pass", 0, 10_00), wish)),))
    table.open(500_00)
    with pytest.raises(UnlawfulWish, match=r"refused: .*\[MD-"):
        table.play([(2, 4)])


def test_too_little_money_is_no_error_but_a_refusal_by_the_rules_is() -> None:
    """A wager whose vigorish cannot be paid is not made; one over the maximum is an error."""
    buys = Simple("buy", shoots=True, wish=lambda _seen: (Want("pass", 0, 10_00), Want("buy", 4, 20_00)))
    rules = Rules.of("maryland", house={"wager_cents_min": 100})
    table = StrategyTable(rules, [buys])
    table.open(30_00)
    assert table.play([(2, 4)]) == 1
    assert [wager.kind for wager in table.table.position.layout] == ["pass"]
    over = Simple("over", shoots=True, wish=lambda _seen: (Want("pass", 0, 6_000_00),))
    table = StrategyTable(rules, [over])
    table.open(7_000_00)
    with pytest.raises(UnlawfulWish, match=r"over the maximum"):
        table.play([(2, 4)])
