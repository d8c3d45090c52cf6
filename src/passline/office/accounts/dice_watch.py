"""Follows the dice of all tables through a log: which set is in use where, and when one comes to the alarm.

Where a regulation has sets recorded as they are put in, those are the sets. Elsewhere nobody records it, and what is
thrown from one opening of a table to the next counts as a set; they are numbered too.

The projection and `passline verify` both follow it, so that an alarm that was not noted is found by whoever checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from passline.game import events as g
from passline.office.accounts.dice_sets import DiceSet, alarmed, set_after
from passline.tables import events as t
from passline.tables.events import TableEvent

__all__ = ["DiceWatch", "is_about_dice"]

_ABOUT = (t.TableOpened, g.DiceThrown, g.RollSettled, t.RollCorrected, t.TableClosed, t.DiceSetPutIn, t.DiceCondemned)


def is_about_dice(events: Iterable[TableEvent]) -> bool:
    """Return whether any of these events says something of the dice of a table."""
    return any(isinstance(event, _ABOUT) for event in events)


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
