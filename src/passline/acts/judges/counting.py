"""Stocks and counts: what an act moves, and how a count differs from what the log says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.figures import PlaceCount, in_counts
from passline.acts.judges.past import thing_at
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.moving_schema import Counting, Moving
from passline.acts.schema import PRACTICE, Act
from passline.acts.state import ActState, thing_key
from passline.acts.stocks import units_brought, units_sum
from passline.money import dollars
from passline.rules.schema import clause_text


class _Done(Protocol):
    """An act, as far as it says where something lies."""

    @property
    def kind(self) -> str: ...
    @property
    def things(self) -> tuple[str, ...]: ...
    @property
    def fields(self) -> dict[str, Any]: ...


def stock_place(place: str, done: _Done, state: ActState) -> str:
    """Return the place that a page means: `@` is the act's thing, `@table` what its field or fact `table` names."""
    if not place.startswith("@"):
        return place
    fact = place[1:]
    if not fact:
        return thing_key(done.kind, done.things[0])
    if not (named := done.fields.get(fact)):
        known = state.thing(done.kind, done.things[0]) if done.things else None
        named = known.facts.get(fact) if known else ""
    return f"{fact}/{named}"


class MovesOfAct(Struct, frozen=True):
    """What an act moves: as the act says it, and as it is booked.

    An act may be recorded after a later count of a place that it names. That count already included what was moved, and
    booked the difference against another place. So the units are booked against that place, not counted twice.
    """

    source: str = ""  # as the act names it
    target: str = ""
    said: tuple[e.StockMove, ...] = ()
    wanted: tuple[e.StockMove, ...] = ()  # if all of it is there
    counts: dict[str, PlaceCount] = {}  # by place, those that have found already what moves there

    def place(self, named: str) -> str:
        """Return the place at which a movement is booked, which differs where a count has already included it."""
        return self.counts[named].against if named in self.counts else named


_NO_MOVES = MovesOfAct()


def moves_of(act: Act, done: e.ActDone, scene: Scene) -> MovesOfAct:
    """Return what an act moves, not yet limited to what is on record."""
    if act.moves is None:
        return _NO_MOVES
    source, target, said = _plain_moves(act.moves, done, scene)
    if not act.moves.as_of:
        return MovesOfAct(source, target, said, said)
    counts = {} if act.moves.missing else _counts_that_have(act.moves.stock, (source, target), said, done, scene)
    moves = MovesOfAct(source, target, said, said, counts)
    if not counts:
        return moves
    wanted = (replace(move, source=moves.place(move.source), target=moves.place(move.target)) for move in said)
    return replace(moves, wanted=tuple(wanted))


def units_moved(act: Act, moves: MovesOfAct, scene: Scene) -> tuple[e.StockMove, ...]:
    """Return the units that an act moves; a correction moves back no more than is still there."""
    if act.moves is None or not act.moves.missing:
        return moves.wanted
    return tuple(part for move in moves.wanted for part in owed_by(act.moves.missing, move, scene))


def _counts_that_have(
    stock: str, named: Sequence[str], said: Sequence[e.StockMove], done: e.ActDone, scene: Scene
) -> dict[str, PlaceCount]:
    """Return by place the counts that have found already what an act moves there."""
    is_told_later = done.moments is not None and done.occurred < done.moments.frees
    if not is_told_later and done.number > scene.state.acts:  # nothing was counted after it
        return {}
    found: dict[str, PlaceCount] = {}
    for place in dict.fromkeys((*named, *(place for move in said for place in (move.source, move.target)))):
        later = scene.state.figures.counts_of_later(stock, place, done.occurred)
        if (count := next((count for count in later if is_told_later or count.act > done.number), None)) is not None:
            found[place] = count
    return found


def taken_up_of(act: Act, moves: MovesOfAct) -> tuple[e.TakenUp, ...]:
    """Return the places where a count already included what an act moves, and how much that is."""
    if act.moves is None or not moves.counts:
        return ()
    stock, counts = act.moves.stock, moves.counts
    places = dict.fromkeys(place for move in moves.said for place in (move.source, move.target))
    return tuple(
        e.TakenUp(stock, place, counts[place].act, units_brought(moves.said, stock, place))
        for place in places
        if place in counts
    )


def told_after_count(act: Act, completed: Sequence[e.ActCompleted]) -> list[ActFault]:
    """Return an incident for each place where an earlier recorded count already included what an act moved."""
    if act.moves is None:
        return []
    return [
        ActFault(
            clause_text(act.moves.cite),
            f"{act.name}: told after {taken.place.replace('/', ' ')} was counted, by act {taken.act}:"
            " it was in that count",
            is_fact=True,
        )
        for event in completed
        for taken in event.taken_up
    ]


def _plain_moves(moving: Moving, done: e.ActDone, scene: Scene) -> tuple[str, str, tuple[e.StockMove, ...]]:
    """Return the places that an act names, from and to which it moves units, and what it says it moves."""
    known = scene.state.thing(done.kind, done.things[0]) if done.things else None
    given, on_record = done.fields.get(moving.field), (known.facts.get(moving.field) if known else None)
    source, target = stock_place(moving.source, done, scene.state), stock_place(moving.target, done, scene.state)
    if moving.missing:
        moves = _between(moving.stock, source, target, in_counts(given or {}), in_counts(on_record or {}))
    elif moving.lost and given is not None:
        moves = _moves_of_what_came(moving, source, target, in_counts(on_record), in_counts(given))
    else:
        units, back = given or on_record or {}, done.fields.get(moving.back) or {}
        moves = (e.StockMove(moving.stock, source, target, dict(units)),) if units else ()
        moves += (e.StockMove(moving.stock, target, source, dict(back)),) if back else ()
    return source, target, moves


def _moves_of_what_came(
    moving: Moving, source: str, target: str, sent: Mapping[str, int], came: Mapping[str, int]
) -> tuple[e.StockMove, ...]:
    """Return what moves where something else came than was sent: what lacks is lost, what is over comes from there."""
    both = {unit: min(count, came.get(unit, 0)) for unit, count in sent.items()}
    lacking = {unit: count - both[unit] for unit, count in sent.items()}
    over = {unit: count - both.get(unit, 0) for unit, count in came.items()}
    ways = ((source, target, both), (source, moving.lost, lacking), (moving.lost, target, over))
    moved = ((here, there, {unit: count for unit, count in units.items() if count}) for here, there, units in ways)
    return tuple(e.StockMove(moving.stock, here, there, units) for here, there, units in moved if units)


def _between(
    stock: str, source: str, target: str, counted: Mapping[str, int], known: Mapping[str, int]
) -> tuple[e.StockMove, ...]:
    """Return what moves so that as much has come to a place as was counted: what is over, and back what is missing."""
    differ = {unit: counted.get(unit, 0) - known.get(unit, 0) for unit in sorted({*counted, *known}, key=int)}
    over = {unit: count for unit, count in differ.items() if count > 0}
    short = {unit: -count for unit, count in differ.items() if count < 0}
    moves = ((source, target, over), (target, source, short))
    return tuple(e.StockMove(stock, there, here, units) for there, here, units in moves if units)


def owed_by(place: str, move: e.StockMove, scene: Scene) -> Iterator[e.StockMove]:
    """Yield a movement limited to what its source has; the rest comes from `place`, which a count made owe it."""
    if _may_owe(move, scene):
        yield move
        return
    held = scene.state.stocks.get(move.stock, {}).get(move.source, {})
    here = {unit: min(count, max(held.get(unit, 0), 0)) for unit, count in move.units.items()}
    rest = {unit: count - here[unit] for unit, count in move.units.items()}
    for source, units in ((move.source, here), (place, rest)):
        if moved := {unit: count for unit, count in units.items() if count}:
            yield replace(move, source=source, units=moved)


def shortages_of(act: Act, done: e.ActDone, moves: MovesOfAct, scene: Scene) -> list[ActFault]:
    """Return why an act moves more than there is, or exchanges unequal amounts; places outside may owe."""
    if act.moves is None:
        return []
    faults = exchange_faults(act, done.fields) if act.moves.back else []
    for move in moves.wanted:
        for why in lacking_units(move, scene):
            faults.append(ActFault(clause_text(act.moves.cite), why, is_fact=True))
    return faults


def _may_owe(move: e.StockMove, scene: Scene) -> bool:
    """Return whether more can leave a place than is on record there: it is outside, or play changes what is there."""
    stock = scene.rules.pages.stocks[move.stock]
    return move.source in stock.outside or move.source.partition("/")[0] in stock.loose


def lacking_units(move: e.StockMove, scene: Scene) -> Iterator[str]:
    """Yield each denomination of which a movement's source has too little.

    Nothing is yielded for places outside, which may owe, or for tables, whose chips are known only from counts.
    """
    if _may_owe(move, scene):
        return
    held = scene.state.stocks.get(move.stock, {}).get(move.source, {})
    for unit, count in move.units.items():
        if held.get(unit, 0) < count:
            yield f"{move.source.replace('/', ' ')} has {held.get(unit, 0)} of {unit} cents, not {count}"


def exchange_faults(act: Act, fields: Mapping[str, Any]) -> list[ActFault]:
    """Return the fault of an exchange whose two sides are not worth the same."""
    if act.moves is None or not act.moves.back:
        return []
    ways = (act.moves.field, act.moves.back)
    there, back = (sum(int(unit) * count for unit, count in (fields.get(key) or {}).items()) for key in ways)
    if there == back:
        return []
    why = f"{ways[0]} comes to {dollars(there)} and {ways[1]} to {dollars(back)}: they are worth the same"
    return [ActFault(clause_text(act.moves.cite), why)]


def unmade_of(act: Act, moves: MovesOfAct, scene: Scene) -> list[ActFault]:
    """Return an incident for each denomination of which more has come back than was ever made or found by a count.

    What lies on tables is left out, since the record of a tray is as old as its last count.
    """
    faults: list[ActFault] = []
    for move in moves.wanted:
        stock, places = scene.rules.pages.stocks[move.stock], scene.state.stocks.get(move.stock, {})
        if move.source not in stock.outside or move.source == stock.made or not places.get(stock.made):
            continue
        assert act.moves is not None
        if act.moves.as_of and move.target in stock.outside:  # it was counted since, and is known to be there
            continue
        for unit, count in move.units.items():
            made = -sum(places.get(place, {}).get(unit, 0) for place in stock.outside if place != move.source)
            ours = count + sum(places.get(place, {}).get(unit, 0) for place in stock.places)
            if ours > made:
                why = f"{ours} of {unit} cents are back, and {made} were made or found: {stock.name}"
                faults.append(ActFault(clause_text(act.moves.cite), why, is_fact=True))
    return faults


def _on_record(stock: str, place: str, scene: Scene) -> dict[str, int]:
    return {unit: count for unit, count in scene.state.stocks.get(stock, {}).get(place, {}).items() if count}


def _on_record_then(counting: Counting, place: str, done: e.ActDone, scene: Scene) -> dict[str, int]:
    """Return what was on record in a place that is counted: now, or where its page says so, at the told moment."""
    units = _on_record(counting.stock, place, scene)
    for moved in moved_since_count(counting, place, done, scene).values():
        units = units_sum(units, {unit: -count for unit, count in moved.items()})
    return {unit: count for unit, count in units.items() if count}


def moved_since_count(counting: Counting, place: str, done: e.ActDone, scene: Scene) -> dict[int, dict[str, int]]:
    """Return what moved at a place between the moment of a count and the count's entry, by the order of each act."""
    if not counting.as_of:
        return {}
    return scene.state.figures.moved_after(counting.stock, place, done.occurred)


def counted_since_faults(act: Act, done: e.ActDone, scene: Scene) -> list[ActFault]:
    """Refuse a count that was made before another one of the same place, which already booked every difference."""
    counting = act.counts
    if counting is None or not counting.as_of or not counting.stock:
        return []
    place = stock_place(counting.place, done, scene.state)
    later = scene.state.figures.count_of_later(counting.stock, place, done.occurred)
    if later is None:
        return _left_since_faults(counting, place, done, scene) if counting.enough else []
    missed = scene.rules.act(counting.missed)
    what = f"record it by: {missed.name}" if missed else "count it again, and enter that at once"
    return [
        ActFault(clause_text(counting.cite), f"{place.replace('/', ' ')} was counted since, by act {later.act}: {what}")
    ]


def _left_since_faults(counting: Counting, place: str, done: e.ActDone, scene: Scene) -> list[ActFault]:
    """Refuse a count that found less than has left the place since its moment: it would hold less than nothing."""
    units = in_counts(done.fields.get(counting.field) or {})
    for moved in moved_since_count(counting, place, done, scene).values():
        units = units_sum(units, moved)
    return [
        ActFault(
            clause_text(counting.cite),
            f"{place.replace('/', ' ')}: {-count} more of {unit} cents have left since than were counted: "
            "count it again, and enter that at once",
        )
        for unit, count in sorted(units.items(), key=lambda item: int(item[0]))
        if count < 0
    ]


def moved_meanwhile(act: Act, completed: Sequence[e.ActCompleted]) -> list[ActFault]:
    """Return an incident if chips came or went between the moment of a count and its entry."""
    if act.counts is None or not any(move.since for event in completed for move in event.figures):
        return []
    why = f"{act.name}: told after more had moved there: it is held against the record of its own moment"
    return [ActFault(clause_text(act.counts.cite), why, is_fact=True)]


def settling_moves(act: Act, done: e.ActDone, scene: Scene) -> tuple[e.StockMove, ...]:
    """Return the movements, for what is over and what is missing, that bring the record of a place to its count."""
    counting = act.counts
    if counting is None or not counting.against:
        return ()
    counted, place = in_counts(done.fields.get(counting.field) or {}), stock_place(counting.place, done, scene.state)
    known = _on_record_then(counting, place, done, scene)
    return _between(counting.stock, counting.against, place, counted, known)


def variances_of(act: Act, done: e.ActDone, scene: Scene) -> tuple[e.Variance, ...]:
    """Return the variances between what was counted and what is on record."""
    counting = act.counts
    if counting is not None and counting.listed:
        return _list_variances(counting, done, scene)
    if act.moves and act.moves.lost and act.moves.field in done.fields:
        return _difference_in_transit(act, act.moves, done, scene)
    if counting is None or counting.is_result or not (counting.stock or counting.kind or counting.corrects):
        return ()
    counted = in_counts(done.fields.get(counting.field) or {})
    if counting.corrects:
        place, thing = "", scene.state.things.get(thing_key(done.kind, done.things[0]))
        counted, expected = _counts_of(act, done.fields), _counts_of(act, thing.facts if thing else {})
    elif counting.stock:
        place = stock_place(counting.place, done, scene.state)
        expected = _on_record_then(counting, place, done, scene)
    else:
        place = ""
        expected = dict(Counter(_things_then(counting, done, scene)))
    if counted == expected:
        return ()
    keys = sorted({*counted, *expected}, key=lambda name: (len(name), name))
    differ = [name for name in keys if counted.get(name, 0) != expected.get(name, 0)]
    return (
        e.Variance(
            counting.incident or act.name,
            {name: counted.get(name, 0) for name in differ},
            {name: expected.get(name, 0) for name in differ},
            clause_text(counting.cite),
            place if "/" in place else (thing_key(done.kind, done.things[0]) if done.things else ""),
        ),
    )


def _things_then(counting: Counting, done: e.ActDone, scene: Scene) -> list[str]:
    """Return the things that are counted, as they are now or, where the page says so, were at the told moment."""
    if not counting.as_of:
        return [thing.id for thing in scene.state.of_kind(counting.kind, counting.states)]
    things = scene.state.of_kind(counting.kind)
    return [thing.id for thing in things if thing_at(thing, done.occurred).state in counting.states]


def _list_variances(counting: Counting, done: e.ActDone, scene: Scene) -> tuple[e.Variance, ...]:
    """Return what is on the list of a thing and was not found, and what was found and is not on it."""
    found = Counter(str(item) for key in counting.counted_fields for item in done.fields.get(key) or ())
    known = scene.state.thing(done.kind, done.things[0])
    expected = Counter(str(item) for item in (known.facts.get(counting.listed) if known else None) or ())
    typed = Counter(str(item) for key in counting.also for item in done.fields.get(key) or ())
    differ = [(counting.incident, expected - found), (counting.unknown, found - expected)]
    differ += [(counting.unread, typed & expected)] if counting.unread else []
    return tuple(
        e.Variance(
            what,
            {name: found[name] for name in sorted(names)},
            {name: expected[name] for name in sorted(names)},
            clause_text(counting.cite),
            thing_key(done.kind, done.things[0]),
        )
        for what, names in differ
        if names
    )


def _difference_in_transit(act: Act, moving: Moving, done: e.ActDone, scene: Scene) -> tuple[e.Variance, ...]:
    """Return how what came differs from what was sent; nothing if it does not."""
    known = scene.state.thing(done.kind, done.things[0]) if done.things else None
    sent, came = in_counts(known.facts.get(moving.field) if known else None), in_counts(done.fields[moving.field])
    differ = [unit for unit in sorted({*sent, *came}, key=int) if sent.get(unit, 0) != came.get(unit, 0)]
    if not differ:
        return ()
    return (
        e.Variance(
            f"{act.name}: what came is not what was sent",
            {unit: came.get(unit, 0) for unit in differ},
            {unit: sent.get(unit, 0) for unit in differ},
            clause_text(moving.cite),
            thing_key(done.kind, done.things[0]) if done.things else "",
        ),
    )


def found_nothing(act: Act) -> dict[str, Any]:
    """Return the fields of an act as a count that has found nothing would fill them in."""
    empty: dict[str, Any] = {"units": {}, "cents": 0}
    return {key: empty[field.type] for key, field in act.fields.items() if field.type in empty}


def _counts_of(act: Act, fields: Mapping[str, Any]) -> dict[str, int]:
    """Return all that a count has found, by field and denomination."""
    found: dict[str, int] = {}
    for key, field in act.fields.items():
        if field.type == "units":
            found |= {f"{key} {name}": count for name, count in in_counts(fields.get(key)).items()}
        elif field.type == "cents" and fields.get(key):
            found[key] = int(fields[key])
    return found


_SAID = {
    "shift": "the inventory at the change of shift",
    "closer": "the closing inventory",
    "soft_count": "the soft count of the box",
}


def tell_ledger(state: ActState, command: c.TellLedger) -> Verdict:
    """Record what a table's ledger had at a count; a difference opens an incident with both figures."""
    if command.paper not in _SAID or not 0 < command.act <= state.acts:
        return [ActFault("office", f"this office has no count {command.paper[:40]!r} with act {command.act}")]
    told = e.LedgerTold(command.act, command.table, command.paper, command.counted, command.ledger, command.layout)
    differs = command.counted - command.ledger
    if not differs:
        return [told]
    over = f"{dollars(abs(differs))} {'over' if differs > 0 else 'short'}"
    why = (
        f"{_SAID[command.paper]} differs from the table's ledger: "
        f"counted {dollars(command.counted)}; ledger {dollars(command.ledger)}; {over}"
    )
    incident = e.IncidentOpened(
        f"I-{state.incidents + 1}", PRACTICE, why, thing_key("table", command.table), command.act
    )
    both: list[e.ActEvent] = [told, incident]
    return both
