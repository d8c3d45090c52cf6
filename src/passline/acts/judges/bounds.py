"""The bounds of a figure: those of its field, of the things that the act is about, and of other figures of the act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from passline.acts.judges.scene import ActFault, Scene
from passline.acts.schema import Field
from passline.acts.state import KnownThing
from passline.money import amount_text
from passline.rules.schema import clause_text


def bound_faults(field: Field, value: int, subjects: Sequence[KnownThing]) -> list[ActFault]:
    """Return what is wrong with a figure by its field and by what is known of the things."""
    return [*range_faults(field, value), *_below(field, value, subjects), *_above(field, value, subjects)]


def order_faults(field: Field, value: int, scene: Scene, thing: str = "") -> list[ActFault]:
    """Return that a figure is less than another one of the same act, such as a longest edge than the shortest."""
    other: Any = scene.fields.get(field.no_less_than)
    least = other.get(thing) if isinstance(other, dict) else other
    if type(least) is not int or value >= least:
        return []
    return [_bound_fault(field, value, "less", least, f", {field.no_less_than.replace('_', ' ')}")]


def _below(field: Field, value: int, subjects: Sequence[KnownThing]) -> Iterator[ActFault]:
    for subject in subjects:
        if field.least and value < (least := subject.facts.get(field.least, 0)):
            yield _bound_fault(field, value, "less", least, f": {field.name}")


def _above(field: Field, value: int, subjects: Sequence[KnownThing]) -> Iterator[ActFault]:
    for subject in subjects:
        if field.highest and value > (most := subject.facts.get(field.highest, value)):
            yield _bound_fault(field, value, "more", most, f": {field.name}")


def range_faults(field: Field, value: int) -> list[ActFault]:
    """Return that a figure is outside the bounds of its field."""
    unit = f" {field.unit}" if field.unit else ""
    if field.min is not None and value < field.min:
        return [_bound_fault(field, value, "less", field.min, unit)]
    if field.max is not None and value > field.max:
        return [_bound_fault(field, value, "more", field.max, unit)]
    return []


def _bound_fault(field: Field, value: int, word: str, bound: int, rest: str) -> ActFault:
    """Return that a figure is less or more than a bound; a refusal shows cents as money, the log has the numbers."""
    why = f"{value} is {word} than {bound}{rest}"
    is_money = field.type == "cents"
    shown = f"{amount_text(value)} is {word} than {amount_text(bound)}{rest}" if is_money else ""
    return ActFault(clause_text(field.cite), why, is_fact=True, shown=shown)
