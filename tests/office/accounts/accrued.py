"""What the entries of a table add to its accounts, folded from its log."""

from __future__ import annotations

from passline.bookkeeping.accrual import accrual_of
from passline.bookkeeping.accrual_sums import Accrual
from passline.tables.entries import TABLE_CODEC
from passline.tables.live import LiveTable, fold
from tests.tables.sitting import Sitting


def accrued(sitting: Sitting) -> tuple[Accrual, list[Accrual], LiveTable]:
    """All that the entries of a table add, each by itself, and the table at the end."""
    live: LiveTable | None = None
    each = []
    for stored in sitting.entries:
        command, events = TABLE_CODEC.command(stored.entry), TABLE_CODEC.events(stored.entry)
        after = fold(live, command, events)
        each.append(accrual_of(live, after, events))
        live = after
    assert live is not None
    return sum(each, Accrual()), each, live
