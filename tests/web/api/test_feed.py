"""Feeds over HTTP: who may follow which, and what a system is told; and a consumer that is killed, as is the server."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.store.data_folder import open_log
from passline.store.timestamps import utc_now
from passline.streams.feed import entry_place
from passline.web.api.feed import FEEDS
from passline.web.duties import FEED_READERS
from passline.web.startup import Settings, prepare
from tests.killed_server import TABLE, KilledServer
from tests.people.house import PASSWORD, PIN, QUICK
from tests.waiting import wait_until
from tests.web.house import House

CONSUMER = Path(__file__).resolve().parents[3] / "examples" / "follow_feed.py"


def _lines(house: House, who: str, feed: str, query: str = "") -> list[dict[str, Any]]:
    answer = house.people[who].get(f"/api/feed/{feed}{query}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    return [msgspec.json.decode(line) for line in answer.content.splitlines()]


@pytest.mark.parametrize("feed", FEEDS)
def test_only_its_readers_follow_a_feed(house: House, feed: str) -> None:
    for who, page in house.people.items():
        expected = 200 if who in FEED_READERS[feed] else 401 if who == "nobody" else 403
        assert page.get(f"/api/feed/{feed}").status_code == expected, (who, feed)
    assert house.people["owner"].get("/api/feed/nothing").status_code == 404


def test_surveillance_is_told_everything_in_order(house: House) -> None:
    *lines, end = _lines(house, "surveillance", "surveillance")
    log = house.server.log
    assert [line["id"] for line in lines] == [entry_place(stored) for stored in log.read()]
    assert end == {"after": lines[-1]["id"], "behind": 0}
    cut = _lines(house, "surveillance", "surveillance", f"?after={lines[2]['id']}&limit=2")
    assert cut[:-1] == lines[3:5]


def test_player_tracking_is_told_of_seats_money_and_wagers_and_of_nothing_else(house: House) -> None:
    *lines, _end = _lines(house, "owner", "players")
    told = [event["event"].partition("/")[0] for line in lines for event in line["events"]]
    assert {"player-seated", "buy-in-made", "wager-made", "wager-lost", "roll-settled"} <= set(told)
    assert {line["stream"] for line in lines} == {"table/craps-1"}
    assert not {"dice-revealed", "account-created", "logged-in"} & set(told)


def test_a_place_that_the_log_does_not_have_is_refused_with_the_reason(house: House) -> None:
    answer = house.people["surveillance"].get("/api/feed/surveillance?after=3:00")
    assert answer.status_code == 409
    assert "is not in this log" in answer.json()["refusals"][0]["why"]


# --- A consumer that is killed, and a server --------------------------------------------------------------------------


@contextmanager
def _consumer(server: KilledServer, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run the consumer of the examples until the end of the block, which kills it if nothing did before."""
    address = f"http://127.0.0.1:{server.port}"
    command = [sys.executable, "-I", str(CONSUMER), address, "Sue", "surveillance", str(folder)]
    with subprocess.Popen(command, env={**os.environ, "PASSLINE_PASSWORD": PASSWORD}) as running:
        try:
            yield running
        finally:
            running.send_signal(signal.SIGKILL)


def _place(folder: Path) -> bytes:
    path = folder / "place"
    return path.read_bytes() if path.exists() else b""


def _kept(folder: Path) -> list[str]:
    path = folder / "lines.ndjson"
    written = path.read_bytes() if path.exists() else b""
    return [msgspec.json.decode(line)["id"] for line in written.splitlines(keepends=True) if line.endswith(b"\n")]


def _house_on_disk(folder: Path) -> KilledServer:
    """Return a house with a player and somebody of surveillance, by whose name and password the consumer logs in."""
    settings = Settings(data=folder)
    prepare(settings)
    log = open_log(settings.data)
    desk = FrontDesk(log, utc_now, hasher=QUICK)
    link = desk.first_owner()
    assert isinstance(link, Link)
    olga = desk.accept_invitation(link.token, name="Olga", password=PASSWORD, pin=PIN)
    assert isinstance(olga, Welcome)
    invited = desk.invite(by=olga.session.account.id, roles=("surveillance",))
    assert isinstance(invited, Link)
    desk.accept_invitation(invited.token, name="Sue", password=PASSWORD)
    ann = desk.register(name="Ann", password=PASSWORD)
    assert isinstance(ann, Welcome)
    log.close()
    return KilledServer(settings, {"Ann": ann.token})


def _buys_in(server: KilledServer, id_: str) -> None:
    for command in ({"command": "take-seat", "seat": 1}, {"command": "buy-in", "seat": 1, "cents": 20_00}):
        path = f"/api/tables/{TABLE}/commands"
        server.posts("Ann", path, {"id": f"{command['command']} {id_}", "command": command})


def _wait_for_more(folder: Path) -> None:
    """Wait until the consumer has kept more than it has now."""
    before = _place(folder)
    wait_until(lambda: _place(folder) != before)


@pytest.mark.whole
@pytest.mark.long
def test_every_entry_is_kept_once_though_consumer_and_server_are_killed(tmp_path: Path) -> None:
    server, folder = _house_on_disk(tmp_path / "house"), tmp_path / "kept"
    for turn in ("the consumer", "the server"):
        with server.served(), _consumer(server, folder) as running:
            _wait_for_more(folder)
            place = _place(folder)
            _buys_in(server, turn)
            _wait_for_more(folder)
            if turn == "the server":
                server.kill()
            else:
                running.send_signal(signal.SIGKILL)
                _buys_in(server, f"after {turn}")
        (folder / "place").write_bytes(place)  # as after a kill between the lines and the place, and within a line
        lines = (folder / "lines.ndjson").read_bytes()
        (folder / "lines.ndjson").write_bytes(lines[:-20])
    with server.served(), _consumer(server, folder):
        _buys_in(server, "at the end")
        log = open_log(server.settings.data)
        try:
            wait_until(lambda: _kept(folder)[-1:] == [entry_place(stored) for stored in log.read()][-1:])
            assert _kept(folder) == [entry_place(stored) for stored in log.read()]
        finally:
            log.close()
