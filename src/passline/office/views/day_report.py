"""A gaming day of an office, to be handed over: its acts, incidents, counts, clearances, money and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from msgspec import Struct, field

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct, recorded_acts
from passline.acts.papers.form_codes import EntryMark
from passline.acts.papers.houses import opened_under
from passline.acts.papers.sheet import PaperSheet
from passline.acts.rules import ActRules
from passline.acts.state import CASH_REPORT, INCIDENT, ActState, KnownThing, thing_key
from passline.acts.stocks import Stocks
from passline.acts.tills import DROPS
from passline.acts.views.forms import FormMatter
from passline.acts.views.lists import (
    acts_table,
    cited_clause,
    correction_words,
    doer_of,
    late_mark,
    part_in_words,
    signers_in_short,
    things_in_words,
)
from passline.acts.views.manual_slips import handed_to, slip_kinds, slips_missing
from passline.acts.views.wording import Names, value_in_words
from passline.authority.roles import REGULATOR
from passline.bookkeeping.account import PlayAccount
from passline.bookkeeping.act_money import units_cents
from passline.bookkeeping.cage import stocks_before
from passline.bookkeeping.period_sums import ToDate, sums_by_pit, sums_of_days
from passline.bookkeeping.pits import NO_PIT
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.documents.sheet import Cell, SheetTable
from passline.money import Cents, dollars
from passline.office.views.results import (
    day_sums_table,
    grouped_sums,
    results_table,
    sums_by_game,
    to_date_table,
)
from passline.store.entry import Entry
from passline.tables.money.unkeyed import NOT_COVERED

_ACCEPTED = "accepted"  # the state of a slip whose chips have arrived
_SLIPS = (("fill_slip", "Fills"), ("credit_slip", "Credits"))
_COUNTS = ("count_box", "correct_count")
INCIDENTS, OPEN_MATTERS = "Incidents", "Open matters"
"""The titles of the tables with incidents and with what is open."""


class OfficeDay(FormMatter, frozen=True, kw_only=True):
    """A gaming day, and all that is known of it until now; forms are printed from it as the office is now."""

    day: date
    events: Sequence[tuple[str, e.ActEvent]]  # of the day, with their moments
    acts: dict[int, RecordedAct]  # that were recorded, signed, done or taken back in the day, as they stand now
    told: dict[int, e.LedgerTold]  # what the ledgers of live tables had at counts, by act
    shifts: Sequence[TableResult]  # what each table has won in each shift of the day
    to_date: ToDate  # what each has won in the day, the month and the year until then
    filed: Mapping[str, KnownThing] = {}  # things of the day that are not at hand any more, by kind/id
    opening: Stocks = field(default_factory=dict)  # what lay where when the day began
    course: Sequence[PlayAccount] = ()  # what the house won and should have won by day, until this one, if it is known

    def has(self, at: str) -> bool:
        """Return whether a moment lies in the day."""
        begins, ends = day_bounds(self.facility, self.day)
        return begins <= at < ends

    def own_acts(self) -> list[RecordedAct]:
        """Return the acts of the day in the order of their numbers."""
        return [self.acts[number] for number in sorted(self.acts)]

    def thing(self, kind: str, id: str) -> KnownThing | None:  # noqa: A002 - what identifies it
        """Return a thing as it is now, or as it was filed."""
        return self.filed.get(thing_key(kind, id)) or self.state.thing(kind, id)


class OfficePast(Struct, frozen=True):
    """A gaming day, and the office as it was when the day began and when it ended."""

    day: OfficeDay
    before: ActState
    until: ActState
    acts_of: Callable[[PaperSheet], Mapping[int, RecordedAct]]  # finds the acts that a paper of the day is made from
    acts_about: Callable[[str], Sequence[RecordedAct]]  # finds the acts about a thing, as kind/id
    entry_of: Callable[[str], EntryMark | None]  # finds the entry that made a thing, as kind/id, or has an act: act/7
    authority: Callable[[], Sequence[Entry]]  # finds the entries that say who was given authority, and maybe others
    closing: int  # the entry by which the books of the day were closed; 0: they are open
    until_entry: Callable[[int], OfficePast | None] = lambda _entry: None  # finds it as of an entry, if that was kept


def office_day(
    rules: ActRules,
    state: ActState,
    day: date,
    events: Sequence[tuple[str, e.ActEvent]],
    *,
    filed: Mapping[str, KnownThing] | None = None,
    names: Names | None = None,
) -> OfficeDay:
    """Return a gaming day from all events of an office until now, with their moments, and its state now."""
    facility = state.facility
    assert facility is not None
    begins, ends = day_bounds(facility, day)
    results = table_results(events, facility)
    acts = {
        number: act
        for number, act in recorded_acts(events).items()
        if any(
            begins <= at < ends
            for at in (act.at, act.completed, act.voided, *(signature.at for signature in act.signatures))
        )
    }
    return OfficeDay(
        rules=rules,
        facility=facility,
        state=state,
        day=day,
        events=tuple((at, event) for at, event in events if begins <= at < ends),
        acts=acts,
        told={event.act: event for _, event in events if isinstance(event, e.LedgerTold) and event.act in acts},
        shifts=tuple(result for result in results if result.day == day),
        to_date=ToDate.of_days(day.isoformat(), sums_of_days(results)),
        filed=filed or {},
        names=names or {},
        opening=stocks_before(events, begins),
    )


def day_bounds(facility: Facility, day: date) -> tuple[str, str]:
    """Return when a gaming day begins, and when the next one does.

    >>> day_bounds(Facility(name="Harbour", zone="America/Phoenix"), date(2026, 3, 2))[0]
    '2026-03-02T13:00:00.000000Z'
    """
    following = day + timedelta(days=1)
    return facility.moment(day, facility.day_begins), facility.moment(following, facility.day_begins)


def day_tables(day: OfficeDay) -> list[SheetTable]:
    """Return everything of a gaming day, table by table."""
    acts = day.own_acts()
    return [
        results_table(day.shifts),
        *_totals(day),
        to_date_table(day.to_date, day.day),
        *(_slips(day, kind, title) for kind, title in _SLIPS),
        _drops(day, acts),
        _boxes(day, acts),
        _counts(day, acts),
        _incidents(day),
        matters_table(day),
        _clearances(day),
        acts_table(day.rules, day.facility, acts, day.names, day.state),
    ]


def _totals(day: OfficeDay) -> list[SheetTable]:
    """Return the results of the day by shift, by pit and by game."""
    by_pit = {pit or NO_PIT: total for pit, total in sums_by_pit(day.shifts).items()}
    by_shift = grouped_sums(day.shifts, "shift", day.names)
    order = {shift.name: number for number, shift in enumerate(day.facility.shifts)}
    in_order = dict(sorted(by_shift.items(), key=lambda entry: order.get(entry[0], len(order))))
    games = {game.replace("_", " "): total for game, total in sums_by_game(day.state, day.to_date.day).items()}
    sums = (("shift", in_order), ("pit", by_pit), ("game", games))
    return [day_sums_table(f"Drop, win and hold by {head}", head, found) for head, found in sums]


def matters_table(day: OfficeDay) -> SheetTable:
    """Return everything that is open now: to be signed, under way, not counted or not closed."""
    rows: list[tuple[Cell, ...]] = []
    for pending in day.state.pending.values():
        done, rule = pending.done, day.rules.act(pending.done.act)
        act = RecordedAct(done=done, at=done.occurred)
        wants = ", ".join(part_in_words(day.rules, act, part) for part in done.waits if part not in pending.signed)
        name = f"{rule.name if rule else done.act.replace('_', ' ')}, act {done.number}"
        about = things_in_words(act, day.words)
        rows.append(("waits to be signed", about, day.local(done.occurred), f"{name}: waits for {wants}"))
    for kind, thing in day.rules.pages.things.items():
        ends = thing.states[-1:] if kind == CASH_REPORT else thing.final if thing.filed and thing.series else ()
        if not ends or not is_shown(day.rules, kind):
            continue
        if kind in slip_kinds(day.rules):  # what lies ready for an outage is no open matter
            continue
        for known in day.state.of_kind(kind):
            if known.state not in (*ends, _ACCEPTED):  # what was accepted may be reversed, and is no open matter
                state = known.state.replace("_", " ")
                which = str(known.facts.get("gaming_day", "")) if kind == CASH_REPORT else known.id
                rows.append((f"{thing.name}, {state}", which, day.local(known.since), _said_of(day, known)))
    for slip in slips_missing(day.rules, day.state):
        about = f"{handed_to(slip)}, since outage {slip.facts.get('outage', '')}"
        rows.append(("manual slip, missing", slip.id, day.local(slip.since), about))
    for box, (table, on, shift) in day.state.tills.boxes.items():
        rows.append(("drop box, not counted", box, f"{on}, {shift}", f"from {table}"))
    rows += (("table, not closed", table, f"{key[1]}, {key[2]}", "") for table, key in day.state.tills.open.items())
    return SheetTable(
        title=OPEN_MATTERS,
        heads=("what", "which", "since", "about"),
        widths=(1.5, 1.2, 1.2, 5),
        rows=tuple(rows),
        nothing="Nothing is open.",
    )


def _said_of(day: OfficeDay, known: KnownThing) -> str:
    """Return what an open matter is about: what is wrong, the patron, or the table and the chips."""
    if why := known.facts.get("why"):
        return day.words.reason(str(why))
    if patron := known.facts.get("patron"):
        return day.words.subject(str(patron))
    table, units = known.facts.get("table"), known.facts.get("units")
    return ", ".join(filter(None, (str(table or ""), value_in_words(units) if units else "")))


def is_shown(rules: ActRules, kind: str) -> bool:
    """Return whether the regulator, who receives the file of a day, may read of a kind of thing."""
    thing = rules.pages.things.get(kind)
    return thing is None or not thing.seen_by or REGULATOR in thing.seen_by


def _slips(day: OfficeDay, kind: str, title: str) -> SheetTable:
    """Return the slips of a kind that anything was done to in the day, with each step and its person."""
    steps: dict[str, list[RecordedAct]] = {}
    for act in day.own_acts():
        if act.done.kind == kind and act.status != "taken back":
            for slip in act.done.things:
                steps.setdefault(slip, []).append(act)
    rows: list[tuple[Cell, ...]] = []
    moved = 0
    for slip, acts in steps.items():
        known = day.thing(kind, slip)
        facts = known.facts if known else {}
        units = facts.get("units") or {}
        said = "; ".join(
            f"{_name(day, act)}: {_who(day, act)}, {day.local(act.at)[11:]}{late_mark(act)}" for act in acts
        )
        state = known.state.replace("_", " ") if known else ""
        moved += units_cents(units) if state == _ACCEPTED else 0
        rows.append(
            (slip, str(facts.get("table", "")), value_in_words(units) if units else "", units_cents(units), state, said)
        )
    if rows:
        rows.append(("accepted", "", "", moved, "", ""))
    return SheetTable(
        title=title,
        heads=("slip", "table", "chips", "amount $", "state", "steps"),
        widths=(0.9, 0.7, 1.6, 0.9, 0.8, 5),
        rows=tuple(rows),
        totals=(len(rows) - 1,) if rows else (),
        nothing=f"No {title.lower()}.",
    )


def _drops(day: OfficeDay, acts: Sequence[RecordedAct]) -> SheetTable:
    return SheetTable(
        title="Drops",
        heads=("occurred", "act", "table", "shift", "box taken", "box put on", "by", "signed by", "status"),
        widths=(1.2, 1.2, 0.6, 0.6, 0.8, 0.8, 1.4, 2, 0.8),
        rows=tuple(
            (
                day.local(act.done.occurred),
                _name(day, act),
                *(act.done.things[:1] or ("",)),
                *(str(act.done.fields.get(key, "")) for key in ("shift", "dropped", "drop_box")),
                doer_of(act),
                signers_in_short(act, day.rules),
                act.marked_status,
            )
            for act in acts
            if act.done.act in DROPS
        ),
        nothing="No box was dropped.",
    )


def _boxes(day: OfficeDay, acts: Sequence[RecordedAct]) -> SheetTable:
    """Return the soft counts of the day."""
    rows: list[tuple[Cell, ...]] = []
    for act in acts:
        if act.done.act in _COUNTS:
            cash, chips = (units_cents(act.done.fields.get(key)) for key in ("cash", "chips"))
            tickets = int(act.done.fields.get("tickets") or 0)
            box = act.done.things[0] if act.done.things else ""
            who = "; ".join(filter(None, (doer_of(act), signers_in_short(act, day.rules))))
            status = f"{act.marked_status}, act {act.done.number}{correction_words(act)}"
            if "corrects" not in act.done.fields and _is_of_no_drop(day.rules, act):
                status += ", counted, of no drop"
            money = (cash, chips, tickets, cash + chips + tickets)
            ledger = Cents(told.ledger) if (told := day.told.get(act.done.number)) else NOT_COVERED
            rows.append((day.local(act.done.occurred), box, *money, ledger, who, status))
    corrections = [act for act in acts if act.correction]
    counted = [_counted_now(act, corrections) for act in acts if act.done.act == _COUNTS[0] and act.status == "done"]
    is_summed = len(counted) > 1
    if is_summed:
        sums = [sum(units_cents(fields.get(key)) for fields in counted) for key in ("cash", "chips")]
        sums.append(sum(int(fields.get("tickets") or 0) for fields in counted))
        is_corrected = any(act.done.act in _COUNTS[1:] for act in acts)
        rows.append(("all, as corrected" if is_corrected else "all", "", *sums, sum(sums), "", "", ""))
    return SheetTable(
        title="Soft counts",
        heads=("occurred", "box", "cash $", "chips $", "tickets $", "together $", "ledger $", "counted by", "status"),
        widths=(1.2, 0.9, 1, 1, 1, 1, 1, 3, 1.6),
        rows=tuple(rows),
        totals=(len(rows) - 1,) if is_summed else (),
        nothing="No box was counted.",
    )


def _counted_now(act: RecordedAct, corrections: Sequence[RecordedAct]) -> dict[str, Any]:
    """Return what a count says once the corrections of the day are made."""
    fields = dict(act.done.fields)
    for other in corrections:
        if other.correction and other.correction.first == act.done.number:
            fields |= other.correction.now
    return fields


def _is_of_no_drop(rules: ActRules, act: RecordedAct) -> bool:
    """Return whether a box was counted that nobody had dropped: it stays where it was, and is in no result."""
    rule = rules.act(act.done.act)
    if rule is None or not rule.stays or act.result is None:
        return False
    begun = {other.to for other in rules.pages.acts.values() if other.new and other.thing == rule.thing}
    return act.result.changes[0].state not in {rule.to, *(begun if rule.restores else ())}


def _counts(day: OfficeDay, acts: Sequence[RecordedAct]) -> SheetTable:
    """Return every count of the day against the record and the ledger of its table, with what differs."""
    rows: list[tuple[Cell, ...]] = []
    ledgers = day.told
    for act in acts:
        rule = day.rules.act(act.done.act)
        if rule is None or rule.counts is None or rule.tallies or act.done.act in _COUNTS:
            continue
        counted = day.words.field(rule.fields.get(rule.counts.field), act.done.fields.get(rule.counts.field) or {})
        found = act.result.variances if act.result else ()
        differ = "; ".join(
            f"{day.words.variance(each)}{f' [{clause}]' if (clause := cited_clause(each.clause)) else ''}"
            for each in found
        )
        plain = "none" if act.result else f"{act.status}: {act.reason}" if act.reason else "waits to be signed"
        rows.append(
            (
                day.local(act.done.occurred),
                _name(day, act),
                things_in_words(act, day.words),
                counted,
                f"{differ or plain}{_beside(ledgers.get(act.done.number))}{late_mark(act)}{correction_words(act)}",
                doer_of(act),
                signers_in_short(act, day.rules),
            )
        )
    return SheetTable(
        title="Counts and variances",
        heads=("occurred", "count", "of", "counted", "variance", "by", "signed by"),
        widths=(1.1, 1.6, 0.7, 2, 2.4, 1.3, 1.8),
        rows=tuple(rows),
        nothing="Nothing was counted against the record.",
    )


def _beside(told: e.LedgerTold | None) -> str:
    """Return what the ledger of a live table had at a count, and what lay on its layout."""
    if told is None:
        return ""
    differs = told.counted - told.ledger
    over = f", {dollars(abs(differs))} {'over' if differs > 0 else 'short'}" if differs else ", as counted"
    layout = f", {dollars(told.layout)} on the layout" if told.layout else ""
    return f"; ledger {dollars(told.ledger)}{over}{layout}"


def _incidents(day: OfficeDay) -> SheetTable:
    opened = {event.id: at for at, event in day.events if isinstance(event, e.IncidentOpened)}
    known = [found for id_ in opened if (found := day.thing(INCIDENT, id_))]
    return SheetTable(
        title=INCIDENTS,
        heads=("incident", "opened", "state now", "about", "what is wrong", "clause", "act"),
        widths=(0.7, 1.1, 0.8, 1, 4, 1.1, 0.4),
        rows=tuple(
            (
                each.id,
                day.local(opened[each.id]),
                each.state.replace("_", " "),
                day.words.subject(str(each.facts.get("about", ""))),
                day.words.reason(str(each.facts.get("why", ""))),
                cited_clause(str(each.facts.get("clause", ""))),
                int(each.facts.get("act") or 0) or None,
            )
            for each in known
        ),
        nothing="No incident was opened.",
    )


def _clearances(day: OfficeDay) -> SheetTable:
    rows: list[tuple[Cell, ...]] = []
    for at, event in day.events:
        if isinstance(event, e.TableCleared):
            house = opened_under(day.state, event.house)
            rows.append(
                (day.local(at), event.table, "cleared for opening", event.number, f"{house}, {event.house[:12]}")
            )
        elif isinstance(event, e.TableShut):
            rows.append((day.local(at), event.table, "closed", None, ""))
    return SheetTable(
        title="Clearances of tables",
        heads=("at", "table", "what", "clearance", "house, and the first of the SHA-256 of its file"),
        widths=(1, 0.8, 1.2, 0.6, 3),
        rows=tuple(rows),
        nothing="No table was cleared for opening.",
    )


def _name(day: OfficeDay, act: RecordedAct) -> str:
    rule = day.rules.act(act.done.act)
    return rule.name if rule else act.done.act.replace("_", " ")


def _who(day: OfficeDay, act: RecordedAct) -> str:
    signed = (f"{signed.name} ({part_in_words(day.rules, act, signed.part)})" for signed in act.signatures)
    return ", ".join([act.done.name, *signed])
