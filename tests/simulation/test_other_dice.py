"""Sessions with dice that are not the game's: kernels against plain Python and exact answers; recorded rolls."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from passline import Rules, Terms, simulate, strategy_of
from passline.automaton.terms import SessionError
from passline.dice import OUTCOMES, Roll
from passline.dice_sources import DiceError
from passline.dice_weights import FAIR, DiceWeights, dice_named, weighted_dice, weighted_rolls
from passline.simulation.backends.cpu.backend import paths_of, session_records
from passline.simulation.backends.cpu.given_dice import kernel_dice
from passline.simulation.backends.cpu.kernel_dice import throw_block
from passline.simulation.backends.gpu.backend import play_range
from passline.simulation.kernel_tables import compiled_tables
from passline.simulation.recorded_dice import SessionDice, dice_of_file, recorded_dice, session_rolls
from passline.simulation.reference_session import SessionRecord, play_session
from passline.simulation.replay import replay
from passline.simulation.simulation import exact_of, prepare_strategy
from tests.cases import budget

MARYLAND = Rules.of("maryland")
SRR = dice_named("biased:srr=6.5")
FACES = dice_named("biased:1=16,2=17,3=18,4=15,5=17,6=16")
WIDE = weighted_dice(
    [1 << 24, *range(5 * 10**6, 175 * 10**6, 5 * 10**6), 1], "dice of many digits"
)  # so many that a word is one roll, often none
RECORD = recorded_dice(MARYLAND, list(islice(weighted_rolls(FACES, 5), 400)))
SEED = 2**40 + 7
TERMS = Terms(bankroll_cents=300_00, rolls=90, goal_cents=450_00)


@pytest.mark.parametrize("dice", [SRR, FACES, WIDE, RECORD, FAIR], ids=str)
def test_kernels_throw_what_plain_python_does(dice: SessionDice) -> None:
    thrown, into = [], np.zeros(20, dtype=np.uint8)
    for block in range(40):
        count = throw_block(kernel_dice(dice), np.uint64(SEED), np.uint64(3), block, into)
        thrown += into[:count].tolist()
    rolls = session_rolls(dice, SEED, session=3)
    assert [OUTCOMES[outcome] for outcome in thrown] == list(islice(rolls, len(thrown)))
    assert len(thrown) > 60


@pytest.mark.parametrize("dice", [SRR, WIDE], ids=str)
def test_outcomes_come_as_often_as_their_weights_say(dice: DiceWeights) -> None:
    count = budget(20_000, in_sweep=400_000)
    seen = Counter(islice(weighted_rolls(dice, 11), count))
    expected = [float(dice.chance(roll)) * count for roll in OUTCOMES]
    squares = sum((seen[roll] - mean) ** 2 / mean for roll, mean in zip(OUTCOMES, expected, strict=True) if mean > 1)
    assert squares < 85  # of 35 degrees of freedom: once in 200,000 times


@pytest.mark.parametrize("dice", [SRR, FACES, RECORD], ids=str)
@pytest.mark.parametrize("strategy", ["molly", "iron_cross"])
def test_sessions_of_the_kernels_are_those_of_the_reference_and_of_a_table(strategy: str, dice: SessionDice) -> None:
    ready = prepare_strategy(MARYLAND, strategy, TERMS, dice=dice)
    ((_, rows),) = session_records(ready.tables, ready.limits, seed=SEED, sessions=40)
    for session, row in enumerate(rows.tolist()):
        outcomes = (OUTCOMES.index(roll) for roll in session_rolls(dice, SEED, session=session))
        played = play_session(compiled_tables(ready.tables, ""), ready.limits, outcomes)
        assert SessionRecord(*row) == played
    played_by = strategy_of(strategy, MARYLAND)
    for session in range(2):
        *_, last = replay(MARYLAND, played_by, TERMS, seed=SEED, session=session, dice=dice)
        assert last.equity_cents == ready.limits.cents(int(rows[session, 2]), ready.tables.unit)
    (path,) = paths_of(ready.tables, ready.limits, seed=SEED, sessions=1, rolls=90)
    assert path[-1] == rows[0, 2]


def test_a_strategy_that_is_explored_as_it_is_played_throws_the_same_dice() -> None:
    known, growing = (prepare_strategy(MARYLAND, "molly", TERMS, dice=SRR, compiled_max=most) for most in (20_000, 10))
    finals = []
    for ready in (known, growing):
        ((_, rows),) = session_records(ready.tables, ready.limits, seed=3, sessions=50)
        finals.append([ready.limits.cents(final, ready.tables.unit) for final in rows[:, 2].tolist()])
    assert finals[0] == finals[1]


@pytest.mark.parametrize("dice", [SRR, FACES], ids=str)
def test_means_are_within_four_errors_of_the_exact_ones(dice: DiceWeights) -> None:
    sessions = budget(20_000, in_sweep=1_000_000)
    found = simulate(MARYLAND, "molly", TERMS, sessions=sessions, seed=9, dice=dice)
    law = exact_of(MARYLAND, "molly", TERMS, dice=dice)
    assert law is not None
    error = law.deviation_cents / sessions**0.5
    assert abs(found.results.mean_cents().value - law.mean_cents) < 4 * error
    share = found.results.endings[0] / sessions
    assert abs(share - law.ruin) < 4 * (law.ruin * (1 - law.ruin) / sessions) ** 0.5


def test_fair_weights_play_what_no_dice_do() -> None:
    fair = dice_named("biased:2,2,2,2,2,2")
    played = [
        simulate(MARYLAND, "pass", TERMS, sessions=500, seed=4),
        simulate(MARYLAND, "pass", TERMS, sessions=500, seed=4, dice=fair),
    ]
    assert played[0].results == played[1].results
    assert repr(played[0]) == repr(played[1])
    assert "NOT the game's dice" in repr(simulate(MARYLAND, "pass", TERMS, sessions=5, dice=SRR))


def test_a_gpu_refuses_them() -> None:
    ready = prepare_strategy(MARYLAND, "pass", TERMS, dice=SRR)
    with pytest.raises(SessionError, match="a GPU throws fair dice alone, not dice of one seven in"):
        play_range(ready.tables, ready.limits, 0, range(10))


def test_recorded_rolls_begin_with_a_hand_and_go_on_in_their_order() -> None:
    rolls = [Roll(2, 2), Roll(3, 4), Roll(6, 5), Roll(3, 3), Roll(5, 1), Roll(5, 5), Roll(1, 6), Roll(1, 1)]
    dice = recorded_dice(MARYLAND, rolls)
    assert (dice.starts, dice.left_out) == ((0, 2), 1)
    begun: Counter[int] = Counter()
    for session in range(200):
        start = dice.start_of(1, session)
        begun[start] += 1
        order = (*rolls[start:7], *rolls[:start])
        assert tuple(islice(dice.rolls(1, session=session), 14)) == order * 2
    assert min(begun[0], begun[2]) > 60
    with pytest.raises(DiceError, match="no hand ends in its 2 rolls"):
        recorded_dice(MARYLAND, rolls[2:4])


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# Tuesday\n2-2 34\n6 5\n3,3;5-2\n", encoding="utf-8")
    assert str(dice_of_file(MARYLAND, file)) == "5 recorded rolls of 2 hands in mine.txt"
    file.write_text("3-4\n3-45\n", encoding="utf-8")
    with pytest.raises(DiceError, match=r"mine\.txt: line 2, '3-45': a roll is two faces from 1 to 6"):
        dice_of_file(MARYLAND, file)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("biased:srr=1", "more than 1, or nothing but sevens would come"),
        ("biased:srr=x", "'x' is not a number such as 16"),
        ("biased:6=0", "a weight is 0 or less"),
        ("biased:6=1,6=2", "face 6 has two weights"),
        ("biased:1,2,3", "is neither a face with its weight"),
        ("biased:1=1.0000001,2=1.0000003", "use rounder numbers"),
        ("loaded", "choose fair, or dice such as"),
        ("biased:", "choose fair, or dice such as"),
        ("biased:1=1e9", "is not a number"),
        ("biased:1=1/0", "is not a number"),
        ("biased:" + ",".join("1" * 35) + ",-1", "is below 0"),
    ],
)
def test_dice_that_do_not_exist_are_refused(name: str, why: str) -> None:
    with pytest.raises(DiceError, match=why):
        dice_named(name)
