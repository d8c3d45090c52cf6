"""An answer needs a question, and nobody is made to write down what is not so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.office.search.findings import Findings
from tests.office.search.oracles.oracle import Oracle, cited
from tests.office.search.world import Move, Office, Step, World

_FOLLOWED_MAX = 12  # times that it is looked what an answer opens, by the state of the thing


class AnswerToNothing(Oracle):
    """An act that answers another is not accepted where that was never done; least of all does it open a way."""

    def __init__(self, office: Office, findings: Findings) -> None:
        super().__init__(office, findings)
        self._followed: Counter[tuple[str, str]] = Counter()
        self.questions: dict[str, set[str]] = {}  # by answer
        for one in office.conditions:
            if one.never and one.undone:
                self.questions.setdefault(one.undone, set()).add(one.never)
        for clock in office.rules.pages.clocks.values():
            if clock.runs == "after":
                for met in clock.met:
                    self.questions.setdefault(met, set()).add(clock.starts)

    def see_tried(self, world: World, steps: Sequence[Step]) -> None:
        """Look for answers to what was not asked, and for what was refused before them and is accepted after."""
        for step in steps:
            act = self.acts.get(step.move.act)
            if act is None or not step.is_clean or not self._is_unasked(world, step.move):
                continue
            what = f"nothing was done that it answers: {', '.join(sorted(self.questions[step.move.act]))}"
            self.findings.add("an answer to nothing", step.move.act, cited(act), what, step.after)
            known = world.state.thing(act.thing, step.move.things[0])
            case = (step.move.act, known.state if known else "")
            self._followed[case] += 1
            if self._followed[case] > _FOLLOWED_MAX:
                continue
            for later in steps:
                followed = self.acts.get(later.move.act)
                if followed is None or later.is_accepted or later.move.things != step.move.things:
                    continue
                if followed.thing == act.thing and (opened := step.after.apply(later.move)).is_accepted:
                    refused = ", ".join(dict.fromkeys(one.clause for one in later.refusals))
                    said = f"it lets through {later.move.act}, refused before: {refused}"
                    self.findings.add("an answer to nothing opens a way", step.move.act, cited(act), said, opened.after)

    def _is_unasked(self, world: World, move: Move) -> bool:
        """Return whether an act answers only what was never done: to the same thing, or where there is none, at all."""
        asked = self.questions.get(move.act, set()) & self.acts.keys()
        act = self.acts[move.act]
        if not asked or len(move.things) > 1:
            return False
        for question in asked:
            is_same = self.acts[question].thing == act.thing and bool(act.thing) and not act.new
            subject = f"{act.thing}/{move.things[0]}" if is_same else ""
            if not is_same or world.state.mark(question, subject) is not None:
                return False
        return True


class UntrueStatement(Oracle):
    """An act that must name every one of several bodies is not forced on a thing to which one of them did nothing."""

    def see_step(self, step: Step) -> None:
        """Look for a body that had to be named and was never there."""
        act = self.acts.get(step.move.act)
        if act is None or len(step.move.things) != 1:
            return
        for key, field in act.fields.items():
            if field.type != "some" or not field.every or not self._bodies & {*field.of}:
                continue
            for body in sorted(self._bodies & {*field.of}):
                if self._was_there(step, body, step.move.act):
                    continue
                rest = [one for one in field.of if one != body]
                told = Move(step.move.act, step.move.things, tuple((step.move.given | {key: rest}).items()))
                if rest and not step.before.apply(told).is_accepted:
                    what = f"{key} must name the {body}, which has done nothing to {step.move.things[0]}"
                    self.findings.add("only an untruth is accepted", step.move.act, cited(field), what, step.after)

    @property
    def _bodies(self) -> set[str]:
        return {group.body for group in self.office.rules.pages.roles.values() if group.body}

    def _was_there(self, step: Step, body: str, but: str) -> bool:
        subject = f"{self.acts[but].thing}/{step.move.things[0]}"
        return any(
            self.office.rules.body_of(self.acts[name].by) == body and name != but and subject in marks
            for name, marks in step.before.state.marks.items()
            if name in self.acts
        )
