"""Separate records of one thing, such as several bars of one patron.

A bar by the house and a bar by an agency stand side by side: neither replaces the other, and each ends by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from passline.acts.marks import DoneMark
from passline.acts.moving_schema import Apart
from passline.acts.state import KnownThing

Records = dict[str, dict[str, Any]]


def record_key(by: Iterable[str], said: Mapping[str, Any]) -> str:
    """Return the key of the record that fields belong to: their words, whatever their spacing and capitals.

    >>> record_key(("by_whom", "agency"), {"by_whom": "law", "agency": " State  list 7"})
    'law, state list 7'
    """
    words = (" ".join(str(said.get(key) or "").split()).casefold() for key in by)
    return ", ".join(word for word in words if word)


def records_of(
    apart: Apart, fields: Iterable[str], known: KnownThing | None, done: DoneMark | None, undone: DoneMark | None
) -> Records:
    """Return the separate records of a thing; what was said before they were kept separately is one of them."""
    if known is None:
        return {}
    if (kept := known.facts.get(apart.kept_in)) is not None:
        return dict(kept)
    if done is None or (undone is not None and undone.number > done.number):
        return {}
    said = {field: known.facts.get(field) or "" for field in fields}
    return {record_key(apart.by, said): {**said, "at": done.at, "act": done.number}}


def standing_records(records: Records, last_day: str, today: date) -> Records:
    """Return the records whose last day, if one has any, is not over."""
    return {
        key: record
        for key, record in records.items()
        if not record.get(last_day) or date.fromisoformat(str(record[last_day])) >= today
    }
