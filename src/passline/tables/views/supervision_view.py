"""What the crew sees of a table's supervision: the set of dice in play, and irregularities that are not dealt with."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.supervision.dice_sets import dice_set_ends, unfit_dice

__all__ = ["past_posted_view", "supervision_view"]


def supervision_view(live: LiveTable) -> dict[str, Any]:
    """Return the set in play, until when it may be thrown and why not any more, and the open irregularities.

    `dice` is None where no set is on record: electronic dice, a regulation without sets, or an old opening. `needed`
    says why a set must be put in all the same before the next throw.
    """
    standing = live.supervision
    dice, condemned = standing.dice, standing.condemned
    ends = dice_set_ends(live, rules_of(live))
    shown = None
    if dice is not None and ends:
        shown = {"number": dice.number, "since": dice.at, "ends": ends, "condemned": None}
        if condemned is not None:
            shown["condemned"] = {"reason": condemned.reason, "text": condemned.text, "clause": condemned.clause}
    refused = unfit_dice(live, rules_of(live), "") if dice is None else []
    needed = to_builtins(refused[0]) if refused else None
    return {
        "dice": shown,
        "needed": needed,
        "irregularities": [to_builtins(one) for one in standing.irregularities],
        "past_posted": past_posted_view(live),
    }


def past_posted_view(live: LiveTable) -> list[dict[str, Any]]:
    """Return the wagers that came after dice out: of the roll in the air, or of the one that was settled last."""
    rolls = (live.track.roll, live.track.roll + 1)
    return [to_builtins(one) for one in live.supervision.past_posted if one.roll in rolls]
