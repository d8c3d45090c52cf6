"""What is open at a table and somebody should look at: for surveillance, the regulator and the owner."""

from __future__ import annotations

from msgspec import Struct

from passline.money import dollars
from passline.rules.schema import clause_text
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.supervision_view import past_posted_view

__all__ = ["Matter", "open_matters"]


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
    for one in standing.irregularities:
        state = f"directed: {one.action}" if one.action else "nothing is directed yet"
        clause = clause_text((law.observe if one.action else law.direct).cite) if law else ""
        found.append(("irregularity", f"{one.number}: {one.text} ({state})", clause))
    if dice := standing.condemned:
        found.append(("dice", f"the dice are {dice.reason}" + f": {dice.text}" * bool(dice.text), dice.clause))
    if live.owes:
        found.append(("debt", f"the bank owes ${dollars(live.owes)} and needs a fill", "practice"))
    for mark in past_posted_view(live):
        name = rules.wagers[mark["wager"]].display_name(mark["number"])
        text = f"seat {mark['seat']}'s {name}, ${dollars(mark['cents'])}, came after dice out (roll {mark['roll']})"
        found.append(("past_posted", text, mark["clause"]))
    return [Matter(live.id, live.name, *one) for one in found]
