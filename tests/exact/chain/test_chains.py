"""Absorbing chains against closed forms and, for random chains, against enumeration."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.automaton.arrays import HAND, LINE, WON
from passline.exact.chain.chains import Arc, Chain, ChainError, chain_of, cut, mean_and_variance, visits
from tests.exact.automata import mean_steps, pass_line, total_law


def test_the_pass_line_has_an_edge_of_7_in_495() -> None:
    chain = chain_of(pass_line())
    assert total_law(chain, {0}) == {-1: Fraction(251, 495), 1: Fraction(244, 495)}
    mean, variance = mean_and_variance(chain, 0, {0})
    assert mean == Fraction(-7, 495)
    assert variance == 1 - Fraction(7, 495) ** 2
    assert mean_steps(chain, 0, {0}) == Fraction(557, 165)


def test_a_hand_lasts_1671_in_196_rolls() -> None:
    chain, end = cut(chain_of(pass_line()), HAND)
    assert mean_steps(chain, 0, {end}) == Fraction(1671, 196)


def test_rolls_made_from_one_state_can_be_counted_alone() -> None:
    chain, end = cut(chain_of(pass_line()), LINE)
    assert mean_steps(chain, 0, {end}, counted=lambda state: state == 0) == 1
    assert visits(chain, 0, {end})[1] == Fraction(3, 36) / (1 - Fraction(27, 36))


def test_the_cash_of_a_chain_can_be_a_count_of_rolls() -> None:
    line = pass_line(odds=2)
    rolls, _ = mean_and_variance(chain_of(replace(line, cash=np.ones_like(line.cash))), 0, {0})
    assert rolls == mean_steps(chain_of(line), 0, {0})


def test_outcomes_that_do_the_same_are_one_arc() -> None:
    assert chain_of(pass_line()).arcs[0] == (
        Arc(4, -1, 0, LINE),
        Arc(3, 0, 1),
        Arc(4, 0, 2),
        Arc(5, 0, 3),
        Arc(8, 1, 0, LINE | WON),
        Arc(5, 0, 4),
        Arc(4, 0, 5),
        Arc(3, 0, 6),
    )


def test_a_chain_that_can_go_on_for_ever_is_refused() -> None:
    chain = Chain(((Arc(18, 0, 1), Arc(18, 0, 2)), (Arc(36, 0, 1),), (Arc(36, 0, 2),)))
    with pytest.raises(ChainError, match="for ever"):
        mean_steps(chain, 0, {2})


def test_a_total_without_bound_is_refused() -> None:
    chain, end = cut(chain_of(pass_line()), HAND)
    with pytest.raises(ChainError, match="no bound"):
        total_law(chain, {end})


def test_a_cycle_that_adds_nothing_has_a_bounded_total() -> None:
    chain = Chain(((Arc(36, 5, 1),), (Arc(18, -5, 0), Arc(12, -4, 2), Arc(6, 1, 2)), ()))
    assert total_law(chain, {2}) == {1: Fraction(2, 3), 6: Fraction(1, 3)}


def test_a_thousand_states_without_cycles_take_little_time() -> None:
    """Ten numbers to be rolled before a 7; a state is the set rolled so far. Checked by inclusion and exclusion."""
    numbers = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    ways = [6 - abs(7 - number) for number in numbers]
    lost, won = 1 << 10, (1 << 10) - 1
    rows = [(*(Arc(way, 0, thrown | 1 << i) for i, way in enumerate(ways)), Arc(6, -1, lost)) for thrown in range(won)]
    chain = Chain((*rows, (), ()))
    began = time.process_time()
    totals = total_law(chain, {lost, won})
    mean_and_variance(chain, 0, {lost, won})
    took = time.process_time() - began
    subsets = ([way for i, way in enumerate(ways) if chosen >> i & 1] for chosen in range(1 << 10))
    wins = sum((Fraction((-1) ** len(subset) * 6, 6 + sum(subset)) for subset in subsets), Fraction(0))
    assert totals == {-1: 1 - wins, 0: wins}
    assert took < 3, "about 0.3 s when nothing else runs"


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """Small random chains; from every state the end, which is the last state, can be reached."""
    size = draw(st.integers(1, 6))
    rows = []
    for _ in range(size):
        weights = draw(st.lists(st.integers(1, 7), min_size=0, max_size=4))
        arcs = [Arc(w, draw(st.integers(-2, 2)), draw(st.integers(0, size))) for w in weights]
        rows.append((*arcs, Arc(36 - sum(weights), draw(st.integers(-2, 2)), size)))
    return Chain((*rows, (Arc(36, 0, size),)))


@given(chains())
def test_means_and_variances_agree_with_enumeration(chain: Chain) -> None:
    """The end is reached with probability at least 8/36 on every roll, so the rest after 150 rolls is below 2e-16."""
    end = len(chain.arcs) - 1
    law: dict[tuple[int, int], float] = {(0, 0): 1.0}
    steps = 0.0
    for _ in range(150):
        after: dict[tuple[int, int], float] = {}
        for (state, total), mass in law.items():
            steps += mass * (state != end)
            for arc in chain.arcs[state]:
                key = (arc.next, total + arc.cash)
                after[key] = after.get(key, 0.0) + mass * arc.weight / 36
        law = {key: mass for key, mass in after.items() if mass > 1e-20}
    mean = sum(total * mass for (_, total), mass in law.items())
    square = sum(total**2 * mass for (_, total), mass in law.items())
    exact_mean, exact_variance = mean_and_variance(chain, 0, {end})
    assert float(mean_steps(chain, 0, {end})) == pytest.approx(steps, abs=1e-9)
    assert float(exact_mean) == pytest.approx(mean, abs=1e-9)
    assert float(exact_variance) == pytest.approx(square - mean**2, abs=1e-8)
    try:
        exact = total_law(chain, {end})
    except ChainError:
        return
    assert sum(exact.values()) == 1
    assert sum(total * p for total, p in exact.items()) == exact_mean
