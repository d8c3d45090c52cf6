"""A server process of a simulated house: the program's own floor over the house's disk, and its screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import date, datetime
from typing import Any

from msgspec import Struct, json

from passline.errors import CrapsError
from passline.office.runtime import Offices, people_around
from passline.people.desk import FrontDesk
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.store.entry import Head
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.sqlite import SqliteLog
from passline.store.timestamps import HouseClock
from passline.streams.commit_process import RemoteWriter, serve_commits
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import InDoubt, LogDown, ServerFault, Writer
from passline.tables.commands import TableCommand
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tournament.runtime import Tournaments
from tests.simulated.loop import SimulatedLoop, run_loop
from tests.simulated.network import Connection
from tests.simulated.sockets import Joining, SimulatedSocket, close_with, socket_pair
from tests.simulated.storage import FILE, Database
from tests.simulated.world import SECOND, Machine, World

KEY = SigningKey(bytes(range(32)))
MASTER = bytes(range(32, 64))
OFFICE = "colorado"
LOG_ID, BEGINS = "simulated", "2026-11-15T08:00:00.000000Z"
_BEGINS = 1_794_729_600 * SECOND  # BEGINS
DAY = date(2026, 11, 15)
"""The day on which everything happens."""
_AGAIN_SECONDS = 0.5  # after which a process that cannot open the log tries it again
_LOOK_SECONDS = 0.05


class Message(Struct, omit_defaults=True):
    """A message from a page: a command, or a question what became of one."""

    id: str = ""
    command: TableCommand | None = None
    signed_by: str = ""
    again: bool = False
    is_outcome: bool = False
    nonce: str = ""


_messages = json.Decoder(Message)


class Anchor:
    """Where heads are kept outside the database; it outlives every process."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.kept: list[Head] = []
        self.is_down = False

    def keep(self, head: Head) -> None:
        self.world.sleep(0.001)
        if self.is_down:
            self.world.faults["anchor away"] += 1
            raise LogError("the anchor does not answer")
        self.kept.append(head)


class Wall:
    """The system clock of the machine that a house runs on, which people and time services set."""

    def __init__(self, world: World) -> None:
        self.world, self.ahead = world, 0
        self.passed = 0  # microseconds for which the house was stopped, and nothing else happened

    def wall(self) -> int:
        return _BEGINS + self.world.now + self.passed + self.ahead

    def pass_until(self, moment: str) -> None:
        """Let time pass while the house is stopped."""
        seconds = (datetime.fromisoformat(moment) - datetime.fromisoformat(BEGINS)).total_seconds()
        self.passed += max(0, _BEGINS + round(seconds * SECOND) - self.wall())

    def steady(self) -> int:
        return self.world.now


class Supervised:
    """A process that is started again whenever it has ended, as by whoever supervises it."""

    def __init__(self, world: World, name: str) -> None:
        self.world, self.name = world, name
        self.machines: list[Machine] = []

    @property
    def machine(self) -> Machine:
        return self.machines[-1]

    @property
    def runs(self) -> bool:
        return bool(self.machines) and not self.machine.is_dead

    def start(self) -> None:
        """Start a process, unless it runs."""
        if not self.runs:
            self.machines.append(Machine(self.world, f"{self.name}, start {len(self.machines) + 1}"))
            self._run(self.machine)

    def _run(self, machine: Machine) -> None:
        raise NotImplementedError

    def kill(self) -> None:
        """Kill the process, if it runs."""
        if self.runs:
            self.machine.kill()


class Commits(Supervised):
    """The process that commits for all servers."""

    def __init__(self, world: World, database: Database) -> None:
        super().__init__(world, "commits")
        self._database = database
        self._chance = world.chance("sockets")
        self._joining = Joining()

    def _run(self, machine: Machine) -> None:
        joining = self._joining = Joining()

        def commit() -> None:
            while True:
                try:
                    log = _log_of(self._database, machine)
                    break
                except LogError:
                    self.world.sleep(_AGAIN_SECONDS)
            serve_commits(log, joining)  # type: ignore[arg-type]  # a simulated socket

        machine.begin(commit, "commits")

    def connect(self, machine: Machine) -> SimulatedSocket:
        """Return a server's end of a new connection."""
        near, far = socket_pair(self.world, self._chance)
        self._joining.hand(close_with(self.machine, far))
        return close_with(machine, near)

    async def next_one(self, machine: Machine) -> SimulatedSocket:
        """Return a connection to the next process that commits, once there is one."""
        while not self.runs:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(_LOOK_SECONDS)
        return self.connect(machine)


def _log_of(database: Database, machine: Machine) -> SqliteLog:
    log = SqliteLog(FILE, KEY, connect=database.connector(machine), log_id=LOG_ID, at=BEGINS)
    machine.kept.append(log)
    return log


class Server(Supervised):
    """One server process, alone or beside others, which then have one process commit for all."""

    def __init__(
        self, name: str, database: Database, anchor: Anchor, wall: Wall, commits: Commits | None = None
    ) -> None:
        super().__init__(database.world, name)
        self.database, self.anchor, self.wall, self.commits = database, anchor, wall, commits
        self.connections: list[Connection] = []
        self.offices: Offices | None = None
        self.tournaments: Tournaments | None = None
        self.clock: HouseClock | None = None
        self.floor: Floor | None = None  # while it serves
        self.loop: SimulatedLoop | None = None

    def _run(self, machine: Machine) -> None:
        run_loop(machine, self._serve, "the event loop")

    def kill(self) -> None:
        """Kill the process, if it runs: its connections are cut."""
        self.floor = self.offices = self.tournaments = self.clock = None
        super().kill()
        connections, self.connections = self.connections, []
        for connection in connections:
            connection.cut()

    async def _serve(self, loop: SimulatedLoop) -> None:
        machine = self.machine
        while True:
            try:
                floor = await self._open(machine)
                break
            except (LogError, LogDown, OSError):
                await asyncio.sleep(_AGAIN_SECONDS)
        self.floor, self.loop = floor, loop
        await asyncio.Event().wait()

    async def _open(self, machine: Machine) -> Floor:
        commits = self.commits
        log = await asyncio.to_thread(_log_of, self.database, machine)
        log.is_shared = commits is not None
        head = log.head()
        newest = [stored.entry.at for stored in log.read(after=head.sequence - 1)] if head else []
        clock = self.clock = HouseClock(max(newest, default=""), wall=self.wall.wall, steady=self.wall.steady)
        writer: Writer | None = None
        if commits is not None:
            connection: Any = await commits.next_one(machine)
            writer = RemoteWriter(log, connection, reconnect=lambda: commits.next_one(machine))  # type: ignore[arg-type,return-value]
        desk = FrontDesk(log, clock)
        await asyncio.to_thread(desk.people)
        keys = DiceKeys(MASTER, log.log_id)
        floor = Floor(
            log,
            clock=clock,
            keys=keys,
            keep_head=self.anchor.keep,
            is_shared=log.is_shared,
            writer=writer,
        )
        machine.kept.append(floor)
        self.offices = Offices(log, floor.writer, clock, people_around(desk.latest, lambda: floor.house.approvals))
        self.tournaments = Tournaments(log, floor, self.offices, clock, keys)
        floor.followed = self._tell_others
        await floor.start()
        await self.tournaments.start()
        await floor.go_by_days_of(lambda _name, _at: DAY)
        return floor

    def _tell_others(self, stream: str, version: int) -> None:
        """Tell office and tournament of an entry that another process wrote."""
        for others in (self.offices, self.tournaments):
            if others is not None:
                others.notice(stream, version)

    async def connect(self, connection: Connection, table: str, by: Actor) -> bool:
        """Serve a page; return whether its table is here. It runs in the server's loop."""
        floor = self.floor
        running = await floor.table(table) if floor else None
        if running is None or floor is not self.floor:
            return False
        self.connections.append(connection)
        Screen(running, connection, by)
        return True


class Screen:
    """A page's end at the server: what `web/api/websocket.py` does, without the web."""

    def __init__(self, table: RunningTable, connection: Connection, by: Actor) -> None:
        self._table, self._connection, self._by = table, connection, by
        self.subscriber = Subscriber(by, self._push)
        table.subscribe(self.subscriber)
        connection.to_house, connection.left = self._take, self._leave
        self._sending = asyncio.create_task(self._send())

    def _push(self, message: bytes, _is_answer: bool) -> bool:  # noqa: FBT001 - as a subscriber calls it
        if self._connection.seconds:  # a network that takes nothing at once
            return False
        self._connection.send_to_page(message)
        return True

    def _leave(self) -> None:
        self._table.unsubscribe(self.subscriber)
        self._sending.cancel()

    async def _send(self) -> None:
        subscriber = self.subscriber
        while True:
            await subscriber.ready()
            messages = subscriber.take()
            if subscriber.is_lost:
                messages.append(self._table.course.whole(subscriber))
            for message in messages:
                self._connection.send_to_page(message)
                await asyncio.sleep(self._connection.seconds)

    def _take(self, text: bytes) -> None:
        message = _messages.decode(text)
        if message.nonce:
            self._table.course.completion.take_nonce(bytes.fromhex(message.nonce))
        elif message.is_outcome:
            self._after(self._outcome(message.id), message.id)
        else:
            ask = Ask(message.id, message.command, self._by, message.signed_by, again=message.again)
            self._table.stream.take(ask, lambda answer: self._answer(message.id, answer))

    def _after(self, work: Awaitable[Answer | Refused | None], id_: str) -> None:
        async def wait() -> None:
            try:
                answer: Answer | Refused | Exception | None = await work
            except CrapsError as error:
                answer = error
            self._answer(id_, answer)

        asyncio.ensure_future(wait())  # noqa: RUF006 - the process keeps every task

    async def _outcome(self, id_: str) -> Answer | Refused | None:
        return await self._table.stream.outcome(self._by, id_)

    def _answer(self, id_: str, answer: Answer | Refused | Exception | None) -> None:
        told = told_of(answer)
        self.subscriber.tell(json.encode({"id": id_, **told}), is_news=False)


async def answer_to(asked: Awaitable[Answer | Refused]) -> dict[str, object]:
    """Return what the sender of a request is told once its command was carried out."""
    try:
        return told_of(await asked)
    except CrapsError as error:
        return told_of(error if isinstance(error, LogDown) else InDoubt())  # a page sends it again


def told_of(answer: Answer | Refused | Exception | None) -> dict[str, object]:
    """Return what a page is told of its command."""
    match answer:
        case Answer():
            return {"kind": "done", "sequence": answer.sequence, "hash": answer.hash, "head": answer.head}
        case Refused():
            return {"kind": "refused", "why": str(answer)}
        case None:
            return {"kind": "refused", "why": "never done"}
        case InDoubt():
            return {"kind": "in-doubt"}
        case LogDown():
            return {"kind": "down", "why": str(answer)}
        case ServerFault():
            raise AssertionError(f"a fault of the server: {answer}") from answer
        case _:
            raise answer
