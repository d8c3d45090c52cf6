"""What systemd is told: ready once requests are taken, signs of life while the loop goes round, and the end."""

from __future__ import annotations

import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
import uvicorn

from passline.cli.serve import listening_socket
from passline.web.server.service_manager import NotifyingServer, Watchdog, tell_service_manager
from tests.serving import serving
from tests.waiting import wait_until


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Listen as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield listening


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_server_says_that_it_is_ready_goes_on_and_stops(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    heard: list[bytes] = []

    def listen() -> None:
        while b"STOPPING=1" not in heard:
            heard.append(manager.recv(100))

    listening = Thread(target=listen, daemon=True)
    listening.start()
    with serving(tmp_path / "house", "--workers", str(workers)):
        wait_until(lambda: b"READY=1" in heard and heard[-1] == b"WATCHDOG=1")
        assert b"STOPPING=1" not in heard
    listening.join(60)
    assert heard.count(b"READY=1") == 1
    assert set(heard) == {b"READY=1", b"WATCHDOG=1", b"STOPPING=1"}


def test_a_loop_that_stands_still_gives_no_sign(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request holds up the loop of a server: no sign of life comes until it goes on."""
    monkeypatch.setenv("WATCHDOG_USEC", "3000")  # at every round of the loop, ten a second
    is_held_up, goes_on = Event(), Event()

    async def application(_scope: object, _receive: object, send: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        is_held_up.set()
        goes_on.wait(60)  # as a fault would, with the loop in hand
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    listening = listening_socket("127.0.0.1", 0)
    server = NotifyingServer(uvicorn.Config(application, lifespan="off", log_config=None))
    runs = Thread(target=server.run, args=([listening],), daemon=True)
    asking = Thread(target=httpx.get, args=(f"http://127.0.0.1:{listening.getsockname()[1]}",), kwargs={"timeout": 60})
    runs.start()
    assert [manager.recv(100), manager.recv(100)] == [b"READY=1", b"WATCHDOG=1"]
    asking.start()
    assert is_held_up.wait(60)
    manager.settimeout(0)
    with suppress(BlockingIOError):
        while manager.recv(100):  # what was said before
            pass
    manager.settimeout(0.5)
    try:
        with pytest.raises(TimeoutError):
            manager.recv(100)
    finally:
        goes_on.set()
    manager.settimeout(60)
    assert manager.recv(100) == b"WATCHDOG=1"
    asking.join(60)
    server.should_exit = True
    runs.join(60)
    assert not runs.is_alive()


def test_signs_are_given_only_where_somebody_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    tell_service_manager("READY=1")
    for usec, pid, seconds in (("", "", 0.0), ("30000000", "", 10.0), ("30000000", "1", 0.0), ("x", "", 0.0)):
        monkeypatch.setenv("WATCHDOG_USEC", usec)
        monkeypatch.setenv("WATCHDOG_PID", pid)
        assert Watchdog().seconds == seconds
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    assert Watchdog().seconds == 10.0
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    tell_service_manager("READY=1")  # systemd is gone: the server goes on
