"""A learner that is told nothing of craps learns to double $500, and is held against the proved optimum.

It plays at random in the vectorised environment, counts where each action leads, and improves its play on what it has
counted until nothing changes. Then that play is evaluated exactly, on the automaton itself.
Run it with `python examples/learn_to_double.py`; it takes about a minute.
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
from numpy.typing import NDArray

import passline.gym  # noqa: F401 - registers the environment
from passline import Purpose, Rules, best
from passline.gym.tables import GymTables
from passline.gym.vector import CrapsVectorEnv

SESSIONS, STEPS = 16_384, 1200
BANKROLL, GOAL, UNIT = 500_00, 1000_00, 100_00
_BATCH = 50  # steps between two counts
_CAUTION = 2.0  # standard errors that an action must be better by, for of many the luckiest looks best
_SETTLED = 1e-6  # the largest change of a value that ends the improvement


def watch(envs: CrapsVectorEnv, steps: int, seed: int) -> dict[tuple[int, int, int, int], int]:
    """Play at random, and return how often each action in a position led to which position and reward."""
    tables, choose = envs.tables, np.random.default_rng(seed)
    lawful, many = _lawful_actions(tables)
    seen, _ = envs.reset(seed=seed)
    begins = np.zeros(envs.num_envs, dtype=bool)
    counts: dict[tuple[int, int, int, int], int] = {}
    kept = []
    for step in range(1, steps + 1):
        position, units = seen[:, 0], np.minimum(seen[:, 1] // UNIT, tables.goal - 1)
        place = (choose.random(len(units)) * many[position, units]).astype(np.int64)
        actions = lawful[position, units, place].astype(np.int64)
        seen, rewards, over, cut, _ = envs.step(actions)
        change = rewards.astype(np.int64) // UNIT + tables.goal
        codes = ((position * len(tables.actions) + actions) * len(many) + seen[:, 0]) * 4 * tables.goal + change
        kept.append(codes[~begins])
        begins = over | cut  # of these the next step only begins a session
        if step % _BATCH == 0 or step == steps:
            for code, count in zip(*np.unique(np.concatenate(kept), return_counts=True), strict=True):
                rest, led = divmod(int(code), len(many) * 4 * tables.goal)
                key = (*divmod(rest, len(tables.actions)), *divmod(led, 4 * tables.goal))
                counts[key] = counts.get(key, 0) + int(count)
            kept = []
    return counts


def _lawful_actions(tables: GymTables) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return the lawful actions of each (position, equity), and how many there are; one that only waits comes last."""
    size = (len(tables.automaton), tables.goal)
    lawful, many = np.zeros((*size, len(tables.actions)), dtype=np.int16), np.ones(size, dtype=np.int64)
    for p, e in np.ndindex(size):
        found = np.flatnonzero(tables.mask(p, e))
        found = found[:-1] if p == 0 and len(found) > 1 else found  # on a come-out roll it always wagers
        many[p, e] = len(found)
        lawful[p, e, : len(found)] = found
    return lawful, many


def improve(tables: GymTables, counts: dict[tuple[int, int, int, int], int]) -> NDArray[np.int32]:
    """Return the action of each (position, equity) that is surely best if the dice go on as they were watched."""
    triples: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for (position, action, follows, change), count in counts.items():
        triples.setdefault((position, action), []).append((follows, change - tables.goal, count))
    worth, policy = np.zeros((len(tables.automaton), tables.goal)), np.full((len(tables.automaton), tables.goal), -1)
    money, moved = np.arange(tables.goal), 1.0
    while moved > _SETTLED:
        before, moved = worth.copy(), 0.0
        worth[:] = 0.0
        for (position, action), led in triples.items():
            low = int(tables.automaton.act_outlay[tables.acts[position, action]])
            total, squares = np.zeros(tables.goal - low), np.zeros(tables.goal - low)
            times = sum(count for _follows, _change, count in led)
            for follows, change, count in led:
                after = money[low:] + change
                leads_to = np.where(after >= tables.goal, 1.0, before[follows, np.minimum(after, tables.goal - 1)])
                total += count / times * leads_to
                squares += count / times * leads_to**2
            total -= _CAUTION * np.sqrt(np.maximum(squares - total**2, 0.0) / times)
            better = total > worth[position, low:]
            worth[position, low:][better] = total[better]
            policy[position, low:][better] = action
        moved = float(np.abs(worth - before).max())
    return policy.astype(np.int32)


def chance_of(tables: GymTables, policy: NDArray[np.int32]) -> float:
    """Return the exact chance of a policy, given as the action of each (position, equity); -1 makes nothing."""
    automaton = tables.automaton
    acts = tables.acts[np.arange(len(automaton))[:, None], policy]
    nexts, cash = (table[automaton.act_layout[acts]] for table in automaton.outcomes)
    money = np.arange(tables.goal)[None, :, None] + cash
    chances, before = np.zeros((len(automaton), tables.goal)), None
    while before is None or np.abs(chances - before).max() > _SETTLED**2:
        before = chances
        follows = np.where(money >= tables.goal, 1.0, chances[nexts, np.minimum(money, tables.goal - 1)])
        chances = np.where(np.arange(tables.goal) < tables.least, 0.0, follows.mean(axis=2))
    return float(chances[0, tables.bankroll])


def main(steps: int = STEPS) -> float:
    """Learn, print what was learned beside the optimum, and return the gap."""
    rules = Rules.of("maryland")
    envs = gymnasium.make_vec(
        "Passline/Craps-v0",
        num_envs=SESSIONS,
        vectorization_mode="vector_entry_point",
        rules=rules,
        bankroll_cents=BANKROLL,
        goal_cents=GOAL,
        unit_cents=UNIT,
    ).unwrapped
    assert isinstance(envs, CrapsVectorEnv)
    learned = chance_of(envs.tables, improve(envs.tables, watch(envs, steps, seed=1)))
    play = best(rules, envs.tables.automaton.menu, Purpose.goal(bankroll_cents=BANKROLL, goal_cents=GOAL), exact=True)
    print(f"steps    {steps * SESSIONS:,}")
    print(f"learned  {learned:.6f}")
    print(f"best     {play.value:.6f}, {play.exact}")
    print(f"gap      {play.value - learned:.6f}")
    return play.value - learned


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS)
