"""What the server notes by itself of dice, counts and comps: the marks that say so, and names of what it credits."""

from __future__ import annotations

DICE_NOTED = "note_dice"
"""The mark of a set of dice whose alarm has opened an incident; the set is known as dice/TABLE/NUMBER."""
DICE_UNACCOUNTED = "note_unaccounted_dice"
"""The mark of a set of dice that was thrown after the papers had taken it away, once that has opened an incident."""
SKIM_NOTED = "note_skim"
"""The mark of an alarm about notes or chips of a table or crew that has opened an incident."""
THEFT_ALARM = "theft_alarm"
"""The value of the office that says in how many quarters honest tables and crews may alarm once."""
RESULT_NOTED = "note_result"
"""The mark of a month's result beyond what luck leaves that has opened an incident."""
RESULT_ALARM = "result_alarm"
"""The value of the office that says in how many months luck alone may open an incident about a result."""
RESULT_KEYS = "result/"
"""What the names of months' results that luck alone does not leave begin with."""


COMP_SHARE = "comp_share"
"""The value of the office that says how many percent of theoretical win are given back in comps."""
COMP_DAY = "comp_day"
"""The kind of thing that the comps of a patron's gaming day are."""
COMP_STOCK, COMPS_EARNED = "comp", "earned"
"""The stock of comps, and the place outside that they come from."""


def comp_day(patron: str, day: str) -> str:
    """Return what the comps of a patron's gaming day are known by."""
    return f"{day}.{patron}"


def dice_key(table: str, number: int) -> str:
    """Return what a set of dice is known by, by its table and its number there."""
    return f"dice/{table}/{number}"


def skim_key(*, look: str, kind: str, subject: str, day: str, shift: str) -> str:
    """Return what an alarm about notes or chips is known by."""
    return f"skim/{look}/{kind}/{subject}/{day} {shift}"


def result_key(*, scope: str, subject: str, month: str) -> str:
    """Return what a month's result beyond what luck leaves is known by."""
    return f"{RESULT_KEYS}{scope}/{subject}/{month}"
