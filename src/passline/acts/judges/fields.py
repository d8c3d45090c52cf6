"""The fields of an act: what was written is read and checked, each fault with the clause of its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import Any

from msgspec import ValidationError, convert, json
from msgspec.structs import replace

from passline.acts.calendar.shifts import TIMES
from passline.acts.commands import BatchLine
from passline.acts.judges.bounds import bound_faults, order_faults, range_faults
from passline.acts.judges.record_fields import is_asked, read_act, read_checklist, read_house_file, read_sheet
from passline.acts.judges.scene import ActFault, Scene, field_fault, form_fault
from passline.acts.judges.units import DENOMINATION, unit_faults
from passline.acts.judges.writing import text_fault
from passline.acts.page_memo import kept_with_page
from passline.acts.papers.form_codes import read_code
from passline.acts.schema import Act, Field
from passline.acts.state import KnownThing
from passline.money import CENTS_MAX, amount_text, dollars
from passline.rules.schema import clause_text

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._#-]{0,59}")
"""What identifies a thing: letters, digits and a few marks."""
_TEXT_MAX = 4000
_DIGEST = re.compile(r"[0-9a-f]{64}")
_COUNT_MAX = 10_000_000
_CODE_MAX, _CODE_SHOWN = 200, 24  # characters
_Read = tuple[Any, list[ActFault]]


def fields_of(
    act: Act, given: dict[str, Any], scene: Scene, subjects: Sequence[KnownThing]
) -> tuple[dict[str, Any], list[ActFault]]:
    """Read the fields of an act; return them as they are kept, and every fault."""
    kept: dict[str, Any] = {}
    if not given and not _asked_fields(act):
        return kept, []
    faults: list[ActFault] = []
    if given.keys() - act.fields.keys():
        known = ", ".join(act.fields) or "none"
        faults += (
            ActFault("form", f"{key}: is not a field of {act.name.lower()}; its fields are {known}")
            for key in given
            if key not in act.fields
        )
    for key, field in act.fields.items():
        value = given.get(key)
        if not value and _is_empty(value):
            if field.own and (held := thing_in_hand(scene, field.of[0])):
                kept[key] = held
                continue
            if field.through and (found := fact_of_named(act, field.through, given, scene)):
                kept[key] = str(found)
                continue
            if field.optional:
                continue
            recorded = () if field.unless in act.fields else subjects
            only = bool(fact_of_named(act, field.only, given, scene)) if "." in field.only else True
            if only and _is_needed(field, given, subjects, recorded):
                why = f": {_WITHOUT_OWN}" if field.own else ""
                faults.append(ActFault(clause_text(field.cite), f"{key}: is missing: {_words_of(field)}{why}"))
            continue
        read, wrong = read_field(field, value, scene, subjects)
        if wrong:
            faults += (fault.under(key) for fault in wrong)
        kept[key] = read
    return kept, faults


_WITHOUT_OWN = "name it, since whoever does this has none open, or several"


def thing_in_hand(scene: Scene, kind: str) -> str:
    """Return the one thing of a kind that whoever does an act holds now; empty: none, or several."""
    rule = scene.rules.pages.things[kind]
    held = [
        known.id
        for known in scene.state.of_kind(kind, rule.held_in)
        if rule.held_by and scene.by in (known.facts.get(rule.held_by) or ())
    ]
    return held[0] if len(held) == 1 else ""


@kept_with_page
def _asked_fields(act: Act) -> tuple[str, ...]:
    """Return the fields of an act that can be asked for."""
    return tuple(key for key, field in act.fields.items() if not field.optional or field.own or field.through)


def _words_of(field: Field) -> str:
    """Return what belongs into a field; of what is counted, nothing is written down, too."""
    is_count = field.type == "units" and not field.min
    return f"{field.name}; where there are none, write 0 of a denomination" if is_count else field.name


def fact_of_named(act: Act, word: str, given: dict[str, Any], scene: Scene) -> object:
    """Return the fact that FIELD.FACT means, of the thing that a field of the act names; None: it is not known."""
    key, _, fact = word.partition(".")
    named = scene.state.thing(act.fields[key].of[0], str(given.get(key, "")))
    return named.facts.get(fact) if named else None


def _is_needed(
    field: Field, given: dict[str, Any], subjects: Sequence[KnownThing], recorded: Sequence[KnownThing]
) -> bool:
    """Return whether a field must be filled in, as the other fields and the facts of the things are."""
    if field.only and "." not in field.only and is_asked(field.only, given, subjects):
        return False
    if field.lower:
        before = [subject.facts[field.lower] for subject in subjects if field.lower in subject.facts]
        now = given.get(field.lower)
        if type(now) is not int or not any(now < figure for figure in before):
            return False
    if field.differs and not _do_differ(field, given):
        return False
    return is_asked(field.unless, given, recorded)


def _do_differ(field: Field, given: dict[str, Any]) -> bool:
    """Return whether the figures that a field asks about were both given, and are not the same."""
    figures = [given[key] for key in field.differs if type(given.get(key)) is int]
    return len(figures) == len(field.differs) and len({*figures}) > 1


def changed_fields(act: Act, kept: dict[str, Any], scene: Scene, subjects: Sequence[KnownThing]) -> list[ActFault]:
    """Return what has become wrong with an act's fields since it was recorded: a box is now on another table."""
    return [
        wrong.under(key)
        for key, value in kept.items()
        for wrong in read_field(act.fields[key], value, scene, subjects)[1]
    ]


def read_field(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing] = ()) -> _Read:  # noqa: ANN401
    """Read one field; return it as it is kept, and every fault."""
    return _READ[field.type](field, value, scene, subjects)


def _is_empty(value: object) -> bool:
    return value is None or value in ("", [], {}, ())


def _text(_field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, str) or not 0 < len(value.strip()) <= _TEXT_MAX:
        return "", form_fault(f"must be a text of 1 to {_TEXT_MAX} characters")
    why = text_fault(scene.rules, value)
    return value.strip(), form_fault(why) if why else []


def _yes(field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, bool):
        return False, form_fault("must be true or false")
    return value, [] if value else field_fault(field, f"must be so: {field.name}", is_fact=True)


def _no(field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, bool):
        return False, form_fault("must be true or false")
    return value, field_fault(field, f"must not be so: {field.name}", is_fact=True) if value else []


def _flag(_field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    return value, [] if isinstance(value, bool) else form_fault("must be true or false")


def _number(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if type(value) is not int:
        return 0, form_fault("must be a whole number")
    return value, [*bound_faults(field, value, subjects), *order_faults(field, value, scene)]


def _cents(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if type(value) is not int or value < 0:
        return 0, form_fault("must be an amount in cents")
    if value > CENTS_MAX:
        return 0, form_fault(f"must be at most {dollars(CENTS_MAX)}: more is a slip of the finger")
    wrong = [*bound_faults(field, value, subjects), *order_faults(field, value, scene)]
    return value, [*wrong, *_cover_faults(field, value, scene)]


def _cover_faults(field: Field, value: int, scene: Scene) -> Iterator[ActFault]:
    """Yield that an amount is less than what another field says is part of it."""
    part, wrong = _units(field, scene.fields.get(field.covers) or {}, scene, ())
    worth = 0 if wrong else sum(int(unit) * count for unit, count in part.items())
    if value < worth:
        yield from field_fault(
            field, f"{dollars(value)} is less than the {field.covers}, {dollars(worth)}", is_fact=True
        )


def _choice(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    facility = scene.state.facility
    assert facility is not None
    choices = facility.areas if field.of_areas else field.of
    if field.of_shifts:
        choices = tuple(shift.name for shift in facility.shifts)
    if field.of_forms:
        choices = tuple(key for key, form in scene.rules.pages.forms.items() if form.manual)
    if value not in choices:
        return "", field_fault(field, f"{value!r} is not one of {', '.join(choices)}")
    return value, []


def _some(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, list | tuple):
        return [], form_fault("must be a list")
    if strange := [str(item) for item in value if item not in field.of]:
        return [], field_fault(field, f"{', '.join(strange)} is not one of {', '.join(field.of)}")
    missing = [choice for choice in field.of if choice not in value]
    if field.every and missing:
        return [*value], field_fault(field, f"{', '.join(missing)} is missing", is_fact=True)
    counted = dict.fromkeys(value) if _names_once(scene) else value
    if len(counted) < (field.min or 1):
        return [*value], field_fault(field, f"at least {field.min or 1} of {', '.join(field.of)}")
    return list(dict.fromkeys(value)), []


def _day(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    try:
        day = date.fromisoformat(str(value))
    except ValueError:
        return "", form_fault(f"{value!r} is not a day such as 2026-11-15")
    facility = scene.state.facility
    if field.ahead and facility is not None and day < (now := facility.gaming_day(scene.occurred)):
        return "", form_fault(f"{day} is over: it is the gaming day {now}")
    return day.isoformat(), []


def _moment(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    facility = scene.state.facility
    assert facility is not None
    try:
        moment = datetime.fromisoformat(str(value))
        local = facility.local(str(value)) if moment.tzinfo else moment
        read = facility.moment(local.date(), f"{local:%H:%M}")
    except (ValueError, OverflowError):
        return "", form_fault(f"{value!r} is not a moment such as 2026-11-15 18:30")
    if field.past and read > scene.at:
        return "", form_fault(f"{value!r} is still to come: it is {facility.local(scene.at):%Y-%m-%d %H:%M}")
    return read, []


def _lines(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read what was written on manual slips: of each line only its form, here; as an act it is judged with the rest."""
    try:
        lines = convert(value, list[BatchLine])
    except ValidationError as error:
        return [], form_fault(f"must be lines as {', '.join(BatchLine.__struct_fields__)}: {error}")
    if len(lines) > (field.max or len(lines)):
        return [], form_fault(f"{len(lines)} lines are more than {field.max}")
    kept, faults = list[Any](), list[ActFault]()
    for number, line in enumerate(lines, start=1):
        at, wrong = _moment(field, line.occurred, scene, subjects)
        faults += (ActFault(fault.clause, f"line {number}: {fault.why}") for fault in wrong)
        kept.append(json.decode(json.encode(replace(line, occurred=at))))  # as the log gives it back
    return kept, faults


def _document(_field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        return "", form_fault("must be the SHA-256 digest of an attached document")
    return value, []


def _thing(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if isinstance(value, str):
        return value, _name_faults(field, [value], scene, subjects)
    read, faults = _things(field, [value], scene, subjects)
    return (read[0] if read else ""), faults


def _things(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        return [], form_fault("must be a list of names")
    return [*value], _name_faults(field, value, scene, subjects)


def _name_faults(field: Field, value: Sequence[str], scene: Scene, subjects: Sequence[KnownThing]) -> list[ActFault]:
    """Return what is wrong with the names of things."""
    kind, faults = field.of[0], list[ActFault]()
    name = scene.rules.pages.things[kind].name
    for item in value:
        known = scene.state.thing(kind, item)
        if known is None:
            faults += field_fault(field, f"no {name} {item} is on record")
        elif field.states and known.state not in field.states:
            faults += field_fault(field, f"{name} {item} is {known.state.replace('_', ' ')}, not {_or(field.states)}")
        if field.another and any((subject.kind, subject.id) == (kind, item) for subject in subjects):
            faults += field_fault(field, f"{name} {item} cannot stand for itself: name another")
        if field.valid:
            faults += (
                ActFault(clause_text(field.cite), f"{name} {item}: {fact.replace('_', ' ')} is over or not on record")
                for fact in field.valid
                if known is not None and scene.is_over(known, fact)
            )
    if len(value) < (field.min or 1):
        faults += field_fault(field, f"at least {field.min} of {name}")
    if len(value) > 1 and _names_once(scene) and (twice := sorted({item for item in value if value.count(item) > 1})):
        faults += field_fault(field, f"{name} {', '.join(twice)} is named twice")
    return faults


def _names_once(scene: Scene) -> bool:
    return scene.rules.pages.writing is not None and scene.rules.pages.writing.once


def _ids(_field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read what was found, be it on record or not."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and ID.fullmatch(item) for item in value):
        return [], form_fault("must be a list of names")
    return [*value], []


def _codes(_field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    """Read what a scanner has read: the number of each form that the log has, and what is none as it is."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and len(item) > 0 for item in value):
        return [], form_fault("must be a list of codes as a scanner reads them")
    if any(len(item) > _CODE_MAX for item in value):
        return [], form_fault(f"a code has at most {_CODE_MAX} characters")
    return [_form_number(item, scene) for item in value], []


def _form_number(text: str, scene: Scene) -> str:
    code = read_code(text)
    return code.number if code and scene.around.has_form(code) else f"no form of the log: {text.strip()[:_CODE_SHOWN]}"


def _or(words: Sequence[str]) -> str:
    return " or ".join(word.replace("_", " ") for word in words)


def _person(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    read, faults = _people(field, [value], scene, subjects)
    return (read[0] if read else ""), faults


def _people(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        return [], form_fault("must be a list of accounts")
    faults = list[ActFault]()
    for account in dict.fromkeys(value):
        person = scene.who(account)
        if person is None:
            faults += form_fault(f"nobody has the account {account}")
            continue
        if field.of and not any(scene.rules.is_of(group, person, scene.state) for group in field.of):
            faults += field_fault(field, f"{person.name} is not on record as {scene.rules.words_of(field.of)}")
        for group in field.never:
            if scene.rules.is_of(group, person, scene.state):
                faults += field_fault(field, f"{person.name} is of {scene.rules.words_of([group])}, who may not")
        known = scene.state.thing("person", account)
        faults += (
            ActFault(clause_text(field.cite), f"{person.name}: {fact.replace('_', ' ')} is over or not on record")
            for fact in field.valid
            if scene.is_over(known, fact)
        )
    if field.doer and scene.by not in value:
        doer = scene.who(scene.by)
        faults += field_fault(field, f"{doer.name if doer else scene.by} does this and is not among them: {field.name}")
    least = max(scene.state.values.get(field.min_value, 1), field.min if field.min is not None else 1)
    if len({*value}) < least:
        faults += field_fault(field, f"{len({*value})} of {least}: {field.name}", is_fact=True)
    if field.max is not None and len({*value}) > field.max:
        faults += field_fault(field, f"{len({*value})}, more than {field.max}: {field.name}", is_fact=True)
    return list(dict.fromkeys(value)), faults


def _times(_field: Field, value: Any, _scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, list | tuple) or not all(TIMES.fullmatch(str(item)) for item in value):
        return [], form_fault("must be times of day such as 06:00 or 13:45-14:15")
    return sorted({*value}), []


def _shares(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, dict) or not all(type(item) is int and item > 0 for item in value.values()):
        return {}, form_fault("must be an amount in cents for each account")
    if max(value.values(), default=0) > CENTS_MAX:
        return {}, form_fault(f"each must be at most {dollars(CENTS_MAX)}: more is a slip of the finger")
    _, faults = _people(field, list(value), scene, subjects)
    total = next((subject.facts[field.total] for subject in subjects if field.total in subject.facts), 0)
    if field.total and sum(value.values()) != total:
        shared = amount_text(sum(value.values()))
        faults += field_fault(field, f"the shares come to {shared}, and {amount_text(total)} is to be shared out")
    return dict(sorted(value.items())), faults


def _units(field: Field, value: Any, scene: Scene, _subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, dict):
        return {}, form_fault("must be a table of counts by denomination in cents")
    for denomination, count in value.items():
        if not DENOMINATION.fullmatch(str(denomination)):
            return {}, form_fault(f"{str(denomination)[:20]!r} is not a denomination in cents")
        if type(count) is not int or not 0 <= count <= _COUNT_MAX:
            return {}, form_fault(f"{count!r} is not a count of 0 to {_COUNT_MAX:,}")
    given = sorted(value.items(), key=lambda unit: int(unit[0])) if len(value) > 1 else value.items()
    units = {str(int(denomination)): count for denomination, count in given if count}
    return units, unit_faults(field, units, scene)


def _per_thing(field: Field, value: Any, scene: Scene, subjects: Sequence[KnownThing]) -> _Read:  # noqa: ANN401
    if not isinstance(value, dict) or not all(type(item) is int for item in value.values()):
        return {}, form_fault("must be a whole number for each")
    faults = [
        ActFault(clause_text(field.cite), f"is missing of {subject.id}: {field.name}")
        for subject in subjects
        if subject.id not in value
    ]
    ids = {subject.id for subject in subjects}
    faults += (ActFault("form", f"{item} is not among what this is done to") for item in value if item not in ids)
    for thing, figure in value.items():
        faults += (
            ActFault(wrong.clause, f"{thing}: {wrong.why}", is_fact=True)
            for wrong in (*range_faults(field, figure), *order_faults(field, figure, scene, thing))
        )
    return dict(sorted(value.items())), faults


_READ: dict[str, Callable[[Field, Any, Scene, Sequence[KnownThing]], _Read]] = {
    "text": _text,
    "yes": _yes,
    "flag": _flag,
    "number": _number,
    "cents": _cents,
    "choice": _choice,
    "some": _some,
    "day": _day,
    "moment": _moment,
    "document": _document,
    "thing": _thing,
    "things": _things,
    "ids": _ids,
    "person": _person,
    "people": _people,
    "units": _units,
    "checklist": read_checklist,
    "per_thing": _per_thing,
    "house": read_house_file,
    "sheet": read_sheet,
    "no": _no,
    "times": _times,
    "shares": _shares,
    "act": read_act,
    "codes": _codes,
    "lines": _lines,
}
