"""Everything that can be tried in an office: its acts, to the things that are there, with small sets of field values.

Values come from the pages: each field first as a lawful day had it, then changed alone to whatever else may stand
there, above all to other things and people; flags are tried both ways, together with every other change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from msgspec.structs import replace as changed

from passline.acts.schema import Act, Field
from passline.acts.state import KnownThing
from tests.office.search.seeds import twin_of
from tests.office.search.world import ALARM, CASH, CLEAR, SET, WAIT, Move, World

_THINGS_MAX = 5
_NEW_MAX = 3
_VARIANTS_MAX = 14
_CHOICES_MAX = 3
_HOUR = 3_600
_WAITS = (_HOUR, 25 * _HOUR, 9 * 24 * _HOUR, 366 * 24 * _HOUR)
_FIGURES: dict[str, Any] = {
    "count": 3,
    "cents": 1_000_000,
    "length": {"count": 2, "unit": "days"},
    "times": ["06:00-07:00", "14:00-15:00", "22:00-23:00"],
    "text": "as it was told",
}
_DENOMINATIONS = ("500", "100", "2500")


def moves_of(world: World, acts: Iterable[str] | None = None) -> Iterator[Move]:
    """Yield the moves to be tried now: of all acts, or of some."""
    pages = world.office.rules.pages
    for name in pages.acts if acts is None else acts:
        if name in pages.acts and is_searched(pages.acts[name]):
            for things in _things(world, pages.acts[name]):
                yield from (Move(name, things, fields) for fields in _fields(world, name, pages.acts[name], things))
    for table in _first(world.state.of_kind("table")):
        if table.id not in world.dealt:
            yield Move(CLEAR, (table.id,))
    if acts is None:
        yield from server_moves(world)
    yield from (Move(WAIT, seconds=seconds) for seconds in _WAITS)


def is_searched(act: Act) -> bool:
    """Return whether an act is tried: corrections, and outages, have tests of their own."""
    return not act.corrects and act.page != "outage"


def server_moves(world: World) -> Iterator[Move]:
    """Yield figures that can be set, and what the server can note by itself."""
    for key, value in world.office.rules.pages.values.items():
        if key not in world.state.values:
            yield Move(SET, (key,), (("value", _FIGURES[value.type]),))
    for table in _first(world.state.of_kind("table"))[:1]:
        yield Move(ALARM, (table.id,))
    yield Move(CASH)


def is_number(field: Field) -> bool:
    """Return whether a field is a number that tells one thing from all others, such as that of a seal."""
    return field.type == "text" and "number" in field.name


def _first(found: Iterable[KnownThing]) -> list[KnownThing]:
    """Return things that stand for all of their kind: those of the day, then a twin."""
    kept = list(found)
    own = [one for one in kept if twin_of("") not in one.id]
    twins = [one for one in kept if twin_of("") in one.id]
    return [*own[:_THINGS_MAX], *twins[:1]]


def _things(world: World, act: Act) -> Iterator[tuple[str, ...]]:
    """Yield what an act can be done to."""
    state, pages = world.state, world.office.rules.pages
    if not act.thing or (act.new and pages.things[act.thing].series):
        yield ()
        return
    if act.new:
        yield from _new(world, act)
        return
    final = () if act.ended else pages.things[act.thing].final
    there = _first(one for one in state.of_kind(act.thing) if one.state not in final)
    if not act.is_fact and act.states:
        there = _first(state.of_kind(act.thing, act.states))
    yield from ((one.id,) for one in there)
    if act.many and len(there) > 1:
        yield (there[0].id, there[1].id)


def _new(world: World, act: Act) -> Iterator[tuple[str, ...]]:
    known = {one.id for one in world.state.of_kind(act.thing)}
    facility = world.state.facility
    assert facility is not None
    match act.thing:
        case "person":
            names = [one for one in ("dealer1", "supervisor1", "boxperson1") if one not in known]
        case "chip":
            names = [one for one in _DENOMINATIONS if one not in known][:1]
        case "gaming_day":
            names = [str(facility.gaming_day(world.at) - timedelta(days=1))]
        case _:
            count = sum(one.startswith("N") for one in known)
            names = [f"N{count}"] if count < _NEW_MAX else []
            if names and act.many:
                names.append(f"N{count + 1}")
                yield tuple(names)
    yield from ((one,) for one in names[:2])


def _fields(world: World, name: str, act: Act, things: tuple[str, ...]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Yield the fields of an act: as a lawful day has them, then each changed alone, and together with a flag."""
    lawful = world.office.lawful_fields.get(name)
    choices: dict[str, list[Any]] = {}
    for key, field in act.fields.items():
        found = _values(world, act, key, field, things)
        if lawful is not None and key in lawful and not _is_reference(field) and field.type not in {"day", "moment"}:
            rest = [one for one in found if one != lawful[key]]
            found = [lawful[key], *rest] if not is_number(field) else found
        choices[key] = found
        if not found and not field.optional and not field.unless:
            return  # it must name something, and there is nothing to name
    default = {key: found[0] for key, found in choices.items() if found and _is_usual(act.fields[key], key, lawful)}
    seen: list[dict[str, Any]] = []
    for variant in _variants(act, default, choices):
        fitting = _completed(world, act, variant, things)
        if fitting not in seen:
            seen.append(fitting)
            yield tuple(fitting.items())
        if len(seen) >= _VARIANTS_MAX:
            return


def _is_reference(field: Field) -> bool:
    return field.type in {"thing", "things", "person", "people", "per_thing", "ids", "act", "sheet", "shares"}


def _is_usual(field: Field, key: str, lawful: object) -> bool:
    """Return whether a field is filled in where nothing is varied."""
    if not field.optional:
        return True
    if lawful is not None:
        return key in lawful  # type: ignore[operator]
    return not field.is_unwanted and field.type not in {"flag", "day", "no"}


def _variants(act: Act, default: dict[str, Any], choices: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    yield default
    singles = [(key, value) for key, found in choices.items() for value in found if default.get(key) != value]
    flags = [(key, value) for key, value in singles if act.fields[key].type == "flag"]
    singles.sort(key=lambda one: act.fields[one[0]].type not in {"thing", "person", "people"})
    for flag, is_set in flags:
        yield {**default, flag: is_set}
        for key, value in singles:
            is_needless = act.fields[key].unless == flag and is_set
            if key != flag and act.fields[key].type in {"people", "person", "thing"} and not is_needless:
                yield {**default, flag: is_set, key: value}
    for key, value in singles:
        yield {**default, key: value}


def _completed(world: World, act: Act, fields: dict[str, Any], things: tuple[str, ...]) -> dict[str, Any]:
    """Return fields without those that the flags make needless, and with the digests of papers as they print now."""
    kept = {}
    for key, value in fields.items():
        field = act.fields[key]
        if fields.get(field.unless):
            continue
        if field.only in act.fields and not fields.get(field.only):
            continue
        kept[key] = value
    for key, field in act.fields.items():
        if field.type == "sheet":
            known = world.state.thing(act.thing, things[0]) if things else None
            scene = changed(world.scene, fields=kept)
            kept[key] = scene.sheet(field.of[0], known or KnownThing(act.thing, "", "", {}, "")).digest
    return kept


def _values(world: World, act: Act, key: str, field: Field, things: tuple[str, ...]) -> list[Any]:  # noqa: C901, PLR0912 - a case each
    """Return what may stand in a field, what is most usual first."""
    facility = world.state.facility
    assert facility is not None
    today = facility.gaming_day(world.at)
    match field.type:
        case "yes":
            return [True, False] if act.is_fact else [True]
        case "no":
            return [False, True] if act.is_fact else [False]
        case "flag":
            return [False, True]
        case "number" | "cents":
            return [1_000_000 if field.covers else field.min or (field.max or 1)]
        case "choice":
            shifts = tuple(shift.name for shift in facility.shifts)
            return list(shifts if field.of_shifts else facility.areas if field.of_areas else field.of)[:_CHOICES_MAX]
        case "some":
            return [list(field.of)]
        case "day":
            return [str(today)] if key == "gaming_day" else [str(today + timedelta(days=300))]
        case "moment" if field.past:
            return [f"{facility.local(world.at):%Y-%m-%d %H:%M}"]
        case "moment":
            return [f"{today + timedelta(days=-1 if field.past else 6)} 12:00"]
        case "document":
            return ["b" * 64]
        case "units":
            return [{"500": 1}]
        case "checklist":
            return [dict.fromkeys(world.office.rules.pages.checklists[field.of[0]].items, True)]
        case "times":
            return [["06:00-06:30", "14:00-14:30", "22:00-22:30"]]
        case "house":
            return [{"rules": world.office.rules.name}]
        case "sheet":
            return [""]
        case "codes":
            return [[], ["of nothing in the log"]]
        case "text":
            return _texts(world, act, key, field, things)
        case _:
            return _references(world, act, field, things)


def _texts(world: World, act: Act, key: str, field: Field, things: tuple[str, ...]) -> list[Any]:
    if not is_number(field):
        needs = [need for need in act.needs.values() if need.word and need.fact == key]
        words = [need.word for need in needs if not need.only_for or {*need.only_for} & {*things}]
        return words or ["as it should be"]
    used = [str(one.facts[key]) for one in world.state.of_kind(act.thing) if one.id not in things and key in one.facts]
    tables = [one.id for one in _first(world.state.of_kind("table"))] if "table" in field.name else []
    fresh = f"{key}-{len(used) + 1}-{'-'.join(things)}"
    return [*tables[:2], fresh, *used[:2], *tables[2:]]


def _references(world: World, act: Act, field: Field, things: tuple[str, ...]) -> list[Any]:
    """Return the things, people and acts that a field can name."""
    state, pages = world.state, world.office.rules.pages
    match field.type:
        case "thing":
            found = sorted(
                _first(state.of_kind(field.of[0], field.states)),
                key=lambda one: one.facts.get(act.thing) not in things,  # what belongs to it first
            )
            return [one.id for one in found]
        case "things":
            names = [one.id for one in state.of_kind(field.of[0], field.states)]
            return [names[: max(field.min or 1, 2)], names[:1]] if names else []
        case "ids":
            final = pages.things[field.of[0]].final
            return [[one.id for one in state.of_kind(field.of[0]) if one.state not in final]]
        case "per_thing":
            lawful = next((one for one in _lawful_figures(world, act, field) if one is not None), field.min or 0)
            return [dict.fromkeys(things, lawful)]
        case "act":
            marks = [mark for act_ in field.of for one in things if (mark := state.mark(act_, f"{act.thing}/{one}"))]
            return [max((mark.number for mark in marks), default=1)]
        case "shares":
            pool = state.thing(act.thing, things[0]) if things else None
            total = pool.facts.get(field.total, 0) if pool else 0
            return [{person: total} for person in _people(world, field.of or ("dealer",), 1)]
        case "person":
            return _people(world, field.of or ("dealer",), 3)
        case _:
            people = _people(world, field.of or ("dealer",), 8)
            count = max(field.min or 1, int(state.values.get(field.min_value, 1)), 2 if field.doer else 1)
            return [one for one in (people[:count], people[count : 2 * count], people[: count + 1]) if one]


def _lawful_figures(world: World, act: Act, field: Field) -> Iterator[int | None]:
    for fields in world.office.lawful_fields.values():
        for key, value in fields.items():
            if key in act.fields and act.fields[key] is field and isinstance(value, dict):
                yield next(iter(value.values()), None)


def _people(world: World, groups: tuple[str, ...], count: int) -> list[str]:
    """Return people of some groups: those on duty first, then those of whom nothing is on record."""
    rules, state = world.office.rules, world.state
    fit = [
        account
        for account, person in world.office.people.items()
        if any(rules.is_of(group, person, state) for group in groups)
    ]
    on_duty = {one.id for one in state.of_kind("person", ("on_duty",))}
    return sorted(fit, key=lambda one: one not in on_duty)[:count]
