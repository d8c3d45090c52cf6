"""Wagers that the next roll decides, by its total or by a chosen pair of dice."""

from __future__ import annotations

from passline.dice import Roll, number_text
from passline.game.wagers.outcome import Outcome, lose, win
from passline.rules.rules import WagerRule
from passline.rules.schema import OneRoll, clause_text

__all__ = ["one_roll_outcome"]


def one_roll_outcome(rule: WagerRule, number: int, roll: Roll) -> Outcome:
    """Return the outcome of a one-roll wager: it wins or loses."""
    entry = rule.entry
    assert isinstance(entry, OneRoll)
    wins = roll.pair == number_text(number) if entry.numbers else roll.total in entry.win.totals
    if wins:
        return win(rule.payout(number, roll), clause_text(entry.win.cite, number))
    return lose(clause_text(entry.lose.cite, number))
