"""A step on the way to the first open table."""

from __future__ import annotations

from msgspec import Struct

from passline.acts.state import KnownThing
from passline.acts.views.office_staff import PLANNED

UNTOLD = PLANNED
"""A thing of which nothing is on record yet."""


class PathStep(Struct, frozen=True):
    """One step: an act, a figure to be set, an approval to be filed, or an account to be made."""

    name: str
    why: str  # what is wrong as long as it is not done
    clause: str
    page: str  # the subject that it belongs to
    after: tuple[int, ...]  # the places on the path of the steps that come first
    act: str = ""
    things: tuple[str, ...] = ()  # those it is done to, where they are known
    by: tuple[str, ...] = ()  # the groups that may do it
    value: str = ""  # the figure that is set by it
    approval: str = ""  # the kind of approval that is filed with the house
    role: str = ""  # the group that too few people belong to
    waits: str = ""  # what it waits for, where all was done: a signature, or time
    until: str = ""  # the day on which that time is over, where it is known
    kept_to_sign: tuple[str, ...] = ()  # the accounts that may do it and are needed to sign it: somebody else begins


def unknown_thing(kind: str) -> KnownThing:
    """Return a placeholder for a thing of a kind that is not on record yet."""
    return KnownThing(kind, UNTOLD, "unknown", {}, "")
