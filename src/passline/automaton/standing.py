"""A wager that stands on a layout: the states it can reach, with every roll settled by the real engine.

A wager is settled on its own: what else lies on the layout makes no difference to it, but that come wagers which are
cleared say how long the clearing goes on. Which states follow each other has nothing to do with how much is wagered.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import Roll, roll_of
from passline.game import events as e
from passline.game.position import Position, Wager
from passline.game.settlement import settlement
from passline.game.wagers import heed_of
from passline.money import Pays
from passline.rules.rules import Rules

PAIRS: tuple[Roll, ...] = tuple(roll_of(first, second) for first in range(1, 7) for second in range(first, 7))
"""The 21 pairs of dice, without their order."""
WEIGHTS: tuple[int, ...] = tuple(1 if pair.first == pair.second else 2 for pair in PAIRS)
"""In how many of 36 ways each comes."""
_SEVEN = 7
_DECIDED = (e.WagerWon, e.WagerLost, e.WagerReturned)


class Stake(Struct, frozen=True, gc=False, cache_hash=True):
    """How much is wagered: chips, the coupon beside them, and the vigorish that was charged."""

    cents: int
    coupon: int
    vigorish: int


class StandingWager(Struct, frozen=True, gc=False, cache_hash=True):
    """A wager, the point that it stands at, and the numbers that are cleared (as bits; 0: no clearing)."""

    puck: int
    clearing: int
    wager: Wager

    @property
    def stake(self) -> Stake:
        """How much is wagered."""
        return Stake(self.wager.cents, self.wager.coupon, self.wager.vigorish)


class RolledStanding(Struct, frozen=True, gc=False):
    """What one pair of dice does to a standing wager.

    `decision` names how it is decided or paid, which with the stake gives the gain; empty if it is neither. `share` is
    what it then gets of the meter of a progressive besides, in basis points.
    """

    gain: int  # what it pays less what it takes
    after: StandingWager | None  # where it leaves the wager; None: it is decided
    decision: tuple[tuple[str, str, int, str, Pays | None, int], ...] = ()
    share: int = 0


def standing_of_wager(wager: Wager, puck: int = 0, *, clearing: int = 0) -> StandingWager:
    """Return the state of a wager, which does not depend on its owner."""
    return StandingWager(puck, clearing, replace(wager, seat=1, owner="player", late=False))


def standing_of_kind(kind: str, number: int = 0, *, cents: int, puck: int = 0) -> StandingWager:
    """Return the state of a wager of a kind, made by whoever."""
    return standing_of_wager(Wager(1, "player", kind, number, cents), puck)


def numbers_cleared(rules: Rules, position: Position) -> int:
    """Return the numbers of the come wagers that are cleared, as bits: the clearing ends when all are decided."""
    if not position.is_clearing:
        return 0
    kinds = rules.procedures.clearing.wagers
    return reduce(or_, (1 << wager.number for wager in position.layout if wager.kind in kinds), 0)


def standings_on(rules: Rules, position: Position) -> list[StandingWager]:
    """Return the states of all confirmed wagers on a layout."""
    clearing = numbers_cleared(rules, position)
    return [
        standing_of_wager(wager, position.puck, clearing=clearing) for wager in position.layout if not wager.pending
    ]


def course_of_standing(rules: Rules, state: StandingWager) -> StandingWager:
    """Return a state without its stake, and without the point where its wager does not depend on it.

    Of several side wagers of one kind it also leaves out which one it is.

    >>> up = standing_of_wager(Wager(1, "player", "field", 0, 5_00), 6)
    >>> course = course_of_standing(Rules.of("maryland"), up)
    >>> course.puck, course.stake
    (0, Stake(cents=0, coupon=0, vigorish=0))
    """
    wager, rule = state.wager, rules.wagers[state.wager.kind]
    number = 0 if rule.lines else wager.number
    bare = Wager(1, "player", wager.kind, number, 0, working=wager.working, progress=wager.progress)
    is_alike = heed_of(rule, wager.number) == "nothing"
    return StandingWager(0, 0, bare) if is_alike else StandingWager(state.puck, state.clearing, bare)


def with_stake(state: StandingWager, stake: Stake) -> StandingWager:
    """Return a state with another stake."""
    return replace(state, wager=replace(state.wager, cents=stake.cents, coupon=stake.coupon, vigorish=stake.vigorish))


def rolls_of_standing(rules: Rules, state: StandingWager) -> list[RolledStanding]:
    """Return what each pair of dice does to a wager.

    >>> up = standing_of_wager(Wager(1, "player", "field", 0, 5_00))
    >>> [roll.gain for roll in rolls_of_standing(Rules.of("maryland"), up)][:4]
    [1000, 500, 500, -500]
    """
    return [_roll(rules, state, pair) for pair in PAIRS]


def gain_of_standing(rules: Rules, state: StandingWager, place: int) -> int:
    """Return what the pair at a place of PAIRS pays a wager, less what it takes."""
    return _roll(rules, state, PAIRS[place]).gain


def _roll(rules: Rules, state: StandingWager, pair: Roll) -> RolledStanding:
    position = Position(puck=state.puck, is_clearing=bool(state.clearing), layout=(state.wager,))
    gain, left = 0, state.wager
    is_up, decision, share = True, [], 0
    for event in (happened := settlement(rules, position, pair)):
        after = getattr(event, "after", None)
        if isinstance(event, _DECIDED):
            gain += gain_of_settlement(event)
            is_up = after is not None
            part, pays, share = getattr(event, "part", ""), getattr(event, "pays", None), getattr(event, "share", 0)
            decision.append((type(event).__name__, event.wager.kind, event.wager.number, part, pays, share))
        left = after or left
    if not is_up:
        return RolledStanding(gain, None, tuple(decision), share)
    puck, clearing = _point_after(rules, state, pair)
    if puck and not state.puck and not happened and left.working:
        left = replace(left, working="")  # a call ends when a point is set
    return RolledStanding(gain, StandingWager(puck, clearing, left), tuple(decision))


def _point_after(rules: Rules, state: StandingWager, pair: Roll) -> tuple[int, int]:
    """Return the point after a roll, and the numbers still cleared."""
    total = pair.total
    if state.clearing:
        return 0, 0 if total == _SEVEN else state.clearing & ~(1 << total)
    if not state.puck:
        return (total, 0) if total in rules.points else (0, 0)
    return (0, 0) if total in {state.puck, _SEVEN} else (state.puck, 0)


def gain_of_settlement(event: e.WagerWon | e.WagerLost | e.WagerReturned) -> int:
    """Return what a settlement adds to the player's chips and wagers together; vigorish counts when it is charged."""
    if isinstance(event, e.WagerWon):
        return event.winnings - event.vigorish
    if isinstance(event, e.WagerLost):
        return -event.cents
    return event.wager.vigorish
