"""Things keep what they are: a number is that of one thing, a kind of box stays one, and what was said counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from passline.acts.schema import PRACTICE, Act
from tests.office.search.findings import Findings
from tests.office.search.moves import is_number, moves_of
from tests.office.search.oracles.oracle import Oracle, cited
from tests.office.search.world import Office, Step, World

_COMPARED_MAX = 4  # times that a flag is compared both ways, in different states


class SameNumber(Oracle):
    """A number that tells one thing from all others is not accepted for two that are both in use."""

    def see_step(self, step: Step) -> None:
        """Look for another thing with a number that was just given."""
        act = self.acts.get(step.move.act)
        if act is None or not act.thing:
            return
        final = self.office.rules.pages.things[act.thing].final
        for key, value in step.move.fields:
            if not is_number(act.fields[key]) or cited(act.fields[key]) in step.breaches:
                continue
            for other in step.after.state.of_kind(act.thing):
                if other.id not in step.move.things and other.facts.get(key) == value and other.state not in final:
                    what = f"{key} {value} is that of {other.id} too"
                    self.findings.add("one number twice", step.move.act, cited(act.fields[key]), what, step.after)
                    return


class OtherClass(Oracle):
    """A thing that was entered as one sort does not come into the state in which another sort begins."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self.entering: dict[str, dict[str, str]] = {}  # by kind: the act that enters a sort, and where that begins
        for name, act in self.acts.items():
            if act.new:
                self.entering.setdefault(act.thing, {})[name] = self._first(act)
        self.entering = {kind: acts for kind, acts in self.entering.items() if len({*acts.values()}) > 1}

    def _first(self, act: Act) -> str:
        return act.to or self.office.rules.pages.things[act.thing].states[0]

    def see_step(self, step: Step) -> None:
        """Look at every thing whose state has changed."""
        for key, known in step.after.state.things.items():
            before = step.before.state.things.get(key)
            if known.kind not in self.entering or before is None or before.state == known.state:
                continue
            acts = self.entering[known.kind]
            entered = next((name for name in acts if step.after.state.mark(name, key)), "")
            if entered and known.state != acts[entered] and known.state in acts.values():
                what = f"{key} was entered by {entered} and is {known.state} now, as another sort is"
                self.findings.add(
                    "one sort becomes another", step.move.act, cited(self.acts[entered]), what, step.after
                )


class UnreadFlag(Oracle):
    """What an act says with a flag makes a difference: to a list, a watch, a clock, or to what may be done next."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self.read: set[tuple[str, str]] = set()
        self.unread: dict[tuple[str, str], Step] = {}
        self.compared: Counter[tuple[str, str]] = Counter()

    def see_tried(self, world: World, steps: Sequence[Step]) -> None:  # noqa: ARG002 - each step has it
        """Compare what follows from acts that differ in one flag alone."""
        clean = {(one.move.act, one.move.things, repr(sorted(one.move.given.items()))): one for one in steps}
        for step in steps:
            act = self.acts.get(step.move.act)
            if act is None or not step.is_accepted:
                continue
            for key, value in step.move.fields:
                pair = (step.move.act, key)
                if act.fields[key].type != "flag" or value is not True or pair in self.read:
                    continue
                for other in ({**step.move.given, key: False}, _without(step.move.given, key)):
                    twin = clean.get((step.move.act, step.move.things, repr(sorted(other.items()))))
                    if twin is not None and twin.is_accepted:
                        self._compare(pair, step, twin)

    def _compare(self, pair: tuple[str, str], step: Step, twin: Step) -> None:
        self.compared[pair] += 1
        if self.compared[pair] > _COMPARED_MAX:
            return
        if _follows(step) == _follows(twin):
            self.unread.setdefault(pair, step)
        else:
            self.read.add(pair)

    def finish(self) -> None:
        """Name the flags that made no difference anywhere."""
        for (act, key), step in self.unread.items():
            field = self.acts[act].fields[key]
            words = {one.unless for one in self.acts[act].fields.values()} | {
                one.only for one in self.acts[act].fields.values()
            }
            words |= {one.unless for one in self.acts[act].signs.values()}
            if (act, key) not in self.read and key not in words and cited(field) != PRACTICE:
                what = f"{key} makes no difference to any list, watch or later act"
                self.findings.add("said and not heard", act, cited(field), what, step.after)


def _without(given: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in given.items() if name != key}


def _follows(step: Step) -> object:
    """Return what can be observed after a step: lists of tables, broken watches, and what is refused next, and why."""
    world = step.after
    lists = [
        (table.id, item.key, item.wrong)
        for table in world.state.of_kind("table")[:2]
        for item in world.opening(table.id)
    ]
    kind = world.office.rules.pages.acts[step.move.act].thing
    acts = [name for name, act in world.office.rules.pages.acts.items() if act.thing == kind]
    fresh = replace(world, path=())
    nexts = [
        (str(move), tuple(one.clause for one in fresh.apply(move).refusals))
        for move in moves_of(fresh, acts)
        if set(move.things) & set(step.move.things)
    ]
    return lists, world.state.broken, len(step.events), nexts
