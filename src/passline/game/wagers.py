"""The families of wagers: what a roll does to a wager of each, from the wager, the roll and the puck."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passline.dice import SEVEN, Roll, number_text
from passline.game.position import Wager
from passline.money import Pays
from passline.rules.rules import Payout, Rules, WagerRule
from passline.rules.schema import (
    Collection,
    Hand,
    Hardway,
    Heeds,
    Line,
    Machine,
    Number,
    OddsWager,
    OneRoll,
    Run,
    clause_text,
    join_clauses,
)


class Outcome(Struct, frozen=True, gc=False):
    """What a roll does to a wager, and by which clauses.

    `pay` pays a wager that stays up; `pay` and `advance` carry its new progress.
    """

    does: Literal["stay", "move", "advance", "pay", "win", "lose", "return"]
    clause: str = ""
    payout: Payout | None = None
    progress: tuple[int, ...] = ()


_STAY = Outcome("stay")


def _win(payout: Payout, clause: str) -> Outcome:
    """Return a win, citing the clause that makes it win and then the one that pays it."""
    return Outcome("win", join_clauses(clause, payout.clause), payout)


def _advance(progress: tuple[int, ...], clause: str) -> Outcome:
    """Return a step in a side wager's progress."""
    return Outcome("advance", clause, progress=progress)


def is_working(rule: WagerRule, wager: Wager, *, is_come_out: bool) -> bool:
    """Return whether a wager works on this roll: as called and marked, or else by the rules for a come-out roll.

    A call is about the come-out roll; with the puck ON a wager is off only where the house accepts off calls.
    """
    if is_come_out:
        return wager.working == "on" or (rule.works_on_come_out and wager.working != "off")
    return wager.working != "off" or not rule.off_calls


def outcome_of(rules: Rules, wager: Wager, *, puck: int, roll: Roll, is_clearing: bool = False) -> Outcome:
    """Return what a roll does to one wager; a composite wager is settled part by part (see `game.settlement`)."""
    rule = rules.wagers[wager.kind]
    if rule.family == "hand":
        sets_point = not puck and not is_clearing and roll.total in rules.points
        return _hand_outcome(rule, wager.progress, roll, puck=puck, sets_point=sets_point)
    if rule.family == "collection":
        return _collection_outcome(rule, wager.progress, roll)
    if rule.family == "run":
        return _run_outcome(rule, wager.progress, roll, puck=puck, points=rules.points, is_clearing=is_clearing)
    if rule.family == "machine":
        return _machine_outcome(rule, wager.progress, roll, puck=puck, is_clearing=is_clearing)
    if rule.family == "line":
        point = wager.number or (puck if rule.entry.make.when == "come_out" else 0)
        return _line_outcome(rule, point, roll)
    if rule.family == "one_roll":
        return _one_roll_outcome(rule, wager.number, roll)
    works = is_working(rule, wager, is_come_out=not puck)
    if rule.family == "hardway":
        return _hardway_outcome(rule, wager.number, roll, works=works)
    return _number_outcome(rule, wager.number, roll, works=works)


def heed_of(rule: WagerRule, number: int) -> Heeds:
    """Return what of the puck decides the outcome of a wager on a number: each family says so, or a machine's words.

    >>> wagers = Rules.of("maryland").wagers
    >>> heed_of(wagers["come"], 0), heed_of(wagers["come"], 6), heed_of(wagers["buy"], 6), heed_of(wagers["field"], 0)
    ('point', 'puck', 'puck', 'nothing')
    """
    if rule.machine is not None:
        return "point" if rule.machine.sees_points else "nothing"
    return "puck" if rule.family == "line" and number else rule.entry.heeds


def _line_outcome(rule: WagerRule, point: int, roll: Roll) -> Outcome:
    """Return the outcome of a line wager; `point` is its number or the puck's point, or 0 on its first roll."""
    entry = rule.entry
    assert isinstance(entry, Line)
    total = roll.total
    if not point:
        does, clause = rule.first.get(total, ("move", ""))
        if does == "move":
            return Outcome("move", clause_text(entry.moves.cite)) if entry.moves else _STAY
        if does == "win":
            return _win(rule.line_payout(total), clause)
        return Outcome("lose", clause) if does == "lose" else Outcome("return", clause)
    if total not in {point, SEVEN}:
        return _STAY
    came = "seven" if total == SEVEN else "number"
    if entry.win.on == came:
        return _win(rule.line_payout(total), clause_text(entry.win.cite))
    return Outcome("lose", clause_text(entry.lose.cite))


def _number_outcome(rule: WagerRule, number: int, roll: Roll, *, works: bool) -> Outcome:
    """Return the outcome of a number wager; odds that are off go back on a deciding roll, other wagers stay."""
    entry = rule.entry
    assert isinstance(entry, (Number, OddsWager))
    if roll.total not in {number, SEVEN}:
        return _STAY
    if not works:
        if isinstance(entry, OddsWager):  # also if called off, where the house accepts off calls
            return Outcome("return", clause_text((entry.come_out or entry.make).cite, number))
        return _STAY
    came = "seven" if roll.total == SEVEN else "number"
    if entry.win.on == came:
        return _win(rule.payouts[number], clause_text(entry.win.cite, number))
    return Outcome("lose", clause_text(entry.lose.cite, number))


def _hardway_outcome(rule: WagerRule, number: int, roll: Roll, *, works: bool) -> Outcome:
    """Return the outcome of a hardway wager; one that is off stays."""
    entry = rule.entry
    assert isinstance(entry, Hardway)
    if not works or roll.total not in {number, SEVEN}:
        return _STAY
    if roll.total == number and roll.is_hard:
        return _win(rule.payouts[number], clause_text(entry.win.cite, number))
    return Outcome("lose", clause_text(entry.lose.cite, number))


def _one_roll_outcome(rule: WagerRule, number: int, roll: Roll) -> Outcome:
    """Return the outcome of a one-roll wager: it wins or loses."""
    entry = rule.entry
    assert isinstance(entry, OneRoll)
    wins = roll.pair == number_text(number) if entry.numbers else roll.total in entry.win.totals
    if wins:
        return _win(rule.payout(number, roll), clause_text(entry.win.cite, number))
    return Outcome("lose", clause_text(entry.lose.cite, number))


def _collection_outcome(rule: WagerRule, progress: tuple[int, ...], roll: Roll) -> Outcome:
    """Return the outcome of a collection; its progress is the totals thrown since it was made, as bits."""
    entry = rule.entry
    assert isinstance(entry, Collection)
    total = roll.total
    if total in entry.lose.totals:
        return Outcome("lose", clause_text(entry.lose.cite))
    thrown = progress[0] if progress else 0
    if total in entry.needs.totals:
        thrown |= 1 << total
    if thrown.bit_count() == len(entry.needs.totals):
        payout = rule.lines[0].payout
        assert payout is not None
        return _win(payout, f"{clause_text(entry.needs.cite)}, {clause_text(entry.win.cite)}")
    return _STAY if (thrown,) == progress else _advance((thrown,), clause_text(entry.marked.cite))


def _hand_outcome(rule: WagerRule, progress: tuple[int, ...], roll: Roll, *, puck: int, sets_point: bool) -> Outcome:
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
        return _paid_by_line(rule, count, f"{clause_text(by.cite)}{top}")
    if after == progress:
        return _STAY
    if not counts:
        return _advance(after, clause_text(entry.make.cite))
    return _advance(after, f"{clause_text(entry.counted.cite)}, {clause_text(entry.marked.cite, count)}")


def count_of(rule: WagerRule, progress: tuple[int, ...]) -> int:
    """Return the count a hand wager has reached; distinct points are kept as bits, other counts as a number."""
    entry = rule.entry
    assert isinstance(entry, Hand)
    value = progress[1] if progress else 0
    return value.bit_count() if entry.counts == "distinct_points" else value


def count_after(entry: Hand, value: int, total: int) -> int:
    """Return what a hand wager has counted after this total, no higher than its top if it has one."""
    is_distinct = entry.counts == "distinct_points"
    if entry.top and (value.bit_count() if is_distinct else value) == entry.top.count:
        return value
    return value | 1 << total if is_distinct else value + 1


def is_full(rule: WagerRule, progress: tuple[int, ...]) -> bool:
    """Return whether a hand wager has reached the count that ends it."""
    entry = rule.entry
    return isinstance(entry, Hand) and entry.full is not None and count_of(rule, progress) >= entry.full.count


def _paid_by_line(rule: WagerRule, count: int, clause: str) -> Outcome:
    """Return the outcome that a side wager's pay table lists for a count."""
    line = rule.lines[count]
    if line.payout is not None:
        return _win(line.payout, clause)
    clause = f"{clause}, {line.clause}"
    return Outcome("lose", clause) if line.result == "lose" else Outcome("return", clause)


def _run_outcome(
    rule: WagerRule, progress: tuple[int, ...], roll: Roll, *, puck: int, points: frozenset[int], is_clearing: bool
) -> Outcome:
    """Return the outcome of a run; its progress is (initial point or 0, points hit as bits), or empty at first.

    A throw that clears come wagers is not a come-out roll, so before the initial point it does nothing.
    """
    initial, hits = progress or (0, 0)
    if not initial:
        return _STAY if is_clearing else _come_out(rule, progress, roll, points)
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
            return Outcome("lose", clause_text(entry.come_out_lose.cite))
        return _STAY if progress else _advance((0, 0), clause_text(reading.cite))  # only a loser 7 ends it
    if total in points:
        hits = 1 << total if reading.initial_counts else 0
        return _advance((total, hits), clause_text(entry.initial.cite))
    line = rule.lines[-1]
    assert line.payout is not None
    clause = f"{clause_text(entry.come_out_stay.cite)}, {line.clause}"
    if reading.come_out == "return":
        return Outcome("return", clause)
    if reading.come_out == "pay" or (reading.come_out == "pay_first" and not progress):
        pays = line.payout.pays  # in this reading the stake is paid back as well
        return Outcome("pay", clause, Payout(Pays(pays.pays, to=pays.to), clause), (0, 0))
    return _STAY if progress else _advance((0, 0), clause)


def _after_throw(rule: WagerRule, progress: tuple[int, int], total: int, points: frozenset[int]) -> Outcome:
    """Return the outcome of a roll after the initial point, where other points count when thrown."""
    entry, reading = rule.entry, rule.reading
    assert isinstance(entry, Run)
    assert reading is not None
    initial, hits = progress
    count = hits.bit_count()
    is_last = count == entry.top.count - 1
    if is_last and total == initial:
        return _paid_by_line(rule, entry.top.count, clause_text(entry.top.cite))
    if total in reading.neutral:
        return _STAY
    is_other = total in points and total != initial
    if is_other and not is_last and not hits & 1 << total:
        return _advance((initial, hits | 1 << total), clause_text(entry.hit.cite))
    if is_other and hits & 1 << total and reading.repeats == "neutral":
        return _STAY
    ends = entry.ends
    if is_last:
        by = ends.full
    elif total == initial:
        by = ends.initial
    elif total == SEVEN:
        by = ends.seven
    else:
        by = ends.repeat if total in points else ends.other
    return _paid_by_line(rule, count, f"{clause_text(ends.cite)}, {clause_text(by.cite)}")


def _after_point(rule: WagerRule, progress: tuple[int, int], roll: Roll, puck: int) -> Outcome:
    """Return the outcome of a roll after the initial point, where distinct points count when made."""
    entry, total = rule.entry, roll.total
    assert isinstance(entry, Run)
    initial, hits = progress
    if puck and total == puck:
        after = hits | 1 << total
        return _STAY if after == hits else _advance((initial, after), clause_text(entry.hit.cite))
    if puck and total == SEVEN:
        return _paid_by_line(rule, hits.bit_count(), clause_text(entry.ends.seven.cite))
    return _STAY


def _machine_outcome(
    rule: WagerRule, progress: tuple[int, ...], roll: Roll, *, puck: int, is_clearing: bool
) -> Outcome:
    """Return the outcome of a machine; its progress is what it remembers, or empty before its first roll."""
    entry, machine = rule.entry, rule.machine
    assert isinstance(entry, Machine)
    assert machine is not None
    step = machine.step(progress or machine.start, roll, puck=puck, is_clearing=is_clearing)
    if step.does == "go_on":
        return _STAY if step.memory == progress else _advance(step.memory, clause_text(entry.marked.cite))
    by = {"wins": entry.wins, "settles": entry.settles, "loses": entry.loses}[step.does]
    assert by is not None
    clause = clause_text(by.cite)
    return Outcome("lose", clause) if step.does == "loses" else _paid_by_line(rule, step.count, clause)
