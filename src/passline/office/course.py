"""`OfficeCourse`: how the stream of an office is decided and folded."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct, json

from passline.errors import CrapsError
from passline.game.refusal import Refusal, Refused
from passline.office import commands as c
from passline.office.commands import OfficeCommand
from passline.office.decide import decide
from passline.office.events import OfficeEvent, OfficeKept
from passline.office.judges.scene import Scene, Surroundings
from passline.office.rules.office_rules import OfficeRules, install_office, kept_office, office_from
from passline.office.state import OfficeState, fold
from passline.office.wording import office_lines
from passline.rules.rulebook_pages import unpacked_pages
from passline.store.entry import Entry
from passline.streams.course import Actor, Ask, Codec, Course, Decision

__all__ = ["OFFICE_CODEC", "OFFICE_STREAM", "OfficeCourse", "decide_command", "learn_office"]

OFFICE_STREAM = "office/"
"""The prefix of the streams of offices; the regulation's name follows."""


class _NewForm(Struct):
    """What a snapshot by an earlier version has not: then the office is folded from the log."""

    tills: Raw


class _OfficeCodec(Codec[OfficeCommand, OfficeEvent, OfficeState]):
    def state(self, snapshot: bytes) -> OfficeState:
        """Return the office of a snapshot; raise if an earlier version wrote it, which did not know all of it."""
        json.decode(snapshot, type=_NewForm)
        return super().state(snapshot)


OFFICE_CODEC: Codec[OfficeCommand, OfficeEvent, OfficeState] = _OfficeCodec(OfficeCommand, OfficeEvent, OfficeState)
"""Reads the entries and snapshots of offices."""


def decide_command(
    state: OfficeState | None, command: OfficeCommand, *, by: Actor, at: str, around: Surroundings, signed_by: str = ""
) -> Decision | Refused:
    """Decide a command under the pages that the log keeps; a command that keeps others is decided under those."""
    before = state or OfficeState()
    rules: OfficeRules | None
    if isinstance(command, c.KeepOffice):
        try:
            rules = office_from(unpacked_pages(command.name, command.pages))
        except CrapsError as error:
            return Refused((Refusal("office", f"the office of {command.name!r} cannot be kept: {error}"),))
        if rules.digest == before.digest:
            return Refused((Refusal("office", f"the log keeps these pages of {command.name}'s office already"),))
        install_office(rules)
    else:
        rules = kept_office(before.digest)
    if rules is None:
        return Refused((Refusal("office", "the log keeps no pages of this office yet"),))
    return decide(Scene(rules, before, at, at, around), command, by=by, signed_by=signed_by)


def learn_office(entry: Entry, events: Sequence[OfficeEvent]) -> None:
    """Learn the pages that an entry keeps, if any."""
    if any(isinstance(event, OfficeKept) for event in events):
        command = OFFICE_CODEC.command(entry)
        assert isinstance(command, c.KeepOffice)
        install_office(office_from(unpacked_pages(command.name, command.pages)))


class OfficeCourse(Course[OfficeState]):
    """The office of one regulation. `around` is what it is told of the rest of the house."""

    codec = OFFICE_CODEC

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def decide(self, state: OfficeState | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command to the office."""
        return decide_command(state, ask.command, by=ask.by, at=at, around=self._around, signed_by=ask.signed_by)

    def fold(self, state: OfficeState | None, entry: Entry, events: Sequence[OfficeEvent]) -> OfficeState:
        """Return the office after an entry; pages that another process keeps are known from here on."""
        learn_office(entry, events)
        return fold(state, entry.at, events)

    def lines(
        self, _before: OfficeState | None, after: OfficeState | None, events: Sequence[OfficeEvent]
    ) -> tuple[str, ...]:
        """Return the events in words."""
        return office_lines(kept_office(after.digest) if after else None, events)
