"""Hardways: a number thrown as a pair before it is thrown easy and before a 7."""

from __future__ import annotations

from passline.dice import SEVEN, Roll
from passline.game.wagers.outcome import STAY, Outcome, lose, win
from passline.rules.rules import WagerRule
from passline.rules.schema import Hardway, clause_text

__all__ = ["hardway_outcome"]


def hardway_outcome(rule: WagerRule, number: int, roll: Roll, *, works: bool) -> Outcome:
    """Return the outcome of a hardway wager; one that is off stays."""
    entry = rule.entry
    assert isinstance(entry, Hardway)
    if not works or roll.total not in {number, SEVEN}:
        return STAY
    if roll.total == number and roll.is_hard:
        return win(rule.payouts[number], clause_text(entry.win.cite, number))
    return lose(clause_text(entry.lose.cite, number))
