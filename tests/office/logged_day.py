"""A day file as a log: every command of it with what came of it, as a server would have written it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Raw, json

from passline.acts import commands as c
from passline.acts.course import OFFICE_STREAM
from passline.acts.decide import decide
from passline.acts.events import ActEvent
from passline.acts.rules import OFFICE_RULES
from passline.acts.state import ActState
from passline.refusal import Refused
from passline.rules.pages.texts import packed_pages
from passline.store.entry import Draft
from passline.store.sealed import Log
from passline.streams.course import Actor, Decision
from tests.office.day_file import DAYS, Day, steps_of


class LoggedDay(Day):
    """A day whose decisions go into a log."""

    def __init__(self, log: Log) -> None:
        super().__init__(None)
        self.log, self.count = log, 0

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        decision = decide(self.scene(), command, by=by, signed_by=signed_by)
        if not isinstance(decision, Refused):
            self._write(command, decision, by, signed_by)
        yield from super().send(command, by, signed_by)

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
        self._write(kept, decision, by, "")

    def _write(self, command: c.ActCommand, decision: Decision, by: Actor, signed_by: str) -> None:
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
        self.log.append([draft])


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
