"""Gates: everything that must hold before something may be done, each item green or red with its clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from passline.acts.judges.conditions import TESTS, is_met, unmet_conditions
from passline.acts.judges.scene import ActFault, Scene
from passline.acts.page_memo import kept_with_page, kept_with_state
from passline.acts.rules import ActRules
from passline.acts.schema import Condition, Gate
from passline.acts.state import ActState, KnownThing
from passline.rules.schema import clause_text

OPENING = "open_table"
"""The gate through which a table opens."""
WORKING = "work"
"""The gate through which an employee goes with each act and signature, where a regulation has one."""


class GateItem(Struct, frozen=True):
    """One item of a gate: what it asks for, and what is wrong; nothing if it is green."""

    key: str
    clause: str
    asks: str
    wrong: tuple[str, ...]
    mend: str  # the act that mends it, or comes first
    value: str = ""  # the figure that nobody has set yet, without which it cannot be green
    is_ban: bool = False  # it holds as long as something was not done, such as a refusal

    @property
    def is_green(self) -> bool:
        """Whether it holds."""
        return not self.wrong


def gate_items(scene: Scene, gate: str, thing: str) -> list[GateItem]:
    """Return every item of a gate for a thing; one that the office does not know has nothing on record."""
    kind = scene.rules.pages.gates[gate].thing
    known = scene.state.thing(kind, thing) or KnownThing(kind, thing, "unknown", {}, "")
    return [
        GateItem(
            key,
            clause_text(condition.cite),
            condition.says,
            tuple(fault.why for fault in unmet_conditions({key: condition}, [known], scene)),
            condition.mend,
            unset_value(scene, condition),
            bool(condition.never),
        )
        for key, condition in _asked_items(scene, gate).items()
    ]


def count_green(scene: Scene, gate: str, things: Sequence[KnownThing]) -> tuple[list[int], int]:
    """Return how many items of a gate are green for each of several things, and how many items there are.

    The scene must not be that of an act.
    """
    assert not scene.fields
    items, known = _asked_items(scene, gate), _known_greens(scene.rules, scene.state)
    return [sum(_is_green(scene, gate, key, thing, known) for key in items) for thing in things], len(items)


def _is_green(scene: Scene, gate: str, item: str, thing: KnownThing, known: dict[tuple[str, str, str], bool]) -> bool:
    condition, place = scene.rules.pages.gates[gate].items[item], (gate, item, thing.id)
    if (green := known.get(place)) is None:
        green = is_met(condition, thing, scene)
        if _is_of_state(condition):
            known[place] = green
    return green


@kept_with_state
def _known_greens(_rules: ActRules, _state: ActState) -> dict[tuple[str, str, str], bool]:
    """Return whether items that look at nothing but the state are green, by gate, item and thing, as far as asked."""
    return {}


_OF_STATE = frozenset(
    {"cleared", "done", "fact", "fewer", "has", "listed", "never", "same", "sole", "state", "stocked", "value"}
)
"""The tests that look at the state of an office and at no clock, person, house file or paper."""


@kept_with_page
def _is_of_state(condition: Condition) -> bool:
    """Return whether a condition is met or not as long as the state is the same, outside of acts."""
    is_timed = condition.lapsed or condition.lapses or condition.offered or condition.each
    return not is_timed and next((test for test in TESTS if getattr(condition, test)), "") in _OF_STATE


def _asked_items(scene: Scene, gate: str) -> dict[str, Condition]:
    """Return the items of a gate that the house has not elected to do without."""
    items, left_out = scene.rules.pages.gates[gate].items, scene.state.left_out
    return {key: item for key, item in items.items() if gate_path(gate, key) not in left_out} if left_out else items


def unset_value(scene: Scene, condition: Condition) -> str:
    """Return the value of the office that a condition needs and nobody has set; empty: none is missing."""
    clock = scene.rules.pages.clocks.get(condition.ahead or condition.clock)
    asked = (condition.value, condition.fewer, condition.scheduled, clock.value if clock else "")
    values = scene.rules.pages.values
    return next((key for key in asked if key and key not in scene.state.values and not values[key].default), "")


def gate_path(gate: str, item: str) -> str:
    """Return the path by which an election names an item of a gate."""
    return f"gates.{gate}.items.{item}"


def items_left_out(scene: Scene, gate: str) -> dict[str, str]:
    """Return the items of a gate that the house has elected to do without, each with what it asks for."""
    items = scene.rules.pages.gates[gate].items
    return {key: item.says for key, item in items.items() if gate_path(gate, key) in scene.state.left_out}


def gate_faults(scene: Scene, gate: str, things: Sequence[str]) -> list[ActFault]:
    """Return a fault for every red item of a gate; none where no gate is named."""
    if not gate:
        return []
    items = [item for thing in things for item in gate_items(scene, gate, thing)]
    return [ActFault(item.clause, why, is_fact=True) for item in items for why in item.wrong]


def working_faults(scene: Scene, account: str) -> list[ActFault]:
    """Return what keeps somebody from working now: as an employee of this office, or of another one of the house.

    Somebody whom no office has entered as an employee is judged by roles alone.
    """
    if (gate := scene.rules.pages.gates.get(WORKING)) is None:
        return []
    is_employee = scene.state.thing("person", account) is not None
    faults = gate_faults(scene, WORKING, [account]) if is_employee else []
    others = scene.around.others() if gate.house_wide else {}
    return faults + _away_elsewhere(scene, gate, others, account) if others else faults


def house_working_faults(scene: Scene, account: str) -> list[ActFault]:
    """Return what keeps somebody from giving settings and taking back acts, where the pages ask that they may work."""
    gate = scene.rules.pages.gates.get(WORKING)
    return working_faults(scene, account) if gate and gate.house_wide else []


def people_away(rules: ActRules, state: ActState) -> list[str]:
    """Return the employees who are in a state in which nobody may work, such as suspended."""
    gate = rules.pages.gates.get(WORKING)
    if gate is None:
        return []
    fit = {kept for item in gate.items.values() for kept in item.state}
    leads = [name for name, act in rules.pages.acts.items() if act.thing == gate.thing and act.to and act.to not in fit]
    keys = dict.fromkeys(key for name in leads for key in state.marks.get(name, ()) if key)
    known = (state.things.get(key) for key in keys)
    return [person.id for person in known if person is not None and fit and person.state not in fit]


def _away_elsewhere(scene: Scene, gate: Gate, others: Mapping[str, ActState], account: str) -> list[ActFault]:
    """Return that another office of the house has somebody on record in a state in which nobody works."""
    return [
        ActFault(
            clause_text(item.cite), f"{scene.name_of('person', account)}: {item.says}: office of {office}", is_fact=True
        )
        for office, state in others.items()
        if (known := state.thing("person", account)) is not None
        for key, item in gate.items.items()
        if item.state and known.state not in item.state and gate_path(WORKING, key) not in scene.state.left_out
    ]
