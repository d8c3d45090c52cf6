"""Checks the alarms about dice against the log: what was noted is true, and no alarm was withheld.

The evidence is computed again from every roll and every act on dice. A noted alarm must be one that follows from the
log: a server that had started the evidence afresh would note it later, or after fewer rolls, and is found by that.

A set that raised the alarm and that no incident names is a fault, since whoever runs the server could leave the alarm
out. But a server that was killed at that moment has done nothing wrong: it notes the alarm once it runs again. So only
time counts in which the log shows that a server ran: from one entry to the next, and at most a minute of that. After an
hour of such time without an incident, somebody withheld it. An office that is not set up owes nothing. The same holds
for a set that was thrown after the papers had taken all its dice away: it is owed an incident too.

Programs until version 0.2.0 went by the pairs alone. Where one of those has served the log last, a set owes an incident
when it alarms by the pairs, and what is noted may be either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from math import exp, isclose

from passline.acts.commands import NoteDice, NoteUnaccountedDice
from passline.acts.events import ActEvent
from passline.acts.rules import OFFICE_RULES
from passline.acts.state import DICE_ALARM, DICE_ALARM_ONE_IN, ActState
from passline.bookkeeping.dice_sets import LOG_MAX, DiceAlarm, DiceSet
from passline.bookkeeping.dice_watch import DiceWatch, NoDiceBefore, dice_changes, is_about_dice
from passline.store.entry import Entry
from passline.tables import events as t
from passline.tables.events import TableEvent
from passline.tables.views.dealt_by import Program

_GAP = 60.0  # seconds from one entry to the next that a server surely ran
_GRACE = 3_600.0
_ROUNDING = 1e-6  # machines may differ in the last digits of a logarithm
_NONE = NoDiceBefore()
_PAIRS_UNTIL = (0, 2, 0)


class _Owed:
    """What no incident names yet: the entry that it began with, and what happened."""

    def __init__(self, sequence: int, what: str) -> None:
        self.sequence, self.what, self.waited = sequence, what, 0.0


class DiceCheck:
    """Checks the dice of all tables while a log is read.

    `office` finds the office of a regulation as of the entry that is read, `program` the program that serves the log.
    """

    def __init__(self, office: Callable[[str], ActState | None], program: Callable[[], Program] = Program) -> None:
        self._office, self._program = office, program
        self._watch = DiceWatch()
        self._tables: dict[str, str] = {}  # by stream the regulation of a table with physical dice
        self._alarms: dict[
            tuple[str, str, int], dict[int, list[DiceAlarm]]
        ] = {}  # of a set by rolls; a roll may be corrected
        self._ever: dict[tuple[str, str, int], tuple[int, float]] = {}  # rolls, and the highest evidence of a set
        self._dice: dict[tuple[str, str, int], tuple[str, ...]] = {}  # the serial numbers of a set that alarmed
        self._noted: set[tuple[str, str, int]] = set()
        self._owed: dict[tuple[str, str, int], _Owed] = {}
        self._unaccounted: dict[tuple[str, str, int], _Owed] = {}  # sets thrown after they were taken away on paper
        self._told: set[tuple[str, str, int]] = set()  # those of them that an incident names
        self._at = ""

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Follow an entry of a table; yield the alarms that are overdue by now."""
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
                before=_NONE,
            )
            self._take(changed)
        yield from self.pass_by(entry)

    def office_faults(self, entry: Entry, office: str, command: object, events: Sequence[ActEvent]) -> Iterator[str]:
        """Follow an entry of an office; yield notes about dice that the log contradicts, and overdue alarms."""
        if isinstance(command, NoteDice):
            key = office, command.table, command.number
            yield from self._note_faults(key, command)
            self._noted.add(key)
            self._owed.pop(key, None)
        if isinstance(command, NoteUnaccountedDice):
            key = office, command.table, command.number
            if key not in self._unaccounted:
                yield f"notes dice set {key[2]} of table {key[1]} as thrown after it was taken away; the log shows none"
            self._told.add(key)
        if changes := dice_changes(events):
            self._take(self._watch.take_office(office, changes, at=entry.at, before=_NONE))
        yield from self.pass_by(entry)

    def _take(self, changed: Sequence[DiceSet]) -> None:
        """Learn which sets alarm now, and which do so no more since a roll was corrected."""
        for dice in changed:
            key = dice.rules, dice.table, dice.number
            rolls, highest = self._ever.get(key, (0, 0.0))
            self._ever[key] = max(rolls, dice.rolls), max(highest, dice.highest)  # with rolls that were corrected since
            if dice.unaccounted and key not in self._unaccounted:
                what = f"dice set {dice.number} of table {dice.table} was thrown after it was taken away on paper"
                self._unaccounted[key] = _Owed(dice.unaccounted, what)
            by_pairs = _goes_by_pairs(self._program())
            told = [dice.alarm_by_pairs, dice.alarm] if by_pairs else [dice.alarm]
            for alarm in filter(None, told):
                self._alarms.setdefault(key, {}).setdefault(alarm.rolls, []).append(alarm)
                self._dice[key] = dice.dice
            if (due := told[0]) is None:
                self._owed.pop(key, None)
            elif key not in self._owed and key not in self._noted:
                what = f"dice set {dice.number} of table {dice.table} came to {due.evidence} to one against fair dice"
                self._owed[key] = _Owed(due.sequence, what)

    def _note_faults(self, key: tuple[str, str, int], noted: NoteDice) -> Iterator[str]:
        """Yield that a noted alarm is none that the log comes to."""
        alarms = self._alarms.get(key, {})
        came = alarms.get(noted.rolls, [])
        told = (
            f"notes {noted.rolls} rolls and {noted.evidence} to one of dice set {noted.number} of table {noted.table}"
        )
        if not alarms:
            rolls, highest = self._ever.get(key, (0, 0.0))
            most = int(exp(min(highest, LOG_MAX)))
            if noted.rolls > rolls or noted.evidence > most:
                yield f"{told}; the log has {rolls} rolls and {most} to one"
        elif not came:
            every = {(alarm.rolls, alarm.evidence): None for held in alarms.values() for alarm in held}
            yield f"{told}; by the log it alarms " + ", ".join(f"after {n} rolls at {to} to one" for n, to in every)
        elif not any(_is_it(noted, alarm) for alarm in came):
            alarm = came[0]
            yield f"{told} with {noted.sets} sets in use; the log has {alarm.evidence} to one with {alarm.sets}"
        elif noted.dice != self._dice[key]:
            yield f"{told} as of dice {', '.join(noted.dice)}; by the log it is made of {', '.join(self._dice[key])}"

    @property
    def is_waiting(self) -> bool:
        """Whether an incident is due that no entry has opened yet."""
        return bool(self._owed or self._unaccounted)

    def note_moment(self, at: str) -> None:
        """Note the moment of entries that are not about dice; several may be noted together."""
        self._at = max(self._at, at)

    def pass_by(self, entry: Entry) -> Iterator[str]:
        """Note that time has passed up to an entry; yield the alarms that are overdue by now."""
        if not self.is_waiting:
            self._at = entry.at
            return
        passed = 0.0
        untold = {key: owed for key, owed in self._unaccounted.items() if key not in self._told}
        if (self._owed or untold) and self._at:
            passed = (datetime.fromisoformat(entry.at) - datetime.fromisoformat(self._at)).total_seconds()
        self._at = entry.at
        for noted, key, owed in [
            *((self._noted, key, owed) for key, owed in self._owed.items()),
            *((self._told, key, owed) for key, owed in untold.items()),
        ]:
            if owed.sequence < entry.sequence and self._is_due(key[0]):
                owed.waited += min(max(passed, 0.0), _GAP)
            if owed.waited >= _GRACE:
                noted.add(key)
                yield f"{owed.what} at entry {owed.sequence}, and no incident was opened since"
        for key in self._noted & self._owed.keys():
            del self._owed[key]

    def _is_due(self, rules: str) -> bool:
        """Return whether an office is set up, by pages that watch over dice."""
        state = self._office(rules)
        pages = OFFICE_RULES.find(state.digest) if state else None
        return bool(state and state.facility and pages and DICE_ALARM in pages.pages.values)


def _is_it(noted: NoteDice, alarm: DiceAlarm) -> bool:
    """Return whether a noted alarm is this one."""
    return noted.sets == alarm.sets and isclose(noted.evidence, alarm.evidence, rel_tol=_ROUNDING, abs_tol=1)


def _goes_by_pairs(program: Program) -> bool:
    """Return whether a program is so old that it goes by pairs alone, or may be; one that is not named does not.

    >>> [_goes_by_pairs(Program(version)) for version in ("", "0.1.0", "0.2.0", "0.3.0.dev0", "1.0.0")]
    [False, True, True, False, False]
    """
    numbers = [int(part) for part in program.version.split(".")[: len(_PAIRS_UNTIL)] if part.isdigit()]
    return bool(numbers) and tuple(numbers) <= _PAIRS_UNTIL
