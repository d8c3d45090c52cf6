"""Finds the figures of an act that is corrected: kept at hand, or recalled if the pages of that time kept none.

Acts stay judged by the pages that they were done under. The pages in force now say what may be corrected, and how.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from passline.acts.earlier_acts import EarlierAct
from passline.acts.figures import Figure, MovedFigure, PlaceCount
from passline.acts.judges.counting import stock_place
from passline.acts.judges.scene import Scene
from passline.acts.schema import Act
from passline.acts.state import thing_key
from passline.acts.stocks import units_sum


def find_figure(scene: Scene, number: int) -> tuple[int, Figure] | None:
    """Return a first act and what it says now, by its number or that of one of its corrections."""
    if (found := scene.state.figures.find(number)) is not None:
        return found
    recalled = _figure_told_earlier(scene, number) or _figure_of_things(scene, number)
    return (number, recalled) if recalled else None


def kept_since(scene: Scene, act: Act | None) -> str:
    """Return the moment since which figures of an act are kept at hand; empty: they are kept for ever, or never."""
    facility = scene.state.facility
    if facility is None or act is None or act.corrected is None or act.corrected.days is None:
        return ""
    today = facility.gaming_day(scene.at)
    return facility.moment(today - timedelta(days=act.corrected.days), facility.day_begins)


def _figure_told_earlier(scene: Scene, number: int) -> Figure | None:
    """Return what an act said under pages that did not keep it, with all that has moved by it."""
    done = scene.state.earlier.find(number)
    act = scene.rules.act(done.act) if done else None
    if done is None or act is None or act.corrected is None or done.at < kept_since(scene, act):
        return None
    moved = tuple(sorted(_moves_resting_on(scene, done), key=lambda moved: moved.order))
    return Figure(done.act, done.kind, done.things, done.fields, number, done.at, done.occurred, moved)


def _moves_resting_on(scene: Scene, first: EarlierAct) -> Iterator[MovedFigure]:
    """Yield what has moved by the figures of an act: with itself, or with later acts done to the thing that it made."""
    for done in scene.state.earlier.values():
        act = scene.rules.act(done.act)
        if act is None or done.number < first.number or (done.number > first.number and done.things != first.things):
            continue
        is_own = done.number == first.number
        if act.moves and not act.moves.missing and act.moves.field in first.fields and done.kind == first.kind:
            says_own = act.moves.field in done.fields
            source, target = (stock_place(place, done, scene.state) for place in (act.moves.source, act.moves.target))
            if is_own == says_own:
                yield MovedFigure(done.order, act.moves.field, act.moves.stock, source, target)
            if is_own and act.moves.back:
                yield MovedFigure(done.order, act.moves.back, act.moves.stock, target, source)
        if is_own and act.counts and act.counts.against:
            place = stock_place(act.counts.place, done, scene.state)
            yield MovedFigure(done.order, act.counts.field, act.counts.stock, act.counts.against, place)


def _figure_of_things(scene: Scene, number: int) -> Figure | None:
    """Return what an act said of things, from what is known of them, where nobody has said anything else since."""
    for name, act in scene.rules.pages.acts.items():
        if act.corrected is None or act.corrected.days is not None or not act.thing:
            continue
        marks = {key: mark for key, mark in scene.state.marks.get(name, {}).items() if mark.number == number and key}
        known = [scene.state.things[key] for key in marks if key in scene.state.things]
        if len(known) == 1:
            (thing,) = known
            key = thing_key(thing.kind, thing.id)
            fields = {
                field: thing.facts[field]
                for field in act.fields
                if field in thing.facts and act.fields[field].type != "per_thing"
                if not is_said_since(scene, key, field, number)
            }
            mark = marks[key]
            return Figure(name, thing.kind, (thing.id,), fields, number, mark.at, mark.occurred)
    return None


def is_said_since(scene: Scene, key: str, field: str, number: int) -> bool:
    """Return whether a later act than `number` has said a fact of a thing; `key` is the thing as kind/id."""
    known = scene.state.things.get(key)
    if known is not None and (told := (known.told or {}).get(field)) is not None:
        return told != number
    kind = key.partition("/")[0]
    later = (
        (act.fields[field], scene.state.mark(name, key))
        for name, act in scene.rules.pages.acts.items()
        if act.thing == kind and field in act.fields and not act.corrects
    )
    return any(
        mark is not None and mark.number > number and (not said.optional or _has_said(scene, mark.number, field))
        for said, mark in later
    )


def _has_said(scene: Scene, number: int, field: str) -> bool:
    """Return whether an act that earlier pages did not keep has filled a field in."""
    done = scene.state.earlier.find(number)
    return done is not None and field in done.fields


def first_count_after(scene: Scene, stock: str, place: str, order: int) -> PlaceCount | None:
    """Return the first count of a place after `order`, whether or not its pages kept figures at hand."""
    kept = scene.state.figures.count_after(stock, place, order)
    found = [kept] if kept else []
    for done in scene.state.earlier.values():
        counts = act.counts if (act := scene.rules.act(done.act)) else None
        if (
            counts is not None
            and counts.against
            and (counts.stock, stock_place(counts.place, done, scene.state)) == (stock, place)
            and done.order > order
        ):
            found.append(PlaceCount(done.order, done.number, counts.against))
    return min(found, key=lambda count: count.order, default=None)


def units_before(scene: Scene, stock: str, place: str, order: int) -> dict[str, int]:
    """Return what was on record in a place before the act with this order, if the place was not counted since."""
    units: dict[str, int] = scene.state.stocks.get(stock, {}).get(place, {})
    for sign, moved in _flows(scene, stock, place, order):
        units = units_sum(units, {unit: -sign * count for unit, count in moved.items()})
    return units


def _flows(scene: Scene, stock: str, place: str, order: int) -> Iterator[tuple[int, dict[str, int]]]:
    figures = scene.state.figures
    yield from figures.flows(stock, place, order)
    at_hand = {moved.order for figure in figures.at_hand.values() for moved in figure.moved}
    for done in scene.state.earlier.values():
        if done.order <= order or done.order in at_hand:
            continue
        for move in done.moves:
            if move.stock == stock:
                yield from ((sign, move.units) for sign, at in ((-1, move.source), (1, move.target)) if at == place)
