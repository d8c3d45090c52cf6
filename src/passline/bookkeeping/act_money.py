"""The cents of an office's acts with a table's money: fill and credit slips, reversed fills, markers, boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from passline.acts import events as e

REQUESTS = frozenset({"request_fill", "request_credit"})
"""The acts that make a slip."""
SLIPS_ENDED = frozenset({"accept_fill", "return_fill", "void_fill", "accept_credit", "return_credit", "void_credit"})
"""The acts after which a slip has ended."""
REVERSAL = "reverse_fill"
"""The act that takes a fill back out of the tray."""


MARKERS = frozenset({"issue_marker", "void_marker", "pay_marker_in_chips", "withdraw_at_table", "deposit_at_table"})
"""The acts by which chips leave a tray, or come back, against a marker or front money: a credit of the table."""


def marker_cents(completed: e.ActCompleted) -> list[tuple[str, int]]:
    """Return the cents that markers and front money took out of trays, by table; below zero, what came back."""
    found = list[tuple[str, int]]()
    for move in completed.moves:
        for place, sign in ((move.source, 1), (move.target, -1)):
            kind, _, table = place.partition("/")
            if kind == "table":
                found.append((table, sign * units_cents(move.units)))
    return found


def came_cents(done: e.ActDone) -> int | None:
    """Return the cents that came with a fill if the person who accepted it said that; None: it came as it was sent."""
    return units_cents(done.fields["units"]) if done.act == "accept_fill" and "units" in done.fields else None


def reversed_fills(completed: e.ActCompleted) -> list[tuple[str, int]]:
    """Return the tables from which a reversed fill was taken back, each with its cents."""
    found = [(move.source.partition("/"), units_cents(move.units)) for move in completed.moves]
    found += [(taken.place.partition("/"), -units_cents(taken.units)) for taken in completed.taken_up]
    return [(name, cents) for (kind, _, name), cents in found if kind == "table"]


def count_with_it(completed: e.ActCompleted, table: str) -> int:
    """Return the number of the count that already included what an act recorded later moved at a tray; 0: none."""
    place = f"table/{table}"
    return next((taken.act for taken in completed.taken_up if taken.place == place), 0)


def box_cents(fields: Mapping[str, Any]) -> int:
    """Return what a soft count found in a box: notes, chips and tickets; coupons are no drop."""
    money = units_cents(fields.get("cash")) + units_cents(fields.get("chips"))
    return money + int(fields.get("tickets") or 0)


def units_cents(units: Mapping[str, int] | None) -> int:
    """Return the cents of a count by denomination.

    >>> units_cents({"500": 3, "10000": 1}), units_cents(None)
    (11500, 0)
    """
    return sum(int(unit) * count for unit, count in (units or {}).items())
