"""The course of an office's stream: how its entries are read, decided and folded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw, Struct, json
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.commands import ActCommand
from passline.acts.decide import decide
from passline.acts.events import ActEvent, OfficeKept
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.schema import LIVE_METER
from passline.acts.state import ActState, fold
from passline.acts.wording import office_lines
from passline.errors import CrapsError
from passline.refusal import Refusal, Refused
from passline.rules.pages.texts import unpacked_pages
from passline.store.entry import Entry
from passline.streams.course import Ask, Codec, Course, Decision

OFFICE_STREAM = "office/"
"""The prefix of the streams of offices; the regulation's name follows."""


class _NewFigures(Struct):
    form: Raw


class _NewForm(Struct):
    """What a snapshot by an earlier version has not: then the office is folded from the log."""

    tills: Raw
    begun: Raw
    counted: Raw
    newest: Raw
    figures: _NewFigures


class _OfficeCodec(Codec[ActCommand, ActEvent, ActState]):
    def state(self, snapshot: bytes) -> ActState:
        """Return the office of a snapshot; raise if an earlier version wrote it, which did not know all of it."""
        json.decode(snapshot, type=_NewForm)
        return super().state(snapshot)


OFFICE_CODEC: Codec[ActCommand, ActEvent, ActState] = _OfficeCodec(ActCommand, ActEvent, ActState)
"""Reads the entries and snapshots of offices."""


def learn_office(entry: Entry, events: Sequence[ActEvent]) -> None:
    """Learn the pages that an entry keeps, if any."""
    if any(isinstance(event, OfficeKept) for event in events):
        command = OFFICE_CODEC.command(entry)
        assert isinstance(command, c.KeepOffice)
        OFFICE_RULES.learn(unpacked_pages(command.name, command.pages))


def office_after(state: ActState | None, entry: Entry) -> ActState:
    """Return an office after an entry of its stream; the pages that the entry keeps are known from here on."""
    events = OFFICE_CODEC.events(entry)
    learn_office(entry, events)
    return fold(state, entry.at, events)


def office_command_as_sent(command: Any) -> Any:  # noqa: ANN401 - of any command
    """Return a command without what a live meter showed, which the server fills in."""
    if not isinstance(command, c.DoAct) or LIVE_METER not in command.fields:
        return command
    return replace(command, fields={key: value for key, value in command.fields.items() if key != LIVE_METER})


class OfficeCourse(Course[ActState]):
    """The office of one regulation. `around` is what it knows of the rest of the house."""

    codec = OFFICE_CODEC

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def decide(self, state: ActState | None, ask: Ask, at: str) -> Decision | Refused:
        """Decide a command under the pages that the log keeps; a command that keeps others is decided under those."""
        before, command = state or ActState(), ask.command
        rules: ActRules | None
        if isinstance(command, c.KeepOffice):
            try:
                rules = OFFICE_RULES.learn(unpacked_pages(command.name, command.pages))
            except CrapsError as error:
                return Refused((Refusal("office", f"the office of {command.name!r} cannot be kept: {error}"),))
            if rules.digest == before.digest:
                return Refused((Refusal("office", f"the log keeps these pages of {command.name}'s office already"),))
        else:
            rules = OFFICE_RULES.find(before.digest)
        if rules is None:
            return Refused((Refusal("office", "the log keeps no pages of this office yet"),))
        return decide(Scene(rules, before, at, at, self._around), command, by=ask.by, signed_by=ask.signed_by)

    def as_sent(self, command: Any) -> Any:  # noqa: ANN401 - of any command
        """Return a command without what a live meter showed, which the server fills in."""
        return office_command_as_sent(command)

    def knows_rules(self, state: ActState) -> bool:
        """Return whether this process knows the pages that an office is run by."""
        return OFFICE_RULES.find(state.digest) is not None

    def learn_rules(self, entry: Entry, events: Sequence[ActEvent]) -> None:
        """Learn the pages that an entry keeps, if any."""
        learn_office(entry, events)

    def fold(self, state: ActState | None, entry: Entry, events: Sequence[ActEvent]) -> ActState:
        """Return the office after an entry; pages that another process keeps are known from here on."""
        learn_office(entry, events)
        return fold(state, entry.at, events)

    def lines(self, _before: ActState | None, after: ActState | None, events: Sequence[ActEvent]) -> tuple[str, ...]:
        """Return the events in words."""
        return office_lines(OFFICE_RULES.find(after.digest) if after else None, events)
