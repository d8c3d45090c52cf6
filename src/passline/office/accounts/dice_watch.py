"""Follows the dice of all tables through a log: which set is in use where, and when one comes to the alarm.

Where a regulation has sets recorded as they are put in, those are the sets. Elsewhere a set is what is thrown from one
opening of a table to the next, or until its office puts other dice into the cup; they are numbered too.

The projection and `passline verify` both follow it, so that an alarm that was not noted is found by whoever checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from passline.game import events as g
from passline.office.accounts.dice_sets import DiceSet, alarmed, set_after
from passline.office.events import ActCompleted, OfficeEvent
from passline.tables import events as t
from passline.tables.events import TableEvent

__all__ = ["DiceWatch", "is_about_dice", "tables_with_new_dice"]

_DIE, _IN_PLAY = "die", "in_play"
_ABOUT = (t.TableOpened, g.DiceThrown, g.RollSettled, t.RollCorrected, t.TableClosed, t.DiceSetPutIn, t.DiceCondemned)


def is_about_dice(events: Iterable[TableEvent]) -> bool:
    """Return whether any of these events says something of the dice of a table."""
    return any(isinstance(event, _ABOUT) for event in events)


def tables_with_new_dice(events: Iterable[OfficeEvent]) -> list[str]:
    """Return the tables at which events of an office put dice into play."""
    changes = (change for event in events if isinstance(event, ActCompleted) for change in event.changes)
    placed = (change.facts.get("table") for change in changes if (change.kind, change.state) == (_DIE, _IN_PLAY))
    return [str(table) for table in dict.fromkeys(placed) if table]


class DiceWatch:
    """The set of dice that each table throws."""

    def __init__(self) -> None:
        self._sets: dict[str, dict[str, DiceSet]] = {}  # by regulation, then table

    def is_known(self, rules: str) -> bool:
        """Return whether the sets in use under a regulation are known already."""
        return rules in self._sets

    def learn(self, rules: str, known: Iterable[DiceSet]) -> None:
        """Take the sets that are in use under a regulation."""
        self._sets[rules] = {one.table: one for one in known}

    def of(self, rules: str, table: str) -> DiceSet | None:
        """Return the set that a table throws, as far as it is known."""
        return self._sets.get(rules, {}).get(table)

    def in_use(self, rules: str) -> int:
        """Return how many sets are in use under a regulation."""
        return sum(one.is_in_use for one in self._sets.get(rules, {}).values())

    def take(
        self,
        rules: str,
        table: str,
        *,
        sequence: int,
        at: str,
        events: Sequence[TableEvent],
        one_in: int,
        current: Callable[[], DiceSet | None],
    ) -> list[DiceSet]:
        """Follow an entry of a table with physical dice; return the sets that it changed.

        `current` finds the set that was in play before, where it is not known here.
        """
        tables = self._sets.setdefault(rules, {})
        before = tables.get(table) or current()
        changed: list[DiceSet] = []
        known = before
        is_recorded = any(isinstance(event, t.DiceSetPutIn) for event in events)
        for event in events:
            if isinstance(event, t.DiceSetPutIn) or (isinstance(event, t.TableOpened) and not is_recorded):
                if known is not None and not known.rolled and not is_recorded:
                    known = replace(known, is_in_use=True)  # its office has just put it into the cup
                    continue
                if known is not None:
                    changed.append(replace(known, is_in_use=False, last=None))
                number = event.number if isinstance(event, t.DiceSetPutIn) else (known.number if known else 0) + 1
                known = DiceSet(rules=rules, table=table, number=number, at=at)
            elif isinstance(event, t.DiceCondemned) and known is not None:
                known = replace(known, is_in_use=False)
            elif known is not None:
                known = set_after(known, sequence, (event,))
        if known is None or known is before:
            return changed
        tables[table] = known
        if before is None or known.rolled != before.rolled:
            known = tables[table] = alarmed(known, sequence=sequence, at=at, sets=self.in_use(rules), one_in=one_in)
        return [*changed, known]

    def renew(self, rules: str, table: str, *, at: str, current: Callable[[], DiceSet | None]) -> list[DiceSet]:
        """Begin a new set at a table, since its office put other dice into the cup; return the sets that changed."""
        tables = self._sets.setdefault(rules, {})
        known = tables.get(table) or current()
        if known is None or not known.rolled:
            return []  # the opening begins the first one, and dice that were never thrown have said nothing
        fresh = tables[table] = DiceSet(
            rules=rules, table=table, number=known.number + 1, at=at, is_in_use=known.is_in_use
        )
        return [replace(known, is_in_use=False, last=None), fresh]
