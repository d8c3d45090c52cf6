"""Evidence belongs to what it is shown for: the same house, area and table, the people who work, what was approved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace as changed

from passline.acts.judges.conditions import unmet_conditions
from passline.acts.judges.gates import OPENING
from passline.acts.papers.from_rules import areas_basis
from passline.acts.schema import Act, Condition, Field
from passline.acts.state import KnownThing
from tests.office.search.findings import Findings
from tests.office.search.oracles.oracle import Oracle, cited
from tests.office.search.seeds import TABLE
from tests.office.search.world import Office, Step, World

_PEOPLE = {"person", "people"}


def _green(world: World, table: KnownThing) -> Iterator[Condition]:
    items = world.office.rules.pages.gates[OPENING].items
    for item in world.opening(table.id):
        if item.is_green:
            yield items[item.key]


def _tables(world: World) -> list[KnownThing]:
    """Return the tables that are dealt, or all of whose list is green: what is said of them must be so."""
    touched = {TABLE, *world.dealt, *(world.path[-1].things if world.path else ())}
    found = (world.state.thing("table", one) for one in sorted(touched))
    return [
        one for one in found if one and (one.id in world.dealt or all(item.is_green for item in world.opening(one.id)))
    ]


def _names(value: Any) -> list[str]:  # noqa: ANN401 - as a fact has it
    return [value] if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []


class EvidenceOfAnother(Oracle):
    """What an item is green by is still in its place, and agrees with the table in all that both have on record."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self._naming: dict[str, Field] = {}  # by fact of a table: the field by which it comes to name a thing
        self._shared: dict[str, set[str]] = {}  # by kind: the facts that name a thing or an area
        for act in self.acts.values():
            for key, field in act.fields.items():
                if act.thing == "table" and field.type == "thing" and field.of[0] != "house":
                    self._naming.setdefault(key, field)
                if act.thing and (field.type == "thing" or field.of_areas):
                    self._shared.setdefault(act.thing, set()).add(key)

    def see_state(self, world: World, by: str) -> None:
        """Compare what each table that may open names with the table."""
        for table in _tables(world):
            for key, evidence, field, item in self._evidence(world, table):
                if field.to and (evidence.state != field.to or evidence.facts.get("table") != table.id):
                    at = evidence.facts.get("table")
                    what = f"{key} {evidence.id} of {table.id} is {evidence.state}, at {at}"
                    act = _last_act(world, evidence, by)
                    self.findings.add("gone and still green", act, cited(item), what, world)
                for shared in sorted(
                    self._shared.get(evidence.kind, set()) & evidence.facts.keys() & table.facts.keys()
                ):
                    if not _is_alike(world, shared, evidence.facts[shared], table.facts[shared]):
                        what = (
                            f"{key} {evidence.id} is for {shared} {evidence.facts[shared]},"
                            f" {table.id} has {table.facts[shared]}"
                        )
                        act = item.mend or by
                        self.findings.add(f"evidence for another {shared}", act, cited(item), what, world)

    def _evidence(self, world: World, table: KnownThing) -> Iterator[tuple[str, KnownThing, Field, Condition]]:
        """Yield the things that a table's items are green by, each with the field that names it."""
        for item in _green(world, table):
            put_on = (key for key, field in self._naming.items() if field.of[0] == item.kind and field.to in item.state)
            named = list(put_on) if item.has else []
            for word in named or _names(item.of or item.fact):
                field = self._naming.get(word)
                for name in _names(table.facts.get(word)) if field else ():
                    assert field is not None
                    if (known := world.state.thing(field.of[0], name)) is not None:
                        yield word, known, field, item


def _is_alike(world: World, kind: str, first: str, second: str) -> bool:
    """Return whether two facts name the same; houses too that have the same wagers and pay the same for them."""
    houses = [world.state.thing(kind, one) for one in (first, second)] if kind == "house" else []
    dealt = [world.scene.dealt_by(one) for one in houses if one]
    shown = [areas_basis(one) for one in dealt if one]
    return first == second or (len(shown) > 1 and shown[0] == shown[1])


def _last_act(world: World, known: KnownThing, otherwise: str) -> str:
    """Return the act on the way that named a thing last."""
    named = (move.act for move in reversed(world.path) if any(known.id in _names(value) for _, value in move.fields))
    return next(named, otherwise)


class PeopleNotCovered(Oracle):
    """Where an item is green because something was done with people, those who work at the table were among them."""

    def see_state(self, world: World, by: str) -> None:  # noqa: ARG002 - whatever led there
        """Compare the crew of each table that may open with those who took part."""
        for table in _tables(world):
            crew = self._crew(table)
            for item in _green(world, table):
                act = self.acts.get(item.done)
                for key in [key for key, one in act.fields.items() if one.type == "people"] if act else ():
                    named = _names(table.facts.get(str(item.of))) if item.of else [table.id]
                    subject = world.state.thing(item.kind or "table", named[0]) if named else None
                    taken = set(_names(subject.facts.get(key))) if subject else set()
                    self._add_missing(world, table, crew - taken, item, item.done)
                if item.listed:
                    kind, _, fact = item.listed.partition(".")
                    lister = world.state.thing(kind, str(table.facts.get(kind, "")))
                    listed = set(_names(lister.facts.get(fact))) if lister else set()
                    self._add_missing(world, table, crew - listed, item, item.mend)

    def _add_missing(self, world: World, table: KnownThing, missing: set[str], item: Condition, act: str) -> None:
        if missing:
            what = f"{', '.join(sorted(missing))} of {table.id} took no part: {act}"
            self.findings.add("people not covered", act, cited(item), what, world)

    def _crew(self, table: KnownThing) -> set[str]:
        """Return who works at a table: all people that acts of the house to it name and that stand on record now."""
        found: set[str] = set()
        of_crews = [act for act in self.acts.values() if act.thing == "table" and "crew" in act.name.lower()]
        for act in (act for act in of_crews if not self.office.rules.body_of(act.by)):
            flags = [key for key, one in act.fields.items() if one.type == "flag" and table.facts.get(key)]
            for key, field in act.fields.items():
                is_named = field.unless not in flags and (not field.optional or bool(flags))
                if field.type in _PEOPLE and is_named:
                    found |= {*_names(table.facts.get(key))}
        return found


class ApprovalOfAnything(Oracle):
    """What a body approved in words covers one way of doing the act: not two that name other people or things."""

    def see_tried(self, world: World, steps: Sequence[Step]) -> None:  # noqa: ARG002 - each step has it
        """Look for an act that needs a body's approval and is accepted with different people or things."""
        ways: dict[tuple[str, tuple[str, ...], str], set[str]] = defaultdict(set)
        last: dict[tuple[str, tuple[str, ...], str], Step] = {}
        for step in steps:
            act = self.acts.get(step.move.act)
            if act is None or not step.is_clean:
                continue
            for need in act.needs.values():
                approval = self.acts.get(need.done) or self._approval_of(need)
                if approval is None or not self._is_approval(approval, act) or not self._is_asked(need, step):
                    continue
                key = (step.move.act, step.move.things, cited(need))
                payload = {name: value for name, value in step.move.fields if _is_payload(act.fields[name])}
                ways[key].add(repr(sorted(payload.items())))
                last[key] = step
        for key, found in ways.items():
            if len(found) > 1:
                what = f"one approval covers {len(found)} different ways: {'; '.join(sorted(found)[:2])}"
                self.findings.add("an approval covers anything", key[0], key[2], what, last[key].after)

    def _approval_of(self, need: Condition) -> Act | None:
        """Return the act by which a body says what must be the same."""
        fact = need.same[0] if need.same else ""
        return next((act for act in self.acts.values() if fact in act.fields and fact not in need.same[1:]), None)

    def _is_approval(self, approval: Act, act: Act) -> bool:
        has_words = any(one.type in {"text", "document"} for one in approval.fields.values())
        return approval.thing == act.thing and bool(self.office.rules.body_of(approval.by)) and has_words

    @staticmethod
    def _is_asked(need: Condition, step: Step) -> bool:
        given = step.move.given
        return (not need.when or bool(given.get(need.when))) and not given.get(need.unless)


def _is_payload(field: Field) -> bool:
    return field.type in {"person", "people", "thing", "things"}


class OtherDoor(Oracle):
    """What the act that makes an item green asks of a thing holds of each that another act puts in its place."""

    def see_step(self, step: Step) -> None:
        """Ask of a thing that was put on a table what the usual act would have asked."""
        act = self.acts.get(step.move.act)
        if act is None or act.thing != "table":
            return
        for item in self.office.rules.pages.gates[OPENING].items.values():
            usual = self.acts.get(item.mend)
            if usual is None or item.mend == step.move.act or usual.thing != act.thing:
                continue
            for key, value in step.move.fields:
                if key in usual.fields and usual.fields[key].to and act.fields[key].to == usual.fields[key].to:
                    self._ask(step, usual, key, value)

    def _ask(self, step: Step, usual: Act, key: str, value: str) -> None:
        scene = changed(step.before.scene, fields={key: value})
        subject = step.before.state.thing("table", step.move.things[0])
        for need in usual.needs.values():
            if (
                need.of == key
                and cited(need) not in step.breaches
                and (faults := unmet_conditions({"": need}, [subject], scene))
            ):
                self.findings.add("another door", step.move.act, cited(need), faults[0].why, step.after)
