"""Evidence against dice: fair ones seldom come to the alarm however often one looks, loaded ones do in time."""

from __future__ import annotations

from math import lgamma
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from passline.automaton.standing import PAIRS, WEIGHTS
from passline.exact.dice_evidence import _STRENGTHS, DiceEvidence, alpha_of_each

pytestmark = pytest.mark.long

FAIR = np.array(WEIGHTS) / 36


def highest(
    chances: NDArray[np.float64], *, sets: int, rolls: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The highest evidence of many sets, with a look after every roll, and when each first reached a thousand."""
    chance = np.random.default_rng(seed)
    thrown = chance.choice(len(PAIRS), size=(rolls, sets), p=chances)
    counts = np.zeros((sets, len(PAIRS)))
    logs = np.zeros((len(_STRENGTHS), sets))
    top, first, each = np.zeros(sets), np.full(sets, rolls + 1), np.arange(sets)
    for number in range(rolls):
        places = thrown[number]
        seen = counts[each, places]
        for row, strength in enumerate(_STRENGTHS):
            logs[row] += np.log((strength * FAIR[places] + seen) / (strength + number)) - np.log(FAIR[places])
        counts[each, places] += 1
        value = np.logaddexp.reduce(logs, axis=0) - np.log(len(_STRENGTHS))
        first = np.where((first > rolls) & (value >= np.log(1000)), number + 1, first)
        top = np.maximum(top, value)
    return top, first


def loaded(face: int, by: float) -> NDArray[np.float64]:
    """The chances of the pairs if one face of both dice comes more often."""
    more = (1 + by) / 6
    single = [more if one == face else (1 - more) / 5 for one in range(1, 7)]
    pairs = [single[pair.first - 1] * single[pair.second - 1] for pair in PAIRS]
    weighed: NDArray[np.float64] = np.array(pairs) * np.array(WEIGHTS)
    return weighed


def test_the_vectors_of_this_test_are_those_of_the_program() -> None:
    chance, evidence = Random(3), DiceEvidence()
    for _ in range(200):
        evidence = evidence.after(chance.randint(1, 6), chance.randint(1, 6))
    logs = [0.0] * len(_STRENGTHS)
    assert sum(evidence.counts) == evidence.rolls == 200
    for row, strength in enumerate(_STRENGTHS):
        mass = np.array(WEIGHTS) / 36 * strength

        logs[row] = lgamma(strength) - lgamma(strength + 200)
        logs[row] += sum(lgamma(a + n) - lgamma(a) for a, n in zip(mass, evidence.counts, strict=True))
        logs[row] -= sum(n * np.log(q) for n, q in zip(evidence.counts, FAIR, strict=True))
    assert evidence.logs == pytest.approx(logs)  # the closed form of the Dirichlet mixture, whatever the order


def test_fair_dice_alarm_no_more_often_than_alpha_with_a_look_after_every_roll() -> None:
    top, _ = highest(FAIR, sets=4000, rolls=2500, seed=16)
    for alpha in (0.1, 0.05, 0.01):
        alarms = float(np.mean(top >= -np.log(alpha)))
        assert alarms <= alpha + 3 * (alpha * (1 - alpha) / 4000) ** 0.5


@pytest.mark.parametrize(("by", "within"), [(0.5, 700), (0.25, 3_000), (0.1, 16_000)])
def test_a_set_loaded_on_one_face_is_found_within_a_stated_number_of_rolls(by: float, within: int) -> None:
    _, first = highest(loaded(6, by), sets=150, rolls=within, seed=7)
    assert float(np.mean(first <= within)) >= 0.9


def test_alpha_is_shared_out_over_the_sets() -> None:
    assert alpha_of_each(0.01, 5) == pytest.approx(0.002)
    assert DiceEvidence().exceeds(alpha=0.5) is False
