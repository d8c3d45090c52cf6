"""Units by denomination that an act names: that there are some, that the house knows them, that they belong there."""

from __future__ import annotations

from collections.abc import Mapping

from passline.acts.judges.scene import ActFault, Scene
from passline.acts.schema import Field
from passline.rules.schema import clause_text


def unit_faults(field: Field, units: Mapping[str, int], scene: Scene) -> list[ActFault]:
    """Return what is wrong with units: too few, of a denomination that nobody knows, or not wanted at all."""
    cite, faults, count = clause_text(field.cite), list[ActFault](), sum(units.values())
    if field.type == "units" and field.min is not None and count < field.min:
        faults.append(ActFault(cite, f"{count}, less than {field.min}: {field.name}"))
    if field.stock:
        known = {unit for place in scene.state.stocks.get(field.stock, {}).values() for unit in place}
        known |= {thing.id for kind in field.of for thing in scene.state.of_kind(kind, field.states)}
        name = scene.rules.pages.stocks[field.stock].name
        faults += (
            ActFault(cite, f"{unit} cents: the house has no such {name}: {field.name}")
            for unit in units
            if unit not in known
        )
    if field.is_unwanted and units:
        found = ", ".join(f"{number} of {unit} cents" for unit, number in units.items())
        faults.append(ActFault(cite, f"{found}: {field.name}", is_fact=True))
    return faults
