"""Journals from a log: every shift of the gaming days whose books are closed, in order, under a chart of accounts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office
from passline.acts.papers.houses import currency_of
from passline.bookkeeping.results import ADDENDUM
from passline.errors import CrapsError
from passline.journals.chart import Chart, ChartError
from passline.journals.journal import Journal, Transaction, journal_lines
from passline.journals.office_entries import JournalPosting, LedgerAccount, OfficeEntries
from passline.journals.tournament_entries import TournamentEntries
from passline.store.entry import Entry
from passline.tournament.course import TOURNAMENT_STREAM


class Journals(Struct, frozen=True):
    """The journals of an office, as far as its books are closed."""

    regulation: str
    commodity: str
    journals: tuple[Journal, ...]
    unposted: tuple[str, ...] = ()  # gaming days that have postings and are open

    def of_day(self, day: date) -> Journals:
        """Return the journals of one gaming day; raise CrapsError if its books are open."""
        found = tuple(journal for journal in self.journals if journal.day == day)
        if str(day) in self.unposted:
            raise CrapsError(f"{day}: the books of that gaming day are open; it has a journal when they are closed")
        if not found:
            raise CrapsError(f"{day}: no gaming day of this office is closed with anything to post on that day")
        return Journals(self.regulation, self.commodity, found)


def journals_of(entries: Iterable[Entry], regulation: str, chart: Chart) -> Journals:
    """Return the journals of an office from all entries of a log, in order."""
    office, tournaments = OfficeEntries(chart), dict[str, TournamentEntries]()
    postings, waiting = list[JournalPosting](), list[tuple[Entry, TournamentEntries]]()
    for entry in entries:
        if entry.stream == OFFICE_STREAM + regulation:
            events = OFFICE_CODEC.events(entry)
            learn_office(entry, events)
            for event in events:
                postings += office.take(event)
        elif entry.stream.startswith(TOURNAMENT_STREAM):
            waiting.append((entry, tournaments.setdefault(entry.stream, TournamentEntries(entry.stream))))
        while waiting and office.is_set_up:
            later, read = waiting.pop(0)
            found = list(read.take(later, office))
            postings += found if read.regulation == regulation else ()
    if not office.is_set_up:
        raise CrapsError(f"the office of {regulation} is not set up in this log: it has no gaming days and no journals")
    order = [*office.shifts, ADDENDUM]
    made = _transactions(postings, office, chart, regulation)
    shifts: dict[tuple[date, str], list[Transaction]] = {}
    for transaction in made:
        shifts.setdefault((transaction.day, transaction.shift), []).append(transaction)
    journals = [
        Journal(f"{regulation}/{day}/{shift}", day, shift, tuple(shifts[day, shift]))
        for day, shift in sorted(
            shifts, key=lambda key: (key[0], order.index(key[1]) if key[1] in order else 0, key[1])
        )
        if str(day) in office.closed_days
    ]
    unposted = dict.fromkeys(str(day) for day, _ in sorted(shifts) if str(day) not in office.closed_days)
    return Journals(regulation, chart.commodity_for(currency_of(regulation)), tuple(journals), tuple(unposted))


def _transactions(
    postings: Sequence[JournalPosting], office: OfficeEntries, chart: Chart, regulation: str
) -> list[Transaction]:
    groups: dict[tuple[date, str, str], list[JournalPosting]] = {}
    for posting in postings:
        groups.setdefault((posting.day, posting.shift, posting.group), []).append(posting)
    names = _Names(chart)
    made = []
    for (day, shift, group), alike in groups.items():
        sums = [
            (names.of(_account_of(account, day, shift, office)), cents)
            for posting in alike
            for account, cents in posting.lines
        ]
        if lines := journal_lines(sums):
            made.append(
                Transaction(
                    number=f"{regulation}/{day}/{shift}/{_plain(group)}",
                    day=day,
                    shift=shift,
                    what=alike[0].what,
                    lines=lines,
                    acts=tuple(dict.fromkeys(posting.act for posting in alike)),
                    refers="; ".join(dict.fromkeys(posting.refers for posting in alike if posting.refers)),
                )
            )
    return made


def _plain(group: str) -> str:
    """Return the name of a group in letters that ledgers take in numbers; different names stay different."""
    return re.sub(r"[^A-Za-z0-9_.-]", lambda sign: f"-x{ord(sign[0]):x}-", group)


def _account_of(account: LedgerAccount, day: date, shift: str, office: OfficeEntries) -> LedgerAccount:
    """Return the account of a win, or the one for what nobody knows, where a day of a table was closed so."""
    is_unknown = account.key == "win" and shift != ADDENDUM and (account.of, day) in office.unknown
    return LedgerAccount("clearing.unknown", account.of) if is_unknown else account


class _Names:
    """The names of accounts, each of one thing."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._whose: dict[str, LedgerAccount] = {}

    def of(self, account: LedgerAccount) -> str:
        """Return the name of an account; raise ChartError if two things would have the same."""
        name = self._chart.account(*account)
        other = self._whose.setdefault(name, account)
        if other.of != account.of:
            raise ChartError(
                f"{name} would be the account of {other.of!r} and of {account.of!r}: "
                f'give them names of their own under [names], such as "{account.of}" = "Other"'
            )
        return name
