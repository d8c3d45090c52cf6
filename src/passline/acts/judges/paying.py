"""Money kept by its amount, not by denomination: what acts pay from place to place, and counts of it.

Between counts a place holds an amount of each stock, in cents. An act that is recorded after a later count of a place
does not change that place: the count has found the difference and booked it elsewhere, so the act is booked there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from passline.acts import events as e
from passline.acts.figures import Figure
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.moving_schema import Paying, Tallying
from passline.acts.page_memo import kept_with_page
from passline.acts.patrons import linked_patrons
from passline.acts.rules import ActRules
from passline.acts.schema import Act, Signature
from passline.acts.state import OFFICE, thing_key
from passline.money import amount_text, dollars
from passline.rules.schema import clause_text

CENT = "1"
"""The unit in which such stocks are kept: a cent."""


class _Payment(Struct, frozen=True):
    """Money that goes from one place to another."""

    stock: str
    source: str
    target: str
    cents: int
    clause: str
    is_whole: bool = False


class _Said(Struct, frozen=True):
    """What an act says, or said once: what it was done to, and its fields."""

    kind: str
    things: tuple[str, ...]
    fields: Mapping[str, Any]
    occurred: str


def worth(value: object) -> int:
    """Return the value in cents of a count by denomination, or of cents.

    >>> worth({"500": 3, "10000": 1}), worth(2500), worth(None)
    (11500, 2500, 0)
    """
    if isinstance(value, dict):
        return sum(int(unit) * count for unit, count in value.items())
    return value if isinstance(value, int) else 0


def paid_moves(scene: Scene, act: Act, done: e.ActDone) -> tuple[e.StockMove, ...]:
    """Return the movements of money that an act makes."""
    return tuple(_move_of(scene, payment, done.occurred) for payment in _payments(scene, act, _said_of(done)))


def repaid_moves(scene: Scene, first: Act, figure: Figure, now: Mapping[str, Any]) -> tuple[e.StockMove, ...]:
    """Return the movements of a correction: what the first act moved goes back, what it should have moved goes out."""
    fields = {key: value for key, value in {**figure.fields, **now}.items() if value is not None}
    before = {*_payments(scene, first, _Said(figure.kind, figure.things, figure.fields, figure.occurred))}
    after = {*_payments(scene, first, _Said(figure.kind, figure.things, fields, figure.occurred))}
    back = (
        _Payment(paid.stock, paid.target, paid.source, paid.cents, paid.clause) for paid in _in_order(before - after)
    )
    return tuple(_move_of(scene, paid, figure.occurred) for paid in (*back, *_in_order(after - before)))


def unpaid_faults(scene: Scene, act: Act, done: e.ActDone) -> list[ActFault]:
    """Return why an act pays more than a place has, or less where all of it must go; places outside may owe."""
    short = list[ActFault]()
    for payment in _payments(scene, act, _said_of(done)) if act.pays else ():
        move = _move_of(scene, payment, done.occurred)
        if _is_outside(scene, move.stock, move.source):
            continue
        held = _on_record(scene, move.stock, move.source)
        if held < payment.cents or (payment.is_whole and held > payment.cents):
            short.append(ActFault(payment.clause, _short_words(scene, move, payment, held), is_fact=True))
    return short


def _short_words(scene: Scene, move: e.StockMove, payment: _Payment, held: int) -> str:
    """Return how much is on record at a place, and how much was asked for; of a line of credit, what is drawn on it."""
    known, place = scene.rules.pages.stocks[move.stock], _place_name(scene, move.source)
    if known.drawn:
        drawn = _drawn_on(scene, known.drawn, move.source)
        line = f"{place} has a limit of {amount_text(held + drawn)}, of which {amount_text(drawn)} is outstanding"
        return f"{line}: {amount_text(held)} is left, not {amount_text(payment.cents)}"
    whole = ", and all of it goes" if held > payment.cents else ""
    return f"{place} has {dollars(held)} of {known.name} on record, not {dollars(payment.cents)}{whole}"


def _drawn_on(scene: Scene, stock: str, line: str) -> int:
    """Return what was drawn on a line of credit and is not paid: of every paper of this stock that names the line."""
    kind, _, name = line.partition("/")
    papers = ((place, scene.state.things.get(place)) for place in scene.state.stocks.get(stock, {}))
    return sum(_on_record(scene, stock, place) for place, paper in papers if paper and paper.facts.get(kind) == name)


def pays_above(scene: Scene, act: Act, sign: Signature) -> bool:
    """Return whether an act moves more money than one person may move without this signature.

    Where the limit is by patron, acts of the same kind for the same patron in this gaming day are added up, so that
    nobody avoids the signature by splitting a sum.
    """
    most = scene.rules.figure(scene.state, sign.above)
    earlier = _done_together(scene, act, sign.together) if sign.together else []
    return most is None or any(
        sum(worth(said.get(pay.field)) for said in (scene.fields, *earlier)) > most for pay in act.pays.values()
    )


def _done_together(scene: Scene, act: Act, field: str) -> list[Mapping[str, Any]]:
    """Return what acts of this kind said that still hold and were recorded for the same patron in this gaming day."""
    state, facility = scene.state, scene.state.facility
    if facility is None:
        return []
    linked, today = linked_patrons(state), facility.gaming_day(scene.at)

    def who(facts: Mapping[str, Any]) -> str:
        patron = thing_key("patron", str(facts.get(field, "")))
        return linked.get(patron, patron)

    return [
        known.facts
        for known in state.of_kind(act.thing, (act.to,))
        if who(known.facts) == who(scene.fields) and facility.gaming_day(known.since) == today
    ]


def tally_moves(scene: Scene, act: Act, done: e.ActDone) -> tuple[e.StockMove, ...]:
    """Return the movements that bring the record of a place to what was counted there."""
    if (tallying := act.tallies) is None:
        return ()
    place = _place_of(tallying.place, _said_of(done), act, scene)
    return tuple(
        e.StockMove(
            stock, tallying.against if over > 0 else place, place if over > 0 else tallying.against, _units(over)
        )
        for stock, over in _differences(scene, tallying, place, done).items()
        if over
    )


def money_matters(scene: Scene, act: Act, done: e.ActDone) -> list[ActFault]:
    """Return the incidents of an act with money: over or short, or recorded after a count that already included it."""
    found = list[ActFault]()
    for payment in _payments(scene, act, _said_of(done)):
        for place in (payment.source, payment.target):
            if (counted := _counted_since(scene, payment.stock, place, done.occurred)) is not None:
                why = f"{act.name}: told after {_place_name(scene, place)} was counted, by act {counted[1]}"
                found.append(ActFault(payment.clause, f"{why}: it was in that count", is_fact=True))
    if (tallying := act.tallies) is not None:
        place = _place_of(tallying.place, _said_of(done), act, scene)
        least = scene.rules.figure(scene.state, tallying.above) if tallying.above else 0
        for stock, over in _differences(scene, tallying, place, done).items():
            if abs(over) > (least or 0):
                found.append(_variance_fault(scene, tallying, place, stock, over))
    return list(dict.fromkeys(found))


def _variance_fault(scene: Scene, tallying: Tallying, place: str, stock: str, over: int) -> ActFault:
    held, what = _on_record(scene, stock, place), scene.rules.pages.stocks[stock].name
    differs = f"{dollars(abs(over))} {'over' if over > 0 else 'short'}"
    why = f"{tallying.incident}: {_place_name(scene, place)}, {what}: {differs}"
    return ActFault(
        clause_text(tallying.cite), f"{why}; counted {dollars(held + over)}, record {dollars(held)}", is_fact=True
    )


def _differences(scene: Scene, tallying: Tallying, place: str, done: e.ActDone) -> dict[str, int]:
    """Return by stock how much more was counted than is on record; below zero, how much less."""
    return {
        stock: sum(worth(done.fields.get(key)) for key in keys) - _on_record(scene, stock, place)
        for stock, keys in tallying.fields.items()
    }


def _said_of(done: e.ActDone) -> _Said:
    return _Said(done.kind, done.things, done.fields, done.occurred)


def _payments(scene: Scene, act: Act, said: _Said) -> Iterator[_Payment]:
    """Yield the money that an act moves by what it says, between the places that it names."""
    for pay in act.pays.values():
        if (pay.only and not said.fields.get(pay.only)) or (pay.unless and said.fields.get(pay.unless)):
            continue
        cents = worth(_value_of(scene, pay, said))
        stock = str(said.fields.get(pay.form) or pay.stock) if pay.form else pay.stock
        if cents:
            source, target = (_place_of(place, said, act, scene) for place in (pay.source, pay.target))
            yield _Payment(stock, source, target, cents, clause_text(pay.cite), pay.whole)


def _value_of(scene: Scene, pay: Paying, said: _Said) -> Any:  # noqa: ANN401 - as the log has it
    if pay.field in said.fields:
        return said.fields[pay.field]
    known = scene.state.thing(said.kind, said.things[0]) if said.things else None
    return known.facts.get(pay.field) if known else None


def _place_of(place: str, said: _Said, act: Act, scene: Scene) -> str:
    """Return a place as an act means it: `@` is its thing, `@drawer` what the field or fact of that name names."""
    if not place.startswith("@"):
        return place
    if not (key := place[1:]):
        return thing_key(said.kind, said.things[0])
    known = scene.state.thing(said.kind, said.things[0]) if said.things else None
    named = said.fields.get(key) or (known.facts.get(key) if known else None)
    field = act.fields.get(key)
    return f"{field.of[0] if field and field.of else key}/{named or ''}"


def _move_of(scene: Scene, payment: _Payment, occurred: str) -> e.StockMove:
    """Return a payment as the stock knows it: a place that was counted since had it in that count."""
    source, target = (
        counted[0] if (counted := _counted_since(scene, payment.stock, place, occurred)) else place
        for place in (payment.source, payment.target)
    )
    return e.StockMove(payment.stock, source, target, _units(payment.cents))


def _counted_since(scene: Scene, stock: str, place: str, occurred: str) -> tuple[str, int] | None:
    """Return what took up the difference of a count of a place after a moment, and which act that was."""
    for name, thing, tallying in _tallying_acts(scene.rules):
        is_own = tallying.place == "@" and place.startswith(f"{thing}/")
        if stock in tallying.fields and (is_own or tallying.place == place):
            mark = scene.state.mark(name, place if is_own else OFFICE)
            if mark is not None and mark.occurred > occurred:
                return tallying.against, mark.number
    return None


@kept_with_page
def _tallying_acts(rules: ActRules) -> list[tuple[str, str, Tallying]]:
    """Return the acts that count money, each with the kind of thing that it is done to."""
    return [(name, act.thing, act.tallies) for name, act in rules.pages.acts.items() if act.tallies]


def _is_outside(scene: Scene, stock: str, place: str) -> bool:
    return place in scene.rules.pages.stocks[stock].outside


def _on_record(scene: Scene, stock: str, place: str) -> int:
    return scene.state.stocks.get(stock, {}).get(place, {}).get(CENT, 0)


def _units(cents: int) -> dict[str, int]:
    return {CENT: abs(cents)}


def _place_name(scene: Scene, place: str) -> str:
    """Return what people call a place.

    A thing by its name, everything else as the page has it.
    """
    kind, slash, name = place.partition("/")
    return scene.name_of(kind, name) if slash else f"the {place}"


def _in_order(payments: set[_Payment]) -> list[_Payment]:
    return sorted(payments, key=lambda paid: (paid.stock, paid.source, paid.target, paid.cents))
