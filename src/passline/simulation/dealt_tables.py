"""A strategy that the engine deals roll by roll, because how it plays depends on the money of its session."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import OUTCOMES, Short
from passline.automaton.real_table import RealTable
from passline.automaton.terms import SessionError, Terms
from passline.dice_weights import FAIR
from passline.money import dollars
from passline.rules.rules import Rules
from passline.simulation.recorded_dice import SessionDice
from passline.simulation.replay import ReplayStep, replay
from passline.strategy.interface import Strategy

_SAMPLE_SESSIONS = 12  # their changes of equity decide how wide the histograms are
_SAMPLE_SECONDS = 3.0


@dataclass(frozen=True, eq=False)
class DealtTables:
    """A strategy under rules and its terms, and the changes of equity of some sessions; amounts are in cents."""

    rules: Rules
    strategy: Strategy
    terms: Terms
    short: Short
    dice: SessionDice = FAIR
    sample: NDArray[np.int64] = field(init=False)
    rolls_per_second: float = field(init=False)

    def __post_init__(self) -> None:
        self._check_funds()
        begun = time.process_time()
        changes: list[int] = []
        for session in range(_SAMPLE_SESSIONS):
            changes += [after - before for before, after in pairwise(self.equities(0, session))]
            if time.process_time() - begun > _SAMPLE_SECONDS:
                break
        object.__setattr__(self, "rolls_per_second", len(changes) / max(time.process_time() - begun, 1e-6))
        padded = [*changes, *[0] * (-len(changes) % OUTCOMES)] or [0] * OUTCOMES
        object.__setattr__(self, "sample", np.array(padded, dtype=np.int64).reshape(-1, OUTCOMES))

    @property
    def name(self) -> str:
        """The strategy's."""
        return self.strategy.name

    @property
    def unit(self) -> int:
        """A cent."""
        return 1

    @property
    def parts(self) -> tuple[tuple[str, int], ...]:
        """The name; the engine has no states."""
        return ((self.name, 0),)

    @property
    def cash_of_parts(self) -> list[NDArray[np.int64]]:
        """The changes of equity that the histograms are made for."""
        return [self.sample]

    def steps(self, seed: int, session: int) -> Iterator[ReplayStep]:
        """Deal a session."""
        played = self.rules, self.strategy, self.terms
        return replay(*played, seed=seed, session=session, short=self.short, dice=self.dice)

    def equities(self, seed: int, session: int) -> list[int]:
        """Return the equity of a session before each roll, and at its end."""
        return [step.equity_cents for step in self.steps(seed, session)]

    def _check_funds(self) -> None:
        """Raise SessionError if the first wagers cannot be paid, or a loss limit per shooter leaves wagers up."""
        loss = self.terms.shooter_loss_cents
        if loss is not None and self.short == "stop":
            raise SessionError(
                'a loss limit per shooter needs the policy "ride" or "reduce", for wagers already up ride on'
            )
        most = self.terms.bankroll_cents
        for cents, what in ((most, "a bankroll"), (min(loss or most, most), "a loss limit per shooter")):
            table = RealTable(self.rules, self.strategy, bankroll_cents=most, short=self.short)
            if not table.acts(most - cents):
                raise SessionError(f"{what} of {dollars(cents)} does not pay for the first wagers of {self.name}")
