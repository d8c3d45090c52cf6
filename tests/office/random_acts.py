"""Random acts of an office, made from its pages alone: whoever may do them, to things that are there or not.

What was refused is wanted: next come, as often as not, the acts that its pages name as its remedies.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.rules import ActRules
from passline.acts.schema import Act, Condition, Field, Value
from passline.acts.state import ActState
from passline.authority.roles import ROLES
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bookkeeping import KeptOffice

_FACILITY = Facility(name="Harbour", zone="America/Denver", subdivision="CO", areas=("pit-1", "pit-2"))
_PEOPLE = {f"{role}{number}": role for role in ROLES if role != "player" for number in (1, 2, 3)}
_DENOMINATIONS = ("100", "500", "2500")
_CENTS = 10_000_00  # more than the chips of one count come to
_PAPER = {"reference": "letter 7"}
_STEPS = (1, 60, 600, 3_600, 20_000, 90_000, -300)  # seconds between acts; now and then the clock is set back
_WANTED = 12
_CORRECTED = 0.1


Tell = Callable[[KeptOffice, Random], tuple[str, dict[str, str]]]
"""Says when an act is said to have happened ("": now), and with which paper."""


def random_history(
    rules: ActRules,
    random: Random,
    acts: int,
    kinds: tuple[str, ...] = (),
    *,
    begin: Callable[[KeptOffice], None] = lambda _kept: None,
    tell: Tell | None = None,
) -> KeptOffice:
    """Return an office after so many random commands; of acts only those done to some kinds, if they are named.

    `begin` is done first. `tell` says when acts are said to have happened; without it they are told as they happen.
    """
    kept = KeptOffice(rules, _FACILITY, {"owner1": "owner"} | _PEOPLE)
    bodies = sorted({group.body for group in rules.pages.roles.values() if group.body})
    for number, body in enumerate(bodies, start=1):
        kept.send(c.AssignBody(account=f"regulator{number}", body=body), "owner1")
    begin(kept)
    tell = tell or (lambda kept, _random: ("", _paper(kept)))
    acts_of = rules.pages.acts.items()
    names = [name for name, act in acts_of if not act.corrects and (not kinds or act.thing in kinds)]
    corrections = [name for name, act in acts_of if act.corrects and (not kinds or act.thing in kinds)]
    wanted: list[str] = []
    for _ in range(acts):
        kept.at = later(kept.at, random.choice(_STEPS))
        what = random.random()
        if kept.state.pending and what < 0.5:
            _sign_or_void(kept, random)
        elif what < 0.04:
            _look_round(kept, random)
        elif what < 0.08:
            _set_value(kept, random)
        else:
            name = wanted.pop() if wanted and random.random() < 0.5 else random.choice(names)
            if corrections and random.random() < _CORRECTED:
                name = random.choice(corrections)
            if isinstance(_do(kept, name, random, tell), Refused):
                wanted += [name, *_remedies(kept, rules.pages.acts[name], random)]
                del wanted[:-_WANTED]
    return kept


def _do(kept: KeptOffice, name: str, random: Random, tell: Tell) -> object:
    act = kept.rules.pages.acts[name]
    things = _things(kept, act, random)
    fields = {key: value for key, one in act.fields.items() if (value := _value(kept, one, things, random)) is not None}
    by = _somebody(kept, act.by, random)
    occurred, paper = tell(kept, random)
    return kept.send(c.DoAct(act=name, things=things, fields=fields, occurred=occurred, paper=paper), by)


def _paper(kept: KeptOffice) -> dict[str, str]:
    """A letter that has come today, each time another one."""
    return {**_PAPER, "document": kept.letter(), "received": _FACILITY.today(kept.at).isoformat()}


def _remedies(kept: KeptOffice, act: Act, random: Random) -> list[str]:
    """Return two acts that may help: what conditions name, who is designated, where things come from."""
    pages = kept.rules.pages
    conditions: list[Condition] = [*act.needs.values(), *(pages.gates[act.gate].items.values() if act.gate else ())]
    found = [name for one in conditions for name in (one.mend, one.done) if name]
    found += [one.designated for group in act.by if (one := kept.rules.group(group)).designated]
    places = [(act.thing, act.states)] if act.thing and not act.new else []
    places += [(one.of[0], one.states) for one in act.fields.values() if one.type in {"thing", "things"}]
    for kind, states in places:
        if not kept.state.of_kind(kind, states):
            found += [key for key, one in pages.acts.items() if one.thing == kind and _leads(one, states)]
    return random.sample(found, min(2, len(found)))


def _leads(act: Act, states: tuple[str, ...]) -> bool:
    return act.to in states if states else act.new


def _look_round(kept: KeptOffice, random: Random) -> None:
    """Have the server look at what it watches, or open a table if its list is green."""
    tables = [one.id for one in kept.state.of_kind("table")]
    if tables and random.random() < 0.5:
        kept.send(c.ClearTable(table=random.choice(tables), house="c" * 64, dice="physical"))
    else:
        kept.send(c.LookRound(open_tables=tuple(random.sample(tables, random.randrange(len(tables) + 1)))))


def _set_value(kept: KeptOffice, random: Random) -> None:
    if values := kept.rules.pages.values:
        key = random.choice(list(values))
        kept.send(c.SetValue(key=key, value=_figure(values[key], random), **_paper(kept)), "owner1")


def _figure(value: Value, random: Random) -> object:
    match value.type:
        case "count" | "cents":
            return random.randrange(1, 6)
        case "length":
            return {"count": random.randrange(1, 4), "unit": random.choice(("hours", "days"))}
        case "times":
            return ["06:00-07:00", "14:00-15:00", "22:00-23:00"]
        case _:
            return "as it was told"


def _somebody(kept: KeptOffice, groups: tuple[str, ...], random: Random) -> str:
    names = random.sample(list(kept.people), len(kept.people))
    fit = (name for name in names if any(kept.rules.is_of(group, kept.people[name], kept.state) for group in groups))
    return next(fit, names[0]) if random.random() < 0.95 else names[0]


def _things(kept: KeptOffice, act: Act, random: Random) -> tuple[str, ...]:
    if not act.thing or (act.new and kept.rules.pages.things[act.thing].series):
        return ()
    if act.new:
        if act.thing == "person":
            return (random.choice(list(kept.people)),)
        if act.many:
            return tuple(f"N{number}" for number in random.sample(range(40), 6))
        return (random.choice(_DENOMINATIONS) if act.thing == "chip" else f"N{random.randrange(12)}",)
    there = [one.id for one in kept.state.of_kind(act.thing, act.states)] or ["N99"]
    return tuple(random.sample(there, min(len(there), 1 + random.randrange(3)))) if act.many else (_one(there, random),)


def _one(names: list[str], random: Random) -> str:
    return random.choice(names) if names and random.random() < 0.97 else "N98"


def _value(  # noqa: C901, PLR0912 - a case for each type
    kept: KeptOffice, field: Field, things: tuple[str, ...], random: Random
) -> Any:  # noqa: ANN401 - as it would be sent
    state: ActState = kept.state
    match field.type:
        case "text":
            return "as it should be"
        case "yes":
            return random.random() < 0.95
        case "flag" | "no":
            return None if field.optional else random.random() < 0.1
        case "number" | "cents":
            least = _CENTS if field.covers else field.min or 0
            return least + random.randrange(2)
        case "choice":
            shifts = tuple(shift.name for shift in _FACILITY.shifts)
            forms = tuple(key for key, form in kept.rules.pages.forms.items() if form.manual and field.of_forms)
            return random.choice(
                shifts if field.of_shifts else _FACILITY.areas if field.of_areas else field.of or forms
            )
        case "some":
            return list(field.of)
        case "day":
            return None if field.optional else "2027-06-30"
        case "moment":
            return "2026-01-01 12:00" if field.past else "2026-06-30 12:00"
        case "document":
            return "b" * 64
        case "thing":
            return _one([one.id for one in state.of_kind(field.of[0], field.states)], random)
        case "things":
            return [one.id for one in state.of_kind(field.of[0], field.states)][: 1 + random.randrange(6)]
        case "ids":
            final = kept.rules.pages.things[field.of[0]].final
            found = [one.id for one in state.of_kind(field.of[0]) if one.state not in final]
            return found if random.random() < 0.7 else ["N97", *found[1:]]
        case "person":
            return _somebody(kept, field.of or ("dealer",), random)
        case "people":
            return [_somebody(kept, field.of or ("dealer",), random) for _ in range(3)]
        case "units" if field.is_unwanted or (field.stock and field.optional and random.random() < 0.7):
            return None
        case "units":
            return {one: random.randrange(1, 40) for one in random.sample(_DENOMINATIONS, random.randrange(1, 3))}
        case "checklist":
            return dict.fromkeys(kept.rules.pages.checklists[field.of[0]].items, True)
        case "per_thing":
            least = field.min if field.min is not None else (field.max or 1) - 1
            return {one: least + random.randrange(2) for one in things}
        case "act" if field.earlier:
            figures = [one for one in state.figures.at_hand.values() if one.act in field.of]
            of_these = [one.last for one in figures if one.things == things] or [one.last for one in figures]
            return random.choice(of_these) if of_these else 1
        case "act":
            kind = kept.rules.pages.acts[field.of[0]].thing
            marks = [mark for act in field.of for one in things if (mark := state.mark(act, f"{kind}/{one}"))]
            return max((mark.number for mark in marks), default=1)
        case "times":
            return ["06:00-07:00", "14:00-15:00", "22:00-23:00"]
        case "shares":
            pools = [one.facts.get(field.total, 0) for one in state.of_kind("tip_pool", ("counted",))]
            return {"dealer1": random.choice(pools or [1])}
        case _:
            return None


def _sign_or_void(kept: KeptOffice, random: Random) -> None:
    number = random.choice(list(kept.state.pending))
    waiting = kept.state.pending[number]
    act = kept.rules.pages.acts[waiting.done.act]
    if random.random() < 0.05:
        kept.send(c.VoidAct(number=int(number), reason="keyed by mistake"), waiting.done.by)
        return
    part = random.choice([one for one in waiting.done.waits if one not in waiting.signed])
    fields: dict[str, Any] = {}
    rule = kept.rules.signature(act, part)
    assert rule is not None
    if act.counts and rule.counts:
        fields = {key: waiting.done.fields.get(key) for key in act.counts.counted_fields}
        if random.random() < 0.05:
            fields[act.counts.field] = {"500": 7}
    signer = _somebody(kept, rule.by, random)
    kept.send(c.SignAct(number=int(number), part=part, fields=fields), signer, signer)
