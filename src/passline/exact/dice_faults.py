"""Faults of dice that a cheat would choose, and the probability that each would have been found by now.

Each fault is a law of what is thrown; what counts is what is keyed of it, two dice that nobody tells apart. How soon it
shows depends on its information: by how much the logarithm of the likelihood ratio (of this fault to fair dice) grows
in a roll on average, in nats, if the dice have it. The chance that the ratio has reached a level by now, with a look
after each roll, is that of a Brownian motion with the same drift and spread; where a fault comes in turns, that of as
many jumps. (Both are approximations.) Our own evidence has to win the stake back as well that it placed elsewhere, with
the help of neighbouring wagers: it is `behind` by some nats. `./x bench dice` compares what is told so with simulated
sets.
"""

from __future__ import annotations

from math import erfc, exp, log, sqrt
from typing import NamedTuple

from passline.exact.dice_battery import FAIR, STEADY, TURN_ROLLS, share_of

_YEAR_HOURS = 24 * 365.25
_TURNS_MAX = 50  # more of them are as good as a steady fault


class DiceFault(NamedTuple):
    """A fault of dice, the wager on exactly this fault, and how much information a roll gives about it."""

    name: str
    law: str
    kind: str
    strength: float
    way: str
    information: float  # nats a roll
    spread: float  # the variance of the same
    behind: float  # how many nats our evidence is behind a test that knows the fault, when that finds it

    @property
    def share(self) -> float:
        """The share that the battery stakes on it, for each face."""
        return share_of(self.kind, self.strength, self.way)

    @property
    def reach(self) -> float:
        """Our evidence as a share of that of a test for this fault alone; above `share`, as similar wagers win too."""
        return exp(-self.behind)


def _steady(name: str, law: str, kind: str, strength: float, *, behind: float) -> DiceFault:
    chances = next(wager.chances for wager in STEADY if (wager.kind, wager.strength) == (kind, strength))
    logs = [log(chance / fair) for chance, fair in zip(chances, FAIR, strict=True)]
    mean = sum(chance * factor for chance, factor in zip(chances, logs, strict=True))
    spread = sum(chance * factor**2 for chance, factor in zip(chances, logs, strict=True)) - mean**2
    return DiceFault(name, law, kind, strength, "", mean, spread, behind)


_OFTEN = "its chance is {} times a sixth, the other five share the rest"
_HELD_AT_RANDOM = (
    "; a face held on one die in a tenth of the rolls, each roll alike, is the same law: 9/10 x 1/6 + 1/10 = 1.5 x 1/6"
)
FAULTS = (
    _steady("a face 10% too often on both dice", _OFTEN.format("1.1"), "often, both", 0.1, behind=3.4),
    _steady("a face 10% too often on one die", _OFTEN.format("1.1"), "often, one", 0.1, behind=3.6),
    _steady("a face 50% too often on both dice", _OFTEN.format("1.5"), "often, both", 0.5, behind=3.4),
    _steady("a face 50% too often on one die", _OFTEN.format("1.5") + _HELD_AT_RANDOM, "often, one", 0.5, behind=3.4),
    _steady(
        "one seven in 6.5 rolls, not in 6",
        "its chance is 1/6.5, all other pairs in proportion",
        "sevens",
        6.5,
        behind=3.9,
    ),
    DiceFault(
        "one die repeats its face in a fifth of the rolls",
        "in 1/5 of the rolls it does not turn, in all others it is fair: it shows its last face in 1/3 of the rolls",
        *("repeat", 0.2, "one"),
        *(0.02498, 0.0513, 3.7),
    ),
    DiceFault(
        "one die shows its last face in a fifth of the rolls, not in a sixth",
        "the weaker reading: it does not turn in 1/25 of the rolls",
        *("repeat", 0.04, "one"),
        *(0.000985, 0.001975, 4.1),
    ),
    DiceFault(
        "a face held on one die in a tenth of the rolls, for whole turns",
        f"held from roll to roll, let go with a chance of 1/{TURN_ROLLS} after each; held in 1/10 of all rolls",
        *("held", 0.1, "held"),
        *(0.0594, 0.982, 3.9),
    ),
)
"""The seven faults that the bench follows, and the weaker reading of one. How far ours is behind is measured, and so is
the information of faults that look back, which has no closed form; tests and the bench measure it again."""


def chance_found(fault: DiceFault, *, rolls: float, bound: float, share: float = 1.0) -> float:
    """Return the probability that dice with a fault would have raised the alarm within this many rolls.

    `share` is the evidence as a share of that of a test for this fault alone; 1 is that test itself.

    >>> one_die = FAULTS[1]
    >>> [round(chance_found(one_die, rolls=rolls, bound=1000), 3) for rolls in (0, 2_400, 24_000)]
    [0.0, 0.0, 0.902]
    """
    if rolls <= 0:
        return 0.0
    level, turns = log(bound / share), rolls * fault.strength / TURN_ROLLS
    if fault.kind == "held" and turns < _TURNS_MAX:
        return _chance_by_turns(fault, level, rolls=rolls, turns=turns)
    drift, spread = fault.information * rolls, sqrt(fault.spread * rolls)
    mirrored = 2 * fault.information * level / fault.spread
    tail = _normal_below((-level - drift) / spread)
    return min(1.0, _normal_below((drift - level) / spread) + (exp(mirrored + log(tail)) if tail > 0 else 0.0))


def _chance_by_turns(fault: DiceFault, level: float, *, rolls: float, turns: float) -> float:
    """Return the probability for a fault that comes in turns: their number is Poisson, what each tells exponential.

    Evidence lost between turns, half of it on average before the level is reached, must be regained first.
    """
    gain = sqrt(fault.spread * rolls / turns / 2)
    lost = max(0.0, turns * gain - fault.information * rolls) / 2
    told = (level + lost) / gain
    chance, weight = 0.0, exp(-turns)
    term = reached = exp(-told)  # the chance that so many turns tell enough
    for number in range(1, 4 * _TURNS_MAX):
        weight *= turns / number
        chance += weight * reached
        term *= told / number
        reached += term
    return min(1.0, chance)


def _normal_below(deviations: float) -> float:
    return erfc(-deviations / sqrt(2)) / 2


def false_alarms_a_year(*, one_in: int, hours: float) -> float:
    """Return the most false alarms that a house can expect in a year, if all dice are replaced every `hours`.

    All dice in use together have one chance in `one_in`, and so has each replacement of them.

    >>> round(false_alarms_a_year(one_in=1000, hours=24), 3)
    0.365
    """
    return _YEAR_HOURS / hours / one_in
