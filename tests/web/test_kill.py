"""kill -9 at random moments under load: nothing that was acknowledged is lost, and nothing acts twice.

The suite kills a few times; PASSLINE_KILLS=200 kills as often as the issue asks, over SQLite and PostgreSQL.
"""

import os
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import sleep
from uuid import uuid4

import pytest

from passline.client import Client, Done
from passline.game import commands as c
from passline.store.opening import open_log
from passline.store.verify import verify_log
from passline.tables.replay import replay_faults
from tests.postgres import PostgresServer, postgres
from tests.serving import serving

__all__ = ["postgres"]  # a fixture
KILLS = int(os.environ.get("PASSLINE_KILLS", "3"))
TABLE = "maryland-1"
_STAKE = 5_00
_RACK = 500_00


class Player(Thread):
    """Makes and removes a wager for ever, each under an id of its own, and keeps what was acknowledged."""

    def __init__(self, client: Client, seat: int, stop: Event) -> None:
        super().__init__()
        self.client, self.seat, self.stopping = client, seat, stop
        self.acknowledged: dict[str, Done] = {}
        self.fault: BaseException | None = None

    def run(self) -> None:
        wagers = (
            c.MakeWager(seat=self.seat, wager="field", cents=_STAKE),
            c.RemoveWager(seat=self.seat, wager="field"),
        )
        try:
            while not self.stopping.is_set() or len(self.acknowledged) % 2:
                id_ = str(uuid4())
                self.acknowledged[id_] = self.client.command(TABLE, wagers[len(self.acknowledged) % 2], id=id_)
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            self.fault = error


@pytest.mark.slow
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_nothing_acknowledged_is_lost_or_doubled(store: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    chance = random.Random(20261115)
    data, database = tmp_path / "data", ""
    if store == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        database = server.database()
    options = ("--port", str(_free_port()), *(("--database", database) if database else ()))
    stop = Event()
    with _seated(data, options) as clients:
        players = [Player(client, seat, stop) for seat, client in enumerate(clients, start=1)]
        for kill in range(KILLS):
            with serving(data, *options) as running:
                if kill == 0:
                    for player in players:
                        player.start()
                sleep(chance.uniform(0.05, 0.6))  # a moment nobody chose
                running.process.kill()
        with serving(data, *options):
            stop.set()
            for player in players:
                player.join(60)
                assert player.fault is None
                own = player.client.table(TABLE)["own"]
                assert own["rack"] == _RACK
    _is_all_there(data, database, players)


@contextmanager
def _seated(data: Path, options: tuple[str, ...]) -> Iterator[list[Client]]:
    """Three players with chips; their clients outlive the server."""
    clients = []
    with serving(data, *options) as running:
        for seat in (1, 2, 3):
            client = Client(running.address, patience=60)
            client.register(f"Player {seat}", "correct horse battery")
            client.command(TABLE, c.TakeSeat(seat=seat))
            client.command(TABLE, c.BuyIn(seat=seat, cents=_RACK))
            clients.append(client)
    yield clients
    for client in clients:
        client.close()


def _is_all_there(data: Path, database: str, players: list[Player]) -> None:
    log = open_log(data, database)
    entries = list(log.read())
    assert verify_log(log.lines(), log.public_key, log.head(), every_seal=True).is_intact
    assert not list(replay_faults(entries))
    logged = {stored.entry.id: stored for stored in entries if stored.entry.stream == f"table/{TABLE}"}
    told = 0
    for player in players:
        for id_, done in player.acknowledged.items():
            assert logged[id_].entry.sequence == done.sequence
            assert entries[done.head["sequence"] - 1].hash.hex() == done.head["hash"]
            told += 1
    wagers = [one for one in logged.values() if b"field" in bytes(one.entry.command)]
    assert told == len(wagers) > 0
    log.close()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
