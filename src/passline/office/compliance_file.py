"""The compliance file: matters about cash, what was written about each, and the examiners who may read it.

None of it is in the log: no entry, number or paper shows that a matter exists. It is kept in the vault beside the log,
in rows that carry a code made with the log's key. `verify` reports a row that somebody else wrote, but never how many
rows there are.

A row is never overwritten, and names the row before it by hash. After every gaming day the log gets a commitment to
the file, whether anything is in it or not: a salted hash, whose salt and list of rows are a row of the file. So whoever
may read the file can tell that a row is missing, was altered or was added afterwards, and nobody else learns anything.
A row that is removed before the commitment is missed by every server that has seen it, which writes so into the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from secrets import token_hex
from typing import Literal, TypeVar
from uuid import uuid4

from msgspec import UNSET, Raw, Struct, UnsetType, json

from passline.acts.events import FileCommitted
from passline.acts.judges.scene import Scene
from passline.acts.papers.houses import currency_of
from passline.acts.rules import Person
from passline.authority.duties import may_not, role_list
from passline.authority.roles import COMPLIANCE, OWNER, REGULATOR, in_order
from passline.money import dollar_amount, in_currency
from passline.office.runtime import CashElsewhere, CashOf
from passline.office.views.cash import CashPart, cash_waiting
from passline.office.views.cash_matters import CashMatter, cash_matters, days_looked_at
from passline.office.views.day_report import day_bounds
from passline.store.authentic_vault import RESTRICTED_KIND, ROWS_PURPOSE, AuthenticVault
from passline.store.log import Secret
from passline.store.sealed import Log
from passline.store.timestamps import later
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


class FileCheck(Struct, frozen=True):
    """The result of checking the file against the commitments in the log."""

    commitments: int
    first: str  # the gaming day of the first one; empty: there is none yet
    last: str
    rows: int  # how many rows of the file they cover
    findings: tuple[str, ...]


class LostRow(Struct, frozen=True):
    """A row that a server had seen in the file, and that was changed or gone when it looked again."""

    key: str
    digest: str  # SHA-256
    at: str  # when it was missed


class FoundCash(Struct, frozen=True):
    """The result of a look at cash: matters, the days that were looked at, and what corrections have changed."""

    matters: tuple[CashMatter, ...] = ()
    days: frozenset[str] = frozenset()
    corrections: tuple[CashPart, ...] = ()


class _Row(Struct, frozen=True):
    """A row of the file: the SHA-256 of the row before it, and what it says. Rows of earlier versions say it bare."""

    before: str = ""
    row: Raw | UnsetType = UNSET


class _Moment(Struct, frozen=True):
    at: str  # every row says when it was written


class _Opening(Struct, frozen=True):
    """What a commitment in the log is the hash of: the rows that were new, by key, and a salt that nobody can guess."""

    day: str
    at: str
    salt: str
    before: str  # the commitment before
    rows: dict[str, str]  # SHA-256


_What = TypeVar("_What", bound=Struct)
_MATTER, _NOTE, _EXAMINER, _COMMITMENT, _LOST = "matter", "note", "examiner", "commitment", "lost"
_SALT_BYTES = 32
_WRITING_SECONDS = 60  # what is being written while a commitment is made is in the next one


class ComplianceFile:
    """The compliance files of all offices of a house. The methods read and write a database: call them from a thread.

    `seen` is what a server remembers of its rows, in memory alone: by key, the SHA-256 of each.
    """

    def __init__(self, log: Log, clock: Callable[[], str], seen: dict[str, str] | None = None) -> None:
        self._log, self._clock = log, clock
        self._seen: dict[str, str] = {} if seen is None else seen

    @property
    def _vault(self) -> AuthenticVault:
        return AuthenticVault(self._log.vault, self._log.derive(ROWS_PURPOSE))  # the log's key may be replaced

    def open(self, office: str, matters: Iterable[CashMatter]) -> None:
        """Add matters to the file that are not in it yet."""
        found = {f"{office}/{_MATTER}/{matter.id}": matter for matter in matters}
        known = self._vault.get_all(RESTRICTED_KIND, found, now="") if found else {}
        for key, matter in found.items():
            if key not in known:
                self._put(office, key, OpenedMatter(matter, self._clock()))

    def take(self, office: str, found: FoundCash) -> None:
        """Add what a look at cash has found; a matter that a correction has changed stays, with a note that says so."""
        self.open(office, found.matters)
        if not found.corrections:
            return
        still = {matter.id for matter in found.matters}
        for kept in self.matters(office):
            is_over = kept.matter.day in found.days and kept.matter.id not in still
            words = _words_of_corrections(kept.matter, found.corrections, is_over=is_over)
            for said in in_currency(words, currency_of(office)):
                if all(note.text != said for note in kept.notes):
                    at = self._clock()
                    note = Note(kept.matter.id, at, THE_HOUSE.account, THE_HOUSE.name, "note", said)
                    self._add(office, _NOTE, at, note)

    def write(self, office: str, matter: str, person: Person, step: Step, text: str) -> None:
        """Add a note by somebody to a matter."""
        at = self._clock()
        self._add(office, _NOTE, at, Note(matter, at, person.account, person.name, step, text))

    def let_read(self, office: str, account: str, person: Person, *, may: bool) -> None:
        """Allow an examiner to read the file, or take that back."""
        at = self._clock()
        self._add(office, _EXAMINER, at, Examiner(account, at, person.account, "" if may else at))

    def _add(self, office: str, what: str, at: str, row: Struct) -> None:
        key = f"{office}/{what}/{at}.{uuid4().hex}"
        self._seen[key] = self._put(office, key, row)

    def _put(self, office: str, key: str, row: Struct) -> str:
        """Keep a row that names the newest one before it; of two that are written at once, both name the same.

        Return its SHA-256. A matter that two servers find at once is written twice, by the same key: what is there is
        remembered at the next look.
        """
        kept = self._rows_by_key(office)
        newest = max(kept, key=lambda key: (_moment_of(kept[key]), key), default="")
        before = _hash_of(kept[newest]) if newest else ""
        value = json.encode(_Row(before, Raw(json.encode(row))))
        self._vault.put(Secret(RESTRICTED_KIND, key, value))
        return _hash_of(value)

    def look_for_lost(self, office: str) -> None:
        """Record in the file which rows changed or went since this server saw them, and remember those there now."""
        seen = dict(self._seen)  # before the rows are read: other threads write meanwhile
        rows = {key: _hash_of(value) for key, value in self._rows_by_key(office).items()}
        known = {lost.key for lost in self._rows(office, _LOST, LostRow)}
        for key, digest in sorted(seen.items()):
            if key.startswith(f"{office}/") and rows.get(key) != digest and key not in known:
                at = self._clock()
                self._add(office, _LOST, at, LostRow(key, digest, at))
        self._seen.update(rows)

    def examiners(self, office: str) -> list[Examiner]:
        """Return the examiners who may read the file of an office now."""
        found = sorted(self._rows(office, _EXAMINER, Examiner), key=lambda examiner: examiner.at)
        newest = {examiner.account: examiner for examiner in found}
        return [examiner for examiner in newest.values() if not examiner.until]

    def unfit_reader(self, office: str, person: Person) -> str:
        """Return why somebody may not read the file, or an empty string: compliance and named examiners may.

        Whoever owns the house too may not. What the file has makes no difference to the words.
        """
        if OWNER not in person.roles and COMPLIANCE in person.roles:
            return ""
        if REGULATOR in person.roles and person.account in {examiner.account for examiner in self.examiners(office)}:
            return ""
        roles = (OWNER,) if OWNER in person.roles else in_order(person.roles)
        return may_not(role_list(roles), "read the file of compliance", (COMPLIANCE, "examiner whom it has named"))

    def matters(self, office: str) -> list[KeptMatter]:
        """Return every matter of an office, the newest first."""
        notes: dict[str, list[Note]] = {}
        for note in self._rows(office, _NOTE, Note):
            notes.setdefault(note.matter, []).append(note)
        opened = self._rows(office, _MATTER, OpenedMatter)
        return [
            _with_notes(each, sorted(notes.get(each.matter.id, ()), key=lambda note: note.at))
            for each in sorted(opened, key=lambda each: (each.at, each.matter.id), reverse=True)
        ]

    def commit(self, office: str, day: str, before: str) -> str:
        """Return a commitment to the file as it is now, and add a row that opens it; `before` is the last one."""
        known = {key: digest for opening in self._chain(office, before) for key, digest in opening.rows.items()}
        rows = {key: _hash_of(value) for key, value in self._rows_by_key(office).items()}
        new = {key: digest for key, digest in rows.items() if known.get(key) != digest}
        value = json.encode(_Opening(day, self._clock(), token_hex(_SALT_BYTES), before, new))
        commitment = _hash_of(value)
        self._vault.put(Secret(RESTRICTED_KIND, f"{office}/{_COMMITMENT}/{commitment}", value))
        return commitment

    def check(self, office: str, logged: Sequence[FileCommitted]) -> FileCheck:
        """Return what has changed in the file since the commitments in the log, which are given oldest first."""
        kept, openings = self._rows_by_key(office), self._openings(office)
        findings, covered, before, last_at = list[str](), dict[str, str](), "", ""
        for committed in logged:
            opening = openings.get(committed.commitment)
            if opening is None:
                findings.append(f"what the log was committed to after {committed.day} is not in the file any more")
            else:
                if (opening.day, opening.before) != (committed.day, before):
                    findings.append(f"what the log was committed to after {committed.day} is not the next in order")
                findings += _changed_rows(office, opening, kept)
                findings += _late_rows(office, kept, opening.rows.keys() - covered.keys(), last_at)
                covered |= opening.rows
                last_at = opening.at
            before = committed.commitment
        hashes = {_hash_of(value) for value in kept.values()}
        findings += (
            f"the row before {_name_of(office, key)} is missing, or was altered"
            for key, value in kept.items()
            if (named := json.decode(value, type=_Row).before) and named not in hashes
        )
        findings += _late_rows(office, kept, kept.keys() - covered.keys(), last_at)
        findings += (
            f"{_name_of(office, lost.key)}, which a server had seen, was missing or altered at {lost.at}"
            for lost in self._rows(office, _LOST, LostRow)
        )
        first, last = (logged[0].day, logged[-1].day) if logged else ("", "")
        return FileCheck(len(logged), first, last, len(covered), tuple(dict.fromkeys(findings)))

    def _chain(self, office: str, commitment: str) -> list[_Opening]:
        """Return what commitments are made of, from one back to the first, as far as it is in the file."""
        openings, found = self._openings(office), list[_Opening]()
        while (opening := openings.pop(commitment, None)) is not None:
            found.append(opening)
            commitment = opening.before
        return found

    def _openings(self, office: str) -> dict[str, _Opening]:
        start = f"{office}/{_COMMITMENT}/"
        return {_hash_of(value): json.decode(value, type=_Opening) for value in self._rows_under(start).values()}

    def _rows_by_key(self, office: str) -> dict[str, bytes]:
        """Return all rows of an office by key, but for what commitments are made of."""
        own = f"{office}/{_COMMITMENT}/"
        return {key: value for key, value in self._rows_under(f"{office}/").items() if not key.startswith(own)}

    def _rows(self, office: str, what: str, kind: type[_What]) -> list[_What]:
        return [_content_of(value, kind) for value in self._rows_under(f"{office}/{what}/").values()]

    def _rows_under(self, start: str) -> dict[str, bytes]:
        rows = (row for row in self._vault.all() if row.kind == RESTRICTED_KIND)
        return {row.key: row.value for row in rows if row.key.startswith(start)}


def _content_of(value: bytes, kind: type[_What]) -> _What:
    row = json.decode(value, type=_Row).row
    return json.decode(value if isinstance(row, UnsetType) else row, type=kind)


def _moment_of(value: bytes) -> str:
    return _content_of(value, _Moment).at


def _hash_of(value: bytes) -> str:
    return sha256(value).hexdigest()


def _name_of(office: str, key: str) -> str:
    return key.removeprefix(f"{office}/").replace("/", " ", 1)


def _changed_rows(office: str, opening: _Opening, kept: Mapping[str, bytes]) -> list[str]:
    """Return which of the rows that were there when a commitment was made are not as they were."""
    return [
        f"{_name_of(office, key)}, written by {opening.at}, {'was altered' if key in kept else 'is missing'}"
        for key, digest in opening.rows.items()
        if key not in kept or _hash_of(kept[key]) != digest
    ]


def _late_rows(office: str, kept: Mapping[str, bytes], keys: Iterable[str], committed: str) -> list[str]:
    """Return which rows say that they were written before a commitment that does not have them."""
    moments = {key: _moment_of(kept[key]) for key in sorted(keys) if key in kept}
    return [
        f"{_name_of(office, key)} says that it was written at {at}, and the commitment of {committed} does not have it"
        for key, at in moments.items()
        if committed and later(at, _WRITING_SECONDS) < committed
    ]


def _with_notes(opened: OpenedMatter, notes: list[Note]) -> KeptMatter:
    states = [_STATES[note.step] for note in notes if note.step in _STATES]
    return KeptMatter(opened.matter, opened.at, states[-1] if states else "open", tuple(notes))


def _words_of_corrections(matter: CashMatter, parts: Iterable[CashPart], *, is_over: bool) -> list[str]:
    """Return what corrections say of the cash of a matter, each in a sentence."""
    acts = {part.act for part in matter.parts if part.act and not part.office}
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


async def matters_found(name: str, scene: Scene, cash: CashOf, elsewhere: CashElsewhere | None = None) -> FoundCash:
    """Return the matters of this gaming day of an office, of the one before, and of days that were corrected since.

    Several days are looked at together, so a correction changes every such look that includes its day.
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
    others = await elsewhere(scene, cash, day_bounds(facility, first)[0], until) if elsewhere else {}
    matters = [
        matter
        for day in sorted(days)
        for matter in cash_matters(scene.rules, scene.state, day, parts, waiting, others=others)
    ]
    return FoundCash(tuple(matters), frozenset(str(day) for day in days), tuple(corrected))
