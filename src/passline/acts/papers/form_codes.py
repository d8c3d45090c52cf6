"""The codes of forms: the entry of the log behind each, as a scanner reads it from the paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from passline.acts import events as e
from passline.acts.state import CASH_REPORT, INCIDENT, thing_key
from passline.store.entry import Stored

_CODE = re.compile(r"PASSLINE:([1-9][0-9]{0,17}):([0-9A-F]{64}):([A-Z0-9.+/-]{1,60})")


class EntryMark(Struct, frozen=True):
    """Where something stands in the log: the number of the entry, and the hash that chains it."""

    sequence: int
    hash: bytes


def made_subjects(events: Iterable[e.ActEvent]) -> Iterator[str]:
    """Yield what an entry has: its acts as act/7, and all that it may have made, as kind/id."""
    for event in events:
        match event:
            case e.ActDone():
                yield f"act/{event.number}"
                yield from (thing_key(event.kind, thing) for thing in event.things if event.kind)
            case e.IncidentOpened():
                yield thing_key(INCIDENT, event.id)
            case e.CashReached():
                yield thing_key(CASH_REPORT, event.report)
            case _:
                pass


def is_made_by(code: FormCode, stored: Stored, stream: str, events: Iterable[e.ActEvent]) -> bool:
    """Return whether a form's code belongs to an entry: the stream, the hash and what the entry made must agree."""
    if (stored.entry.stream, stored.hash.hex()) != (stream, code.hash):
        return False
    return code.number in made_numbers(events)


def made_numbers(events: Iterable[e.ActEvent]) -> set[str]:
    """Return the numbers that an entry gave to forms of a series."""
    return {number for event in events if isinstance(event, e.ActDone) and event.series for number in event.things}


class FormCode(Struct, frozen=True):
    """What a scanner reads from a form: the entry behind it, and its number."""

    sequence: int
    hash: str  # hex, small letters
    number: str

    def __str__(self) -> str:
        return f"PASSLINE:{self.sequence}:{self.hash.upper()}:{self.number.upper()}"


def read_code(text: str) -> FormCode | None:
    """Return the code that a scanner has read; None if it is of no form.

    >>> read_code(str(FormCode(17, "ab" * 32, "F-000001")))
    FormCode(sequence=17, hash='abababababababababababababababababababababababababababababababab', number='F-000001')
    >>> read_code("F-000001") is None
    True
    """
    found = _CODE.fullmatch(text.strip().upper())
    return FormCode(int(found[1]), found[2].lower(), found[3]) if found else None
