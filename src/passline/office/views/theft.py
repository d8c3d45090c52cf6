"""Finds signs of theft in the counts of a quarter, from the views of shifts, buy-ins and accounts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.commands import NoteSkim
from passline.acts.noted import THEFT_ALARM
from passline.acts.rules import ActRules
from passline.acts.state import ActState
from passline.bookkeeping.reading import find_course
from passline.bookkeeping.shift_buy_ins import find_shift_buy_ins
from passline.bookkeeping.theft import (
    MISKEYED_CENTS,
    MISKEYED_ONE_IN,
    HoldPower,
    SkimLine,
    hold_powers,
    quarter_of,
    shift_looks,
    skim_lines,
)
from passline.exact.skim_evidence import HonestKeying
from passline.office.views.kept_results import find_shift_rows
from passline.streams.projection_store import ViewReader

_EVIDENCE_MAX = 10**18


class TheftFound(Struct, frozen=True):
    """The evidence of a quarter about every table and crew, and what the hold of each table could show."""

    first: date
    last: date
    keying: HonestKeying
    one_in: int
    lines: tuple[SkimLine, ...]
    holds: tuple[HoldPower, ...]

    def notes(self) -> Iterator[NoteSkim]:
        """Yield the commands by which the server tells the office: one for each alarm."""
        for line in self.lines:
            for alarm in line.alarms:
                yield NoteSkim(
                    look=line.look,
                    kind=line.kind,
                    subject=line.subject,
                    table=alarm.table,
                    day=alarm.day.isoformat(),
                    shift=alarm.shift,
                    shifts=alarm.shifts,
                    short=alarm.short,
                    evidence=int(min(alarm.evidence, _EVIDENCE_MAX)),
                    bound=line.bound,
                )


def find_theft(views: ViewReader, rules: ActRules, state: ActState, facility: Facility, day: date) -> TheftFound:
    """Return the evidence of the whole quarter in which a gaming day lies."""
    (first, last), name = quarter_of(day), rules.name
    one_in = max(rules.figure(state, THEFT_ALARM) or 1, 1)
    keying = HonestKeying(
        max(rules.figure(state, MISKEYED_ONE_IN) or 1, 1), max(rules.figure(state, MISKEYED_CENTS) or 1, 1)
    )
    rows = find_shift_rows(views, name, facility, first, last)
    covered = [result for _, result in rows if result.ledger is not None and result.day]
    tables = sorted({result.table for result in covered})
    since, until = first.isoformat(), (last + timedelta(days=1)).isoformat()
    courses = {table: find_course(views, name, "table", "day", table, since=since, until=until) for table in tables}
    decided = {
        (table, date.fromisoformat(account.span)): account.sums.decided
        for table, course in courses.items()
        for account in course
    }
    variances = {
        table: (sum((account.sums.variance for account in course), Fraction(0)), shifts)
        for table, course in courses.items()
        if (shifts := sum(result.table == table for result in covered))
    }
    drops = {table: sum(result.drop for result in covered if result.table == table) for table in tables}
    looks = shift_looks(rows, find_shift_buy_ins(views, name, first, last), decided)
    lines, holds = skim_lines(looks, keying, one_in), hold_powers(variances, drops, one_in)
    return TheftFound(first, last, keying, one_in, tuple(lines), tuple(holds))
