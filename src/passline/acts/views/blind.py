"""What is hidden from people who count blind: balances, and earlier counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.history import RecordedAct
from passline.acts.judges.scene import Scene
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Act
from passline.acts.state import OFFICE, ActState, KnownThing, thing_key

_Hidden = Mapping[str, frozenset[str]]


def may_count(scene: Scene, act: Act, person: Person) -> bool:
    """Return whether somebody may count in an act: as the one who does it, or as the one who counts again."""
    groups = {*act.by, *(group for sign in act.signs.values() if sign.counts for group in sign.by)}
    return any(scene.rules.has_role(group, person, scene.state) for group in groups)


def hidden_places(scene: Scene, person: Person) -> _Hidden:
    """Return the places, by stock, whose balances somebody is not shown.

    These are the places that they may count, until they have counted them in this shift, since whoever knows the
    balance is tempted to report it. Where a place is hidden, so are the places outside: all balances sum to zero.
    """
    hidden: dict[str, set[str]] = {}
    for act in scene.rules.pages.acts.values():
        counted = counted_places(act)
        for stock, where in counted.items() if counted and may_count(scene, act, person) else ():
            places = {*scene.rules.pages.stocks[stock].places, *scene.state.stocks.get(stock, {})}
            hidden.setdefault(stock, set()).update(
                place
                for place in places
                if _is_counted(act, where, place) and not _has_counted(scene, stock, place, person)
            )
    return {
        stock: frozenset({*places, *scene.rules.pages.stocks[stock].outside})
        for stock, places in hidden.items()
        if places
    }


def counted_places(act: Act) -> dict[str, str]:
    """Return the stocks that an act counts, each with the place as its page names it."""
    counted = {act.counts.stock: act.counts.place} if act.counts is not None and act.counts.stock else {}
    return counted | (dict.fromkeys(act.tallies.fields, act.tallies.place) if act.tallies else {})


def state_seen_by(scene: Scene, person: Person) -> ActState:
    """Return an office without the figures that are hidden from somebody, in its stocks and in the facts of things."""
    hidden = hidden_places(scene, person)
    stocks = {
        stock: {place: units for place, units in places.items() if place not in hidden.get(stock, ())}
        for stock, places in scene.state.stocks.items()
    }
    counted: dict[str, set[tuple[str, str]]] = {}  # the stock and the field, by the kind of thing that is the place
    for act in scene.rules.pages.acts.values():
        if act.counts is not None and act.counts.stock and act.counts.place == "@":
            counted.setdefault(act.thing, set()).add((act.counts.stock, act.counts.field))
        for stock, keys in act.tallies.fields.items() if act.tallies and act.tallies.place == "@" else ():
            counted.setdefault(act.thing, set()).update((stock, key) for key in keys)
    lists = {
        (act.thing, act.counts.listed)
        for act in scene.rules.pages.acts.values()
        if act.counts is not None and act.counts.listed and may_count(scene, act, person)
    }
    seen = ((key, _without_lists(thing, lists)) for key, thing in scene.state.things.items())
    things = {key: _seen_thing(thing, counted, hidden) for key, thing in seen}
    return replace(scene.state, stocks=stocks, things=things)


def acts_seen_by(scene: Scene, person: Person, acts: Iterable[RecordedAct]) -> Iterator[RecordedAct]:
    """Return acts without the counts that are hidden from somebody; one that is to be counted again always is."""
    hidden = hidden_places(scene, person)
    for act in acts:
        if not scene.rules.is_seen_by(act.done.kind, person, scene.state):
            continue
        rule = scene.rules.act(act.done.act)
        if rule is not None and rule.batch is not None and rule.batch.lines in act.done.fields:
            key = rule.batch.lines
            shown = lines_shown(scene.rules, act.done.fields[key]) if hidden else act.done.fields[key]
            yield replace(act, done=replace(act.done, fields={**act.done.fields, key: shown}))
            continue
        counts = rule.counts if rule else None
        first = scene.rules.act(rule.corrects) if rule and rule.corrects else rule
        if (
            first is None
            or rule is None
            or counts is None
            or not (_waits(act, rule) or _place_of(first, act.done, hidden))
        ):
            yield act
            continue
        blind = counts.counted_fields
        signatures = tuple(replace(sign, fields=_without(sign.fields, *blind)) for sign in act.signatures)
        done = replace(act.done, fields=_without(act.done.fields, *blind))
        yield replace(act, done=done, signatures=signatures, result=None)


def lines_shown(rules: ActRules, lines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return lines from manual slips without counts, and without things that only some people may read of."""
    shown = list[Mapping[str, Any]]()
    for line in lines:
        act = rules.act(line["act"])
        kind = rules.pages.things.get(act.thing) if act else None
        secret = kind is not None and bool(kind.seen_by)
        counted = act.counts.counted_fields if act and act.counts else ()
        fields = {} if secret else _without(line.get("fields") or {}, *counted)
        shown.append({**line, "fields": fields, "things": () if secret else line.get("things", ())})
    return shown


def _waits(act: RecordedAct, rule: Act) -> bool:
    signed = {sign.part for sign in act.signatures}
    return act.status == "waits" and any(
        rule.signs[part].counts for part in act.done.waits if part not in signed and part in rule.signs
    )


def _place_of(rule: Act, done: e.ActDone, hidden: _Hidden) -> bool:
    """Return whether what an act counted is kept from somebody."""
    own = thing_key(done.kind, done.things[0]) if done.things else ""
    places = {
        stock: own if place == "@" else f"{place[1:]}/{done.fields.get(place[1:], '')}" if place[:1] == "@" else place
        for stock, place in counted_places(rule).items()
    }
    return any(place in hidden.get(stock, ()) for stock, place in places.items())


def _is_counted(act: Act, where: str, place: str) -> bool:
    """Return whether an act counts a place; `@` is the thing it is done to, `@table` a table that it names."""
    if not where.startswith("@"):
        return place == where
    return place.startswith(f"{where[1:] or act.thing}/")


def _has_counted(scene: Scene, stock: str, place: str, person: Person) -> bool:
    """Return whether somebody was the last to count a place, in this shift, and nobody is counting it now."""
    state, facility = scene.state, scene.state.facility
    about = {
        key: place if where == "@" else OFFICE
        for key, act in scene.rules.pages.acts.items()
        if (where := counted_places(act).get(stock)) and _is_counted(act, where, place)
    }
    waiting = (
        (pending.done.act, {thing_key(pending.done.kind, id_) for id_ in pending.done.things})
        for pending in state.pending.values()
    )
    if facility is None or any(key in about and about[key] in {OFFICE, *things} for key, things in waiting):
        return False
    marks = (mark for key, subject in about.items() if (mark := state.mark(key, subject)))
    last = max(marks, key=lambda mark: mark.at, default=None)
    if last is None or person.account not in {last.by, *last.signed}:
        return False
    return facility.shift_end(last.at) == facility.shift_end(scene.at)


def _seen_thing(known: KnownThing, counted: Mapping[str, Iterable[tuple[str, str]]], hidden: _Hidden) -> KnownThing:
    """Return a thing without what was counted of it, where that is kept from somebody."""
    kept = {
        field
        for stock, field in counted.get(known.kind, ())
        if field in known.facts and thing_key(known.kind, known.id) in hidden.get(stock, ())
    }
    return replace(known, facts=_without(known.facts, *kept)) if kept else known


def _without_lists(known: KnownThing, lists: Collection[tuple[str, str]]) -> KnownThing:
    """Return a thing without the lists of what somebody is to find."""
    kept = [fact for fact in known.facts if (known.kind, fact) in lists]
    return replace(known, facts=_without(known.facts, *kept)) if kept else known


def _without(fields: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in keys}
