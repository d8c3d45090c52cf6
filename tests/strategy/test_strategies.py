"""The strategies of the benchmark: what they wish, and that the table they play at is the real one."""

import pytest

from passline.game.events import DiceSurrendered, WagerWon
from passline.game.position import Wager
from passline.money import Pays
from passline.rules.rules import Rules
from passline.strategy.interface import Call, Seen, Strategy, TakeDown, Want, Wish
from passline.strategy.library import (
    Hammerlock,
    HardHopPress,
    Simple,
    field_while_on,
    pass_and_place,
    pass_with_odds,
    three_point_dolly,
    three_point_molly,
    whirl_buy_lay,
)
from passline.strategy.strategy_table import StrategyTable, UnlawfulWish

RULES = Rules.of("maryland", house={"wager_cents_min": 100, "come_odds_on_come_out": "off"})


def seen(puck: int, *mine: tuple[str, int, int]) -> Seen:
    return Seen(puck, is_clearing=False, mine=tuple(Wager(1, "player", *one) for one in mine))


def test_pass_with_odds_waits_for_the_point() -> None:
    strategy = pass_with_odds(10_00, 2)
    assert strategy.wishes(seen(0), None) == (Want("pass", 0, 10_00),)
    assert strategy.wishes(seen(0, ("pass", 0, 10_00)), None) == ()
    assert strategy.wishes(seen(6, ("pass", 0, 10_00)), None) == (Want("pass_odds", 6, 20_00),)
    assert strategy.wishes(seen(6), None) == (), "without a pass wager there is nothing to put odds behind"


def test_molly_keeps_two_come_wagers_beside_the_line() -> None:
    strategy = three_point_molly(10_00, 2)
    one = strategy.wishes(seen(6, ("come", 9, 10_00), ("pass", 0, 10_00)), None)
    assert one == (Want("pass_odds", 6, 20_00), Want("come", 0, 10_00), Want("come_odds", 9, 20_00))
    two = strategy.wishes(seen(6, ("come", 4, 10_00), ("come", 9, 10_00), ("pass", 0, 10_00)), None)
    assert Want("come", 0, 10_00) not in two


def test_dolly_lays_to_win_one_flat_wager() -> None:
    strategy = three_point_dolly(RULES, 10_00)
    laid = {point: strategy.wishes(seen(point, ("dont_pass", 0, 10_00)), None)[0] for point in (4, 5, 6, 8, 9, 10)}
    pays = RULES.wagers["dont_pass_odds"].payouts
    for point, wish in laid.items():
        assert isinstance(wish, Want)
        assert pays[point].pays.on(wish.cents) == 10_00


def test_iron_cross_leaves_out_the_point() -> None:
    wishes = field_while_on(5_00, 2).wishes(seen(6, ("pass", 0, 5_00), ("place_win", 6, 6_00)), None)
    assert TakeDown("place_win", 6) in wishes
    assert {wish.number for wish in wishes if isinstance(wish, Want) and wish.kind == "place_win"} == {5, 8}
    assert Want("field", 0, 5_00) in wishes


def won(number: int) -> WagerWon:
    return WagerWon(Wager(1, "player", "place_win", number, 5_00), None, "", 5_00, Pays(9, to=5), 9_00, 0, "XX")


def test_hammerlock_stops_placing_after_two_wins_and_starts_over_on_a_loser_7() -> None:
    lock = Hammerlock(10_00)
    assert lock.remember(0, (won(6),)) == 1
    assert lock.remember(1, (won(6), won(8))) == 2
    assert lock.remember(2, (won(6),)) == 2
    assert lock.remember(2, (DiceSurrendered(1, "loser_7", "XX"),)) == 0
    assert lock.remember(2, (DiceSurrendered(1, "surrender", "XX"),)) == 2
    up = seen(6, ("dont_pass", 0, 10_00), ("pass", 0, 10_00), ("place_win", 6, 24_00), ("place_win", 8, 24_00))
    first, second, third = (lock.wishes(up, stage) for stage in (0, 1, 2))
    assert first == (Want("place_win", 6, 24_00), Want("place_win", 8, 24_00), Want("dont_pass_odds", 6, 60_00))
    assert second[:2] == (TakeDown("place_win", 6), TakeDown("place_win", 8))
    assert Want("place_win", 5, 10_00) in second
    assert third == (TakeDown("place_win", 6), TakeDown("place_win", 8), Want("dont_pass_odds", 6, 60_00))


def test_each_number_is_pressed_twice_then_regressed() -> None:
    strategy = HardHopPress(5_00)
    memory = strategy.start
    amounts = []
    for _ in range(8):
        wishes = strategy.wishes(seen(9), memory)
        amounts.append(next(w.cents for w in wishes if isinstance(w, Want) and (w.kind, w.number) == ("place_win", 6)))
        memory = strategy.remember(memory, (won(6),))
    assert amounts == [6_00, 12_00, 24_00, 6_00, 12_00, 24_00, 6_00, 6_00]
    assert strategy.remember(memory, (DiceSurrendered(1, "loser_7", "XX"),)) == strategy.start


def lineup() -> tuple[Strategy, ...]:
    return (
        pass_with_odds(10_00, 2),
        three_point_molly(10_00, 2),
        three_point_dolly(RULES, 10_00),
        field_while_on(5_00, 2),
        pass_and_place(10_00, 12_00),
        Hammerlock(10_00),
        whirl_buy_lay(5_00, 25_00, 30_00),
        HardHopPress(5_00),
    )


def chips(table: StrategyTable) -> int:
    money, layout = table.table.money, table.table.position.layout
    return sum(money.racks) + sum(w.cents for w in layout) + money.bank + money.tip_box + money.drop


def test_eight_strategies_play_lawfully_and_conserve_chips() -> None:
    table = StrategyTable(RULES, lineup())
    dice = [(first, second) for first in range(1, 7) for second in range(1, 7)] * 12
    for start in range(0, 36, 7):
        table.open(500_00)
        before = chips(table)
        assert table.play(dice[start:] + dice[:start]) > 300
        assert chips(table) == before
        assert min(table.table.money.racks) >= 0


def test_a_session_starts_over() -> None:
    table = StrategyTable(RULES, lineup())
    results = []
    for _ in range(2):
        table.open(500_00)
        table.play([(2, 4), (4, 4), (3, 3), (3, 4), (5, 6), (1, 3), (2, 2), (1, 6)])
        results.append((table.table, table.memories, table.rolls))
    assert results[0] == results[1]


def test_what_cannot_be_funded_is_dropped() -> None:
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
    assert table.play([(1, 1), (2, 2)]) == 0


@pytest.mark.parametrize("wish", [Want("place_win", 6, 13_00), Want("put", 6, 10_00), Call("pass", 0, "off")])
def test_an_unlawful_wish_is_an_error_with_its_clause(wish: Wish) -> None:
    table = StrategyTable(RULES, (Simple("wrong", shoots=True, wish=lambda _seen: (Want("pass", 0, 10_00), wish)),))
    table.open(500_00)
    with pytest.raises(UnlawfulWish, match=r"refused: .*\[MD-"):
        table.play([(2, 4)])


def test_two_strategies_add_up_to_one_that_wishes_for_both() -> None:
    both = pass_with_odds(10_00, 2) + HardHopPress(5_00)
    assert (both.name, both.shoots) == ("pass 10, 2x odds + place all, pressed and regressed", True)
    assert both.start == (None, (0,) * 6)
    up = seen(4, ("pass", 0, 10_00))
    alone = HardHopPress(5_00).wishes(up, (0,) * 6)
    assert both.wishes(up, both.start) == (Want("pass_odds", 4, 20_00), *alone)


def test_a_wager_that_both_want_is_wanted_once_at_the_larger_amount() -> None:
    small, large = pass_and_place(10_00, 12_00), pass_and_place(15_00, 18_00)
    for both in (small + large, large + small):
        assert both.wishes(seen(0), None) == (Want("pass", 0, 15_00),)
        assert both.wishes(seen(4, ("pass", 0, 15_00)), None) == (
            Want("place_win", 6, 18_00),
            Want("place_win", 8, 18_00),
        )
        assert both.start is None


def test_what_both_call_or_take_down_is_asked_once() -> None:
    def wish(_seen: Seen) -> tuple[Wish, ...]:
        return (TakeDown("place_win", 6), Call("hardway", 8, "on"))

    one = Simple("down", shoots=False, wish=wish)
    assert (one + one).wishes(seen(4), None) == wish(seen(4))
    assert not (one + one).shoots


def test_each_part_remembers_for_itself() -> None:
    both = Hammerlock(10_00) + HardHopPress(5_00) + pass_with_odds(10_00, 2)
    assert both.start == ((0, (0,) * 6), None)
    memory = both.remember(both.start, (won(6),))
    assert memory == ((1, (0, 0, 1, 0, 0, 0)), None)
    assert both.remember(memory, (DiceSurrendered(1, "loser_7", "XX"),)) == both.start
    down = both.wishes(seen(4, ("place_win", 6, 24_00)), memory)
    assert TakeDown("place_win", 6) in down, "the hammerlock's second stage is 12.00"


def test_a_sum_plays_at_a_real_table() -> None:
    table = StrategyTable(RULES, [pass_with_odds(10_00, 2) + HardHopPress(5_00), Hammerlock(10_00)])
    table.open(500_00)
    assert table.play([(2, 4), (3, 5), (4, 4), (6, 2), (3, 4), (5, 5)]) == 6
    assert table.memories[0] == (None, (0,) * 6), "a loser 7 started over"


def test_want_of_money_is_told_from_what_the_rules_refuse() -> None:
    """A wager beside which nothing is left for its vigorish is dropped; one over the maximum is not."""
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
