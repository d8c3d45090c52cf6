"""Numbers of manual slips in words."""

from __future__ import annotations

from collections.abc import Iterable

from passline.acts.state import KnownThing


def number_list(slips: Iterable[KnownThing]) -> str:
    """Return the numbers of slips in words, those that follow each other as a range.

    >>> known = [KnownThing("slip", f"MF-{number:06}", "missing", {}, "") for number in (1, 3, 4, 5)]
    >>> number_list(known)
    'MF-000001, MF-000003 to MF-000005'
    """
    runs: list[list[str]] = []
    for slip in slips:
        series, _, number = slip.id.rpartition("-")
        if runs and f"{series}-{int(number) - 1:0{len(number)}}" == runs[-1][-1]:
            runs[-1].append(slip.id)
        else:
            runs.append([slip.id])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
