"""Reads the entries and snapshots of offices, and learns the pages that an entry keeps."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct, json

from passline.acts import commands as c
from passline.acts.commands import ActCommand
from passline.acts.events import ActEvent, OfficeKept
from passline.acts.rules import OFFICE_RULES
from passline.acts.state import ActState
from passline.rules.pages.texts import unpacked_pages
from passline.store.entry import Entry
from passline.streams.course import Codec

__all__ = ["OFFICE_CODEC", "OFFICE_STREAM", "learn_office"]

OFFICE_STREAM = "office/"
"""The prefix of the streams of offices; the regulation's name follows."""


class _NewForm(Struct):
    """What a snapshot by an earlier version has not: then the office is folded from the log."""

    tills: Raw


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
