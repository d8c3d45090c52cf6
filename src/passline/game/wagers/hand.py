"""Wagers that count over a shooter's hand, settled at the loser 7 or when the count is full."""

from __future__ import annotations

from passline.dice import SEVEN, Roll
from passline.game.wagers.outcome import STAY, Outcome, advance, give_back, lose, win
from passline.rules.rules import WagerRule
from passline.rules.schema import Hand, clause_text

__all__ = ["count_after", "count_of", "hand_outcome", "is_full", "paid_by_line"]


def count_of(rule: WagerRule, progress: tuple[int, ...]) -> int:
    """Return the count a hand wager has reached; distinct points are kept as bits, other counts as a number."""
    entry = rule.entry
    assert isinstance(entry, Hand)
    value = progress[1] if progress else 0
    return value.bit_count() if entry.counts == "distinct_points" else value


def count_after(entry: Hand, value: int, total: int) -> int:
    """Return what a hand wager has counted after this total, no higher than its top if it has one."""
    if entry.counts == "distinct_points":
        return value | 1 << total
    return min(value + 1, entry.top.count) if entry.top else value + 1


def is_full(rule: WagerRule, progress: tuple[int, ...]) -> bool:
    """Return whether a hand wager has reached the count that ends it."""
    entry = rule.entry
    return isinstance(entry, Hand) and entry.full is not None and count_of(rule, progress) >= entry.full.count


def hand_outcome(rule: WagerRule, progress: tuple[int, ...], roll: Roll, *, puck: int, sets_point: bool) -> Outcome:
    """Return the outcome of a hand wager; its progress is (whether an initial point was set, what was counted)."""
    entry = rule.entry
    assert isinstance(entry, Hand)
    total = roll.total
    has_point, value = progress or (0, 0)
    counts = total == puck if entry.counts != "totals" else total in entry.counted.totals
    if counts:
        value = count_after(entry, value, total)
    after = (int(has_point or sets_point), value)
    count = count_of(rule, after)
    is_over = counts and is_full(rule, after)
    if is_over or (puck and total == SEVEN):
        by = entry.full if is_over and entry.full else entry.settles
        top = f", {clause_text(entry.top.cite)}" if entry.top and count == entry.top.count else ""
        return paid_by_line(rule, count, f"{clause_text(by.cite)}{top}")
    if after == progress:
        return STAY
    if not counts:
        return advance(after, clause_text(entry.make.cite))
    return advance(after, f"{clause_text(entry.counted.cite)}, {clause_text(entry.marked.cite, count)}")


def paid_by_line(rule: WagerRule, count: int, clause: str) -> Outcome:
    """Return the outcome that a side wager's pay table lists for a count."""
    line = rule.lines[count]
    if line.payout is not None:
        return win(line.payout, clause)
    clause = f"{clause}, {line.clause}"
    return lose(clause) if line.result == "lose" else give_back(clause)
