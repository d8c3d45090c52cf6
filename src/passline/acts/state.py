"""The state of an office: its things, stocks, what was done last to each, and what waits to be signed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.earlier_acts import EarlierActs, earlier_after
from passline.acts.events import ActEvent
from passline.acts.figures import (
    ActFigures,
    Correction,
    Figure,
    corrected_figure,
    figures_after,
    figures_filed,
    in_counts,
    kept_figure,
    told_after,
    told_of_corrected,
)
from passline.acts.marks import DoneMark
from passline.acts.stocks import Stocks, stocks_after, units_brought, units_sum
from passline.acts.tills import (
    INVENTORIES,
    WHERE_COUNTED,
    BeforeCount,
    ShiftKey,
    Tills,
    opened_shift,
    shift_key,
    tills_after,
    with_open,
)

INCIDENT = "incident"
"""The kind of thing that a breach or a variance opens."""
INCIDENT_OPENED = "open_incident"
"""The mark of an incident since it was opened."""
CASH_REPORT = "cash_report"
"""The kind of thing that a report of cash is, and the value of the office above which one is due."""
CASH_REACHED = "reach_cash_report"
"""What begins the clock of such a report."""
DICE_ALARM = "dice_alarm"
"""The value of the office that says how seldom fair dice may alarm: one time in so many."""
DICE_ALARM_ONE_IN = 1_000
"""What it is where nobody has said."""
OFFICE = ""
"""The subject of an act that is about the whole office."""
FOR_CORRECTIONS = frozenset({"figures", "earlier"})
"""What of an office is folded from its events and read only by corrections: the fold of any other event is the same."""


class KnownThing(Struct, frozen=True):
    """A thing as the office knows it now."""

    kind: str
    id: str
    state: str
    facts: dict[str, Any]
    since: str  # when it came into this state
    told: dict[str, int] | None = None  # the act that said each fact last, once one of its acts can be corrected


class Pending(Struct, frozen=True):
    """An act that waits for signatures, and who has signed."""

    done: e.ActDone
    signed: dict[str, str] = {}  # the account, by part
    at: str = ""  # when it was recorded


class ActState(Struct, frozen=True, dict=True):
    """All that holds in an office."""

    version: int = 0
    name: str = ""
    digest: str = ""
    facility: Facility | None = None
    begun: str = ""  # when it was set up first
    newest: str = ""  # when its newest entry was written
    values: dict[str, Any] = {}
    bodies: dict[str, str] = {}  # by account
    acts: int = 0  # how many were recorded
    incidents: int = 0
    clearances: int = 0
    numbers: dict[str, int] = {}  # the last number of each series
    things: dict[str, KnownThing] = {}  # by kind/id
    marks: dict[str, dict[str, DoneMark]] = {}  # by act, then by thing
    pending: dict[str, Pending] = {}  # by number; JSON has only texts as keys
    stocks: Stocks = {}
    broken: tuple[str, ...] = ()  # watches, as watch|kind/id
    left_out: tuple[str, ...] = ()  # items of practice that the house does without
    tills: Tills = Tills()  # what results of tables wait for
    keys: dict[str, str] = {}  # of outside bodies that have one: the public key, in hex
    served: dict[str, int] = {}  # documents and stamps that served an act, by digest: its number; a setting's: 0
    ended: dict[str, str] = {}  # things that were filed, by kind/id: the state in which they ended
    figures: ActFigures = ActFigures()  # of acts that can be corrected
    earlier: EarlierActs = EarlierActs()  # those of pages that did not say so
    counted: dict[str, BeforeCount] = {}  # by table, what its last count has replaced
    kept_at: str = ""  # since when there is the office
    committed: e.FileCommitted | None = None  # the last commitment to the file that is kept beside the log
    revoked: dict[str, str] = {}  # keys of bodies that were revoked, each with the body it was of

    def thing(self, kind: str, id: str) -> KnownThing | None:  # noqa: A002 - what identifies it
        """Return a thing, or None if the office has none of that name; a filed thing has only its state left."""
        key = thing_key(kind, id)
        if (known := self.things.get(key)) is not None or key not in self.ended:
            return known
        return KnownThing(kind, id, self.ended[key], {}, "")

    def of_kind(self, kind: str, states: Iterable[str] = ()) -> list[KnownThing]:
        """Return the things of a kind, or only those in some states, in the order in which they were recorded.

        Those that were filed are not among them.
        """
        found, wanted = self._by_kind.get(kind, ()), frozenset(states)
        return [thing for thing in found if not wanted or thing.state in wanted]

    @cached_property
    def _by_kind(self) -> dict[str, list[KnownThing]]:
        """The things of each kind: pages ask for them hundreds of times of one state."""
        found: dict[str, list[KnownThing]] = {}
        for thing in self.things.values():
            found.setdefault(thing.kind, []).append(thing)
        return found

    def is_open(self, table: str) -> bool:
        """Return whether a table was opened and not closed since, whatever state other acts have given it."""
        opened, closed = (self.mark(act, thing_key("table", table)) for act in ("open_table", "close_table"))
        return opened is not None and (closed is None or (closed.at, closed.number) <= (opened.at, opened.number))

    def mark(self, act: str, subject: str) -> DoneMark | None:
        """Return the last time that an act was done to a thing (as kind/id), or to the office."""
        return self.marks.get(act, {}).get(subject)


def thing_key(kind: str, id: str) -> str:  # noqa: A002 - what identifies it
    """Return the name under which a thing is kept; "" for the office itself.

    >>> thing_key("die", "A1"), thing_key("", "")
    ('die/A1', '')
    """
    return f"{kind}/{id}" if kind else OFFICE


def fold(state: ActState | None, at: str, events: Iterable[ActEvent]) -> ActState:
    """Return the office after one decision."""
    after = state or ActState()
    for event in events:
        after = evolve(after, at, event)
    return replace(after, version=after.version + 1, newest=at)


def evolve(state: ActState, at: str, event: ActEvent) -> ActState:  # noqa: C901, PLR0912 - a case per event
    """Return the office after one event of a decision."""
    match event:
        case e.ActDone():
            if event.serves:
                state = replace(state, served={**state.served, **dict.fromkeys(event.serves, event.number)})
            pending = {**state.pending, str(event.number): Pending(event, at=at)}
            numbers = state.numbers
            if event.series:
                numbers = {**numbers, event.series: numbers.get(event.series, 0) + len(event.things)}
            return replace(state, acts=event.number, pending=pending, numbers=numbers)
        case e.ActSigned():
            before = state.pending[str(event.number)]
            after = replace(before, signed={**before.signed, event.part: event.by})
            return replace(state, pending={**state.pending, str(event.number): after})
        case e.ActCompleted():
            return _after_act(state, at, event)
        case e.OfficeKept():
            return replace(state, name=event.name, digest=event.digest, kept_at=state.kept_at or at)
        case e.OfficeSetUp():
            return replace(state, facility=event.facility, begun=state.begun or at)
        case e.ValueSet():
            served = {**state.served, **dict.fromkeys(event.serves, 0)} if event.serves else state.served
            return replace(state, values={**state.values, event.key: event.value}, served=served)
        case e.ItemsLeftOut():
            return replace(state, left_out=event.items)
        case e.BodyAssigned():
            return replace(state, bodies=_with(state.bodies, event.account, event.body))
        case e.BodyKeyGiven():
            return replace(state, keys={**state.keys, event.body: event.key})
        case e.BodyKeyRevoked():
            revoked = {**state.revoked, event.key: event.body}
            return replace(state, keys=_with(state.keys, event.body, None), revoked=revoked)
        case e.ActVoided():
            served = {digest: number for digest, number in state.served.items() if number != event.number}
            return replace(state, pending=_with(state.pending, str(event.number), None), served=served)
        case e.IncidentOpened():
            facts = {"clause": event.clause, "why": event.why, "about": event.about, "act": event.act}
            facts |= {"people": list(event.people)} if event.people else {}
            facts |= {"result": event.result} if event.result else {}
            key, mark = thing_key(INCIDENT, event.id), DoneMark(event.act, at, at, "")
            things = {**state.things, key: KnownThing(INCIDENT, event.id, "open", facts, at)}
            marks = {**state.marks, INCIDENT_OPENED: {**state.marks.get(INCIDENT_OPENED, {}), key: mark}}
            return replace(state, incidents=state.incidents + 1, things=things, marks=marks)
        case e.WatchBroken():
            return replace(state, broken=(*state.broken, f"{event.watch}|{event.thing}"))
        case e.TableCleared():
            opened = _table(state, at, event.table, event.state, event.number, "open_table")
            return replace(opened, clearances=event.number)
        case e.TableShut():
            return _table(state, at, event.table, event.state, 0, "close_table")
        case e.CashReached():
            return _after_cash(state, at, event)
        case e.DiceAlarmed() | e.DiceUnaccounted() | e.SkimAlarmed() | e.ResultAlarmed():
            act, thing = event.mark
            noted = {**state.marks.get(act, {}), thing: DoneMark(state.acts, at, at, "")}
            return replace(state, marks={**state.marks, act: noted})
        case e.CompEarned():
            known = KnownThing(event.credit.kind, event.credit.id, event.credit.state, event.credit.facts, at)
            things = {**state.things, thing_key(known.kind, known.id): known}
            return replace(state, things=things, stocks=stocks_after(state.stocks, [event.move]))
        case e.LedgerTold():
            return state  # the figures are for reports; a difference opens an incident beside it
        case e.FileCommitted():
            return replace(state, committed=event)
        case e.ThingsFiled():
            return _after_filing(state, event.things, event.figures)
        case e.WatchMended():
            mended = f"{event.watch}|{event.thing}"
            return replace(state, broken=tuple(broken for broken in state.broken if broken != mended))


def _after_filing(state: ActState, keys: tuple[str, ...], acts: tuple[int, ...]) -> ActState:
    """Return the office after things were filed: nothing of them stays but that they were, and how they ended."""
    gone = frozenset(keys)
    return replace(
        state,
        ended={**state.ended, **{key: state.things[key].state for key in keys}},
        things={key: thing for key, thing in state.things.items() if key not in gone},
        marks={
            act: marks
            if gone.isdisjoint(marks)
            else {thing: mark for thing, mark in marks.items() if thing not in gone}
            for act, marks in state.marks.items()
        },
        figures=figures_filed(state.figures, acts),
    )


def _after_cash(state: ActState, at: str, event: e.CashReached) -> ActState:
    """Return the office after a report of cash became due: from the first time on, until it is filed."""
    key = thing_key(CASH_REPORT, event.report)
    before = state.things.get(key)
    facts: dict[str, Any] = {
        "patron": event.patron,
        "gaming_day": event.day,
        "cash_in": event.cents_in,
        "cash_out": event.cents_out,
    }
    if max(event.cents_in, event.cents_out) <= event.above:  # a correction has taken it back: the report stays
        facts["below"] = True
    is_due = before is not None and before.state == _DUE
    since, told = before.since if before and is_due else at, before.told if before else None
    known = KnownThing(CASH_REPORT, event.report, _DUE, facts, since, told)
    marks = state.marks.get(CASH_REACHED, {})
    if not is_due:
        marks = {**marks, key: DoneMark(state.acts, at, at, "")}
    return replace(state, things={**state.things, key: known}, marks={**state.marks, CASH_REACHED: marks})


_DUE = "due"


def _table(state: ActState, at: str, table: str, to: str, clearance: int, act: str) -> ActState:  # noqa: PLR0917
    """Return the office after a table was opened or closed by its own stream."""
    key = thing_key("table", table)
    known = state.things.get(key)
    if known is None or not to:
        return state
    after = replace(known, state=to, facts={**known.facts, "clearance": clearance}, since=at)
    mark = DoneMark(state.acts, at, at, "")
    marks = {**state.marks, act: {**state.marks.get(act, {}), key: mark, OFFICE: mark}}
    return replace(state, things={**state.things, key: after}, marks=marks)


def _with(table: dict[str, Any], key: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - of any table
    """Return a table with another value; without the key if the value is empty."""
    left = {name: value for name, value in table.items() if name != key}
    return {**left, key: value} if value else left


def _after_act(state: ActState, at: str, event: e.ActCompleted) -> ActState:
    """Return the office after an act took effect: its things, stocks and the mark that it was done."""
    pending = state.pending[str(event.number)]
    done = pending.done
    things, own = dict(state.things), done.things if event.is_kept else ()
    for change in event.changes:
        key = thing_key(change.kind, change.id)
        before = things.get(key)
        facts = change.facts if before is None else {**before.facts, **change.facts} if change.facts else before.facts
        since = before.since if before and before.state == change.state else at
        told = before.told if before else None
        if event.corrects is None:
            known, is_own = state.things.get(key), change.id in own and change.kind == done.kind
            told = told_after(known.told if known else None, change.facts, done.number, is_own=is_own)
        things[key] = KnownThing(change.kind, change.id, change.state, facts, since, told)
    mark = DoneMark(done.number, at, done.occurred, done.by, tuple(pending.signed.values()), done.moments)
    marks = dict(state.marks.get(done.act, ()))
    for thing in done.things:
        marks[thing_key(done.kind, thing)] = mark
    marks[OFFICE] = mark
    if event.corrects is not None:
        _tell_corrected(things, state, event, event.corrects)
        state = _after_correction(state, event, event.corrects)
    return replace(
        state,
        things=things,
        marks={**state.marks, done.act: marks},
        stocks=stocks_after(state.stocks, event.moves) if event.moves else state.stocks,
        values={**state.values, **event.values} if event.values else state.values,
        pending={number: waiting for number, waiting in state.pending.items() if number != str(event.number)},
        tills=tills_after(state.tills, done, state.facility) if state.facility else state.tills,
        earlier=earlier_after(state.earlier, state.version, at, done, event),
        counted=_counted_after(state, done, event.taken_up),
        figures=figures_after(
            state.figures,
            state.version,
            done.number,
            kept=kept_figure(done, at) if event.is_kept else None,
            moves=event.figures,
            correction=event.corrects,
            recalled=event.recalled,
            occurred=done.occurred,
        ),
    )


def _tell_corrected(
    things: dict[str, KnownThing], state: ActState, event: e.ActCompleted, correction: Correction
) -> None:
    """Enter with things which facts of them an act has said that was put right."""
    before = state.figures.at_hand.get(str(correction.first)) or event.recalled
    assert before is not None, "what is corrected is at hand, or was recalled"
    after, is_recalled = corrected_figure(before, event.number, correction), event.recalled is not None
    said = {thing_key(change.kind, change.id): change.facts for change in event.changes}
    for thing in {*before.things, *after.things}:
        if (known := things.get(key := thing_key(after.kind, thing))) is not None:
            facts, first = said.get(key, ()), correction.first
            told = told_of_corrected(known.told, thing, before, after, facts, first, is_recalled=is_recalled)
            things[key] = replace(known, told=told)


# --- What else rests on the count of a tray ---------------------------------------------------------------------------


def _counted_after(state: ActState, done: e.ActDone, taken_up: Iterable[e.TakenUp]) -> dict[str, BeforeCount]:
    """Return what the last count of each tray has replaced, after one more act; with what was told after that count."""
    counted = state.counted
    if done.act in INVENTORIES and done.things:
        table = done.things[0]
        counted = {**counted, table: _before_count(state, done.act, done.number, table, done.fields)}
    for taken in taken_up:
        counted = _with_units_before(counted, taken.stock, taken.place, taken.act, taken.units)
    return counted


def _with_units_before(
    counted: dict[str, BeforeCount], stock: str, place: str, count: int, more: dict[str, int]
) -> dict[str, BeforeCount]:
    """Return what counts have replaced, after it is known that more, or less, was in a tray before its last count."""
    table = place.removeprefix("table/")
    if table not in counted or counted[table].number != count:
        return counted
    units = {**counted[table].units, stock: units_sum(counted[table].units.get(stock, {}), more)}
    return {**counted, table: replace(counted[table], units=units)}


def _before_count(state: ActState, act: str, number: int, table: str, fields: Iterable[str]) -> BeforeCount:
    key = thing_key("table", table)
    facts = state.things[key].facts if key in state.things else {}
    return BeforeCount(
        number,
        state.mark(act, key),
        {field: facts[field] for field in fields if field in facts},
        state.tills.open.get(table),
        {stock: dict(places[key]) for stock, places in state.stocks.items() if places.get(key)},
    )


def _after_correction(state: ActState, event: e.ActCompleted, correction: Correction) -> ActState:
    """Return the office with all that rests on where a tray was counted as the correction of that count has it."""
    figure, facility = state.figures.at_hand.get(str(correction.first)) or event.recalled, state.facility
    if figure is None or facility is None:
        return state
    state = replace(state, counted=_units_before(state, figure, correction))
    if figure.act not in INVENTORIES or WHERE_COUNTED.isdisjoint(correction.now):
        return state
    table, after = figure.things[0], corrected_figure(figure, event.number, correction)
    last, key = state.counted.get(table), shift_key(after, facility)
    if last is None or last.number != correction.first or key is None:
        return state  # it was counted again: what is open rests on that
    opened = opened_shift(figure.act, key, facility)
    if table == after.things[0]:
        return replace(state, tills=with_open(state.tills, table, opened))
    return _of_another_table(state, event, correction, figure, after, opened)


def _of_another_table(  # noqa: PLR0917 - each of it
    state: ActState,
    event: e.ActCompleted,
    correction: Correction,
    figure: Figure,
    after: Figure,
    opened: ShiftKey | None,
) -> ActState:
    """Return the office with a count moved from one table to another: marks, open shifts, what it has replaced."""
    wrong, right = figure.things[0], after.things[0]
    last, marks = state.counted[wrong], state.marks.get(figure.act, {})
    own, replaced = marks.get(thing_key("table", wrong)), _before_count(state, figure.act, 0, right, after.fields)
    marks = _with(marks, thing_key("table", wrong), last.mark)
    if own is not None:
        marks = {**marks, thing_key("table", right): own}
    counted = {table: before for table, before in state.counted.items() if table != wrong}
    units = dict(replaced.units)
    for moved in after.moved:  # as much was on record there as it has not brought
        brought = units_brought(event.moves, moved.stock, moved.target)
        less = {unit: -count for unit, count in brought.items()}
        units[moved.stock] = units_sum(in_counts(after.fields.get(moved.field)), less)
    counted[right] = replace(replaced, number=correction.first, units=units)
    return replace(
        state,
        marks={**state.marks, figure.act: marks},
        tills=with_open(with_open(state.tills, wrong, last.open), right, opened),
        counted=counted,
        earlier=state.earlier.of_another(correction.first, right),
    )


def _units_before(state: ActState, figure: Figure, correction: Correction) -> dict[str, BeforeCount]:
    """Return what was on record before the last count of each tray, after a figure before it was put right."""
    counted = state.counted
    for stock, place, count, more in state.figures.taken_up(figure, correction):
        counted = _with_units_before(counted, stock, place, count, more)
    return counted
