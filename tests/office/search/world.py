"""An office that is searched: its state, its clock, which tables are truly dealt, and the way it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.decide import decide
from passline.acts.judges.gates import OPENING, GateItem, gate_items, working_faults
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.papers.houses import HOUSE
from passline.acts.papers.sheet import PaperSheet
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Condition
from passline.acts.state import ActState, KnownThing
from passline.authority.roles import in_order
from passline.refusal import Refusal, Refused
from passline.rules.elections import house_digest
from passline.store.timestamps import later
from passline.streams.course import THE_HOUSE, Actor
from tests.office.offices import known_house

CLEAR = "(open)"
"""The move by which the server opens a table: no act of the pages."""
SET = "(set)"
"""The move by which somebody sets a figure that the text leaves open."""
ALARM = "(alarm)"
"""The move by which the server notes that dice speak against themselves: it opens an incident."""
CASH = "(cash)"
"""The move by which the server notes that a patron brought much cash."""
WAIT = "(wait)"
"""The move by which time passes."""
PAPER = {"document": "a" * 64, "reference": "letter 7"}
_DOERS_MAX = 6  # where somebody else must do it than did what came before
_SECONDS_A_MOVE = 61  # longer than a cleared table may take to open


@dataclass(frozen=True)
class Move:
    """Something that is tried: an act with its things and fields, signed by everybody at once; or time that passes."""

    act: str
    things: tuple[str, ...] = ()
    fields: tuple[tuple[str, Any], ...] = ()
    seconds: int = 0

    def __str__(self) -> str:
        if self.act == WAIT:
            return f"{self.seconds // 3600} hours pass"
        told = ", ".join(f"{key} = {_brief(value)}" for key, value in self.fields)
        return " ".join((self.act, *self.things)) + (f" {{{told}}}" if told else "")

    @property
    def given(self) -> dict[str, Any]:
        """Its fields."""
        return dict(self.fields)


def _brief(value: object) -> str:
    if isinstance(value, dict) and len(value) > 3:
        return f"{{{len(value)} entries}}"
    text = str(value)
    return f"{text[:8]}..." if len(text) > 40 else text


@dataclass(frozen=True)
class Office:
    """What does not change during a search: rules, people, approvals on file, and what a lawful day has written."""

    rules: ActRules
    people: Mapping[str, Person]
    approvals: frozenset[str]
    lawful_fields: Mapping[str, Mapping[str, Any]]  # by act, as a lawful day had them
    beginning: ActState  # before anything was done

    @property
    def around(self) -> Surroundings:
        """What the office is told of the rest of the house."""
        return Surroundings(self.people.get, known_house, approvals=self.approvals.__contains__)

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition of the pages: what acts need, gates list and watches look after."""
        pages = self.rules.pages
        needs = [one for act in pages.acts.values() for one in act.needs.values()]
        items = [one for gate in pages.gates.values() for one in gate.items.values()]
        return (*needs, *items, *(watch.needs for watch in pages.watches.values()))

    @cached_property
    def ordering_acts(self) -> frozenset[str]:
        """The acts whose order matters to some condition or clock."""
        named = {
            word
            for one in self.conditions
            for word in (one.done, one.undone, one.since, one.never, one.when, one.unless, *one.apart)
        }
        for clock in self.rules.pages.clocks.values():
            named |= {clock.starts, clock.unless, *clock.met}
        return frozenset(named & self.rules.pages.acts.keys())


class _Scene(Scene, frozen=True):
    """A scene that sets the same paper of the same house once: a search asks for it thousands of times."""

    def sheet(self, paper: str, known: KnownThing | None, *, house: str = "") -> PaperSheet:
        """Return a paper as it would be printed now."""
        kind = self.rules.pages.papers[paper].thing
        name = known.id if known and known.kind == kind else ""
        name = (
            name
            or (house if kind == HOUSE else "")
            or str(self.fields.get(kind) or (known.facts.get(kind, "") if known else ""))
        )
        about = self.state.thing(kind, name) if kind else None
        parts = self.rules.pages.papers[paper].parts.values()
        if about is None or not all(part.source.startswith(_OF_THE_HOUSE) for part in parts):
            return super().sheet(paper, known, house=house)
        dealt = self.state.thing(HOUSE, house) if house else None
        key = (self.rules.digest, paper, id(about), id(dealt))
        if key not in _SHEETS:
            sheet = super().sheet(paper, known, house=house)
            _SHEETS[key] = (about, dealt, sheet)  # the thing is kept, so that its id stays its own
        return _SHEETS[key][-1]


_OF_THE_HOUSE = ("rules.", "wager.", "fact.", "document.")
_SHEETS: dict[tuple[str, str, int, int], tuple[KnownThing, KnownThing | None, PaperSheet]] = {}


@dataclass(frozen=True)
class World:
    """An office at one moment of a search."""

    office: Office
    state: ActState
    at: str
    dealt: frozenset[str] = frozenset()  # tables with players at them, whatever the office believes
    path: tuple[Move, ...] = ()
    seed: str = ""
    is_lawful: bool = True  # nothing on the way was a breach

    @cached_property
    def scene(self) -> Scene:
        """The office as its judges see it."""
        return _Scene(self.office.rules, self.state, self.at, self.at, self.office.around)

    @cached_property
    def _lists(self) -> dict[str, list[GateItem]]:
        return {}

    def opening(self, table: str) -> list[GateItem]:
        """Return every item of a table's opening list, green or red."""
        if table not in self._lists:
            self._lists[table] = gate_items(self.scene, OPENING, table)
        return self._lists[table]

    def fit(self, groups: tuple[str, ...], but: frozenset[str] = frozenset(), among: object = None) -> str:
        """Return the first person who belongs to one of some groups and may work; empty: nobody."""
        rules, state = self.office.rules, self.state
        for account, person in self.office.people.items():
            if account in but or (among is not None and account not in _names(among)):
                continue
            if any(rules.is_of(group, person, state) for group in groups) and not working_faults(self.scene, account):
                return account
        return ""

    def apply(self, move: Move) -> Step:
        """Return what comes of a move."""
        at = later(self.at, max(move.seconds, _SECONDS_A_MOVE))
        moved = replace(self, at=at, path=(*self.path, move))
        if move.act == WAIT:
            return _looked(Step(self, move, moved, (), ()))
        if move.act == CLEAR:
            return moved._clear(self, move)
        if move.act in {SET, ALARM, CASH}:
            return moved._by_server(self, move)
        return moved._act(self, move)

    def _clear(self, before: World, move: Move) -> Step:
        table = self.state.thing("table", move.things[0])
        house = self.state.thing("house", str(table.facts.get("house", ""))) if table else None
        digest = house_digest(known_house(house.facts["file"]).house) if house else ""
        command = c.ClearTable(table=move.things[0], house=digest, dice="physical")
        answer = decide(self.scene, command, by=THE_HOUSE)
        if isinstance(answer, Refused):
            return Step(before, move, before, (), answer.refusals)
        dealt = self.dealt | {move.things[0]}
        return _looked(Step(before, move, replace(self, state=answer.after, dealt=dealt), tuple(answer.events), ()))

    def _by_server(self, before: World, move: Move) -> Step:
        """Set a figure from its paper, or note what the tables tell: an alarm of dice, much cash of a patron."""
        command: c.ActCommand
        day = str(self.scene.today)
        match move.act:
            case "(set)":
                command = c.SetValue(key=move.things[0], value=move.given["value"], **PAPER, received=day)
            case "(alarm)":
                number = self.state.incidents + 1
                command = c.NoteDice(table=move.things[0], number=number, rolls=1, evidence=10**9, sets=1)
            case _:
                command = c.NoteCash(patron="patron/N0", day=day, cents_in=10**9, cents_out=0)
        answer = decide(self.scene, command, by=THE_HOUSE)
        if isinstance(answer, Refused):
            return Step(before, move, before, (), answer.refusals)
        return _looked(Step(before, move, replace(self, state=answer.after), tuple(answer.events), ()))

    def _act(self, before: World, move: Move) -> Step:
        act = self.office.rules.pages.acts[move.act]
        body = self.office.rules.body_of(act.by) if act.on_paper else ""
        doer = self.fit(act.by) or (self.fit(("compliance",)) if body else "")
        if not doer:
            return Step(before, move, before, (), (Refusal("search", f"nobody can do this: {', '.join(act.by)}"),))
        step = self._act_by(before, move, doer)
        tried = frozenset({doer})
        while step.refusals and any(one.apart for one in act.needs.values()) and len(tried) < _DOERS_MAX:
            doer = self.fit(act.by, tried)
            if not doer:
                break
            step, tried = self._act_by(before, move, doer), tried | {doer}
        return step

    def _act_by(self, before: World, move: Move, doer: str) -> Step:
        act = self.office.rules.pages.acts[move.act]
        fields = move.given
        for key, one in act.fields.items():
            if one.doer and key in fields and doer not in fields[key]:
                fields[key] = [doer, *fields[key]]
        letter = {"document": f"e{len(self.path):063x}", "received": str(self.scene.today)}  # none that a day has used
        command = c.DoAct(act=move.act, things=move.things, fields=fields, paper={**PAPER, **letter})
        answer = decide(self.scene, command, by=self._actor(doer))
        if isinstance(answer, Refused):
            return Step(before, move, before, (), answer.refusals)
        world, events = replace(self, state=answer.after), list(answer.events)
        signed = frozenset({doer})
        number = world.state.acts
        while pending := world.state.pending.get(str(number)):
            part = next(one for one in pending.done.waits if one not in pending.signed)
            rule = act.signs[part]
            signer = world.fit(rule.by, signed, pending.done.fields.get(rule.among) if rule.among else None)
            counted = act.counts.counted_fields if act.counts and rule.counts else ()
            again = {key: pending.done.fields.get(key) for key in counted}
            command_ = c.SignAct(number=number, part=part, fields=again)
            told = decide(world.scene, command_, by=world._actor(signer), signed_by=signer) if signer else None
            if told is None or isinstance(told, Refused):
                why = told.refusals if told else (Refusal("search", f"nobody can sign this as {part}"),)
                return Step(before, move, before, (), why)
            signed |= {signer}
            world, events = replace(world, state=told.after), [*events, *told.events]
        dealt = _dealt_after(self.dealt, move)
        is_lawful = self.is_lawful and not any(isinstance(one, e.IncidentOpened) for one in events)
        return _looked(Step(before, move, replace(world, dealt=dealt, is_lawful=is_lawful), tuple(events), ()))

    def _actor(self, account: str) -> Actor:
        person = self.office.people[account]
        return Actor(account, person.name, in_order(person.roles)[0], is_employee=True)


@dataclass(frozen=True)
class Step:
    """One move and what came of it."""

    before: World
    move: Move
    after: World
    events: tuple[e.ActEvent, ...]
    refusals: tuple[Refusal, ...]
    seen: tuple[e.ActEvent, ...] = ()  # what the server noticed by itself right afterwards

    @property
    def is_accepted(self) -> bool:
        """Whether it was recorded."""
        return not self.refusals

    @property
    def breaches(self) -> frozenset[str]:
        """The clauses for which it opened an incident."""
        return frozenset(one.clause for one in self.events if isinstance(one, e.IncidentOpened))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it was refused, or is a breach."""
        return (
            *(one.why for one in self.refusals),
            *(one.why for one in self.events if isinstance(one, e.IncidentOpened)),
        )

    @property
    def is_clean(self) -> bool:
        """Whether it was recorded and opened no incident."""
        return not self.refusals and not self.breaches


def _dealt_after(dealt: frozenset[str], move: Move) -> frozenset[str]:
    """Return which tables are dealt: those opened and not closed. No other act sends players away."""
    if move.act == "open_table":
        return dealt | {*move.things}
    return dealt - {*move.things} if move.act == "close_table" else dealt


def _looked(step: Step) -> Step:
    """Have the server look round, as it does by itself all the time."""
    command = c.LookRound(open_tables=tuple(sorted(step.after.dealt)))
    answer = decide(step.after.scene, command, by=THE_HOUSE)
    if isinstance(answer, Refused):
        return step
    return replace(step, after=replace(step.after, state=answer.after), seen=tuple(answer.events))


def _names(value: object) -> Iterator[str]:
    yield from [value] if isinstance(value, str) else list(value or ())  # type: ignore[call-overload]
