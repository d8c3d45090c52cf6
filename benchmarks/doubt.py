"""Electronic dice while COUNT commits (1,000) are in doubt: no roll is repeated, chosen, or seen before wagers close.

Two servers deal one table from one PostgreSQL database. The answers of commits are lost, or their requests; database
sessions are terminated; servers are killed. A trigger in the database reads every roll before it is committed, writes
it down, and refuses some. Afterwards every roll must be the one that the trigger saw first, each closing must have been
durable when its roll was first seen, and `verify` must throw all of them again. Run it with `./x bench doubt [COUNT]`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing.connection
import os
import random
import re
import secrets
import signal
import sys
import tempfile
import time
from collections import defaultdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from passline.store.data_folder import open_log
from passline.store.entry import Stored
from passline.tables.dice.proofs import DiceProofs
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import DiceRevealed
from passline.tables.verify import decision_faults
from passline.web.startup import Settings
from tests.forks import FORKS
from tests.killed_server import TABLE, Player, seated_house, serve_until_killed
from tests.postgres import PostgresServer, postgres_server
from tests.postgres_proxy import PostgresProxy, postgres_proxy

COUNT = 1_000
PLAYERS = 3
PROGRESS = 100
_LOOKS = 80
SPY = """CREATE FUNCTION public.spy() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE told jsonb; is_durable boolean;
    BEGIN
        IF position('dice-revealed/1' IN convert_from(NEW.body, 'UTF8')) > 0 THEN
            told := convert_from(NEW.body, 'UTF8')::jsonb -> 'command';
            SELECT NOT xmin = pg_current_xact_id()::xid INTO is_durable FROM passline.entries
                WHERE stream = NEW.stream AND version = (told ->> 'closing')::bigint;
            RAISE LOG 'spied closing=% key=% nonce=% durable=%', told ->> 'closing', told ->> 'key',
                told ->> 'nonce', coalesce(is_durable, false);
            IF random() < 0.2 THEN RAISE EXCEPTION 'the spy refuses this roll'; END IF;
        END IF;
        RETURN NEW;
    END $$;
CREATE TRIGGER spy BEFORE INSERT ON passline.entries FOR EACH ROW EXECUTE FUNCTION public.spy();"""
SPIED = re.compile(r"spied closing=(\d+) key=([0-9a-f]+) nonce=([0-9a-f]*) durable=(\w+)")


class Shooter(Player):
    """A player who throws with a nonce, mostly sends it, and notes every roll that the screen shows."""

    def __init__(self, player: Player) -> None:
        super().__init__(player.account, player.token, player.seat)
        self.waiting = player.waiting
        self.nonces: dict[str, str] = {}  # of throws by id
        self.shown: dict[int, str] = {}  # keys of rolls by number

    async def play_on(self, ports: list[int], chance: random.Random) -> None:
        """Play at one of the servers after another, until cancelled."""
        while True:
            with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake, EOFError, TimeoutError):
                uri = f"ws://127.0.0.1:{chance.choice(ports)}/api/tables/{TABLE}/live"
                async with asyncio.timeout(chance.uniform(1, 6)):
                    async with connect(uri, additional_headers={"Authorization": f"Bearer {self.token}"}) as screen:
                        await self._play_at(screen, chance)
            await asyncio.sleep(0.02)

    async def _play_at(self, screen: ClientConnection, chance: random.Random) -> None:
        for id_, command in list(self.waiting.items()):
            await screen.send(msgspec.json.encode({"id": id_, "command": command, "again": True}).decode())
        while True:
            if len(self.waiting) < 3:
                await self._send(screen, chance)
            message = msgspec.json.decode(await screen.recv())
            self._receive(message)
            self._note(message.get("changed", {}) or message.get("table", {}))
            nonce = self.nonces.get(message.get("id", "")) if message["kind"] == "done" else None
            if nonce and chance.random() < 0.8:
                await screen.send(msgspec.json.encode({"nonce": nonce}).decode())
            await asyncio.sleep(0.01)

    def _command(self, chance: random.Random) -> dict[str, Any]:
        command = super()._command(chance)
        if command["command"] == "roll" and chance.random() < 0.7:
            nonce = secrets.token_bytes(32)
            command["nonce_digest"] = sha256(nonce).hexdigest()
            self.nonces[command["nonce_digest"]] = nonce.hex()
        return command

    async def _send(self, screen: ClientConnection, chance: random.Random) -> None:
        await super()._send(screen, chance)
        id_, command = next(reversed(self.waiting.items()))
        if digest := command.get("nonce_digest"):
            self.nonces[id_] = self.nonces.pop(digest)

    def _note(self, view: dict[str, Any]) -> None:
        if proof := view.get("proof"):
            before = self.shown.setdefault(proof["number"], proof["key"])
            assert before == proof["key"], f"roll {proof['number']} was shown twice, with other dice"


class Server:
    """A server process behind a proxy of its own, started again whenever it is killed."""

    def __init__(self, settings: Settings, proxy: PostgresProxy) -> None:
        self.settings, self.proxy = settings, proxy
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start the process and learn its port; again, if its log is taken away while it starts."""
        self.port = 0
        while not self.port:
            ours, its = FORKS.Pipe()
            self._process = FORKS.Process(target=serve_until_killed, args=(self.settings, its), daemon=True)
            self._process.start()
            its.close()
            pipe: multiprocessing.connection.Connection = ours
            with contextlib.suppress(EOFError):
                self.port = pipe.recv()
            pipe.close()

    @property
    def is_up(self) -> bool:
        """Whether the process runs: it ends by itself if its log is taken away while it starts."""
        return self._process.is_alive()

    def kill(self) -> None:
        """Kill the process."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid or 0, signal.SIGKILL)
        self._process.join()


async def harass(servers: list[Server], shooters: list[Shooter], url: str, count: int) -> dict[str, int]:
    """Bring that many commits into doubt while people play; return how."""
    chance, done = random.Random(), dict.fromkeys(("answers lost", "requests lost", "terminated", "killed"), 0)
    ports = [server.port for server in servers]
    playing = [asyncio.create_task(shooter.play_on(ports, chance)) for shooter in shooters]
    told = 0
    with psycopg.connect(url, autocommit=True) as database:
        while sum(done.values()) < count:
            await asyncio.sleep(chance.uniform(0.01, 0.1))
            place = chance.randrange(len(servers))
            server, act = servers[place], chance.random()
            if act < 0.06 or not server.is_up:
                done["killed"] += server.is_up
                server.kill()
                await asyncio.to_thread(server.start)
                ports[place] = server.port
            elif act < 0.2:
                sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'passline'"
                done["terminated"] += bool(database.execute(sql).fetchall())
            else:
                what = "answer" if act < 0.75 else "request"
                before = server.proxy.lost
                server.proxy.lose(what, times := chance.randint(1, 4))  # type: ignore[arg-type]
                for _ in range(_LOOKS):  # until commits come by
                    if server.proxy.lost >= before + times:
                        break
                    await asyncio.sleep(0.01)
                server.proxy.lose("none", 0)
                done[f"{what}s lost"] += server.proxy.lost - before
            for task in playing:
                if task.done():
                    task.result()  # raises what a player found wrong
            if sum(done.values()) // PROGRESS > told:
                told = sum(done.values()) // PROGRESS
                print(f"... {sum(done.values()):,} in doubt", file=sys.stderr, flush=True)
    await asyncio.sleep(8)  # every open throw is completed
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return done


def check(settings: Settings, shooters: list[Shooter], server_log: str) -> dict[str, int]:
    """Check the log, what the trigger saw, and what screens showed; return the counts."""
    log = open_log(settings.data, settings.database)
    entries = list(log.read())
    log.close()
    acknowledged, elsewhere = _answered(shooters, entries)
    proofs = DiceProofs()
    assert list(decision_faults(entries, proofs)) == []
    of_table = [one.entry for one in entries if one.entry.stream == f"table/{TABLE}"]
    rolls = [event for one in of_table for event in TABLE_CODEC.events(one) if isinstance(event, DiceRevealed)]
    assert len(rolls) == proofs.proved == len({roll.key for roll in rolls}), "a key was used twice"
    spied = defaultdict[int, set[tuple[str, str]]](set)
    attempts = 0
    for closing, key, nonce, durable in SPIED.findall(server_log):
        attempts += 1
        assert durable in {"t", "true"}, f"the roll of closing {closing} was seen before the closing was durable"
        spied[int(closing)].add((key, nonce))
    for roll in rolls:
        assert spied.pop(roll.closing) == {(roll.key, roll.nonce)}, f"closing {roll.closing} had two possible rolls"
    assert not spied, "a roll was seen that is not in the log"
    keys = {roll.number: roll.key for roll in rolls}
    assert all(keys[number] == key for one in shooters for number, key in one.shown.items())
    return {
        "rolls": len(rolls),
        "seen_by_the_trigger": attempts,
        "without_nonce": proofs.without_nonce,
        "acknowledged": acknowledged,
        "refused here, done there": elsewhere,
    }


def _answered(shooters: list[Shooter], entries: list[Stored]) -> tuple[int, int]:
    """Return how many commands were acknowledged, and how many were refused by one server and done by the other.

    All that were acknowledged are there once. A player who goes to the other server before an answer came may be
    refused there while the first one still has the command.
    """
    of_table = [one.entry for one in entries if one.entry.stream == f"table/{TABLE}"]
    by_id = {(one.actor, one.id): one for one in of_table}
    assert len(by_id) == len(of_table), "a command acted twice"
    acknowledged = elsewhere = 0
    for shooter in shooters:
        for id_, answer in shooter.answers.items():
            entry = by_id.get((shooter.account, id_))
            if answer["kind"] == "done":
                assert entry is not None, f"{id_} was acknowledged and is lost"
                assert entry.sequence == answer["sequence"]
                acknowledged += 1
            else:
                elsewhere += entry is not None
    return acknowledged, elsewhere


def main(arguments: list[str]) -> int:
    """Harass a house and check it; return 0 if every roll is proved. A fault raises."""
    count = int(arguments[0].replace(",", "")) if arguments else COUNT
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, postgres_server() as postgres:
        figures = _harassed(postgres, Path(folder), count)
    figures["seconds"] = round(time.monotonic() - begun)
    for name, figure in figures.items():
        print(f"{name:<24} {figure:>9,}")
    print("repeated 0, chosen 0, seen before wagers were closed 0; verify throws every roll again")
    print(json.dumps({"bench": "doubt", **figures}))
    return 0


def _harassed(postgres: PostgresServer, folder: Path, count: int) -> dict[str, int]:
    url = postgres.database()
    settings = Settings(data=folder / "house", database=url)
    shooters = [Shooter(player) for player in seated_house(settings, PLAYERS)]
    with psycopg.connect(url, autocommit=True) as database:
        database.execute(SPY.encode())
    with postgres_proxy(url) as (first, first_url), postgres_proxy(url) as (second, second_url):
        ways = ((first, first_url), (second, second_url))
        servers = [Server(msgspec.structs.replace(settings, database=way), proxy) for proxy, way in ways]
        done = asyncio.run(harass(servers, shooters, url, count))
        for server in servers:
            server.kill()
    return done | check(settings, shooters, postgres.log_text())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
