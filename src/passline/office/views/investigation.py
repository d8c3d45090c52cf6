"""The form of an investigation into a result beyond luck, drafted from the log, to conclude and to sign.

It has the figures of the month, the shifts that are furthest off, their hands with the times for the cameras, who dealt
them, which dice were thrown, and the fills and credits. It is not stored: it is drafted from the log whenever somebody
asks for it, with what was found and decided since.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple, get_args

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.history import RecordedAct
from passline.acts.noted import RESULT_NOTED
from passline.acts.papers.houses import regulation_title
from passline.acts.state import INCIDENT, ActState, KnownThing, thing_key
from passline.acts.views.wording import Names
from passline.bookkeeping.account import PlayAccount, Scope
from passline.bookkeeping.chance import band_of, luck_evidence_of
from passline.bookkeeping.period_sums import PeriodSum, sum_of
from passline.bookkeeping.reading import find_course, find_hands_between
from passline.bookkeeping.results import TableResult
from passline.documents.sheet import Cell, PrintedSheet, SheetTable, SignatureLine
from passline.office.views.kept_past import acts_done_to, find_filed, find_incidents_of_results
from passline.office.views.kept_results import find_results, find_sums
from passline.store.sealed import Log
from passline.streams.projection_store import ViewReader

_SHIFTS, _HANDS = 5, 12  # that are looked into
_CONCLUDED, _CLOSED = "investigate_incident", "close_incident"
_CLOSED_STATE = "closed"


class MeantResult(NamedTuple):
    """The result that an incident is about."""

    scope: Scope
    subject: str
    month: str


class HandSeen(Struct, frozen=True):
    """A hand and its end for the cameras: when the next hand begins at its table, or when the shift ends."""

    hand: PlayAccount
    until: str


class Investigation(Struct, frozen=True, kw_only=True):
    """Everything that the form of an investigation is drafted from."""

    incident: KnownThing
    meant: MeantResult
    month: PlayAccount | None  # what was played
    counted: PeriodSum  # what was counted
    shifts: tuple[PlayAccount, ...]  # the furthest off first
    hands: tuple[HandSeen, ...]
    results: tuple[TableResult, ...]  # of these shifts, with their fills and credits
    acts: tuple[RecordedAct, ...]  # that were done to the incident


def result_meant(incident: KnownThing) -> MeantResult | None:
    """Return the result that an incident is about; None: it is about something else.

    >>> result_meant(KnownThing("incident", "I-1", "open", {"result": "result/table/craps-1/2026-11"}, ""))
    MeantResult(scope='table', subject='craps-1', month='2026-11')
    """
    kind, _, rest = str(incident.facts.get("result", "")).partition("/")
    named, _, month = rest.rpartition("/")
    scope, _, subject = named.partition("/")
    known = next((known for known in get_args(Scope) if known == scope), None)
    return MeantResult(known, subject, month) if kind == "result" and known else None


class ListedInvestigation(Struct, frozen=True, kw_only=True):
    """An investigation into a result beyond luck, and its progress."""

    id: str  # of the incident
    state: str
    scope: Scope
    subject: str  # empty: the house
    month: str
    opened: str  # local time
    closed: str  # likewise; empty: it is not
    why: str
    finding: str
    outcome: str
    people: tuple[str, ...]  # the accounts that are involved


class InvestigationsList(Struct, frozen=True):
    """Investigations, the newest first."""

    found: tuple[ListedInvestigation, ...]
    earlier: int  # the `before` with which the list goes on; 0: there are no more


def find_investigations(
    views: ViewReader, state: ActState, facility: Facility, *, before: int, limit: int
) -> InvestigationsList:
    """Return the newest investigations of an office, open and closed ones, before an incident; 0: up to now."""
    numbers = find_incidents_of_results(views, state.name, before, limit + 1)
    keys = [thing_key(INCIDENT, f"I-{number}") for number in numbers[:limit]]
    filed = find_filed(views, state.name, keys)
    known = (filed.get(key) or state.things.get(key) for key in keys)
    listed = (_listing_of(incident, state, facility) for incident in known if incident is not None)
    earlier = numbers[limit - 1] if len(numbers) > limit else 0
    return InvestigationsList(tuple(own for own in listed if own is not None), earlier)


def _listing_of(incident: KnownThing, state: ActState, facility: Facility) -> ListedInvestigation | None:
    meant, facts = result_meant(incident), incident.facts
    return meant and ListedInvestigation(
        id=incident.id,
        state=incident.state,
        scope=meant.scope,
        subject=meant.subject,
        month=meant.month,
        opened=facility.minute(_opened_at(incident, state)),
        closed=facility.minute(incident.since) if incident.state == _CLOSED_STATE else "",
        why=str(facts.get("why", "")),
        finding=str(facts.get("finding", "")),
        outcome=str(facts.get("outcome", "")),
        people=tuple(facts.get("people", ())),
    )


def _opened_at(incident: KnownThing, state: ActState) -> str:
    """Return when the incident of a result was opened: the mark of the result stays when the incident is filed."""
    mark = state.mark(RESULT_NOTED, str(incident.facts["result"]))
    return mark.at if mark else incident.since


def investigations_table(found: Sequence[ListedInvestigation], names: Names) -> SheetTable:
    """Return investigations as a list."""
    return SheetTable(
        title="Investigations",
        heads=("number", "state", "result of", "month", "opened", "closed", "why", "finding", "outcome", "involved"),
        rows=tuple(
            (
                *(own.id, own.state.replace("_", " "), _result_of(own.scope, own.subject, names), own.month),
                *(own.opened, own.closed, own.why, own.finding, own.outcome, _people(",".join(own.people), names)),
            )
            for own in found
        ),
        nothing="No result was beyond luck.",
    )


def _result_of(scope: Scope, subject: str, names: Names) -> str:
    return f"{scope} {_people(subject, names)}" if subject else "the house"


def find_investigation(
    log: Log, views: ViewReader, state: ActState, incident: KnownThing, meant: MeantResult
) -> Investigation:
    """Return what the log says of a result that an incident is about."""
    office, tables = state.name, [table.id for table in state.of_kind("table")]
    facility = state.facility
    assert facility is not None
    scope, subject, month = meant
    since, until = month, f"{month}~"
    months = find_course(views, office, scope, "month", subject, since=month, until=until)
    shifts = find_course(views, office, scope, "shift", subject, since=since, until=until)
    furthest = sorted(shifts, key=_how_far)[::-1][:_SHIFTS]
    spans = {account.span for account in furthest}
    first = date.fromisoformat(f"{month}-01")
    last = first.replace(day=monthrange(first.year, first.month)[1])
    own = [
        result
        for result in find_results(views, office, facility, first, last)
        if f"{result.day} {result.shift}" in spans and (scope != "table" or result.table == subject)
    ]
    return Investigation(
        incident=incident,
        meant=meant,
        month=months[0] if months else None,
        counted=_sum_of_counts(views, office, meant),
        shifts=tuple(furthest),
        hands=tuple(_hands_seen(views, office, meant, spans, [subject] if scope == "table" else sorted(tables))),
        results=tuple(own),
        acts=tuple(acts_done_to(log, views, office, thing_key(incident.kind, incident.id))),
    )


def _how_far(account: PlayAccount) -> float:
    evidence = luck_evidence_of(account)
    return evidence.log_value if evidence else 0.0


def _sum_of_counts(views: ViewReader, office: str, meant: MeantResult) -> PeriodSum:
    """Return what was counted of a result in its month; of a crew nobody counts by itself."""
    if meant.scope == "crew":
        return PeriodSum()
    sums = find_sums(views, office, meant.month, "shift" if meant.scope == "shift" else "table")
    return sum_of(own for key, days in sums.items() if meant.subject in {"", key} for own in days.values())


def _hands_seen(
    views: ViewReader, office: str, meant: MeantResult, spans: Iterable[str], tables: Sequence[str]
) -> list[HandSeen]:
    """Return the hands of some shifts that moved the result the most."""
    seen = list[HandSeen]()
    for span in sorted(spans):
        for table in tables:
            hands = find_hands_between(views, office, since=span, until=f"{span}\0", table=table)
            ends = [*(hand.at for hand in hands[1:]), ""]
            seen += [
                HandSeen(hand, until)
                for hand, until in zip(hands, ends, strict=False)
                if meant.scope != "crew" or hand.crew == meant.subject
            ]
    return sorted(seen, key=lambda own: -abs(own.hand.sums.luck))[:_HANDS]


def investigation_sheet(
    found: Investigation, state: ActState, *, facility: Facility, names: Names, at: str
) -> PrintedSheet:
    """Return the form of an investigation: drafted, or with its conclusion."""
    incident, meant = found.incident, found.meant
    of, facts = _result_of(meant.scope, meant.subject, names), incident.facts
    recordings = [str(facts[key]) for key in ("camera", "seen_from", "seen_until", "recording") if facts.get(key)]
    return PrintedSheet(
        title="Investigation of a result",
        number=incident.id,
        owner=facility.name,
        regulation=regulation_title(state.name),
        about=f"{of}, {date.fromisoformat(f'{meant.month}-01'):%B %Y}",
        dated=f"Drafted from the log as of {facility.minute(at)}",
        facts=(
            ("Opened", facility.minute(_opened_at(incident, state))),
            ("State", incident.state.replace("_", " ")),
            ("Why", str(facts.get("why", ""))),
            ("Involved", _people(",".join(facts.get("people", ())), names) or "nobody is on record as crew"),
            *((("Recordings", ", ".join(recordings)),) if recordings else ()),
            ("Finding", str(facts.get("finding") or "-")),
            ("Outcome", str(facts.get("outcome") or "-")),
        ),
        tables=tuple(_tables(found, facility, names)),
        signatures=(
            _signature("who looked into it", _CONCLUDED, found.acts, facility),
            _signature("who decides, and was not among them", _CLOSED, found.acts, facility),
        ),
        small_print=(
            "Expected: what the wagers that were made were worth to the house by their exact laws. Luck: won less "
            "expected. Its band holds whenever somebody looks and however players stake."
        ),
        foot=(facility.name, f"Investigation {incident.id}"),
        form="landscape",
    )


def _people(accounts: str, names: Names) -> str:
    return ", ".join(names.get(account, account) for account in accounts.split(",") if account)


def _signature(wants: str, key: str, acts: Iterable[RecordedAct], facility: Facility) -> SignatureLine:
    """Return the line of whoever concluded or closed, as the log has it, or an empty one."""
    done = next((act for act in acts if act.done.act == key and act.completed), None)
    if done is None:
        return SignatureLine(wants)
    told = (f"act {done.done.number} in the log", done.done.name, done.done.role, "", facility.minute(done.completed))
    return SignatureLine(wants, given=told)


def _tables(found: Investigation, facility: Facility, names: Names) -> Iterator[SheetTable]:
    yield _figures(found)
    yield _shifts(found.shifts)
    yield _hands(found.hands, facility, names)
    yield _dice(found.hands)
    if found.meant.scope != "crew":
        yield _fills_and_credits(found.results)


def _figures(found: Investigation) -> SheetTable:
    counted, rows = found.counted, list[tuple[Cell, ...]]()
    if found.month is not None:
        sums, evidence = found.month.sums, luck_evidence_of(found.month)
        band = band_of(sums, evidence)
        keyed = found.month.coverage
        rows.append(
            (
                *(
                    "keyed wagers",
                    sums.won,
                    round(sums.theoretical - sums.carried),
                    round(sums.luck),
                    band.low,
                    band.high,
                ),
                *(evidence.one_in() if evidence else None, sums.rolls, None if keyed is None else float(keyed)),
                *(None, None, None, None),
            )
        )
    if counted.days or counted.unknown or found.month is None:
        rows.append(
            (*("counts", counted.win, *(None,) * 7, counted.drop, counted.hold, counted.fills, counted.credits),)
        )
    return SheetTable(
        title="The month",
        heads=(
            *("by", "won $", "expected $", "luck $", "band from $", "band to $", "luck at most 1 in", "rolls"),
            *("keyed in %", "drop $", "hold %", "fills $", "credits $"),
        ),
        rows=tuple(rows),
        notes=("The band is what luck leaves but for one figure in 20, if only this one is looked at.",),
    )


def _shifts(shifts: Sequence[PlayAccount]) -> SheetTable:
    return SheetTable(
        title="The shifts that are furthest off",
        heads=("shift", "won $", "expected $", "luck $", "luck at most 1 in", "rolls", "first entry", "last entry"),
        widths=(1.6, 1, 1, 1, 0.9, 0.7, 0.9, 0.9),
        rows=tuple(
            (
                *(own.span, own.sums.won, round(own.sums.theoretical - own.sums.carried), round(own.sums.luck)),
                *(evidence.one_in() if (evidence := luck_evidence_of(own)) else None, own.sums.rolls),
                *(own.first, own.last),
            )
            for own in shifts
        ),
        nothing="Nothing was played.",
    )


def _hands(hands: Sequence[HandSeen], facility: Facility, names: Names) -> SheetTable:
    return SheetTable(
        title="The hands that moved it the most, and the times for the cameras",
        heads=(
            *("table/hand", "from", "until", "luck $", "won $", "rolls", "dice", "crew", "first entry", "last entry"),
        ),
        widths=(1, 1.3, 1.3, 0.9, 0.9, 0.5, 1, 2, 0.8, 0.8),
        rows=tuple(
            (
                *(seen.hand.subject, facility.minute(seen.hand.at), facility.minute(seen.until) if seen.until else "-"),
                *(round(seen.hand.sums.luck), seen.hand.sums.won, seen.hand.sums.rolls, seen.hand.dice),
                *(_people(seen.hand.crew, names) or "not on record", seen.hand.first, seen.hand.last),
            )
            for seen in hands
        ),
        nothing="No hand was played.",
    )


def _dice(hands: Sequence[HandSeen]) -> SheetTable:
    sets: dict[str, list[PlayAccount]] = {}
    for seen in hands:
        sets.setdefault(seen.hand.dice, []).append(seen.hand)
    return SheetTable(
        title="Dice in these hands",
        heads=("set", "hands", "rolls", "luck $"),
        rows=tuple(
            (dice, len(own), sum(hand.sums.rolls for hand in own), round(sum(hand.sums.luck for hand in own)))
            for dice, own in sorted(sets.items())
        ),
        nothing="None.",
    )


def _fills_and_credits(results: Sequence[TableResult]) -> SheetTable:
    rows = tuple(
        (
            f"{result.day} {result.shift}",
            result.table,
            entered.column,
            entered.about.partition("/")[2],
            entered.act,
            entered.cents,
        )
        for result in results
        for entered in result.acts
        if entered.column in {"fills", "credits"}
    )
    return SheetTable(
        title="Fills and credits in these shifts",
        heads=("shift", "table", "what", "slip", "act", "amount $"),
        rows=rows,
        nothing="None.",
    )
