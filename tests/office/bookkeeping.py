"""An office that is kept by tests: acts are done in a word, and every event is kept with its moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from passline.game.refusal import Refused
from passline.office import commands as c
from passline.office import events as e
from passline.office.calendar.facility import Facility
from passline.office.decide import decide
from passline.office.judges.scene import Scene, Surroundings
from passline.office.rules.office_rules import OfficeRules, Person
from passline.office.state import OfficeState
from passline.streams.course import Actor

__all__ = ["KeptOffice"]


class KeptOffice:
    """An office with its people, its clock and its events, decision by decision."""

    def __init__(self, rules: OfficeRules, facility: Facility, people: Mapping[str, str]) -> None:
        self.rules = rules
        self.people = {name: Person(name, name.title(), frozenset({role})) for name, role in people.items()}
        self.state = OfficeState()
        self.at = "2026-01-01T00:00:00.000000Z"
        self.decisions: list[tuple[str, tuple[e.OfficeEvent, ...]]] = []
        self.send(c.KeepOffice(name=rules.name, pages="", program="test"), next(iter(people)))
        self.send(c.SetUpOffice(facility=facility), next(iter(people)))

    @property
    def facility(self) -> Facility:
        """The facility that it was set up for."""
        assert self.state.facility is not None
        return self.state.facility

    @property
    def events(self) -> list[tuple[str, Any]]:
        """Every event so far with its moment."""
        return [(at, event) for at, events in self.decisions for event in events]

    def go_to(self, day: str, time: str) -> None:
        """Set the clock to a local date and time."""
        self.at = self.facility.moment(date.fromisoformat(day), time)

    def send(self, command: c.OfficeCommand, by: str, signed_by: str = "") -> Refused | None:
        """Send a command; return why it was refused, or None."""
        person = self.people[by]
        scene = Scene(self.rules, self.state, self.at, self.at, Surroundings(self.people.get))
        actor = Actor(by, person.name, next(iter(person.roles)), is_employee=True)
        decision = decide(scene, command, by=actor, signed_by=signed_by)
        if isinstance(decision, Refused):
            return decision
        self.state = decision.after
        self.decisions.append((self.at, decision.events))
        return None

    def tries(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> bool:
        """Try an act, with somebody who signs it as a part; return whether it was done."""
        signer, part = signs
        command = c.DoAct(act=act, things=things, fields=fields, signs=part)
        return self.send(command, by, signer) is None

    def does(self, by: str, act: str, *things: str, signs: tuple[str, str] = ("", ""), **fields: object) -> None:
        """Do an act that must not be refused."""
        signer, part = signs
        refused = self.send(c.DoAct(act=act, things=things, fields=fields, signs=part), by, signer)
        assert refused is None, refused

    def signs(self, by: str, part: str, **fields: object) -> None:
        """Sign the act that was recorded last."""
        number = max(map(int, self.state.pending))
        refused = self.send(c.SignAct(number=number, part=part, fields=fields), by, by)
        assert refused is None, refused
