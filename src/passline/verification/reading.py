"""A log that is read from its beginning, or from what was known at the end of an archived segment, entry by entry.

All that `verify` knows of a log is in one object: its chain, and every stream as it was decided again. So it can be
written down after one entry and go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import chain, pairwise

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office
from passline.acts.documents import FiledDocument
from passline.acts.state import ActState
from passline.office.noted_play import NotedPlay
from passline.office.verify import CashBooks, OfficeCheck, owed_words
from passline.store.checked_chain import CheckedChain
from passline.store.entry import Entry, Head, LogRow, Stored
from passline.store.once import Once
from passline.store.sealed import stored_of
from passline.store.verify import ChainCheck, Fault, Report
from passline.streams.image import image_of, restore
from passline.streams.redecide import FORGED
from passline.tables.dice.proofs import DiceProofs
from passline.tables.entries import TABLE
from passline.tables.kept_rulebooks import learn_kept_rulebooks
from passline.tables.verify import LogCheck
from passline.tables.views.dealt_by import DealtBy
from passline.tournament.course import TOURNAMENT_STREAM, learn_tournament
from passline.tournament.verify import TournamentCheck

KEEPS_RULES = (b'"command":"keep-rulebook"', b'"command":"keep-office"', b'"command":"plan-tournament"')
"""What stands in entries that keep rules."""


class LogReading:
    """What is known of a log as far as it was read. Faults of decisions are apart: they are told by whoever reads."""

    not_in_image = ("faults", "once")

    def __init__(
        self,
        heads: tuple[Head, ...] = (),
        key: bytes | None = None,
        *,
        once: Once | None = None,
        before: int = 0,
        look_up: Callable[[int], bytes] = lambda _sequence: b"",
    ) -> None:
        self.once = once = once or Once()
        self.chain = ChainCheck(key, heads, every_seal=False, once=once)
        self.proofs, self.dealt_by = DiceProofs(), DealtBy()
        self.filed: list[FiledDocument] = []
        self.noted: list[NotedPlay] = []
        self.offices: dict[str, ActState] = {}
        self.books = CashBooks(self.offices)
        office = partial(OfficeCheck, filed=self.filed, books=self.books, offices=self.offices, noted=self.noted)
        also = (office, TournamentCheck)
        hashes = CheckedChain(before, look_up)
        self.log = LogCheck(self.proofs, self.dealt_by, also, once=once, chain=hashes)
        self.rules: list[bytes] = []  # the entries that keep rules, from which this process learns them again
        self.faults: list[Fault] = []  # of decisions, since this reading began

    def read(
        self,
        rows: Iterable[LogRow],
        told: Callable[[int], None] = lambda _count: None,
        *,
        note: Callable[[LogRow], object] = lambda _row: None,
        is_hashed: bool = False,
    ) -> None:
        """Check the rows that come next; `told` is called with how many, now and then, and `note` with all but wagers.

        Of rows that are `is_hashed` each hash but the first was computed from the row before it, by whoever read them.
        """
        count, take, log, is_known = 0, self.chain.take, self.log, False
        for row, following in pairwise(chain(rows, (None,))):
            assert row is not None
            entry = take(row, following, is_hashed=is_known)
            is_known = is_hashed
            if entry is None:
                continue
            found = log.wager_faults(entry, row.hash, is_sealed=bool(row.seal))
            if found is None:
                found = self._faults_of_other(entry, row)
                note(row)
            for what in found:
                self.faults.append(Fault(entry.sequence, what))
            if log.has_people and log.strangers:
                self.faults += log.stranger_faults()
            count += 1
            if count % _PROGRESS_EVERY == 0:
                told(_PROGRESS_EVERY)
        told(count % _PROGRESS_EVERY)

    def _faults_of_other(self, entry: Entry, row: LogRow) -> list[str]:
        """Return what is wrong with an entry that is no plain wager."""
        if not entry.stream.startswith(TABLE) and any(mark in row.body for mark in KEEPS_RULES):
            self.rules.append(row.body)
            learn_kept_rulebooks([row])
        return list(self.log.faults_of_other(Stored(entry, row.body, row.hash, row.seal)))

    def finish(self) -> tuple[Report, list[str]]:
        """Return the report on the whole log, and what is owed at its end."""
        self.log.finish()
        return self.chain.finish(), list(owed_words(self.books, self.offices))

    def image(self) -> bytes:
        """Return all that is known."""
        self.log.end_runs()
        for newest in self.log.balances.values():
            newest.add_up()
        return image_of(self)

    def resume(self, image: bytes) -> None:
        """Go on from what another reading knew, under the rules that it had learnt."""
        restore(self, image)
        learn_rules(self.rules)


_PROGRESS_EVERY = 10_000


def learn_rules(bodies: Iterable[bytes]) -> None:
    """Make known to this process the rules that entries keep."""
    rows = [LogRow(body, b"", b"") for body in bodies]
    learn_kept_rulebooks(rows)
    for row in rows:
        with suppress(*FORGED):  # told where the entry itself is checked
            entry = stored_of(row).entry
            if entry.stream.startswith(OFFICE_STREAM):
                learn_office(entry, OFFICE_CODEC.events(entry))
            elif entry.stream.startswith(TOURNAMENT_STREAM):
                learn_tournament(entry)
