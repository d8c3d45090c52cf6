"""Records for the regulator, kept as the log grows: daily activity and accounting, reports, postings, disputes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, json
from msgspec.structs import astuple, replace

from passline.errors import CrapsError
from passline.game import events as e
from passline.money import dollars, with_dollar_sign
from passline.rules.schema import clause_text
from passline.store.entry import Entry
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.duties import REPORTS
from passline.tables.entries import HOUSE_CODEC, TableEntry
from passline.tables.ledger import balances_after
from passline.tables.live import LiveTable
from passline.tables.money.unkeyed import NOT_COVERED
from passline.tables.rules_in_force import rules_of
from passline.tables.views.wording import format_table_event

CLASSES = tuple(REPORTS)
"""The classes of records. The regulator may read everything else in the log too."""
KEPT_RECORDS = (*CLASSES, "checkpoints", "reports", "activity", "postings", "disputes")
"""The kinds of records that are kept as the log grows: the classes, and what the log has besides."""
RECORDS_TABLES = {
    "records": """CREATE TABLE records (kind TEXT NOT NULL, at TEXT NOT NULL, sequence INTEGER NOT NULL,
        place TEXT NOT NULL, house_table TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, at, sequence, place))""",
    "notices": "CREATE TABLE notices (house_table TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID",
}
"""How the tables are created: records, and when players were given notice of limits to come."""
RECORDS_INDEXES = ("CREATE INDEX records_by_table ON records (kind, house_table, at, sequence, place)",)
"""The index of records by table."""
_NOTED: dict[str, tuple[type, ...]] = {
    "security": (
        *(t.TableFrozen, t.ScreensShown, t.TableReleased, t.RollCorrected, t.ConductReported),
        *(t.BankOwed, t.BankPaid, t.EmployeeRuledOut),
        *(t.DiceSetPutIn, t.DiceCondemned, t.IrregularityReported, t.ActionDirected, t.ActionObserved),
        t.WagerPastPosted,
    ),
    "surveillance": (e.SurveillanceNotified,),
}
_RECORDED = frozenset(
    {t.TableOpened, t.LimitsChanged, t.LimitsNoticed, *(kind for kinds in _NOTED.values() for kind in kinds)}
)


class Activity(Struct, frozen=True, kw_only=True):
    """One table on one gaming day, in cents; `win` is what its bank gained by play, as far as wagers were keyed in."""

    table: str
    day: str
    hands: int = 0
    rolls: int = 0
    bank_opening: int = 0
    drop: int = 0
    fills: int = 0
    credits: int = 0
    win: int = 0
    tips: int = 0
    bank_closing: int = 0
    corrections: int = 0
    freezes: int = 0
    counted: int = 0  # by which counts changed the bank: an opener of new books, and variances from the ledger
    is_covered: bool = True  # False: no wagers were keyed in, so that neither bank nor win are known


class Posting(Struct, frozen=True, kw_only=True):
    """The limits posted at a table, and since when."""

    table: str
    sequence: int
    at: str
    wager_cents_min: int
    wager_cents_max: int
    wagers: dict[str, tuple[int, int]]  # only those with limits of their own
    noticed_at: str = ""  # when players were given notice of them
    clause: str


class Record(Struct, frozen=True, kw_only=True):
    """One record of a class: filed by somebody, or derived from the log."""

    record_class: str
    sequence: int
    at: str
    table: str
    by: str
    text: str
    clause: str = ""


# --- Writing ----------------------------------------------------------------------------------------------------------


class KeptRecord(Struct, frozen=True):
    """A record of some kind and its place among those of its kind: by time, then sequence, then `place`."""

    kind: str
    at: str
    sequence: int
    place: str
    table: str
    record: dict[str, Any]  # as JSON shows it


_kept = json.Decoder(KeptRecord)


def keep_records(writer: ViewWriter, records: Iterable[KeptRecord]) -> None:
    """Store records; a record replaces an earlier one in the same place."""
    rows = [(*astuple(record)[:-1], writer.seal("record", json.encode(record))) for record in records]
    if rows:  # nearly no entry puts anything on record
        writer.write("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)


def house_records(entry: Entry) -> Iterator[KeptRecord]:
    """Yield the records of an entry of the house: reports, in their class and among all reports, and checkpoints."""
    for place, event in enumerate(HOUSE_CODEC.events(entry)):
        if isinstance(event, h.ReportFiled | h.ShiftClosed):
            fields = msgspec.to_builtins(event)
            del fields["event"]
            filed = {"sequence": entry.sequence, "at": entry.at, "by": entry.actor, **fields}
            kind, table = ("reports", event.table) if isinstance(event, h.ReportFiled) else ("checkpoints", "")
            yield KeptRecord(kind, entry.at, entry.sequence, str(place), table, filed)
        if isinstance(event, h.ReportFiled):
            record = Record(
                record_class=event.record_class,
                sequence=entry.sequence,
                at=entry.at,
                table=event.table,
                by=entry.actor,
                text=event.text,
            )
            yield _of_class(record, place)


def _of_class(record: Record, place: int) -> KeptRecord:
    fields = msgspec.to_builtins(record)
    return KeptRecord(record.record_class, record.at, record.sequence, str(place), record.table, fields)


def table_records(writer: ViewWriter, decision: TableEntry) -> Iterator[KeptRecord]:
    """Yield the records that a table's entry makes by itself: acts of security and surveillance, posted limits."""
    entry, after = decision.entry, decision.after
    if _RECORDED.isdisjoint(map(type, decision.events)):  # nearly all
        return
    for place, event in enumerate(decision.events):
        for record_class, kinds in _NOTED.items():
            if isinstance(event, kinds):
                yield _of_class(_record_of(decision, event, record_class), place)
        if isinstance(event, t.LimitsNoticed):
            body = writer.seal("notice", f"{after.id}/{entry.at}".encode())
            writer.write("INSERT OR REPLACE INTO notices VALUES (?, ?)", [(after.id, body)])
        elif isinstance(event, t.TableOpened | t.LimitsChanged):
            noticed_at = _noticed_at(writer, after.id) if isinstance(event, t.LimitsChanged) else ""
            posted = posting_of(after, sequence=entry.sequence, at=entry.at, noticed_at=noticed_at)
            fields = msgspec.to_builtins(posted)
            yield KeptRecord("postings", entry.at, entry.sequence, str(place), after.id, fields)


def _noticed_at(writer: ViewWriter, table: str) -> str:
    rows = writer.query("SELECT body FROM notices WHERE house_table = ?", (table,))
    writer.query("DELETE FROM notices WHERE house_table = ?", (table,))
    return writer.unseal("notice", rows[0][0]).decode().rpartition("/")[2] if rows else ""


def _record_of(decision: TableEntry, event: t.TableEvent, record_class: str) -> Record:
    entry, after, rules = decision.entry, decision.after, rules_of(decision.after)
    rule = rules.rulebook.general.live.records.get(record_class)
    return Record(
        record_class=record_class,
        sequence=entry.sequence,
        at=entry.at,
        table=after.id,
        by=entry.actor,
        text=format_table_event(event, rules, {seat: player.name for seat, player in after.players.items()})[0],
        clause=clause_text(rule.cite) if rule else "",
    )


class Days:
    """The gaming days that are being counted, by table and day; others are in the store."""

    def __init__(self) -> None:
        self._days: dict[tuple[str, str], Activity] = {}
        self._last: dict[tuple[str, str], int] = {}  # the sequence of each day's newest entry, if it is to be stored

    def count(self, reader: ViewReader, decision: TableEntry, gaming_day: str) -> None:
        """Add a decision to its day."""
        before = decision.before
        key = (decision.after.id, gaming_day)
        day = (
            self._days.get(key)
            or _day_kept(reader, *key)
            or Activity(table=key[0], day=key[1], bank_opening=before.balances.get("bank", 0) if before else 0)
        )
        self._days[key] = _with_decision(day, decision)
        self._last[key] = decision.entry.sequence

    def changed_days(self) -> Iterator[KeptRecord]:
        """Yield the days that changed since the last call, as figures and in words; each has one place for good."""
        for (table, day), sequence in self._last.items():
            known = self._days[table, day]
            yield KeptRecord("activity", day, 0, table, table, msgspec.to_builtins(known))
            record = Record(
                record_class=_ACCOUNTING, sequence=sequence, at=day, table=table, by="", text=_activity_text(known)
            )
            yield KeptRecord(_ACCOUNTING, day, 0, table, table, msgspec.to_builtins(record))
        newest = dict(self._last.keys())
        self._days = {key: activity for key, activity in self._days.items() if newest.get(key[0], key[1]) <= key[1]}
        self._last.clear()


_ACCOUNTING = "daily_activity_accounting"


def _day_kept(reader: ViewReader, table: str, day: str) -> Activity | None:
    sql = "SELECT body FROM records WHERE kind = 'activity' AND at = ? AND sequence = 0 AND place = ?"
    rows = reader.query(sql, (day, table))
    return msgspec.convert(_kept.decode(reader.unseal("record", rows[0][0])).record, Activity) if rows else None


def _with_wager(day: Activity, decision: TableEntry) -> Activity:
    """Return a day after a wager, which changes it only by what was charged."""
    after, [made] = decision.after, decision.events
    assert isinstance(made, e.WagerMade)
    charged, bank = made.after.vigorish, after.balances.get("bank", 0)
    if not charged and bank == day.bank_closing and day.is_covered <= after.is_keyed:
        return day
    return replace(day, win=day.win + charged, bank_closing=bank, is_covered=day.is_covered and after.is_keyed)


def _with_decision(day: Activity, decision: TableEntry) -> Activity:
    if decision.is_wager:
        return _with_wager(day, decision)
    before, after = decision.before, decision.after
    drop, fills, credits_, win, tips, counted = day.drop, day.fills, day.credits, day.win, day.tips, day.counted
    moving: list[t.TableEvent] = []
    for event in decision.events:
        match event:
            case e.BuyInMade():
                drop += event.cents
            case e.FillMade():
                fills += event.cents
            case e.CreditMade():
                credits_ += event.cents
            case t.TableClosed() | t.BoxDropped() | t.BoxCounted() | t.TipsCollected():
                pass
            case t.InventoryCounted():
                counted += balances_after({}, [event]).get("bank", 0)
            case _:
                moving.append(event)
    moved = balances_after({}, moving)
    win, tips = win + moved.get("bank", 0), tips + moved.get("tips", 0)
    return replace(
        day,
        hands=day.hands + after.track.hand - (before.track.hand if before else 0),
        rolls=day.rolls + after.track.roll - (before.track.roll if before else 0),
        drop=drop,
        fills=fills,
        credits=credits_,
        win=win,
        tips=tips,
        bank_closing=after.balances.get("bank", 0),
        corrections=day.corrections + _how_many(decision, t.RollCorrected),
        freezes=day.freezes + _how_many(decision, t.TableFrozen),
        counted=counted,
        is_covered=day.is_covered and after.is_keyed,
    )


def _how_many(decision: TableEntry, kind: type) -> int:
    return sum(isinstance(event, kind) for event in decision.events)


def posting_of(live: LiveTable, *, sequence: int = 0, at: str = "", noticed_at: str = "") -> Posting:
    """Return the limits that are posted at a table now."""
    rules = rules_of(live)
    table = (rules.house.wager_cents_min, rules.house.wager_cents_max)
    rule = rules.rulebook.general.live.posted
    return Posting(
        table=live.id,
        sequence=sequence,
        at=at,
        wager_cents_min=table[0],
        wager_cents_max=table[1],
        wagers={
            kind: (rule.min, rule.max)
            for kind, rule in rules.wagers.items()
            if rule.is_offered and not rule.behind and (rule.min, rule.max) != table
        },
        noticed_at=noticed_at,
        clause=clause_text(rule.cite) if rule else "",
    )


_MONEY = frozenset({"bank_opening", "drop", "fills", "credits", "win", "tips", "bank_closing", "counted"})
_BY_WAGERS = frozenset({"bank_opening", "drop", "win", "tips", "bank_closing", "counted"})  # which only a ledger knows


def _activity_text(day: Activity) -> str:
    """Return a day's figures as a line of text.

    >>> _activity_text(Activity(table="craps-1", day="2026-11-15", hands=2, rolls=9, drop=500_00, win=-20_00))[:62]
    'hands 2, rolls 9, bank opening $0.00, drop $500.00, fills $0.0'
    >>> _activity_text(Activity(table="craps-1", day="2026-11-15", fills=100_00, is_covered=False))[18:84]
    'bank opening not covered, drop not covered, fills $100.00, credits'
    """
    figures = {name: getattr(day, name) for name in day.__struct_fields__[2:-1]}

    def figure_text(name: str, figure: int) -> str:
        if name in _BY_WAGERS and not day.is_covered:
            return NOT_COVERED
        return with_dollar_sign(dollars(figure)) if name in _MONEY else str(figure)

    return ", ".join(f"{name.replace('_', ' ')} {figure_text(name, figure)}" for name, figure in figures.items())


# --- Reading ----------------------------------------------------------------------------------------------------------


class FoundRecords(Struct, frozen=True):
    """Records of one kind, newest first, and where the next page begins; empty if there is none."""

    records: list[dict[str, Any]]
    further: str


def find_records(
    reader: ViewReader,
    kind: str,
    *,
    table: str = "",
    since: str = "",
    until: str = "",
    before: str = "",
    limit: int = 100,
) -> FoundRecords:
    """Return a page of records: of one table, from `since` to before `until`, below a page's end.

    A bound is a moment, or a gaming day and the moment that it begins, as `2026-11-15 2026-11-15T13:00`: some records
    are of a whole day.
    """
    conditions, given = ["kind = ?"], [kind]
    if table:
        conditions.append("house_table = ?")
        given.append(table)
    for sign, bound in ((">=", since), ("<", until)):
        if bound:
            day, moment = bound[:_DAY], bound.rpartition(" ")[2]
            conditions.append(f"at {sign} ? AND CASE length(at) WHEN {_DAY} THEN at {sign} ? ELSE at {sign} ? END")
            given += [min(day, moment) if sign == ">=" else max(day, moment), day, moment]
    if before:
        at, _, rest = before.partition("/")
        sequence, _, place = rest.partition("/")
        if not sequence.isdecimal() or len(sequence) > _DIGITS_MAX:
            raise CrapsError(f"before: {before[:60]!r} is not where a page ended; take `next` of the last answer")
        conditions.append("(at, sequence, place) < (?, ?, ?)")
        given += [at, int(sequence), place]  # type: ignore[list-item]
    sql = f"""SELECT body FROM records WHERE {" AND ".join(conditions)}
        ORDER BY at DESC, sequence DESC, place DESC LIMIT ?"""  # noqa: S608 - our own conditions
    rows = reader.query(sql, (*given, limit))
    found = [_kept.decode(reader.unseal("record", body)) for [body] in rows]
    last = found[-1] if len(found) == limit else None
    return FoundRecords(
        [record.record for record in found], f"{last.at}/{last.sequence}/{last.place}" if last is not None else ""
    )


_DIGITS_MAX = 16
_DAY = len("2026-11-15")
