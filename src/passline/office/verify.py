"""Verifies the streams of offices: every command is decided again and must give the events that are written.

And each table that says it was cleared by an office: the clearance is there, for this table, and used once, at once;
its money came and went by the office's papers, and no alarm about its dice was kept back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from msgspec import convert, json

from passline.authority.duties import name_of
from passline.game.events import BuyInMade
from passline.office.accounts.dice_check import DiceCheck
from passline.office.codec import OFFICE_CODEC, OFFICE_STREAM
from passline.office.commands import NoteCash
from passline.office.course import decide_command
from passline.office.documents import FiledDocument, filed_documents
from passline.office.events import ActDone, OfficeEvent, OfficeKept, TableCleared
from passline.office.judges.scene import Surroundings
from passline.office.kept import kept_house_rules
from passline.office.ledgers.verify import PaperCheck
from passline.office.papers.houses import elected_presets
from passline.office.rules.office_rules import OFFICE_RULES, Person
from passline.office.state import OfficeState, fold
from passline.office.views.cash import CashPart, cash_by_patron, cash_of_acts
from passline.people.verify import PeopleCheck, still_known_until
from passline.refusal import Refused
from passline.rules.elections import House
from passline.rules.house_digest import has_digest
from passline.store.entry import Entry, Stored
from passline.store.verify import Fault
from passline.streams.course import THE_HOUSE, Actor
from passline.tables.electronic.proofs import DiceProofs
from passline.tables.entries import TABLE
from passline.tables.events import HouseChanged, PlayerSeated, TableEvent, TableOpened
from passline.tables.house import HouseState
from passline.tables.verify import StreamCheck, decision_faults
from passline.tables.views.dealt_by import DealtBy

__all__ = ["OfficeCheck", "house_faults"]

_SHOWN = 12  # characters of a digest


def house_faults(
    entries: Iterable[Stored],
    proofs: DiceProofs | None = None,
    dealt_by: DealtBy | None = None,
    filed: list[FiledDocument] | None = None,
    also: Sequence[StreamCheck] = (),
) -> Iterator[Fault]:
    """Yield every entry of a log that could not have happened as it says: of tables, people, house and offices.

    `filed` collects the documents that entries name, to be compared with those that are stored; `also` checks the
    streams of parts above the offices.
    """
    dealt_by = dealt_by or DealtBy()
    return decision_faults(entries, proofs, dealt_by, also=(OfficeCheck(dealt_by, filed), *also))


class OfficeCheck:
    """Decides the streams of offices again, entry by entry."""

    def __init__(self, dealt_by: DealtBy, filed: list[FiledDocument] | None = None) -> None:
        self._dealt_by = dealt_by
        self._filed = filed if filed is not None else []
        self._offices: dict[str, OfficeState | None] = {}  # None: an entry could not be folded
        self._books = _CashBooks()
        self._cleared: dict[tuple[str, str, int], tuple[str, str]] = {}  # by office, table and number: when, what house
        self._papers = PaperCheck()
        self._dice = DiceCheck(lambda name: self._offices.get(OFFICE_STREAM + name), lambda: dealt_by.program)

    def is_of(self, entry: Entry) -> bool:
        """Return whether an entry belongs to an office."""
        return entry.stream.startswith(OFFICE_STREAM)

    def faults_of(self, stored: Stored, people: PeopleCheck, house: HouseState | None) -> Iterator[str]:
        """Yield what is wrong with an entry of an office."""
        entry = stored.entry
        before = self._offices.get(entry.stream, OfficeState())
        if before is None:
            return
        command, events = OFFICE_CODEC.command(entry), OFFICE_CODEC.events(entry)
        name = name_of(command)
        is_server = entry.actor == THE_HOUSE.account
        if not is_server and (why := people.unfit(entry.actor, entry.at, lambda one: entry.role in one.roles)):
            yield f"{name} is by {entry.actor} as the {entry.role}, who {why}"
        if entry.signed_by and (why := people.unfit(entry.signed_by, entry.at, lambda _one: True)):
            yield f"{name} is signed by {entry.signed_by}, who {why}"
        around = Surroundings(
            lambda account: _person(people, account, entry.at),
            kept_house_rules(house),
            approvals=lambda kind: house is not None and any(one.kind == kind for one in house.approvals.on_file),
        )
        known = _person(people, entry.actor, entry.at)
        by = THE_HOUSE if is_server else Actor(entry.actor, known.name if known else entry.actor, entry.role)
        decision = decide_command(before, command, by=by, at=entry.at, around=around, signed_by=entry.signed_by)
        if isinstance(decision, Refused):
            yield f"{name} by {entry.actor} would be refused: {decision}"
        elif decision.events != events:
            yield f"{name} would have brought about {json.encode(decision.events).decode()[:400]}"
        office = entry.stream.removeprefix(OFFICE_STREAM)
        if isinstance(command, NoteCash):
            yield from self._books.faults_of(office, before, command)
        yield from self._dice.office_faults(entry, office, command, events)
        yield from self._go_on(entry, office, before, events)

    def _go_on(self, entry: Entry, office: str, before: OfficeState, events: Sequence[OfficeEvent]) -> Iterator[str]:
        """Fold an entry, and learn from it what others are held against."""
        self._offices[entry.stream] = None
        self._offices[entry.stream] = fold(before, entry.at, events)
        self._filed += filed_documents(OFFICE_RULES.find(before.digest), entry.sequence, events)
        self._books.take_office(office, before, events)
        yield from self._papers.office_faults(office, entry.version, events)
        for event in events:
            if isinstance(event, TableCleared):
                self._cleared[office, event.table, event.number] = entry.at, event.house
            elif isinstance(event, OfficeKept):
                if event.name != office:
                    yield f"the office of {office} is run by the pages of {event.name}"
                self._note_pages(entry, event, before)

    def _note_pages(self, entry: Entry, kept: OfficeKept, before: OfficeState) -> None:
        """Note pages that are not those installed and elected: whoever runs the server could have left duties out."""
        installed = OFFICE_RULES.installed_pages(kept.name, elected_presets(before)).digest
        if kept.digest != installed:
            here = f"the installed pages of {kept.name}'s office are {installed[:_SHOWN]}"
            self._dealt_by.foreign.append(f"{here}; from entry {entry.sequence} on it is run by {kept.digest[:_SHOWN]}")

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield a table that opened without the clearance it names, and papers that are not as the office has them."""
        self._books.take_table(entry, events)
        yield from self._papers.table_faults(entry, events)
        yield from self._dice.table_faults(entry, events)
        for event in events:
            if isinstance(event, TableOpened | HouseChanged) and event.clearance:
                does = "opened" if isinstance(event, TableOpened) else "changed its house"
                place = (str(event.house.get("rules", "")), entry.stream.removeprefix(TABLE), event.clearance)
                at, house = self._cleared.pop(place, ("", ""))
                if not at or not at <= entry.at < still_known_until(at):
                    yield f"the table {does} by the office's clearance {event.clearance}, which is not there for it"
                elif not has_digest(convert(event.house, House), house):
                    yield f"the table {does} under another house than clearance {event.clearance} is for"


class _CashBooks:
    """The cash of tables and cages as far as the log was read, to hold against what the server noted of it."""

    def __init__(self) -> None:
        self._parts: dict[str, list[CashPart]] = {}  # by regulation
        self._tables: dict[str, str] = {}  # by stream the regulation of a table for money
        self._seats: dict[tuple[str, int], str] = {}
        self._waiting: dict[str, dict[int, ActDone]] = {}

    def take_table(self, entry: Entry, events: Sequence[TableEvent]) -> None:
        """Enter what an entry of a table says of players and their cash."""
        for event in events:
            if isinstance(event, TableOpened):
                is_free = event.is_demo or event.practice_cents_max or event.points is not None
                self._tables[entry.stream] = "" if is_free else str(event.house.get("rules", ""))
            elif isinstance(event, PlayerSeated):
                self._seats[entry.stream, event.seat] = event.account
            elif isinstance(event, BuyInMade) and self._tables.get(entry.stream):
                part = CashPart(f"account/{self._seats[entry.stream, event.seat]}", entry.at, event.cents, "")
                self._parts.setdefault(self._tables[entry.stream], []).append(part)

    def take_office(self, office: str, state: OfficeState, events: Sequence[OfficeEvent]) -> None:
        """Enter what an entry of an office says of cash in its cage."""
        if rules := OFFICE_RULES.find(state.digest):
            waiting = self._waiting.setdefault(office, {})
            self._parts.setdefault(office, []).extend(cash_of_acts(rules, events, waiting))

    def faults_of(self, office: str, state: OfficeState, noted: NoteCash) -> Iterator[str]:
        """Yield that more was noted than the log has."""
        found = cash_by_patron(state, date.fromisoformat(noted.day), self._parts.get(office, ()))
        known = next(((one.cents_in, one.cents_out) for one in found if one.patron == noted.patron), (0, 0))
        if noted.cents_in > known[0] or noted.cents_out > known[1]:
            told = f"{noted.cents_in} cents in and {noted.cents_out} out"
            yield f"notes {told} of {noted.patron} on {noted.day}; the log has {known[0]} in and {known[1]} out"


def _person(people: PeopleCheck, account: str, at: str) -> Person | None:
    """Return somebody as a server could know them at a moment."""
    known = people.people.accounts.get(account) if people.people else None
    if known is None or people.unfit(account, at, lambda _one: True):
        return None
    return Person(account, known.name, people.roles_at(account, at))
