"""Wagers on a number against a 7: place to win and to lose, buy, lay, put, big, and odds."""

from __future__ import annotations

from passline.dice import SEVEN, Roll
from passline.game.wagers.outcome import STAY, Outcome, give_back, lose, win
from passline.rules.rules import WagerRule
from passline.rules.schema import Number, OddsWager, clause_text

__all__ = ["number_outcome"]


def number_outcome(rule: WagerRule, number: int, roll: Roll, *, works: bool) -> Outcome:
    """Return the outcome of a number wager; odds that are off go back on a deciding roll, other wagers stay."""
    entry = rule.entry
    assert isinstance(entry, (Number, OddsWager))
    if roll.total not in {number, SEVEN}:
        return STAY
    if not works:
        if isinstance(entry, OddsWager):  # also if called off, where the house accepts off calls
            return give_back(clause_text((entry.come_out or entry.make).cite, number))
        return STAY
    came = "seven" if roll.total == SEVEN else "number"
    if entry.win.on == came:
        return win(rule.payouts[number], clause_text(entry.win.cite, number))
    return lose(clause_text(entry.lose.cite, number))
