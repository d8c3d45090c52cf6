"""The things that an act is done to: whether they are on record, and in a state that allows the act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from passline.acts.commands import DoAct
from passline.acts.judges.fields import ID
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.judges.units import DENOMINATION
from passline.acts.judges.writing import compares_alike
from passline.acts.schema import Act, Thing
from passline.acts.state import ActState, KnownThing, thing_key
from passline.money import dollar_amount
from passline.rules.schema import clause_text
from passline.tables.live import table_id

CENTS = "cents"
"""What is identified by its value, such as a chip."""
_LIVE = "table"


def subjects_of(state: ActState, act: Act, things: Sequence[str]) -> list[KnownThing]:
    """Return what the office has on record of things; a thing that is not on record yet has no state."""
    return [state.thing(act.thing, thing) or KnownThing(act.thing, thing, "", {}, "") for thing in things]


def things_of(
    scene: Scene, act: Act, names: Sequence[str], fields: Mapping[str, Any] | None = None
) -> tuple[tuple[str, ...], list[ActFault]]:
    """Return the names of the things that an act is done to or makes, and what is wrong with them.

    `fields` say how many slips an act makes that prints them.
    """
    if not act.thing:
        return (), [ActFault("form", f"{act.name} is about no single thing")] if names else []
    thing = scene.rules.pages.things[act.thing]
    cite = clause_text(thing.cite)
    if thing.series and act.new:
        if names:
            return (), [ActFault(cite, f"a {thing.name} is numbered by the office: leave its number out")]
        series, pieces = _series_of(scene, act, thing.series, fields or {})
        last = scene.state.numbers.get(series, 0)
        return tuple([f"{series}-{number:06}" for number in range(last + 1, last + pieces + 1)]), []
    faults = []
    if not names:
        faults.append(ActFault("form", f"{act.name}: say which {thing.name}"))
    if len(names) > 1 and not act.many:
        faults.append(ActFault("form", f"{act.name}: one {thing.name} at a time"))
    if len(names) > 1 and (twice := sorted({name for name in names if names.count(name) > 1})):
        faults.append(ActFault(cite, f"{thing.name} {', '.join(twice)} is named twice"))
    for name in names:
        faults += _thing_faults(scene, act, name)
    return tuple(names), faults + _alike_faults(scene, act, names) if act.new else faults


def _series_of(scene: Scene, act: Act, series: str, fields: Mapping[str, Any]) -> tuple[str, int]:
    """Return the series in which an act numbers what it makes, and how many: one, or as many slips as it prints."""
    if act.prints is None:
        return series, 1
    form = scene.rules.pages.forms.get(str(fields.get(act.prints.form)))
    pieces, rule = fields.get(act.prints.pieces), act.fields[act.prints.pieces]
    if type(pieces) is not int or not 0 < pieces <= (rule.max or 1):
        pieces = 1  # it is refused by its own field
    return (form.manual if form and form.manual else series), pieces


def series_in(numbers: Sequence[str]) -> str:
    """Return the series of numbers in the office's own numbering.

    >>> series_in(("F-000001",)), series_in(())
    ('F', '')
    """
    return numbers[0].rpartition("-")[0] if numbers else ""


def judged_things(
    scene: Scene, act: Act, command: DoAct
) -> tuple[tuple[str, ...], list[KnownThing] | None, list[ActFault]]:
    """Return the names of an act's things, what is on record of them, and what is wrong with them.

    What is on record is None if one of them has ended.
    """
    if act.states and len(command.things) == 1 and (known := _ready_thing(scene, act, command.things[0])) is not None:
        return command.things, [known], []
    things, faults = things_of(scene, act, command.things, command.fields)
    subjects = subjects_of(scene.state, act, things)
    return things, None if has_ended(scene, act, subjects) else subjects, faults


def _ready_thing(scene: Scene, act: Act, name: str) -> KnownThing | None:
    """Return a thing that is on record and in a state for an act; None: that remains to be judged."""
    key = thing_key(act.thing, name)
    known = scene.state.things.get(key)
    if known is None or act.new or known.state not in act.states or not ID.fullmatch(name):
        return None
    is_over = known.state in scene.rules.pages.things[act.thing].final or key in scene.state.ended
    return None if is_over else known


def has_ended(scene: Scene, act: Act, subjects: Sequence[KnownThing]) -> bool:
    """Return whether something that an act would be done to has ended."""
    if not act.thing or act.new or act.ended:
        return False
    return any(_is_over(scene, act, known) for known in subjects)


def _is_over(scene: Scene, act: Act, known: KnownThing) -> bool:
    """Return whether a thing has ended, was filed while it rested, or rests from all but acts that name its state."""
    thing = scene.rules.pages.things[known.kind]
    if known.state in thing.final or (known.state in thing.rests and known.state not in act.states):
        return True
    return thing_key(known.kind, known.id) in scene.state.ended


def waiting_faults(scene: Scene, name: str, act: Act, names: Sequence[str]) -> list[ActFault]:
    """Return the fault of an act for whose thing the same act is already waiting to be signed."""
    if not act.to or act.new or not scene.state.pending:
        return []
    waiting = [
        pending.done
        for pending in scene.state.pending.values()
        if (pending.done.act, pending.done.kind) == (name, act.thing)
    ]
    return [
        ActFault(clause_text(act.cite), f"act {done.number} waits for its signatures already: {act.name}, {thing}")
        for done in waiting
        for thing in names
        if thing in done.things
    ]


def _thing_faults(scene: Scene, act: Act, name: str) -> list[ActFault]:
    rules, state = scene.rules, scene.state
    thing, known = rules.pages.things[act.thing], state.thing(act.thing, name)
    is_ready = known is not None and not act.new and known.state in act.states and ID.fullmatch(name) is not None
    if known is not None and is_ready and (act.ended or not _is_over(scene, act, known)):
        return []
    cite = clause_text(thing.cite)
    if act.new and thing.named == CENTS and (why := thing_name_fault(thing, name)):
        return [ActFault("form", why)]
    if not ID.fullmatch(name):
        return [ActFault("form", f"{name[:60]!r} names no {thing.name}: use letters, digits, points and hyphens")]
    if act.new:
        called = scene.name_of(act.thing, name)
        waiting = (pending.done for pending in state.pending.values() if pending.done.kind == act.thing)
        is_made = any(name in done.things and rules.pages.acts[done.act].new for done in waiting)
        if known or is_made:
            gone = _words(known.state) if known and thing.named and known.state in thing.final else ""
            why = f"was {gone}: its name is not used again" if gone else "is on record already"
            return [ActFault(cite, f"{called} {why}")]
        there = _office_with(scene, act.thing, name) if thing.one_office else ""
        why = f"{called} is on record in the office of {there}: in one house it bears that number alone"
        return [ActFault(cite, why)] if there else []
    if known is None:
        return [ActFault(cite, f"no {scene.name_of(act.thing, name)} is on record")]
    if not act.ended and _is_over(scene, act, known):
        return [
            ActFault(cite, f"{scene.name_of(act.thing, name)} is {_words(known.state)}: nothing more is done to it")
        ]
    if act.states and known.state not in act.states:
        needed = " or ".join(_words(state) for state in act.states)
        why = f"{scene.name_of(act.thing, name)} is {_words(known.state)}; it must be {needed}: {act.name}"
        return [ActFault(clause_text(act.cite), why, is_fact=True)]
    return []


def thing_name_fault(thing: Thing, name: str) -> str:
    """Return why a new thing cannot have a name, or an empty string.

    A table must follow the names of live tables only where there are live tables: other offices number them freely.

    >>> kinds = {"table": "table", "chip": "cents"}
    >>> table, chip = (Thing(name=kind, states=(), named=named, cite="practice") for kind, named in kinds.items())
    >>> thing_name_fault(table, "craps-1"), thing_name_fault(chip, "500")
    ('', '')
    >>> thing_name_fault(table, "Craps-1")
    "a live table cannot be called 'Craps-1': use small letters, digits and single hyphens, such as craps-1"
    >>> thing_name_fault(chip, "5-dollars")
    "a chip cannot have the value '5-dollars': write it as money, such as $5, which is kept as 500 cents"
    """
    if thing.named == _LIVE and table_id(name) != name:
        example = table_id(name) or "craps-1"
        letters = "small letters, digits and single hyphens"
        return f"a live table cannot be called {name[:60]!r}: use {letters}, such as {example}"
    if thing.named == CENTS and not DENOMINATION.fullmatch(name):
        why = f"a {thing.name} cannot have the value {name[:60]!r}"
        return f"{why}: write it as money, such as {dollar_amount(5_00)}, which is kept as 500 cents"
    return ""


def _alike_faults(scene: Scene, act: Act, names: Sequence[str]) -> list[ActFault]:
    """Return new things whose names differ from those of others only in capitals: nobody tells them apart on paper."""
    if not act.new or not compares_alike(scene.rules):
        return []
    thing = scene.rules.pages.things[act.thing]
    gone = [known.id for known in scene.state.of_kind(act.thing, thing.final)] if thing.named and thing.final else []
    keys = {*scene.state.things, *scene.state.ended} - {thing_key(act.thing, id_) for id_ in gone}
    known = {id_.casefold(): id_ for key in keys for kind, _, id_ in [key.partition("/")] if kind == act.thing}
    alike = {name: known.get(name.casefold(), name) for name in names}
    return [
        ActFault(
            clause_text(thing.cite), f"{scene.name_of(act.thing, other)} is on record, and {name} is read as the same"
        )
        for name, other in alike.items()
        if other != name
    ]


def _office_with(scene: Scene, kind: str, name: str) -> str:
    """Return the other office of the house that has a thing of this kind and name in use, if any."""
    final = scene.rules.pages.things[kind].final
    states = {office: state.thing(kind, name) for office, state in scene.around.others().items()}
    return next((office for office, known in states.items() if known and known.state not in final), "")


def _words(state: str) -> str:
    return state.replace("_", " ")
