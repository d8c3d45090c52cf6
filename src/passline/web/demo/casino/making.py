"""Makes the history of the demo's casino, once: in memory, where it takes seconds, then into the log in one commit.

Its entries are chained and sealed with the log's own key, so that `passline verify` finds the same as in any log. A
server that is stopped meanwhile leaves a log without history, and its next start makes it again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

from passline.dice import Roll
from passline.office.documents import Documents
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.web.demo.casino.history import CasinoHistory
from passline.web.demo.casino.running import FACILITY, RunningCasino, StoryClock
from passline.web.demo.casino.staff import hire

__all__ = ["ROLLS", "begins_at", "has_room", "make_history"]

ROLLS = 40
"""How many rolls of the dice each table has in a shift."""
_DAYS_BEFORE = 6
_LETTER = b"A letter of the demo: nobody has written it, and nobody has received it."


def begins_at(now: str) -> str:
    """Return the moment at which the story begins, six days before this one's gaming day.

    >>> begins_at("2026-11-16T09:00:00.000000Z")
    '2026-11-09T15:00:00.000000Z'
    """
    return FACILITY.moment(FACILITY.gaming_day(now) - timedelta(days=_DAYS_BEFORE), "08:00")


def has_room(log: Log) -> bool:
    """Return whether a log is still empty, so that its history can come first."""
    return log.sequence == 1


def make_history(
    log: Log, key: SigningKey, documents: Documents, dice: Callable[[], Roll], *, rolls: int = ROLLS
) -> None:
    """Make the history that ends before the gaming day on which the log was begun, and append it.

    `key` is the log's own.
    """
    begun = next(log.read(until=1)).entry
    made = MemoryLog(key, log_id=log.log_id, at=begun.at, is_demo=True)
    clock = StoryClock(begun.at)
    hire(made, clock)
    today = FACILITY.today(begun.at) + timedelta(days=_DAYS_BEFORE)

    async def deal() -> None:
        casino = RunningCasino(made, clock, today, {"letter": documents.put(_LETTER)})
        await casino.start()
        try:
            await CasinoHistory(casino, dice, rolls=rolls).deal()
        finally:
            await casino.close()

    asyncio.run(deal())
    for secret in made.vault.all():
        log.vault.put(secret)
    log.copy_from(made)
