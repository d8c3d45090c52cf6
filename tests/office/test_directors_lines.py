"""What a compliance director wrote down: awkward days that can be told, and breaches that do not go through in silence.

Each line begins where the table of its regulation may open (`after` in day_file.py).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.rules.clauses import REGULATIONS
from tests.office.day_file import run_day, steps_of

_LINES = Path(__file__).parent / "directors"
_STANDS_AGAINST = ("refused", "incident", "red")
_LAWFUL, _BREACH = "# Lawful: ", "# A breach: "
_AT_LEAST = 50  # lines of each kind, by regulation


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_directors_lines_go_as_they_are_written(regulation: str) -> None:
    run_day(_LINES / f"{regulation}.txt")


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_there_are_lines_of_both_kinds(regulation: str) -> None:
    counts = {_LAWFUL: 0, _BREACH: 0}
    for title, text in _parts(regulation):
        counts[_LAWFUL if title.startswith(_LAWFUL) else _BREACH] += len(list(steps_of(text)))
    assert min(counts.values()) >= _AT_LEAST


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_breach_ends_with_what_stands_against_it(regulation: str) -> None:
    """Refused, an incident, red on the list, or overdue: of a breach something comes in its last line."""
    silent = [
        title
        for title, text in _parts(regulation)
        if title.startswith(_BREACH)
        and not any(line.startswith((*_STANDS_AGAINST, "overdue")) for line in [*steps_of(text)][-1].expected)
    ]
    assert not silent


def _parts(regulation: str) -> list[tuple[str, str]]:
    """The title of each part of a director's file, and its lines."""
    _, *parts = (_LINES / f"{regulation}.txt").read_text(encoding="utf-8").split("\n\n")
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]
