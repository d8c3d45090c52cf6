"""What a table remembers of its rolls: how often each total came, what the last roll did, what sets lamps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passline.game import events as e
from passline.game.position import Position

_ROLLS_KEPT = 100
_TOTALS = 11


class Rolled(Struct, frozen=True, gc=False):
    """A settled roll, and the point it was thrown at."""

    roll: int
    first: int
    second: int
    point: int
    is_come_out: bool


Settled = e.WagerLost | e.WagerWon | e.MeterPaid | e.WagerReturned | e.WagerMoved
"""What a roll does to a wager."""
Marking = e.RollSettled | e.PuckMoved | e.ClearingBegan | e.ClearingEnded | e.DiceSurrendered | e.DiceAccepted


class Track(Struct, frozen=True):
    """What a table remembers of its rolls besides the position."""

    hand: int = 0  # counts up when somebody accepts the dice
    roll: int = 0
    rolls: tuple[Rolled, ...] = ()  # the most recent
    totals: tuple[int, ...] = (0,) * _TOTALS  # how often each of 2 to 12 was rolled
    settled: tuple[Settled, ...] = ()  # what the last roll did: first taken, then paid, then from meters
    marked: tuple[Marking, ...] = ()  # since the last loser 7: what sets lamps and lammers


SETTLED = frozenset({e.WagerLost, e.WagerWon, e.WagerReturned, e.WagerMoved})
"""The kinds of events that decide a wager: most of a roll's."""
_MARKING = frozenset({e.RollSettled, e.PuckMoved, e.ClearingBegan, e.ClearingEnded, e.DiceSurrendered, e.DiceAccepted})
_RETOLD = frozenset({e.DiceThrown, e.SeatLeft, e.SeatTaken, e.MeterPaid})  # they change what the last roll did
TRACKED = SETTLED | _MARKING | _RETOLD
"""The kinds of events that change a track."""


def track_after(track: Track, position: Position, happened: Sequence[e.Event]) -> Track:
    """Return the track after events that began in a position."""
    hand, roll, rolls, totals, settled, marked = (getattr(track, name) for name in track.__struct_fields__)
    puck, is_clearing, outcomes = position.puck, position.is_clearing, []
    for event in happened:
        kind = type(event)
        if kind in SETTLED:
            outcomes.append(event)
        elif kind in _RETOLD:
            settled, outcomes = _still_told(settled, event), [] if kind is e.DiceThrown else outcomes
        elif kind in _MARKING:
            marked = (*marked, event)
            match event:
                case e.RollSettled():
                    roll += 1
                    rolled = Rolled(roll, event.first, event.second, puck, is_come_out=not (puck or is_clearing))
                    rolls, settled = (*rolls[-_ROLLS_KEPT + 1 :], rolled), tuple(outcomes)
                    place = event.first + event.second - 2
                    totals = (*totals[:place], totals[place] + 1, *totals[place + 1 :])
                case e.PuckMoved():
                    puck = event.point
                case e.ClearingBegan() | e.ClearingEnded():
                    is_clearing = type(event) is e.ClearingBegan
                case e.DiceAccepted():
                    hand += 1
                case e.DiceSurrendered(reason="loser_7"):
                    marked = ()  # every marker starts over
                case _:
                    pass
    return Track(hand, roll, rolls, totals, settled, marked)


def _still_told(settled: tuple[Settled, ...], event: e.Event) -> tuple[Settled, ...]:
    """Return the results still shown: none after a throw, and none of a seat that was left or taken.

    A meter pays after the roll is settled, which adds to them.
    """
    if isinstance(event, e.MeterPaid):
        return (*settled, event)
    seat = event.seat if isinstance(event, (e.SeatLeft, e.SeatTaken)) else 0
    return tuple(outcome for outcome in settled if seat and outcome.wager.seat != seat)
