"""What systemd is told: ready once requests are taken, signs of life while the loop goes round, and the end."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from passline.web.server.service_manager import Watchdog, tell_service_manager
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
    """Signs come from the loop itself: none while it is held up, and one as soon as it goes on."""
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    watchdog = Watchdog()

    async def tick() -> None:
        watchdog.give_sign()

    asyncio.run(tick())
    assert manager.recv(100) == b"WATCHDOG=1"
    manager.settimeout(0)
    with pytest.raises(BlockingIOError):
        manager.recv(100)


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
