"""The file of compliance: matters about cash, what was written about each, and the examiners who may read it.

None of it is in the log: no entry, number or paper shows that there is a matter. It is kept in the vault beside the
log, in rows that carry a code made with the log's key. `verify` finds a row that somebody else wrote, and counts none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Literal
from uuid import uuid4

from msgspec import Struct, json

from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.authority.roles import COMPLIANCE, OWNER, REGULATOR
from passline.money import dollar_amount
from passline.office.runtime import CashOf
from passline.office.views.cash import CashPart, cash_waiting
from passline.office.views.cash_matters import CashMatter, cash_matters, days_looked_at
from passline.office.views.day_report import day_bounds
from passline.store.authentic_vault import RESTRICTED_KIND, ROWS_PURPOSE, AuthenticVault
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE

Step = Literal["note", "close", "report", "open"]
"""What is written about a matter: a finding, that it is closed, that it was reported, that it is open again."""
_STATES: dict[Step, str] = {"close": "closed", "report": "reported", "open": "open"}
TEXT_MAX = 4_000
"""How many characters somebody may write about a matter at once."""


class Note(Struct, frozen=True):
    """What somebody wrote about a matter."""

    matter: str
    at: str
    by: str  # the account
    name: str
    step: Step
    text: str


class OpenedMatter(Struct, frozen=True):
    """A matter and when the server found it."""

    matter: CashMatter
    at: str


class Examiner(Struct, frozen=True):
    """An account of a regulator that compliance lets read the file; empty `until`: still."""

    account: str
    at: str
    by: str
    until: str = ""


class KeptMatter(Struct, frozen=True):
    """A matter with all that was written about it."""

    matter: CashMatter
    opened: str
    state: str  # open, closed or reported
    notes: tuple[Note, ...]


class FoundCash(Struct, frozen=True):
    """What a look at cash has found: matters, the days that were looked at, and what corrections have changed."""

    matters: tuple[CashMatter, ...] = ()
    days: frozenset[str] = frozenset()
    corrections: tuple[CashPart, ...] = ()


class ComplianceFile:
    """The file of every office of a house. Its methods read and write a database: call them from a thread."""

    def __init__(self, log: Log, clock: Callable[[], str]) -> None:
        self._log, self._clock = log, clock

    @property
    def _vault(self) -> AuthenticVault:
        return AuthenticVault(self._log.vault, self._log.derive(ROWS_PURPOSE))  # the log's key may be replaced

    def open(self, office: str, matters: Iterable[CashMatter]) -> None:
        """Keep matters that were found and are not in the file yet."""
        found = {f"{office}/matter/{matter.id}": matter for matter in matters}
        known = self._vault.get_all(RESTRICTED_KIND, found, now="") if found else {}
        for key, matter in found.items():
            if key not in known:
                self._put(key, OpenedMatter(matter, self._clock()))

    def take(self, office: str, found: FoundCash) -> None:
        """Keep what a look has found; a matter that a correction has changed stays, and says so."""
        self.open(office, found.matters)
        if not found.corrections:
            return
        still = {matter.id for matter in found.matters}
        for kept in self.matters(office):
            is_over = kept.matter.day in found.days and kept.matter.id not in still
            for said in _words_of_corrections(kept.matter, found.corrections, is_over=is_over):
                if all(note.text != said for note in kept.notes):
                    at = self._clock()
                    note = Note(kept.matter.id, at, THE_HOUSE.account, THE_HOUSE.name, "note", said)
                    self._put(f"{office}/note/{at}.{uuid4().hex}", note)

    def write(self, office: str, matter: str, person: Person, step: Step, text: str) -> None:
        """Write about a matter."""
        at = self._clock()
        self._put(f"{office}/note/{at}.{uuid4().hex}", Note(matter, at, person.account, person.name, step, text))

    def let_read(self, office: str, account: str, person: Person, *, may: bool) -> None:
        """Let an examiner read the file, or do so no more."""
        at = self._clock()
        key = f"{office}/examiner/{account}"
        self._put(key, Examiner(account, at, person.account, "" if may else at))

    def _put(self, key: str, row: Struct) -> None:
        self._vault.put(Secret(RESTRICTED_KIND, key, json.encode(row)))

    def examiners(self, office: str) -> list[Examiner]:
        """Return whom compliance lets read the file of an office."""
        found = (json.decode(value, type=Examiner) for value in self._rows(office, "examiner"))
        return [examiner for examiner in found if not examiner.until]

    def may_read(self, office: str, person: Person) -> bool:
        """Return whether somebody reads the file: compliance, unless they own the house too, and named examiners."""
        if COMPLIANCE in person.roles:
            return OWNER not in person.roles
        return REGULATOR in person.roles and any(
            examiner.account == person.account for examiner in self.examiners(office)
        )

    def matters(self, office: str) -> list[KeptMatter]:
        """Return every matter of an office, the newest first."""
        notes: dict[str, list[Note]] = {}
        for value in self._rows(office, "note"):
            note = json.decode(value, type=Note)
            notes.setdefault(note.matter, []).append(note)
        opened = [json.decode(value, type=OpenedMatter) for value in self._rows(office, "matter")]
        return [
            _with_notes(each, sorted(notes.get(each.matter.id, ()), key=lambda note: note.at))
            for each in sorted(opened, key=lambda each: (each.at, each.matter.id), reverse=True)
        ]

    def _rows(self, office: str, what: str) -> list[bytes]:
        start = f"{office}/{what}/"
        return [row.value for row in self._vault.all() if row.kind == RESTRICTED_KIND and row.key.startswith(start)]


def _with_notes(opened: OpenedMatter, notes: list[Note]) -> KeptMatter:
    states = [_STATES[note.step] for note in notes if note.step in _STATES]
    return KeptMatter(opened.matter, opened.at, states[-1] if states else "open", tuple(notes))


def _words_of_corrections(matter: CashMatter, parts: Iterable[CashPart], *, is_over: bool) -> list[str]:
    """Return what corrections say of the cash of a matter, each in a sentence."""
    acts = {part.act for part in matter.parts if part.act}
    amounts: dict[tuple[int, int], list[int]] = {}
    for part in parts:
        if part.act in acts:
            both = amounts.setdefault((part.corrected_by, part.act), [0, 0])
            both[0] += abs(part.taken_back)
            both[1] += abs(part.cents)
    over = "; by the figures as they are now this would not be looked into" if is_over else ""
    return [
        f"act {by} has corrected act {act}: {_amount(was)} to {_amount(now)}{over}"
        for (by, act), (was, now) in amounts.items()
    ]


def _amount(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True)


async def matters_found(name: str, scene: Scene, cash: CashOf) -> FoundCash:
    """Return what is to be looked into of this gaming day of an office, of the one before, and of days corrected since.

    What was corrected counts in every look at several days that its own day is one of.
    """
    facility = scene.state.facility
    if facility is None:
        return FoundCash()
    today, together = facility.gaming_day(scene.at), days_looked_at(scene.rules, scene.state)
    until = day_bounds(facility, today)[1]
    parts = await cash(name, day_bounds(facility, today - timedelta(days=together))[0], until)
    days = {today - timedelta(days=1), today}
    corrected = [part for part in parts if part.corrected]
    for part in corrected:
        own = facility.gaming_day(part.entry_at)
        days |= {day for number in range(together) if (day := own + timedelta(days=number)) <= today}
    if (first := min(days) - timedelta(days=together)) < today - timedelta(days=together):
        parts = await cash(name, day_bounds(facility, first)[0], until)
    waiting = cash_waiting(scene.rules, scene.state, scene.at)
    matters = [matter for day in sorted(days) for matter in cash_matters(scene.rules, scene.state, day, parts, waiting)]
    return FoundCash(tuple(matters), frozenset(str(day) for day in days), tuple(corrected))
