"""What is supervised at a table: the dice and irregularities for its crew, and open matters for whoever watches it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, to_builtins

from passline.money import amount_text, in_currency
from passline.rules.schema import clause_text
from passline.tables.dice.physical import dice_set_ends, unfit_dice
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of


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
        "irregularities": [to_builtins(irregularity) for irregularity in standing.irregularities],
        "past_posted": past_posted_view(live),
    }


def past_posted_view(live: LiveTable) -> list[dict[str, Any]]:
    """Return the wagers that came after dice out: of the roll in the air, or of the one that was settled last."""
    rolls = (live.track.roll, live.track.roll + 1)
    return [to_builtins(late) for late in live.supervision.past_posted if late.roll in rolls]


class Matter(Struct, frozen=True):
    """One open matter of a table."""

    table: str
    name: str  # of the table
    kind: str  # dispute, faces, irregularity, dice, debt or past_posted
    text: str
    clause: str


def open_matters(live: LiveTable) -> list[Matter]:
    """Return the open matters of a table, the most urgent first; none of one that is closed."""
    if live.status == "closed":
        return []
    rules, standing = rules_of(live), live.supervision
    dispute = clause_text(rules.procedures.dispute.cite)
    law = rules.rulebook.general.live.irregularities
    found: list[tuple[str, str, str]] = []
    if live.frozen:
        where = f"seat {live.frozen.seat}: " if live.frozen.seat else ""
        found.append(("dispute", f"frozen, {where}{live.frozen.reason}", dispute))
    if live.game.position.is_disputed:
        found.append(("faces", "the faces of the dice are disputed", dispute))
    for irregularity in standing.irregularities:
        state = f"directed: {irregularity.action}" if irregularity.action else "nothing is directed yet"
        clause = clause_text((law.observe if irregularity.action else law.direct).cite) if law else ""
        found.append(("irregularity", f"{irregularity.number}: {irregularity.text} ({state})", clause))
    if dice := standing.condemned:
        found.append(("dice", f"the dice are {dice.reason}" + f": {dice.text}" * bool(dice.text), dice.clause))
    if live.owes:
        found.append(("debt", f"the bank owes {amount_text(live.owes)} and needs a fill", "practice"))
    for mark in past_posted_view(live):
        name = rules.wagers[mark["wager"]].display_name(mark["number"])
        text = f"seat {mark['seat']}'s {name}, {amount_text(mark['cents'])}, came after dice out (roll {mark['roll']})"
        found.append(("past_posted", text, mark["clause"]))
    return [Matter(live.id, live.name, *in_currency(matter, rules.rulebook.general.currency)) for matter in found]
