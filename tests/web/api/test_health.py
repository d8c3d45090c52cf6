"""Health tells the truth about the log within seconds, whatever hangs, and apart from whether the process lives."""

import asyncio
import os
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest

from passline.store.data_folder import DATABASE_FILE, open_log
from passline.store.log import CommitInDoubt, LogError
from passline.streams.writer import ThreadWriter
from passline.web.api.health import HealthCheck
from passline.web.server.metrics_listener import metrics_text
from tests.event_loop import asynchronous
from tests.store.drafts import draft
from tests.web.house import House


def again(house: House) -> Any:  # noqa: ANN401 - a response of httpx
    house.server.app.state.health._found_at = float("-inf")
    return house.people["nobody"].get("/health")


def test_liveness_is_apart_from_readiness(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    page = house.people["nobody"]
    assert page.get("/health/ready").json()["status"] == "up"
    with monkeypatch.context() as patched:
        patched.setattr(house.server.log, "check", _down)
        assert (again(house).status_code, page.get("/health/ready").status_code) == (503, 503)
        assert page.get("/health/live").json()["status"] == "up"  # a restart would not help
    assert again(house).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(ThreadWriter, "is_alive", property(lambda _writer: False))
        assert page.get("/health/live").status_code == 503


def test_health_and_metrics_say_that_a_server_is_busy(house: House) -> None:
    load = house.server.services.load
    assert again(house).json()["is_busy"] is False
    for _ in range(20):
        load.note(0.5)
    assert again(house).json()["is_busy"] is True
    assert b"passline_busy 1.0" in metrics_text(house.server.services)


def _down(*_given: object) -> None:
    raise LogError("postgresql://10.0.0.7: gone")


def test_health_writes_as_well_as_reads(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is told even if no command has failed yet."""
    house.server.services.floor.writer.written_at = float("-inf")
    with monkeypatch.context() as patched:
        patched.setattr(house.server.log.vault, "put", _down)
        assert again(house).status_code == 503
    assert again(house).status_code == 200


@asynchronous
async def test_a_stalled_database_is_told_in_time_and_takes_one_thread() -> None:
    released, probes = Event(), []

    def probe() -> str:
        probes.append(1)
        released.wait()
        return ""

    check, begun = HealthCheck(probe, lambda: 0.0), monotonic()
    found = await asyncio.gather(*(check.fault() for _ in range(50)))
    assert monotonic() - begun < 10
    assert all("stalled" in one for one in found)
    begun = monotonic()
    assert "stalled" in await check.fault()  # at once: the probe has hung long enough
    assert monotonic() - begun < 1
    assert len(probes) == 1
    released.set()
    async with asyncio.timeout(60):
        while await check.fault():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


@asynchronous
async def test_a_finding_is_shared_and_forgotten_soon() -> None:
    findings = iter(["full", ""])
    check = HealthCheck(lambda: next(findings), lambda: 0.0)
    assert [await check.fault() for _ in range(5)] == ["full"] * 5
    check._found_at = float("-inf")
    assert await check.fault() == ""


@asynchronous
async def test_a_commit_that_takes_too_long_and_a_probe_that_fails_are_findings() -> None:
    def fails() -> str:
        raise ZeroDivisionError

    assert "has not answered for 30 seconds" in await HealthCheck(lambda: "", lambda: 30.0).fault()
    assert "ZeroDivisionError" in await HealthCheck(fails, lambda: 0.0).fault()


@asynchronous
async def test_a_full_disk_and_a_vanished_folder_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log(tmp_path)
    writer = ThreadWriter(log)
    assert not writer.probe()
    with monkeypatch.context() as patched:
        found = os.statvfs(tmp_path)
        patched.setattr("os.statvfs", lambda _path: os.statvfs_result((*found[:4], 10, *found[5:])))
        assert writer.probe() == "the disk of the log is full"
        with pytest.raises(LogError, match="only 40,960 bytes are free") as full:
            log.append([draft(0)])
        assert not isinstance(full.value, CommitInDoubt)  # it was not even tried
    assert not writer.probe()
    (tmp_path / DATABASE_FILE).unlink()
    assert "files are gone or were replaced" in writer.probe()
    assert str(tmp_path) not in writer.probe()
    with pytest.raises(LogError):
        log.append([draft(0)])
    await writer.close()
    log.close()
