"""Verifies that tables have entered every paper of their office exactly once, with the same figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passline.acts import events as e
from passline.office.ledgers.paper_trail import PaperTrail, TablePaper
from passline.store.entry import Entry
from passline.tables.commands import EnterPaper, Opener, OpenTable
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.events import BoxCounted, InventoryCounted, TableEvent

_ABOUT_PAPERS = (b'"enter-paper"', b'"open-table"')


class PaperCheck:
    """The papers of every office as far as the log was read, and which of them tables have entered."""

    def __init__(self) -> None:
        self._trails: dict[str, PaperTrail] = {}
        self._papers: dict[tuple[str, str], list[TablePaper]] = {}  # by office and table, in their order
        self._entered: dict[tuple[str, str], int] = {}  # up to which entry of the office's stream
        self._ledgers: dict[tuple[str, int], tuple[str, int, int, int]] = {}  # by office and act: as the table has it

    def office_faults(self, office: str, version: int, events: Sequence[e.ActEvent]) -> Iterator[str]:
        """Note the papers of an office; yield a fault if it was told a figure that the table's ledger did not have."""
        trail = self._trails.setdefault(office, PaperTrail())
        for paper in trail.take(version, events):
            self._papers.setdefault((office, paper.table), []).append(paper)
        for event in events:
            if isinstance(event, e.LedgerTold):
                told = (event.table, event.counted, event.ledger, event.layout)
                if self._ledgers.pop((office, event.act), None) != told:
                    what = f"that table {event.table} has not, or for the second time"
                    yield f"the office was told of a ledger at act {event.act} {what}"

    def table_faults(self, entry: Entry, events: Sequence[TableEvent]) -> Iterator[str]:
        """Yield a fault for each paper that a table's books have wrong, twice, without its office, or not at all."""
        raw = bytes(entry.command)
        if not any(name in raw for name in _ABOUT_PAPERS):
            return
        command, table = TABLE_CODEC.command(entry), entry.stream.removeprefix(TABLE)
        if isinstance(command, OpenTable):
            yield from self._opener_faults(table, command, events)
        elif isinstance(command, EnterPaper):
            yield from self._paper(table, command)
            for event in events:
                if isinstance(event, InventoryCounted | BoxCounted) and event.is_covered:
                    layout = event.layout if isinstance(event, InventoryCounted) else 0
                    self._ledgers[command.office, event.act] = table, event.cents, event.ledger, layout

    def _opener_faults(self, table: str, command: OpenTable, events: Sequence[TableEvent]) -> Iterator[str]:
        opener = command.opener
        if opener is None:
            self._entered = {place: upto for place, upto in self._entered.items() if place[1] != table}
            return
        paper = self._paper_at(opener.office, table, opener.entry)
        is_same = paper is not None and paper.paper == "opener" and _opener_of(opener.office, paper) == opener
        if not is_same:
            yield f"the table opened with an inventory that the office has not: act {opener.act}"
        if any(isinstance(event, InventoryCounted) for event in events):  # its books begin
            self._entered[opener.office, table] = opener.entry

    def _paper(self, table: str, command: EnterPaper) -> Iterator[str]:
        place = (command.office, table)
        paper, upto = self._paper_at(command.office, table, command.entry), self._entered.get(place, 0)
        name = f"act {command.act} of {command.office}'s office"
        if paper is None:
            yield f"{name} is entered, and the office never recorded it"
        elif command.entry <= upto:
            yield f"{name} is entered twice"
        elif (paper.act, paper.paper, paper.cents, paper.about) != (
            *(command.act, command.paper, command.cents, command.about),
        ):
            yield f"{name} is entered with other figures than the office has: {paper.paper}, {paper.cents} cents"
        left = [paper for paper in self._papers.get(place, ()) if upto < paper.entry < command.entry]
        yield from (f"act {paper.act} of {command.office}'s office was left out before {name}" for paper in left)
        self._entered[place] = max(upto, command.entry)

    def _paper_at(self, office: str, table: str, entry: int) -> TablePaper | None:
        return next((paper for paper in self._papers.get((office, table), ()) if paper.entry == entry), None)


def _opener_of(office: str, paper: TablePaper) -> Opener:
    return Opener(office=office, entry=paper.entry, act=paper.act, cents=paper.cents, on_record=paper.on_record)
