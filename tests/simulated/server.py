"""A server process of a simulated house: the program's own floor over the house's disk, and its screens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import date

from msgspec import Struct, json

from passline.errors import CrapsError
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.store.entry import Head
from passline.store.keys import SigningKey
from passline.store.log import LogError
from passline.store.sqlite import SqliteLog
from passline.store.timestamps import HouseClock
from passline.streams.course import Actor, Answer, Ask
from passline.streams.subscriber import Subscriber
from passline.streams.writer import InDoubt, LogDown, ServerFault
from passline.tables.commands import TableCommand
from passline.tables.runtime.floor import Floor, RunningTable
from tests.simulated.loop import SimulatedLoop, run_loop
from tests.simulated.network import Connection
from tests.simulated.storage import FILE, Database
from tests.simulated.world import SECOND, Machine, World

KEY = SigningKey(bytes(range(32)))
MASTER = bytes(range(32, 64))
LOG_ID, BEGINS = "simulated", "2026-11-15T08:00:00.000000Z"
_BEGINS = 1_794_729_600 * SECOND  # BEGINS
_DAY = date(2026, 11, 15)
_AGAIN_SECONDS = 1.0  # after which whoever supervises a server starts it again


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

    def wall(self) -> int:
        return _BEGINS + self.world.now + self.ahead

    def steady(self) -> int:
        return self.world.now


class Server:
    """One server process: started again whenever it ends, as by whoever supervises it."""

    def __init__(self, world: World, database: Database, anchor: Anchor, wall: Wall) -> None:
        self.world, self.database, self.anchor, self.wall = world, database, anchor, wall
        self.machines: list[Machine] = []
        self.connections: list[Connection] = []
        self.floor: Floor | None = None  # while it serves
        self.loop: SimulatedLoop | None = None
        self.log: SqliteLog | None = None
        self.starts = 0
        self.told_fault = ""

    @property
    def machine(self) -> Machine:
        return self.machines[-1]

    def start(self) -> None:
        """Start a process."""
        self.starts += 1
        self.machines.append(Machine(self.world, f"server {self.starts}"))
        run_loop(self.machine, self._serve, "the event loop")

    def kill(self) -> None:
        """Kill the process, if it runs."""
        if self.machine.is_dead:
            return
        self.floor = None
        self.machine.kill()
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
        connect = self.database.connector(machine)
        log = await asyncio.to_thread(SqliteLog, FILE, KEY, connect=connect, log_id=LOG_ID, at=BEGINS)
        self.log = log
        machine.kept.append(log)
        head = log.head()
        newest = [stored.entry.at for stored in log.read(after=head.sequence - 1)] if head else []
        clock = HouseClock(max(newest, default=""), wall=self.wall.wall, steady=self.wall.steady)
        floor = Floor(log, clock=clock, keys=DiceKeys(MASTER, log.log_id), keep_head=self.anchor.keep)
        machine.kept.append(floor)
        await floor.start()
        await floor.go_by_days_of(lambda _name, _at: _DAY)
        return floor

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
