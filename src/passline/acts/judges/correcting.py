"""Corrections: what an act said is put right by another that names it, and everything that rested on it moves along.

After a correction the stocks, and the facts of things, are what they would be if the first act had been right. Nothing
is edited: both acts stay on record, and so do the incidents that the wrong figure opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from passline.acts import events as e
from passline.acts.figures import Correction, Figure, FigureMove
from passline.acts.judges.counting import found_nothing, in_counts, lacking_units, owed_by, stock_place
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, thing_key
from passline.rules.schema import clause_text

_WHOLE = frozenset({"units", "cents"})  # figures that are said again as a whole: what is not named, is not there


def figure_moves(scene: Scene, act: Act, done: e.ActDone) -> tuple[FigureMove, ...]:
    """Return on which figures the movements of an act rest: on its own, or on those of the act that made its thing."""
    figures, moves, counts = scene.state.figures, act.moves, act.counts
    found: list[FigureMove] = []
    if moves is not None and not moves.missing:
        own = moves.field in done.fields
        subject = thing_key(done.kind, done.things[0]) if done.things else ""
        asked = figures.told_by.get(subject, {}).get(moves.field, 0)
        of = asked if moves.lost or not own else done.number
        if (own and act.corrected) or str(of) in figures.at_hand:
            to = moves.lost if own and moves.lost else moves.target  # what came stays what it is: the rest is lost
            source, target = (stock_place(place, done, scene.state) for place in (moves.source, to))
            found.append(FigureMove(of, moves.field, moves.stock, source, target))
    if counts is not None and counts.against and (act.corrected or figures.at_hand):
        place = stock_place(counts.place, done, scene.state)
        found.append(FigureMove(done.number, counts.field, counts.stock, counts.against, place, settles=True))
    return tuple(found)


# --- Judging a correction ---------------------------------------------------------------------------------------------


def correction_faults(
    scene: Scene, act: Act, things: Sequence[str], fields: Mapping[str, Any], occurred: str = ""
) -> list[ActFault]:
    """Return what stands against a correction: it is made now, of the same things, and says something else."""
    if not act.corrects:
        return []
    cite = clause_text(act.cite)
    found = scene.state.figures.find(fields.get("corrects", 0))
    if found is None:
        return []  # its field has said so
    number, figure = found
    faults = []
    if occurred:
        faults.append(ActFault("form", "occurred: a correction is made when it is entered; leave this out"))
    if sorted(things) != sorted(figure.things):
        named = ", ".join(figure.things)
        faults.append(ActFault(cite, f"corrects: act {number} was done to {named}: name all of that, and nothing else"))
    first = scene.rules.pages.acts[act.corrects]
    differing = _changes_of(first, figure, fields)
    if not differing:
        faults.append(ActFault(cite, f"nothing is corrected: act {figure.last} says the same"))
    faults += _shortages(scene, first, _wanted_moves(scene, figure, differing)[0])
    assert first.corrected is not None
    for name in first.corrected.until:
        marks = (scene.state.mark(name, thing_key(figure.kind, thing)) for thing in figure.things)
        if any(mark is not None and mark.number > number for mark in marks):
            since = scene.rules.pages.acts[name].name.lower()
            faults.append(ActFault(cite, f"act {number} is not corrected any more: since then came: {since}"))
    return faults


def _shortages(scene: Scene, first: Act, moves: Iterable[e.StockMove]) -> list[ActFault]:
    """Return that less is on record than was there by the first act: it is recorded all the same."""
    assert first.corrected is not None
    return [
        ActFault(clause_text(first.corrected.cite), why, is_fact=True)
        for move in moves
        for why in lacking_units(move, scene)
    ]


def _changes_of(first: Act, figure: Figure, given: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return what a correction changes: each field as it was and as it is now; None: nothing was said there."""
    assert first.corrected is not None
    differing = {}
    for key in first.corrected.fields:
        was = figure.fields.get(key)
        now = given.get(key) if key in given or first.fields[key].type in _WHOLE else was
        if (was or None) != (now or None):
            differing[key] = (was, now)
    return differing


# --- What it leads to -------------------------------------------------------------------------------------------------


def correction_effects(scene: Scene, act: Act, done: e.ActDone) -> e.ActCompleted:
    """Return that a correction took effect: with both figures, the facts that change, and the difference that moves."""
    found = scene.state.figures.find(done.fields["corrects"])
    assert found is not None, "its field was read"
    number, figure = found
    first = scene.rules.pages.acts[act.corrects]
    differing = _changes_of(first, figure, done.fields)
    was = {key: pair[0] for key, pair in differing.items()}
    now = {key: pair[1] for key, pair in differing.items()}
    moves, taken_up = _wanted_moves(scene, figure, differing)
    assert first.corrected is not None
    if owing := first.corrected.missing:
        moves = [part for move in moves for part in owed_by(owing, move, scene)]
    return e.ActCompleted(
        done.number,
        (*_facts_changed(scene, first, number, figure, now), *_incidents_marked(scene, done, number, taken_up)),
        tuple(moves),
        _variances(first, done, was, now),
        corrects=Correction(number, figure.last, was, now),
    )


def _facts_changed(scene: Scene, first: Act, number: int, figure: Figure, now: Mapping[str, Any]) -> Iterable[e.Change]:
    """Yield the facts of things that the first act was the last to say."""
    empty = found_nothing(first)
    for name in figure.things:
        key = thing_key(figure.kind, name)
        known, told = scene.state.things.get(key), scene.state.figures.told_by.get(key, {})
        facts = {
            field: empty.get(field) if value is None else value[name] if _is_per_thing(first, field) else value
            for field, value in now.items()
            if told.get(field) == number
        }
        if known is not None and facts:
            yield e.Change(figure.kind, name, known.state, facts)


def _is_per_thing(act: Act, field: str) -> bool:
    return act.fields[field].type == "per_thing"


def _incidents_marked(scene: Scene, done: e.ActDone, number: int, taken_up: Iterable[int]) -> Iterable[e.Change]:
    """Yield the incidents that the wrong figure opened, or a count that ran into it: they stay, and name this act."""
    first_of, final = scene.state.figures.first_of, scene.rules.pages.things[INCIDENT].final
    acts = {number, *taken_up, *(int(own) for own, first in first_of.items() if first == number)}
    for incident in scene.state.of_kind(INCIDENT):
        if incident.facts.get("act") in acts and incident.state not in final:
            yield e.Change(INCIDENT, incident.id, incident.state, {"corrected_by": done.number})


def _wanted_moves(
    scene: Scene, figure: Figure, differing: Mapping[str, tuple[Any, Any]]
) -> tuple[list[e.StockMove], list[int]]:
    """Return the units that move so that stocks are as with the right figure, and the counts that had taken them up."""
    due: dict[str, dict[str, dict[str, int]]] = {}  # by stock, place and unit: what must come there
    taken_up = []
    for moved in figure.moved:
        if moved.field not in differing:
            continue
        before, after = map(in_counts, differing[moved.field])
        for place, sign in ((moved.source, -1), (moved.target, 1)):
            later = scene.state.figures.count_after(moved.stock, place, moved.order)
            taken_up += [later.act] if later else []
            units = due.setdefault(moved.stock, {}).setdefault(later.against if later else place, {})
            for unit in before.keys() | after.keys():
                units[unit] = units.get(unit, 0) + sign * (after.get(unit, 0) - before.get(unit, 0))
    return [move for stock, places in due.items() for move in _moves_for(stock, places)], taken_up


def _moves_for(stock: str, due: Mapping[str, Mapping[str, int]]) -> list[e.StockMove]:
    """Return movements that bring each place what is due there; together nothing is."""
    between: dict[tuple[str, str], dict[str, int]] = {}
    for unit in sorted({unit for units in due.values() for unit in units}, key=int):
        left = {place: units[unit] for place, units in sorted(due.items()) if units.get(unit)}
        givers = [place for place, count in left.items() if count < 0]
        takers = [place for place, count in left.items() if count > 0]
        while givers and takers:
            source, target = givers[0], takers[0]
            count = min(-left[source], left[target])
            between.setdefault((source, target), {})[unit] = count
            left[source] += count
            left[target] -= count
            givers = givers[left[source] == 0 :]
            takers = takers[left[target] == 0 :]
    return [e.StockMove(stock, source, target, units) for (source, target), units in between.items()]


def _variances(first: Act, done: e.ActDone, was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[e.Variance, ...]:
    """Return the correction as what somebody must look into, where the pages say so: what it is now, what it was."""
    corrected = first.corrected
    assert corrected is not None
    if not corrected.incident:
        return ()
    after, before = _by_unit(now), _by_unit(was)
    names = sorted(
        (name for name in {*after, *before} if after.get(name, 0) != before.get(name, 0)),
        key=lambda name: (len(name), name),
    )
    return (
        e.Variance(
            corrected.incident,
            {name: after.get(name, 0) for name in names},
            {name: before.get(name, 0) for name in names},
            clause_text(corrected.cite),
            thing_key(done.kind, done.things[0]) if done.things else "",
        ),
    )


def _by_unit(figures: Mapping[str, Any]) -> dict[str, int]:
    """Return figures by field and denomination or thing; words are no figures."""
    found: dict[str, int] = {}
    for key, value in figures.items():
        if type(value) is int:
            found[key] = value
        else:
            found |= {f"{key} {name}": count for name, count in in_counts(value).items() if type(count) is int}
    return found


# --- How long a figure is kept at hand --------------------------------------------------------------------------------


def figures_to_file(scene: Scene) -> tuple[int, ...]:
    """Return the acts whose figures are not kept at hand any more, since their days are over."""
    facility, acts = scene.state.facility, scene.rules.pages.acts
    if facility is None or not scene.state.figures.at_hand:
        return ()
    today = facility.gaming_day(scene.at)
    since = {
        name: facility.moment(today - timedelta(days=act.corrected.days), facility.day_begins)
        for name, act in acts.items()
        if act.corrected is not None and act.corrected.days is not None
    }
    waiting = {pending.done.fields.get("corrects") for pending in scene.state.pending.values()}
    return tuple(
        int(number)
        for number, figure in scene.state.figures.at_hand.items()
        if figure.at < since.get(figure.act, "") and figure.last not in waiting
    )
