"""Grids: one test for a great many small cases, which lists every case that fails.

`pytest.mark.parametrize` makes a test of each case, and every worker collects, names and reports all of them. That is
worth it for cases that a person looks up by name, or that hold clauses of their own; a table of roles times commands is
one statement with a list of exceptions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import product
from typing import Any


def every(**axes: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Have one test try every combination of these arguments; the others are fixtures, the same for all cases.

    >>> @every(role=["dealer", "player"], number=[4, 5])
    ... def test(role, number):
    ...     assert role == "dealer" and number == 4, "refused"
    >>> test()
    Traceback (most recent call last):
        ...
    AssertionError: 3 of 4 cases fail:
    role='dealer' number=5: refused
    role='player' number=4: refused
    role='player' number=5: refused
    """
    cases = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    assert cases, f"a grid without cases: {', '.join(axes)}"

    def of_test(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def try_every_case(**fixtures: Any) -> None:  # noqa: ANN401 - whatever fixtures the test asks for
            faults = [fault for case in cases if (fault := _fault_of(test, case, fixtures))]
            if faults:
                raise AssertionError(f"{len(faults)} of {len(cases)} cases fail:\n" + "\n".join(faults))

        signature = inspect.signature(test)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in axes]
        try_every_case.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return try_every_case

    return of_test


def _fault_of(test: Callable[..., None], case: dict[str, Any], fixtures: dict[str, Any]) -> str:
    """Return how a case fails; empty if it passes."""
    try:
        test(**case, **fixtures)
    except Exception as error:  # noqa: BLE001 - the other cases are tried, and the test fails with all of them
        values = " ".join(f"{name}={value!r}" for name, value in case.items())
        kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
        return f"{values}: {kind}{error}"
    return ""
