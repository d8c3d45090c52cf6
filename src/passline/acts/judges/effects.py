"""What an act brings about once everybody has signed: changes, movements, variances and incidents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.judges.correcting import correction_effects, figure_moves, words_corrected
from passline.acts.judges.counting import (
    MovesOfAct,
    found_nothing,
    moved_meanwhile,
    settling_moves,
    taken_up_of,
    told_after_count,
    units_moved,
    variances_of,
)
from passline.acts.judges.each_record import facts_apart, record_before
from passline.acts.judges.past import recalling_change, thing_at
from passline.acts.judges.paying import money_matters, paid_moves, tally_moves
from passline.acts.judges.record_fields import is_asked
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.judges.subjects import subjects_of
from passline.acts.moving_schema import Entering
from passline.acts.page_memo import kept_with_page
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, KnownThing, thing_key
from passline.rules.schema import clause_text


def effects_of(scene: Scene, act: Act, done: e.ActDone, moving: MovesOfAct) -> list[e.ActCompleted]:
    """Return the events by which an act takes effect, with everything that it changes."""
    if act.corrects:
        return [correction_effects(scene, act, done)]
    changes = []
    for name in done.things:
        known = scene.state.thing(done.kind, name)
        facts = dict(done.fields) if _is_plain(act) else _facts(scene, act, done, known, name)
        changes.append(e.Change(done.kind, name, _state_after(scene, act, known), facts))
    changes += _named_changes(scene, act, done) if _changing_fields(act) else ()
    if done.occurred < scene.at:
        changes = _with_later_lists(scene, done, changes)
    changes = [recalling_change(scene, done, change) for change in changes]
    changes += _list_changes(scene, act.enters, done) if act.enters else ()
    moves = units_moved(act, moving, scene) if act.moves else ()
    moves += settling_moves(act, done, scene) if act.counts else ()
    moves += (*paid_moves(scene, act, done), *tally_moves(scene, act, done)) if act.pays or act.tallies else ()
    values = {key: done.fields[key] for key in act.sets if key in done.fields} if act.sets else {}
    return [
        e.ActCompleted(
            done.number,
            tuple(changes),
            moves,
            variances_of(act, done, scene) if act.counts or act.moves else (),
            values,
            figures=figure_moves(scene, act, done, moving) if act.counts or act.moves else (),
            is_kept=act.corrected is not None,
            taken_up=taken_up_of(act, moving) if moving.counts else (),
        )
    ]


@kept_with_page
def _has_lists(act: Act) -> bool:
    """Return whether an act adds to names that are on record, or whoever does it comes to them or goes."""
    return bool(act.joins or act.quits or act.takes) or any(field.adds for field in act.fields.values())


@kept_with_page
def _changing_fields(act: Act) -> tuple[str, ...]:
    """Return the fields of an act that bring what they name to another state."""
    return tuple(key for key, field in act.fields.items() if field.to)


@kept_with_page
def _is_plain(act: Act) -> bool:
    """Return whether a thing is known by nothing but what the fields of an act say, each as it is."""
    types = {field.type for field in act.fields.values()}
    counts = act.counts is not None and (act.counts.is_whole or bool(act.counts.listed))
    is_more = (
        counts
        or act.renews
        or bool(act.clears)
        or act.apart is not None
        or _has_lists(act)
        or bool(_sticking_fields(act))
    )
    return not (is_more or types & {"lines", "per_thing"})


def _state_after(scene: Scene, act: Act, known: KnownThing | None) -> str:
    """Return the state that an act leaves a thing in."""
    if known is not None and (not act.to or (act.stays and known.state not in act.states)):
        return known.state
    if known is not None and act.restores and (first := _first_state(scene, known)):
        return first
    return act.to or scene.rules.pages.things[act.thing].states[0]


def _first_state(scene: Scene, known: KnownThing) -> str:
    """Return the state in which a thing was entered."""
    entered = (
        act.to
        for name, act in scene.rules.pages.acts.items()
        if act.new and act.thing == known.kind and scene.state.mark(name, thing_key(known.kind, known.id))
    )
    return next(entered, "")


def _added_names(act: Act, fields: dict[str, Any], known: KnownThing | None) -> dict[str, list[str]]:
    """Return the people and things that fields add to those that are on record already."""
    return {
        key: list(dict.fromkeys([*(known.facts.get(key) or ()), *fields[key]]))
        for key, field in act.fields.items()
        if field.adds and known is not None and key in fields
    }


def _sticking_facts(act: Act, facts: dict[str, Any], known: KnownThing | None, today: str) -> dict[str, Any]:
    """Return what was said not to be so of a thing, and what comes later than what is said now: both stay so."""
    before = {key: known.facts.get(key) for key in _sticking_fields(act)} if known is not None else {}
    stay: dict[str, Any] = {key: False for key, was in before.items() if was is False and key in facts}
    of_type = {key: act.fields[key].type for key in before}
    is_over = any(of_type[key] == "day" and was and was < today for key, was in before.items())
    if is_over or not any(before.values()):
        return stay
    for key, was in before.items():
        now = facts.get(key)
        if of_type[key] == "day" and now and (not was or now < was):  # where no day was said, there is none
            stay[key] = was or ""
        elif of_type[key] == "choice" and was:
            order = act.fields[key].of
            stay[key] = max(was, now or was, key=order.index)
    return stay


@kept_with_page
def _sticking_fields(act: Act) -> tuple[str, ...]:
    """Return the fields of an act whose no is not undone by a later yes, or whose later day and choice stays."""
    return tuple(key for key, field in act.fields.items() if field.sticks)


def _doer_listed(act: Act, done: e.ActDone, known: KnownThing | None) -> dict[str, list[str]]:
    """Return the people whom a fact names after whoever does an act has come to them, or gone."""
    facts = known.facts if known is not None else {}
    come = {act.joins: list(dict.fromkeys([*(facts.get(act.joins) or ()), done.by]))} if act.joins else {}
    come |= {act.takes: [done.by]} if act.takes else {}
    gone = {act.quits: [person for person in facts.get(act.quits) or () if person != done.by]} if act.quits else {}
    return come | gone


def _named_changes(scene: Scene, act: Act, done: e.ActDone) -> list[e.Change]:
    """Return what becomes of the things that the fields of an act name; they learn what it was done to."""
    facts = {done.kind: done.things[0]} if done.things else {}
    return [
        e.Change(field.of[0], name, field.to, {**facts, "act": done.number})
        for key in _changing_fields(act)
        if (field := act.fields[key])
        and is_asked(field.unless, done.fields, subjects_of(scene.state, act, done.things))
        for name in _names(done.fields.get(key))
    ]


def _list_changes(scene: Scene, entering: Entering, done: e.ActDone) -> Iterator[e.Change]:
    """Yield the list that an act enters its things on, where the thing that keeps it is known."""
    for name, keeper in _list_keepers(scene, entering, done):
        if _takes_list(entering, keeper):
            on_paper = scene.slip.number if scene.slip else name  # the slip that lies there was written by hand
            entered = [*(keeper.thing.facts.get(entering.list) or ()), on_paper]
            yield e.Change(keeper.thing.kind, keeper.thing.id, keeper.thing.state, {entering.list: entered})


class _ListKeeper(Struct, frozen=True):
    """What keeps a list, such as a drop box, and what it was found by, such as a table."""

    thing: KnownThing
    through: str
    is_left: bool = False  # it was there at the moment of which an act is told, and is there no more


def _list_keepers(scene: Scene, entering: Entering, done: e.ActDone) -> list[tuple[str, _ListKeeper]]:
    """Return each thing of an act with what keeps the list that it is entered on."""
    state = scene.state
    found: list[tuple[str, _ListKeeper]] = []
    is_told_later = bool(entering.left) and done.occurred < scene.at
    for name in done.things:
        if not (through := done.fields.get(entering.through)):
            own = state.thing(done.kind, name)
            through = own.facts.get(entering.through) if own else None
        if not through or (first := state.thing(entering.through, str(through))) is None:
            continue
        then = _keeper_then(scene, entering, done, first.id) if is_told_later else None
        keeper = then or state.thing(entering.named, str(first.facts.get(entering.named, "")))
        if keeper is not None:
            found.append((name, _ListKeeper(keeper, first.id, is_left=then is not None)))
    return found


def _keeper_then(scene: Scene, entering: Entering, done: e.ActDone, through: str) -> KnownThing | None:
    """Return what kept the list at the moment of which an act is told, and was taken away since; None: nothing was."""
    for known in scene.state.of_kind(entering.named):
        then = thing_at(known, done.occurred)
        is_there = then.state in entering.states and then.facts.get(entering.through) == through
        if is_there and then is not known:
            return known
    return None


def _with_later_lists(scene: Scene, done: e.ActDone, changes: Sequence[e.Change]) -> list[e.Change]:
    """Return the changes of an act that is told late, with all on the list of what comes that was entered meanwhile.

    It was entered on what was taken away, and is on what was put in its place.
    """
    after = list(changes)
    for entering in {act.enters.list: act.enters for act in scene.rules.pages.acts.values() if act.enters}.values():
        own = [change for change in changes if change.kind == entering.named]
        gone = next((change for change in own if change.state in entering.left), None)
        come = next((change for change in own if change.state in entering.states), None)
        known = scene.state.thing(gone.kind, gone.id) if gone else None
        listed = list[str](known.facts.get(entering.list) or ()) if known else []
        later = [name for name in listed if _is_entered_after(scene, entering, name, done.occurred)]
        if gone is None or come is None or not later:
            continue
        left = [name for name in listed if name not in later]
        after[after.index(gone)] = replace(gone, facts={**gone.facts, entering.list: left})
        after[after.index(come)] = replace(come, facts={**come.facts, entering.list: later})
    return after


def _is_entered_after(scene: Scene, entering: Entering, name: str, moment: str) -> bool:
    """Return whether something was entered on a list by an act that happened after a moment."""
    acts = (
        (key, act) for key, act in scene.rules.pages.acts.items() if act.enters and act.enters.list == entering.list
    )
    marks = (scene.state.mark(key, thing_key(act.thing, name)) for key, act in acts)
    return any(mark is not None and mark.occurred > moment for mark in marks)


def _takes_list(entering: Entering, keeper: _ListKeeper) -> bool:
    """Return whether a thing takes what is entered: it is there where it was found, if the page asks for that."""
    if not entering.states:
        return True
    states = entering.left if keeper.is_left else entering.states
    return keeper.thing.state in states and keeper.thing.facts.get(entering.through) == keeper.through


def _list_faults(scene: Scene, act: Act, done: e.ActDone, completed: e.ActCompleted) -> list[ActFault]:
    """Return that there is nothing any more that an act enters its things on, which somebody must look into."""
    if act.enters is None or not act.enters.incident or _has_entered_all(act, act.enters, done, completed):
        return []
    return [
        ActFault(clause_text(act.enters.cite), f"{_words_of_no_list(act.enters, keeper)}: {name}", is_fact=True)
        for name, keeper in _list_keepers(scene, act.enters, done)
        if not _takes_list(act.enters, keeper)
    ]


def _has_entered_all(act: Act, entering: Entering, done: e.ActDone, completed: e.ActCompleted) -> bool:
    """Return whether an act has plainly entered each of its things on a list: it changes nothing else that has one."""
    if done.kind == entering.named or _changing_fields(act):
        return False
    return len(done.things) == len([change for change in completed.changes if change.kind == entering.named])


def _words_of_no_list(entering: Entering, keeper: _ListKeeper) -> str:
    """Return what it is called that a thing does not take what is entered."""
    return entering.gone if keeper.is_left and entering.gone else entering.incident


def _names(value: Any) -> list[str]:  # noqa: ANN401 - as the field keeps it
    return [value] if isinstance(value, str) else list(value or ())


def _facts(scene: Scene, act: Act, done: e.ActDone, known: KnownThing | None, name: str) -> dict[str, Any]:
    """Return what becomes known of a thing by an act: by its fields, and by who does it."""
    facts, before = _facts_of_fields(act, done.fields, name), record_before(scene, done, known) if act.apart else known
    if _has_lists(act):
        facts |= _added_names(act, done.fields, known) | _doer_listed(act, done, known)
    today = str(scene.today) if _sticking_fields(act) else ""
    facts |= _sticking_facts(act, facts, before, today)
    return facts_apart(scene, done, facts, name) if act.apart else facts


def _facts_of_fields(act: Act, fields: dict[str, Any], name: str) -> dict[str, Any]:
    none_found = {} if act.counts is None or not act.counts.is_whole else found_nothing(act)
    if act.renews:
        none_found |= {key: [] if field.type == "people" else "" for key, field in act.fields.items()}
    if act.counts is not None and act.counts.listed:
        none_found |= {act.counts.listed: []}
    none_found |= dict.fromkeys(act.clears, "")
    return none_found | {
        key: value[name] if act.fields[key].type == "per_thing" else value
        for key, value in fields.items()
        if act.fields[key].type != "lines" and (act.fields[key].type != "per_thing" or name in value)
    }


def incidents_of(
    scene: Scene,
    done: e.ActDone,
    faults: Iterable[ActFault],
    completed: Sequence[e.ActCompleted],
    signed: Iterable[str] = (),
) -> list[e.IncidentOpened]:
    """Return an incident for each clause that an act broke, and for each count that differs from the record."""
    about = thing_key(done.kind, done.things[0]) if done.things else ""
    found = [(fault.clause, fault.why, about) for fault in faults] if faults else []
    for event in completed:
        for variance in event.variances:
            why = f"{variance.what}: counted {_units(variance.counted)}; on record {_units(variance.expected)}"
            found.append((variance.clause, why, variance.about))
    if not found:
        return []
    people = involved_people(scene, done, signed)
    return [
        e.IncidentOpened(f"I-{scene.state.incidents + number}", clause, why, thing, done.number, people)
        for number, (clause, why, thing) in enumerate(found, start=1)
    ]


def involved_people(scene: Scene, done: e.ActDone, signed: Iterable[str]) -> tuple[str, ...]:
    """Return who did and signed an act and whom its fields name, where the pages want that kept with an incident."""
    incident, act = scene.rules.pages.things.get(INCIDENT), scene.rules.act(done.act)
    if incident is None or not incident.involved or act is None:
        return ()
    named = (done.fields.get(key) for key, field in act.fields.items() if field.type in {"person", "people"})
    people = (done.by, *signed, *(account for names in named for account in _names(names)))
    return tuple(dict.fromkeys((*people, *_others_involved(scene, act, done))))


def _others_involved(scene: Scene, act: Act, done: e.ActDone) -> list[str]:
    """Return whom a fact of its thing names who are involved in what an act opens."""
    things = (scene.state.thing(done.kind, name) for name in done.things if act.involves)
    return [account for known in things if known for account in _names(known.facts.get(act.involves))]


def matters_of(scene: Scene, act: Act, done: e.ActDone, completed: Sequence[e.ActCompleted]) -> list[ActFault]:
    """Return the incidents that an act opens although it breaks no clause; none before everybody has signed."""
    if act.corrects:
        return words_corrected(scene, act, completed)
    if not completed:
        return []
    says = str(done.fields.get(act.matter, "")) if act.matter else act.incident
    found = [ActFault(clause_text(act.cite), says, is_fact=True)] if says else []
    found += moved_meanwhile(act, completed) if act.counts else ()
    found += told_after_count(act, completed) if completed[0].taken_up else ()
    found += _list_faults(scene, act, done, completed[0]) if act.enters else ()
    found += money_matters(scene, act, done) if act.pays or act.tallies else ()
    return found


def incident_of_two_counts(scene: Scene, act: Act, done: e.ActDone, signer: str) -> list[e.IncidentOpened]:
    """Return the incident that two people have counted differently, where the pages want one.

    It names no figures, since whoever counts next must not know them: both counts stand in the act that was taken back.
    """
    if act.counts is None or not act.counts.differs:
        return []
    why = f"{act.counts.differs}: act {done.number} has both counts"
    return incidents_of(scene, done, [ActFault(clause_text(act.counts.cite), why, is_fact=True)], (), (signer,))


def _units(units: dict[str, int]) -> str:
    return ", ".join(f"{count} of {unit}" for unit, count in units.items()) or "nothing"
