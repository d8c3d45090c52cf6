"""Linear systems over the rationals: a solution put back into its system."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from passline.exact.chain.systems import solve


@given(st.data())
def test_a_solution_solves_the_system(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 12))
    row = st.dictionaries(st.integers(0, size - 1), st.integers(1, 5), max_size=6)
    system = {i: (Fraction(data.draw(st.integers(-9, 9))), data.draw(row)) for i in range(size)}
    found = solve(system, scale=36)
    for i, (constant, weights) in system.items():
        assert found[i] == constant + sum(Fraction(w, 36) * found[j] for j, w in weights.items())
