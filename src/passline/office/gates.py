"""Gates: everything that must hold before something may be done, each item green or red with its clause."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passline.office.judges.conditions import unmet_conditions
from passline.office.judges.scene import Fault, Scene
from passline.office.rules.schema import Act
from passline.office.state import Known
from passline.rules.schema import clause_text

__all__ = ["GateItem", "gate_faults", "gate_items"]


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
    known = scene.state.thing(rule.thing, thing) or Known(rule.thing, thing, "unknown", {}, "")
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


def gate_faults(scene: Scene, act: Act, things: Sequence[str]) -> list[Fault]:
    """Return every red item of the gate that an act goes through."""
    items = [item for thing in things if act.gate for item in gate_items(scene, act.gate, thing)]
    return [Fault(item.clause, why, is_fact=True) for item in items for why in item.wrong]
