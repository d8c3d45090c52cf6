"""`TableViews`: the projection of tables, the house and its people, from which pages show log, records and hands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from msgspec import json

from passline.store.entry import Entry, Stored
from passline.store.sealed import Log
from passline.streams.projection import Projection
from passline.streams.projection_store import ViewWriter
from passline.tables import house_events as h
from passline.tables.approvals import Approvals
from passline.tables.entries import HOUSE_CODEC, TableEntry, is_house, is_table
from passline.tables.house import HouseState, evolve
from passline.tables.views.buy_ins import BUY_INS_INDEXES, BUY_INS_TABLES, keep_buy_ins
from passline.tables.views.log_wording import note_words, words_settings, words_tables
from passline.tables.views.notices import NOTICES_TABLES, keep_notices
from passline.tables.views.recall import RECALL_INDEXES, RECALL_TABLES, Hands, Past, disputes
from passline.tables.views.records import (
    RECORDS_INDEXES,
    RECORDS_TABLES,
    Days,
    house_records,
    keep_records,
    table_records,
)

_decoder = json.Decoder(Approvals)


class TableFollower(ABC):
    """Something else that is kept of tables as the log grows, in the same pass: `TableViews` folds each entry once."""

    tables: ClassVar[dict[str, str]]  # each table by name, and how it is created
    indexes: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def note(self, writer: ViewWriter, stored: Stored, decision: TableEntry | None) -> None:
        """Take the next entry of the log; `decision` is None where it is not one of a table."""

    @abstractmethod
    def store(self, writer: ViewWriter) -> None:
        """Write what has changed since the last time."""

    def gaming_day(self, writer: ViewWriter, rules: str, at: str) -> str:  # noqa: ARG002 - for those who know it
        """Return the gaming day of a moment under a regulation; empty: this one does not know it."""
        return ""

    @abstractmethod
    def forget(self) -> None:
        """Forget what is in memory: a transaction failed, or another process wrote the last ones."""


class TableViews(Projection):
    """Every entry in words, with what it puts on record, notices for players, and the hands and past of the tables."""

    name = "tables"
    version = 18
    tables: ClassVar[dict[str, str]] = {
        **words_tables(),
        **RECORDS_TABLES,
        **RECALL_TABLES,
        **NOTICES_TABLES,
        **BUY_INS_TABLES,
        "approvals": "CREATE TABLE approvals (one INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    }
    indexes: ClassVar[tuple[str, ...]] = (*RECORDS_INDEXES, *RECALL_INDEXES, *BUY_INS_INDEXES, *words_settings())

    def __init__(self, log: Log, followers: Sequence[TableFollower] = ()) -> None:
        self._log, self._followers = log, followers
        for follower in followers:
            self.tables = {**self.tables, **follower.tables}  # type: ignore[misc]
            self.indexes = (*self.indexes, *follower.indexes)  # type: ignore[misc]
        self.forget()

    def forget(self) -> None:
        """Forget the tables and days in memory."""
        self._past, self._days, self._hands = Past(self._log), Days(), Hands()
        for follower in self._followers:
            follower.forget()

    def apply(self, writer: ViewWriter, entries: Sequence[Stored]) -> None:
        """Write what the next entries of the log do."""
        decided: list[tuple[Entry, TableEntry | None]] = []
        for stored in entries:
            decision = self._past.take(writer, stored) if is_table(stored.entry) else None
            decided.append((stored.entry, decision))
            if decision is not None:
                self._days.count(writer, decision, self._gaming_day(writer, decision))
                self._hands.note(writer, decision)
                if not decision.is_wager:
                    self._keep_particulars(writer, decision)
            elif is_house(stored.entry):
                keep_records(writer, house_records(stored.entry))
                _note_approvals(writer, stored.entry)
            for follower in self._followers:
                follower.note(writer, stored, decision)
        note_words(writer, decided)
        keep_records(writer, self._days.changed_days())
        self._hands.store(writer)
        for follower in self._followers:
            follower.store(writer)

    def _keep_particulars(self, writer: ViewWriter, decision: TableEntry) -> None:
        """Write what wagers never do: notices, buy-ins, records, disputes."""
        keep_notices(writer, decision)
        keep_buy_ins(writer, decision)
        keep_records(writer, table_records(writer, decision))
        keep_records(writer, disputes(writer, self._log, decision, lambda: _approvals(writer)))

    def _gaming_day(self, writer: ViewWriter, decision: TableEntry) -> str:
        """Return the gaming day of an entry: the facility's, by whoever of the followers knows it, or else UTC's."""
        rules, at = str(decision.after.house["rules"]), decision.entry.at
        days = (follower.gaming_day(writer, rules, at) for follower in self._followers)
        return next(filter(None, days), at[: len("2026-11-15")])


def _approvals(writer: ViewWriter) -> Approvals:
    """Return the approvals on file as of the entries written so far."""
    rows = writer.query("SELECT body FROM approvals")
    return _decoder.decode(writer.unseal("approvals", rows[0][0])) if rows else Approvals()


def _note_approvals(writer: ViewWriter, entry: Entry) -> None:
    for event in HOUSE_CODEC.events(entry):
        if isinstance(event, h.ApprovalFiled | h.ApprovalWithdrawn):
            after = evolve(HouseState(approvals=_approvals(writer)), event).approvals
            body = writer.seal("approvals", json.encode(after))
            writer.write("INSERT OR REPLACE INTO approvals VALUES (1, ?)", [(body,)])
