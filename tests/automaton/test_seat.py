"""Every transition of the player's seat equals the same roll at the whole table, to the cent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import islice

import pytest

from benchmarks._strategies import (
    Hammerlock,
    HardHopPress,
    field_while_on,
    three_point_dolly,
    three_point_molly,
    whirl_buy_lay,
)
from passline.automaton.arrays import HAND, LINE
from passline.automaton.seat import SeatActs, SeatRoll, SeatState, StrategySeat
from passline.dice import Roll, number_code
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table, Wager
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Call, Seen, Simple, Strategy, Want, Wish
from passline.strategy.one_wager import OneWager
from tests.cases import one_in

pytestmark = pytest.mark.long

MARYLAND = Rules.of("maryland")
COLORADO = Rules.of(
    "colorado", house={"side_wagers": {"fire": "FB-3", "sharp_shooter": "SS-01"}, "unpayable": "round_up"}
)
SIDES = Rules.of(
    "maryland",
    house={
        "side_wagers": {"fire": "A", "bonus_craps": "A", "lucky_shooter": "B"},
        "readings": {"lucky_shooter": "repeats_neutral"},
    },
)
STATES = 400  # of each strategy, in the order they are found
COMPANION, PLAYER = 1, 2
SETTLED = (e.WagerWon, e.WagerLost, e.WagerReturned)


def calls_places_on(seen: Seen) -> tuple[Wish, ...]:
    """Place the 6, and call it on for each come-out roll; the call lapses after it."""
    place = Want("place_win", 6, 12_00)
    return (place, Call("place_win", 6, "on")) if not seen.puck else (place,)


STRATEGIES: dict[str, tuple[Rules, Callable[[Rules], Strategy]]] = {
    "molly": (MARYLAND, lambda _rules: three_point_molly(10_00, 2)),
    "dolly": (MARYLAND, lambda rules: three_point_dolly(rules, 10_00)),
    "molly in Colorado": (COLORADO, lambda _rules: three_point_molly(7_00, 3)),
    "hammerlock": (MARYLAND, lambda _rules: Hammerlock(10_00)),
    "hard hop press": (MARYLAND, lambda _rules: HardHopPress(5_00)),
    "whirl, buy and lay": (MARYLAND, lambda _rules: whirl_buy_lay(5_00, 25_00, 30_00)),
    "whirl, buy and lay, rounded": (COLORADO, lambda _rules: whirl_buy_lay(5_00, 21_00, 41_00)),
    "iron cross": (MARYLAND, lambda _rules: field_while_on(5_00, 2)),
    "places called on": (MARYLAND, lambda _rules: Simple("called", shoots=False, wish=calls_places_on)),
    "molly and hard hop press": (MARYLAND, lambda _rules: three_point_molly(10_00, 2) + HardHopPress(5_00)),
}
ONES = [
    (MARYLAND, "pass", 0, 10_00, "pass_odds"),
    (MARYLAND, "dont_come", 0, 30_00, "dont_come_odds"),
    (COLORADO, "put", 6, 10_00, "put_odds"),
    (COLORADO, "place_lose", 4, 5_00, ""),
    (COLORADO, "buy", 4, 25_00, ""),
    (MARYLAND, "hardway", 8, 5_00, ""),
    (MARYLAND, "hop", number_code("1-3"), 5_00, ""),
    (MARYLAND, "horn_high", 12, 5_00, ""),
    (COLORADO, "fire", 0, 5_00, ""),
    (COLORADO, "sharp_shooter", 0, 5_00, ""),
    (SIDES, "fire", 0, 5_00, ""),
    (SIDES, "small", 0, 5_00, ""),
    (SIDES, "lucky_shooter", 0, 5_00, ""),
]


def explored(seat: StrategySeat) -> list[tuple[SeatState, SeatActs, list[tuple[Roll, SeatRoll]]]]:
    """Return the first states that a strategy reaches, each with its acts and all its rolls."""
    known, waiting = {seat.start}, deque([seat.start])
    found: list[tuple[SeatState, SeatActs, list[tuple[Roll, SeatRoll]]]] = []
    while waiting and len(found) < STATES:
        state = waiting.popleft()
        acts = seat.acts(state)
        rolls = list(seat.rolls(state, acts))
        found.append((state, acts, rolls))
        for _, rolled in rolls:
            if rolled.after not in known:
                known.add(rolled.after)
                waiting.append(rolled.after)
    return found


def own(table: Table) -> tuple[Wager, ...]:
    return tuple(wager for wager in table.position.layout if wager.seat == PLAYER)


def face(wagers: tuple[Wager, ...]) -> int:
    return sum(wager.cents for wager in wagers)


def held(wagers: tuple[Wager, ...]) -> int:
    return sum(wager.vigorish for wager in wagers)


def check(seat: StrategySeat, state: SeatState, acts: SeatActs, roll: Roll, rolled: SeatRoll) -> None:
    """Play the same roll at the whole table and compare."""
    outcome = act(seat.rules, acts.table, c.RollDice(first=roll.first, second=roll.second))
    assert not isinstance(outcome, Refused)
    happened, after = outcome
    position = after.position
    assert (position.puck, position.closed, own(after)) == (rolled.after.puck, rolled.after.closed, rolled.after.mine)
    equity = after.money.racks[PLAYER - 1] + face(own(after))
    before = acts.table.money.racks[PLAYER - 1] + face(own(acts.table)) + acts.paid
    assert equity - before == rolled.cash
    settled = [event for event in happened if isinstance(event, SETTLED)]
    mine = [event for event in settled if event.wager.seat == PLAYER]
    assert sum(event.cents for event in mine if not isinstance(event, e.WagerReturned)) == rolled.action
    is_line = any(event.wager.seat == COMPANION for event in settled)
    is_hand = any(isinstance(event, e.DiceSurrendered) for event in happened)
    assert rolled.mark & (LINE | HAND) == LINE * is_line | HAND * is_hand
    heard = tuple(event for event in happened if event in mine or isinstance(event, e.DiceSurrendered))
    memory = state.memory
    if memory is not None and heard:
        memory = seat.strategy.remember(memory, heard)
    assert rolled.after.memory == memory


@pytest.mark.parametrize("name", one_in(9, STRATEGIES, others=pytest.mark.whole))
def test_a_seat_rolls_as_the_whole_table_does(name: str) -> None:
    rules, strategy = STRATEGIES[name]
    seat = StrategySeat(rules, strategy(rules))
    for state, acts, rolls in explored(seat):
        assert acts.paid == held(own(acts.table)) - held(state.mine)
        for roll, rolled in rolls:
            check(seat, state, acts, roll, rolled)


@pytest.mark.parametrize(("rules", "kind", "number", "cents", "odds"), one_in(6, ONES, others=pytest.mark.whole))
def test_one_wager_of_each_family_rolls_as_the_whole_table_does(
    rules: Rules, kind: str, number: int, cents: int, odds: str
) -> None:
    seat = StrategySeat(rules, OneWager(rules=rules, kind=kind, number=number, cents=cents, odds=odds))
    for state, acts, rolls in explored(seat):
        for roll, rolled in rolls:
            check(seat, state, acts, roll, rolled)


def test_the_order_of_the_two_dice_decides_nothing() -> None:
    seat = StrategySeat(MARYLAND, HardHopPress(5_00))
    for _, acts, rolls in islice(explored(seat), 40):
        for roll, rolled in rolls:
            outcome = act(MARYLAND, acts.table, c.RollDice(first=roll.second, second=roll.first))
            assert not isinstance(outcome, Refused)
            assert own(outcome[1]) == rolled.after.mine


def test_seats_under_the_same_rules_share_the_rolls_of_the_companions_table() -> None:
    one, other = (StrategySeat(MARYLAND, three_point_molly(cents, 2)) for cents in (10_00, 20_00))
    assert one._known is other._known
    assert StrategySeat(Rules.of("maryland"), three_point_molly(10_00, 2))._known is not one._known
