"""How fast a table without keyed wagers is dealt: its rolls by minute, and the rules that it was dealt by.

A rating takes the rolls of its own minutes, so a slow table earns a patron no more than was rolled there.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from msgspec import Struct, json

from passline.game.events import RollSettled
from passline.rules.rules import Rules
from passline.store.entry import Stored
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.rules_in_force import rules_under
from passline.tables.views.projected import TableFollower

SPEED_TABLES = {
    "roll_minutes": "CREATE TABLE roll_minutes (rules TEXT NOT NULL, tbl TEXT NOT NULL, hour TEXT NOT NULL,"
    " body BLOB NOT NULL, PRIMARY KEY (rules, tbl, hour)) WITHOUT ROWID",
    "dealt_by": "CREATE TABLE dealt_by (rules TEXT NOT NULL, tbl TEXT NOT NULL, at TEXT NOT NULL,"
    " body BLOB NOT NULL, PRIMARY KEY (rules, tbl, at)) WITHOUT ROWID",
}
"""How the tables of rolls and rules are created."""
_HOUR, _MINUTE = len("2026-11-15T18"), len("2026-11-15T18:30")
_ROLLS, _DEALT = "roll-minutes", "dealt-by"


class HouseDealt(Struct, frozen=True):
    """The house and rulebook from which the rules of a table are compiled."""

    house: dict[str, object]
    rulebook: str
    version: str
    automate: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The rules themselves; equal houses share one copy."""
        return rules_under(self.house, self.rulebook, self.version, self.automate)


_minutes = json.Decoder(dict[str, int])
_dealt = json.Decoder(HouseDealt)


class RollsFollower(TableFollower):
    """The rolls of tables whose wagers nobody keys in, by minute, as the log grows."""

    tables: ClassVar[dict[str, str]] = SPEED_TABLES

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all that is in memory."""
        self._rolls: dict[tuple[str, str, str], dict[str, int]] = {}
        self._dealt: dict[tuple[str, str], tuple[str, HouseDealt]] = {}

    def note(self, writer: ViewWriter, stored: Stored, decision: TableEntry | None) -> None:  # noqa: ARG002 - the seam
        """Take the next entry of the log."""
        if decision is None or (live := decision.after).is_keyed or live.points or live.practice_cents_max:
            return
        rolls = sum(isinstance(event, RollSettled) for event in decision.events)
        if rolls:
            rules, at = str(live.house["rules"]), decision.entry.at
            hour, minute = self._rolls.setdefault((rules, live.id, at[:_HOUR]), {}), at[_HOUR + 1 : _MINUTE]
            hour[minute] = hour.get(minute, 0) + rolls
            known = self._dealt.get((rules, live.id))
            if known is None or known[1].version != live.rules:
                dealt = HouseDealt(dict(live.house), live.rulebook, live.rules, live.automate)
                self._dealt[rules, live.id] = at, dealt

    def store(self, writer: ViewWriter) -> None:
        """Add what the batch brought."""
        rows = []
        for (rules, table, hour), brought in self._rolls.items():
            kept = _rolls_of_hour(writer, rules, table, hour)
            together = {minute: kept.get(minute, 0) + brought.get(minute, 0) for minute in {*kept, *brought}}
            place = f"{rules}/{table}/{hour}"
            rows.append((rules, table, hour, writer.seal(_ROLLS, json.encode(together, order="sorted"), place)))
        writer.write("INSERT OR REPLACE INTO roll_minutes VALUES (?, ?, ?, ?)", rows)
        for (rules, table), (at, dealt) in self._dealt.items():
            newest = find_dealt_by(writer, rules, table, at)
            if newest is None or newest.version != dealt.version:
                body = writer.seal(_DEALT, json.encode(dealt), f"{rules}/{table}/{at}")
                writer.write("INSERT OR REPLACE INTO dealt_by VALUES (?, ?, ?, ?)", [(rules, table, at, body)])
        self._rolls.clear()
        self._dealt.clear()


def _rolls_of_hour(reader: ViewReader, rules: str, table: str, hour: str) -> Mapping[str, int]:
    sql = "SELECT body FROM roll_minutes WHERE rules = ? AND tbl = ? AND hour = ?"
    rows = reader.query(sql, (rules, table, hour))
    return _minutes.decode(reader.unseal(_ROLLS, rows[0][0], f"{rules}/{table}/{hour}")) if rows else {}


def find_rolls(reader: ViewReader, rules: str, table: str, *, since: str, until: str) -> int:
    """Return the rolls of a table whose wagers nobody keyed in, from the minute of a moment to before that of another.

    Moments are as the log has them, such as 2026-11-15T18:30:00.000000Z.
    """
    first, end = since[:_MINUTE], until[:_MINUTE]
    if first >= end:
        return 0
    sql = "SELECT hour, body FROM roll_minutes WHERE rules = ? AND tbl = ? AND hour BETWEEN ? AND ?"
    found = 0
    for hour, body in reader.query(sql, (rules, table, first[:_HOUR], end[:_HOUR])):
        minutes = _minutes.decode(reader.unseal(_ROLLS, body, f"{rules}/{table}/{hour}"))
        found += sum(rolls for minute, rolls in minutes.items() if first <= f"{hour}:{minute}" < end)
    return found


def find_dealt_by(reader: ViewReader, rules: str, table: str, at: str) -> HouseDealt | None:
    """Return the house and rulebook of a table's last roll before a moment; None: it had no roll."""
    sql = "SELECT at, body FROM dealt_by WHERE rules = ? AND tbl = ? AND at <= ? ORDER BY at DESC LIMIT 1"
    rows = reader.query(sql, (rules, table, at))
    return _dealt.decode(reader.unseal(_DEALT, rows[0][1], f"{rules}/{table}/{rows[0][0]}")) if rows else None


def minutes_between(since: str, until: str) -> int:
    """Return how many minutes, as rolls are counted by, lie between two moments; 0 if the second is not later.

    >>> minutes_between("2026-11-15T18:30:40.000000Z", "2026-11-15T20:00:10.000000Z")
    90
    """
    first, end = (datetime.fromisoformat(moment[:_MINUTE]) for moment in (since, until))
    return max(0, (end - first) // timedelta(minutes=1))
