"""Lists of clauses as papers print them: in order, with runs shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["shortened_clauses"]

_COUNTED = re.compile(r"(.+[.-])(\d+|[A-Za-z])")  # a stem, and a last part that can be counted
_LETTERS = 1000  # ranks of letters begin above every number
_FEW = 2


def shortened_clauses(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return clauses in order, with runs of numbers or letters drawn together.

    >>> shortened_clauses(("MD-3.A.23", "MD-3.A.22", "MD-3.A.24", "MD-5.A", "MD-5.G.1.a", "MD-5.G.1.b"))
    ('MD-3.A.22 to 24', 'MD-5.A', 'MD-5.G.1.a, b')
    """
    runs: list[list[str]] = []
    for clause in sorted(set(clauses), key=_natural):
        stem, rank = _split_rank(clause)
        before = _split_rank(runs[-1][-1]) if runs else ("", 0)
        if stem and before == (stem, rank - 1):
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return tuple(map(_shorten_run, runs))


def _split_rank(clause: str) -> tuple[str, int]:
    """Split a clause into its stem and the rank of its last letter or number; ("", 0) if it ends in neither."""
    counted = _COUNTED.fullmatch(clause)
    if counted is None:
        return "", 0
    return counted[1], int(counted[2]) if counted[2].isdigit() else _LETTERS + ord(counted[2])


def _natural(clause: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", clause)]


def _shorten_run(run: list[str]) -> str:
    if len(run) == 1:
        return run[0]
    last = run[-1].removeprefix(_split_rank(run[-1])[0])
    return f"{run[0]} to {last}" if len(run) > _FEW else f"{run[0]}, {last}"
