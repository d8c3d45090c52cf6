"""Wagers on points thrown one after another from an initial point, under the reading the house elected."""

from __future__ import annotations

from passline.dice import SEVEN, Roll
from passline.game.wagers.hand import paid_by_line
from passline.game.wagers.outcome import STAY, Outcome, advance, give_back, lose, pay
from passline.money import Pays
from passline.rules.rules import Payout, WagerRule
from passline.rules.schema import Run, clause_text

__all__ = ["run_outcome"]


def run_outcome(
    rule: WagerRule,
    progress: tuple[int, ...],
    roll: Roll,
    *,
    puck: int,
    points: frozenset[int],
    is_clearing: bool,
) -> Outcome:
    """Return the outcome of a run; its progress is (initial point or 0, points hit as bits), or empty at first.

    A throw that clears come wagers is not a come-out roll, so before the initial point it does nothing.
    """
    initial, hits = progress or (0, 0)
    if not initial:
        return STAY if is_clearing else _come_out(rule, progress, roll, points)
    assert rule.reading is not None
    if rule.reading.counts == "made":
        return _after_point(rule, (initial, hits), roll, puck)
    return _after_throw(rule, (initial, hits), roll.total, points)


def _come_out(rule: WagerRule, progress: tuple[int, ...], roll: Roll, points: frozenset[int]) -> Outcome:
    """Return the outcome of a roll before the initial point."""
    entry, reading, total = rule.entry, rule.reading, roll.total
    assert isinstance(entry, Run)
    assert reading is not None
    if total in entry.come_out_lose.totals:
        if reading.counts == "thrown":
            return lose(clause_text(entry.come_out_lose.cite))
        return STAY if progress else advance((0, 0), clause_text(reading.cite))  # only a loser 7 ends it
    if total in points:
        hits = 1 << total if reading.initial_counts else 0
        return advance((total, hits), clause_text(entry.initial.cite))
    line = rule.lines[-1]
    assert line.payout is not None
    clause = f"{clause_text(entry.come_out_stay.cite)}, {line.clause}"
    if reading.come_out == "return":
        return give_back(clause)
    if reading.come_out == "pay" or (reading.come_out == "pay_first" and not progress):
        pays = line.payout.pays  # in this reading the stake is paid back as well
        return pay(Payout(Pays(pays.pays, to=pays.to), clause), (0, 0), clause)
    return STAY if progress else advance((0, 0), clause)


def _after_throw(rule: WagerRule, progress: tuple[int, int], total: int, points: frozenset[int]) -> Outcome:
    """Return the outcome of a roll after the initial point, where other points count when thrown."""
    entry, reading = rule.entry, rule.reading
    assert isinstance(entry, Run)
    assert reading is not None
    initial, hits = progress
    count = hits.bit_count()
    is_last = count == entry.top.count - 1
    if is_last and total == initial:
        return paid_by_line(rule, entry.top.count, clause_text(entry.top.cite))
    if total in reading.neutral:
        return STAY
    is_other = total in points and total != initial
    if is_other and not is_last and not hits & 1 << total:
        return advance((initial, hits | 1 << total), clause_text(entry.hit.cite))
    if is_other and hits & 1 << total and reading.repeats == "neutral":
        return STAY
    ends = entry.ends
    if is_last:
        by = ends.full
    elif total == initial:
        by = ends.initial
    elif total == SEVEN:
        by = ends.seven
    else:
        by = ends.repeat if total in points else ends.other
    return paid_by_line(rule, count, f"{clause_text(ends.cite)}, {clause_text(by.cite)}")


def _after_point(rule: WagerRule, progress: tuple[int, int], roll: Roll, puck: int) -> Outcome:
    """Return the outcome of a roll after the initial point, where distinct points count when made."""
    entry, total = rule.entry, roll.total
    assert isinstance(entry, Run)
    initial, hits = progress
    if puck and total == puck:
        after = hits | 1 << total
        return STAY if after == hits else advance((initial, after), clause_text(entry.hit.cite))
    if puck and total == SEVEN:
        return paid_by_line(rule, hits.bit_count(), clause_text(entry.ends.seven.cite))
    return STAY
