"""Wagers that are machines, dealt by the engine: as their plain rules say, with clauses, and at their times."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest

from passline.automaton.real_table import RealTable
from passline.dice import Roll
from passline.dice_sources import seeded_rolls
from passline.game import events as e
from passline.game.commands import RollDice
from passline.game.craps import CrapsGame
from passline.game.markers import markers_after
from passline.game.notation import format_table, parse_table
from passline.game.wording import progress_text
from passline.refusal import WagerRefused
from passline.strategy.one_wager import OneWager
from tests.cases import budget
from tests.game.wagers.plain_wagers import PLAIN
from tests.rules.side_wagers import STAKE, machines, rules

_HANDS = budget(25, in_sweep=1000)
_SHOOTER_ROLLS = 400  # no hand of these dice is longer


def _dice(kind: str, hand: int) -> Iterator[Roll]:
    return islice(seeded_rolls(sum(map(ord, kind)), session=hand), _SHOOTER_ROLLS)


def _dealt(kind: str, dice: Iterator[Roll]) -> tuple[list[tuple[int, int]], int]:
    """Deal a wager made before a hand until it is decided; return the rolls, and what it won in cents."""
    table = RealTable(rules(), OneWager(rules=rules(), kind=kind, cents=STAKE), bankroll_cents=100_00)
    rolls: list[tuple[int, int]] = []
    while not table.memory:
        assert table.acts()
        roll = next(dice)
        rolls.append((roll.first, roll.second))
        table.roll(roll)
    return rolls, table.equity_cents - 100_00


def test_every_machine_is_dealt_as_its_rules_say_in_plain_python() -> None:
    assert PLAIN.keys() == set(machines())
    seen: dict[str, set[int]] = {kind: set() for kind in PLAIN}
    for kind, plain in PLAIN.items():
        for hand in range(_HANDS):
            rolls, won = _dealt(kind, _dice(kind, hand))
            undecided = [plain(rolls[:end]) for end in range(1, len(rolls))]
            assert not any(result is not None for result in undecided), (kind, rolls)
            assert plain(rolls) == Fraction(won, STAKE), (kind, rolls)
            seen[kind].add(won)
    assert sum(len(results) > 1 for results in seen.values()) > len(seen) // 2  # both won and lost


def test_a_payment_cites_what_wins_and_the_line_that_pays() -> None:
    game = CrapsGame(rules())
    ann = game.join(1000_00)
    game.wager(ann, "pass", 5_00)
    game.wager(ann, "repeater_2", STAKE)
    assert not [line for line in game.roll(1, 1) if "Repeater" in line and "wins" in line]
    game.wager(ann, "pass", 5_00)
    paid = [line for line in game.roll(1, 1) if "Repeater" in line]
    won = "wins 195.00 (5.00 at 40 for 1: 200.00 with the stake)"
    assert paid == [f"seat 1 Repeater 2 {won} [SW-repeaters-wins, SW-repeaters-pays-2]"]


def test_a_machine_shows_what_it_remembers_and_its_table_parses_back() -> None:
    game = CrapsGame(rules())
    ann = game.join(1000_00)
    game.wager(ann, "pass", 5_00)
    game.wager(ann, "hot_hand", STAKE)
    for dice in ((2, 2), (5, 5), (6, 5)):
        game.roll(*dice)
    [wager] = [wager for wager in game.table.position.layout if wager.kind == "hot_hand"]
    assert progress_text(game.rules.wagers["hot_hand"], wager.progress) == "3 counted (4, 10, 11)"
    assert parse_table(format_table(game.table)) == game.table
    marker = markers_after(game.rules, game.events)["hot_hand"]
    assert (marker.count, marker.lit, marker.clause) == (3, (4, 10, 11), "SW-hot_hand-marked")
    lost = [
        event
        for event in game.do(RollDice(first=3, second=4))
        if isinstance(event, e.WagerLost) and event.wager.kind == "hot_hand"
    ]
    assert [event.clause for event in lost] == ["SW-hot_hand-settles, SW-hot_hand-pays-low"]
    assert markers_after(game.rules, game.events)["hot_hand"].count == 0


@pytest.mark.parametrize(
    ("kind", "clause"),
    [("point_seven", "SW-point_seven-made"), ("hot_hand", "SW-hot_hand-made"), ("replay", "SW-replay-made")],
)
def test_a_machine_is_made_in_its_window_only(kind: str, clause: str) -> None:
    game = CrapsGame(rules())
    ann = game.join(1000_00)
    game.wager(ann, "pass", 5_00)
    game.roll(2, 2)
    with pytest.raises(WagerRefused) as refused:
        game.wager(ann, kind, STAKE)
    assert [why.clause for why in refused.value.refusals][:1] == [clause]
    game.wager(ann, "repeater_4", STAKE)  # which has no window


def test_a_clearing_roll_decides_no_wager_that_waits_for_a_come_out_roll() -> None:
    machine = rules().wagers["muggsys_corner"].machine
    assert machine is not None
    for roll in (Roll(3, 4), Roll(1, 1), Roll(2, 2)):
        assert machine.step((), roll, puck=0, is_clearing=True).does == "go_on"
        assert machine.step((), roll, puck=6).does == ("wins" if roll.total == 7 else "loses")
