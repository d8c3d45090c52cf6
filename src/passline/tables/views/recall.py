"""Recall: a table's past hands and their pace, the table at any moment, and what screens showed at a dispute."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Raw, Struct, json
from msgspec.structs import replace

from passline.authority.roles import PLAYER
from passline.dice import ROLLS_PER_HOUR
from passline.game import events as e
from passline.game.wording import seat_name
from passline.store.entry import Entry, Stored
from passline.store.sealed import Log
from passline.streams.course import Actor
from passline.streams.projection_store import ViewReader, ViewsNotReady, ViewWriter
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.entries import TABLE_CODEC, TableEntry, table_entry
from passline.tables.live import LiveTable
from passline.tables.views.records import KeptRecord, find_records
from passline.tables.views.table_view import own_of, view_of

RECALL_TABLES = {
    "hands": """CREATE TABLE hands (house_table TEXT NOT NULL, number INTEGER NOT NULL, first INTEGER NOT NULL,
        body BLOB NOT NULL, PRIMARY KEY (house_table, number)) WITHOUT ROWID""",
    "states": """CREATE TABLE states (stream TEXT NOT NULL, sequence INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (stream, sequence))""",
}
"""How the tables are created: hands, and tables as they were from time to time."""
RECALL_INDEXES = ("CREATE INDEX hands_by_entry ON hands (house_table, first)",)
"""The index of hands by the entry in which they began."""
_STATE_EVERY = 100  # entries of a table: whatever moment is asked for, fewer than so many are folded
_TABLES_MAX = 256  # in memory; others are read again when something happens there


# --- The table at any moment ------------------------------------------------------------------------------------------


class _State(Struct, frozen=True):
    stream: str
    version: int
    sequence: int
    table: Raw


_states = json.Decoder(_State)


def table_at(reader: ViewReader, log: Log, stream: str, sequence: int) -> LiveTable | None:
    """Return one table as it was right after a sequence of the log; None if it was not open yet."""
    sql = "SELECT body FROM states WHERE stream = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1"
    rows = reader.query(sql, (stream, sequence))
    version, live = 0, None
    if rows:
        kept = _states.decode(zlib.decompress(reader.unseal("state", rows[0][0])))
        if kept.stream != stream or kept.sequence > sequence:
            raise ViewsNotReady("the views of the log have a table in the wrong place: start with --rebuild-views")
        version, live = kept.version, TABLE_CODEC.state(kept.table)
    for stored in log.read_stream(stream, after=version):
        if stored.entry.sequence > sequence:
            break
        live = table_entry(live, stored.entry).after
    return live


class Past:
    """The tables as a projection goes through the log; now and then one is stored, so that `table_at` is quick."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()

    def take(self, writer: ViewWriter, stored: Stored) -> TableEntry:
        """Fold the next entry of a table and return it with the table before and after it."""
        entry = stored.entry
        before = self._tables.get(entry.stream)
        if before is None and entry.version > 1:
            before = table_at(writer, self._log, entry.stream, entry.sequence - 1)
        decision = table_entry(before, entry)
        self._tables[entry.stream] = decision.after
        self._tables.move_to_end(entry.stream)
        if len(self._tables) > _TABLES_MAX:
            self._tables.popitem(last=False)
        if entry.version % _STATE_EVERY == 1:
            state = _State(entry.stream, entry.version, entry.sequence, Raw(json.encode(decision.after)))
            body = writer.seal("state", zlib.compress(json.encode(state), 1))
            writer.write("INSERT INTO states VALUES (?, ?, ?)", [(entry.stream, entry.sequence, body)])
        return decision


# --- Hands ------------------------------------------------------------------------------------------------------------


class HandPlayed(Struct, frozen=True):
    """One shooter's hand: its number, who shot, its rolls, and where it lies in the log."""

    number: int
    shooter: int
    name: str
    rolls: int
    first: int  # sequence
    last: int
    at: str  # when it began


class _Hand(Struct, frozen=True):
    table: str
    hand: HandPlayed
    rolls: tuple[int, ...] = ()  # by their number at the table


_hands = json.Decoder(_Hand)


class Hands:
    """The hands that are being played, by table; finished ones are in the store."""

    def __init__(self) -> None:
        self._changed: dict[tuple[str, int], _Hand] = {}
        self._last: dict[tuple[str, int], int] = {}  # the newest entry of each

    def note(self, writer: ViewWriter, decision: TableEntry) -> None:
        """Add a decision to its hand. If a correction undoes a hand, the next one takes its number."""
        entry, after = decision.entry, decision.after
        for event in () if decision.is_wager else decision.events:
            match event:
                case e.DiceAccepted():
                    name = seat_name(event.seat, {seat: player.name for seat, player in after.players.items()})
                    began = HandPlayed(after.hand, event.seat, name, 0, entry.sequence, 0, entry.at)
                    self._changed[after.id, after.hand] = _Hand(after.id, began)
                case e.RollSettled():
                    self._roll(writer, after, after.hand)
                case t.RollCorrected():
                    self._correct(writer, after)
                case _:
                    pass
        self._last[after.id, after.hand] = entry.sequence

    def store(self, writer: ViewWriter) -> None:
        """Store every hand that changed."""
        for key, last in self._last.items():
            if (current := self._hand(writer, *key)) is not None:
                hand = replace(current.hand, last=last, rolls=len(current.rolls))
                self._changed[key] = replace(current, hand=hand)
        self._last.clear()
        rows = [
            (table, number, hand.hand.first, writer.seal("hand", json.encode(hand)))
            for (table, number), hand in self._changed.items()
        ]
        writer.write("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?)", rows)
        self._changed.clear()

    def _hand(self, writer: ViewWriter, table: str, number: int) -> _Hand | None:
        if (known := self._changed.get((table, number))) is not None:
            return known
        rows = writer.query("SELECT body FROM hands WHERE house_table = ? AND number = ?", (table, number))
        return _hands.decode(writer.unseal("hand", rows[0][0])) if rows else None

    def _roll(self, writer: ViewWriter, after: LiveTable, number: int, *, beyond: int | None = None) -> None:
        """Count the newest roll to a hand; with `beyond`, forget its rolls after that one first."""
        current = self._hand(writer, after.id, number)
        if current is not None:
            rolls = tuple(roll for roll in current.rolls if beyond is None or roll <= beyond)
            rolls += (after.track.roll,) * (beyond is None or after.track.roll > beyond)
            self._changed[after.id, number] = replace(
                current, rolls=rolls, hand=replace(current.hand, rolls=len(rolls))
            )

    def _correct(self, writer: ViewWriter, after: LiveTable) -> None:
        """Forget the hands that a correction undid, and count the roll to the hand in which it was thrown."""
        assert after.before_roll is not None
        track = after.before_roll.track
        self._roll(writer, after, track.hand, beyond=track.roll)
        writer.query("DELETE FROM hands WHERE house_table = ? AND number > ?", (after.id, after.hand))
        for known in (self._changed, self._last):
            for key in [key for key in known if key[0] == after.id and key[1] > after.hand]:
                del known[key]


def find_hands(
    reader: ViewReader, table: str, *, before: int = 0, entry: int = 0, limit: int = 100
) -> list[HandPlayed]:
    """Return a table's hands, newest first: those below a number, or from the one with an entry of the log on down."""
    conditions, given = ["house_table = ?"], list[object]([table])
    for condition, value in (("number < ?", before), ("first <= ?", entry)):
        if value:
            conditions.append(condition)
            given.append(value)
    sql = f"SELECT body FROM hands WHERE {' AND '.join(conditions)} ORDER BY number DESC LIMIT ?"  # noqa: S608
    return [_hands.decode(reader.unseal("hand", body)).hand for [body] in reader.query(sql, (*given, limit))]


# --- Disputes ---------------------------------------------------------------------------------------------------------


class Dispute(Struct, frozen=True):
    """A freeze, and by seat what its screen showed then; None if the table was not open at that entry."""

    table: str
    sequence: int
    at: str
    seat: int
    reason: str
    shown: dict[str, dict[str, Any] | None]


def disputes(
    writer: ViewWriter, log: Log, decision: TableEntry, approvals: Callable[[], Approvals]
) -> Iterator[KeptRecord]:
    """Yield the freezes of a decision, with what each seat's screen showed by its own confirmation."""
    entry, table = decision.entry, decision.after.id
    for event in decision.events:
        if not isinstance(event, (t.TableFrozen, t.ScreensShown)):
            continue
        shown = dict(_screens(writer, log, entry, event.shown, approvals()))
        if isinstance(event, t.TableFrozen):
            yield _dispute(Dispute(table, entry.sequence, entry.at, event.seat, event.reason, shown))
            continue
        [newest] = find_records(writer, "disputes", table=table, limit=1).records
        known = msgspec.convert(newest, Dispute)
        yield _dispute(replace(known, shown={**known.shown, **shown}))


def _dispute(dispute: Dispute) -> KeptRecord:
    return KeptRecord("disputes", dispute.at, dispute.sequence, "", dispute.table, msgspec.to_builtins(dispute))


def _screens(
    writer: ViewWriter, log: Log, entry: Entry, confirmed: dict[str, int], approvals: Approvals
) -> Iterable[tuple[str, dict[str, Any] | None]]:
    """Yield what each seat's screen showed: the table as of its last confirmed news, and its own rack."""
    tables = {last: table_at(writer, log, entry.stream, min(last, entry.sequence)) for last in set(confirmed.values())}
    for seat, last in confirmed.items():
        live = tables[last]
        if live is None:
            yield seat, None
            continue
        player = live.players.get(int(seat)) if seat.isdecimal() else None
        own = own_of(live, Actor(player.account, player.name, PLAYER)) if player else None
        yield (
            seat,
            msgspec.to_builtins({"sequence": last, "table": view_of(live, approvals), "own": own}, str_keys=True),
        )


_ROLLS_MIN = 30  # fewer say little about an hour
_PAUSE_SECONDS = 1800.0  # a longer time between two hands is a pause, and not the table's pace


class Pace(Struct, frozen=True):
    """Rolls an hour, and over how many rolls they were measured; 0 if they are only the usual."""

    rolls_an_hour: int
    rolls: int = 0


def pace_of(hands: Sequence[HandPlayed]) -> Pace:
    """Return the pace of a table's hands, newest first. The newest is not counted: it may still be played.

    >>> hands = [HandPlayed(n, 1, "Ada", 10, 0, 0, f"2026-11-16T09:{n * 5:02}:00.000000Z") for n in (4, 3, 2, 1)]
    >>> pace_of(hands), pace_of(hands[:2])
    (Pace(rolls_an_hour=120, rolls=30), Pace(rolls_an_hour=100, rolls=0))
    """
    rolls, seconds = 0, 0.0
    for later, hand in pairwise(hands):
        took = (datetime.fromisoformat(later.at) - datetime.fromisoformat(hand.at)).total_seconds()
        if 0 < took <= _PAUSE_SECONDS + 60 * hand.rolls:
            rolls, seconds = rolls + hand.rolls, seconds + took
    return Pace(round(rolls * 3600 / seconds), rolls) if rolls >= _ROLLS_MIN else Pace(ROLLS_PER_HOUR)
