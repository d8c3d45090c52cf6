"""The views of a server's log are written by a process of their own, which ends with the server and only with it."""

import asyncio
import ctypes
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from threading import Event
from time import perf_counter

import pytest
from msgspec import json

from passline.office.views import writing
from passline.office.views.projections import projections_of
from passline.store.data_folder import open_log
from passline.store.log import LogError
from passline.store.sealed import Log
from passline.streams.projection import Projector
from passline.streams.projection_runner import LogFollower, LogViews, ViewsSource
from passline.streams.projection_store import VIEWS_FILE, ViewsNotReady, ViewStore
from tests.streams.tally import append


def _views(log: Log, data: Path) -> LogViews:
    source = ViewsSource(writing.__name__, str(data), "", log.log_id)
    return LogViews(log, data / VIEWS_FILE, projections_of(log), source)


def _nothing(_store: ViewStore) -> None:
    """Read nothing: what matters is how current it would be."""


async def _until(seconds: float, is_so: Callable[[], Awaitable[bool]]) -> None:
    end = perf_counter() + seconds
    while not await is_so():
        assert perf_counter() < end, "it never came to be so"
        await asyncio.sleep(0.05)


def _with_views(data: Path, play: Callable[[Log, LogViews], Awaitable[None]]) -> None:
    async def run() -> None:
        log = open_log(data)
        views = _views(log, data)
        views.start()
        try:
            await play(log, views)
        finally:
            await views.close()
            log.close()

    asyncio.run(run())


async def _has_caught_up(log: Log, views: LogViews) -> bool:
    try:
        _, seen = await views.read(_nothing)
    except ViewsNotReady:
        return False
    head = log.head()
    return head is not None and seen.as_of == head.sequence and not seen.fault


def _child(views: LogViews) -> int:
    assert views._process is not None
    assert views._process._process is not None
    return views._process._process.pid


@pytest.mark.whole
def test_a_process_of_their_own_writes_the_views_and_is_started_again_when_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.projection_runner.AGAIN_SECONDS", 0.05)
    (tmp_path / "msgspec.py").write_text("raise SystemExit", encoding="utf-8")  # somebody's, where the server started
    monkeypatch.chdir(tmp_path)

    async def play(log: Log, views: LogViews) -> None:
        await _until(60, lambda: _has_caught_up(log, views))
        killed = _child(views)
        assert killed != os.getpid()
        os.kill(killed, signal.SIGKILL)
        append(log, 1)
        await _until(60, lambda: _has_caught_up(log, views))
        assert _child(views) != killed
        append(log, 1)
        assert await _has_caught_up(log, views), "whoever has just written waits for it a moment"

    _with_views(tmp_path / "house", play)


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_one_thread_alone_gives_way_so_that_no_reader_waits_at_low_priority(tmp_path: Path) -> None:
    async def play(log: Log, views: LogViews) -> None:
        await _until(60, lambda: _has_caught_up(log, views))
        child = _child(views)

        async def gives_way() -> bool:
            append(log, 1)  # for which nobody waits
            return max(map(_nice, _threads(child))) > _nice(child)

        await _until(60, gives_way)
        assert _nice(child) == _nice(os.getpid())

    _with_views(tmp_path / "house", play)


def _threads(process: int) -> list[int]:
    return [int(thread.name) for thread in Path(f"/proc/{process}/task").iterdir()]


def _nice(thread: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, thread)


def test_a_process_for_a_house_that_is_gone_makes_no_new_one(tmp_path: Path) -> None:
    data = tmp_path / "house"

    async def play(log: Log, views: LogViews) -> None:
        await _until(60, lambda: _has_caught_up(log, views))
        data.rename(tmp_path / "elsewhere")  # at once: the process may write into it until it is killed
        os.kill(_child(views), signal.SIGKILL)

        async def is_told() -> bool:
            return "gone" in views.fault

        await _until(60, is_told)
        assert not data.exists()

    _with_views(data, play)
    with pytest.raises(LogError, match="is not here any more"):
        open_log(data, expected="another-log")
    assert not data.exists()


def test_the_process_ends_with_its_server_however_that_ends(tmp_path: Path) -> None:
    data = tmp_path / "house"
    log = open_log(data)
    source = ViewsSource(writing.__name__, str(data), "", log.log_id)
    server = (
        "import sys; from msgspec import json; from passline.streams.projection_runner import *\n"
        "process = ViewsProcess(json.decode(sys.argv[1], type=ViewsSource))\n"
        "import threading; threading.Thread(target=process.attend, args=(print,), daemon=True).start()\n"
        "while process._process is None: pass\n"
        "print(process._process.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", server, json.encode(source).decode()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()

    async def is_gone() -> bool:
        listed = await asyncio.create_subprocess_exec("ps", "-o", "stat=", "-p", str(child), stdout=subprocess.PIPE)
        state, _ = await listed.communicate()
        return state.strip() in {b"", b"Z"}

    asyncio.run(_until(60, is_gone))
    log.close()


def test_only_a_batch_that_nobody_waits_for_gives_way_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._GATHER_SECONDS", 0.2)
    log, touched, nudged, patient = open_log(tmp_path), tmp_path / "views.lock", Event(), list[int]()
    touched.touch()
    store = ViewStore(tmp_path / VIEWS_FILE, log.derive("views"))

    def patiently(apply: Callable[[], int]) -> int:
        patient.append(apply())
        return patient[-1]

    follower = LogFollower(Projector(log, store, projections_of(log)), log, nudged, touched, patiently)
    follower.step()  # of a server that has just begun, whose pages somebody opens
    append(log, 1)
    nudged.set()
    follower.step()
    append(log, 1)
    os.utime(touched, (1, 1))  # by another process
    follower.step()
    assert patient == []
    append(log, 2)
    follower.step()
    assert patient == [2]
    store.close()
    log.close()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_the_server_and_not_before(tmp_path: Path, stop: signal.Signals) -> None:
    """Ctrl-C, and a service manager that stops a service, tell every process: the server must still find this one."""
    with closing(open_log(tmp_path)) as log:
        source = ViewsSource(writing.__name__, str(tmp_path), "", log.log_id)
    command = [sys.executable, "-m", source.module]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.encode(source) + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b'""\n', "it goes on, without a fault"
        process.send_signal(stop)
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.skipif(platform.machine() not in writing._IOPRIO_SET, reason="the call's number is known for two kinds")
def test_it_writes_to_the_disk_when_nobody_else_does(tmp_path: Path) -> None:
    async def play(log: Log, views: LogViews) -> None:
        await _until(60, lambda: _has_caught_up(log, views))
        get = {"x86_64": 252, "aarch64": 31}[platform.machine()]  # ioprio_get
        threads = map(int, os.listdir(f"/proc/{_child(views)}/task"))  # noqa: PTH208 - a path would block, ruff says
        assert {ctypes.CDLL(None).syscall(get, writing._WHO_PROCESS, thread) for thread in threads} == {
            writing._IDLE_CLASS
        }

    _with_views(tmp_path, play)
