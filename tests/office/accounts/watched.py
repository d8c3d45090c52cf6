"""A table and its office in one log, for tests of what the office keeps of play: accounts, ratings and dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Raw, json

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.course import OFFICE_STREAM
from passline.office.views.projections import projections_of
from passline.refusal import Refused
from passline.store.entry import Draft, Stored
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from tests.office.bookkeeping import KeptOffice
from tests.tables.sitting import AT, CREW, LABORATORY, PLAYERS, Sitting, draft_of
from tests.tables.views.viewed import KeptLog

FACILITY = Facility(name="Harbour", zone="America/Denver", areas=("pit-1",))
_BEGUN = "2025-12-30T00:00:00.000000Z"
_PEOPLE = {one.account: one.role for one in (*CREW.values(), *PLAYERS)}
_PEOPLE |= {f"another-{role}": role for role in ("boxperson", "floorperson", "counter")}  # who sign what others ask for


class WatchedTable:
    """A table with physical dice, and the office of its regulation, which may be set up."""

    def __init__(
        self,
        rules: str = "section2",
        *,
        one_in: int = 0,
        is_set_up: bool = True,
        is_keyed: bool = True,
        key: SigningKey | None = None,
        house: dict[str, Any] | None = None,
    ) -> None:
        self.log = MemoryLog(key, log_id="a-log-with-dice", at=_BEGUN)
        self.office = KeptOffice(rules, FACILITY, _PEOPLE)
        self.office.at = later(AT, -600)
        if one_in:
            self.office.send(c.SetValue(key="dice_alarm", value=one_in), "olga")
        if is_set_up:
            self.office.write(self.log)
        self.written = len(self.office.done)
        self.sitting = Sitting(rules, dice="physical", approvals=LABORATORY, is_keyed=is_keyed, house=house)
        self.read = 0
        self.write()

    def write(self) -> None:
        """Write what was done at the table and in the office since the last time, the table's first."""
        self.log.append([draft_of(one.entry) for one in self.sitting.entries[self.read :]])
        self.read = len(self.sitting.entries)
        for number, done in enumerate(self.office.done[self.written :], start=self.written):
            draft = Draft(
                stream=OFFICE_STREAM + self.office.rules.name,
                expected=number,
                at=done.at,
                actor=done.ask.by.account,
                role=done.ask.by.role,
                signed_by=done.ask.signed_by,
                id=str(number),
                command=Raw(json.encode(self.office.command_of(done.ask.command, is_first=not number))),
                events=Raw(json.encode(done.events)),
            )
            self.log.append([draft])
        self.written = len(self.office.done)

    def note(self, rolls: int, evidence: int, *, number: int = 1, sets: int = 1, dice: tuple[str, ...] = ()) -> str:
        """Have the office note a set of dice, as the server does; return why it refuses."""
        self.office.at = self.sitting.at
        table = self.sitting.table.id
        told = c.NoteDice(table=table, number=number, rolls=rolls, evidence=evidence, sets=sets, dice=dice)
        answer = self.office.send(told)
        self.write()
        return str(answer) if isinstance(answer, Refused) else ""

    def views(self, batch: int = 1000) -> ViewStore:
        """Return the views of the log, as a server projects them."""
        self.write()
        return kept_views(self.log.read(), batch)


def kept_views(entries: Iterable[Stored], batch: int = 1000) -> ViewStore:
    """Return all views of these entries, read in batches."""
    log, store = KeptLog(entries), ViewStore(None, b"a key")
    projector = Projector(log, store, projections_of(log))
    while projector.advance(batch):
        pass
    return store
