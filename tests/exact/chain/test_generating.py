"""Generating functions and eigenvalues of a hand, against the law itself and the published figures."""

from fractions import Fraction

import pytest

from passline.automaton.compiler import compile_strategy
from passline.exact.chain.generating import GeneratingFunction, eigenvalues, generating_function
from passline.exact.chain.hand_law import COUNTS, FiniteLaw, count_law, longest_at_least, longest_quantile
from passline.rules.rules import Rules
from passline.strategy.lookup import strategy_of

RULES = Rules.of("maryland")
AUTOMATON = compile_strategy(RULES, strategy_of("pass", RULES))


@pytest.mark.parametrize("count", sorted(COUNTS))
def test_the_quotient_has_the_chances_the_mean_and_the_powers_of_the_law(count: str) -> None:
    law = count_law(AUTOMATON, COUNTS[count](AUTOMATON))
    function = generating_function(law)
    values = 3 * law.order + 9  # further than the chances that it is made from
    assert function.chances(values) == [law.chance(n) for n in range(values)]
    above, below = (sum(row) for row in function)
    assert above == below, "all chances together are 1"
    slopes = [sum(n * c for n, c in enumerate(row)) for row in function]
    assert Fraction(slopes[0] * below - above * slopes[1], below * below) == law.mean
    found = eigenvalues(function)
    for n in (5, 20, 60):
        tail = sum(term.tail_weight * term.value ** (n - 1) for term in found)
        assert tail.real == pytest.approx(float(law.at_least(n)), rel=1e-9)


def test_the_eigenvalues_of_a_hand_are_those_of_ethier_and_hoppe() -> None:
    """S. N. Ethier and F. M. Hoppe, The Mathematical Intelligencer 32 (2010) 4, 44-48, arXiv:0906.1545."""
    found = eigenvalues(generating_function(count_law(AUTOMATON, COUNTS["rolls"](AUTOMATON))))
    assert [term.value.real for term in found] == pytest.approx(
        [0.862473751659322030, 0.741708271459795977, 0.709206775794379015, 0.186611201086502979], abs=2e-16
    )
    assert [term.tail_weight.real for term in found] == pytest.approx(
        [1.211844812464518572, -0.006375542263784777, -0.004042671248651503, -0.201426598952082292], abs=1e-15
    )


def test_complex_eigenvalues_keep_the_chances() -> None:
    function = GeneratingFunction((1,), (2, 0, 1))  # 1 / (2 + z^2), of the poles +-i sqrt 2
    terms = eigenvalues(function)
    for n, chance in enumerate(function.chances(12)):
        assert sum(term.weight * term.value**n for term in terms) == pytest.approx(float(chance), abs=1e-15)


def test_the_longest_of_hands_is_the_longest_of_each_combination() -> None:
    law = FiniteLaw({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)})
    three = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    for value in range(1, 3):
        each = (law.chance(a) * law.chance(b) * law.chance(c) for a, b, c in three if max(a, b, c) >= value)
        assert longest_at_least(law, value, 3) == sum(each)
    for share in (Fraction(1, 20), Fraction(1, 2), Fraction(9, 10)):
        least = next(n for n in range(3) if 1 - longest_at_least(law, n + 1, 3) >= share)
        assert longest_quantile(law, share, 3) == least
