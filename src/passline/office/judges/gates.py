"""Gates: everything that must hold before something may be done, each item green or red with its clause."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passline.office.judges.conditions import unmet_conditions
from passline.office.judges.scene import ActFault, Scene
from passline.office.state import KnownThing
from passline.rules.schema import clause_text

__all__ = ["OPENING", "GateItem", "gate_faults", "gate_items"]

OPENING = "open_table"
"""The gate through which a table opens."""


class GateItem(Struct, frozen=True):
    """One item of a gate: what it asks for, and what is wrong; nothing if it is green."""

    key: str
    clause: str
    asks: str
    wrong: tuple[str, ...]
    mend: str  # the act that mends it

    @property
    def is_green(self) -> bool:
        """Whether it holds."""
        return not self.wrong


def gate_items(scene: Scene, gate: str, thing: str) -> list[GateItem]:
    """Return every item of a gate for a thing; one that the office does not know has nothing on record."""
    rule = scene.rules.pages.gates[gate]
    known = scene.state.thing(rule.thing, thing) or KnownThing(rule.thing, thing, "unknown", {}, "")
    return [
        GateItem(
            key,
            clause_text(condition.cite),
            condition.says,
            tuple(fault.why for fault in unmet_conditions({key: condition}, [known], scene)),
            condition.mend,
        )
        for key, condition in rule.items.items()
    ]


def gate_faults(scene: Scene, gate: str, things: Sequence[str]) -> list[ActFault]:
    """Return every red item of a gate for things; of no gate, nothing."""
    items = [item for thing in things if gate for item in gate_items(scene, gate, thing)]
    return [ActFault(item.clause, why, is_fact=True) for item in items for why in item.wrong]
