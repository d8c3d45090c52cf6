"""Verifies the streams of offices: every command is decided again and must give the events that are written.

It also verifies tables that an office cleared: the clearance is there, is for this table, and was used once and at
once; the table's money came and went by the office's papers; and no alarm about its dice was withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from msgspec import Struct, convert

from passline.acts.commands import NoteCash
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, OfficeCourse
from passline.acts.documents import FiledDocument, filed_documents
from passline.acts.events import ActDone, ActEvent, CashReached, OfficeKept, TableCleared
from passline.acts.judges.scene import Surroundings
from passline.acts.papers.form_codes import made_numbers
from passline.acts.papers.houses import currency_of, elected_presets
from passline.acts.patrons import ENTRANT, linked_patrons
from passline.acts.rules import OFFICE_RULES, Person
from passline.acts.state import CASH_REPORT, ActState
from passline.acts.views.asked_people import unanswered_words
from passline.acts.views.manual_slips import missing_words
from passline.bookkeeping.dice_check import DiceCheck
from passline.game.events import BuyInMade, WagerMade
from passline.money import dollar_amount, in_currency
from passline.office.kept import kept_house_rules
from passline.office.ledgers.meter_check import MeterCheck
from passline.office.ledgers.verify import PaperCheck
from passline.office.noted_play import NotedPlay, noted_play
from passline.office.views.cash import CashPart, cash_by_patron, cash_of_acts, days_of
from passline.office.views.house_cash import (
    NOBODY,
    OtherCash,
    cash_in_house,
    counts_house_cash,
    key_elsewhere,
    links_in_house,
)
from passline.people.verify import PeopleCheck, still_known_until
from passline.refusal import Refused
from passline.rules.elections import House, has_digest
from passline.rules.pages.library import regulations
from passline.rules.pages.texts import RulebookError
from passline.store.entry import Entry, Stored
from passline.store.timestamps import later
from passline.store.verify import Fault
from passline.streams.course import Decision
from passline.streams.redecide import Case
from passline.tables.dice.proofs import DiceProofs
from passline.tables.entries import TABLE
from passline.tables.events import HouseChanged, PlayerSeated, TableEvent, TableOpened
from passline.tables.house_check import HouseCheck
from passline.tables.verify import LogCheck, decision_faults
from passline.tables.views.dealt_by import DealtBy

_SHOWN = 12  # characters of a digest
_OF_CASH = frozenset({TableOpened, PlayerSeated, BuyInMade})
_CLEARED = frozenset({TableOpened, HouseChanged})


def house_faults(
    entries: Iterable[Stored],
    proofs: DiceProofs | None = None,
    dealt_by: DealtBy | None = None,
    filed: list[FiledDocument] | None = None,
    *,
    owed: list[str] | None = None,
    noted: list[NotedPlay] | None = None,
    also: Sequence[Callable[[LogCheck], HouseCheck[Any]]] = (),
) -> Iterator[Fault]:
    """Yield a fault for every entry of tables, people, house and offices that could not have happened as it says.

    `filed` collects the documents that entries name, to be compared with those that are stored. `owed` collects what is
    missing at the end: reports of cash that are due, manual slips that an outage left missing, and answers of people
    in whose name acts were entered after it. `noted` collects what servers noted of play, for `noted_play_faults`.
    `also` checks the streams of parts above the offices.
    """
    offices = dict[str, ActState]()
    books = CashBooks(offices)
    office = partial(OfficeCheck, filed=filed, books=books, offices=offices, noted=noted)
    yield from decision_faults(entries, proofs, dealt_by, also=(office, *also))
    if owed is not None:
        owed += owed_words(books, offices)


def owed_words(books: CashBooks, offices: Mapping[str, ActState]) -> Iterator[str]:
    """Yield what is still missing in offices at the end of a log: reports of cash, manual slips, answers of people."""
    yield from books.missing_reports()
    yield from (f"{slips} of {name}'s office" for name, state in offices.items() for slips in _missing_slips(state))
    for name, state in offices.items():
        yield from (f"{name}'s office: {words}" for words in _words_of_unanswered(state))


class OfficeCheck(HouseCheck[ActState]):
    """Decides the streams of offices again, entry by entry."""

    prefix = OFFICE_STREAM

    def __init__(
        self,
        log: LogCheck,
        filed: list[FiledDocument] | None = None,
        books: CashBooks | None = None,
        offices: dict[str, ActState] | None = None,
        noted: list[NotedPlay] | None = None,
    ) -> None:
        super().__init__(OFFICE_CODEC, log)
        self.course = OfficeCourse(Surroundings(lambda _account: None))  # until an entry is decided, amid those of then
        self._noted = noted if noted is not None else []
        self._filed = filed if filed is not None else []
        self._offices = offices if offices is not None else {}  # as they are after the newest entry
        self._books = books or CashBooks(self._offices)
        self._cleared: dict[tuple[str, str, int], tuple[str, str]] = {}  # by office, table and number: when, what house
        self._papers = PaperCheck()
        self._meters = MeterCheck()
        self._forms: dict[tuple[str, int, str], str] = {}  # the hash of the entry behind each form
        self._dice = DiceCheck(lambda name: self.state(OFFICE_STREAM + name), lambda: log.dealt_by.program)

    def decide_again(self, case: Case[ActState]) -> Decision | Refused:
        """Decide a command to an office again, with the people and approvals of its moment."""
        house, people, at = self.log.house, self.log.people, case.entry.at
        around = Surroundings(
            lambda account: _person(people, account, at),
            kept_house_rules(house),
            approvals=lambda kind: (
                house is not None and any(approval.kind == kind for approval in house.approvals.on_file)
            ),
            owners=people.owners_at,
            house=house.log_id if house else "",
            others=lambda: self._others(case.entry.stream),
            has_form=lambda code: self._forms.get((case.entry.stream, code.sequence, code.number)) == code.hash,
        )
        self.course = OfficeCourse(around)
        return super().decide_again(case)

    def _others(self, stream: str) -> dict[str, ActState]:
        """Return the other offices of the house as far as they were checked, by regulation."""
        names = dict.fromkeys((*regulations(), *self._offices))  # also one whose rulebook is here no more
        states = {name: self.state(OFFICE_STREAM + name) for name in names if OFFICE_STREAM + name != stream}
        return {name: state for name, state in states.items() if state is not None}

    def faults_beyond(self, case: Case[ActState], after: ActState) -> Iterator[str]:
        """Yield faults of cash, papers and dice in an entry, and note what later entries are checked against."""
        entry, command, events, before = case.entry, case.command, case.events, case.before or ActState()
        office = entry.stream.removeprefix(OFFICE_STREAM)
        self._offices[office] = after
        for number in made_numbers(events):
            self._forms[entry.stream, entry.sequence, number] = case.stored.hash.hex()
        if isinstance(command, NoteCash):
            yield from self._books.faults_of(office, before, command)
        yield from self._dice.office_faults(entry, office, command, events)
        self._noted += noted_play(entry, command)
        self._filed += filed_documents(OFFICE_RULES.find(before.digest), entry.sequence, events)
        self._books.take_office(office, before, events, entry)
        yield from self._papers.office_faults(office, entry.version, events)
        yield from self._meters.office_faults(OFFICE_RULES.find(before.digest), before, events)
        for event in events:
            if isinstance(event, TableCleared):
                self._cleared[office, event.table, event.number] = entry.at, event.house
            elif isinstance(event, OfficeKept):
                if event.name != office:
                    yield f"the office of {office} is run by the pages of {event.name}"
                self._note_pages(entry, event, before)

    def take_cash(self, office: str, parts: Iterable[CashPart], entry: Entry) -> None:
        """Add cash that another part of the house, such as a tournament, took or paid in an entry."""
        self._books.take_parts(office, self.state(OFFICE_STREAM + office), parts, entry)

    def _note_pages(self, entry: Entry, kept: OfficeKept, before: ActState) -> None:
        """Note pages that are not those installed and elected: whoever runs the server could have left duties out."""
        try:
            installed = OFFICE_RULES.installed_pages(kept.name, elected_presets(before)).digest
        except RulebookError:
            installed = "none"
        if kept.digest != installed:
            here = f"the installed pages of {kept.name}'s office are {installed[:_SHOWN]}"
            since = f"from entry {entry.sequence} on it is run by {kept.digest[:_SHOWN]}"
            self.log.dealt_by.note_foreign(f"{here}; {since}")

    def day_of(self, name: str, at: str) -> date | None:
        """Return the calendar day of the facility of an office, or of the first that is set up."""
        known = {office: state.facility for office, state in self._offices.items() if state.facility}
        first = next((known[office] for office in regulations() if office in known), None)
        facility = known.get(name) or first
        return facility.today(at) if facility else None

    @property
    def is_waiting(self) -> bool:  # type: ignore[override]  # most parts never are
        """Whether an alarm about dice is due that no incident names yet."""
        return self._dice.is_waiting

    def pass_by_wager(self, entry: Entry) -> Iterator[str]:
        """Note that time has passed up to a wager; yield the alarms that are overdue by now."""
        self._books.note_moment(entry.at)
        return self._dice.pass_by(entry)

    def note_moment(self, at: str) -> None:
        """Note the moment of the newest of some plain wagers."""
        self._books.note_moment(at)
        self._dice.note_moment(at)

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield faults of a table's entry: an opening without its clearance, or papers that its office never had."""
        if len(events) == 1 and type(events[0]) is WagerMade:  # nine entries in ten: nothing an office knows of
            yield from self.pass_by_wager(entry)
            return
        self._books.take_table(entry, events, lambda office: self.state(OFFICE_STREAM + office))
        self._meters.take_table(entry, events)
        yield from self._papers.table_faults(entry, events)
        yield from self._dice.table_faults(entry, events)
        for event in [event for event in events if type(event) in _CLEARED]:
            if isinstance(event, TableOpened | HouseChanged) and event.clearance:
                does = "opened" if isinstance(event, TableOpened) else "changed its house"
                place = (str(event.house.get("rules", "")), entry.stream.removeprefix(TABLE), event.clearance)
                at, house = self._cleared.pop(place, ("", ""))
                if not at or not at <= entry.at < still_known_until(at):
                    yield f"the table {does} by the office's clearance {event.clearance}, which is not there for it"
                elif not has_digest(convert(event.house, House), house):
                    yield f"the table {does} under another house than clearance {event.clearance} is for"


class _DueReport(Struct, frozen=True):
    """A report of cash that is due: the entry that brought it about, and the sums then."""

    sequence: int
    at: str
    cents_in: int
    cents_out: int
    above: int


_NOTED_WITHIN_SECONDS = 3600  # a server looks every minute


class CashBooks:
    """The cash of tables and cages as far as the log was read, to check what servers noted of it."""

    def __init__(self, offices: Mapping[str, ActState]) -> None:
        self._offices = offices  # as far as the log was read, by regulation
        self._noted: set[tuple[str, str, str]] = set()  # reports that servers noted: the office, the day, the patron
        self._parts: dict[str, list[CashPart]] = {}  # by regulation
        self._tables: dict[str, str] = {}  # by stream the regulation of a table for money
        self._seats: dict[tuple[str, int], str] = {}
        self._waiting: dict[str, dict[int, ActDone]] = {}
        self._sums: dict[
            tuple[str, date], dict[tuple[str, str], tuple[int, int]]
        ] = {}  # in and out, by another office and who is named
        self._due: dict[tuple[str, str], _DueReport] = {}  # by office and the name of the report
        self._last = ""  # the moment of the newest entry

    def note_moment(self, at: str) -> None:
        """Note the moment of an entry that moves no cash; several such entries may be noted together."""
        self._last = max(self._last, at)

    def take_table(
        self, entry: Entry, events: Sequence[TableEvent], state_of: Callable[[str], ActState | None]
    ) -> None:
        """Add what an entry of a table says of players and their cash."""
        self._last = entry.at
        for event in [event for event in events if type(event) in _OF_CASH]:
            if isinstance(event, TableOpened):
                is_free = event.is_demo or event.practice_cents_max or event.points is not None
                self._tables[entry.stream] = "" if is_free else str(event.house.get("rules", ""))
            elif isinstance(event, PlayerSeated):
                self._seats[entry.stream, event.seat] = event.account
            elif isinstance(event, BuyInMade) and self._tables.get(entry.stream):
                part = CashPart(f"account/{self._seats[entry.stream, event.seat]}", entry.at, event.cents, "")
                office = self._tables[entry.stream]
                self._parts.setdefault(office, []).append(part)
                self._add(office, state_of(office), part, entry)

    def take_office(self, office: str, state: ActState, events: Sequence[ActEvent], entry: Entry) -> None:
        """Add what an entry of an office says of cash in its cage, and of reports."""
        self._last = entry.at
        for event in events:
            if isinstance(event, CashReached):
                self._note(office, event)
        if rules := OFFICE_RULES.find(state.digest):
            waiting = self._waiting.setdefault(office, {})
            parts = list(cash_of_acts(rules, events, waiting, state.figures, entered=entry.at))
            self._parts.setdefault(office, []).extend(parts)
            for part in parts:
                self._add(office, state, part, entry)

    def _add(self, office: str, state: ActState | None, part: CashPart, entry: Entry) -> None:
        """Add cash up by patron and gaming day, and note the reports that are due by the figure of this moment."""
        for name, known in {**self._others(office), office: state}.items():
            is_counted = name == office or (_counts_house(known) and not part.who.startswith(NOBODY))
            if known is None or known.facility is None or not is_counted:
                continue
            for day in sorted(days_of(known.facility, part)):
                self._add_on(name, known, day, "" if name == office else office, part, entry)

    def _others(self, office: str) -> dict[str, ActState | None]:
        """Return the other offices of the house that are set up."""
        return {name: state for name, state in self._offices.items() if name != office and state.facility}

    def _links_of(self, office: str, state: ActState) -> dict[str, str]:
        """Return the patron, as an office calls them, behind everybody whose cash it counts."""
        others = {name: other for name, other in self._others(office).items() if other is not None}
        return links_in_house(state, others) if _counts_house(state) and others else linked_patrons(state)

    def _add_on(self, office: str, state: ActState, day: date, of: str, part: CashPart, entry: Entry) -> None:  # noqa: PLR0917
        """Add cash, of another office where `of` names one, to that of an office on a gaming day."""
        sums = self._sums.setdefault((office, day), {})
        brought, taken = sums.get((of, part.who), (0, 0))
        sums[of, part.who] = (brought + part.cents_in, taken + part.cents_out)
        if (above := state.values.get(CASH_REPORT)) is None:
            return
        is_linked = "link_patron" in state.marks or any(name or who.startswith(ENTRANT) for name, who in sums)
        linked = self._links_of(office, state) if is_linked else {}
        known = {name: linked_patrons(self._offices[name]) for name, _ in sums if name in self._offices}
        names = {(name, who): key_elsewhere(name, who, known.get(name)) if name else who for name, who in sums}
        patron = linked.get(names[of, part.who], names[of, part.who])
        own = [key for key, name in names.items() if linked.get(name, name) == patron]
        cents_in, cents_out = (sum(sums[key][way] for key in own) for way in range(2))
        report = f"{day}.{patron.replace('/', '-')}"
        self._due.pop((office, report), None)  # a correction may have taken it back
        noted = {linked.get(key, key) for name, on, key in self._noted if name != office and on == day.isoformat()}
        if max(cents_in, cents_out) > above and any(not name for name, _ in own) and patron not in noted:
            self._due[office, report] = _DueReport(entry.sequence, entry.at, cents_in, cents_out, above)

    def _note(self, office: str, reached: CashReached) -> None:
        """Take in that a server noted a report: it is due nowhere else."""
        who = key_elsewhere(office, reached.patron)
        self._noted.add((office, reached.day, who))
        self._due.pop((office, reached.report), None)
        for name, state in self._others(office).items():
            if state is not None and _counts_house(state):
                patron = self._links_of(name, state).get(who, who)
                self._due.pop((name, f"{reached.day}.{patron.replace('/', '-')}"), None)

    def missing_reports(self) -> list[str]:
        """Return the reports of cash that were due by the log's own figures and that the server never noted."""
        return [
            f"the report of cash {report} of {office}'s office is due and missing: since entry {due.sequence}"
            + in_currency(
                f" {_amount(due.cents_in)} in and {_amount(due.cents_out)} out, above {_amount(due.above)}",
                currency_of(office),
            )
            for (office, report), due in self._due.items()
            if self._last > later(due.at, _NOTED_WITHIN_SECONDS)
        ]

    def take_parts(self, office: str, state: ActState | None, parts: Iterable[CashPart], entry: Entry) -> None:
        """Add cash of an office that is not in the office's own entries."""
        self._last = entry.at
        for part in parts:
            self._parts.setdefault(office, []).append(part)
            self._add(office, state, part, entry)

    def faults_of(self, office: str, state: ActState, noted: NoteCash) -> Iterator[str]:
        """Yield a fault if a server noted more cash than the log has."""
        day, parts = date.fromisoformat(noted.day), self._parts.get(office, ())
        others = {
            name: OtherCash(other, tuple(self._parts.get(name, ())))
            for name, other in self._others(office).items()
            if other is not None and _counts_house(state)
        }
        found = cash_in_house(state, day, parts, others) if others else cash_by_patron(state, day, parts)
        known = next(((patron.cents_in, patron.cents_out) for patron in found if patron.patron == noted.patron), (0, 0))
        if noted.cents_in > known[0] or noted.cents_out > known[1]:
            told = f"{noted.cents_in} cents in and {noted.cents_out} out"
            yield f"notes {told} of {noted.patron} on {noted.day}; the log has {known[0]} in and {known[1]} out"


def _counts_house(state: ActState | None) -> bool:
    """Return whether an office adds up the cash of the whole house."""
    rules = OFFICE_RULES.find(state.digest) if state else None
    return rules is not None and counts_house_cash(rules)


def _missing_slips(state: ActState) -> list[str]:
    rules = OFFICE_RULES.find(state.digest)
    return missing_words(rules, state) if rules else []


def _words_of_unanswered(state: ActState) -> list[str]:
    rules = OFFICE_RULES.find(state.digest)
    return unanswered_words(rules, state) if rules else []


def _amount(cents: int) -> str:
    return dollar_amount(cents, is_grouped=True)


def _person(people: PeopleCheck, account: str, at: str) -> Person | None:
    """Return the person's roles as a server could know them at a moment; None if they could not act then."""
    known = people.people.accounts.get(account) if people.people else None
    if known is None or people.unfit(account, at, lambda _account: True):
        return None
    return Person(account, known.name, people.roles_at(account, at), known.since)
