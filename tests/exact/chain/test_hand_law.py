"""Laws of counts over a shooter's hand, against closed forms and enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest

from passline.automaton.arrays import HAND
from passline.exact.chain.chains import ChainError
from passline.exact.chain.hand_law import COUNTS, CountLaw, count_law, different_law, hand_length, totals
from tests.exact.automata import automaton, pass_line

WAYS = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
MADE = Fraction(67, 165)
"""The probability that a point, once set, is made: the mean of w / (w + 6), weighted by w."""


def test_a_point_is_made_with_probability_67_in_165() -> None:
    assert sum(Fraction(w, 24) * Fraction(w, w + 6) for w in WAYS.values()) == MADE


def test_the_length_of_a_hand() -> None:
    length = hand_length(pass_line())
    assert length.mean == Fraction(1671, 196)
    assert length.chance(0) == length.chance(1) == length.chance(-1) == 0
    assert length.chance(2) == Fraction(24, 36) * Fraction(6, 36)
    assert [length.at_least(n) for n in (-1, 0, 1, 2)] == [1, 1, 1, 1]
    assert length.at_least(3) == Fraction(8, 9)
    assert round(1 / length.at_least(154), -7) == 5_590_000_000


def test_the_length_agrees_with_enumeration() -> None:
    length = hand_length(pass_line())
    mass = {0: Fraction(1)}
    for n in range(1, 40):
        after: dict[int, Fraction] = {}
        ended = Fraction(0)
        for point, chance in mass.items():
            if not point:
                after[0] = after.get(0, Fraction(0)) + chance * Fraction(12, 36)
                for number, ways in WAYS.items():
                    after[number] = after.get(number, Fraction(0)) + chance * Fraction(ways, 36)
            else:
                ended += chance * Fraction(6, 36)
                after[0] = after.get(0, Fraction(0)) + chance * Fraction(WAYS[point], 36)
                after[point] = after.get(point, Fraction(0)) + chance * Fraction(30 - WAYS[point], 36)
        mass = after
        assert length.chance(n) == ended
        assert length.at_least(n + 1) == sum(mass.values())


def _law(name: str) -> CountLaw:
    return count_law(pass_line(), COUNTS[name](pass_line()))


def test_points_made_are_geometric() -> None:
    points = _law("points")
    for made in range(12):
        assert points.chance(made) == MADE**made * (1 - MADE)
    assert points.mean == MADE / (1 - MADE)
    assert points.variance == MADE / (1 - MADE) ** 2


def test_the_count_of_rolls_is_the_length() -> None:
    assert _law("rolls").chance(17) == hand_length(pass_line()).chance(17)


def test_sevens_are_the_loser_7_and_those_on_come_out_rolls() -> None:
    """Before each of the 1 + points come-out rolls that set a point: a geometric number of sevens, 6 of 6 + 24 ways."""
    sevens, points = _law("sevens"), _law("points")
    assert sevens.chance(0) == 0
    assert sevens.mean == 1 + (1 + points.mean) * Fraction(6, 24)
    none = Fraction(24, 30)
    assert sevens.chance(1) == none * (1 - MADE) / (1 - MADE * none)


def test_means_of_counts_add_up() -> None:
    both = _law("sevens and elevens").mean
    assert both == _law("sevens").mean + _law("elevens").mean
    length = hand_length(pass_line()).mean
    assert _law("elevens").mean == length * Fraction(2, 36), "Wald's identity: the length is a stopping time"
    assert _law("numbers").mean == length * Fraction(24, 36)


def test_a_roll_may_count_two() -> None:
    length, double = hand_length(pass_line()), count_law(pass_line(), np.full((7, 36), 2, dtype=np.int64))
    assert [double.chance(2 * n) for n in range(20)] == [length.chance(n) for n in range(20)]
    assert double.chance(5) == 0
    assert double.variance == 4 * length.variance


def test_a_table_ends_where_the_tail_is_small() -> None:
    table = _law("points").table(Fraction(1, 1000))
    assert [value for value, _, _ in table] == list(range(1 + math.floor(math.log(1000) / -math.log(MADE))))
    assert all(tail >= Fraction(1, 1000) for _, _, tail in table)
    one = automaton({0: lambda _d: (0, 0, HAND)}, outlay=[0])
    assert hand_length(one).table(Fraction(1, 10**9)) == [(0, Fraction(0), Fraction(1)), (1, Fraction(1), Fraction(1))]


def test_negative_counts_and_automata_without_hands_are_refused() -> None:
    with pytest.raises(ChainError, match="a count is 0 or more for each of 7 states and 36 outcomes"):
        count_law(pass_line(), np.full((7, 36), -1, dtype=np.int64))
    with pytest.raises(ChainError, match="no roll of this automaton ends a hand"):
        hand_length(automaton({0: lambda _d: (0, 0, 0)}, outlay=[0]))


def test_different_points_made_agree_with_a_walk_over_sets() -> None:
    """With probability w^2 / (24 (w + 6)) the next point is this number and is made, whatever was made before."""
    law = different_law(pass_line(), totals(pass_line()) * COUNTS["points"](pass_line()))
    hits = {number: Fraction(w * w, 24 * (w + 6)) for number, w in WAYS.items()}
    reached: dict[frozenset[int], Fraction] = {frozenset(): Fraction(1)}
    expected = dict.fromkeys(range(7), Fraction(0))
    for size in range(7):
        for made in [one for one in reached if len(one) == size]:
            again = sum((hits[number] for number in made), Fraction(0))
            visits = reached[made] / (1 - again)
            expected[size] += visits * (1 - MADE)
            for number in WAYS.keys() - made:
                reached[made | {number}] = reached.get(made | {number}, Fraction(0)) + visits * hits[number]
    assert law == expected
    assert sum(law.values()) == 1


def test_without_kinds_none_occurs() -> None:
    assert different_law(pass_line(), np.zeros((7, 36), dtype=np.int64)) == {0: Fraction(1)}
