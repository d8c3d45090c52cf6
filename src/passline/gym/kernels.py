"""The kernel of the vectorised environment: many sessions, one roll each. It works on arrays alone.

state[i] is (position, equity, rolls so far, whether the session is over). The dice are 36 equally likely outcomes, from
a generator of its own for each session (splitmix64); a draw that would favour some outcomes is thrown again.
"""
# ruff: noqa: PLR0917 - numba takes arguments by position, as a kernel's formula lists them

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passline.kernel_cache import kernel

_Whole = NDArray[np.int64]
_OUTCOMES = np.uint64(36)
_REJECTED = np.uint64(2**32 % 36)  # of the low half of a draw times 36
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))


@kernel()
def next_outcome(seeds: NDArray[np.uint64], i: int) -> int:
    """Return the next outcome of session i, from 0 to 35, and move its generator on."""
    while True:
        seeds[i] += _GAMMA
        z = seeds[i]
        z = (z ^ (z >> _SHIFTS[0])) * _MIX_1
        z = (z ^ (z >> _SHIFTS[1])) * _MIX_2
        z = z ^ (z >> _SHIFTS[2])
        scaled = (z >> _HALF) * _OUTCOMES
        if (scaled & _LOW) >= _REJECTED:
            return int(scaled >> _HALF)


@kernel()
def step_all(
    state: _Whole,
    seeds: NDArray[np.uint64],
    actions: _Whole,
    acts: NDArray[np.int32],
    leave: NDArray[np.int32],
    layout: _Whole,
    outlay: _Whole,
    nexts: NDArray[np.int32],
    cash: NDArray[np.int32],
    bankroll: int,
    goal: int,
    least: int,
    rolls: int,
    unit: int,
    seen: _Whole,
    rewards: NDArray[np.float64],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
) -> None:
    """Play one roll of every session: equity += cash[layout, outcome]; one that is over begins again instead.

    An action that is not lawful counts as one that makes nothing. A session ends at the goal, or with less than
    `least`, and is cut off after `rolls`.
    """
    for i in range(len(state)):
        if state[i, 3]:
            state[i, 0], state[i, 1], state[i, 2], state[i, 3] = 0, bankroll, 0, 0
            rewards[i] = 0.0
            terminated[i] = truncated[i] = False
        else:
            p, e = state[i, 0], state[i, 1]
            k = acts[p, actions[i]]
            if k < 0 or outlay[k] > e:
                k = leave[p]
            at = layout[k]
            outcome = next_outcome(seeds, i)
            change = cash[at, outcome]
            e += change
            state[i, 0], state[i, 1] = nexts[at, outcome], e
            state[i, 2] += 1
            rewards[i] = change * unit
            over = e >= goal or e < least
            terminated[i] = over
            truncated[i] = rolls > 0 and state[i, 2] >= rolls and not over
            state[i, 3] = over or truncated[i]
        seen[i, 0], seen[i, 1], seen[i, 2] = state[i, 0], state[i, 1] * unit, state[i, 2]


@kernel()
def mask_all(state: _Whole, acts: NDArray[np.int32], outlay: _Whole, masks: NDArray[np.int8]) -> None:
    """Set masks[i, a] to whether action a is lawful in session i."""
    for i in range(len(state)):
        p, e = state[i, 0], state[i, 1]
        for a in range(acts.shape[1]):
            k = acts[p, a]
            masks[i, a] = k >= 0 and outlay[k] <= e
