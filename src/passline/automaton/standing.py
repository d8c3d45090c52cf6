"""A wager that stands on a layout: every roll settled by the real engine, as the states it can come to.

A wager is settled on its own: what else lies on the layout makes no difference to it.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import Roll, roll_of
from passline.game import events as e
from passline.game.position import Position, Wager
from passline.game.settlement import settlement
from passline.rules.rules import Rules

__all__ = ["PAIRS", "WEIGHTS", "StandingWager", "rolls_of_standing", "standing_of_wager", "standings_on"]

PAIRS: tuple[Roll, ...] = tuple(roll_of(first, second) for first in range(1, 7) for second in range(first, 7))
"""The 21 pairs of dice, without their order."""
WEIGHTS: tuple[int, ...] = tuple(1 if pair.first == pair.second else 2 for pair in PAIRS)
"""In how many of 36 ways each comes."""
_SEVEN = 7
_DECIDED = (e.WagerWon, e.WagerLost, e.WagerReturned)


class StandingWager(Struct, frozen=True, gc=False, cache_hash=True):
    """A wager and the point that it stands at."""

    puck: int
    is_clearing: bool
    wager: Wager


def standing_of_wager(wager: Wager, puck: int = 0, *, is_clearing: bool = False) -> StandingWager:
    """Return the state of a wager: whose it is makes no difference."""
    return StandingWager(puck, is_clearing, replace(wager, seat=1, owner="player", late=False))


def standings_on(position: Position) -> list[StandingWager]:
    """Return the states of all wagers on a layout but those that are not confirmed."""
    return [
        standing_of_wager(wager, position.puck, is_clearing=position.is_clearing)
        for wager in position.layout
        if not wager.pending
    ]


def rolls_of_standing(rules: Rules, state: StandingWager) -> list[tuple[int, StandingWager | None]]:
    """Return what each pair of dice pays a wager, less what it takes, and where it leaves it; None: decided.

    >>> up = standing_of_wager(Wager(1, "player", "field", 0, 5_00))
    >>> [gain for gain, _after in rolls_of_standing(Rules.of("maryland"), up)][:4]
    [1000, 500, 500, -500]
    """
    return [_rolled(rules, state, pair) for pair in PAIRS]


def _rolled(rules: Rules, state: StandingWager, pair: Roll) -> tuple[int, StandingWager | None]:
    position = Position(puck=state.puck, is_clearing=state.is_clearing, layout=(state.wager,))
    gain, left = 0, state.wager
    is_up = True
    for event in settlement(rules, position, pair):
        after = getattr(event, "after", None)
        if isinstance(event, _DECIDED):
            gain += _gain(event)
            is_up = after is not None
        left = after or left
    if not is_up:
        return gain, None
    puck, is_clearing = _next(rules, state, pair)
    return gain, StandingWager(puck, is_clearing, left)


def _next(rules: Rules, state: StandingWager, pair: Roll) -> tuple[int, bool]:
    """Return the point after a roll; a clearing goes on until its wagers are decided."""
    total = pair.total
    if state.is_clearing:
        return 0, total != _SEVEN
    if not state.puck:
        return (total, False) if total in rules.points else (0, False)
    return (0, False) if total in {state.puck, _SEVEN} else (state.puck, False)


def _gain(event: e.WagerWon | e.WagerLost | e.WagerReturned) -> int:
    """Return what a decision adds to the player's chips and wagers together."""
    if isinstance(event, e.WagerWon):
        return event.winnings - event.vigorish
    if isinstance(event, e.WagerLost):
        return -event.cents
    return event.wager.vigorish
