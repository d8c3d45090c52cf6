"""An office in memory, to learn how it is kept and to try out pages while they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.decide import decide
from passline.acts.judges.gates import OPENING, GateItem, gate_items
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.papers.houses import elected_presets, rules_of_file
from passline.acts.papers.sheet import PaperSheet
from passline.acts.rules import ActRules, Person, office_of
from passline.acts.state import ActState
from passline.acts.views.today import Today, today_of
from passline.acts.wording import office_lines
from passline.authority.roles import in_order
from passline.refusal import Refused
from passline.rules.elections import house_digest
from passline.streams.course import THE_HOUSE, Actor, Ask, Decision
from passline.streams.trial import Trial

_BEGINNING = "2026-01-01T00:00:00.000000Z"


class TrialOffice(Trial[ActState]):
    """An office that is tried out: `people` are names with a role each, `at` is its clock.

    >>> office = TrialOffice("section2", Facility(name="Harbour", zone="America/Denver"), {"olga": "owner"})
    >>> print(office.do("olga", "enter_drop_box", "D1"))
    Enter a drop box (D1): recorded by Olga, owner [practice].
    drop box D1 is ready.
    >>> print(office.do("olga", "scrap_drop_box", "D2"))
    refused: no drop box D2 is on record [practice]
    """

    def __init__(
        self,
        rules: ActRules | str,
        facility: Facility,
        people: Mapping[str, str],
        *,
        bodies: Mapping[str, str] | None = None,
        house: str = "",
    ) -> None:
        super().__init__(_BEGINNING)
        self._house = house  # the id of its log, which stamps name
        self._is_installed = isinstance(rules, str)  # then it has the presets that its houses elect
        self._elected: tuple[str, ...] = ()
        self.rules = office_of(rules) if isinstance(rules, str) else rules
        self.people = {name: Person(name, name.title(), frozenset({role})) for name, role in people.items()}
        self.approvals: set[str] = set()  # on file with the house, such as a laboratory report
        self.state = ActState()
        self.send(c.KeepOffice(name=self.rules.name, pages="", program="trial"))
        self.send(c.SetUpOffice(facility=facility))
        for name, body in (bodies or {}).items():
            self.send(c.AssignBody(account=name, body=body))

    @property
    def facility(self) -> Facility:
        """The facility that it was set up for."""
        assert self.state.facility is not None
        return self.state.facility

    @property
    def events(self) -> list[tuple[str, Any]]:
        """Every event so far with its moment."""
        return [(done.at, event) for done in self.done for event in done.events]

    @property
    def scene(self) -> Scene:
        """The office as it is now."""
        around = Surroundings(self.people.get, approvals=self.approvals.__contains__, house=self._house)
        return Scene(self.rules, self.state, self.at, self.at, around)

    def go_to(self, day: str, time: str) -> None:
        """Set the clock to a local date and time."""
        self.at = self.facility.moment(date.fromisoformat(day), time)

    def actor(self, name: str) -> Actor:
        """Return a person by name; for an empty name, the server itself."""
        if not name:
            return THE_HOUSE
        person = self.people[name]
        return Actor(name, person.name, in_order(person.roles)[0], is_employee=True)

    def decide(self, ask: Ask) -> Decision | Refused:
        """Decide a command under the pages that are tried out."""
        return decide(self.scene, ask.command, by=ask.by, signed_by=ask.signed_by)

    def lines(self, events: Sequence[e.ActEvent]) -> tuple[str, ...]:
        """Return what happened in words."""
        return office_lines(self.rules, events)

    def send(self, command: object, by: str = "", signed_by: str = "") -> Refused | tuple[e.ActEvent, ...]:
        """Send a command; where a house comes into force that elects other presets, their pages are kept."""
        answer = super().send(command, by, signed_by)
        if isinstance(answer, Refused):
            return answer
        if self._is_installed and (presets := elected_presets(self.state)) != self._elected:
            self._elected, self.rules = presets, office_of(self.rules.name, *presets)
            self.send(c.KeepOffice(name=self.rules.name, pages="", program="trial"))
        return answer

    def do(
        self,
        by: str,
        act: str,
        *things: str,
        signed_by: str = "",
        signs: str = "",
        occurred: str = "",
        paper: Mapping[str, str] | None = None,
        **fields: object,
    ) -> str:
        """Do an act, signed at once if `signed_by` and `signs` say so; return in words what came of it."""
        command = c.DoAct(
            act=act, things=things, fields=fields, signs=signs, occurred=occurred, paper=dict(paper or {})
        )
        return self.tell(command, by, signed_by)

    def sign(self, by: str, part: str, **fields: object) -> str:
        """Sign the newest act that waits for a signature; return in words what came of it."""
        number = max(map(int, self.state.pending), default=0)
        return self.tell(c.SignAct(number=number, part=part, fields=fields), by, by)

    def set_value(self, by: str, key: str, value: object, **paper: str) -> str:
        """Set a figure that the text leaves open, from a paper: its document, reference and the day received."""
        return self.tell(c.SetValue(key=key, value=value, **paper), by)

    def look_round(self, *open_tables: str) -> str:
        """Look whether a standing condition is broken, as the server does by itself."""
        return self.tell(c.LookRound(open_tables=open_tables))

    def clear(self, table: str, file: Mapping[str, Any], dice: str = "physical") -> str:
        """Ask whether a table may open under a house file, as the server does when somebody opens it."""
        digest = house_digest(rules_of_file(file).house)
        return self.tell(c.ClearTable(table=table, house=digest, dice=dice))

    def items(self, table: str, gate: str = OPENING) -> list[GateItem]:
        """Return every item of a gate for a table, green or red."""
        return gate_items(self.scene, gate, table)

    def sheet(self, paper: str, thing: str = "") -> PaperSheet:
        """Return a paper as it would be printed now."""
        kind = self.rules.pages.papers[paper].thing
        return self.scene.sheet(paper, self.state.thing(kind, thing) if thing else None)

    @property
    def today(self) -> Today:
        """What is due, what waits to be signed, what is open."""
        return today_of(self.scene)
