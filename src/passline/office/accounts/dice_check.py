"""Checks the alarms about dice against the log: what was noted is true, and nothing was kept back.

A set that came to the alarm and that no incident names is a fault, for whoever runs the server could leave the alarm
out. But a server that was killed right then has done nothing wrong: it notes the alarm once it runs again. So the time
counts in which the log shows that a server ran: from one entry to the next, and a minute of it at most. After an hour
of that without an incident, somebody kept it back. An office that is not set up owes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from math import exp

from passline.office.accounts.dice_sets import LOG_MAX, DiceAlarm
from passline.office.accounts.dice_watch import DiceWatch, is_about_dice, tables_with_new_dice
from passline.office.commands import NoteDice
from passline.office.events import OfficeEvent
from passline.office.rules.office_rules import kept_office
from passline.office.state import DICE_ALARM, DICE_ALARM_ONE_IN, OfficeState
from passline.store.entry import Entry
from passline.tables import events as t
from passline.tables.events import TableEvent

__all__ = ["DiceCheck"]

_GAP = 60.0  # seconds from one entry to the next that a server surely ran
_GRACE = 3_600.0


class _Owed:
    """An alarm that no incident names yet."""

    def __init__(self, alarm: DiceAlarm) -> None:
        self.alarm, self.waited = alarm, 0.0


class DiceCheck:
    """The dice of all tables, as far as a log was read; `office` finds the office of a regulation as it is then."""

    def __init__(self, office: Callable[[str], OfficeState | None]) -> None:
        self._office = office
        self._watch = DiceWatch()
        self._tables: dict[str, str] = {}  # by stream the regulation of a table with physical dice
        self._ever: dict[tuple[str, str, int], tuple[int, float]] = {}  # rolls, and the highest evidence of a set
        self._noted: set[tuple[str, str, int]] = set()
        self._owed: dict[tuple[str, str, int], _Owed] = {}
        self._at = ""

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Follow an entry of a table; yield alarms that were kept back until now."""
        for event in events:
            if isinstance(event, t.TableOpened):
                is_watched = event.dice == "physical" and not event.practice_cents_max
                self._tables[entry.stream] = str(event.house.get("rules", "")) if is_watched else ""
        rules, table = self._tables.get(entry.stream, ""), entry.stream.partition("/")[2]
        if rules and is_about_dice(events):
            state = self._office(rules)
            changed = self._watch.take(
                rules,
                table,
                sequence=entry.sequence,
                at=entry.at,
                events=events,
                one_in=int(state.values.get(DICE_ALARM, DICE_ALARM_ONE_IN)) if state else DICE_ALARM_ONE_IN,
                current=lambda: None,
            )
            for one in changed:
                key = rules, table, one.number
                self._ever[key] = one.rolled, one.ever
                if one.alarm is None:
                    self._owed.pop(key, None)
                elif key not in self._owed and key not in self._noted:
                    self._owed[key] = _Owed(one.alarm)
        yield from self._overdue(entry)

    def office_faults(self, entry: Entry, office: str, command: object, events: Sequence[OfficeEvent]) -> Iterator[str]:
        """Yield what an office noted of dice that the log does not show, and alarms that were kept back until now."""
        if isinstance(command, NoteDice):
            key = office, command.table, command.number
            rolls, highest = self._ever.get(key, (0, 0.0))
            most = int(exp(min(highest, LOG_MAX)))
            if command.rolls > rolls or command.evidence > most:
                told = f"{command.rolls} rolls and {command.evidence} to one of dice set {command.number}"
                yield f"notes {told} of table {command.table}; the log has {rolls} rolls and {most} to one"
            self._noted.add(key)
            self._owed.pop(key, None)
        for table in tables_with_new_dice(events):
            self._watch.renew(office, table, at=entry.at, current=lambda: None)
        yield from self._overdue(entry)

    def _overdue(self, entry: Entry) -> Iterator[str]:
        """Let the time of what is owed run up to an entry."""
        passed = 0.0
        if self._owed and self._at:
            passed = (datetime.fromisoformat(entry.at) - datetime.fromisoformat(self._at)).total_seconds()
        self._at = entry.at
        for key, owed in list(self._owed.items()):
            if owed.alarm.sequence < entry.sequence and self._is_due(key[0]):
                owed.waited += min(max(passed, 0.0), _GAP)
            if owed.waited >= _GRACE:
                del self._owed[key]
                self._noted.add(key)
                alarm = owed.alarm
                yield (
                    f"dice set {key[2]} of table {key[1]} came to {alarm.evidence} to one against fair dice at entry"
                    f" {alarm.sequence}, and no incident was opened since"
                )

    def _is_due(self, rules: str) -> bool:
        """Return whether an office is set up, by pages that watch over dice."""
        state = self._office(rules)
        pages = kept_office(state.digest) if state else None
        return bool(state and state.facility and pages and DICE_ALARM in pages.pages.values)
