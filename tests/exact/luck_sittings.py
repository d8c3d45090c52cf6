"""Sittings whose luck is told: with stakes fixed beforehand and their exact law, and by players who adapt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import exp, gcd, lcm, log, sqrt
from random import Random
from typing import NamedTuple

import numpy as np

from passline.automaton.standing import PAIRS, WEIGHTS, StandingWager, rolls_of_standing, standing_of_wager
from passline.exact.luck_evidence import LuckEvidence, TiltPrices, prices_of_roll, scale_of, sum_of_prices
from passline.exact.standing import StandingSteps, StandingValues
from passline.game.position import Wager
from passline.rules.rules import Rules

RULES = Rules.of("maryland")
VALUES = StandingValues(RULES)
POINTS = (4, 5, 6, 8, 9, 10)
ONE_ROLL = (("field", 0), ("any_seven", 0), ("any_craps", 0), ("craps_12", 0), ("eleven", 0))
PLACED = (("place_win", 6), ("place_win", 8), ("hardway", 6), ("hardway", 4))
PLANS: tuple[tuple[tuple[str, int], ...], ...] = (
    (("pass", 0),),
    (("pass", 0), ("pass_odds", 0)),
    (("dont_pass", 0),),
    *((one,) for one in ONE_ROLL),
    *((one,) for one in PLACED),
    (("pass", 0), ("field", 0)),
    (("pass", 0), ("place_win", 6), ("place_win", 8)),
    (("field", 0), ("craps_12", 0)),
)
CELLS_MAX = 1 << 20  # of an exact law: a sitting whose sums need more is left out
ROLLS_MAX = 300
RARE = (1e-6, 1e-3)
LINES = ("pass", "dont_pass")


@cache
def steps_of(layout: tuple[StandingWager, ...]) -> StandingSteps:
    """What each pair adds to the players' side of a layout."""
    return VALUES.steps(layout)


def wager(kind: str, cents: int, number: int = 0, *, puck: int = 0) -> StandingWager:
    """A wager as it stands."""
    return standing_of_wager(Wager(1, "player", kind, number, cents), puck)


def law_of(steps: StandingSteps) -> dict[Fraction, int]:
    """In how many of 36 ways the house has each luck."""
    law: Counter[Fraction] = Counter()
    for step, weight in zip(steps.steps, WEIGHTS, strict=True):
        law[Fraction(-step, steps.scale)] += weight
    return dict(law)


def luck_with(steps: StandingSteps, place: int) -> Fraction:
    """The house's luck with one of the 21 pairs."""
    return Fraction(-steps.steps[place], steps.scale)


def evidence_after(rolls: Sequence[StandingSteps], luck: Fraction) -> LuckEvidence:
    """What is known of a figure after rolls at these layouts."""
    prices = Counter(prices_of_roll(one) for one in rolls if one.variance)
    first = next((one for one in rolls if one.variance), StandingSteps())
    return LuckEvidence(luck=luck, prices=sum_of_prices(prices), scale=scale_of(first.variance))


def tail_chance(rolls: Sequence[StandingSteps], luck: Fraction) -> float | None:
    """The exact chance of this luck or what is further off, by convolution; None where the law is too long."""
    scale = lcm(*(one.scale for one in rolls))
    often = Counter(tuple(-step * (scale // one.scale) for step in one.steps) for one in rolls)
    unit = gcd(*(step - steps[0] for steps in often for step in steps))
    length = 1 + sum(count * (max(steps) - min(steps)) // unit for steps, count in often.items())
    if length > CELLS_MAX:
        return None
    size = 1 << (length - 1).bit_length()
    together = np.ones(size // 2 + 1, dtype=np.complex128)
    for steps, count in often.items():
        law = np.zeros(size)
        for step, weight in zip(steps, WEIGHTS, strict=True):
            law[(step - min(steps)) // unit] += weight / 36
        together *= np.fft.rfft(law) ** count
    chances = np.fft.irfft(together, size)[:length]
    least = sum(count * min(steps) for steps, count in often.items())
    place = (int(luck * scale) - least) // unit
    return float(chances[place:].sum() if luck > 0 else chances[: place + 1].sum())


class FixedSitting(NamedTuple):
    """A sitting whose stakes and length were fixed beforehand, as it went."""

    plan: str
    rolls: tuple[StandingSteps, ...]
    luck: Fraction
    chance: float  # exact, of this luck or what is further off on the same side


def fixed_sittings(random: Random) -> Iterator[FixedSitting]:
    """Sittings of 3 to 300 rolls whose exact chance is rare: their dice are loaded, so that they are not rare here."""
    while True:
        plan, length = random.choice(PLANS), round(exp(random.uniform(log(3), log(ROLLS_MAX))))
        stakes = [100 * random.choice((5, 10, 25, 100)) for _ in plan]
        is_varied = random.random() < 0.3
        doubled = [random.choice((1, 1, 2, 4)) if is_varied else 1 for _ in range(length)]
        push = random.choice((-1, 1)) * sqrt(2 * random.uniform(log(1e2), log(1e6)) / length)
        rolls, luck = _played(random, plan, stakes, doubled, push)
        if not rolls or not luck:
            continue
        chance = tail_chance(rolls, luck)
        if chance is not None and RARE[0] <= chance <= RARE[1]:
            yield FixedSitting("+".join(kind for kind, _ in plan), tuple(rolls), luck, chance)


def _played(
    random: Random, plan: Sequence[tuple[str, int]], stakes: Sequence[int], doubled: Sequence[int], push: float
) -> tuple[list[StandingSteps], Fraction]:
    rolls, luck, puck = [], Fraction(0), 0
    standing: dict[int, StandingWager] = {}
    for times in doubled:
        for place, ((kind, number), cents) in enumerate(zip(plan, stakes, strict=True)):
            if place in standing:
                continue
            if kind in LINES and not puck:
                standing[place] = wager(kind, cents * times)
            elif kind == "pass_odds" and puck and 0 in standing:
                standing[place] = wager(kind, 6 * cents, puck, puck=puck)
            elif (kind, number) in PLACED and puck:
                standing[place] = wager(kind, 6 * cents, number, puck=puck)
            elif (kind, number) in ONE_ROLL:
                standing[place] = wager(kind, cents * times, puck=puck)
        steps = steps_of(tuple(standing.values()))
        size = sqrt(steps.variance)
        weights = [
            weight * exp(push * float(luck_with(steps, place)) / size) if size else weight
            for place, weight in enumerate(WEIGHTS)
        ]
        (place,) = random.choices(range(len(PAIRS)), weights)
        if size:
            rolls.append(steps)
            luck += luck_with(steps, place)
        standing = {
            which: after
            for which, one in standing.items()
            if (after := rolls_of_standing(RULES, one)[place].after) is not None
        }
        total = PAIRS[place].first + PAIRS[place].second
        puck = (total if total in POINTS else 0) if not puck else 0 if total in (7, puck) else puck
    return rolls, luck


# --- Players who adapt ------------------------------------------------------------------------------------------------

STAKE_MIN, STAKE_MAX, LENGTH_MAX = 5_00, 10_000_00, 60


class _So(NamedTuple):
    """What a player knows before the next roll."""

    luck: float  # the player's
    last: float
    stake: int
    log_evidence: float
    rolls: int


def _bounded(cents: float) -> int:
    steps = max(round(cents / STAKE_MIN), 1)
    return min(STAKE_MIN * (1 << (steps - 1).bit_length()), STAKE_MAX)  # few stakes, so that layouts come again


def _doubles_after_a_loss(so: _So) -> tuple[str, int]:
    return "field", 2 * so.stake if so.last < 0 else STAKE_MIN


def _lets_it_ride(so: _So) -> tuple[str, int]:
    return "any_seven", 4 * so.stake if so.last > 0 else STAKE_MIN


def _hopes_for_twelve(so: _So) -> tuple[str, int]:
    return "craps_12", so.stake if so.rolls % 7 else 2 * so.stake


def _wins_back(so: _So) -> tuple[str, int]:
    return ("craps_12", -so.luck / 30) if so.luck < 0 else ("field", so.luck / 2)  # type: ignore[return-value]


def _chases_evidence(so: _So) -> tuple[str, int]:
    return ("craps_12" if so.log_evidence > 1 else "any_seven"), so.stake * (2 if so.last > 0 else 1)


def _shrinks(so: _So) -> tuple[str, int]:
    return "eleven", so.stake // 2 if so.last > 0 else 2 * so.stake


_PLAYERS: tuple[Callable[[_So], tuple[str, int]], ...] = (
    _doubles_after_a_loss,
    _lets_it_ride,
    _hopes_for_twelve,
    _wins_back,
    _chases_evidence,
    _shrinks,
)


class AdaptedSitting(NamedTuple):
    """A sitting at the best moment of which somebody looks."""

    player: str
    one_in: int  # the rarest that is printed at any time
    left_band: bool  # whether luck was ever outside the band


@cache
def _layout(kind: str, cents: int) -> tuple[StandingSteps, tuple[Fraction, ...], TiltPrices]:
    steps = steps_of((wager(kind, cents),))
    return steps, tuple(luck_with(steps, place) for place in range(len(PAIRS))), prices_of_roll(steps)


def adapted_sitting(random: Random, *, band: int = 0) -> AdaptedSitting:
    """A player who chooses every stake by what came before; looked at after each roll, and told at the best moment."""
    play, stake = random.choice(_PLAYERS), STAKE_MIN << random.randrange(5)
    luck, prices, scale, rarest, left = Fraction(0), TiltPrices(), 0, 1, False
    so = _So(0.0, 0.0, stake, 0.0, 0)
    for number in range(1, random.randint(5, LENGTH_MAX) + 1):
        kind, wanted = play(so)
        stake = _bounded(wanted)
        steps, lucks, price = _layout(kind, stake)
        (place,) = random.choices(range(len(PAIRS)), WEIGHTS)
        luck, prices = luck + lucks[place], prices + price
        scale = scale if number > 1 else scale_of(steps.variance)
        evidence = LuckEvidence(luck=luck, prices=prices, scale=scale)
        value = evidence.log_value
        if exp(value) > rarest:
            rarest = max(rarest, evidence.one_in())
        if band:
            low, high = evidence.band(band)
            left = left or not low <= luck <= high
        so = _So(-float(luck), -float(lucks[place]), stake, value, number)
    return AdaptedSitting(play.__name__.strip("_"), rarest, left)
