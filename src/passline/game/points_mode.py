"""How chips count in a round of a tournament: as points, never as money."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["PointsMode"]


class PointsMode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a tournament: chips are points, worth nothing else, for one round. A point is a dollar chip here."""

    tournament: str  # its id
    round: int  # its number in the tournament
    rolls: int = 0  # after which the round is over; 0: when the director says so
    undecided: str = "returned"  # what becomes of wagers that are up then: returned, played_out or lost
    clauses: dict[str, str] = {}  # of what is barred or lifted, by what it is
