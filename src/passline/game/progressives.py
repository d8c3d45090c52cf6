"""Progressives: what decided wagers add to the meter of a table, and what a line that pays from it takes.

A wager adds to the meter on the roll that wins or loses it, before anything is paid; one that goes back adds nothing.
Winners of one line on one roll divide its share. What the smallest chip cannot pay stays on the meter, and a meter is
never below its base.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from passline.game import events as e
from passline.game.position import METER_CLOSED, Table
from passline.money import round_down_to
from passline.rules.rules import Rules
from passline.rules.schema import METER_UNIT, Progressive, clause_text


def meters_of(rules: Rules, table: Table) -> dict[str, int]:
    """Return the cents that the meters of a table show, by the kind of wager; nothing of one that was closed."""
    return {
        kind: meter_of(table, kind, progressive) // METER_UNIT
        for kind, progressive in rules.progressives.items()
        if not is_closed(table, kind)
    }


def is_closed(table: Table, kind: str) -> bool:
    """Return whether the meter of a progressive was closed at a table."""
    return bool(table.meters) and dict(table.meters).get(kind) == METER_CLOSED


def meter_of(table: Table, kind: str, progressive: Progressive) -> int:
    """Return what stands on a meter, in ten-thousandths of a cent: never less than its base."""
    base = progressive.base_cents * METER_UNIT
    return max(dict(table.meters).get(kind, base), base)


def share_of_meter(rules: Rules, meter: int, share: int, *, among: int = 1) -> int:
    """Return the cents that each winner of a share, in basis points, gets from a meter, in parts of a cent."""
    return round_down_to(Fraction(meter * share, METER_UNIT**2 * among), rules.chip)


def meter_events(rules: Rules, table: Table, happened: Sequence[e.Event]) -> Iterator[e.Event]:
    """Yield what the wagers that a roll decided add to each meter, and what it pays."""
    for kind, progressive in rules.progressives.items():
        decided = [
            event
            for event in happened
            if isinstance(event, e.WagerWon | e.WagerLost) and event.wager.kind == kind and event.after is None
        ]
        if not decided:
            continue
        added = sum(event.wager.cents for event in decided) * progressive.basis_points
        meter = meter_of(table, kind, progressive) + added
        yield e.MeterRaised(kind, added, meter, clause_text(progressive.cite))
        winners = [event for event in decided if isinstance(event, e.WagerWon) and event.share]
        winners.sort(key=lambda event: -event.share)
        for share, group in groupby(winners, key=lambda event: event.share):
            alike = list(group)
            each = share_of_meter(rules, meter, share, among=len(alike))
            for event in alike:
                meter -= each * METER_UNIT
                yield e.MeterPaid(event.wager, each, meter, clause_text(progressive.pays.cite))
        if winners and meter < (base := progressive.base_cents * METER_UNIT):
            yield e.MeterRaised(kind, base - meter, base, clause_text(progressive.base.cite))
