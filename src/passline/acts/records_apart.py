"""Records kept apart: what an act said of a thing stands by itself for each word of some of its fields.

A bar of the house stands beside one of an agency: neither takes the other's place, and each ends by itself.
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
    """Return which record fields are about: their words, however they are spaced and capitalised.

    >>> record_key(("by_whom", "agency"), {"by_whom": "law", "agency": " State  list 7"})
    'law, state list 7'
    """
    words = (" ".join(str(said.get(key) or "").split()).casefold() for key in by)
    return ", ".join(word for word in words if word)


def records_of(
    apart: Apart, fields: Iterable[str], known: KnownThing | None, done: DoneMark | None, undone: DoneMark | None
) -> Records:
    """Return what is kept apart of a thing; what was said before records were kept apart is one of them."""
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
