"""A day file as a log: every command of it with what came of it, as a server would have written it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Raw, json
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.acts.decide import decide
from passline.acts.events import ActEvent
from passline.acts.judges.scene import Surroundings
from passline.acts.papers.form_codes import FormCode, is_made_by, made_numbers
from passline.acts.rules import OFFICE_RULES
from passline.acts.state import ActState
from passline.rules.pages.texts import packed_pages
from passline.store.entry import Draft
from passline.store.sealed import Log
from passline.streams.course import Actor, Decision
from tests.office.day_file import DAYS, Day, steps_of


def codes_of(log: Log, office: str, numbers: Iterable[str]) -> list[str]:
    """The codes on the forms of a series with these numbers, as a scanner reads them."""
    made = {
        number: str(FormCode(stored.entry.sequence, stored.hash.hex(), number))
        for stored in log.read_stream(OFFICE_STREAM + office)
        for number in made_numbers(OFFICE_CODEC.events(stored.entry))
    }
    return [made[number] for number in numbers]


class LoggedDay(Day):
    """A day whose decisions go into a log."""

    def __init__(self, log: Log) -> None:
        super().__init__(None)
        self.log, self.count, self.documents = log, 0, 0

    @property
    def around(self) -> Surroundings:
        return replace(super().around, has_form=self._has_form)

    def _has_form(self, code: FormCode) -> bool:
        stream = OFFICE_STREAM + self.scene().rules.name
        found = self.log.read(after=code.sequence - 1, until=code.sequence)
        return any(is_made_by(code, stored, stream, OFFICE_CODEC.events(stored.entry)) for stored in found)

    def keep(self) -> None:
        """Keep the pages as the server does."""
        rules = self.scene().rules
        OFFICE_RULES.keep(rules)
        kept = c.KeepOffice(
            name=rules.name, pages=packed_pages(OFFICE_RULES.installed_pages(rules.name)), program="test"
        )
        by = Actor("house", "The house", "owner", is_employee=True)
        decision = decide(self.scene(), kept, by=by)
        assert isinstance(decision, Decision)
        self.record(kept, decision, by, "")

    def record(self, command: c.ActCommand, decision: Decision, by: Actor, signed_by: str) -> None:
        self.count += 1
        draft = Draft(
            stream=OFFICE_STREAM + self.scene().rules.name,
            expected=self.count - 1,
            at=self.at,
            actor=by.account,
            role=by.role,
            signed_by=signed_by,
            id=str(self.count),
            command=Raw(json.encode(command)),
            events=Raw(json.encode(decision.events)),
        )
        self.append(draft)

    def append(self, draft: Draft) -> None:
        """Write an entry."""
        self.log.append([draft])

    def codes_of(self, numbers: Iterable[str]) -> list[str]:
        """The codes on the forms with these numbers."""
        return codes_of(self.log, self.scene().rules.name, numbers)


def log_day(name: str, log: Log) -> ActState:
    """Write a day into a log; return the office at its end."""
    day = LoggedDay(log)
    for step in steps_of((DAYS / f"{name}.txt").read_text(encoding="utf-8")):
        list(day.do(step.text))
        if step.text.startswith("office "):
            day.keep()
    return day.state


def logged_events(log: Log, office: str) -> list[tuple[str, ActEvent]]:
    """The events of an office with their moments."""
    return [
        (stored.entry.at, event)
        for stored in log.read_stream(OFFICE_STREAM + office)
        for event in json.decode(stored.entry.events, type=tuple[ActEvent, ...])
    ]
