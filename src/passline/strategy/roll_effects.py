"""What a roll did to a player's wagers, the dice and the puck, as a strategy file's memory reads it."""

from __future__ import annotations

from msgspec import Struct, structs

from passline.dice import SEVEN
from passline.game.events import (
    DiceSurrendered,
    Event,
    PuckMoved,
    RollSettled,
    WagerLost,
    WagerMoved,
    WagerReturned,
    WagerWon,
)


class RollEffects(Struct, frozen=True, cache_hash=True):
    """What a roll did: which of the player's wagers won, lost or were returned, and what became of dice and puck."""

    won: frozenset[tuple[str, int]]
    lost: frozenset[tuple[str, int]]
    returned: frozenset[tuple[str, int]]
    loser_7: int
    total: int
    point_made: int
    point_set: int


class DetailedEffects(RollEffects, frozen=True, cache_hash=True):
    """What a roll did, for a memory that reads more than most: the dice, what moved and how much was won and lost.

    The fewer different effects a memory reads, the fewer of its values have to be computed.
    """

    low: int
    high: int
    moved: frozenset[tuple[str, int]]  # wagers that moved to their number
    winnings: tuple[tuple[str, int, int], ...]  # cents by kind and number
    stakes: tuple[tuple[str, int, int], ...]


def roll_effects(events: tuple[Event, ...]) -> RollEffects:
    """Return the effects of a roll; a wager of several parts counts as won if any part won.

    >>> roll_effects((RollSettled(3, 4, "XX-1"), DiceSurrendered(1, "loser_7", "XX-2"))).loser_7
    1
    """
    won, lost, returned = set(), set(), set()
    loser_7 = total = 0
    puck = -1
    for event in events:
        if isinstance(event, WagerWon):
            won.add((event.wager.kind, event.wager.number))
        elif isinstance(event, WagerLost):
            lost.add((event.wager.kind, event.wager.number))
        elif isinstance(event, WagerReturned):
            returned.add((event.wager.kind, event.wager.number))
        elif isinstance(event, DiceSurrendered):
            loser_7 = int(event.reason == "loser_7")
        elif isinstance(event, RollSettled):
            total = event.first + event.second
        elif isinstance(event, PuckMoved):
            puck = event.point
    return RollEffects(
        won=frozenset(won),
        lost=frozenset(lost - won),
        returned=frozenset(returned),
        loser_7=loser_7,
        total=total,
        point_made=int(puck == 0 and total != SEVEN),
        point_set=max(puck, 0),
    )


def detailed_effects(events: tuple[Event, ...]) -> DetailedEffects:
    """Return the effects of a roll with its details.

    >>> detailed_effects((RollSettled(5, 2, "XX-1"),)).low
    2
    """
    low = high = 0
    moved = set()
    for event in events:
        if isinstance(event, RollSettled):
            low, high = sorted((event.first, event.second))
        elif isinstance(event, WagerMoved) and event.after is not None:
            moved.add((event.after.kind, event.after.number))
    return DetailedEffects(
        **structs.asdict(roll_effects(events)),
        low=low,
        high=high,
        moved=frozenset(moved),
        winnings=_winnings(events),
        stakes=_stakes(events),
    )


def _winnings(events: tuple[Event, ...]) -> tuple[tuple[str, int, int], ...]:
    """Return what each wager won, less the vigorish due on a win; its stake is not counted."""
    won = (event for event in events if isinstance(event, WagerWon))
    return tuple((event.wager.kind, event.wager.number, event.winnings - event.vigorish) for event in won)


def _stakes(events: tuple[Event, ...]) -> tuple[tuple[str, int, int], ...]:
    """Return what each wager lost."""
    lost = (event for event in events if isinstance(event, WagerLost))
    return tuple((event.wager.kind, event.wager.number, event.cents) for event in lost)


NO_EFFECTS = roll_effects(())
"""The effects of a roll that decided nothing of the player's, for a strategy that does not hear what was rolled."""
