"""The environment `Passline/Craps-v0`: one player, one session, an action before each roll."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES
from passline.gym.tables import NONE, GymTables, gym_tables

Seen = NDArray[np.int64]
"""What is observed: the number of the position, equity in cents, and the rolls so far."""
_ROLLS_SEEN_MAX = 2**31 - 1


def observed_bounds(tables: GymTables) -> tuple[Seen, Seen]:
    """Return the least and the most of each number that is observed."""
    most = tables.goal + int(tables.automaton.arc_cash.max(initial=0))
    high = [len(tables.automaton) - 1, most * tables.automaton.unit, tables.rolls or _ROLLS_SEEN_MAX]
    return np.zeros(len(high), dtype=np.int64), np.array(high, dtype=np.int64)


class CrapsEnv(gymnasium.Env[Seen, np.int64]):
    """A session of craps: choose from a menu before each roll, until the goal or ruin.

    It takes the arguments of `gym_tables`. Wagers that may be taken down and made again at any time, such as odds, are
    chosen anew before each roll; the others stay up until they are decided, or are taken down. The reward is the change
    of equity in cents, exact. `info["action_mask"]` has a 1 for each action that is lawful next. An action that is not
    lawful counts as the last one, which makes nothing, and `info["is_lawful"]` is then false.

    >>> env = CrapsEnv(menu="pass=100/500", unit_cents=100_00)
    >>> seen, info = env.reset(seed=7)
    >>> seen.tolist(), info["action_mask"].tolist(), env.tables.actions
    ([0, 50000, 0], [1, 1, 1], ('pass 100.00', 'pass 500.00', 'nothing'))
    >>> seen, reward, terminated, truncated, info = env.step(0)
    >>> env.describe(), reward, terminated
    ('puck ON 10 | up pass 100.00', 0.0, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, *, render_mode: str | None = None, **session: Any) -> None:  # noqa: ANN401 - of gym_tables
        self.tables = gym_tables(**session)
        self.render_mode = render_mode
        low, high = observed_bounds(self.tables)
        self.observation_space = spaces.Box(low, high, dtype=np.int64)
        self.action_space = spaces.Discrete(len(self.tables.actions))
        self._position, self._equity, self._rolls = 0, self.tables.bankroll, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a session."""
        super().reset(seed=seed, options=options)
        self._position, self._equity, self._rolls = 0, self.tables.bankroll, 0
        return self._observation(), self._info(is_lawful=True)

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Act, roll the dice, and return what is seen then."""
        tables, automaton = self.tables, self.tables.automaton
        act = int(tables.acts[self._position, action])
        is_lawful = act != NONE and int(automaton.act_outlay[act]) <= self._equity
        layout = automaton.act_layout[act if is_lawful else tables.leave[self._position]]
        outcome = int(self.np_random.integers(OUTCOMES))
        nexts, cash = automaton.outcomes
        change = int(cash[layout, outcome])
        self._position, self._equity = int(nexts[layout, outcome]), self._equity + change
        self._rolls += 1
        is_over = self._equity >= tables.goal or self._equity < tables.least
        is_cut = not is_over and 0 < tables.rolls <= self._rolls
        return self._observation(), float(change * automaton.unit), is_over, is_cut, self._info(is_lawful=is_lawful)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are lawful now, as libraries with masked actions ask for it."""
        return self.tables.mask(self._position, self._equity).astype(np.bool_)

    def describe(self) -> str:
        """Return the position in words."""
        return str(self.tables.automaton.positions[self._position])

    def render(self) -> str | None:
        """Return the position and the equity in words, if that was asked for."""
        equity = self._equity * self.tables.automaton.unit
        return f"{self.describe()}, equity {equity / 100:,.2f}" if self.render_mode == "ansi" else None

    def _observation(self) -> Seen:
        return np.array([self._position, self._equity * self.tables.automaton.unit, self._rolls], dtype=np.int64)

    def _info(self, *, is_lawful: bool) -> dict[str, Any]:
        return {"action_mask": self.tables.mask(self._position, self._equity), "is_lawful": is_lawful}
