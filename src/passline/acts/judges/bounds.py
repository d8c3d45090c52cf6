"""The bounds of a figure: those of its field, of the things that the act is about, and of other figures of the act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from passline.acts.judges.scene import ActFault, Scene, field_fault
from passline.acts.schema import Field
from passline.acts.state import KnownThing


def bound_faults(field: Field, value: int, subjects: Sequence[KnownThing]) -> list[ActFault]:
    """Return what is wrong with a figure by its field and by what is known of the things."""
    return [*range_faults(field, value), *_below(field, value, subjects), *_above(field, value, subjects)]


def order_faults(field: Field, value: int, scene: Scene, thing: str = "") -> list[ActFault]:
    """Return that a figure is less than another one of the same act, such as a longest edge than the shortest."""
    other: Any = scene.fields.get(field.no_less_than)
    least = other.get(thing) if isinstance(other, dict) else other
    if type(least) is not int or value >= least:
        return []
    return field_fault(field, f"{value} is less than {least}, {field.no_less_than.replace('_', ' ')}", is_fact=True)


def _below(field: Field, value: int, subjects: Sequence[KnownThing]) -> Iterator[ActFault]:
    for subject in subjects:
        if field.least and value < subject.facts.get(field.least, 0):
            yield from field_fault(
                field, f"{value} is less than {subject.facts[field.least]}: {field.name}", is_fact=True
            )


def _above(field: Field, value: int, subjects: Sequence[KnownThing]) -> Iterator[ActFault]:
    for subject in subjects:
        if field.highest and value > (most := subject.facts.get(field.highest, value)):
            yield from field_fault(field, f"{value} is more than {most}: {field.name}", is_fact=True)


def range_faults(field: Field, value: int) -> list[ActFault]:
    """Return that a figure is outside the bounds of its field."""
    unit = f" {field.unit}" if field.unit else ""
    if field.min is not None and value < field.min:
        return field_fault(field, f"{value} is less than {field.min}{unit}", is_fact=True)
    if field.max is not None and value > field.max:
        return field_fault(field, f"{value} is more than {field.max}{unit}", is_fact=True)
    return []
