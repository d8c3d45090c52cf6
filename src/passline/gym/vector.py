"""The vectorised environment `Passline/Craps-v0`: many sessions, stepped together by one kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from passline.gym import kernels
from passline.gym.environment import Seen, observed_bounds
from passline.gym.tables import gym_tables

_OVER = 3  # column of the state


class CrapsVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """Sessions of craps stepped together; each that is over begins again with the next step, whatever its action.

    It takes the arguments of `gym_tables`. Masks of all sessions come from `action_masks`, when they are asked for.

    >>> envs = CrapsVectorEnv(num_envs=4, menu="pass=100/500", unit_cents=100_00)
    >>> seen, info = envs.reset(seed=7)
    >>> seen, rewards, terminated, truncated, info = envs.step(np.array([0, 0, 1, 2]))
    >>> envs.action_masks().shape, rewards.shape
    ((4, 3), (4,))
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, num_envs: int = 1, **session: Any) -> None:  # noqa: ANN401 - of gym_tables
        self.num_envs = num_envs
        self.tables = gym_tables(**session)
        low, high = observed_bounds(self.tables)
        self.single_observation_space = spaces.Box(low, high, dtype=np.int64)
        self.single_action_space = spaces.Discrete(len(self.tables.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        nexts, cash = self.tables.automaton.outcomes
        self._nexts, self._cash = nexts.astype(np.int32), cash.astype(np.int32)
        self._state = np.zeros((num_envs, 4), dtype=np.int64)
        self._seeds = np.zeros(num_envs, dtype=np.uint64)
        self.reset()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin every session."""
        super().reset(seed=seed, options=options)
        self._seeds = self.np_random.integers(0, 2**64, size=self.num_envs, dtype=np.uint64)
        self._state[:] = (0, self.tables.bankroll, 0, 0)
        seen = self._state[:, :_OVER].copy()
        seen[:, 1] *= self.tables.automaton.unit
        return seen, {}

    def step(self, actions: NDArray[np.int64]) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Act and roll in every session."""
        n, tables = self.num_envs, self.tables
        seen, rewards = np.empty((n, _OVER), dtype=np.int64), np.empty(n)
        terminated, truncated = np.empty(n, dtype=np.bool_), np.empty(n, dtype=np.bool_)
        kernels.step_all(
            self._state,
            self._seeds,
            np.asarray(actions, dtype=np.int64),
            tables.acts,
            tables.leave,
            tables.automaton.act_layout,
            tables.automaton.act_outlay,
            self._nexts,
            self._cash,
            tables.bankroll,
            tables.goal,
            tables.least,
            tables.rolls,
            tables.automaton.unit,
            seen,
            rewards,
            terminated,
            truncated,
        )
        return seen, rewards, terminated, truncated, {}

    def action_masks(self) -> NDArray[np.int8]:
        """Return for each session which actions are lawful next: 1 or 0 for each."""
        masks = np.empty((self.num_envs, len(self.tables.actions)), dtype=np.int8)
        kernels.mask_all(self._state, self.tables.acts, self.tables.automaton.act_outlay, masks)
        return masks
