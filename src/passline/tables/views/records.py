"""Records for the regulator, made from the log alone: daily activity and accounting, reports, postings, notices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from passline.game import events as e
from passline.money import dollars, with_dollar_sign
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.store.entry import Stored
from passline.tables import events as t
from passline.tables.duties import REPORTS
from passline.tables.entries import HOUSE_CODEC, TableEntry, is_house, table_entries
from passline.tables.ledger import movements_of
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.wording import format_table_event

__all__ = [
    "CLASSES",
    "Activity",
    "Posting",
    "Record",
    "daily_activity",
    "gaming_day",
    "posting_of",
    "postings",
    "records_of",
]

CLASSES = tuple(REPORTS)
"""The classes of records. The regulator may read everything else in the log too."""
_SECURITY = (t.TableFrozen, t.ScreensShown, t.TableReleased, t.RollCorrected, t.ConductReported)
_SURVEILLANCE = (e.SurveillanceNotified,)


class Activity(Struct, frozen=True, kw_only=True):
    """One table on one gaming day, in cents; `win` is what its bank gained by play."""

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


def gaming_day(at: str, begins: int = 0) -> str:
    """Return the gaming day of a moment, where gaming days begin at the hour `begins`, UTC.

    >>> gaming_day("2026-11-15T05:59:59.999999Z", 6), gaming_day("2026-11-15T06:00:00.000000Z", 6)
    ('2026-11-14', '2026-11-15')
    """
    return (datetime.fromisoformat(at).astimezone(UTC) - timedelta(hours=begins)).date().isoformat()


def daily_activity(entries: Iterable[Stored], *, begins: int = 0) -> tuple[Activity, ...]:
    """Return the activity of every table on every gaming day on which something happened there."""
    days: dict[tuple[str, str], Activity] = {}
    for decision in table_entries(entries):
        key = (decision.after.id, gaming_day(decision.entry.at, begins))
        before = decision.before
        day = days.get(key) or Activity(
            table=key[0], day=key[1], bank_opening=before.balances.get("bank", 0) if before else 0
        )
        days[key] = _counted(day, decision)
    return tuple(days[key] for key in sorted(days))


def _counted(day: Activity, decision: TableEntry) -> Activity:
    before, after = decision.before, decision.after
    accounts = {seat: player.account for seat, player in after.players.items()}
    drop, fills, credits_, win, tips = day.drop, day.fills, day.credits, day.win, day.tips
    for event in decision.events:
        match event:
            case e.BuyInMade():
                drop += event.cents
            case e.FillMade():
                fills += event.cents
            case e.CreditMade():
                credits_ += event.cents
            case t.TableClosed():
                pass
            case _:
                moved = movements_of(event, accounts)
                win += sum(move.cents for move in moved if move.account == "bank")
                tips += sum(move.cents for move in moved if move.account == "tips")
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
            kind: (one.min, one.max)
            for kind, one in rules.wagers.items()
            if one.is_offered and not one.behind and (one.min, one.max) != table
        },
        noticed_at=noticed_at,
        clause=clause_text(rule.cite) if rule else "",
    )


def postings(entries: Iterable[Stored]) -> Iterator[Posting]:
    """Yield every posting of limits: when a table opens, and when noticed limits come into force."""
    noticed: dict[str, str] = {}
    for decision in table_entries(entries):
        entry, table = decision.entry, decision.after.id
        for event in decision.events:
            if isinstance(event, t.TableOpened | t.LimitsChanged):
                noticed_at = noticed.pop(table, "") if isinstance(event, t.LimitsChanged) else ""
                yield posting_of(decision.after, sequence=entry.sequence, at=entry.at, noticed_at=noticed_at)
            elif isinstance(event, t.LimitsNoticed):
                noticed[table] = entry.at


def records_of(entries: Sequence[Stored], record_class: str, *, begins: int = 0) -> list[Record]:
    """Return the records of a class, oldest first: those filed, and those derived from the log."""
    found = [*_filed(entries, record_class), *_noted(entries, record_class)]
    if record_class == "daily_activity_accounting":
        last = entries[-1].entry if entries else None
        found += [
            Record(
                record_class=record_class,
                sequence=last.sequence if last else 0,
                at=one.day,
                table=one.table,
                by="",
                text=_activity_text(one),
            )
            for one in daily_activity(entries, begins=begins)
        ]
    return sorted(found, key=lambda one: (one.at, one.sequence))


_MONEY = frozenset({"bank_opening", "drop", "fills", "credits", "win", "tips", "bank_closing"})


def _activity_text(one: Activity) -> str:
    """Return a day's figures as a line of text.

    >>> _activity_text(Activity(table="craps-1", day="2026-11-15", hands=2, rolls=9, drop=500_00, win=-20_00))[:62]
    'hands 2, rolls 9, bank opening $0.00, drop $500.00, fills $0.0'
    """
    figures = {name: getattr(one, name) for name in one.__struct_fields__[2:]}
    return ", ".join(
        f"{name.replace('_', ' ')} {with_dollar_sign(dollars(figure)) if name in _MONEY else figure}"
        for name, figure in figures.items()
    )


def _filed(entries: Iterable[Stored], record_class: str) -> Iterator[Record]:
    for stored in entries:
        entry = stored.entry
        if is_house(entry):
            for event in HOUSE_CODEC.events(entry):
                if isinstance(event, t.ReportFiled) and event.record_class == record_class:
                    yield Record(
                        record_class=record_class,
                        sequence=entry.sequence,
                        at=entry.at,
                        table=event.table,
                        by=entry.actor,
                        text=event.text,
                    )


def _noted(entries: Iterable[Stored], record_class: str) -> Iterator[Record]:
    """Yield the events at tables that belong to a class of records without being filed."""
    kinds = {"security": _SECURITY, "surveillance": _SURVEILLANCE}.get(record_class, ())
    if not kinds:
        return
    for decision in table_entries(entries):
        rules, entry = rules_of(decision.after), decision.entry
        names = {seat: player.name for seat, player in decision.after.players.items()}
        for event in decision.events:
            if isinstance(event, kinds):
                yield Record(
                    record_class=record_class,
                    sequence=entry.sequence,
                    at=entry.at,
                    table=decision.after.id,
                    by=entry.actor,
                    text=format_table_event(event, rules, names)[0],
                    clause=_class_clause(rules, record_class),
                )


def _class_clause(rules: Rules, record_class: str) -> str:
    rule = rules.rulebook.general.live.records.get(record_class)
    return clause_text(rule.cite) if rule else ""
