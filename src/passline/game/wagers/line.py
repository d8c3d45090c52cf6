"""Pass and come, and their don't side: decided at once, or by a point against a 7."""

from __future__ import annotations

from passline.dice import SEVEN, Roll
from passline.game.wagers.outcome import STAY, Outcome, give_back, lose, move, win
from passline.rules.rules import WagerRule
from passline.rules.schema import Line, clause_text

__all__ = ["line_outcome"]


def line_outcome(rule: WagerRule, point: int, roll: Roll) -> Outcome:
    """Return the outcome of a line wager; `point` is its number or the puck's point, or 0 on its first roll."""
    entry = rule.entry
    assert isinstance(entry, Line)
    total = roll.total
    if not point:
        does, clause = rule.first.get(total, ("move", ""))
        if does == "move":
            return move(clause_text(entry.moves.cite)) if entry.moves else STAY
        if does == "win":
            return win(rule.payouts[0], clause)
        return lose(clause) if does == "lose" else give_back(clause)
    if total not in {point, SEVEN}:
        return STAY
    came = "seven" if total == SEVEN else "number"
    if entry.win.on == came:
        return win(rule.payouts[0], clause_text(entry.win.cite))
    return lose(clause_text(entry.lose.cite))
