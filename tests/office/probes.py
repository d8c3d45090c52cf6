"""Questions that a day asks of its judges without doing anything: who may, in which states, what a form wants.

Each question is put to the judge for everybody, every state or the whole form, so that one word more in the pages is
noticed as one word less is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.decide import decide
from passline.acts.judges.fields import fields_of
from passline.acts.judges.scene import Scene
from passline.acts.judges.subjects import things_of
from passline.acts.rules import Person
from passline.acts.state import KnownThing, thing_key
from passline.acts.views.today import today_of, told_of
from passline.authority.roles import ROLES
from passline.refusal import Refused
from passline.rules.schema import clause_text
from passline.streams.course import Actor

_PAPER = "record it from its paper"
_UNDESIGNATED = "has not been designated"


def _may(scene: Scene, rest: str) -> Iterator[str]:
    """`may ACT` says who may do it, of all roles and outside bodies: `owner, TGO (or from its paper)`."""
    act = scene.rules.pages.acts.get(rest)
    if act is None:
        yield "unknown"
        return
    bodies = [group.body for group in scene.rules.pages.roles.values() if group.body]
    everybody = [*((role, role, "") for role in ROLES), *((body, "regulator", body) for body in bodies)]
    found = [words for name, role, body in everybody if (words := _fit(scene, rest, name, role, body))]
    by_paper = " (or from its paper)" if "paper" in found else ""
    yield f"{clause_text(act.cite)}: {', '.join(one for one in found if one != 'paper')}{by_paper}"


def _fit(scene: Scene, act: str, name: str, role: str, body: str) -> str:
    """The name of somebody who may do an act; `paper` where only what an outside body wrote is recorded."""
    account = f"some-{name}"
    state = replace(scene.state, bodies={**scene.state.bodies, account: body} if body else scene.state.bodies)
    person = Person(account, name, frozenset({role}))
    around = replace(scene.around, who=lambda one: person if one == account else scene.who(one))
    asked = replace(scene, state=state, around=around)
    decision = decide(asked, c.DoAct(act=act), by=Actor(account, name, role, is_employee=True))
    said = [one.why for one in decision.refusals] if isinstance(decision, Refused) else []
    if any(_PAPER in one for one in said):
        return "paper"
    if any(_UNDESIGNATED in one for one in said):
        return f"{name} once designated"
    return "" if any(f"the {role} may not do this" in one for one in said) else name


def _where(scene: Scene, rest: str) -> Iterator[str]:
    """`where ACT` says in which states of its thing it may be done."""
    act = scene.rules.pages.acts.get(rest)
    if act is None or not act.thing:
        yield "unknown"
        return
    name = "probed"
    found = []
    for one in scene.rules.pages.things[act.thing].states:
        things = {**scene.state.things, thing_key(act.thing, name): KnownThing(act.thing, name, one, {}, scene.at)}
        if not things_of(replace(scene, state=replace(scene.state, things=things)), act, [name])[1]:
            found.append(one)
    yield f"{clause_text(act.cite)}: {', '.join(found)}"


def _form(scene: Scene, rest: str) -> Iterator[str]:
    """`form ACT {FIELDS}` says all that its form has against these fields, whatever they are about."""
    name, _, fields = rest.partition(" ")
    act = scene.rules.pages.acts.get(name)
    if act is None:
        yield "unknown"
        return
    given = tomllib.loads(f"x = {fields}")["x"]
    yield from (f"{one.clause}: {one.why}" for one in fields_of(act, given, replace(scene, fields=given), ())[1])


def _owed(scene: Scene, rest: str) -> Iterator[str]:
    """`owed CLOCK` says of what runs who owes it to whom, and what comes of it if nobody answers."""
    due = [one for one in today_of(scene).due if one.clock == rest]
    to = {one: f" to {' and '.join(one.to)}" if one.to else "" for one in due}
    found = {f"{one.clause}: by {one.owes}{to[one]}{f': {one.then}' if one.then else ''}" for one in due}
    yield from sorted(found) or ["nothing"]


def _unset(scene: Scene, rest: str) -> Iterator[str]:
    """`unset VALUE` says whether the office is asked for a figure."""
    yield from (f"{one.clause}: {one.name}" for one in today_of(scene).unset if one.key == rest)


def _told(scene: Scene, rest: str) -> Iterator[str]:
    """`told BODY` says what an outside body was told."""
    told = [one for one in told_of(scene) if one.body == rest]
    yield from (f"{one.clause}: {one.name}: {one.about}{' ' * bool(one.about)}at {one.at}" for one in told)


PROBES = {"may": _may, "where": _where, "form": _form, "owed": _owed, "unset": _unset, "told": _told}
"""By the word with which a line of a day begins; their answers stand there whole: a part of a list says nothing."""
