"""Many sets of dice at once, fair or faulty, and the evidence against each: the battery as arrays.

The dice are thrown by the physical law of a fault, one by one, and only then keyed without their order. The evidence is
reckoned apart from the program's, from the same list of wagers; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from passline.automaton.standing import PAIRS
from passline.exact.dice_battery import (
    ANY_STRENGTHS,
    BEGIN,
    END,
    FAIR,
    FIRST_BELIEFS,
    LOOKING,
    SHARES,
    STEADY,
    TURN_ROLLS,
    WAGERS,
    pair_place,
)
from passline.exact.dice_faults import DiceFault

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_CHANCES = np.array(FAIR)
_PLACES = np.array([[pair_place(one + 1, other + 1) for other in range(6)] for one in range(6)])
_LOW = np.array([pair.first - 1 for pair in PAIRS])
_HIGH = np.array([pair.second - 1 for pair in PAIRS])
_STEADY = np.array([[one.chances[place] / FAIR[place] for one in STEADY] for place in range(len(PAIRS))])
_ONE = np.array([one.moves for one in LOOKING if one.way == "one"])
_ONE_BY_FACES = np.ascontiguousarray(np.moveaxis(_ONE, 0, -1))  # last face, face, wager
_BOTH = np.ascontiguousarray(np.moveaxis(np.array([one.moves for one in LOOKING if one.way == "both"]), 0, -1))
_HELD = np.ascontiguousarray(np.array([one.moves[0] for one in LOOKING if one.way == "held"]).T)
_ANY = np.array(ANY_STRENGTHS)
_SMALLEST, _LARGEST, _EVERY = 1e-200, 1e200, 50


def thrown_fair(chance: np.random.Generator, sets: int) -> Iterator[Integers]:
    """Yield the pair that each of many fair sets shows, roll by roll."""
    while True:
        yield _PLACES[chance.integers(6, size=sets), chance.integers(6, size=sets)]


def thrown(fault: DiceFault, chance: np.random.Generator, sets: int, *, face: int = 6) -> Iterator[Integers]:
    """Yield the pair that each of many sets with a fault shows, roll by roll."""
    strength, shows = fault.strength, face - 1
    die = np.full(6, (6 - 1 - strength) / 5 / 6)
    die[shows] = (1 + strength) / 6
    last = chance.integers(6, size=sets)
    is_held = chance.random(sets) < strength
    totals = np.array([pair.first + pair.second for pair in PAIRS])
    sevens = np.where(totals == 7, _CHANCES * 6 / strength, _CHANCES * (1 - 1 / strength) * 6 / 5)

    def fair() -> Integers:
        return chance.integers(6, size=sets)

    def loaded() -> Integers:
        return chance.choice(6, size=sets, p=die)

    def repeating() -> Integers:
        nonlocal last
        last = np.where(chance.random(sets) < strength, last, fair())
        return last

    def held() -> Integers:
        nonlocal is_held
        now = np.where(is_held, shows, fair())
        begins = strength / (1 - strength) / TURN_ROLLS
        is_held = np.where(is_held, chance.random(sets) >= 1 / TURN_ROLLS, chance.random(sets) < begins)
        return now

    ways: dict[str, tuple[Callable[[], Integers], Callable[[], Integers]]] = {
        "often, both": (loaded, loaded),
        "often, one": (fair, loaded),
        "repeat": (repeating, fair),
        "held": (fair, held),
    }
    while True:
        if fault.kind == "sevens":
            yield chance.choice(len(PAIRS), size=sets, p=sevens)
        else:
            first, second = ways[fault.kind]
            yield _PLACES[first(), second()]


def _index(fault: DiceFault, face: int) -> int:
    """Which wager of the battery is sure of a fault."""
    every = [(one.kind, one.strength, getattr(one, "way", ""), one.which) for one in WAGERS]
    named = face if fault.kind in ("often, both", "often, one", "held") else 7 if fault.kind == "sevens" else 0
    return every.index((fault.kind, fault.strength, fault.way, named))


class ManySets:
    """Many sets and what is staked on each wager against each of them, with what that has come to."""

    def __init__(self, sets: int) -> None:
        self.rolls = 0
        self.stakes = np.tile(np.array(SHARES), (sets, 1))
        self._counts = np.zeros((sets, len(PAIRS)))
        self._beliefs = np.tile(np.array(FIRST_BELIEFS), (sets, 1))
        self._last = np.full(sets, -1)
        self._each = np.arange(sets)

    @property
    def value(self) -> Floats:
        """The evidence against each."""
        total: Floats = self.stakes.sum(axis=1)
        return total

    def ratio(self, fault: DiceFault, face: int = 6) -> Floats:
        """What somebody would have who knew the fault."""
        known: Floats = self.stakes[:, _index(fault, face)] / fault.share
        return known

    def take(self, places: Integers) -> None:
        """Let each set show a pair."""
        steady, looking = len(STEADY), len(STEADY) + len(LOOKING)
        self.stakes[:, :steady] *= _STEADY[places]
        self.stakes[:, steady:looking] *= self._looking(places)
        seen = self._counts[self._each, places]
        fair = _CHANCES[places]
        self.stakes[:, looking:] *= (_ANY * fair[:, None] + seen[:, None]) / (_ANY + self.rolls) / fair[:, None]
        self._counts[self._each, places] += 1
        self._last = places
        self.rolls += 1
        if self.rolls % _EVERY == 0:
            np.clip(self.stakes, _SMALLEST, _LARGEST, out=self.stakes)

    def _looking(self, places: Integers) -> Floats:
        low, high, ones = _LOW[places], _HIGH[places], len(_ONE)
        is_low, is_on = self._beliefs[:, :ones], self._beliefs[:, ones:]
        if self.rolls:
            before_low, before_high = _LOW[self._last], _HIGH[self._last]
            shows_low = is_low * _ONE_BY_FACES[before_low, low] + (1 - is_low) * _ONE_BY_FACES[before_high, low]
            shows_high = is_low * _ONE_BY_FACES[before_low, high] + (1 - is_low) * _ONE_BY_FACES[before_high, high]
            one, both = 3 * (shows_low + shows_high), _BOTH[self._last, places]
            is_low = shows_low / (shows_low + shows_high)
            is_on = is_on * (1 - END) + (1 - is_on) * np.array(BEGIN)
        else:
            one, both = np.ones((len(places), ones)), np.ones((len(places), _BOTH.shape[-1]))
        won = is_on * _HELD[places]
        held = won + 1 - is_on
        self._beliefs = np.concatenate([is_low, won / held], axis=1)
        return np.concatenate([one, both, held], axis=1)


def measured_information(fault: DiceFault, *, sets: int, rolls: int, seed: int) -> tuple[float, float]:
    """The information of a fault in a roll, and its variance, by sets that have it."""
    many, throws = ManySets(sets), thrown(fault, np.random.default_rng(seed), sets)
    begun, warm = np.zeros(sets), rolls // 10
    for number in range(rolls + warm):
        many.take(next(throws))
        if number == warm - 1:
            begun = np.log(many.ratio(fault))
    gained = np.log(many.ratio(fault)) - begun
    return float(gained.mean() / rolls), float(gained.var() / rolls)
