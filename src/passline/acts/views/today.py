"""Today: what is due and overdue in an office, what waits to be signed, what is open and what is not set."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.clocks import clocks_at
from passline.acts.judges.gates import OPENING, count_green
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, Pending
from passline.acts.views.asked_people import AskedPerson, people_asked
from passline.acts.views.blind import lines_shown
from passline.acts.views.manual_slips import handed_to, slips_missing
from passline.acts.views.par_levels import BelowPar
from passline.acts.views.rota import RotaGap, rota_gaps
from passline.rules.coming_texts import ComingText
from passline.rules.schema import clause_text


class Due(Struct, frozen=True):
    """A deadline that runs: what is owed, about what, by whom to whom, and until when."""

    clock: str
    name: str
    about: str  # as kind/id; empty: the office
    owes: str
    to: tuple[str, ...]
    due: str  # local time; empty: nobody has said yet how long it runs
    is_overdue: bool
    clause: str
    acts: tuple[str, ...]  # that meet it
    then: str = ""  # what comes of it if nobody answers; empty: it is overdue


class ToldBody(Struct, frozen=True):
    """The last notice to an outside body: by which act, about what, and when."""

    body: str
    act: str
    name: str
    about: str  # as kind/id; empty: the office
    at: str  # local time
    clause: str
    is_late: bool = False  # it was told later than its page allows


class ToSign(Struct, frozen=True):
    """An act that waits for a signature."""

    number: int
    act: str
    name: str
    things: tuple[str, ...]
    by: str  # who recorded it
    part: str
    wants: str  # whose signature
    roles: tuple[str, ...]  # the groups that may sign
    clause: str
    counts: bool  # whoever signs counts again
    fields: dict[str, Any]  # as recorded, less what is still to be counted by somebody who must not see it
    at: str  # local time
    hands: tuple[str, ...]  # the accounts that recorded and signed it: none of them signs again


class OpenIncident(Struct, frozen=True):
    """An incident that nobody has closed."""

    id: str
    state: str
    why: str
    clause: str
    about: str
    since: str  # local time
    has_draft: bool = False  # it is about a result: its form is drafted from the log


class Unset(Struct, frozen=True):
    """A figure that the text leaves open and nobody has set yet."""

    key: str
    name: str
    by: tuple[str, ...]
    clause: str


class Gated(Struct, frozen=True):
    """A table, and how many items of its opening list are green."""

    table: str
    green: int
    items: int
    is_live: bool | None = None  # whether a live table is known by this name; None: nobody has looked
    status: str = ""  # of the live table: open, frozen or closed
    pit: str = ""  # the area in which it stands; empty: none is on record


class MissingSlip(Struct, frozen=True):
    """A manual slip that was neither entered after an outage nor voided."""

    number: str
    form: str
    handed_to: str  # in words
    outage: str
    since: str  # local time


class ComingLaw(Struct, frozen=True):
    """A house in force, and what a later text of its regulation means for it."""

    house: str
    text: ComingText


class Today(Struct, frozen=True):
    """What there is to do in an office."""

    day: str  # the gaming day
    shift: str
    due: tuple[Due, ...]
    sign: tuple[ToSign, ...]
    incidents: tuple[OpenIncident, ...]
    unset: tuple[Unset, ...]
    tables: tuple[Gated, ...]
    told: tuple[ToldBody, ...] = ()  # newest first
    slips: tuple[MissingSlip, ...] = ()  # manual slips that are missing since an outage
    asked: tuple[AskedPerson, ...] = ()  # who has not said whether what was told for them after one is so
    coming: tuple[ComingLaw, ...] = ()  # what amendments bring the houses in force
    rota: tuple[RotaGap, ...] = ()  # tables whose crew is not the planned one
    below_par: tuple[BelowPar, ...] = ()  # trays to be filled, as far as whoever asks may know what lies there
    clock: str = ""  # what is wrong with the time of the house; empty: nothing, or nobody knows


_THEN = {
    "overdue": "",
    "deemed": "No answer by then counts as a yes.",
    "blocked": "What waits for it stays closed until it is done.",
}
_TOLD_MAX = 40


def today_of(scene: Scene) -> Today:
    """Return what there is to do in an office that is set up."""
    facility = scene.state.facility
    assert facility is not None
    return Today(
        day=facility.gaming_day(scene.at).isoformat(),
        shift=facility.shift_of(scene.at).name,
        due=_due(scene),
        sign=_to_sign(scene),
        incidents=tuple(
            OpenIncident(
                known.id,
                known.state,
                known.facts["why"],
                known.facts["clause"],
                known.facts["about"],
                _local(scene, known.since),
                has_draft="result" in known.facts,
            )
            for known in scene.state.of_kind(INCIDENT)
            if known.state != "closed"
        ),
        unset=tuple(
            Unset(key, value.name, value.by, clause_text(value.cite))
            for key, value in scene.rules.pages.values.items()
            if key not in scene.state.values
            and not (value.presets or value.optional or value.default)  # the house's to elect, or known until it does
        ),
        tables=gated_tables(scene),
        told=told_of(scene)[:_TOLD_MAX],
        slips=tuple(
            MissingSlip(
                slip.id,
                str(slip.facts.get("form", "")),
                handed_to(slip),
                str(slip.facts.get("outage", "")),
                _local(scene, slip.since),
            )
            for slip in slips_missing(scene.rules, scene.state)
        ),
        rota=rota_gaps(scene.state, scene.at),
        asked=tuple(
            replace(each, due=_local(scene, each.due) if each.due else "")
            for each in people_asked(scene.rules, scene.state, scene.at)
        ),
    )


def is_for(scene: Scene, duty: Due, person: Person) -> bool:
    """Return whether somebody is shown a deadline: some are shown only to those who can meet them."""
    acts = scene.rules.pages.acts
    groups = (group for act in duty.acts for group in acts[act].by)
    is_for_all = not scene.rules.pages.clocks[duty.clock].for_doers
    return is_for_all or any(scene.rules.has_role(group, person, scene.state) for group in groups)


def told_of(scene: Scene) -> tuple[ToldBody, ...]:
    """Return the last notice to each outside body about each thing, newest first."""
    found = [
        (
            mark,
            ToldBody(body, key, act.name, subject, _local(scene, mark.occurred), clause_text(act.cite), mark.is_late),
        )
        for key, act in scene.rules.pages.acts.items()
        if act.tells
        for subject, mark in scene.state.marks.get(key, {}).items()
        if bool(subject) == bool(act.thing)
        for body in (scene.rules.words_of([group]) for group in act.tells)
    ]
    return tuple(told for _, told in sorted(found, key=lambda notice: notice[0].number, reverse=True))


def _local(scene: Scene, at: str) -> str:
    assert scene.state.facility is not None
    return scene.state.facility.minute(at)


def _due(scene: Scene) -> tuple[Due, ...]:
    found = []
    for running in clocks_at(scene.rules, scene.state, scene.at, is_owed=True):
        clock = scene.rules.pages.clocks[running.clock]
        due = _local(scene, running.due) if running.due else ""
        words = scene.rules.words_of
        found.append(
            Due(
                running.clock,
                clock.name,
                running.subject,
                words([clock.owes]),
                tuple(words([to]) for to in clock.to),
                due,
                running.status == "overdue",
                clause_text(clock.cite),
                clock.met,
                _THEN[clock.ends],
            )
        )
    return tuple(found)


def _to_sign(scene: Scene) -> tuple[ToSign, ...]:
    return tuple(
        _signature_due(scene, pending, part)
        for pending in scene.state.pending.values()
        for part in pending.done.waits
        if part not in pending.signed
    )


def _signature_due(scene: Scene, pending: Pending, part: str) -> ToSign:
    done, act = pending.done, scene.rules.pages.acts[pending.done.act]
    sign, blind = scene.rules.signature(act, part), tuple[str, ...]()
    assert sign is not None
    if act.counts and any(act.signs[part].counts for part in done.waits if part in {*act.signs} - {*pending.signed}):
        blind = act.counts.counted_fields
    return ToSign(
        done.number,
        done.act,
        act.name,
        done.things,
        done.name,
        part,
        sign.name,
        sign.by,
        clause_text(sign.cite),
        sign.counts,
        {key: _field_seen_by_all(scene, act, key, value) for key, value in done.fields.items() if key not in blind},
        _local(scene, done.occurred),
        (done.by, *pending.signed.values()),
    )


def _field_seen_by_all(scene: Scene, act: Act, key: str, value: Any) -> Any:  # noqa: ANN401 - as the log has it
    """Return a field as everybody sees it who keeps the office: of lines from slips not what was counted."""
    return lines_shown(scene.rules, value) if act.fields[key].type == "lines" else value


def gated_tables(scene: Scene) -> tuple[Gated, ...]:
    """Return the registered tables, each with how many items of its opening list are green."""
    gate = scene.rules.pages.gates.get(OPENING)
    if gate is None:
        return ()
    final = scene.rules.pages.things[gate.thing].final
    tables = [table for table in scene.state.of_kind(gate.thing) if table.state not in final]
    green, items = count_green(scene, OPENING, tables)
    return tuple(
        Gated(table.id, met, items, pit=str(table.facts.get("area") or ""))
        for table, met in zip(tables, green, strict=True)
    )
