"""Policy files: what they say, how they are played, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from passline.automaton.compiler import compile_strategy
from passline.automaton.terms import SessionError, Terms
from passline.exact.analysis import analyze
from passline.game.position import Wager
from passline.rules.rules import Rules
from passline.simulation.replay import replay
from passline.strategy.interface import Lower, Seen, StrategyError, TakeDown, Want
from passline.strategy.lookup import strategy_of
from passline.strategy.policy_file import bind_policy, parse_policy

MARYLAND = Rules.of("maryland")
TWICE = """passline policy 1
name twice
about Reach 20.00 from 10.00.
bankroll 10.00
goal 20.00
least 10.00
short puck OFF: pass 10.00
situation puck OFF
10.00: pass 10.00
"""
POINTS = "".join(f"situation puck ON {point} | up pass 10.00\n0.00: pass 10.00\n" for point in (4, 5, 6, 8, 9, 10))


def test_a_policy_counts_its_money_in_its_memory_and_has_an_automaton() -> None:
    strategy = bind_policy(parse_policy(TWICE + POINTS), MARYLAND)
    assert strategy.start == (10_00, 0)
    assert not strategy.reads_money
    assert strategy.memory_after((10_00, 0), 10_00) == (-1, 0), "the goal"
    assert strategy.memory_after((10_00, 0), -10_00) == (-2, 0), "nothing can be paid for"
    assert len(compile_strategy(MARYLAND, strategy)) < 60
    again = pickle.loads(pickle.dumps(strategy))  # noqa: S301 - our own
    assert again.start == strategy.start


def test_the_law_of_one_wager_is_that_of_the_pass_line(tmp_path: Path) -> None:
    file = tmp_path / "twice.policy"
    file.write_text(TWICE + POINTS, encoding="utf-8")
    law = analyze(MARYLAND, str(file), Terms(bankroll_cents=10_00, goal_cents=20_00, rolls=10**5)).law
    assert law is not None
    assert abs(float(law.goal) - 244 / 495) < 1e-12


def test_rows_hold_from_their_money_and_roll_on_and_turn_what_is_up_into_what_they_have() -> None:
    text = TWICE.replace("least 10.00", "least 1.00\nrolls 5") + (
        "20.00: dont_pass 20.00\nafter 3\n10.00: -\n"
        "situation puck ON 6 | up dont_pass 20.00; dont_pass_odds 6 60.00\n"
        "0.00: dont_pass 20.00\n50.00: dont_pass 20.00; dont_pass_odds 6 24.00\n90.00: dont_pass_odds 6 120.00\n"
    )
    file = parse_policy(text.replace("goal 20.00", "goal 200.00"))
    strategy = bind_policy(file, MARYLAND)
    off = Seen(0, is_clearing=False, mine=())
    assert strategy.wishes(off, (10_00, 0)) == strategy.wishes(off, (19_00, 2)) == (Want("pass", 0, 10_00),)
    assert strategy.wishes(off, (30_00, 0)) == (Want("dont_pass", 0, 20_00),)
    assert strategy.wishes(off, (30_00, 3)) == strategy.wishes(off, (30_00, 4)) == ()
    (key,) = (key for key in file.situations if key[0])
    mine = tuple(Wager(2, "player", kind, number, cents) for kind, number, cents, *_ in key[2])
    on = Seen(6, is_clearing=False, mine=mine)
    assert strategy.wishes(on, (10_00, 0)) == (TakeDown("dont_pass_odds", 6),)
    assert strategy.wishes(on, (50_00, 0)) == (Lower("dont_pass_odds", 6, 24_00),)
    assert strategy.wishes(on, (99_00, 0)) == (TakeDown("dont_pass", 0), Want("dont_pass_odds", 6, 120_00))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a policy"),
        (TWICE.replace("bankroll 10.00\n", ""), "has no line 'bankroll'"),
        (TWICE.replace("10.00: pass 10.00\n", "10.00: pass x\n"), "line 9"),
        (TWICE + "5.00: pass 5.00\n" + POINTS, "ascending"),
        (TWICE.replace("situation puck OFF", "situation moon"), "line 8"),
        (TWICE.replace("name twice", "name not a name"), "a policy has a name"),
        (TWICE.replace("least 10.00", "least much"), "much"),
    ],
)
def test_a_file_that_is_no_policy_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        parse_policy(text, "bad.policy")


def test_a_policy_plays_alone_from_its_own_bankroll(tmp_path: Path) -> None:
    file = tmp_path / "twice.policy"
    file.write_text(TWICE + POINTS, encoding="utf-8")
    with pytest.raises(StrategyError, match="is played alone"):
        strategy_of(f"{file} + field", MARYLAND)
    terms = Terms(bankroll_cents=50_00, goal_cents=100_00, rolls=50)
    with pytest.raises(SessionError, match="counts its money from"):
        analyze(MARYLAND, str(file), terms)
    with pytest.raises(SessionError, match="counts its money from"):
        next(iter(replay(MARYLAND, strategy_of(str(file), MARYLAND), terms, seed=0, session=0)))
    with pytest.raises(SessionError, match="no loss limit per shooter"):
        analyze(MARYLAND, str(file), Terms(bankroll_cents=10_00, rolls=50, shooter_loss_cents=10_00), short="ride")


def test_an_unknown_situation_is_an_error_that_says_what_it_was_made_for() -> None:
    strategy = bind_policy(parse_policy(TWICE), MARYLAND)
    with pytest.raises(StrategyError, match=r"no line for puck 6 .* bankroll of 10\.00"):
        strategy.wishes(Seen(6, is_clearing=False, mine=()), (10_00, 0))
