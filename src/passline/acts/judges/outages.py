"""An outage as it is on record: from when to when nothing could be recorded, and how late that was entered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from passline.acts.calendar.deadlines import deadline
from passline.acts.calendar.facility import minute_of
from passline.acts.judges.scene import Scene
from passline.acts.marks import DoneMark
from passline.acts.rules import ActRules
from passline.acts.schema import Act, Signature
from passline.acts.state import ActState, KnownThing, thing_key

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


class Outage(Struct, frozen=True):
    """A time in which nothing could be recorded: from its stated beginning until it was entered."""

    id: str
    begun: str
    ended: str  # its own entry
    is_late: bool  # something was recorded meanwhile, or it was told late
    slips: tuple[str, ...] = ()  # those whose acts were told by earlier batches

    def has_begun_before(self, moment: str) -> bool:
        """Return whether it had begun before the minute of a moment."""
        return minute_of(self.begun) < minute_of(moment)


def outage_of(rules: ActRules, state: ActState, kind: str, name: str) -> Outage | None:
    """Return an outage by its kind and name; None: it is not on record."""
    acts = [key for key, act in rules.pages.acts.items() if act.unlogged]
    marks = [mark for key in acts if (mark := mark_of(state, key, kind, name))]
    if not marks:
        return None
    known = state.thing(kind, name)
    slips = tuple(known.facts.get(SLIPS_TOLD) or ()) if known else ()
    return Outage(name, marks[0].occurred, marks[0].frees, marks[0].is_late, slips)


SLIPS_TOLD = "slips"
"""The fact of an outage that lists the slips whose acts were told."""


def mark_of(state: ActState, act: str, kind: str, name: str) -> DoneMark | None:
    """Return the last time that an act was done to a thing."""
    return state.mark(act, thing_key(kind, name))


def is_asked_beyond(scene: Scene, act: Act, sign: Signature, subjects: Sequence[KnownThing]) -> bool:
    """Return whether somebody must sign because an outage was long, or is entered long after its end.

    No signature is needed if the person who does the act could give it.
    """
    facility, doer = scene.state.facility, scene.who(scene.by)
    if sign.beyond is None or facility is None:
        return True
    if doer is not None and any(scene.rules.is_of(group, doer, scene.state) for group in sign.by):
        return False
    since = scene.first or scene.occurred
    if act.batch is not None:
        outage = outage_of(scene.rules, scene.state, act.thing, subjects[0].id) if subjects else None
        since = outage.ended if outage else since
    return scene.at >= deadline(since, sign.beyond, facility)


# Words.


def span_words(scene: Scene, outage: Outage) -> str:
    """Return from when to when an outage lasted, in local time."""
    return f"{local_words(scene, outage.begun)} to {local_words(scene, outage.ended)}"


def local_words(scene: Scene, at: str) -> str:
    """Return a moment in local time."""
    facility = scene.state.facility
    return f"{facility.local(at):%Y-%m-%d %H:%M}" if facility else at


def length_words(begun: str, ended: str) -> str:
    """Return how long it is from a moment to another, in whole hours or days.

    >>> length_words("2026-03-02T22:00:00.000000Z", "2026-04-20T23:00:00.000000Z")
    '49 days'
    """
    length = datetime.fromisoformat(ended) - datetime.fromisoformat(begun)
    count, unit = (length // _DAY, "day") if length >= 2 * _DAY else (length // _HOUR, "hour")
    return f"{count} {unit}{'' if count == 1 else 's'}"
