"""Files of the collection against the same strategies in plain Python at a plain table, roll by roll to the cent."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from passline.automaton.real_table import RealTable
from passline.dice import Roll
from passline.rules.rules import Rules
from passline.strategy.lookup import strategy_of
from tests.strategy.plain_table import POINTS, PlainTable, Rolled

RULES = Rules.of("maryland", house={"come_odds_on_come_out": "off"})
COLLECTION = Path(__file__).with_name("collection")
BANKROLL = 5_000_00
INSIDE = {5: 25_00, 6: 30_00, 8: 30_00, 9: 25_00}


class Player:
    """Acts before each roll and remembers what it did."""

    def __init__(self) -> None:
        self.hits = self.lost_hands = self.top = self.locked = self.run = self.odd = self.began = 0
        self.totals = [0] * 6
        self.age = dict.fromkeys(POINTS, 0)

    def remember(self, table: PlainTable, rolled: Rolled) -> None:
        """Remember everything that any of the strategies below asks for."""
        hits = sum(kind == "place_win" for kind, _number in rolled.won)
        self.lost_hands = 0 if hits else min(self.lost_hands + rolled.loses_dice, 3)
        self.hits = 0 if rolled.loses_dice else self.hits + hits
        self.top = 0 if rolled.loses_dice else max(self.top, table.equity - BANKROLL - self.began)
        self.began = table.equity - BANKROLL if rolled.loses_dice else self.began
        self.locked = max(self.locked, (table.equity - BANKROLL) // 2)
        self.run = self.run + 1 if rolled.total % 2 == self.odd else 0
        self.odd = rolled.total % 2
        self.totals = [rolled.total, *self.totals[:5]]
        self.age = {n: self.age[n] + 1 if ("come", n) in table.up else 0 for n in POINTS}


def half_of_winnings_locked(me: Player, table: PlainTable) -> None:
    if not table.point:
        table.lift("pass", 10_00)
    elif table.equity - BANKROLL - me.locked >= 20_00:
        table.lift("pass_odds", 20_00, table.point)


def hottest_two_of_six(me: Player, table: PlainTable) -> None:
    for number in (6, 8, 5, 9, 4, 10):
        if table.point and me.totals.count(number) >= 2 and table.count("place_win") < 2:
            table.lift("place_win", 12_00 if number in {6, 8} else 10_00, number)
    for number in POINTS:
        if number not in me.totals:
            table.put("place_win", 0, number)


def come_hedged_by_dont_come(_me: Player, table: PlainTable) -> None:
    if table.point:
        up, against = table.count("come"), table.count("dont_come")
        if up + against < 4:
            table.lift("come", 10_00)
        if table.up.get(("come", 0)) and against < 2:
            table.lift("dont_come", 10_00)
    for number in (6, 8):
        if ("dont_come", number) in table.up:
            table.lift("dont_come_odds", 12_00, number)


def regress_after_losses(me: Player, table: PlainTable) -> None:
    cents = {0: 6_00 << me.lost_hands, 1: 6_00}.get(me.hits, 0)
    for number in (6, 8) if table.point else ():
        table.put("place_win", cents, number)


def odds_off_the_oldest(me: Player, table: PlainTable) -> None:
    table.lift("come" if table.point else "pass", 10_00)
    for number in POINTS:
        if ("come", number) in table.up:
            table.put("come_odds", 20_00 if me.age[number] < 12 else 0, number)


def seven_covers_the_inside(me: Player, table: PlainTable) -> None:
    for number, cents in INSIDE.items() if table.point else ():
        table.lift("place_win", cents, number)
    if table.point and me.hits >= 4:
        table.lift("any_seven", 28_00)  # four times which is 112.00, and all four have 110.00 up


def shooter_profit_trails(me: Player, table: PlainTable) -> None:
    is_over = me.top >= 20_00 and me.top - (table.equity - BANKROLL - me.began) >= 10_00
    for number in (6, 8):
        if is_over:
            table.put("place_win", 0, number)
        elif table.point:
            table.lift("place_win", 12_00, number)
    if table.point and not is_over:
        table.lift("field", 5_00)


def odd_and_even_streaks(me: Player, table: PlainTable) -> None:
    if me.run >= 3 and me.odd:
        table.lift("field", 10_00)
    elif me.run >= 3:
        for pair in (116, 125, 134):
            table.lift("hop", 2_00, pair)


PLAYED = (
    half_of_winnings_locked,
    hottest_two_of_six,
    come_hedged_by_dont_come,
    regress_after_losses,
    odds_off_the_oldest,
    seven_covers_the_inside,
    shooter_profit_trails,
    odd_and_even_streaks,
)


@pytest.mark.parametrize("acts", PLAYED, ids=lambda acts: acts.__name__)
def test_a_file_plays_as_the_same_strategy_in_plain_python(acts: Callable[[Player, PlainTable], None]) -> None:
    strategy = strategy_of(str(COLLECTION / f"{acts.__name__}.toml"), RULES)
    dice = random.Random(acts.__name__)
    table, me, dealt = PlainTable(BANKROLL), Player(), RealTable(RULES, strategy, bankroll_cents=BANKROLL)
    for count in range(400):
        acts(me, table)
        assert dealt.acts()
        mine = {(wager.kind, wager.number): wager.cents for wager in dealt.sight().mine}
        plain = {(kind, 0 if kind == "pass_odds" else number): cents for (kind, number), cents in table.up.items()}
        assert {(kind, 0 if kind == "pass_odds" else number): cents for (kind, number), cents in mine.items()} == plain
        first, second = dice.randint(1, 6), dice.randint(1, 6)
        rolled = table.roll(first, second)
        dealt.roll(Roll(first, second))
        assert dealt.equity_cents == table.equity, f"roll {count}: {first}-{second}"
        me.remember(table, rolled)
