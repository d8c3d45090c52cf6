"""The floor: every table of a house as it runs, and the house itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.game.progressives import meters_of
from passline.people.accounts import STREAM as PEOPLE
from passline.people.accounts import People
from passline.provable_dice import DiceKeys, check_known_rolls
from passline.refusal import Refusal, Refused
from passline.rules.pages.day import day_in_force
from passline.rules.pages.texts import Pages, packed_pages
from passline.rules.rules import Rules
from passline.store.entry import Head
from passline.store.genesis import HOUSE
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.course import THE_HOUSE, Answer, Ask, Course
from passline.streams.registry import Registry
from passline.streams.running import RunningStream
from passline.streams.subscriber import Subscriber
from passline.streams.writer import LogDown, ThreadWriter, Writer
from passline.tables.commands import AdoptRulebook, ChangeHouse, KeepRulebook, Opener, OpenTable, RecordStart, RenewDice
from passline.tables.entries import HOUSE_CODEC, TABLE, awaits_roll
from passline.tables.house import HouseState
from passline.tables.live import LiveTable, table_id
from passline.tables.money.books import named_bank, unfit_inventory
from passline.tables.rules_in_force import known_rulebook, rules_of
from passline.tables.runtime.house_stream import HouseCourse, learn_kept
from passline.tables.runtime.other_processes import OtherProcesses
from passline.tables.runtime.roll_completion import RollCompletion
from passline.tables.runtime.rulebook_watch import RulebookWatch
from passline.tables.runtime.table_stream import TableCourse
from passline.tables.terms import is_play_money
from passline.tables.uniform_odds import odds_to_set, unlike_tables
from passline.tables.views.dealt_by import this_program

_log = logging.getLogger(__name__)
_WATCH_SECONDS = 2.0  # between two looks at the rulebooks' files


class RunningTable(Struct, frozen=True):
    """A table in memory: its stream and its course."""

    id: str
    stream: RunningStream[LiveTable]
    course: TableCourse

    @property
    def live(self) -> LiveTable:
        """The table as it is in the log."""
        assert self.stream.state is not None
        return self.stream.state

    @property
    def current(self) -> LiveTable:
        """The table as a command would find it now, with limits that just came into force."""
        return self.course.current

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send a screen the table, and its news from now on."""
        self.course.subscribers.add(subscriber)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send a screen nothing more."""
        self.course.subscribers.discard(subscriber)


def _is_closed(table: RunningTable) -> bool:
    return table.stream.state is None or table.live.status == "closed"


class Floor(Registry[RunningTable]):
    """All tables of a log. A table is read when it is first needed and stays in memory.

    `keys` are those of electronic dice; `keep_head` keeps a head outside the database before the dice land; `is_behind`
    tells whether the log is behind what is kept there, so that nothing may be dealt, and `is_unanchored` whether
    nothing can be kept there now; `employed` tells at once whether an account is an employee's, `is_sole_owner` whether
    it is the only owner's, `people` who everybody is; `is_shared` means that other processes write to the same log;
    `clear` asks the office to clear a table for opening, or one that is open (True) for another house.
    """

    prefix = TABLE

    def __init__(
        self,
        log: Log,
        *,
        clock: Callable[[], str],
        keys: DiceKeys,
        keep_head: Callable[[Head], None] | None = None,
        is_behind: Callable[[], bool] = lambda: False,
        is_unanchored: Callable[[], bool] = lambda: False,
        employed: Callable[[str], bool] = lambda _account: False,
        is_sole_owner: Callable[[str], bool] = lambda _account: False,
        people: Callable[[], People | None] = lambda: None,
        is_shared: bool = False,
        writer: Writer | None = None,
        clear: Callable[[OpenTable, str, bool], Awaitable[int | Refused]] | None = None,
    ) -> None:
        super().__init__()
        self.log = log
        self.clear = clear
        self.excluded: Callable[[str], str] = lambda _account: ""  # why an account is kept away from the games
        self.opener: Callable[[str, str], Awaitable[Opener | None]] | None = None  # of an office's table, as counted
        self.followed: Callable[[str, int], None] = lambda _stream, _version: None  # told of streams that are not ours
        self.writer = writer or ThreadWriter(log)
        self.people_version = 0  # the newest that another process wrote
        self._clock = clock
        self._is_shared = is_shared
        self._opening = asyncio.Lock()
        house = HouseCourse(log, lambda: (table.live for table in self._begun_tables()), self._refresh, people)
        self._house: RunningStream[HouseState] = self._run_stream(HOUSE, house)
        self._facility_day: Callable[[str, str], date] | None = None  # by regulation and moment; else the machine's
        self._adopts_texts = False  # whether the house adopts what the calendar brings: once a server knows its days
        self.rulebooks = RulebookWatch(lambda: self.house.rulebooks, self.day_of)
        self._completion = partial(RollCompletion, log, keys, keep_head)
        self._course = partial(
            TableCourse,
            approvals=lambda: self.house.approvals,
            clock=clock,
            employed=employed,
            excluded=lambda account: self.excluded(account),  # noqa: PLW0108 - which is set later
            is_sole_owner=is_sole_owner,
            rulebooks=self.rulebooks,
            is_behind=is_behind,
            is_unanchored=is_unanchored,
            odds=lambda: self.house.odds,
        )
        self._watcher: asyncio.Task[None] | None = None
        self._unrecorded: RecordStart | None = None  # not recorded yet
        self._follower: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Read the house and the list of tables, and begin to follow other processes."""
        check_known_rolls()
        self._loop = asyncio.get_running_loop()
        await self.writer.start()
        await self._house.load()
        streams = await asyncio.to_thread(self.log.streams)
        self.know(streams)
        await asyncio.to_thread(self._learn_kept)
        await self.rulebooks.look()
        for id_ in await asyncio.to_thread(self._open_throws, streams):
            await self.get(id_)  # which completes it
        self._watcher = asyncio.create_task(self._watch(), name="rulebooks")
        if self._is_shared:
            others = OtherProcesses(self.log, self._notice, self._complete_throws)
            head = self._house.head
            self._follower = asyncio.create_task(others.follow(head.sequence if head else 0), name="follower")

    def _open_throws(self, streams: Mapping[str, int]) -> list[str]:
        """Return the tables whose wagers are closed: nothing can follow a closing but its roll, so it is the last."""
        tables = {name: version for name, version in streams.items() if name.startswith(TABLE)}
        last = (next(self.log.read_stream(name, after=version - 1)) for name, version in tables.items())
        return [stored.entry.stream.removeprefix(TABLE) for stored in last if awaits_roll(stored.entry)]

    async def close(self) -> None:
        """Answer what is queued, keep snapshots, and stop writing."""
        for task in filter(None, (self._follower, self._watcher)):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for table in self.running_tables:
            table.course.stop()
        await asyncio.gather(*(table.course.completion.stop() for table in self.running_tables))
        await asyncio.gather(self._house.close(), super().close())
        await self.writer.close()

    @property
    def house(self) -> HouseState:
        """The state of the house: approvals, reports, shifts."""
        assert self._house.state is not None
        return self._house.state

    def _begun_tables(self) -> list[RunningTable]:
        return [table for table in self.running_tables if table.stream.state is not None]

    @property
    def running_tables(self) -> list[RunningTable]:
        """The tables in memory."""
        return [*self.in_memory().values()]

    async def table(self, id: str) -> RunningTable | None:  # noqa: A002 - the page's own word
        """Return a table, read from the log if necessary; None if there never was one."""
        if id not in self._names:
            return None
        table = await self.get(id)
        await table.stream.be_current()
        return table

    async def meter(self, id: str, wager: str) -> int | None:  # noqa: A002 - as of a table
        """Return the cents that the meter of a wager shows at a table; None if there is none, or it was closed."""
        table = await self.table(id)
        live = table.live if table is not None and table.stream.state else None
        return meters_of(rules_of(live), live.game).get(wager) if live else None

    async def load_all(self) -> list[RunningTable]:
        """Load every table and return them all."""
        found = await asyncio.gather(*(self.table(id_) for id_ in self.ids()))
        return [table for table in found if table is not None]

    async def open(self, ask: Ask) -> tuple[str, Answer | Refused]:
        """Open a table with an OpenTable command; return its id and the answer."""
        assert isinstance(ask.command, OpenTable)
        command = replace(ask.command, clearance=0, opener=None)  # which only the office gives
        id = table_id(command.table or command.name) or "table"  # noqa: A001 - refused there if it is no name
        await self.rulebooks.look()
        await self.keep(str(command.house.get("rules", "")))
        async with self._opening:  # one at a time, since each is compared with those that are open
            table = await self.get(id)
            unfit = await self._refuse_unadopted(str(command.house.get("rules", ""))) if _is_closed(table) else None
            if unfit is None and _is_closed(table):
                unfit = await self._unlike(command.house, id, is_play=is_play_money(command))
            if unfit is None and _is_closed(table) and not is_play_money(command) and self.house.office == "here":
                cleared = await self._clear_opening(command, table)
                unfit, command = (cleared, command) if isinstance(cleared, Refused) else (None, cleared)
            answer = unfit or await table.stream.ask(replace(ask, command=command))
            await self.keep_if_begun(id, answer)
        return id, answer

    async def _clear_opening(self, command: OpenTable, table: RunningTable) -> OpenTable | Refused:
        """Return an opening with the office's clearance and the inventory that it has counted, or all that it lacks."""
        if command.bank_cents:
            return Refused((named_bank(),))
        if command.points is not None:  # its chips are points: nothing is counted by the office
            number = await self._clear(command, table.id)
            return number if isinstance(number, Refused) else replace(command, clearance=number)
        opener = await self.opener(str(command.house.get("rules", "")), table.id) if self.opener else None
        counted = replace(command, opener=opener)
        if opener is not None and (unfit := unfit_inventory(table.stream.state, counted)):
            return Refused(tuple(unfit))
        number = await self._clear(counted, table.id)
        return number if isinstance(number, Refused) else replace(counted, clearance=number)

    async def _clear(self, command: OpenTable, id: str, *, is_open: bool = False) -> int | Refused:  # noqa: A002
        """Return the number of the office's clearance for a table, or all that its list lacks."""
        if self.clear is None:
            why = "the office is kept here, and this server does not serve it: start it with passline serve"
            return Refused((Refusal("office", why),))
        return await self.clear(command, id, is_open)

    async def unlike_adopted(self, table: RunningTable, ask: Ask) -> Refused | None:
        """Refuse an adoption if the table would pay otherwise than the rest of the casino, as for an opening.

        It runs before the adoption itself, which is refused unless the payouts were just set in the house's stream.
        """
        at = self._clock()
        if isinstance(table.course.decide(table.stream.state, ask, at, compares_odds=False), Refused):
            return None  # the table itself says why, or that it was done before
        return await self._unlike(table.live.house, table.id, is_play=is_play_money(table.live))

    async def change_house(self, table: RunningTable, ask: Ask) -> Answer | Refused:
        """Change a table to another house: it pays as the casino does, and the office clears it, as for an opening."""
        assert isinstance(ask.command, ChangeHouse)
        command, live = replace(ask.command, clearance=0), table.live
        async with self._opening:
            refused = table.course.decide(table.stream.state, ask, self._clock(), compares_odds=False)
            if isinstance(refused, Refused):  # the table itself says why, or that it was done before
                return await table.stream.ask(replace(ask, command=command))
            unfit = await self._unlike(command.house, table.id, is_play=is_play_money(live))
            if unfit is None and not is_play_money(live) and self.house.office == "here":
                opening = OpenTable(name=live.name, table=live.id, house=command.house, dice=live.dice)
                number = await self._clear(opening, table.id, is_open=True)
                if isinstance(number, Refused):
                    return number
                command = replace(command, clearance=number)
            return unfit or await table.stream.ask(replace(ask, command=command))

    async def ask_house(self, ask: Ask) -> Answer | Refused:
        """Carry out a command to the whole house, with every table loaded."""
        await self.load_all()
        return await self._house.ask(ask)

    async def record_start(self) -> None:
        """Record in the log which program serves it from now on, and which rulebooks are installed."""
        program = this_program()
        self._unrecorded = RecordStart(
            process=uuid4().hex,
            program=program.version,
            code=program.code,
            python=program.python,
            rulebooks=self.rulebooks.digests,
        )
        await self._recorded_start()

    async def _recorded_start(self) -> None:
        if (start := self._unrecorded) is not None:
            with suppress(LogDown):  # the watcher tries again, with the same id
                await self._house.ask(Ask(start.process, start, THE_HOUSE))
                self._unrecorded = None

    async def keep(self, name: str) -> None:
        """Have the log keep the installed rulebook of a name, unless it does already."""
        if (pages := self.rulebooks.pages_to_keep(name)) is not None:
            await self.keep_pages(pages)  # refused if another process was quicker

    async def keep_pages(self, pages: Pages) -> Answer | Refused:
        """Have the log keep a rulebook, such as the one under which an earlier version dealt."""
        keep = KeepRulebook(name=pages.name, pages=packed_pages(pages), program=this_program().version)
        return await self._house.ask(Ask(uuid4().hex, keep, THE_HOUSE))

    async def _refuse_unadopted(self, name: str) -> Refused | None:
        """Refuse to open a table under files that changed while other tables of that regulation are open."""
        tables = [table for table in await self.load_all() if not _is_closed(table)]
        return self.rulebooks.unadopted_rulebook(name, [table.live for table in tables])

    async def _unlike(self, house: Mapping[str, Any], id: str, *, is_play: bool) -> Refused | None:  # noqa: A002
        """Refuse a table that pays otherwise than the casino does; have the house say first what it pays."""
        try:
            rules = Rules.under(self.rulebooks.rulebook(str(house.get("rules", ""))), house)
        except CrapsError:
            return None  # the opening is refused for every breach at once
        if rules.rulebook.general.live.uniform is None or is_play:
            return None
        opened = [table.live for table in await self.load_all() if table.id != id and not _is_closed(table)]
        tables = [live for live in opened if not self.rulebooks.newer_text(live)]  # those are about to pay otherwise
        if unlike := unlike_tables(rules, tables):
            return Refused(tuple(unlike))
        said = await self._house.ask(Ask(uuid4().hex, odds_to_set(rules, self.house.odds, table=id), THE_HOUSE))
        return said if isinstance(said, Refused) else None

    async def _watch(self) -> None:
        """Look at the rulebooks' files every few seconds; keep what is new, and tell the screens of stopped tables."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            try:
                await self._recorded_start()
                await self._look()
            except LogDown:
                pass  # the next look tries again
            except Exception:  # noqa: BLE001 - whatever it is, the files must be looked at again
                _log.exception("the rulebooks could not be looked at")

    async def _look(self) -> None:
        has_changed = await self.rulebooks.look()
        tables = self._begun_tables()
        if has_changed:
            for table in tables:
                if why := self.rulebooks.why_stopped(table.live):
                    _log.error("%s: %s", table.id, why)
            self._refresh()
        for name in {table.live.house["rules"] for table in tables}:
            await self.keep(name)
        for table in tables if self._adopts_texts else ():
            await self._adopt_text_of_day(table)

    async def go_by_days_of(self, facility_day: Callable[[str, str], date]) -> None:
        """Go by the calendar of the house from now on, by regulation and moment, and adopt what it brings."""
        self._facility_day, self._adopts_texts = facility_day, True
        await self.rulebooks.look()

    def day_of(self, name: str) -> date:
        """Return the calendar day of the house for a regulation: of its office's facility, or of this machine."""
        if self._facility_day is not None:
            return self._facility_day(name, self._clock())
        return day_in_force(name)

    async def _adopt_text_of_day(self, table: RunningTable) -> None:
        """Have a table adopt the text that the calendar brings, once nothing is up under the one before."""
        live = table.live
        if (newer := self.rulebooks.newer_text(live)) is None or live.game.position.layout or live.closing is not None:
            return
        ask = Ask(f"day-{live.version}-{newer.digest}", AdoptRulebook(digest=newer.digest), THE_HOUSE)
        said = await self.unlike_adopted(table, ask) or await table.stream.ask(ask)
        if isinstance(said, Refused):
            _log.error("%s: the text of the day is not adopted: %s", table.id, said)

    def _learn_kept(self) -> None:
        """Learn the rulebooks that the log keeps, so that tables under one that is not installed can be shown."""
        for digest, version in self.house.rulebooks.items():
            if known_rulebook(digest) is None:
                entry = next(self.log.read_stream(HOUSE, after=version - 1)).entry
                learn_kept(entry, HOUSE_CODEC.events(entry))

    async def renew_dice(self, reason: str) -> None:
        """Commit every table to a new key of this server's secret; a throw whose wagers are closed becomes void."""
        for table in await self.load_all():
            live = table.live
            if live.status != "closed" and live.commitment and not table.course.completion.has_key(live):
                answer = await table.stream.ask(Ask(f"renew-{live.version}", RenewDice(reason=reason), THE_HOUSE))
                if isinstance(answer, Refused):
                    raise LogError(f"{table.id}: the dice could not be renewed: {answer}")

    def _refresh(self) -> None:
        """Send every table's screens what the approvals on file now allow."""
        for table in self.running_tables:
            table.course.refresh()

    async def _start(self, name: str) -> RunningTable:
        course = self._course(self._completion())
        stream: RunningStream[LiveTable] = self._run_stream(TABLE + name, course)
        course.run_on(stream)
        await stream.load()
        course.begin()
        if stream.state is not None:
            with suppress(LogDown):  # it is kept later, before anything is opened or adopted under it
                await self.keep(stream.state.house["rules"])
            if why := self.rulebooks.why_stopped(stream.state):
                _log.error("%s: %s", name, why)
        course.refresh()
        return RunningTable(name, stream, course)

    def _stream_of(self, served: RunningTable) -> RunningStream[LiveTable]:
        return served.stream

    def _run_stream(self, name: str, course: Course[Any]) -> RunningStream[Any]:
        return RunningStream(name, course, log=self.log, writer=self.writer, clock=self._clock)

    def _notice(self, name: str, version: int) -> bool:
        """Have a stream read what others wrote; a table without screens here, only when it is next asked for."""
        if name.startswith(TABLE):
            return self._notice_table(name.removeprefix(TABLE), version)
        if name == PEOPLE:
            self.people_version = version
        if name == HOUSE and version > self._house.version:
            self._house.catch_up()
        else:
            self.followed(name, version)
        return False

    def _notice_table(self, id: str, version: int) -> bool:  # noqa: A002
        """Return whether only other processes serve a table."""
        self._names.add(id)
        table = self.find(id)
        if table is None:
            return id not in self._tasks  # otherwise it is being read
        if version > table.stream.version:
            table.stream.fall_behind()
            if table.course.subscribers or table.course.followers:
                table.stream.catch_up()
        return table.stream.is_behind

    async def _complete_throws(self, tables: Mapping[str, int]) -> None:
        """Read the tables among these whose wagers are closed, which completes their throws."""
        for id_ in await asyncio.to_thread(self._open_throws, tables):
            await self.table(id_)
