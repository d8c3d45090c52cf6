"""Brings an office's papers about a table's money into the table's books, and tells the office what its ledger had.

Both are streams of one log, written one after the other. Every step has an id that follows from the paper, so that a
server that is killed in between does the rest when it starts again, and nothing twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from uuid import UUID, uuid5

from msgspec import MsgspecError, Struct, field, json

from passline.acts import commands as c
from passline.acts.events import ActEvent, LedgerTold
from passline.office.ledgers.paper_trail import HELD_AGAINST, PaperTrail, TablePaper
from passline.refusal import Refused
from passline.store.entry import Stored
from passline.store.log import Snapshot
from passline.streams.course import THE_HOUSE, Answer, Ask
from passline.streams.writer import LogDown, ServerFault
from passline.tables.commands import EnterPaper, Opener
from passline.tables.events import BoxCounted, InventoryCounted, TableEvent
from passline.tables.runtime.floor import Floor, RunningTable

_log = logging.getLogger(__name__)
_IDS = UUID("6f1f5c1e-2d0e-4b51-9a0b-0b8f6f0f7d14")  # ours, for no other ids
_events = json.Decoder(tuple[TableEvent, ...])
_KEPT = "papers-of-office/"
_KEEP_EVERY = 500  # entries


class _Read(Struct):
    """What was read of an office: the papers that are still to be delivered, and the newest opener of each table."""

    trail: PaperTrail = field(default_factory=PaperTrail)
    version: int = 0
    papers: dict[str, list[TablePaper]] = field(default_factory=dict)  # by table
    openers: dict[str, TablePaper] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)  # the counts still to be delivered that the office knows the ledger of

    def forget_told(self) -> None:
        """Forget the counts that were delivered."""
        self.told &= {paper.act for papers in self.papers.values() for paper in papers}


class _Office:
    """An office whose papers are delivered to tables: what was read of its stream, up to the last entry."""

    def __init__(self) -> None:
        self.read: _Read | None = None
        self.last: Stored | None = None
        self.kept = 0  # the version of the newest snapshot
        self.lock = asyncio.Lock()


class PaperDelivery:
    """Delivers the papers of offices to the books of tables.

    `tell` gives the server's own commands to an office; `read` returns its entries after a version, each with its
    events. Both are of the log that the floor is on, which also keeps how far each office was read.
    """

    def __init__(
        self,
        floor: Floor,
        *,
        tell: Callable[[str, Ask], Awaitable[Answer | Refused]],
        read: Callable[[str, int], Iterable[tuple[Stored, Sequence[ActEvent]]]],
    ) -> None:
        self._floor, self._tell, self._read = floor, tell, read
        self._offices: dict[str, _Office] = {}

    async def opener(self, office: str, table: str) -> Opener | None:
        """Return the newest opening inventory of a table, with everything before it delivered."""
        await self.deliver(office)
        read = self._offices[office].read
        found = read.openers.get(table) if read else None
        if found is None:
            return None
        return Opener(office=office, entry=found.entry, act=found.act, cents=found.cents, on_record=found.on_record)

    async def deliver(self, office: str) -> None:
        """Deliver every paper of an office that is still to be delivered; what fails now is tried again later."""
        known = self._offices.setdefault(office, _Office())
        async with known.lock:
            read = await asyncio.to_thread(self._read_on, office, known)
            for table in [table for table, papers in read.papers.items() if papers]:
                try:
                    await self._deliver_to(office, read, table)
                except (LogDown, ServerFault) as error:
                    _log.warning("papers of %s's office for %s wait: %s", office, table, error)
            self._keep(office, known, read)

    def _read_on(self, office: str, known: _Office) -> _Read:
        """Read an office on: from where a server before this one had read it, if the log has kept that."""
        if known.read is None:
            kept = self._floor.log.snapshot(_KEPT + office)
            known.read = _Read()
            if kept is not None:
                with suppress(MsgspecError):  # written by another version of Passline; the log has everything
                    known.read, known.kept = json.decode(kept.state, type=_Read), kept.version
        read = known.read
        for stored, events in self._read(office, read.version):
            read.told |= {event.act for event in events if isinstance(event, LedgerTold)}
            for paper in read.trail.take(stored.entry.version, events):
                read.papers.setdefault(paper.table, []).append(paper)
                if paper.paper == "opener":
                    read.openers[paper.table] = paper
            read.version, known.last = stored.entry.version, stored
        return read

    def _keep(self, office: str, known: _Office, read: _Read) -> None:
        """Keep how far an office was read, so that the next server need not begin with its first entry."""
        if known.last is None or read.version - known.kept < _KEEP_EVERY:
            return
        read.forget_told()
        entry = known.last.entry
        self._floor.writer.keep(
            Snapshot(_KEPT + office, entry.version, entry.sequence, known.last.hash, json.encode(read))
        )
        known.kept = read.version

    async def _deliver_to(self, office: str, read: _Read, table: str) -> None:
        running = await self._floor.table(table)
        books = running.live.books if running and running.stream.state else None
        if running is None or books is None or books.office != office:
            opener = read.openers.get(
                table
            )  # it is not on this office's papers; its books begin with the newest opener
            read.papers[table] = [paper for paper in read.papers[table] if opener and paper.entry > opener.entry]
            return
        papers = read.papers[table]
        while papers:
            paper = papers[0]
            if paper.entry > books.began and not await self._bring(office, read, running, paper):
                return
            papers.pop(0)

    async def _bring(self, office: str, read: _Read, running: RunningTable, paper: TablePaper) -> bool:
        """Enter one paper, and tell the office what the ledger had; return whether both are in the log."""
        books = running.live.books
        is_held = paper.paper in HELD_AGAINST and paper.act not in read.told
        if books is not None and paper.entry <= books.entered and not is_held:
            return True
        entered = await self._enter(office, running, paper)
        if isinstance(entered, Refused):
            _log.warning("act %s of %s's office waits for %s: %s", paper.act, office, running.id, entered)
            return False
        for event in _events.decode(entered.events) if is_held else ():
            if isinstance(event, InventoryCounted | BoxCounted) and event.is_covered:
                told = await self._tell(office, Ask(self._id(office, paper, "ledger"), _tells(paper, event), THE_HOUSE))
                if isinstance(told, Refused):
                    _log.warning("%s's office was not told of the ledger at act %s: %s", office, paper.act, told)
                    return False
                read.told.add(paper.act)
        return True

    async def _enter(self, office: str, running: RunningTable, paper: TablePaper) -> Answer | Refused:
        enter = EnterPaper(
            office=office, entry=paper.entry, act=paper.act, paper=paper.paper, cents=paper.cents, about=paper.about
        )
        ask = Ask(self._id(office, paper, "paper"), enter, THE_HOUSE)
        answer = await running.stream.ask(ask)
        if isinstance(answer, Refused) and running.live.closing is not None:  # until the dice have landed
            await running.course.completion.wait_until_landed()
            answer = await running.stream.ask(ask)
        return answer

    def _id(self, office: str, paper: TablePaper, step: str) -> str:
        return uuid5(_IDS, f"{self._floor.log.log_id}/{office}/{paper.act}/{step}").hex


def _tells(paper: TablePaper, event: InventoryCounted | BoxCounted) -> c.TellLedger:
    return c.TellLedger(
        act=paper.act,
        table=paper.table,
        paper=paper.paper,
        counted=event.cents,
        ledger=event.ledger,
        layout=event.layout if isinstance(event, InventoryCounted) else 0,
    )
