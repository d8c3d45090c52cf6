"""Who was given authority by whom: every body and its key, every setting, every waiver, and each word of a body.

It is read from the log alone, so that an examiner sees it without trusting the house: by whom, signed by whom, when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct, json
from msgspec.structs import replace

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office
from passline.acts.papers.houses import currency_of
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.acts.stamps import fingerprint
from passline.acts.state import ActState
from passline.acts.views.wording import Wording, time_zone_in_words, value_in_words
from passline.authority.roles import SOLE_ROLES, VOUCHING_ROLES, in_words
from passline.documents.sheet import PrintedSheet, SheetTable
from passline.money import dollar_amount, in_currency
from passline.people import accounts
from passline.people.course import PEOPLE
from passline.people.events import AccountCreated, InvitationAccepted, RetentionElected, RolesGranted
from passline.store.entry import Entry
from passline.store.genesis import HOUSE
from passline.store.keys import bytes_of_hex
from passline.store.sealed import Log
from passline.store.upkeep.retention import retention_words
from passline.streams.course import THE_HOUSE
from passline.tables import house_events as h
from passline.tables.entries import HOUSE_CODEC, is_house

Kind = Literal["person", "body", "key", "setting", "waiver", "word", "alone"]
UNSIGNED = b'"is_alone":true'
"""What stands in a command that somebody else would have signed if there had been anybody."""


class AuthorityLine(Struct, frozen=True, kw_only=True):
    """A grant of authority: what was granted, by whom, signed by whom, and when."""

    sequence: int
    at: str
    kind: Kind
    office: str  # the regulation; empty: of the whole house
    what: str
    by: str  # the name
    signed_by: str  # the second person's name; empty: one person did it
    body: str = ""
    key: str = ""  # the fingerprint of a body's key
    proof: Literal["", "stamp", "account", "house"] = ""  # of a word
    is_major: bool = True  # listed whole; people of the crew and the office are counted

    @property
    def is_alone(self) -> bool:
        """Whether only one person stands behind it; a body that uses its own key or account needs nobody else."""
        return not self.signed_by and self.proof not in {"stamp", "account"}

    def __str__(self) -> str:
        """The line as `passline verify` prints it."""
        who = f"{self.by} and {self.signed_by}" if self.signed_by else self.by
        alone = "; done by one person" if self.is_alone else ""
        told = "; told by the house" if self.proof == "house" else ""
        place = f"{self.office}: " if self.office else ""
        return f"entry {self.sequence}, {self.at[:16]}Z: {place}{self.what}, by {who}{told}{alone}"


class AuthorityReader:
    """Reads the lines from a log, entry by entry in its order."""

    def __init__(self) -> None:
        self._people = accounts.People()
        self._pages: dict[str, str] = {}  # by stream the digest of its pages
        self._words: dict[tuple[str, int], AuthorityLine] = {}  # by stream and act: words that wait to be signed

    def lines_of(self, entry: Entry) -> Iterator[AuthorityLine]:
        """Yield the grants of authority in an entry."""
        if entry.stream == accounts.STREAM:
            yield from self._of_people(entry)
        elif entry.stream.startswith(OFFICE_STREAM):
            yield from self._of_office(entry)
        elif is_house(entry):
            yield from self._of_house(entry)
        elif UNSIGNED in bytes(entry.command):
            yield self._alone(entry)

    def _name(self, account: str) -> str:
        known = self._people.accounts.get(account)
        return known.name if known else "the house" if account == THE_HOUSE.account else account

    def _of_people(self, entry: Entry) -> Iterator[AuthorityLine]:
        events, before = PEOPLE.events(entry), self._people
        self._people = accounts.fold(self._people, events)
        used = (event.invitation for event in events if isinstance(event, InvitationAccepted))
        link = next((before.invitations[invitation] for invitation in used), None)
        by, signed = (link.by or THE_HOUSE.account, link.signed_by) if link else (entry.actor, entry.signed_by)
        for event in events:
            roles = VOUCHING_ROLES.intersection(event.roles) if isinstance(event, AccountCreated | RolesGranted) else ()
            is_setting = isinstance(event, RetentionElected)
            if isinstance(event, RetentionElected):
                what = retention_words(event.years)
            elif roles:
                what = f"{self._name(event.account)} has {in_words(roles)}"
            else:
                continue
            yield AuthorityLine(
                sequence=entry.sequence,
                at=entry.at,
                kind="setting" if is_setting else "person",
                office="",
                what=what,
                by=self._name(by),
                signed_by=self._name(signed) if signed else "",
                is_major=is_setting or bool(SOLE_ROLES.intersection(roles)),
            )

    def _of_office(self, entry: Entry) -> Iterator[AuthorityLine]:
        events = OFFICE_CODEC.events(entry)
        learn_office(entry, events)
        rules = OFFICE_RULES.find(self._pages.get(entry.stream, ""))
        for event in events:
            if isinstance(event, e.OfficeKept):
                self._pages[entry.stream] = event.digest
            elif isinstance(event, e.ActDone) and event.word:
                self._words[entry.stream, event.number] = self._word(entry, event, rules)
            elif isinstance(event, e.ActSigned) and (word := self._words.get((entry.stream, event.number))):
                self._words[entry.stream, event.number] = _with_signature(word, event)
            elif isinstance(event, e.ActVoided):
                self._words.pop((entry.stream, event.number), None)
            elif isinstance(event, e.ActCompleted) and (word := self._words.pop((entry.stream, event.number), None)):
                yield word
            elif told := _grant_of(event, self._name, rules):
                kind, what, body, key = told
                yield self._line(entry, kind, what, body=body, key=key)

    def _line(self, entry: Entry, kind: Kind, what: str, *, body: str, key: str) -> AuthorityLine:
        return AuthorityLine(
            sequence=entry.sequence,
            at=entry.at,
            kind=kind,
            office=entry.stream.removeprefix(OFFICE_STREAM),
            what=what,
            by=self._name(entry.actor),
            signed_by=self._name(entry.signed_by) if entry.signed_by else "",
            body=body,
            key=key,
        )

    def _of_house(self, entry: Entry) -> Iterator[AuthorityLine]:
        """Yield approvals that were filed with the house, and where it keeps its office."""
        for event in HOUSE_CODEC.events(entry):
            if isinstance(event, h.ApprovalFiled):
                what = f"{event.kind.replace('_', ' ')} {event.reference} is approved by the {event.authority}"
                yield replace(self._line(entry, "word", what, body=event.authority, key=""), office="", proof="house")
            elif isinstance(event, h.OfficeElected) and entry.actor != THE_HOUSE.account:
                yield replace(
                    self._line(entry, "setting", f"the office is kept {event.where}", body="", key=""), office=""
                )

    def _alone(self, entry: Entry) -> AuthorityLine:
        """Return that somebody did alone what another signs, since nobody else could have signed it."""
        command = str(json.decode(entry.command)["command"]).replace("-", " ")
        what = f"{entry.stream}: {command} without a second person, as nobody else could sign"
        return AuthorityLine(
            sequence=entry.sequence,
            at=entry.at,
            kind="alone",
            office="",
            what=what,
            by=self._name(entry.actor),
            signed_by="",
        )

    def _word(self, entry: Entry, done: e.ActDone, rules: ActRules | None) -> AuthorityLine:
        act = rules.act(done.act) if rules else None
        about = f" ({Wording(rules=rules).thing_names(done.kind, done.things)})" if done.things else ""
        return AuthorityLine(
            sequence=entry.sequence,
            at=entry.at,
            kind="word",
            office=entry.stream.removeprefix(OFFICE_STREAM),
            what=f"{act.name if act else done.act}{about}",
            by=done.name,
            signed_by="",
            body=done.body,
            proof=done.told,
        )


def _with_signature(word: AuthorityLine, signed: e.ActSigned) -> AuthorityLine:
    return replace(word, signed_by=f"{word.signed_by}, {signed.name}" if word.signed_by else signed.name)


def _grant_of(
    event: e.ActEvent, name: Callable[[str], str], rules: ActRules | None
) -> tuple[Kind, str, str, str] | None:
    """Return what an event says of a body, its key, a setting or a waiver: kind, words, the body, the key."""
    match event:
        case e.BodyAssigned():
            whom = f"for the {event.body}" if event.body else "for no body any more"
            return "body", f"{name(event.account)} acts {whom}", event.body, ""
        case e.BodyKeyGiven():
            key = fingerprint(bytes_of_hex(event.key))
            return "key", f"the {event.body} has the key {key}", event.body, key
        case e.BodyKeyRevoked():
            key = fingerprint(bytes_of_hex(event.key))
            return "key", f"the key {key} of the {event.body} is revoked: {event.reason}", event.body, key
        case e.ValueSet():
            value = rules.pages.values.get(event.key) if rules else None
            is_money = value is not None and value.type == "cents"
            shown = dollar_amount(event.value, is_grouped=True) if is_money else value_in_words(event.value)
            shown = in_currency(shown, currency_of(rules.name)) if rules else shown
            return "setting", f"{event.key.replace('_', ' ')} is set to {shown}", "", ""
        case e.ItemsLeftOut():
            items = ", ".join(item.replace("_", " ") for item in event.items)
            return "waiver", f"the house does without {items or 'nothing'}", "", ""
        case e.OfficeSetUp():
            facility = event.facility
            return "setting", f"{facility.name}: {', '.join(_facility_words(facility))}", "", ""
        case _:
            return None


def _facility_words(facility: Facility) -> Iterator[str]:
    """Yield what of a facility deadlines and gaming days hang on."""
    yield f"its day begins at {facility.day_begins} ({facility.zone})"
    yield f"shifts {', '.join(f'{shift.name} {shift.begins}' for shift in facility.shifts)}"
    yield f"holidays of {facility.subdivision or facility.country}"
    if facility.closed_days:
        yield f"no business on {', '.join(facility.closed_days)}"
    if facility.business_days:
        yield f"business on {', '.join(facility.business_days)}"


def authority_lines(entries: Iterable[Entry]) -> list[AuthorityLine]:
    """Return every grant of authority in a log, in order."""
    reader = AuthorityReader()
    return [line for entry in entries for line in reader.lines_of(entry)]


def body_key_faults(lines: Iterable[AuthorityLine], wanted: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield (entry, what) for each body's key whose fingerprint is not the one that the body has given elsewhere."""
    known = [line for line in lines if line.kind == "key" and line.body in wanted]
    for body, print_ in wanted.items():
        own = [line for line in known if line.body == body]
        if not any(line.key == print_ for line in own):
            yield 0, f"the {body} has no key with the fingerprint {print_} in this log"
        for line in own:
            if line.key != print_:
                yield line.sequence, f"is about another key of the {body}: {line.key}"


def tells_authority(before: ActState, events: Iterable[e.ActEvent]) -> bool:
    """Return whether any event of an office is about authority: a grant, or what becomes of a body's word."""
    return any(
        isinstance(event, _GRANTS)
        or (isinstance(event, e.ActDone) and event.word != "")
        or (isinstance(event, _OF_ACTS) and _is_word(before, event.number))
        for event in events
    )


def _is_word(before: ActState, number: int) -> bool:
    """Return whether an act that waits to be signed records what a body has said."""
    pending = before.pending.get(str(number))
    return pending is not None and pending.done.word != ""


_OF_ACTS = (e.ActSigned, e.ActVoided, e.ActCompleted)
_GRANTS = (
    e.OfficeKept, e.OfficeSetUp, e.BodyAssigned, e.BodyKeyGiven, e.BodyKeyRevoked, e.ValueSet, e.ItemsLeftOut,
)  # fmt: skip


def authority_sheet(
    log: Log, entries: Iterable[Entry], facility: Facility, day: date, *, regulation: str, foot: str
) -> PrintedSheet:
    """Return what an office and the people of its house were given authority by until a day's end, as it is printed.

    `entries` are those of the office; those of people and house are read from the log.
    """
    before = facility.moment(day + timedelta(days=1), facility.day_begins)
    others = (stored.entry for stream in (accounts.STREAM, HOUSE) for stored in log.read_stream(stream))
    read = sorted((entry for entry in (*entries, *others) if entry.at < before), key=lambda entry: entry.sequence)
    lines = authority_lines(read)
    keys = [f"{line.body}: {line.key}" for line in lines if line.kind == "key" and "revoked" not in line.what]
    return PrintedSheet(
        title="Authority",
        owner=facility.name,
        about=f"until the end of gaming day {day}",
        regulation=regulation,
        facts=(("keys of bodies, by fingerprint", "; ".join(keys) or "none: their words are told by the house"),),
        tables=(authority_table(lines, facility),),
        foot=(facility.name, f"Authority, gaming day {day}", time_zone_in_words(facility), foot),
        form="landscape",
    )


def authority_table(lines: Iterable[AuthorityLine], facility: Facility) -> SheetTable:
    """Return the lines as a list of a report."""
    return SheetTable(
        title="Bodies, settings and waivers",
        heads=("entry", "when", "what", "by", "signed by", "note"),
        widths=(0.5, 1.1, 4.5, 1.2, 1.6, 1.5),
        rows=tuple(
            (
                line.sequence,
                f"{facility.local(line.at):%Y-%m-%d %H:%M}",
                line.what,
                line.by,
                line.signed_by,
                _note_of(line),
            )
            for line in lines
        ),
        nothing="Nobody was given authority yet.",
    )


def _note_of(line: AuthorityLine) -> str:
    """Return by what a line is proved, or that one person did it."""
    proofs = {"house": "told by the house", "stamp": "stamped with the body's key", "account": "by the body's account"}
    return proofs.get(line.proof) or ("done by one person" if line.is_alone else "")
