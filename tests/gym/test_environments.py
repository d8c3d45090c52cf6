"""Learners' environments: Gymnasium's own checks, both against each other and against best play, masks and rewards."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the extra was found

from passline.automaton.terms import SessionError  # noqa: E402
from passline.exact.best.best_play import best  # noqa: E402
from passline.exact.best.purpose import Purpose  # noqa: E402
from passline.gym.environment import CrapsEnv  # noqa: E402
from passline.gym.kernels import next_outcome  # noqa: E402
from passline.gym.tables import NONE  # noqa: E402
from passline.gym.vector import CrapsVectorEnv  # noqa: E402
from passline.rules.rules import Rules  # noqa: E402

SMALL: dict[str, Any] = {"menu": "line", "unit_cents": 100_00}


@pytest.mark.parametrize("regulation", ["maryland", "section2"])
def test_gymnasium_finds_nothing_wrong(regulation: str) -> None:
    env = gymnasium.make("Passline/Craps-v0", rules=regulation, rolls=50, **SMALL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_a_session_is_played_to_its_end_and_its_rewards_add_up_to_the_cent() -> None:
    env = CrapsEnv(**SMALL)
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        choose, total, is_over = np.random.default_rng(seed), 0.0, False
        while not is_over:
            action = int(choose.choice(np.flatnonzero(info["action_mask"])))
            seen, reward, is_over, _cut, info = env.step(np.int64(action))
            assert info["is_lawful"]
            total += reward
        assert seen[1] == 500_00 + total
        assert seen[1] >= 1000_00 or seen[1] < 100_00


def test_an_unlawful_action_makes_nothing() -> None:
    env = CrapsEnv(menu="pass=100/500, pass_odds", unit_cents=100_00)
    odds = next(at for at, action in enumerate(env.tables.actions) if action.startswith("pass_odds"))
    seen, info = env.reset(seed=3)
    assert not info["action_mask"][odds]
    seen, reward, _over, _cut, info = env.step(np.int64(odds))
    assert (reward, info["is_lawful"], int(seen[1])) == (0.0, False, 500_00)
    assert "up" not in env.describe()


def test_the_vectorised_environment_plays_by_the_same_tables() -> None:
    envs = CrapsVectorEnv(num_envs=64, rolls=30, **SMALL)
    seen, _ = envs.reset(seed=1)
    again = CrapsVectorEnv(num_envs=64, rolls=30, **SMALL)
    again.reset(seed=1)
    choose, is_over = np.random.default_rng(0), np.zeros(64, dtype=bool)
    nexts, cash = envs.tables.automaton.outcomes
    kinds = set[str]()
    for _ in range(200):
        masks = envs.action_masks()
        single = np.array([envs.tables.mask(int(p), int(cents) // 100_00) for p, cents, _rolls in seen])
        assert np.array_equal(masks[~is_over], single[~is_over])
        actions = np.array([choose.choice(np.flatnonzero(mask)) for mask in masks])
        before = seen
        seen, rewards, terminated, truncated, _ = envs.step(actions)
        other = again.step(actions)
        assert np.array_equal(seen, other[0]), "the same seed and the same actions"
        for i in np.flatnonzero(~is_over):
            layout = envs.tables.automaton.act_layout[envs.tables.acts[before[i, 0], actions[i]]]
            change = (seen[i, 1] - before[i, 1]) // 100_00
            assert (seen[i, 0], change) in set(zip(nexts[layout].tolist(), cash[layout].tolist(), strict=True))
            assert rewards[i] == seen[i, 1] - before[i, 1]
        assert (seen[is_over] == (0, 500_00, 0)).all(), "one that is over begins again"
        is_over = terminated | truncated
        kinds |= {"goal"} if (seen[terminated, 1] >= 1000_00).any() else set()
        kinds |= {"ruin"} if (seen[terminated, 1] < 100_00).any() else set()
        kinds |= {"cut"} if truncated.any() else set()
    assert kinds == {"goal", "ruin", "cut"}


@pytest.mark.whole
def test_the_best_policy_reaches_its_chance_in_the_environment() -> None:
    rules = Rules.of("maryland")
    envs = CrapsVectorEnv(num_envs=20_000, rules=rules, **SMALL)
    play = best(rules, envs.tables.automaton.menu, Purpose.goal(bankroll_cents=500_00, goal_cents=1000_00))
    chosen = play.act_numbers()
    action_of = np.full(len(envs.tables.automaton.act_layout), NONE)
    p, a = np.nonzero(envs.tables.acts != NONE)
    action_of[envs.tables.acts[p, a]] = a
    seen, _ = envs.reset(seed=5)
    wins, ends, first = 0, 0, np.ones(20_000, dtype=bool)
    while first.any():
        acts = chosen[seen[:, 0], np.minimum(seen[:, 1] // 100_00, 9)]
        seen, _rewards, terminated, _cut, _ = envs.step(action_of[acts])
        done = terminated & first
        wins, ends = wins + int((seen[done, 1] >= 1000_00).sum()), ends + int(done.sum())
        first &= ~terminated
    assert ends == 20_000
    assert abs(wins / ends - play.value) < 4 * 0.5 / np.sqrt(ends)


def test_all_outcomes_are_equally_likely() -> None:
    seeds = np.arange(1, 101, dtype=np.uint64)
    counts = np.bincount([next_outcome(seeds, i) for i in range(100) for _ in range(360)], minlength=36)
    assert len(counts) == 36
    assert ((counts - 1000) ** 2 / 1000).sum() < 80  # chi-square of 35 degrees: less in all but 2 of 100,000


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(SessionError, match="the goal is above the bankroll"):
        CrapsEnv(bankroll_cents=10_00, goal_cents=10_00)
    with pytest.raises(SessionError, match="no wager of the menu can be made on a come-out roll"):
        CrapsEnv(menu="come", unit_cents=100_00)
