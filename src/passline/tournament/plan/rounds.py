"""How many players and tables each round of an event has, when it is entered by so many."""

from __future__ import annotations

from msgspec import Struct

from passline.tournament.plan.schema import Event

__all__ = ["RoundSize", "round_sizes"]


class RoundSize(Struct, frozen=True):
    """A round with its players, the tables that seat them, and how many go on."""

    name: str
    players: int
    tables: int
    goes_on: int


def round_sizes(event: Event, entries: int) -> tuple[RoundSize, ...]:
    """Return the size of each round: as many tables as seat everybody, and from each those who advance.

    >>> from passline.tournament.plan.example import example_plan
    >>> [(one.players, one.tables) for one in round_sizes(example_plan("colorado").events[0], 160)]
    [(160, 10), (32, 2), (12, 1)]
    """
    sizes: list[RoundSize] = []
    players = entries
    for one in event.rounds:
        tables = -(-players // one.seats)
        least = players // tables if tables else 0  # at the smallest table
        goes_on = min(tables * min(one.advance, least) + one.wild_cards, players)
        sizes.append(RoundSize(one.name, players, tables, goes_on))
        players = goes_on
    return tuple(sizes)
