"""Random play under every regulation: the invariants hold after any commands in any order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from runpy import run_path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.evolve import _Scratch
from passline.game.position import Table, Wager
from passline.money import Pays
from passline.refusal import Refused
from passline.rules.rules import Rules
from tests.cases import budget
from tests.game.invariants import Watched, check_position, check_stakes, reorder
from tests.game.ledger import brought, coupons_of, total_of
from tests.game.random_commands import Commands
from tests.game.random_houses import GAMES, random_rules
from tests.game.side_invariants import Histories, check_settled, check_whose

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent.parent
CHANCE = st.randoms(use_true_random=False)  # hypothesis draws the random numbers, so it can shrink a failure
SETTINGS = settings(
    max_examples=budget(3, in_sweep=20),
    stateful_step_count=50,
    deadline=None,
    phases=(Phase.reuse, Phase.generate),  # add Phase.shrink to shrink a failure; it takes minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class RandomPlay(RuleBasedStateMachine):
    """One table of a random house, checked after every command."""

    regulation: str
    game: str

    @initialize(seed=st.integers(0, 10_000), players=st.integers(1, 5))
    def open(self, seed: int, players: int) -> None:
        rules = random_rules(Random(seed), self.regulation, self.game)
        self.watched = Watched(rules, has_coins="coins" in rules.rulebook.general.media and seed % 3 == 0)
        self.commands = Commands(rules, has_coins=self.watched.has_coins)
        for seat in range(1, min(players, rules.house.seats) + 1):
            self.watched.play(c.TakeSeat(seat=seat), fully=True)
            self.watched.play(c.BuyIn(seat=seat, cents=rules.chip * 500 * seat), fully=True)

    @rule(random=CHANCE)
    def play(self, random: Random) -> None:
        self.watched.play(self.commands.draw(random, self.watched.table), fully=True)

    @rule(random=CHANCE)
    def play_anything(self, random: Random) -> None:
        self.watched.play(self.commands.wild(random), fully=True)

    @rule(random=CHANCE)
    def ask_for_what_is_no_command(self, random: Random) -> None:
        self.watched.ask(self.commands.ill_typed(random, self.watched.table))

    @precondition(lambda self: not self.watched.table.position.is_clearing)  # there the first line wager ends it
    @rule(random=CHANCE)
    def wagers_of_two_players_commute(self, random: Random) -> None:
        rules, table = self.watched.rules, self.watched.table
        one, other = (self.commands._making(random, table) for _ in range(2))
        if not (isinstance(one, c.MakeWager) and isinstance(other, c.MakeWager)) or one.seat == other.seat:
            return
        first, second = _played(rules, table, one, other), _played(rules, table, other, one)
        if first is not None and second is not None:
            assert first == second
            assert hash(first.position) == hash(second.position)

    @invariant()
    def chips_and_coupons_are_all_there(self) -> None:
        if hasattr(self, "watched"):
            moved = [brought(event) for event in self.watched.log]
            opening, table = self.watched.opening, self.watched.table
            assert total_of(table) == total_of(opening) + sum(cents for cents, _ in moved)
            assert coupons_of(table) == coupons_of(opening) + sum(coupons for _, coupons in moved)

    @invariant()
    def the_log_alone_leads_here(self) -> None:
        if hasattr(self, "watched"):
            self.watched.check_replay()


def _played(rules: Rules, table: Table, *commands: c.Command) -> Table | None:
    for command in commands:
        outcome = act(rules, table, command)
        if isinstance(outcome, Refused):
            return None
        table = outcome[1]
    return table


@pytest.mark.parametrize(("regulation", "game"), GAMES)
def test_invariants_hold_after_any_commands(regulation: str, game: str) -> None:
    machine = type(f"{regulation}_{game}", (RandomPlay,), {"regulation": regulation, "game": game})
    run_state_machine_as_test(machine, settings=SETTINGS)


@pytest.mark.whole
def test_fifteen_thousand_random_commands_break_nothing_and_reach_everything() -> None:
    """The game with most wagers, as the benchmark plays it; the next test plays every game."""
    played = run_path(str(ROOT / "benchmarks" / "fuzz.py"))["play_game"]("colorado", "craps", 15_000)
    assert (played["commands"], played["never"]) == (15_000, [])


@pytest.mark.sweep
def test_fifteen_thousand_random_commands_a_game_break_nothing_and_reach_everything() -> None:
    """A short run of the benchmark: it exits with 0 only if no check failed and everything was reached."""
    command = [sys.executable, str(ROOT / "benchmarks" / "fuzz.py"), "15000"]
    fuzz = subprocess.run(command, check=False, capture_output=True, text=True)
    assert fuzz.returncode == 0, fuzz.stdout + fuzz.stderr
    assert fuzz.stdout.splitlines()[-1].startswith('{"bench": "fuzz", "count": 15000, "failure": ""')


# Tests of the checks: each must object to a table or a log that is wrong in its own way.


def _table(*wagers: Wager, puck: int = 6, rules: Rules | None = None) -> tuple[Rules, Table]:
    rules = rules or Rules.of("maryland")
    watched = Watched(rules)
    for command in (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=500_00), c.AcceptDice(seat=1)):
        watched.play(command, fully=True)
    position, money = watched.table.position, watched.table.money
    rack = money.racks[0] - sum(wager.cents for wager in wagers)
    position = replace(position, puck=puck, layout=tuple(sorted(wagers)))
    return rules, Table(position, replace(money, racks=(rack, *money.racks[1:])))


PASS = Wager(1, "player", "pass", 0, 10_00)
ODDS = Wager(1, "player", "pass_odds", 6, 20_00)


def test_the_checks_accept_a_lawful_table() -> None:
    rules, table = _table(PASS, ODDS)
    check_position(rules, table)
    check_stakes(rules, table, has_coins=False)


@pytest.mark.parametrize(
    ("wagers", "complaint"),
    [
        ((ODDS,), "odds without their original wager"),
        ((PASS, replace(ODDS, number=8)), "odds not on the point"),
        ((PASS, PASS), "out of order, or twice"),
        ((replace(PASS, cents=0),), "no amount"),
        ((replace(PASS, coupon=11_00),), "a coupon larger than its chips"),
        ((replace(PASS, seat=2),), "a wager of nobody"),
        ((replace(PASS, pending=("dealer",)),), "a confirmation that is automated"),
        ((Wager(1, "player", "place_win", 7, 10_00),), "no such number"),
    ],
)
def test_the_checks_object_to_an_unlawful_layout(wagers: tuple[Wager, ...], complaint: str) -> None:
    rules, table = _table(*wagers)
    with pytest.raises(AssertionError, match=complaint):
        check_position(rules, table)


@pytest.mark.parametrize(
    ("wagers", "complaint"),
    [
        ((PASS, replace(ODDS, cents=55_00)), "over 5000 behind"),
        ((replace(PASS, cents=4_00),), "outside 500 to"),
        ((replace(PASS, cents=5_50),), "not of 100 cent chips"),
        ((Wager(1, "player", "place_win", 6, 10_00),), "cannot be paid 7 to 6"),
        ((Wager(1, "player", "horn", 0, 5_00),), "not in units"),
    ],
)
def test_the_checks_object_to_an_unlawful_stake(wagers: tuple[Wager, ...], complaint: str) -> None:
    rules, table = _table(*wagers)
    with pytest.raises(AssertionError, match=complaint):
        check_stakes(rules, table, has_coins=False)


SIDE_WAGERS = {
    "maryland": {
        "smallest_chip_cents": 50,
        "side_wagers": {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"},
    },
    "colorado": {
        "side_wagers": {"fire": "FB-1", "sharp_shooter": "SS-01", "front_line_winner": "1"},
        "front_line_tips": True,
        "front_line_tip_cents_max": 5_00,
    },
}


def _side(kind: str, *progress: int, cents: int = 5_00, owner: str = "player") -> Wager:
    return Wager(1, owner, kind, 0, cents, progress=progress)


@pytest.mark.parametrize(
    ("regulation", "wager"),
    [
        ("maryland", _side("fire", 1, 1 << 4 | 1 << 6)),
        ("maryland", _side("all", 1 << 2 | 1 << 12)),
        ("maryland", _side("little_ones")),
        ("maryland", replace(_side("little_ones", 0), number=2)),
        ("maryland", _side("lucky_shooter", 6, 1 << 4)),
        ("colorado", _side("sharp_shooter", 1, 9)),
        ("colorado", _side("front_line_winner", 0, 11)),
    ],
)
def test_the_checks_accept_a_lawful_side_wager(regulation: str, wager: Wager) -> None:
    rules, table = _table(wager, rules=Rules.of(regulation, house=SIDE_WAGERS[regulation]))
    check_position(rules, table)
    check_stakes(rules, table, has_coins=False)


def test_the_checks_accept_a_tip_beside_its_players_own() -> None:
    own = _side("front_line_winner", 1, 0)
    tip = _side("front_line_winner", owner="crew")
    rules, table = _table(own, tip, rules=Rules.of("colorado", house=SIDE_WAGERS["colorado"]))
    check_position(rules, table)
    check_stakes(rules, table, has_coins=False)


@pytest.mark.parametrize(
    ("regulation", "wager", "complaint"),
    [
        ("maryland", _side("fire"), "its window is closed"),
        ("maryland", _side("fire", 0, 0), "it knows of no point"),
        ("maryland", _side("fire", 1, 1 << 7), "no such progress"),
        ("maryland", _side("small", 1 << 2 | 1 << 8), "no such progress"),
        ("maryland", _side("small", 0b1111100), "no such progress"),  # all five: it has won
        ("maryland", _side("lucky_shooter", 6, 1 << 6), "no such progress"),
        ("maryland", replace(PASS, progress=(0,)), "progress of what has none"),
        ("maryland", replace(PASS, owner="crew"), "a tip where there are none"),
        ("maryland", replace(PASS, owner="house"), "nobody's"),
        ("colorado", replace(PASS, owner="crew"), "a tip this house does not take"),
        ("colorado", _side("fire", 1, 0b11101110000), "no such progress"),  # all six: it has won
        ("colorado", _side("front_line_winner", owner="crew"), "a tip without its player's own"),
        ("colorado", _side("sharp_shooter", 1, 10), "no such progress"),
        ("colorado", _side("front_line_winner", 1, 12), "no such progress"),
    ],
)
def test_the_checks_object_to_an_unlawful_side_wager(regulation: str, wager: Wager, complaint: str) -> None:
    rules, table = _table(wager, rules=Rules.of(regulation, house=SIDE_WAGERS[regulation]))
    with pytest.raises(AssertionError, match=complaint):
        check_position(rules, table)


@pytest.mark.parametrize(
    ("regulation", "wager", "complaint"),
    [
        ("maryland", _side("fire", 1, 0, cents=1_50), "not in steps of 100"),
        ("maryland", _side("fire", 1, 0, cents=6_00), "outside 100 to 500"),
        ("colorado", _side("front_line_winner", cents=6_00, owner="crew"), "a tip over 500"),
    ],
)
def test_the_checks_object_to_an_unlawful_side_stake(regulation: str, wager: Wager, complaint: str) -> None:
    rules, table = _table(wager, rules=Rules.of(regulation, house=SIDE_WAGERS[regulation]))
    with pytest.raises(AssertionError, match=complaint):
        check_stakes(rules, table, has_coins=False)


def test_the_checks_object_to_a_tip_that_comes_back_to_a_rack(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.of("colorado", house={"tip_wagers": True})
    watched = Watched(rules)
    for command in (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=500_00)):
        watched.play(command, fully=True)
    tip = c.MakeWager(seat=1, wager="field", cents=10_00, owner="crew")
    watched.play(tip, fully=True)
    watched.play(c.RemoveWager(seat=1, wager="field", owner="crew"), fully=True)
    assert watched.table.money.tip_box == 10_00
    watched.play(tip, fully=True)

    def to_the_rack(scratch: _Scratch, wager: Wager, cents: int) -> None:
        scratch.racks[wager.seat - 1] += cents

    monkeypatch.setattr(_Scratch, "pay", to_the_rack)
    with pytest.raises(AssertionError, match="the tip box has not what the crew is owed"):
        watched.play(c.RemoveWager(seat=1, wager="field", owner="crew"))


SEVEN = e.RollSettled(3, 4, "")


@pytest.mark.parametrize(
    ("wagers", "puck", "happened", "complaint"),
    [
        ((_side("small", 0),), 6, (SEVEN,), "outlived what loses it"),
        ((_side("fire", 1, 0),), 6, (SEVEN, e.DiceSurrendered(1, "loser_7", "")), "outlived the loser 7"),
        ((), 0, (e.RollSettled(1, 1, ""),), "new_hand: closed is False"),
    ],
)
def test_the_checks_object_to_what_a_roll_left_undone(
    wagers: tuple[Wager, ...], puck: int, happened: tuple[e.Event, ...], complaint: str
) -> None:
    rules, table = _table(*wagers, puck=puck, rules=Rules.of("maryland", house=SIDE_WAGERS["maryland"]))
    with pytest.raises(AssertionError, match=complaint):
        check_settled(rules, table, happened, table)


def test_the_checks_object_to_a_window_closed_by_no_roll_of_its_own() -> None:
    rules, table = _table(rules=Rules.of("maryland", house=SIDE_WAGERS["maryland"]))
    closed = replace(table, position=replace(table.position, closed=("new_hand",)))
    check_settled(rules, table, (e.RollSettled(1, 1, ""),), table)  # the point is on: no come-out roll
    with pytest.raises(AssertionError, match="new_hand: closed is True"):
        check_settled(rules, table, (e.RollSettled(1, 1, ""),), closed)


SMALL, TALL = _side("small", 0b1111000), _side("tall", 1 << 8)
WON = e.WagerWon(SMALL, None, "", 5_00, Pays(34, to=1), 170_00, 0, "")


@pytest.mark.parametrize(
    ("roll", "wager", "fate", "after"),
    [
        ((1, 2), SMALL, None, SMALL),  # a 3 again
        ((1, 1), SMALL, WON, None),
        ((3, 4), SMALL, e.WagerLost(SMALL, None, "", 5_00, ""), None),
        ((4, 5), TALL, None, replace(TALL, progress=(1 << 8 | 1 << 9,))),
    ],
)
def test_what_a_side_wager_comes_to_follows_from_its_throws(
    roll: tuple[int, int], wager: Wager, fate: e.Event | None, after: Wager | None
) -> None:
    rules, table = _table(wager, rules=Rules.of("maryland", house=SIDE_WAGERS["maryland"]))
    settled = e.RollSettled(*roll, "")
    happened = (settled, fate) if fate else (settled,)
    left = replace(table, position=replace(table.position, layout=(after,) if after else ()))
    throws = {"small": [(6, 3), (6, 4), (6, 5), (6, 6)], "tall": [(6, 8)]}[wager.kind]
    unlike = replace(table, position=replace(table.position, layout=() if after else (wager,)))
    for outcome, is_right in ((left, True), (unlike, False)):
        histories = Histories(rules)
        histories.throws[1, "player", wager.kind, 0] = list(throws)
        if is_right:
            histories.follow(table, happened, outcome)
            assert len(histories.throws) == (after is not None)
        else:
            with pytest.raises(AssertionError, match=r"decided too early|not decided after"):
                histories.follow(table, (settled,), outcome)


def test_a_side_wager_is_paid_by_its_line() -> None:
    rules, table = _table(SMALL, rules=Rules.of("maryland", house=SIDE_WAGERS["maryland"]))
    histories = Histories(rules)
    histories.throws[1, "player", "small", 0] = [(6, 3), (6, 4), (6, 5), (6, 6)]
    bare = replace(table, position=replace(table.position, layout=()))
    with pytest.raises(AssertionError, match="34 to 1 is 17000"):
        histories.follow(table, (e.RollSettled(1, 1, ""), replace(WON, winnings=165_00)), bare)


@pytest.mark.parametrize("other", [replace(ODDS, owner="crew"), replace(ODDS, seat=2)])
def test_the_checks_object_to_anothers_wager_coming_down(other: Wager) -> None:
    command = c.RemoveWager(seat=1, wager="pass")
    check_whose(command, (e.WagerRemoved(PASS, ""), e.WagerRemoved(ODDS, "")))
    with pytest.raises(AssertionError, match="another's wager came down"):
        check_whose(command, (e.WagerRemoved(PASS, ""), e.WagerRemoved(other, "")))


@pytest.mark.parametrize(
    ("regulation", "game", "named"),
    [
        ("maryland", "mini_craps", {"SurveillanceNotified", "boom_or_bust beside another", "lucky_shooter decided"}),
        ("colorado", "craps", {"front_line_winner for the crew", "sharp_shooter made", "WagerWon of a tip"}),
        ("colorado", "craps_free_craps", {"odds of a tip"}),
    ],
)
def test_the_report_names_side_wagers_and_tips_that_were_never_reached(
    regulation: str, game: str, named: set[str]
) -> None:
    tally = run_path(str(ROOT / "benchmarks" / "fuzz.py"))["Tally"]
    never = set(tally(regulation, game).never())
    assert named <= never
    assert ("WindowClosed" in never) is ("WagerProgressed" in never) is (game != "craps_free_craps")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"closed": ("tea_time",)}, "no such windows"),
        ({"shooter": 2}, "nobody at seat 2 shoots"),
        ({"shooter": 0}, "no seat 0 to shoot"),
        ({"dice": "cup"}, "seat 1 shoots with the dice cup"),
        ({"faces": (3, 4)}, "faces"),
        ({"is_disputed": True}, "a dispute"),
        ({"is_clearing": True}, "clearing with the puck ON"),
        ({"is_clearing": True, "puck": 0}, "clearing with a line wager up"),
        ({"dice": "offered", "shooter": 0, "offered_to": 0}, "no seat 0 to offer the dice to"),
    ],
)
def test_the_checks_object_to_dice_that_are_nowhere(change: dict[str, object], complaint: str) -> None:
    rules, table = _table(PASS)
    with pytest.raises(AssertionError, match=complaint):
        check_position(rules, replace(table, position=replace(table.position, **change)))


def test_the_checks_object_to_a_rack_below_nothing() -> None:
    rules, table = _table(replace(PASS, cents=500_01))
    with pytest.raises(AssertionError, match="a rack is negative"):
        check_position(rules, table)


def test_the_sums_see_every_cent_and_every_coupon() -> None:
    _rules, table = _table(replace(PASS, coupon=5_00), ODDS)
    money = table.money
    assert total_of(table) == 1_000_000_00 + 500_00
    assert coupons_of(table) == 5_00
    for name in ("bank", "tip_box", "drop"):
        assert total_of(replace(table, money=replace(money, **{name: getattr(money, name) + 1}))) == total_of(table) + 1
    assert coupons_of(replace(table, money=replace(money, coupons_taken=1))) == 5_01
    assert coupons_of(replace(table, money=replace(money, coupons=(2_00, 1)))) == 7_01


def test_a_layout_made_in_another_order_is_the_same_layout() -> None:
    _rules, table = _table(PASS, ODDS, Wager(1, "player", "field", 0, 5_00))
    others = {reorder(Random(seed), table).position for seed in range(20)}
    assert others == {table.position}
