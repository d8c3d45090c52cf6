"""Best play and learners: the doubling of $500 in units of $5 within a minute, and steps of the vectorised environment.

The chances are those of line wagers with odds at 3-4-5x and at 100x, with the gap that is proved, the seconds on one
core and the chance of bold play. The environment's steps per CPU-second are compared with those of the single
environment, which deals the same automaton step by step in Python.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.processor import processor_name
from passline import Purpose, Rules, best, menu_of
from passline.gym.environment import CrapsEnv
from passline.gym.vector import CrapsVectorEnv

HOUSES = {"3-4-5x": {}, "100x": {"odds": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 100)}}
BOLD = 949 / 1925
SESSIONS, STEPS, ROUNDS = 16_384, 400, 5
STEPS_A_SECOND_MIN = 1e7
SECONDS_MAX = 60.0


def _doublings() -> dict[str, dict[str, float]]:
    found = {}
    for name, house in HOUSES.items():
        rules = Rules.of("maryland", house=house)
        began = time.process_time()
        play = best(
            rules, menu_of("line", rules, unit_cents=5_00), Purpose.goal(bankroll_cents=500_00, goal_cents=1000_00)
        )
        seconds = time.process_time() - began
        found[name] = {"chance": play.value, "gap": play.gap, "seconds": seconds}
        print(f"double $500 at {name:>6}: {play.value:.9f}, gap {play.gap:.1e}, {seconds:.1f} s (bold play {BOLD:.6f})")
    return found


def _steps_a_second() -> tuple[float, float]:
    envs, choose = CrapsVectorEnv(num_envs=SESSIONS), np.random.default_rng(0)
    actions = choose.integers(0, len(envs.tables.actions), size=(8, SESSIONS))
    envs.reset(seed=1)
    envs.step(actions[0])  # compiles
    quickest = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        for step in range(STEPS):
            envs.step(actions[step % 8])
        quickest = max(quickest, STEPS * SESSIONS / (time.process_time() - began))
    env = CrapsEnv()
    env.reset(seed=1)
    began, single = time.process_time(), 20_000
    for step in range(single):
        _seen, _reward, over, _cut, _info = env.step(np.int64(actions[0, step % SESSIONS]))
        if over:
            env.reset()
    return quickest, single / (time.process_time() - began)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both, and a JSON object; return 1 if a bound is missed."""
    argparse.ArgumentParser(prog="./x bench best", description=__doc__).parse_args(arguments)
    print(processor_name())
    doublings = _doublings()
    steps, single = _steps_a_second()
    print(
        f"vectorised environment: {steps:,.0f} steps/s on one core, "
        f"{steps / single:,.0f} times the single one ({single:,.0f})"
    )
    print(json.dumps({"doublings": doublings, "steps_a_second": steps, "single": single, "ratio": steps / single}))
    is_quick = all(found["seconds"] < SECONDS_MAX for found in doublings.values())
    return 0 if steps >= STEPS_A_SECOND_MIN and is_quick else 1


if __name__ == "__main__":
    raise SystemExit(main())
