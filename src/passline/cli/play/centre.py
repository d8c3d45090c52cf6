"""The centre of the drawn layout: rows of wagers that every casino has, and of those that have no other place."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from passline.game.spots import Spot
from passline.rules.rules import Rules

_HARD = (6, 10, 8, 4)
_CRAPS = ("craps_3", "craps_2", "eleven", "craps_12")
_MIXED = ("c_and_e", "horn", "whirl", "horn_high")
_AT_THE_END = {"pass", "dont_pass", "come", "dont_come", "field", "big"}
_BOXED = {"place_win", "place_lose", "buy", "lay", "put"}  # they are made in the box of a point
_CENTRED = {"any_seven", "hardway", *_CRAPS, "any_craps", *_MIXED, "hop"}
_IN_A_ROW = 3  # wagers below the layout

Row = str | list[Spot]
"""The title of a group (empty for a line only), or the wagers beside each other."""
Up = Collection[tuple[str, int]]
"""Kind and number of each wager that is up."""


def centre_rows(rules: Rules, up: Up, *, rows_max: int, has_lines: bool) -> tuple[list[Row], list[list[Spot]]]:
    """Return the rows of the centre, and those for which it has no room.

    >>> rows, below = centre_rows(Rules.of("maryland"), (), rows_max=12, has_lines=False)
    >>> rows[1], [spot.number for spot in rows[2]], rows[-1], below
    ('hardways', [6, 10], [Spot(kind='six_seven_eight', number=0, owner='player')], [])
    """
    rows: list[Row] = []
    for title, kinds in (
        ("", ("any_seven",)),
        ("hardways", ("hardway",)),
        ("one roll", _CRAPS),
        ("", ("any_craps",)),
        ("", _MIXED),
        ("", ("hop",)),
    ):
        spots = [spot for kind in kinds if _is_offered(rules, kind) for spot in _spots(rules, up, kind)]
        is_apart = title or (has_lines and rows)
        rows += [title] if spots and is_apart else []
        rows += [spots[start : start + 2] for start in range(0, len(spots), 2)]
    further = [_up_or(up, Spot(kind, number)) for kind, number in _further(rules)]
    room = max(rows_max - len(rows), 0)
    below = further[room:]
    in_rows = [below[start : start + _IN_A_ROW] for start in range(0, len(below), _IN_A_ROW)]
    return [*rows, *([spot] for spot in further[:room])], in_rows


def _is_offered(rules: Rules, kind: str) -> bool:
    return kind in rules.wagers and rules.wagers[kind].is_offered


def _spots(rules: Rules, up: Up, kind: str) -> list[Spot]:
    """Return the cells of a kind: of hardways one for each number, of others one, for the wager that is up."""
    numbers = rules.wagers[kind].numbers
    if kind == "hardway":
        return [Spot(kind, number) for number in _HARD if number in numbers]
    return [_up_or(up, Spot(kind, max(numbers) if kind == "horn_high" else 0))]


def _further(rules: Rules) -> Iterator[tuple[str, int]]:
    """Yield the wagers that have no place elsewhere, each with its number if that is the only one."""
    for kind, rule in rules.wagers.items():
        numbers = rule.numbers - (rules.points if kind in _BOXED else frozenset())
        is_elsewhere = rule.lines or rule.behind or kind in _AT_THE_END | _CENTRED
        if rule.is_offered and numbers and not is_elsewhere:
            yield kind, min(numbers) if len(numbers) == 1 else 0


def _up_or(up: Up, spot: Spot) -> Spot:
    """Return the wager of a kind that is up, for a cell that stands for several numbers."""
    return next((Spot(kind, number) for kind, number in up if kind == spot.kind), spot)
