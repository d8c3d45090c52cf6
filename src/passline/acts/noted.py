"""Names for what the server records by itself about dice, counts, results and comps."""

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
    """Return the id of the comps of a patron's gaming day."""
    return f"{day}.{patron}"


def dice_key(table: str, number: int) -> str:
    """Return the key of a set of dice, from its table and its number there."""
    return f"dice/{table}/{number}"


def skim_key(*, look: str, kind: str, subject: str, day: str, shift: str) -> str:
    """Return the key of an alarm about missing notes or chips."""
    return f"skim/{look}/{kind}/{subject}/{day} {shift}"


def result_key(*, scope: str, subject: str, month: str) -> str:
    """Return the key of a month's result that luck alone does not explain."""
    return f"{RESULT_KEYS}{scope}/{subject}/{month}"
