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
from passline.office.runtime import CashOf
from passline.office.views.cash import cash_waiting
from passline.office.views.cash_matters import CashMatter, cash_matters, days_looked_at
from passline.office.views.day_report import day_bounds
from passline.store.authentic_vault import RESTRICTED_KIND, ROWS_PURPOSE, AuthenticVault
from passline.store.log import Secret
from passline.store.sealed import Log

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


async def matters_found(name: str, scene: Scene, cash: CashOf) -> list[CashMatter]:
    """Return what is to be looked into of this gaming day of an office and the one before."""
    facility = scene.state.facility
    if facility is None:
        return []
    today, days = facility.gaming_day(scene.at), days_looked_at(scene.rules, scene.state)
    since = day_bounds(facility, today - timedelta(days=days))[0]
    parts = await cash(name, since, day_bounds(facility, today)[1])
    waiting = cash_waiting(scene.rules, scene.state, scene.at)
    return [
        matter
        for day in (today - timedelta(days=1), today)
        for matter in cash_matters(scene.rules, scene.state, day, parts, waiting)
    ]
