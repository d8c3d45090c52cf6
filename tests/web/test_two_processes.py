"""Two server processes on one PostgreSQL: one house, whichever of them somebody reaches."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import uuid4

import httpx
import pytest

from passline.client import Client
from passline.game import commands as c
from tests.postgres import PostgresServer, postgres
from tests.serving import Serving, serving

__all__ = ["postgres"]  # a fixture
TABLE = "maryland-1"


@pytest.fixture
def both(postgres: PostgresServer, tmp_path: Path) -> Iterator[tuple[Serving, Serving]]:
    database = ("--database", postgres.database())
    with serving(tmp_path / "data", *database) as one, serving(tmp_path / "data", *database) as other:
        yield one, other


def test_every_worker_of_a_server_keeps_registration_closed(postgres: PostgresServer, tmp_path: Path) -> None:
    options = ("--database", postgres.database(), "--workers", "2", "--registration", "closed")
    body = {"name": "Pat", "password": "correct horse battery"}
    with serving(tmp_path / "data", *options) as server:
        asked = [httpx.post(f"{server.address}/api/register", json=body).status_code for _ in range(20)]
    assert set(asked) == {403}


def test_two_processes_are_one_house(both: tuple[Serving, Serving]) -> None:
    one, other = both
    with Client(one.address) as ann, Client(other.address) as bob:
        ann.register("Ann", "correct horse battery")
        bob.register("Bob", "battery horse correct")
        for seat, client in enumerate((ann, bob), start=1):
            client.command(TABLE, c.TakeSeat(seat=seat))
            client.command(TABLE, c.BuyIn(seat=seat, cents=500_00))
        with ann.live(TABLE) as hers, bob.live(TABLE) as his:
            done = his.do(c.MakeWager(seat=2, wager="field", cents=5_00))
            seen = next(news for news in hers if news.sequence >= done.sequence)
            assert [wager["seat"] for wager in seen.table["wagers"]] == [2]
        _the_same_id_by_both_acts_once(ann, other)
        _a_race_loses_nothing(ann, bob)
        for client in (ann, bob):
            table = client.table(TABLE)
            assert table["own"]["rack"] == 495_00


def _the_same_id_by_both_acts_once(ann: Client, other: Serving) -> None:
    with Client(other.address, token=ann.token) as elsewhere:
        wager, id_ = c.MakeWager(seat=1, wager="field", cents=5_00), str(uuid4())
        assert ann.command(TABLE, wager, id=id_).sequence == elsewhere.command(TABLE, wager, id=id_).sequence


def _a_race_loses_nothing(ann: Client, bob: Client) -> None:
    faults: list[BaseException] = []

    def play(client: Client, seat: int) -> None:
        try:
            for _ in range(15):
                client.command(TABLE, c.MakeWager(seat=seat, wager="any_seven", cents=1_00))
                client.command(TABLE, c.RemoveWager(seat=seat, wager="any_seven"))
        except BaseException as error:  # noqa: BLE001 - told by the test's own thread
            faults.append(error)

    threads = [Thread(target=play, args=(client, seat)) for seat, client in enumerate((ann, bob), start=1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
