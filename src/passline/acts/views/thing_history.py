"""The history of one thing: every act about it in order, who did and signed it, and the papers it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from passline.acts.history import RecordedAct
from passline.acts.judges.scene import Scene
from passline.acts.rules import TOLD_LATE, ActRules
from passline.acts.state import KnownThing
from passline.acts.views.wording import Names


class PastSignature(Struct, frozen=True):
    """A signature under an act of the past."""

    name: str
    role: str
    part: str  # as the pages call it
    at: str  # local time
    fields: dict[str, Any]  # a second count


class PastAct(Struct, frozen=True, kw_only=True):
    """An act of the past, as a person reads it."""

    number: int
    act: str
    name: str
    things: tuple[str, ...]
    kind: str
    at: str  # local time when it was recorded
    occurred: str  # local time when it happened, if that is another
    by: str
    role: str
    signatures: tuple[PastSignature, ...]
    waits: tuple[str, ...]  # whose signatures are lacking
    status: str
    reason: str  # why it was taken back
    fields: dict[str, Any]
    paper: dict[str, str]  # of an outside body's act
    clause: str
    is_late: bool = False  # it was told later than its page allows
    slip: str = ""  # the manual slip that it was written on, in an outage
    corrects: int = 0  # the act that it has put right
    was: dict[str, Any] = {}  # what had been said there
    corrected_by: tuple[int, ...] = ()  # the acts that have put it right


class ThingPaper(Struct, frozen=True):
    """A paper that the office makes about a thing."""

    paper: str
    name: str


class ThingHistory(Struct, frozen=True, kw_only=True):
    """A thing with all that happened to it."""

    thing: KnownThing
    acts: tuple[PastAct, ...]  # in the order in which they were recorded
    incidents: tuple[KnownThing, ...]
    papers: tuple[ThingPaper, ...]
    earlier: int = 0  # acts before this one are left out; 0: none are


class ThingPast(Struct, frozen=True):
    """What is known of a thing besides its acts: its state now or when it was filed, and the incidents about it."""

    thing: KnownThing | None
    incidents: tuple[KnownThing, ...]
    earlier: int = 0


def acts_about(rules: ActRules, kind: str, id: str, acts: Iterable[RecordedAct]) -> Iterator[RecordedAct]:  # noqa: A002 - what identifies it
    """Return the acts that were done to a thing or name it in a field."""
    for act in acts:
        rule = rules.act(act.done.act)
        named = (
            act.done.fields.get(key)
            for key, field in (rule.fields.items() if rule else ())
            if field.type in {"thing", "things", "person", "people"}
            and (field.of[:1] == (kind,) or (kind == "person" and field.type in {"person", "people"}))
        )
        is_named = any(id == value or (isinstance(value, list | tuple) and id in value) for value in named)
        if is_named or (act.done.kind == kind and id in act.done.things):
            yield act


def history_of(scene: Scene, past: ThingPast, acts: Sequence[RecordedAct], names: Names) -> ThingHistory:
    """Return the history of a thing that the office knows, from the acts about it."""
    assert past.thing is not None
    papers = scene.rules.pages.papers
    return ThingHistory(
        thing=past.thing,
        acts=tuple(_past(scene, recorded, names) for recorded in sorted(acts, key=lambda act: act.done.number)),
        incidents=past.incidents,
        papers=tuple(ThingPaper(key, paper.name) for key, paper in papers.items() if paper.thing == past.thing.kind),
        earlier=past.earlier,
    )


def _past(scene: Scene, act: RecordedAct, names: Names) -> PastAct:
    done, rule = act.done, scene.rules.act(act.done.act)
    signs = rule.signs if rule else {}
    signed = {sign.part for sign in act.signatures}
    called = {key: sign.name for key, sign in signs.items()}
    if rule and (late := scene.rules.signature(rule, TOLD_LATE)):
        called[TOLD_LATE] = late.name
    return PastAct(
        number=done.number,
        act=done.act,
        name=rule.name if rule else done.act,
        things=done.things,
        kind=done.kind,
        at=_local(scene, act.at),
        occurred=_local(scene, done.occurred) if done.occurred != act.at else "",
        by=names.get(done.by, done.name),
        role=done.role,
        signatures=tuple(
            PastSignature(
                names.get(sign.by, sign.name),
                sign.role,
                called.get(sign.part, sign.part),
                _local(scene, sign.at),
                sign.fields,
            )
            for sign in act.signatures
        ),
        waits=tuple(called.get(part, part) for part in done.waits if part not in signed and act.status == "waits"),
        status=act.status,
        reason=act.reason,
        fields=done.fields,
        paper=done.paper,
        clause=done.clause,
        is_late=done.is_late,
        slip=done.slip,
        corrects=act.correction.last if act.correction else 0,
        was=act.correction.was if act.correction else {},
        corrected_by=act.corrected_by,
    )


def _local(scene: Scene, at: str) -> str:
    facility = scene.state.facility
    return facility.minute(at) if facility else at
