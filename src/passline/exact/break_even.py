"""What dice a setter would need: those at which a strategy neither gains nor loses in the long run.

The gain of a strategy that is never short is what it wins from a state until it comes back there, over the rolls that
takes. A bracket is found in float64; then the gains at its two ends are computed as fractions, whose signs differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from passline.automaton.arrays import Automaton
from passline.automaton.compiler import Progress
from passline.automaton.minimise import lump
from passline.automaton.network import BUDGET, network
from passline.automaton.terms import SessionError
from passline.dice_weights import DiceWeights, dice_of_faces, dice_of_rolls_to_seven
from passline.exact.chain.chains import chain_of, visits
from passline.exact.chain.systems import strong_components
from passline.rules.rules import Rules
from passline.rules.rules_argument import must_be_rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

_FACES = 6
_EXACT_MAX = 400  # states whose gain is solved in fractions within seconds
_TO_SEVEN = tuple(map(Fraction, ("6", "6.25", "6.5", "7", "8", "10", "14", "24", "60")))
_TO_SEVEN_DOWN = tuple(map(Fraction, ("6", "5.75", "5.5", "5", "4", "3", "2", "1.5", "1.125")))
_WEIGHT = tuple(map(Fraction, ("1", "1.0625", "1.125", "1.25", "1.5", "2", "3", "5", "9")))
_WEIGHT_DOWN = tuple(map(Fraction, ("1", "0.9375", "0.875", "0.75", "0.5", "0.25", "0.0625")))
_STEPS = {"rolls to a seven": 1 << 20, "weight of a face": 1 << 12}  # to the unit of what is varied


@dataclass(frozen=True, kw_only=True)
class BreakEven:
    """Two values of what is varied, close together, between which the gain of a strategy changes its sign."""

    name: str
    varied: str
    """Rolls to a seven, or the weight of a face, the others weighing 1."""
    fair: Fraction | float
    """The gain per roll with the game's dice, in cents."""
    low: Fraction
    high: Fraction
    gain_at_low: Fraction | float
    gain_at_high: Fraction | float
    is_exact: bool
    """Whether the gains are fractions; else float64, where the strategy has many states."""

    def __repr__(self) -> str:
        return f"<BreakEven of {self.name}: {self.varied} from {float(self.low):.6f} to {float(self.high):.6f}>"


def gain_per_roll(automaton: Automaton) -> Fraction:
    """Return what a strategy gains per roll in the long run, in cents, if it is never short; exactly.

    >>> from passline import compile_strategy
    >>> rules = Rules.of("maryland")
    >>> line = compile_strategy(rules, strategy_of("pass", rules))
    >>> gain_per_roll(line), gain_per_roll(replace(line, weights=dice_of_rolls_to_seven(7).weights)) > 0
    (Fraction(-7000, 1671), True)
    """
    lumped = lump(automaton)
    chain, home = chain_of(lumped), _home(lumped)
    made = visits(chain, home, {home})
    gains = lumped.weighted_sum(lumped.cash)
    gained = sum((visited * int(gains[state]) for state, visited in made.items()), Fraction(0)) / chain.scale
    return gained * lumped.unit / sum(made.values(), Fraction(0))


def _home(automaton: Automaton) -> int:
    """Return a state that is come back to for ever: one of the only part of the chain that leads nowhere else."""
    leads: dict[int, list[int]] = {}
    waiting = [0]
    while waiting:
        state = waiting.pop()
        leads[state] = sorted(set(automaton.next[state].tolist()))
        waiting += (after for after in leads[state] if after not in leads)
    parts = strong_components(leads)
    closed = [part for part in parts if all(set(leads[state]) <= set(part) for state in part)]
    if len(closed) > 1:
        raise SessionError("the strategy goes on in several ways for ever, which the dice choose: it has no one gain")
    return min(closed[0])


def _float_gain(automaton: Automaton) -> Callable[[DiceWeights], float]:
    """Return a function that solves the same in float64, for any dice."""
    size, home = len(automaton), _home(automaton)

    def gain(dice: DiceWeights) -> float:
        weights = np.array(dice.weights) / dice.total
        moves = np.zeros((size, size))
        for column, weight in enumerate(weights):
            np.add.at(moves, (np.arange(size), automaton.next[:, column]), weight)
        moves[:, home] = 0.0
        begin = np.zeros(size)
        begin[home] = 1.0
        made = np.linalg.solve((np.eye(size) - moves).T, begin)
        return float(made @ (automaton.cash @ weights) / made.sum()) * automaton.unit

    return gain


def break_even_dice(
    rules: Rules,
    strategy: Strategy | str,
    *,
    face: int = 0,
    budget: int = BUDGET,
    progress: Progress | None = None,
) -> list[BreakEven]:
    """Return where a strategy breaks even, nearest to fair dice on either side: by rolls to a seven, or by a face.

    With `face` that face of both dice is weighted, the others weigh 1. A list may be empty: no such dice were found.

    >>> [found] = break_even_dice(Rules.of("maryland"), "pass")[:1]
    >>> f"{float(found.low):.4f} {float(found.high):.4f}", found.gain_at_low < 0 < found.gain_at_high
    ('6.4582 6.4582', True)
    """
    if face not in range(_FACES + 1):
        raise SessionError(f"face={face}: a die has faces from 1 to 6")
    rules = must_be_rules(rules)
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    whole = network(rules, played, budget=budget, progress=progress).whole
    if whole is None:
        raise SessionError(f"{played.name} has more than {budget:,} states: raise the budget, or drop a part")
    if not whole.outlay.any():
        raise SessionError(f"{played.name} never makes a wager: there is nothing to break even")
    gain = _float_gain(whole)

    def dice_at(value: Fraction) -> DiceWeights:
        if not face:
            return dice_of_rolls_to_seven(value)
        return dice_of_faces([value if side == face else 1 for side in range(1, _FACES + 1)])

    varied = f"weight of face {face}" if face else "rolls to a seven"
    steps = _STEPS["weight of a face" if face else "rolls to a seven"]
    is_exact = len(lump(whole)) <= _EXACT_MAX

    def at(value: Fraction) -> Fraction | float:
        dice = dice_at(value)
        return gain_per_roll(replace(whole, weights=dice.weights)) if is_exact else gain(dice)

    found = []
    for values in (_WEIGHT, _WEIGHT_DOWN) if face else (_TO_SEVEN, _TO_SEVEN_DOWN):
        ends = _bracket(lambda value: gain(dice_at(value)), values, steps)
        if ends is not None:
            low, high = sorted(ends)
            gains = {"gain_at_low": at(low), "gain_at_high": at(high)}
            assert (gains["gain_at_low"] > 0) != (gains["gain_at_high"] > 0), (
                "the signs in float64 are those of fractions"
            )
            fair = at(_TO_SEVEN[0] if not face else Fraction(1))
            found.append(
                BreakEven(name=played.name, varied=varied, fair=fair, low=low, high=high, is_exact=is_exact, **gains)
            )
    return found


def _bracket(
    gain: Callable[[Fraction], float], values: tuple[Fraction, ...], steps: int
) -> tuple[Fraction, Fraction] | None:
    """Return two neighbouring values, in steps, between which the gain changes its sign; None if it does not."""
    for before, after in pairwise(values):
        if (gain(before) > 0) != (gain(after) > 0):
            low, high = int(before * steps), int(after * steps)
            is_above = gain(before) > 0
            while abs(high - low) > 1:
                middle = (low + high) // 2
                if (gain(Fraction(middle, steps)) > 0) == is_above:
                    low = middle
                else:
                    high = middle
            return Fraction(low, steps), Fraction(high, steps)
    return None
