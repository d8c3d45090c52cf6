"""Watches: what the server looks for by itself, such as broken conditions, suspect dice and cash that needs a report.

What it finds opens incidents and reports. After every gaming day it also commits to the file kept beside the log.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import clocks_at
from passline.acts.judges.conditions import unmet_conditions
from passline.acts.judges.correcting import figures_to_file
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.noted import (
    DICE_NOTED,
    DICE_UNACCOUNTED,
    RESULT_ALARM,
    RESULT_NOTED,
    SKIM_NOTED,
    THEFT_ALARM,
    result_key,
    skim_key,
)
from passline.acts.schema import PRACTICE, Act, Watch
from passline.acts.state import (
    CASH_REPORT,
    DICE_ALARM,
    DICE_ALARM_ONE_IN,
    ActState,
    KnownThing,
    fold,
    thing_key,
)
from passline.money import dollars
from passline.rules.schema import clause_text
from passline.store.timestamps import later


def look_round(scene: Scene, open_tables: tuple[str, ...]) -> Verdict:
    """Return which watches are newly broken or hold again; refuse if nothing has changed, so that nothing is logged.

    First it marks cleared tables as shut that are not dealt any more, since only open tables are watched. A watch
    that follows a table until it is closed is mended only by meeting its condition, not by closing the table.
    """
    shut = _tables_shut(scene, open_tables)
    after = replace(scene, state=fold(scene.state, scene.at, shut)) if shut else scene
    events: list[e.ActEvent] = [*shut]
    incidents = after.state.incidents
    for name, watch in after.rules.pages.watches.items():
        is_kept = f"watches.{name}" not in after.state.left_out
        for known in after.state.of_kind(watch.thing):
            thing = thing_key(known.kind, known.id)
            was_broken = f"{name}|{thing}" in after.state.broken
            is_on = is_kept and (_is_watched(watch, known, after, open_tables) or (was_broken and watch.until_closed))
            faults = unmet_conditions({name: watch.needs}, [known], after) if is_on else []
            if faults and not was_broken:
                incidents += 1
                events.append(e.WatchBroken(name, thing))
                events.append(e.IncidentOpened(f"I-{incidents}", faults[0].clause, faults[0].why, thing))
            elif was_broken and not faults:
                events.append(e.WatchMended(name, thing))
    filed, figures = _ended_before(after), figures_to_file(after)
    if filed or figures:
        events.append(e.ThingsFiled(filed, figures))
    return events or [ActFault("office", "nothing has changed")]


def _is_watched(watch: Watch, known: KnownThing, scene: Scene, open_tables: tuple[str, ...]) -> bool:
    """Return whether a thing is one that a watch looks at now."""
    if watch.until_closed and known.id not in open_tables and not scene.state.is_open(known.id):
        return False
    return (not watch.states or known.state in watch.states) and (not watch.is_open or known.id in open_tables)


def _ended_before(scene: Scene) -> tuple[str, ...]:
    """Return what is filed now: what ended before the last gaming day began and nobody waits for any more.

    So the papers of a day still find everything of it at hand when the day is over.
    """
    things = scene.rules.pages.things.items()
    kinds = {kind: frozenset({*thing.final, *thing.rests}) for kind, thing in things if thing.filed}
    facility, state = scene.state.facility, scene.state
    if facility is None or not kinds:
        return ()
    since = facility.moment(facility.gaming_day(scene.at) - timedelta(days=1), facility.day_begins)
    ended = [
        key
        for key, thing in state.things.items()
        if thing.since < since and thing.state in kinds.get(thing.kind, frozenset())
    ]
    if not ended:
        return ()
    owed = {clock.subject for clock in clocks_at(scene.rules, state, scene.at, is_owed=True)}
    owed |= {thing_key(pending.done.kind, id_) for pending in state.pending.values() for id_ in pending.done.things}
    owed |= {broken.partition("|")[2] for broken in state.broken}
    return tuple(key for key in ended if key not in owed)[:_FILED_AT_ONCE]


_FILED_AT_ONCE = 10_000


def _tables_shut(scene: Scene, open_tables: tuple[str, ...]) -> list[e.TableShut]:
    """Return the tables that a clearance opened and that are dealt no more; one just cleared is about to open."""
    act = scene.rules.act("close_table")
    return [
        e.TableShut(known.id, _state_when_shut(act, known))
        for known in scene.state.of_kind("table")
        if act and known.facts.get("clearance") and known.id not in open_tables
        if scene.at > later(known.since, _OPENING_SECONDS)
    ]


_OPENING_SECONDS = 60


def _state_when_shut(act: Act, known: KnownThing) -> str:
    """Return the state of a table that is dealt no more: one that was taken away meanwhile does not come back."""
    return known.state if act.stays and known.state not in act.states else act.to


def note_cash(scene: Scene, command: c.NoteCash) -> Verdict:
    """Return that a report of cash is due; refuse if none is due, or if that is known."""
    above = scene.state.values.get(CASH_REPORT)
    if above is None or CASH_REPORT not in scene.rules.pages.things:
        return [ActFault("office", "nobody has said above how much cash a report is due")]
    report = f"{command.day}.{command.patron.replace('/', '-')}"
    known = scene.state.thing(CASH_REPORT, report)
    if max(command.cents_in, command.cents_out) <= above and known is None:
        return [ActFault("office", f"{command.cents_in} cents in and {command.cents_out} out want no report")]
    if known and (known.facts["cash_in"], known.facts["cash_out"]) == (command.cents_in, command.cents_out):
        return [ActFault("office", "nothing has changed")]
    return [e.CashReached(report, command.patron, command.day, command.cents_in, command.cents_out, above)]


def note_dice(scene: Scene, command: c.NoteDice) -> Verdict:
    """Open an incident about a set of dice, once; refuse to do so below the bound."""
    value = scene.rules.pages.values.get(DICE_ALARM)
    if value is None:
        return [ActFault("office", "the pages of this office say nothing of evidence against dice")]
    one_in = int(scene.state.values.get(DICE_ALARM, DICE_ALARM_ONE_IN))
    bound = one_in * max(command.sets, 1)
    if command.evidence < bound:
        return [ActFault("office", f"{command.evidence:,} to one is less than {bound:,} to one: it opens no incident")]
    name = f"{command.table}/{command.number}"
    if scene.state.mark(DICE_NOTED, thing_key("dice", name)) is not None:
        return [ActFault("office", "nothing has changed")]
    serials = f" ({', '.join(command.dice)})" if command.dice else ""
    why = (
        f"dice set {command.number} of table {command.table}{serials}: its {command.rolls:,} rolls speak against fair"
        f" dice {command.evidence:,} to one, with {command.sets} sets in use: take it out of play"
    )
    events: list[e.ActEvent] = [
        e.DiceAlarmed(command.table, command.number, command.rolls, command.evidence, command.sets, one_in),
        e.IncidentOpened(
            f"I-{scene.state.incidents + 1}", clause_text(value.cite), why, thing_key("table", command.table)
        ),
    ]
    return events


def note_skim(scene: Scene, command: c.NoteSkim) -> Verdict:
    """Open an incident about notes or chips that are missing of a table or at a crew's tables, once for each alarm."""
    value = scene.rules.pages.values.get(THEFT_ALARM)
    if value is None:
        return [ActFault("office", "the pages of this office say nothing of evidence against tables and crews")]
    if command.evidence < command.bound:
        why = f"{command.evidence:,} to one is less than {command.bound:,} to one: it opens no incident"
        return [ActFault("office", why)]
    place = {"day": command.day, "shift": command.shift}
    known = skim_key(look=command.look, kind=command.kind, subject=command.subject, **place)
    if scene.state.mark(SKIM_NOTED, known) is not None:
        return [ActFault("office", "nothing has changed")]
    of = f"table {command.subject}" if command.kind == "table" else f"the tables of crew {command.subject}"
    why = (
        f"{command.look} of {of}: {dollars(command.short)} are missing in {command.shifts} shifts until {command.day}"
        f" {command.shift}, {command.evidence:,} to one against honest keying: find out who had them between record"
        " and count"
    )
    figures = (command.shifts, command.short, command.evidence, command.bound)
    alarmed = e.SkimAlarmed(command.look, command.kind, command.subject, command.day, command.shift, *figures)
    thing, number = thing_key("table", command.table), scene.state.incidents + 1
    events: list[e.ActEvent] = [alarmed, e.IncidentOpened(f"I-{number}", clause_text(value.cite), why, thing)]
    return events


def note_result(scene: Scene, command: c.NoteResult) -> Verdict:
    """Open an incident about a month's result that luck alone does not leave, once; its crews are those involved."""
    value = scene.rules.pages.values.get(RESULT_ALARM)
    if value is None:
        return [ActFault("office", "the pages of this office say nothing of results beyond luck")]
    wanted = max(scene.rules.figure(scene.state, RESULT_ALARM) or 1, 1)
    if command.bound < wanted:
        why = f"luck may open an incident once in {wanted:,} months, and this result is told once in {command.bound:,}"
        return [ActFault("office", why)]
    if command.low <= command.won <= command.high:
        band = f"{dollars(command.low)} to {dollars(command.high)}"
        return [ActFault("office", f"{dollars(command.won)} lies in what luck leaves, {band}: it opens no incident")]
    known = result_key(scope=command.scope, subject=command.subject, month=command.month)
    if scene.state.mark(RESULT_NOTED, known) is not None:
        return [ActFault("office", "nothing has changed")]
    of = f"{command.scope} {command.subject.replace(',', ', ')}" if command.subject else "the house"
    why = (
        f"{of} won {dollars(command.won)} in {command.month}, where luck alone leaves {dollars(command.low)} to"
        f" {dollars(command.high)} but for once in {command.bound:,}: look into it with its drafted form"
    )
    number = f"I-{scene.state.incidents + 1}"
    about = thing_key("table", command.subject) if command.scope == "table" else ""
    figures = (command.won, command.low, command.high, command.rolls, command.bound)
    alarmed = e.ResultAlarmed(command.scope, command.subject, command.month, *figures)
    opened = e.IncidentOpened(number, clause_text(value.cite), why, about, people=command.people, result=known)
    events: list[e.ActEvent] = [alarmed, opened]
    return events


def note_unaccounted_dice(scene: Scene, command: c.NoteUnaccountedDice) -> Verdict:
    """Open an incident about a table that threw dice which the papers had taken away, once for each set."""
    if scene.state.mark(DICE_UNACCOUNTED, thing_key("dice", f"{command.table}/{command.number}")) is not None:
        return [ActFault("office", "nothing has changed")]
    why = (
        f"table {command.table} threw dice after all of its dice set {command.number} ({', '.join(command.dice)}) were"
        " taken away on paper: find out which dice these are"
    )
    thing, number = thing_key("table", command.table), scene.state.incidents + 1
    events: list[e.ActEvent] = [
        e.DiceUnaccounted(command.table, command.number),
        e.IncidentOpened(f"I-{number}", PRACTICE, why, thing),
    ]
    return events


def day_to_commit(state: ActState, facility: Facility, at: str) -> str:
    """Return the gaming day for which a commitment to the file beside the log is due now; empty: none.

    It is the last one that is over, if the office had begun and no commitment was made since.
    """
    day = facility.gaming_day(at) - timedelta(days=1)
    is_known = state.committed is not None and state.committed.day >= day.isoformat()
    is_before = not state.begun or day < facility.gaming_day(state.begun)
    return "" if is_known or is_before else day.isoformat()


def commit_file(scene: Scene, command: c.CommitFile) -> Verdict:
    """Return a commitment to the file beside the log, one for each gaming day that is over."""
    if len(command.commitment) != _HASH_DIGITS or not {*command.commitment} <= {*"0123456789abcdef"}:
        return [ActFault("form", f"commitment: is not a SHA-256 of {_HASH_DIGITS} hexadecimal digits")]
    facility = scene.state.facility
    assert facility is not None
    if command.day != day_to_commit(scene.state, facility, scene.at):
        return [ActFault("office", "nothing has changed")]
    return [e.FileCommitted(command.day, command.commitment)]


_HASH_DIGITS = 64
