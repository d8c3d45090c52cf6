"""The Python strategies of the engine benchmark: their wishes and their memory."""

from benchmarks._strategies import (
    Hammerlock,
    HardHopPress,
    field_while_on,
    pass_with_odds,
    three_point_dolly,
    three_point_molly,
)
from passline.game.events import DiceSurrendered
from passline.rules.rules import Rules
from passline.strategy.interface import TakeDown, Want
from tests.strategy.samples import seen, won

RULES = Rules.of("maryland", house={"wager_cents_min": 100, "come_odds_on_come_out": "off"})


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


def test_hammerlock_stops_placing_after_two_wins_and_starts_over_on_a_loser_7() -> None:
    lock = Hammerlock(10_00)
    assert lock.remember(0, (won("place_win", 6),)) == 1
    assert lock.remember(1, (won("place_win", 6), won("place_win", 8))) == 2
    assert lock.remember(2, (won("place_win", 6),)) == 2
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
        memory = strategy.remember(memory, (won("place_win", 6),))
    assert amounts == [6_00, 12_00, 24_00, 6_00, 12_00, 24_00, 6_00, 6_00]
    assert strategy.remember(memory, (DiceSurrendered(1, "loser_7", "XX"),)) == strategy.start
