"""The records of a log by a fold over all of it, as they were first made: what the projection must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import json
from msgspec.structs import replace

from passline.game import events as e
from passline.game.wording import seat_name
from passline.rules.rules import Rules
from passline.rules.schema import clause_text
from passline.store.entry import Stored
from passline.streams.course import Actor
from passline.tables import events as t
from passline.tables import house_events as h
from passline.tables.approvals import Approvals
from passline.tables.entries import HOUSE_CODEC, TableEntry, is_house
from passline.tables.ledger import movements_of
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.recall import Dispute, HandPlayed
from passline.tables.views.records import Activity, Posting, Record, posting_of
from passline.tables.views.table_view import own_of, view_of
from passline.tables.views.wording import call_of, format_table_event, lines_of
from tests.tables.decoded import table_entries

_SECURITY = (
    *(t.TableFrozen, t.ScreensShown, t.TableReleased, t.RollCorrected, t.ConductReported, t.EmployeeRuledOut),
    *(t.BankOwed, t.BankPaid, t.WagerPastPosted),
    *(t.DiceSetPutIn, t.DiceCondemned, t.IrregularityReported, t.ActionDirected, t.ActionObserved),
)
_SURVEILLANCE = (e.SurveillanceNotified,)


def daily_activity(entries: Iterable[Stored]) -> tuple[Activity, ...]:
    """Return the activity of every table on every gaming day on which something happened there."""
    days: dict[tuple[str, str], Activity] = {}
    for decision in table_entries(entries):
        key = (decision.after.id, decision.entry.at[:10])
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


def records_of(entries: Sequence[Stored], record_class: str) -> list[Record]:
    """Return the records of a class, oldest first: those filed, and those noted; daily figures are apart."""
    found = [*_filed(entries, record_class), *_noted(entries, record_class)]
    return sorted(found, key=lambda one: (one.at, one.sequence))


def _filed(entries: Iterable[Stored], record_class: str) -> Iterator[Record]:
    for stored in entries:
        entry = stored.entry
        if is_house(entry):
            for event in HOUSE_CODEC.events(entry):
                if isinstance(event, h.ReportFiled) and event.record_class == record_class:
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


def hands_of(entries: Iterable[Stored]) -> list[HandPlayed]:
    """Return the hands of one table in order. If a correction undoes a hand, the next one takes its number."""
    hands: dict[int, HandPlayed] = {}
    rolls: dict[int, int] = {}  # the hand of each roll, by the roll's number
    for decision in table_entries(entries):
        entry, after = decision.entry, decision.after
        for event in decision.events:
            match event:
                case e.DiceAccepted():
                    name = seat_name(event.seat, {seat: player.name for seat, player in after.players.items()})
                    hands[after.hand] = HandPlayed(after.hand, event.seat, name, 0, entry.sequence, 0, entry.at)
                case e.RollSettled():
                    rolls[after.track.roll] = after.hand
                case t.RollCorrected():
                    assert after.before_roll is not None
                    track = after.before_roll.track
                    rolls = {roll: hand for roll, hand in rolls.items() if roll <= track.roll}
                    rolls |= {after.track.roll: track.hand} if after.track.roll > track.roll else {}
                    hands = {number: hand for number, hand in hands.items() if number <= after.hand}
                case _:
                    pass
        if after.hand in hands:
            hands[after.hand] = replace(hands[after.hand], last=entry.sequence)
    counts = Counter(rolls.values())
    return [replace(hand, rolls=counts[hand.number]) for hand in hands.values()]


def disputes_of(entries: Iterable[Stored], approvals: Approvals) -> list[Dispute]:
    """Return every freeze of one table, with what each seat's screen showed by its own confirmation."""
    history: list[tuple[int, LiveTable]] = []
    found: list[Dispute] = []
    for decision in table_entries(entries):
        entry = decision.entry
        history.append((entry.sequence, decision.after))
        for event in decision.events:
            if isinstance(event, t.TableFrozen | t.ScreensShown):
                shown = {seat: _shown(history, seat, last, approvals) for seat, last in event.shown.items()}
                if isinstance(event, t.TableFrozen):
                    found.append(Dispute(decision.after.id, entry.sequence, entry.at, event.seat, event.reason, shown))
                else:
                    found[-1] = replace(found[-1], shown={**found[-1].shown, **shown})
    return found


def _shown(history: list[tuple[int, LiveTable]], seat: str, last: int, approvals: Approvals) -> dict[str, Any] | None:
    """Return what one seat's screen showed: the table as of its last confirmed news, and its own rack."""
    live = next((live for sequence, live in reversed(history) if sequence <= last), None)
    if live is None:
        return None
    player = live.players.get(int(seat)) if seat.isdecimal() else None
    own = own_of(live, Actor(player.account, player.name, "player")) if player else None
    seen: dict[str, Any] = {"sequence": last, "table": view_of(live, approvals), "own": own}
    return json.decode(json.encode(seen), type=dict[str, Any])  # as a page gets it


def lines_and_calls(entries: Iterable[Stored]) -> dict[int, tuple[tuple[str, ...], str]]:
    """Return every entry of a table in words, and the stickperson's call, by sequence."""
    return {
        one.entry.sequence: (lines_of(one.before, one.after, one.events), call_of(one.after, one.events))
        for one in table_entries(entries)
    }
