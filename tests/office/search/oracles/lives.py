"""Lives of things and items: each state can be reached and left, each act be done, each green item turn red again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from passline.acts.judges.gates import OPENING
from passline.acts.schema import PRACTICE
from passline.acts.state import INCIDENT
from tests.office.search.findings import Findings
from tests.office.search.moves import is_searched
from tests.office.search.oracles.oracle import Oracle, cited
from tests.office.search.seeds import TABLE
from tests.office.search.world import Office, Step, World


class Lives(Oracle):
    """Every state of a thing is reached, and left again unless the pages call it final; every act is accepted once."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self.accepted: set[str] = set()
        self.clean: set[str] = set()
        self.breaches: dict[str, Step] = {}  # by act, the first time that it was accepted as a breach
        self.tried: dict[str, str] = {}  # by act, why it was refused last
        self.from_states: dict[tuple[str, str], tuple[bool, Step]] = {}  # facts by state: was it ever lawful there
        self.reached: dict[str, set[str]] = defaultdict(set)
        self.ways: dict[str, set[tuple[str, str]]] = defaultdict(set)  # without a breach, by kind
        self.behind: dict[tuple[str, str], set[str]] = defaultdict(set)  # states from which one was come into
        self.entered: dict[tuple[str, str], tuple[str, World]] = {}  # how a state was come into from another
        self.met: dict[tuple[str, str], World] = {}  # where something came into a state, also as the first it had

    def see_state(self, world: World, by: str) -> None:
        """Note the states that things are in."""
        for known in world.state.things.values():
            self.reached[known.kind].add(known.state)
        if not by:
            self.accepted |= world.state.marks.keys()  # what the lawful day has done
            self.clean |= world.state.marks.keys()

    def see_tried(self, world: World, steps: Sequence[Step]) -> None:  # noqa: ARG002 - each step has it
        """Note what is refused."""
        for step in steps:
            if step.refusals:
                self.tried[step.move.act] = step.refusals[0].why

    def see_step(self, step: Step) -> None:
        """Note each change of a state, and whether it was lawful."""
        self.accepted.add(step.move.act)
        self._note_fact(step)
        if step.is_clean:
            self.clean.add(step.move.act)
        else:
            self.breaches.setdefault(step.move.act, step)
        for key, known in step.after.state.things.items():
            before = step.before.state.things.get(key)
            self.reached[known.kind].add(known.state)
            if before is None or before.state != known.state:
                known_world = self.met.get((known.kind, known.state))
                if known_world is None or len(step.after.path) < len(known_world.path):
                    self.met[known.kind, known.state] = step.after
            if before is not None and before.state != known.state:
                way = (before.state, known.state)
                self.behind[known.kind, known.state].add(before.state)
                if step.is_clean:
                    self.ways[known.kind].add(way)
                known_way = self.entered.get((known.kind, known.state))
                if known_way is None or len(step.after.path) < len(known_way[1].path):
                    self.entered[known.kind, known.state] = (step.move.act, step.after)

    def _note_fact(self, step: Step) -> None:
        """Note in which state of a thing a fact was recorded, and whether that was lawful."""
        act = self.acts.get(step.move.act)
        known = step.before.state.thing(act.thing, step.move.things[0]) if act and step.move.things else None
        if act is None or known is None or not act.is_fact or not act.states:
            return
        key = (step.move.act, known.state)
        before = self.from_states.get(key)
        if before is None or step.is_clean or len(step.after.path) < len(before[1].after.path):
            self.from_states[key] = (step.is_clean or bool(before and before[0]), step)

    @property
    def stuck(self) -> dict[tuple[str, str], World]:
        """The states that nothing lawful led out of yet, though they are no end, each with how it was come into."""
        things = self.office.rules.pages.things
        return {
            (kind, state): world
            for (kind, state), (_, world) in self.entered.items()
            if kind != INCIDENT and state not in things[kind].final and not self._is_left(kind, state)
        }

    def _is_left(self, kind: str, state: str) -> bool:
        return any(source == state for source, _ in self.ways[kind])

    def finish(self) -> None:
        """Name states that nobody reaches or leaves, and from which there is no lawful way back into use."""
        entered = {act.thing for act in self.acts.values() if act.new}
        beside = {act.thing for act in self.acts.values() if not is_searched(act) and not act.corrects}
        for kind, thing in self.office.rules.pages.things.items():
            if kind in beside:
                continue
            if kind not in entered and not self.reached[kind]:
                self._add("a kind nobody enters", kind, cited(thing), "no act of the pages makes one", None)
                continue
            for state in thing.states:
                act, world = self.entered.get((kind, state), ("", None))
                if state not in self.reached[kind]:
                    self._add("a state nobody reaches", f"{kind}.{state}", cited(thing), "no sequence led there", None)
                elif world is None or state in thing.final or kind == INCIDENT:
                    continue
                elif not self._is_left(kind, state):
                    what = f"no lawful act leads out of {state}, which is not called final"
                    self._add("a state nobody leaves", f"{kind}.{state}", cited(thing), what, world)
                elif self._is_one_way(kind, state, thing.final):
                    what = f"from {state} no lawful act leads back into use, only to an end"
                    clause = cited(self.acts[act]) if act in self.acts else cited(thing)
                    self._add("no lawful way back", f"{kind}.{state}", clause, what, world)
        self._finish_acts()

    def _finish_acts(self) -> None:
        """Name acts that nothing led to, or that were never lawful."""
        for name in sorted(key for key in self.acts.keys() - self.accepted if is_searched(self.acts[key])):
            why = self.tried.get(name, "there was nothing to do it to")
            self._add("an act never accepted", name, cited(self.acts[name]), why, None)

        for (name, state), (is_lawful, step) in sorted(self.from_states.items(), key=lambda one: one[0]):
            if not is_lawful and state not in self.acts[name].states and cited(self.acts[name]) != PRACTICE:
                what = f"whatever was done before, it is a breach to record it of something that is {state}"
                self._add(
                    "a fact without a lawful way", f"{name} from {state}", cited(self.acts[name]), what, step.after
                )
        for name in sorted((self.accepted - self.clean) & self.acts.keys()):
            if self.acts[name].incident or self.acts[name].matter:
                continue  # whenever it is done there is something to look into, as the pages say
            step = self.breaches[name]
            what = f"it was always a breach: {', '.join(sorted(step.breaches))}"
            self._add("an act never lawful", name, cited(self.acts[name]), what, step.after)

    def _is_one_way(self, kind: str, state: str, final: tuple[str, ...]) -> bool:
        """Return whether a thing in use comes into a state from which it can only end."""
        ways = self.ways[kind]
        ahead = _closure(ways, state) - {state}
        cycle = {one for one in self.behind[kind, state] if one in _closure(ways, one)}
        return bool(cycle) and bool(ahead) and ahead <= {*final}

    def _add(self, oracle: str, act: str, clause: str, what: str, world: World | None) -> None:
        start = world or World(self.office, self.office.beginning, "", seed="everywhere")
        self.findings.add(oracle, act, clause, what, start)


def _closure(ways: set[tuple[str, str]], state: str) -> set[str]:
    """Return the states that can be reached from one, by one act or more."""
    found: set[str] = set()
    ahead = {target for source, target in ways if source == state}
    while ahead - found:
        found |= ahead
        ahead = {target for source, target in ways if source in found}
    return found


class GreenForEver(Oracle):
    """An item of the opening list that is green turns red again by something: an act to its table, or time."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self.green: set[str] = set()
        self.turned: set[str] = set()

    def see_step(self, step: Step) -> None:
        """Note which items of the first table turned red."""
        left = self.office.rules.pages.gates[OPENING].items.keys() - self.turned
        before = {one.key for one in step.before.opening(TABLE) if one.is_green} & left
        if before:
            self.green |= before
            self.turned |= {one.key for one in step.after.opening(TABLE) if not one.is_green} & before

    def finish(self) -> None:
        """Name the items that nothing turned red, a year of waiting among what was tried."""
        for key in sorted(self.green - self.turned):
            item = self.office.rules.pages.gates[OPENING].items[key]
            what = f"once green, {key} stays so: no act and no year that passes turned it red"
            world = World(self.office, self.office.beginning, "", seed="everywhere")
            self.findings.add("green for ever", item.mend or key, cited(item), what, world)
