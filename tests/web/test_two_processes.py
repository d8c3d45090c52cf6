"""Two server processes on one PostgreSQL database act as one house."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import uuid4

import httpx
import pytest

from passline.cli.main import main
from passline.client import Client, RequestRefused, TableConnection
from passline.game import commands as c
from passline.store.log_source import open_source
from passline.store.sealed import stored_of
from passline.tables.commands import FreezeTable
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import ScreensShown
from tests.house_processes import named_children
from tests.postgres import PostgresServer
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

TABLE = "maryland-1"


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    return postgres.database()


@pytest.fixture
def both(database: str, tmp_path: Path) -> Iterator[tuple[Serving, Serving]]:
    options = ("--database", database)
    with serving(tmp_path / "data", *options) as one, serving(tmp_path / "data", *options) as other:
        yield one, other


@pytest.mark.sweep
def test_every_worker_of_a_server_keeps_registration_closed(postgres: PostgresServer, tmp_path: Path) -> None:
    options = ("--database", postgres.database(), "--workers", "2", "--registration", "closed")
    body = {"name": "Pat", "password": "correct horse battery"}
    with serving(tmp_path / "data", *options) as server:
        asked = [httpx.post(f"{server.address}/api/register", json=body).status_code for _ in range(20)]
    assert set(asked) == {403}


@pytest.mark.whole
def test_one_process_writes_to_a_database_too_and_is_started_again(postgres: PostgresServer, tmp_path: Path) -> None:
    database = postgres.database()
    with serving(tmp_path / "data", "--database", database, "--workers", "2") as server, Client(server.address) as ann:
        ann.register("Ann", "correct horse battery")
        ann.command(TABLE, c.TakeSeat(seat=1))
        ann.command(TABLE, c.BuyIn(seat=1, cents=500_00))
        writes = named_children(server.process.pid)["passline-log"]
        os.kill(writes, signal.SIGKILL)
        done = ann.command(TABLE, c.MakeWager(seat=1, wager="field", cents=5_00))
        assert done.sequence
        assert named_children(server.process.pid)["passline-log"] != writes
    assert main(["verify", database]) == 0


@pytest.mark.whole
def test_two_processes_act_as_one_house(both: tuple[Serving, Serving]) -> None:
    one, other = both
    with Client(one.address) as ann, Client(other.address) as bob:
        _sit_down(ann, bob)
        with ann.live(TABLE) as hers, bob.live(TABLE) as his:
            done = his.do(c.MakeWager(seat=2, wager="field", cents=5_00))
            seen = next(news for news in hers if news.sequence >= done.sequence)
            assert [wager["seat"] for wager in seen.table["wagers"]] == [2]
        _the_same_id_by_both_acts_once(ann, other)
        _a_race_loses_nothing(ann, bob)
        for client in (ann, bob):
            table = client.table(TABLE)
            assert table["own"]["rack"] == 495_00


def _sit_down(ann: Client, bob: Client) -> None:
    ann.register("Ann", "correct horse battery")
    bob.register("Bob", "battery horse correct")
    for seat, client in enumerate((ann, bob), start=1):
        client.command(TABLE, c.TakeSeat(seat=seat))
        client.command(TABLE, c.BuyIn(seat=seat, cents=500_00))


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


@pytest.mark.whole
def test_a_freeze_records_what_screens_of_both_processes_had_shown(
    both: tuple[Serving, Serving], database: str
) -> None:
    """Ann's screen is at one process, Bob's at the other, where the floorperson freezes the table."""
    one, other = both
    with Client(one.address) as ann, Client(other.address) as bob, Client(other.address) as flo:
        _sit_down(ann, bob)
        _hire(one, flo)
        with ann.live(TABLE) as hers, bob.live(TABLE) as his:
            ann_saw = _confirmed(hers, c.MakeWager(seat=1, wager="field", cents=5_00))
            bob_saw = _confirmed(his, c.MakeWager(seat=2, wager="field", cents=5_00), since=ann_saw + 1)
            frozen = flo.command(TABLE, FreezeTable(reason="that was a six"), role="floorperson")
            assert frozen.events[0]["shown"] == {"1": 0, "2": bob_saw}
            for screen in (hers, his):
                shown = (news.table["frozen"] and news.table["frozen"]["shown"] for news in screen)
                assert next(one for one in shown if one and all(one.values())) == {"1": ann_saw, "2": bob_saw}
                screen.seen()  # the freeze itself, which they had not seen before it
                with pytest.raises(RequestRefused, match="already frozen"):
                    screen.do(FreezeTable(reason="I saw it too"))
        [dispute] = flo.get("/api/records?kind=disputes")["records"]
        seen = {seat: (one["sequence"], len(one["table"]["wagers"])) for seat, one in dispute["shown"].items()}
        assert seen == {"1": (ann_saw, 0), "2": (bob_saw, 1)}
    with open_source(database) as log:
        *_, last = (stored_of(line).entry for line in log.rows())
    assert (last.sequence, last.actor, last.role) == (frozen.sequence + 1, "house", "owner")
    assert TABLE_CODEC.events(last) == (ScreensShown(last.version - 1, {"1": ann_saw}),)
    assert main(["verify", database]) == 0


def _hire(server: Serving, flo: Client) -> None:
    """Make the person of this client a floorperson."""
    with Client(server.address) as owner:
        owner.accept(server.owner_link, name="Olga", password="correct horse battery", pin="729416")  # noqa: S106
        link = owner.post("/api/people", {"name": "Flo", "roles": ["floorperson"]})["path"]
    flo.accept(link, password="horse battery correct", pin="615243")  # noqa: S106


def _confirmed(screen: TableConnection, command: c.Command, *, since: int = 0) -> int:
    """Confirm what a screen shows and return it, then give a command that is not confirmed."""
    next(news for news in screen if news.sequence >= since)
    shown = screen.sequence
    screen.seen()
    screen.do(command)  # heard after that
    return shown
