"""Sums of strategies: `a + b` makes the wishes of both."""

from benchmarks._strategies import Hammerlock, HardHopPress, pass_and_place, pass_with_odds
from passline.game.events import DiceSurrendered
from passline.rules.rules import Rules
from passline.strategy.interface import Call, Seen, Simple, TakeDown, Want, Wish
from passline.strategy.strategy_table import StrategyTable
from tests.strategy.samples import seen, won

RULES = Rules.of("maryland", house={"wager_cents_min": 100, "come_odds_on_come_out": "off"})


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


def test_a_call_or_take_down_that_both_wish_for_is_made_once() -> None:
    def wish(_seen: Seen) -> tuple[Wish, ...]:
        return (TakeDown("place_win", 6), Call("hardway", 8, "on"))

    one = Simple("down", shoots=False, wish=wish)
    assert (one + one).wishes(seen(4), None) == wish(seen(4))
    assert not (one + one).shoots


def test_each_part_remembers_for_itself() -> None:
    both = Hammerlock(10_00) + HardHopPress(5_00) + pass_with_odds(10_00, 2)
    assert both.start == ((0, (0,) * 6), None)
    memory = both.remember(both.start, (won("place_win", 6),))
    assert memory == ((1, (0, 0, 1, 0, 0, 0)), None)
    assert both.remember(memory, (DiceSurrendered(1, "loser_7", "XX"),)) == both.start
    down = both.wishes(seen(4, ("place_win", 6, 24_00)), memory)
    assert TakeDown("place_win", 6) in down, "the hammerlock's second stage is 12.00"


def test_a_sum_plays_at_a_real_table() -> None:
    table = StrategyTable(RULES, [pass_with_odds(10_00, 2) + HardHopPress(5_00), Hammerlock(10_00)])
    table.open(500_00)
    assert table.play([(2, 4), (3, 5), (4, 4), (6, 2), (3, 4), (5, 5)]) == 6
    assert table.memories[0] == (None, (0,) * 6), "a loser 7 started over"
