"""What the crew sees of a table's supervision: the set of dice in play, and irregularities that are not dealt with."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.supervision.dice_sets import dice_set_ends

__all__ = ["supervision_view"]


def supervision_view(live: LiveTable) -> dict[str, Any]:
    """Return the set in play, until when it may be thrown and why not any more, and the open irregularities.

    `dice` is None where no set is on record: electronic dice, a regulation without sets, or an old opening.
    """
    standing = live.supervision
    dice, condemned = standing.dice, standing.condemned
    ends = dice_set_ends(live, rules_of(live))
    shown = None
    if dice is not None and ends:
        shown = {"number": dice.number, "since": dice.at, "ends": ends, "condemned": None}
        if condemned is not None:
            shown["condemned"] = {"reason": condemned.reason, "text": condemned.text, "clause": condemned.clause}
    return {"dice": shown, "irregularities": [to_builtins(one) for one in standing.irregularities]}
