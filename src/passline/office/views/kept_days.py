"""An office as it was when its gaming days began: `OfficeViews` keeps each, so that earlier days need not be folded."""

from __future__ import annotations

import zlib
from datetime import date

from msgspec import Struct, defstruct, json, structs

from passline.acts.state import FOR_CORRECTIONS, ActState
from passline.streams.projection_store import ViewReader

BEGINNING = "office-day"
"""What the office at the beginning of a gaming day is sealed as."""


def office_at_day(reader: ViewReader, office: str, day: date) -> tuple[ActState, int]:
    """Return an office and its version as they were before the first entry of a gaming day.

    If that day was not kept, it is the nearest earlier one. Things that were filed by then are left out.
    """
    body = _office_before(reader, office, day)
    state = json.decode(body, type=ActState) if body else ActState()
    return state, state.version


def printed_office_at_day(reader: ViewReader, office: str, day: date) -> ActState:
    """Return the same office without what only corrections need, which after months is most of it, for printing."""
    body = _office_before(reader, office, day)
    return ActState(**structs.asdict(json.decode(body, type=_Printed))) if body else ActState()


_NOTHING = ActState()
_Printed = defstruct(
    "_Printed",
    [
        (field.name, field.type, getattr(_NOTHING, field.name))
        for field in structs.fields(ActState)
        if field.name not in FOR_CORRECTIONS
    ],
    frozen=True,
)


def version_at_day(reader: ViewReader, office: str, day: date) -> int:
    """Return the version of the office that `office_at_day` returns."""
    body = _office_before(reader, office, day)
    return json.decode(body, type=_Version).version if body else 0


class _Version(Struct):
    version: int


def _office_before(reader: ViewReader, office: str, day: date) -> bytes:
    sql = "SELECT body FROM office_days WHERE office = ? AND day <= ? ORDER BY day DESC LIMIT 1"
    rows = reader.query(sql, (office, day.isoformat()))
    return zlib.decompress(reader.unseal(BEGINNING, rows[0][0])) if rows else b""
