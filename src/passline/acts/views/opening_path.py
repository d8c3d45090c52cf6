"""The steps to the first open table: everything that is still to be done, each step after those it waits for.

They are not written for a regulation but derived. The gate through which a table opens says what is missing and which
act mends it; `step_planner.py` finds what comes before that act.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.judges.gates import OPENING, GateItem, gate_items, gate_path
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.state import KnownThing
from passline.acts.views.path_step import UNTOLD, PathStep, unknown_thing
from passline.acts.views.step_planner import StepPlanner
from passline.money import dollar_amount

CHIP = "chip"
"""The kind of thing that a denomination of chips is, by its value in cents."""


class OpeningPath(Struct, frozen=True):
    """How far the first table is from opening, and what is left to do, in an order in which it can be done."""

    table: str  # empty: none is in the register
    green: int
    items: int
    steps: tuple[PathStep, ...]
    warnings: tuple[str, ...] = ()  # what nothing asks for before a table opens, and players would miss


def opening_path(scene: Scene, people: Sequence[Person]) -> OpeningPath | None:
    """Return the steps to the first open table of an office; None: a table was opened before, or nothing is asked."""
    gate = scene.rules.pages.gates.get(OPENING)
    if gate is None or scene.state.facility is None or scene.state.marks.get(OPENING):
        return None
    final = scene.rules.pages.things[gate.thing].final
    tables = [table for table in scene.state.of_kind(gate.thing) if table.state not in final]
    table = tables[0] if tables else None
    items = gate_items(scene, OPENING, table.id if table else UNTOLD)
    planner = StepPlanner(scene, people)
    if table is None:
        planner.reach(gate.thing, (), None, "no table is in the register", "practice")
    subject = table or unknown_thing(gate.thing)
    for key, condition in gate.items.items():
        if gate_path(OPENING, key) not in scene.state.left_out:
            planner.meet(condition, subject, {})
    green = sum(item.is_green for item in items)
    return OpeningPath(table.id if table else "", green, len(items), tuple(planner.steps), _chip_warnings(scene, table))


def _chip_warnings(scene: Scene, table: KnownThing | None) -> tuple[str, ...]:
    """Return that a table is dealt in smaller steps than the smallest chip on record."""
    rules = scene.dealt_by(table) if table else None
    values = [int(chip.id) for chip in scene.state.of_kind(CHIP) if chip.id.isdecimal()]
    if table is None or rules is None or not values or min(values) <= rules.chip:
        return ()
    step, least = (dollar_amount(cents, is_grouped=True) for cents in (rules.chip, min(values)))
    says = (
        f"by its rules {scene.name_of(table.kind, table.id)} is dealt in steps of {step}, and the smallest chip on "
        f"record is {least}: specify a chip of {step}, or elect {least} as the smallest chip"
    )
    return (says,)


def items_in_order(scene: Scene, people: Sequence[Person], gate: str, thing: str) -> list[GateItem]:
    """Return every item of a gate for a thing, those with the fewest steps left first.

    `mend` is the act that can be done now. If the act that mends an item must wait for others, it is the first of
    those; if that one waits to be signed, `mend` is empty.
    """
    rule = scene.rules.pages.gates[gate]
    known = scene.state.thing(rule.thing, thing) or KnownThing(rule.thing, thing, "unknown", {}, "")
    items = gate_items(scene, gate, thing)
    planned = {item.key: StepPlanner(scene, people) for item in items}
    for item in items:
        if not item.is_green:
            planned[item.key].meet(rule.items[item.key], known, {})
    found = [_with_first(item, planned[item.key].steps) for item in items]
    return sorted(found, key=lambda item: (not planned[item.key].steps, len(planned[item.key].steps)))


def _with_first(item: GateItem, steps: Sequence[PathStep]) -> GateItem:
    """Return an item with the act that can be done first towards it; none where that waits."""
    first = next((step for step in steps if not step.after and (step.act or step.waits)), None)
    return replace(item, mend="" if first.waits else first.act) if first else item
