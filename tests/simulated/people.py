"""People of a simulated house: they play, lose their connection, send again what was not answered, and remember all."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from random import Random
from typing import Any

from msgspec import json

from passline.game import commands as c
from passline.store.log import LogError
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.entries import TABLE
from tests.simulated.loop import SimulatedLoop
from tests.simulated.network import Connection
from tests.simulated.server import Message, Server
from tests.simulated.world import World
from tests.tables.page import ShownTable

_THINK_SECONDS = 0.02, 0.6
_ANSWER_SECONDS = 8.0  # after which a page connects again
_AGAIN_SECONDS = 0.1, 1.0
_WAGERS = (("pass", 0, 10_00), ("place_win", 6, 12_00), ("field", 0, 5_00), ("come", 0, 5_00), ("any_seven", 0, 4_00))
_FREEZES, _RARE = 0.005, 0.15
_GIVES_UP = 0.3  # how often somebody lets a command be that certainly did nothing


class Person:
    """Somebody at a table, with one page; what they were told, and what they wait for."""

    def __init__(self, world: World, loop: SimulatedLoop, servers: list[Server], by: Actor, table: str) -> None:
        self.by, self.table = by, table
        self.stream, self.prefix = TABLE + table, by.account
        self.chance = world.chance(f"{by.account} at {table}")
        self.done: dict[str, dict[str, Any]] = {}  # by id: what they were told of commands that were done
        self.refused: dict[str, str] = {}  # by id: why, of those that were not
        self.waiting: dict[str, Message] = {}  # by id, until their answer comes
        self.heads: dict[int, str] = {}  # every head that their page showed, by sequence
        self.page = ShownTable()
        self.connection: Connection | None = None
        self.plays = True
        self._world, self._loop, self._servers = world, loop, servers
        self.served_by = servers[0]
        self._sent = 0
        self._connected = 0
        self._answered = asyncio.Event()

    async def take_part(self) -> None:
        """Connect, and again whenever the connection is lost."""
        while True:
            if await self._connect():
                reading = asyncio.create_task(self._read())
                acting = asyncio.create_task(self._act())
                await asyncio.wait((reading, acting), return_when=asyncio.FIRST_COMPLETED)
                for task in (reading, acting):
                    task.cancel()
                    if task.done() and not task.cancelled():
                        task.result()
                assert self.connection is not None
                self.connection.cut()
                self.connection = None
            await asyncio.sleep(self.chance.uniform(*_AGAIN_SECONDS))

    async def _connect(self) -> bool:
        """Reach the server, if one serves."""
        server = self.chance.choice(self._servers)
        if server.floor is None or server.loop is None:
            return False
        self.served_by = server
        connection = Connection(self._loop, server.loop, self.chance)
        accepted: asyncio.Future[bool] = self._loop.create_future()
        asked = server.connect(connection, self.table, self.by)
        house, page = server.loop, self._loop

        def tell(is_there: bool) -> None:  # noqa: FBT001 - by the loop
            if not accepted.done():
                accepted.set_result(is_there)

        async def ask() -> None:
            try:
                is_there = await asked
            except LogError:  # the server answers 503
                is_there = False
            page.call_soon_threadsafe(tell, is_there)

        house.call_soon_threadsafe(lambda: house.create_task(ask()))
        try:
            is_there = await asyncio.wait_for(accepted, _ANSWER_SECONDS)
        except TimeoutError:
            is_there = False
        if not is_there:
            connection.cut()
            return False
        self.connection, self.page = connection, ShownTable()
        self._connected += 1
        return True

    async def _read(self) -> None:
        """Read what comes until the connection is lost."""
        assert self.connection is not None
        while (text := await self.connection.to_page.get()) is not None:
            message = json.decode(text)
            if message["kind"] in {"table", "news"}:
                self.page.show(message)
                self._note_head(message["head"])
            else:
                self._hear(message)

    def _note_head(self, head: dict[str, Any]) -> None:
        known = self.heads.setdefault(head["sequence"], head["hash"])
        assert known == head["hash"], f"two heads at {head['sequence']} were shown to {self.by.name}"

    def _hear(self, message: dict[str, Any]) -> None:
        """Take what became of a command."""
        id_, kind = message["id"], message["kind"]
        if kind == "done":
            self._note_head(message["head"])
            known = self.done.setdefault(id_, message)
            assert known["hash"] == message["hash"], f"{id_} was answered by two entries"
            assert self.page.shown["sequence"] >= message["sequence"] or self._connected > 1, (
                "an answer before its news"
            )
            self.refused.pop(id_, None)
            self._throw(id_)
        elif kind == "refused" or (kind == "down" and self._lets_be(id_)):
            if id_ not in self.done:
                self.refused[id_] = message["why"]
        else:  # in doubt, or down
            return
        self.waiting.pop(id_, None)
        self._answered.set()

    def _lets_be(self, id_: str) -> bool:
        """Return whether they let a command be of which they were told that it did nothing."""
        message = self.waiting.get(id_)
        return message is not None and not message.again and self.chance.random() < _GIVES_UP

    def _throw(self, id_: str) -> None:
        """Send the nonce of a throw whose wagers are closed: mostly at once, or late, or never."""
        message = self.waiting.get(id_)
        if message is None or not isinstance(message.command, k.Roll) or not message.command.nonce_digest:
            return
        if self.chance.random() < 0.8:
            wait = 0.0 if self.chance.random() < 0.7 else self.chance.uniform(0.0, 6.0)
            self._loop.call_later(wait, self._send, Message(nonce=_nonce(id_).hex()))

    def _send(self, message: Message) -> None:
        if self.connection is not None:
            self.connection.send_to_house(json.encode(message))

    async def _act(self) -> None:
        """Ask what became of what was sent before, then play."""
        for id_, message in list(self.waiting.items()):
            again = Message(id=id_, command=message.command, signed_by=message.signed_by, again=True)
            self.waiting[id_] = again
            self._send(Message(id=id_, is_outcome=True) if self.chance.random() < 0.4 else again)
        while True:
            await asyncio.sleep(self.chance.uniform(*_THINK_SECONDS))
            if self.waiting:
                self._answered.clear()
                try:
                    await asyncio.wait_for(self._answered.wait(), self.chance.uniform(1.0, _ANSWER_SECONDS))
                except TimeoutError:
                    return
            elif self.plays and self.page.shown:
                for _ in range(self.chance.choice((1, 1, 1, 2, 3))):
                    self._give(self._command())

    def _give(self, given: tuple[TableCommand, str]) -> None:
        self._sent += 1
        id_ = f"{self.by.account}-{self._sent}"
        command, signed_by = given
        if isinstance(command, k.Roll) and self.chance.random() < 0.7:
            command = k.Roll(seat=command.seat, nonce_digest=sha256(_nonce(id_)).hexdigest())
        message = self.waiting[id_] = Message(id=id_, command=command, signed_by=signed_by)
        self._send(message)
        if self.chance.random() < 0.1:
            self._world.faults["sent twice"] += 1
            self._send(message)

    def _command(self) -> tuple[TableCommand, str]:
        """Return what they do next, by what their page shows, and who signs it."""
        raise NotImplementedError


class Player(Person):
    """A player."""

    def _command(self) -> tuple[TableCommand, str]:
        return self._play(self.chance, self.page.shown["table"], self.page.shown["own"]), ""

    def _play(self, chance: Random, table: dict[str, Any], own: dict[str, Any]) -> TableCommand:
        seat = own["seat"]
        if not seat:
            taken = {row["seat"] for row in table["seats"]}
            return c.TakeSeat(seat=chance.choice([number for number in range(1, 9) if number not in taken] or [9]))
        if own["rack"] < 50_00:
            return c.BuyIn(seat=seat, cents=500_00)
        if table["offered_to"] == seat and chance.random() < 0.7:
            return c.AcceptDice(seat=seat)
        mine = [row for row in table["wagers"] if row["seat"] == seat]
        if table["shooter"] == seat and mine and chance.random() < 0.5:
            return k.Roll(seat=seat)
        wager, number, cents = chance.choice(_WAGERS)
        rare: tuple[TableCommand, ...] = (
            c.BuyIn(seat=seat, cents=500_00),
            c.LeaveSeat(seat=seat),
            c.DeclineDice(seat=seat),
            c.RemoveWager(seat=seat, wager=wager, number=number),
        )
        act = chance.random()
        if act < _FREEZES:
            return k.FreezeTable(reason="the dice were cocked", seat=seat)
        return chance.choice(rare) if act < _RARE else c.MakeWager(seat=seat, wager=wager, number=number, cents=cents)


class Boxperson(Person):
    """The crew: chips for the bank and back, and the end of freezes."""

    def _command(self) -> tuple[TableCommand, str]:
        if self.page.shown["table"]["frozen"]:
            return k.ReleaseTable(finding="they were not"), "flo"
        kind = self.chance.choice((c.Fill, c.Credit))
        return kind(cents=100_00 * self.chance.randint(1, 5), by="boxperson"), "ben"


def _nonce(id_: str) -> bytes:
    return sha256(f"nonce of {id_}".encode()).digest()
