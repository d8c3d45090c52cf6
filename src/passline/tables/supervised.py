"""The set of dice in play and the irregularities not yet dealt with, folded from events."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.tables import events as t


class Irregularity(Struct, frozen=True):
    """A reported irregularity, and what was directed; empty: nothing yet."""

    number: int
    text: str
    action: str = ""


class Supervision(Struct, frozen=True):
    """What is supervised at a table."""

    dice: t.DiceSetPutIn | None = None  # the set in play
    condemned: t.DiceCondemned | None = None
    reported: int = 0  # how many irregularities so far
    irregularities: tuple[Irregularity, ...] = ()  # those not dealt with
    past_posted: tuple[t.WagerPastPosted, ...] = ()  # for the newest roll that had any


SUPERVISED = frozenset(
    {*(t.DiceSetPutIn, t.DiceCondemned, t.IrregularityReported, t.ActionDirected, t.ActionObserved), t.WagerPastPosted}
)
"""The events that change what is supervised."""


def supervision_after(before: Supervision, event: t.TableEvent) -> Supervision:
    """Return what is supervised after an event.

    >>> supervision_after(Supervision(), t.IrregularityReported(1, "paid twice", "CO-2319")).irregularities[0].text
    'paid twice'
    """
    match event:
        case t.DiceSetPutIn():
            return replace(before, dice=event, condemned=None)
        case t.DiceCondemned():
            return replace(before, condemned=event)
        case t.IrregularityReported():
            open_ = (*before.irregularities, Irregularity(event.number, event.text))
            return replace(before, reported=event.number, irregularities=open_)
        case t.ActionDirected():
            open_ = tuple(
                replace(irregularity, action=event.action) if irregularity.number == event.number else irregularity
                for irregularity in before.irregularities
            )
            return replace(before, irregularities=open_)
        case t.ActionObserved():
            open_ = tuple(irregularity for irregularity in before.irregularities if irregularity.number != event.number)
            return replace(before, irregularities=open_)
        case t.WagerPastPosted():
            same_roll = tuple(late for late in before.past_posted if late.roll == event.roll)
            return replace(before, past_posted=(*same_roll, event))
        case _:
            return before
