"""What the server notes by itself of dice and counts, each once: the mark that says so, and what it is known by."""

from __future__ import annotations

from passline.acts import events as e

DICE_NOTED = "note_dice"
"""The mark of a set of dice whose alarm has opened an incident; the set is known as dice/TABLE/NUMBER."""
DICE_UNACCOUNTED = "note_unaccounted_dice"
"""The mark of a set of dice that was thrown after the papers had taken it away, once that has opened an incident."""
SKIM_NOTED = "note_skim"
"""The mark of an alarm about notes or chips of a table or crew that has opened an incident."""
THEFT_ALARM = "theft_alarm"
"""The value of the office that says in how many quarters honest tables and crews may alarm once."""


def noted_by(event: e.DiceAlarmed | e.DiceUnaccounted | e.SkimAlarmed) -> tuple[str, str]:
    """Return the mark that an event leaves, and the thing that it leaves it on."""
    if isinstance(event, e.SkimAlarmed):
        place = {"day": event.day, "shift": event.shift}
        return SKIM_NOTED, skim_key(look=event.look, kind=event.kind, subject=event.subject, **place)
    act = DICE_NOTED if isinstance(event, e.DiceAlarmed) else DICE_UNACCOUNTED
    return act, f"dice/{event.table}/{event.number}"


def skim_key(*, look: str, kind: str, subject: str, day: str, shift: str) -> str:
    """Return what an alarm about notes or chips is known by."""
    return f"skim/{look}/{kind}/{subject}/{day} {shift}"
