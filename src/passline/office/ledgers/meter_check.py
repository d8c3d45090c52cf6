"""Verifies that the meters of tables really showed the figures that an office has on record of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passline.acts.events import ActDone, ActEvent
from passline.acts.rules import ActRules
from passline.acts.schema import LIVE_METER
from passline.acts.state import ActState
from passline.game import events as g
from passline.money import dollars
from passline.rules.schema import METER_UNIT
from passline.store.entry import Entry
from passline.tables.entries import TABLE
from passline.tables.events import RollCorrected, TableEvent


class MeterCheck:
    """The newest two figures of each table's meters, as far as the log was read.

    Two, because the server reads a meter just before the office records it, and a roll may come in between.
    """

    def __init__(self) -> None:
        self._shown: dict[tuple[str, str], tuple[int, ...]] = {}  # cents, by table and wager

    def take_table(self, entry: Entry, events: Sequence[TableEvent]) -> None:
        """Note the meters of a table after one of its entries."""
        table = entry.stream.removeprefix(TABLE)
        happened = [
            inner for event in events for inner in (event.redone if isinstance(event, RollCorrected) else [event])
        ]
        shown: dict[str, int] = {}
        for event in happened:
            if isinstance(event, g.MeterRaised | g.MeterOpened):
                shown[event.kind] = event.meter // METER_UNIT
            elif isinstance(event, g.MeterPaid):
                shown[event.wager.kind] = event.meter // METER_UNIT
        for kind, cents in shown.items():
            self._shown[table, kind] = (*self._shown.get((table, kind), ())[-1:], cents)

    def office_faults(self, rules: ActRules | None, before: ActState, events: Sequence[ActEvent]) -> Iterator[str]:
        """Yield a fault for each live meter that is on record with a figure that it did not show."""
        for event in events:
            if not isinstance(event, ActDone) or LIVE_METER not in event.fields or rules is None:
                continue
            field = rules.pages.acts[event.act].fields[LIVE_METER]
            known = before.thing(event.kind, event.things[0])
            table, wager = (str(known.facts.get(fact, "")) if known else "" for fact in field.shown)
            shown, cents = self._shown.get((table, wager)), event.fields[LIVE_METER]
            if shown is not None and cents not in shown:
                yield (
                    f"act {event.number} has {dollars(cents)} on the live meter of {wager} at {table}, which showed "
                    f"{dollars(shown[-1])}"
                )
