"""The scene of an act: everything that judging it may look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from passline.acts.events import ActEvent
from passline.acts.marks import DoneMark
from passline.acts.papers.form_codes import FormCode
from passline.acts.papers.houses import HOUSE, HouseRules, rules_of_file, rules_of_thing
from passline.acts.papers.sheet import PaperSheet, sheet_of
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Field
from passline.acts.state import OFFICE, ActState, KnownThing, thing_key
from passline.rules.rules import Rules
from passline.rules.schema import clause_text


class ActFault(Struct, frozen=True):
    """What is wrong with an act: the clause, why, and whether it has happened anyway and so is recorded."""

    clause: str
    why: str
    is_fact: bool = False  # it can have happened all the same: then it is recorded as a breach
    is_noted: bool = False  # what it stands against is done all the same, and looked into
    shown: str = ""  # why, as a refusal says it, if that is not how the log has always said it

    def under(self, key: str) -> ActFault:
        """Return the fault as that of a field."""
        return ActFault(
            self.clause,
            f"{key}: {self.why}",
            is_fact=self.is_fact,
            shown=f"{key}: {self.shown}" if self.shown else "",
        )


def field_fault(field: Field, why: str, *, is_fact: bool = False) -> list[ActFault]:
    """Return what is wrong with a field, with its clause."""
    return [ActFault(clause_text(field.cite), why, is_fact=is_fact)]


def form_fault(why: str) -> list[ActFault]:
    """Return what is wrong with how a field was filled in."""
    return [ActFault("form", why)]


Verdict = Sequence[ActEvent] | Sequence[ActFault]
"""What judging returns: only events, or only faults."""


class Surroundings(Struct, frozen=True):
    """What an office can look up in the rest of the house: people, house files and the approvals on file."""

    who: Callable[[str], Person | None]
    house_rules: HouseRules = rules_of_file
    approvals: Callable[[str], bool] = lambda _kind: False
    owners: Callable[[str], frozenset[str]] = lambda _at: frozenset()  # of whom two must agree; nobody: one may act
    house: str = ""  # the id of its log
    others: Callable[[], Mapping[str, ActState]] = dict  # the other offices of the house, by regulation
    has_form: Callable[[FormCode], bool] = lambda _code: False  # whether the log has the entry behind a code


class SlipLine(Struct, frozen=True):
    """The manual slip on which an act of an outage was written, and when the act was done."""

    outage: str
    number: str  # of the manual slip; empty: what became of a slip itself
    occurred: str
    teller: str = ""  # who told it for whoever did it, by name
    is_disputed: bool = False  # what it says of a time does not count: something recorded speaks against it


class Scene(Struct, frozen=True):
    """The rules and state of an office at a moment, and what surrounds it."""

    rules: ActRules
    state: ActState
    at: str  # now
    occurred: str  # when what is judged happened: the moment from which it counts
    around: Surroundings
    fields: Mapping[str, Any] = {}
    by: str = ""  # the account of who does it
    first: str = ""  # the earliest moment that was told of it, if that is another
    in_time: str = ""  # the moment at which it is in time or not, if it is not now
    slip: SlipLine | None = None  # it is a line of what is told together after an outage

    def who(self, account: str) -> Person | None:
        """Return the person who has an account."""
        return self.around.who(account)

    def dealt_by(self, known: KnownThing | None) -> Rules | None:
        """Return the rules of the game that a thing is dealt by, or those of a house."""
        if known is not None and known.kind != HOUSE and self.fields.get(HOUSE):
            known = self.state.thing(HOUSE, str(self.fields[HOUSE]))
        return rules_of_thing(self.state, known, self.around.house_rules)

    def sheet(self, paper: str, known: KnownThing | None, *, house: str = "") -> PaperSheet:
        """Return a paper as it would be printed now: of a thing, or of another that a field or fact of it names.

        With a house it is printed as that one deals, whichever house the thing was made for.
        """
        kind = self.rules.pages.papers[paper].thing
        named = known.id if known and known.kind == kind else ""
        if kind and not named:
            named = house if kind == HOUSE and house else ""
            named = named or str(self.fields.get(kind) or (known.facts.get(kind, "") if known else ""))
        return sheet_of(self.rules, self.state, paper, named, self.around.house_rules, house=house)

    def last_done(self, act: str, subject: KnownThing | None) -> DoneMark | None:
        """Return when an act was last done to a thing, or to the whole office, which counts for every thing."""
        if not (marks := self.state.marks.get(act)):
            return None
        rule = self.rules.pages.acts.get(act)
        if subject is None or (rule is not None and not rule.thing):
            return marks.get(OFFICE)
        return marks.get(thing_key(subject.kind, subject.id))

    @property
    def today(self) -> date:
        """The local date of what is judged."""
        assert self.state.facility is not None
        return self.state.facility.today(self.occurred)

    def name_of(self, kind: str, id: str) -> str:  # noqa: A002 - what identifies it
        """Return what people call a thing: an employee by name, everything else by what identifies it."""
        person = self.who(id) if kind == "person" else None
        thing = self.rules.pages.things.get(kind)
        called = person.name if person else thing.spoken_id(id) if thing else id
        return f"{thing.name if thing else kind.replace('_', ' ')} {called}"

    def is_over(self, known: KnownThing | None, fact: str) -> bool:
        """Return whether a fact of a thing, a day, is unknown or over."""
        day = known.facts.get(fact, "") if known else ""
        return not day or date.fromisoformat(day) < self.today


def listed_names(value: Any) -> list[Any]:  # noqa: ANN401 - as a fact has it
    """Return what a field or a fact names: one or several."""
    return list(value) if isinstance(value, list | tuple | dict) else [] if value in {None, ""} else [value]
