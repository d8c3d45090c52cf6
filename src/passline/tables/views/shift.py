"""The totals of each table for a shift, by its ledger, for whoever closes it; a bank that they count is left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from passline.authority.roles import CREW, LOG_READERS
from passline.tables.house_events import ShiftClosed
from passline.tables.live import LiveTable

_CASH = ("drop", "boxes", "count")  # in the box at the table, in boxes that were dropped, and counted


class ShiftTotals(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The totals of a table since the last shift was closed, in cents; figures that are hidden or unknown are None."""

    table: str
    name: str
    status: str
    players: int
    rolls: int  # since the table was opened for the first time
    is_blind: bool = False  # its bank is counted by whoever asks, who is told no figure
    is_covered: bool = True  # False: no wagers are keyed in, so that the ledger does not know
    bank_before: int | None = None
    fills: int | None = None  # less credits
    drop: int | None = None  # cash taken in
    win: int | None = None  # what the bank gained by play
    bank: int | None = None
    layout: int | None = None
    tips: int | None = None


def shift_totals(live: LiveTable, closed: ShiftClosed | None, *, roles: Collection[str]) -> ShiftTotals:
    """Return the totals of a table since a checkpoint, or since the log began, for somebody with these roles.

    The bank changes by cash for chips, by fills and credits, by counts and by play: what is left is the win.
    """
    known: dict[str, Any] = {
        "table": live.id,
        "name": live.name,
        "status": live.status,
        "players": len(live.players),
        "rolls": live.track.roll,
    }
    if not live.is_keyed:
        return ShiftTotals(**known, is_covered=False)
    if is_blind_to(live, roles):
        return ShiftTotals(**known, is_blind=True)
    tables = closed.tables if closed else ()
    before: Mapping[str, int] = next((table.balances for table in tables if table.table == live.id), {})
    cash = sum(_change(live.balances, before, account) for account in _CASH)
    fills = -_change(live.balances, before, "cage")
    bank = _change(live.balances, before, "bank")
    return ShiftTotals(
        **known,
        bank_before=before.get("bank", 0),
        fills=fills,
        drop=cash,
        win=bank + cash - fills + _change(live.balances, before, "variance"),
        bank=live.balances.get("bank", 0),
        layout=live.balances.get("layout", 0),
        tips=_change(live.balances, before, "tips") + _change(live.balances, before, "crew"),
    )


def is_blind_to(live: LiveTable, roles: Collection[str]) -> bool:
    """Return whether people with these roles count a table's money, and so must not see it before."""
    return live.books is not None and not set(roles).isdisjoint(CREW) and set(roles).isdisjoint(LOG_READERS)


def without_banks(kind: str, record: Mapping[str, Any], blind: Collection[str]) -> dict[str, Any]:
    """Return a record without the figures from which somebody who counts these tables could infer their banks.

    >>> without_banks("checkpoints", {"tables": [{"table": "craps-1", "balances": {"bank": 500}}]}, {"craps-1"})
    {'tables': [{'table': 'craps-1', 'balances': {}, 'is_blind': True}]}
    """
    fields = dict(record)
    if kind == "checkpoints":
        fields["tables"] = [
            {**table, "balances": {}, "is_blind": True} if table["table"] in blind else table
            for table in record["tables"]
        ]
    elif record.get("table") in blind and kind == "activity":
        hidden = ("bank_opening", "drop", "fills", "credits", "win", "tips", "bank_closing", "counted")
        fields |= {**dict.fromkeys(hidden, 0), "is_blind": True}
    elif record.get("table") in blind and kind == "daily_activity_accounting" and not record.get("clause"):
        fields["text"] = "its figures are not shown to those who count them"
    return fields


def _change(now: Mapping[str, int], before: Mapping[str, int], account: str) -> int:
    return now.get(account, 0) - before.get(account, 0)
