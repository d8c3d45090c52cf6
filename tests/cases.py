"""Cases that are much alike: some are tried on every run, all of them by `./x test --all`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

_IS_USUAL = bool(os.environ.get("PASSLINE_TEST_USUAL"))  # set by conftest.py where sweeps are left out


def budget(usual: int, *, in_sweep: int) -> int:
    """Return how many random cases a test tries: the first number on every run, the second by `./x test --all`."""
    return usual if _IS_USUAL else in_sweep


def one_in(number: int, cases: Iterable[Any], *, others: pytest.MarkDecorator = pytest.mark.sweep) -> list[Any]:
    """Return the cases of a test, all but one in so many marked as part of a sweep, or otherwise; each tuple is a case.

    No case that holds a clause may be among them.
    """
    return [case if place % number == 0 else _marked(case, others) for place, case in enumerate(cases)]


def _marked(case: Any, mark: pytest.MarkDecorator) -> Any:  # noqa: ANN401 - pytest does not name the type of a case
    if hasattr(case, "marks"):  # a case with marks or a name of its own
        assert not any(mark.name == "clause" for mark in case.marks), f"{case}: holds a clause: try it on every run"
        return pytest.param(*case.values, marks=[*case.marks, mark], id=case.id)
    return pytest.param(*case if type(case) is tuple else (case,), marks=mark)
