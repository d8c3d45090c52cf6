"""Tests of the decorator that makes one test of a grid of cases."""

import inspect

import pytest

from tests.grids import every


@pytest.fixture
def limit() -> int:
    return 3


@every(left=range(3), right=range(2))
def test_a_grid_takes_fixtures_beside_its_cases(left: int, right: int, limit: int) -> None:
    assert left + right <= limit


def test_every_fault_is_listed_and_no_case_is_left_out() -> None:
    tried = []

    @every(left=[1, 2], right=[1, 0])
    def division(left: int, right: int) -> None:
        tried.append((left, right))
        assert left / right < 2, f"{left} is too much"

    with pytest.raises(AssertionError) as caught:
        division()
    assert tried == [(1, 1), (1, 0), (2, 1), (2, 0)]
    first, *faults = str(caught.value).splitlines()
    assert first == "3 of 4 cases fail:"
    assert faults[0] == "left=1 right=0: ZeroDivisionError: division by zero"
    assert faults[1].startswith("left=2 right=1: 2 is too much")
    assert not inspect.signature(division).parameters


def test_grids_of_one_test_multiply() -> None:
    tried = []

    @every(left=[1, 2])
    @every(right=[3, 4])
    def sums(left: int, right: int) -> None:
        tried.append(left + right)

    sums()
    assert tried == [4, 5, 5, 6]


def test_a_grid_without_cases_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="a grid without cases: role"):
        every(role=[])
