"""Checks the units by denomination that an act names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from passline.acts.judges.scene import ActFault, Scene
from passline.acts.schema import Field
from passline.rules.schema import clause_text

DENOMINATION = re.compile(r"[1-9][0-9]{0,8}")
"""A value in cents, written in one way."""


def unit_faults(field: Field, units: Mapping[str, int], scene: Scene) -> list[ActFault]:
    """Return what is wrong with units: too few, of an unknown denomination, or in a field that should have none."""
    cite = clause_text(field.cite)
    faults: list[ActFault] = []
    if field.type == "units" and field.min is not None and (count := sum(units.values())) < field.min:
        faults.append(ActFault(cite, f"{count}, less than {field.min}: {field.name}"))
    if field.stock and (strange := _unknown_units(field, units, scene)):
        name = scene.rules.pages.stocks[field.stock].name
        faults += (ActFault(cite, f"{unit} cents: the house has no such {name}: {field.name}") for unit in strange)
    if field.is_unwanted and units:
        found = ", ".join(f"{number} of {unit} cents" for unit, number in units.items())
        faults.append(ActFault(cite, f"{found}: {field.name}", is_fact=True))
    return faults


def _unknown_units(field: Field, units: Mapping[str, int], scene: Scene) -> list[str]:
    """Return the denominations that the stock of a field never had, and that are not on record as one."""
    strange = {*units}
    for place in scene.state.stocks.get(field.stock, {}).values():
        strange -= place.keys()
        if not strange:
            return []
    known = {thing.id for kind in field.of for thing in scene.state.of_kind(kind, field.states)}
    return [unit for unit in units if unit in strange and unit not in known]
