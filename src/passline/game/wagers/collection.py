"""Wagers that a set of totals is thrown, each at least once, before a 7."""

from __future__ import annotations

from passline.dice import Roll
from passline.game.wagers.outcome import STAY, Outcome, advance, lose, win
from passline.rules.rules import WagerRule
from passline.rules.schema import Collection, clause_text

__all__ = ["collection_outcome"]


def collection_outcome(rule: WagerRule, progress: tuple[int, ...], roll: Roll) -> Outcome:
    """Return the outcome of a collection; its progress is the totals thrown since it was made, as bits."""
    entry = rule.entry
    assert isinstance(entry, Collection)
    total = roll.total
    if total in entry.lose.totals:
        return lose(clause_text(entry.lose.cite))
    thrown = progress[0] if progress else 0
    if total in entry.needs.totals:
        thrown |= 1 << total
    if thrown.bit_count() == len(entry.needs.totals):
        payout = rule.lines[0].payout
        assert payout is not None
        return win(payout, f"{clause_text(entry.needs.cite)}, {clause_text(entry.win.cite)}")
    return STAY if (thrown,) == progress else advance((thrown,), clause_text(entry.marked.cite))
