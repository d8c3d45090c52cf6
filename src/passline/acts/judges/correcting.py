"""Corrections: an act puts right what an earlier act said, and with it everything that followed from that.

After a correction the stocks, and the facts of things, are what they would be if the first act had been right. Nothing
is edited: both acts stay on record, and so do the incidents that the wrong figure opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from passline.acts import events as e
from passline.acts.figures import INSTEAD, UNSAID, Correction, Figure, FigureMove, in_counts
from passline.acts.judges.counting import (
    MovesOfAct,
    exchange_faults,
    found_nothing,
    lacking_units,
    moved_since_count,
    owed_by,
    stock_place,
)
from passline.acts.judges.gaming_days import far_day_faults
from passline.acts.judges.needs import needs_faults
from passline.acts.judges.paying import repaid_moves
from passline.acts.judges.recalling import find_figure, first_count_after, is_said_since, kept_since, units_before
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, KnownThing, thing_key
from passline.rules.schema import clause_text

_WHOLE = frozenset({"units", "cents"})  # figures that are said again as a whole: what is not named, is not there


def figure_moves(scene: Scene, act: Act, done: e.ActDone, moving: MovesOfAct) -> tuple[FigureMove, ...]:
    """Return which figures the movements of an act depend on: its own, or those of the act that made its thing."""
    figures, moves, counts = scene.state.figures, act.moves, act.counts
    found: list[FigureMove] = []
    if moves is not None and not moves.missing:
        own = moves.field in done.fields
        known = scene.state.things.get(thing_key(done.kind, done.things[0])) if done.things else None
        asked = known.told.get(moves.field, 0) if known is not None and known.told else 0
        of = asked if moves.lost or not own else done.number
        source, target = moving.place(moving.source), moving.place(moving.target)
        to = moves.lost if own and moves.lost else target  # what came stays what it is: the rest is lost
        if (own and act.corrected and not moves.lost) or str(of) in figures.at_hand:
            found.append(FigureMove(of, moves.field, moves.stock, source, to))
        if own and act.corrected and moves.lost:
            found.append(FigureMove(done.number, moves.field, moves.stock, moves.lost, target))
        if act.corrected and moves.back:
            found.append(FigureMove(of, moves.back, moves.stock, target, source))
    if counts is not None and counts.against and (act.corrected or figures.at_hand):
        place = stock_place(counts.place, done, scene.state)
        since = tuple(sorted(moved_since_count(counts, place, done, scene)))
        settling = FigureMove(done.number, counts.field, counts.stock, counts.against, place, settles=True, since=since)
        found.append(settling)
    return tuple(found)


# --- Judging a correction ---------------------------------------------------------------------------------------------


def correction_faults(
    scene: Scene, act: Act, things: Sequence[str], fields: Mapping[str, Any], occurred: str = ""
) -> list[ActFault]:
    """Return why a correction is refused or questioned.

    It must be made now, name the same things as the first act, and change something.
    """
    if not act.corrects:
        return []
    cite = clause_text(act.cite)
    found = find_figure(scene, fields.get("corrects", 0))
    if found is None:
        return []  # its field has said so
    number, figure = found
    faults = list[ActFault]()
    if occurred:
        faults.append(ActFault("form", "occurred: a correction is made when it is entered; leave this out"))
    if sorted(things) != sorted(figure.things):
        named = ", ".join(figure.things)
        faults.append(ActFault(cite, f"corrects: act {number} was done to {named}: name all of that, and nothing else"))
    first = scene.rules.pages.acts[act.corrects]
    differing = _changes_of(first, figure, fields)
    if not differing:
        faults.append(ActFault(cite, f"nothing is corrected: act {figure.last} says the same"))
    faults += [*exchange_faults(first, fields), *_share_faults(scene, first, figure, differing)]
    if wrong := _faults_of_what_came(first, number, figure, fields):
        return [*faults, *wrong]
    if INSTEAD in differing and (wrong := _place_faults(scene, first, number, figure, differing[INSTEAD][1])):
        return [*faults, *wrong]
    faults += _shortages(scene, first, _wanted_moves(scene, first, figure, differing)[0])
    assert first.corrected is not None
    assert scene.state.facility is not None
    faults += far_day_faults(act.corrects, fields, scene.state.facility, figure.occurred)
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


def _faults_of_what_came(first: Act, number: int, figure: Figure, fields: Mapping[str, Any]) -> list[ActFault]:
    """Return what stands against a correction of what came of something that was sent: both acts say how much."""
    if first.moves is None or not first.moves.lost:
        return []
    key, cite = first.moves.field, clause_text(first.cite)
    if key not in figure.fields:
        return [ActFault(cite, f"act {number} says no {key}: as much came as was sent; correct what was sent")]
    if fields.get(key) is None:
        return [ActFault("form", f"{key}: is missing: say what came, also where it is what was sent")]
    return []


def _share_faults(
    scene: Scene, first: Act, figure: Figure, differing: Mapping[str, tuple[Any, Any]]
) -> Iterable[ActFault]:
    """Yield shares that come to something else than is to be shared out."""
    for key, (was, now) in differing.items():
        if key != INSTEAD and first.fields[key].type == "shares":
            known = scene.state.things.get(thing_key(figure.kind, figure.things[0]))
            total = known.facts.get(first.fields[key].total) if known else None
            wanted = sum((was or {}).values()) if total is None else total
            if (given := sum((now or {}).values())) != wanted:
                yield ActFault(clause_text(first.cite), f"{key}: come to {given}, and {wanted} are to be shared out")


def _place_faults(scene: Scene, first: Act, number: int, figure: Figure, right: str) -> list[ActFault]:
    """Return what stands against a count having been of another thing: either was counted since, or could not be."""
    assert first.counts is not None
    assert first.corrected is not None
    cite = clause_text(first.corrected.cite)
    (order,) = {moved.order for moved in figure.moved if moved.field == first.counts.field}
    (wrong,) = figure.things
    faults = [
        ActFault(
            cite, f"{scene.name_of(figure.kind, name)} was counted since, by act {later.act}: it stays where it is"
        )
        for name in (wrong, right)
        if (later := first_count_after(scene, first.counts.stock, thing_key(figure.kind, name), order)) is not None
    ]
    if any(count.since for count in scene.state.figures.counts_by(number)):
        faults.append(ActFault(cite, f"act {number} was told after more had moved there: it stays where it is"))
    before = scene.state.counted.get(wrong)
    if not faults and (before is None or before.number != number):
        faults.append(ActFault(cite, f"act {number} is not the last count of {scene.name_of(figure.kind, wrong)}"))
    there = scene.state.thing(figure.kind, right)
    return faults + (needs_faults(scene, first, [there]) if there else [])


def _changes_of(first: Act, figure: Figure, given: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return what a correction changes: each field as it was and as it is now; None: nothing was said there."""
    assert first.corrected is not None
    differing: dict[str, tuple[Any, Any]] = {}
    if first.corrected.thing and given.get(INSTEAD) and (given[INSTEAD],) != figure.things:
        differing[INSTEAD] = (figure.things[0], given[INSTEAD])
    for key in first.corrected.fields:
        was = figure.fields.get(key)
        now = given.get(key) if key in given or first.fields[key].type in _WHOLE else was
        now = None if key in given.get(UNSAID, ()) else now
        if (was or None) != (now or None):
            differing[key] = (was, now)
    return differing


# --- What it leads to -------------------------------------------------------------------------------------------------


def correction_effects(scene: Scene, act: Act, done: e.ActDone) -> e.ActCompleted:
    """Return that a correction took effect: with both figures, the facts that change, and the difference that moves."""
    found = find_figure(scene, done.fields["corrects"])
    assert found is not None, "its field was read"
    number, figure = found
    first = scene.rules.pages.acts[act.corrects]
    differing = _changes_of(first, figure, done.fields)
    was = {key: pair[0] for key, pair in differing.items()}
    now = {key: pair[1] for key, pair in differing.items()}
    moves, taken_up = _wanted_moves(scene, first, figure, differing)
    assert first.corrected is not None
    if owing := first.corrected.missing:
        moves = [part for move in moves for part in owed_by(owing, move, scene)]
    return e.ActCompleted(
        done.number,
        (*_facts_changed(scene, first, number, figure, now), *_incidents_marked(scene, done, number, taken_up)),
        (*moves, *(repaid_moves(scene, first, figure, now) if first.pays else ())),
        _variances(first, done, was, now),
        corrects=Correction(number, figure.last, was, now),
        recalled=None if str(number) in scene.state.figures.at_hand else figure,
    )


def words_corrected(scene: Scene, act: Act, completed: Sequence[e.ActCompleted]) -> list[ActFault]:
    """Return the incident of a correction that changes no number, only words such as a shift or a name."""
    first = scene.rules.act(act.corrects)
    incident = first.corrected.incident if first and first.corrected else ""
    return [
        ActFault(
            clause_text(act.cite),
            f"{incident}: act {event.corrects.first}: "
            + "; ".join(f"{key}: {now}, not {event.corrects.was[key]}" for key, now in event.corrects.now.items()),
            is_fact=True,
        )
        for event in completed
        if incident and event.corrects is not None and not event.variances
    ]


def _facts_changed(scene: Scene, first: Act, number: int, figure: Figure, now: Mapping[str, Any]) -> Iterable[e.Change]:
    """Yield the facts of things that the first act was the last to say."""
    empty = found_nothing(first)
    if INSTEAD in now:
        yield from _facts_elsewhere(scene, figure, now)
        return
    for name in figure.things:
        key = thing_key(figure.kind, name)
        known = scene.state.things.get(key)
        facts = {
            field: empty.get(field) if value is None else value[name] if _is_per_thing(first, field) else value
            for field, value in now.items()
            if not first.fields[field].adds and not is_said_since(scene, key, field, number)
        }
        facts |= _names_left(first, figure, known, now)
        if known is not None and facts:
            yield e.Change(figure.kind, name, known.state, facts)


def _names_left(first: Act, figure: Figure, known: KnownThing | None, now: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return whom fields name that add to those on record: what other acts have said stays."""
    return {
        field: [
            *(name for name in known.facts.get(field) or () if name not in (figure.fields.get(field) or ())),
            *(value or ()),
        ]
        for field, value in now.items()
        if first.fields[field].adds and known is not None
    }


def _facts_elsewhere(scene: Scene, figure: Figure, now: Mapping[str, Any]) -> Iterable[e.Change]:
    """Yield what is known of two things after a count was of the other one: of the first, what was known before."""
    (wrong,) = figure.things
    before = scene.state.counted[wrong].facts
    said = {key: value for key, value in {**figure.fields, **now}.items() if key != INSTEAD and value is not None}
    facts = ((wrong, {key: before.get(key) for key in figure.fields}), (now[INSTEAD], said))
    for name, known_of_it in facts:
        if (known := scene.state.things.get(thing_key(figure.kind, name))) is not None:
            yield e.Change(figure.kind, name, known.state, known_of_it)


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
    scene: Scene, first: Act, figure: Figure, differing: Mapping[str, tuple[Any, Any]]
) -> tuple[list[e.StockMove], list[int]]:
    """Return the units that move so that stocks are as with the right figure, and the counts that had taken them up."""
    due: dict[str, dict[str, dict[str, int]]] = {}  # by stock, place and unit: what must come there
    taken_up = []
    for moved in figure.moved:
        if moved.field not in differing:
            continue
        before, after = map(in_counts, differing[moved.field])
        for place, sign in ((moved.source, -1), (moved.target, 1)):
            later = first_count_after(scene, moved.stock, place, moved.order)
            taken_up += [later.act] if later else []
            units = due.setdefault(moved.stock, {}).setdefault(later.against if later else place, {})
            for unit in before.keys() | after.keys():
                units[unit] = units.get(unit, 0) + sign * (after.get(unit, 0) - before.get(unit, 0))
    if INSTEAD in differing:
        _move_count(scene, first, figure, differing, due)
    return [move for stock, places in due.items() for move in _moves_for(stock, places)], taken_up


def _move_count(
    scene: Scene,
    first: Act,
    figure: Figure,
    differing: Mapping[str, tuple[Any, Any]],
    due: dict[str, dict[str, dict[str, int]]],
) -> None:
    """Add what is due where a count was of another place: there it is settled, and here it is as it was before."""
    counts = first.counts
    assert counts is not None
    wrong, right = differing[INSTEAD]
    counted = in_counts(differing[counts.field][1] if counts.field in differing else figure.fields.get(counts.field))
    (order,) = {moved.order for moved in figure.moved if moved.field == counts.field}
    here, there = thing_key(figure.kind, wrong), thing_key(figure.kind, right)
    before = scene.state.counted[wrong].units.get(counts.stock, {})
    for place, sign, known in ((here, -1, before), (there, 1, units_before(scene, counts.stock, there, order))):
        for unit in counted.keys() | known.keys():
            settled = sign * (counted.get(unit, 0) - known.get(unit, 0))
            for at, count in ((place, settled), (counts.against, -settled)):
                units = due.setdefault(counts.stock, {}).setdefault(at, {})
                units[unit] = units.get(unit, 0) + count


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
    """Return a variance with the numbers before and after a correction, where the pages want an incident opened."""
    corrected = first.corrected
    assert corrected is not None
    after, before = _by_unit(now), _by_unit(was)
    names = sorted(
        (name for name in {*after, *before} if after.get(name, 0) != before.get(name, 0)),
        key=lambda name: (len(name), name),
    )
    if not corrected.incident or not names:
        return ()
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
    if not scene.state.figures.at_hand:
        return ()
    acts = scene.rules.pages.acts.items()
    since = {name: moment for name, act in acts if act.corrected and (moment := kept_since(scene, act))}
    waiting = {pending.done.fields.get("corrects") for pending in scene.state.pending.values()}
    return tuple(
        int(number)
        for number, figure in scene.state.figures.at_hand.items(before=max(since.values(), default="0"))
        if figure.at < since.get(figure.act, "") and figure.last not in waiting
    )
