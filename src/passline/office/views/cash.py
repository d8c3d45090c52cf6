"""Cash per patron and gaming day: at tables, in tournaments and in the cage, added up exactly, in and out separately.

Accounts and walk-ins that an act has linked are one patron. Cash without a name is a line of its own. Cash that was
recorded for another gaming day than that of its entry counts on both days, so that nobody can avoid a report by
choosing a day.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.figures import ActFigures, Correction
from passline.acts.judges.cash import cash_cents, is_cash
from passline.acts.moving_schema import CashMoving
from passline.acts.patrons import linked_patrons
from passline.acts.rules import ActRules
from passline.acts.state import CASH_REPORT, ActState
from passline.acts.views.wording import Names
from passline.documents.sheet import Cell, SheetTable
from passline.money import Cents
from passline.tables.views.buy_ins import TableBuyIn

CASH_LOG = "cash_log"
"""The value of the office from which the cash of a patron is listed time by time."""
_PATRON = "patron"


class CashPart(Struct, frozen=True, omit_defaults=True):
    """Cash of one act, buy-in, tournament fee or prize."""

    who: str  # as patron/id, account/id, entrant/name or act/number
    at: str  # when it happened, as it was told
    cents: int  # into the house; below zero: to the patron
    where: str
    entered: str = ""  # when it was entered, where another moment was told and the entry's day counts too
    act: int = 0  # the act that moved it, if one did
    by: str = ""  # the name of who took or paid it, where an act says so
    taken_back: int = 0  # of a correction: the cash that was said at first, by the same sign
    corrected: str = ""  # when the correction was entered, and by which act
    corrected_by: int = 0
    office: str = ""  # another office of the house that took or paid it

    @property
    def cents_in(self) -> int:
        """What it adds to the cash that came in."""
        return max(self.cents, 0) - max(self.taken_back, 0)

    @property
    def cents_out(self) -> int:
        """What it adds to the cash that went out."""
        return max(-self.cents, 0) - max(-self.taken_back, 0)

    @property
    def entry_at(self) -> str:
        """The moment of its entry, which nobody can choose."""
        return self.entered or self.at


class PatronCash(Struct, frozen=True):
    """The cash of one patron in a gaming day."""

    patron: str  # as patron/id, account/id or act/number
    cents_in: Cents
    cents_out: Cents
    parts: tuple[CashPart, ...]
    is_above: bool  # a report is due, or was
    report: str  # how it stands: due, filed; empty: none
    is_reported_elsewhere: bool = False  # the report is of another office of the house

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that brought it."""
        named = (part.who for part in self.parts if part.who.startswith("account/"))
        return tuple(dict.fromkeys(account.removeprefix("account/") for account in named))


def cash_of_buy_ins(found: Iterable[TableBuyIn]) -> Iterator[CashPart]:
    """Yield the cash of buy-ins."""
    for patron in found:
        yield CashPart(f"account/{patron.account}", patron.at, patron.cents, f"table {patron.table}")


def cash_of_acts(
    rules: ActRules,
    events: Iterable[e.ActEvent],
    waiting: dict[int, e.ActDone],
    figures: ActFigures | None = None,
    *,
    entered: str = "",
) -> Iterator[CashPart]:
    """Yield the cash of acts that take effect by events; `waiting` has the acts recorded so far that have not yet.

    A correction of one of the figures yields two parts: what the first act said is taken back, and the right cash is
    entered at the moment of the first act.
    """
    for event in events:
        if isinstance(event, e.ActDone) and (act := rules.act(event.act)) and act.cash:
            waiting[event.number] = event
        elif isinstance(event, e.ActCompleted) and event.corrects is not None and figures is not None:
            yield from _corrected_cash(rules, event, event.corrects, figures, entered)
        elif isinstance(event, e.ActVoided):
            waiting.pop(event.number, None)
        elif isinstance(event, e.ActCompleted) and event.number in waiting:
            done = waiting.pop(event.number)
            if part := _cash_of(rules, done, entered):
                yield part


def cash_waiting(rules: ActRules, state: ActState, entered: str) -> list[CashPart]:
    """Return the cash of acts that wait to be signed, as if they took effect at the moment `entered`."""
    found = (_cash_of(rules, pending.done, entered) for pending in state.pending.values())
    return [part for part in found if part is not None]


def _cash_of(rules: ActRules, done: e.ActDone, entered: str) -> CashPart | None:
    """Return the cash that an act says; None where it was no cash."""
    act = rules.act(done.act)
    part = _cash_in(act.cash, done.number, done.occurred, done.fields) if act and act.cash else None
    if part is None or act is None or act.cash is None:
        return None
    is_another = act.cash.by_entry and entered != done.occurred
    return replace(part, entered=entered if is_another else "", act=done.number, by=done.name)


def _cash_in(cash: CashMoving, number: int, occurred: str, fields: Mapping[str, Any]) -> CashPart | None:
    """Return the cash that the fields of an act say; None where it was no cash."""
    if not is_cash(cash, fields):
        return None
    named, table, cents = fields.get(cash.patron), fields.get("table"), cash_cents(cash, fields)
    who, where = f"{_PATRON}/{named}" if named else f"act/{number}", f"table {table}" if table else "cage"
    return CashPart(who, occurred, cents if cash.to == "house" else -cents, where)


def _corrected_cash(
    rules: ActRules, event: e.ActCompleted, correction: Correction, figures: ActFigures, corrected: str
) -> Iterator[CashPart]:
    """Yield what a correction takes back, and what it says: on every day on which the first act had counted."""
    figure = figures.at_hand.get(str(correction.first)) or event.recalled
    act = rules.act(figure.act) if figure else None
    if figure is None or act is None or act.cash is None:
        return
    entered = figure.at if act.cash.by_entry and figure.at != figure.occurred else ""
    for said, sign in ((correction.was, -1), (correction.now, 1)):
        part = _cash_in(act.cash, correction.first, figure.occurred, {**figure.fields, **said})
        if part is not None:
            yield replace(
                part,
                cents=part.cents if sign > 0 else 0,
                taken_back=part.cents if sign < 0 else 0,
                where=f"{part.where}, corrected",
                entered=entered,
                act=correction.first,
                corrected=corrected,
                corrected_by=event.number,
            )


def corrected_parts(parts: Iterable[CashPart]) -> list[CashPart]:
    """Return cash with corrections added up: one part for each act and patron, and none where nothing is left."""
    found: dict[tuple[object, ...], CashPart] = {}
    for number, part in enumerate(parts):
        key = (part.office, part.act, part.who) if part.act else ("", 0, number)
        known = found.get(key)
        if known is None and not part.taken_back:
            found[key] = part
        elif known is None:
            found[key] = replace(part, cents=-part.taken_back, taken_back=0)
        else:
            found[key] = replace(known, cents=known.cents + part.cents - part.taken_back)
    return [part for part in found.values() if part.cents]


def days_of(facility: Facility, part: CashPart) -> frozenset[date]:
    """Return the gaming days on which cash counts: the day for which it was recorded, and the day of its entry."""
    return frozenset(facility.gaming_day(at) for at in (part.at, part.entry_at))


def cash_by_patron(
    state: ActState, day: date, parts: Iterable[CashPart], linked: Mapping[str, str] | None = None
) -> list[PatronCash]:
    """Return the cash of every patron in a gaming day of the facility, most first.

    `linked` has the patron behind each account and walk-in, if other offices contribute to that.
    """
    facility = state.facility
    assert facility is not None
    linked, found = linked_patrons(state) if linked is None else linked, dict[str, list[CashPart]]()
    for part in parts:
        if day in days_of(facility, part):
            found.setdefault(linked.get(part.who, part.who), []).append(part)
    above = state.values.get(CASH_REPORT)
    lines = []
    for patron, own in found.items():
        cents_in = sum(part.cents_in for part in own)
        cents_out = sum(part.cents_out for part in own)
        report = state.thing(CASH_REPORT, f"{day}.{patron.replace('/', '-')}")
        is_above = above is not None and max(cents_in, cents_out) > above
        stands = report.state if report else ""
        if report and report.facts.get("below"):
            stands += ", below the figure since a correction"
        line = PatronCash(patron, Cents(cents_in), Cents(cents_out), tuple(own), is_above, stands)
        lines.append(line)
    return sorted(lines, key=lambda line: (-max(line.cents_in, line.cents_out), line.patron))


def cash_table(state: ActState, day: date, found: Iterable[PatronCash], names: Names) -> SheetTable:
    """Return the cash of a gaming day as a list."""
    return SheetTable(
        title=f"Cash by patron, {day}",
        heads=("patron", "name", "accounts", "cash in $", "cash out $", "times", "report"),
        rows=tuple(
            (
                patron.patron.replace("/", " "),
                name_of_patron(state, patron.patron, names),
                ", ".join(names.get(account, account) for account in patron.accounts),
                patron.cents_in,
                patron.cents_out,
                len(patron.parts),
                patron.report or ("due" if patron.is_above else ""),
            )
            for patron in found
        ),
        nothing="No cash changed hands.",
    )


def name_of_patron(state: ActState, patron: str, names: Names) -> str:
    """Return the name of a patron who is known as patron/id, account/id, entrant/name or act/number."""
    kind, _, id_ = patron.partition("/")
    known = state.thing(kind, id_)
    if known:
        return str(known.facts.get("name", ""))
    return {"account": names.get(id_, ""), "entrant": id_}.get(kind, "not named")


def transactions_table(
    state: ActState, day: date, found: Iterable[PatronCash], names: Names, from_cents: int
) -> SheetTable:
    """Return the log of multiple transactions: each transaction of patrons above a sum of cash in a gaming day."""
    facility = state.facility
    assert facility is not None

    def row(patron: PatronCash, part: CashPart) -> tuple[Cell, ...]:
        told = facility.gaming_day(part.at)
        return (
            f"{facility.local(part.entry_at):%Y-%m-%d %H:%M}",
            patron.patron.replace("/", " "),
            name_of_patron(state, patron.patron, names),
            part.where,
            Cents(part.cents_in),
            Cents(part.cents_out),
            part.by,
            part.act or None,
            ", ".join(
                filter(
                    None,
                    (
                        "" if told == facility.gaming_day(part.entry_at) else f"told for {told}",
                        f"corrected by act {part.corrected_by}" if part.corrected_by else "",
                    ),
                )
            ),
        )

    return SheetTable(
        title=f"Multiple-transaction log, {day}",
        heads=("entered", "patron", "name", "where", "cash in $", "cash out $", "by", "act", "remark"),
        rows=tuple(
            row(patron, part)
            for patron in found
            if max(patron.cents_in, patron.cents_out) >= from_cents
            for part in sorted(patron.parts, key=lambda part: (part.entry_at, part.act))
        ),
        nothing="Nobody brought or took so much.",
    )
