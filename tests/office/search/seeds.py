"""Where a search begins: each moment of a lawful day on which a table opens, with a twin of everything beside it.

The twin is the same day carried out once more under other names: another table in another area, dealt by a house with
other wagers, with boxes, dice, signs, layouts and a crew of its own. Whatever an act can name, it can name the twin's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as changed

from passline.acts import commands as c
from passline.acts.decide import decide
from passline.acts.rules import ActRules, Person
from passline.acts.state import ActState, KnownThing
from passline.authority.roles import ROLES
from passline.refusal import Refused
from passline.streams.course import Actor
from tests.office.day_file import Day, steps_of
from tests.office.search.world import CLEAR, Move, Office, World

_MARK = "# T1 may open."
TABLE = "T1"
_AREAS = ("pit-1", "pit-2")
_TWIN_HOUSES: dict[str, dict[str, Any]] = {
    "arizona": {
        "wager_cents_min": 1000,
        "payouts": {"field 2": "3 to 1"},
        "payouts_approved": True,
        "payouts_posted": True,
    },
    "colorado": {
        "wager_cents_min": 1000,
        "side_wagers": {"fire": "FB-2", "sharp_shooter": "SS-02", "front_line_winner": "1"},
    },
    "maryland": {"wager_cents_min": 1000, "side_wagers": {"fire": "B"}},
    "section2": {"wager_cents_min": 1000},
}
"""What the twin's house has in place of the elections of the lawful day."""


def twin_of(name: str) -> str:
    """Return what the twin of a thing or person is called."""
    return f"{name}.b"


def seeds_of(rules: ActRules, day: str) -> list[World]:
    """Return the office at each moment of a day until its table may open, then there, then with the table open."""
    text, mark, _ = day.partition(_MARK)
    assert mark, f"the day does not say from where on {TABLE} may open"
    twins = _TwinDay(rules)
    found: list[tuple[ActState, str]] = []
    for step in steps_of(text):
        before = twins.state
        list(twins.do(step.text))
        if twins.state is not before and twins.state.facility is not None:
            found.append((twins.state, twins.at))
    office = Office(rules, twins.everybody, frozenset(twins.approvals), twins.lawful_fields, ActState())
    worlds = [World(office, state, at, seed=f"day:{number}") for number, (state, at) in enumerate(found)]
    opened = worlds[-1].apply(Move(CLEAR, (TABLE,)))
    assert opened.is_accepted, f"{TABLE} cannot open: {opened.refusals}"
    ready = replace(worlds[-1], seed="ready")
    return [*worlds[:-1], ready, replace(opened.after, path=(), seed="open")]


class _TwinDay(Day):
    """A day of which everything lawful is done a second time, to a twin."""

    def __init__(self, rules: ActRules) -> None:
        super().__init__(rules)
        self.lawful_fields: dict[str, dict[str, Any]] = {}
        self._twins: dict[str, str] = {}
        self._numbers: dict[int, int] = {}  # of acts, with those of their twins

    @property
    def everybody(self) -> dict[str, Person]:
        """Everybody of the day, their twins, and three of every role."""
        more = {f"{role}{number}": role for role in ROLES if role != "player" for number in (1, 2, 3)}
        return dict(self.people) | {name: Person(name, name.title(), frozenset({role})) for name, role in more.items()}

    def _people(self, rest: str) -> None:
        super()._people(rest)
        for name, person in list(self.people.items()):
            if person.roles.isdisjoint({"regulator"}) and not name.endswith(".b"):
                self._twins[name] = twin_of(name)
                self.people[twin_of(name)] = Person(twin_of(name), f"{person.name} B", person.roles)

    def _facility(self, rest: str) -> Iterator[str]:
        begun = rest.partition(" areas=")[0]
        yield from super()._facility(f'{begun} areas=["{_AREAS[0]}", "{_AREAS[1]}"]')

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        assert self.rules is not None
        if isinstance(command, c.SignAct):
            originals = {twin: number for number, twin in self._numbers.items()}
            command = changed(command, number=originals.get(command.number, command.number))
        acts, before = self.state.acts, self.state
        told = list(super().send(command, by, signed_by))
        yield from told
        if self.state is before:
            return
        if isinstance(command, c.DoAct):
            made = {known.id for key, known in self.state.things.items() if key not in before.things}
            self._do_twin(command, by, signed_by, acts + 1)
            self._pair_numbered(command, made, before)
        elif isinstance(command, c.SignAct) and command.number in self._numbers:
            twin = changed(command, number=self._numbers[command.number], fields=self._named(command.fields))
            self._send_twin(twin, by, signed_by)

    def _do_twin(self, command: c.DoAct, by: Actor, signed_by: str, number: int) -> None:
        assert self.rules is not None
        act = self.rules.pages.acts[command.act]
        self.lawful_fields[command.act] = dict(command.fields)
        if not act.thing or (act.thing == "table" and TABLE not in command.things):
            return  # the office as a whole has no twin, and a second table needs none
        if act.new:
            self._twins |= {one: twin_of(one) for one in command.things}
        things = tuple(self._twins.get(one, one) for one in command.things)
        fields = {key: self._twin_field(act.fields[key], value) for key, value in command.fields.items()}
        fields |= {  # whoever signs for themselves goes in again, in person
            key: value
            for key, value in command.fields.items()
            if act.fields[key].type == "people" and by.account in value
        }
        for key, field in act.fields.items():
            if field.type == "sheet" and key in fields:
                known = self.state.thing(act.thing, things[0]) or KnownThing(act.thing, "", "", {}, "")
                fields[key] = changed(self.scene(), fields=fields).sheet(field.of[0], known).digest
        done = self.state.acts + 1
        paper = self.letter_of_today() if command.paper else {}  # a paper serves one act
        if self._send_twin(changed(command, things=things, fields=fields, paper=paper), by, signed_by):
            self._numbers[number] = done

    def _pair_numbered(self, command: c.DoAct, made: set[str], before: ActState) -> None:
        """Note which of two things that the office has numbered by itself is the twin of the other."""
        assert self.rules is not None
        act = self.rules.pages.acts[command.act]
        if act.new and self.rules.pages.things[act.thing].series:
            after = {known.id for key, known in self.state.things.items() if key not in before.things}
            self._twins |= dict(zip(sorted(made), sorted(after - made), strict=False))

    def _twin_field(self, field: Any, value: Any) -> Any:  # noqa: ANN401 - as the field has it
        if field.type == "house":
            return {"rules": value["rules"], **_TWIN_HOUSES.get(str(value["rules"]), {})}
        if field.of_areas:
            return _AREAS[1] if value == _AREAS[0] else _AREAS[0]
        if field.type == "text" and value not in self._twins:
            return f"{value} b"
        return self._named(value)

    def _named(self, value: Any) -> Any:  # noqa: ANN401 - as a field has it
        if isinstance(value, dict):
            return {self._named(key): self._named(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._named(one) for one in value]
        return self._twins.get(value, value) if isinstance(value, str) else value

    def _send_twin(self, command: c.ActCommand, by: Actor, signed_by: str) -> bool:
        decision = decide(self.scene(), command, by=by, signed_by=signed_by)
        if isinstance(decision, Refused):
            return False
        self.state = decision.after
        return True
