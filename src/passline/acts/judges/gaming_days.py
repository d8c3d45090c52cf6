"""Gaming days: which one a count or drop may name, and what must be done before the books of one can be closed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from passline.acts.calendar.facility import Facility
from passline.acts.judges.scene import ActFault
from passline.acts.state import INCIDENT, ActState, thing_key
from passline.acts.tills import DROPS, INVENTORIES, shift_key

_DAYS_BACK_MAX = 31  # a paper that was found late is still entered
_SLIPS = {"fill_slip": "request_fill", "credit_slip": "request_credit"}
_ENDED = frozenset({"accepted", "reversed", "returned", "void"})


def far_day_faults(act: str, fields: Mapping[str, Any], facility: Facility, occurred: str) -> list[ActFault]:
    """Return the fault of a count or drop whose gaming day is far from the day on which it happened.

    A shift of a wrong year would stay open for ever, and its chips would be in no result.
    """
    if (act not in INVENTORIES and act not in DROPS) or not (named := fields.get("gaming_day")):
        return []
    today = facility.gaming_day(occurred)
    if -_DAYS_BACK_MAX <= (date.fromisoformat(named) - today).days <= 1:
        return []
    why = f"gaming_day: {named} is not near {today}, the gaming day when this happened"
    return [ActFault("form", why)]


def unsettled_of_day(what: str, day: date, state: ActState, facility: Facility, at: str) -> list[str]:
    """Return what is still open of a gaming day, each in a few words; nothing if it is settled.

    `what` says what to look for: over (the day has ended), begun (there was an office), closers, boxes, slips or
    incidents.
    """
    ends = facility.moment(day + timedelta(days=1), facility.day_begins)
    match what:
        case "over":
            return [f"it ends {facility.local(ends):%Y-%m-%d %H:%M}"] if at < ends else []
        case "begun":
            first = facility.gaming_day(state.begun) if state.begun else day
            return [f"the first is {first}"] if day < first else []
        case "closers":
            begun = [f"{table}, {on} {shift}" for table, on, shift in state.tills.open.values() if on <= day]
            return begun + _acts_to_sign(INVENTORIES, day, state, facility)
        case "boxes":
            boxes = state.tills.boxes.items()
            dropped = [f"{box} of {key[0]}, {key[1]} {key[2]}" for box, key in boxes if key[1] <= day]
            return dropped + _acts_to_sign(DROPS, day, state, facility)
        case "slips":
            return [
                slip.id
                for kind, request in _SLIPS.items()
                for slip in state.of_kind(kind)
                if slip.state not in _ENDED
                and (mark := state.mark(request, thing_key(kind, slip.id)))
                and mark.occurred < ends
            ]
        case _:
            return [incident.id for incident in state.of_kind(INCIDENT, ["open"]) if incident.since < ends]


def _acts_to_sign(acts: frozenset[str], day: date, state: ActState, facility: Facility) -> list[str]:
    """Return the counts or drops of a gaming day, or of one before, that wait to be signed."""
    waiting = (
        (pending.done, shift_key(pending.done, facility))
        for pending in state.pending.values()
        if pending.done.act in acts
    )
    return [
        f"act {done.number} of {key[0]}, {key[1]} {key[2]}, waits to be signed"
        for done, key in waiting
        if key is not None and key[1] <= day
    ]
