"""A round of a tournament at a table: how its chips count, and the events that begin and end it."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["PointsMode", "RoundFinished", "StacksGiven"]


class _Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="event"):
    pass


class PointsMode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a tournament: chips are points, worth nothing else, for one round. A point is a dollar chip here."""

    tournament: str  # its id
    round: int  # its number in the tournament
    rolls: int = 0  # after which the round is over; 0: when the director says so
    undecided: str = "returned"  # what becomes of wagers that are up then: returned, played_out or lost
    clauses: dict[str, str] = {}  # of what is barred or lifted, by what it is


class StacksGiven(_Event, frozen=True, tag="stacks-given/1"):
    """The players of a tournament's round have their chips: cents of points by seat."""

    stacks: dict[str, int]


class RoundFinished(_Event, frozen=True, tag="round-finished/1"):
    """A round of a tournament is over at this table: what each seat has, and what the house won, in cents of points."""

    tournament: str
    round: int
    stacks: dict[str, int]
    house: int
    rolls: int
