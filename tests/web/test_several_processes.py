"""One house served by several processes from one folder: one writes the log, and each table has one that serves it."""

import os
import signal
import socket
import subprocess
import sys
from multiprocessing import current_process
from multiprocessing.synchronize import Event
from pathlib import Path
from time import monotonic, sleep
from types import SimpleNamespace

import httpx
import pytest
import uvicorn
import uvicorn.config

from passline.cli.main import main
from passline.client import Client
from passline.game import commands as c
from passline.web.server.beginnings import START_FAILED
from passline.web.workers import Pulse, seconds_waited, stop_processes
from tests.forks import FORKS
from tests.house_processes import children_of, named_children
from tests.serving import Serving, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.long

TABLE = "maryland-1"


def _seated(client: Client, seat: int, name: str) -> None:
    client.register(name, "correct horse battery")
    client.command(TABLE, c.TakeSeat(seat=seat))
    client.command(TABLE, c.BuyIn(seat=seat, cents=500_00))


def _reached(address: str) -> None:
    def is_up() -> bool:
        try:
            return httpx.get(f"{address}/health").is_success
        except httpx.HTTPError:
            return False

    wait_until(is_up)


def test_an_operator_sees_which_process_is_which(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--workers", "2") as server:
        wait_until(lambda: set(named_children(server.process.pid)) == {"passline-log", "passline-0", "passline-1"})


def test_the_process_that_writes_imports_little() -> None:
    """Every table waits while it is started again."""
    code = "import sys, passline.web.commits; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    heavy = {"uvicorn", "fastapi", "starlette", "psycopg", "passline.game", "passline.office", "passline.web.startup"}
    assert not heavy & set(found)
    assert START_FAILED == uvicorn.config.STARTUP_FAILURE


def test_screens_of_a_table_act_as_one_whichever_process_accepts_them(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data, "--workers", "2") as server:
        assert len(children_of(server.process.pid)) == 3
        with Client(server.address) as ann, Client(server.address) as bob:
            _seated(ann, 1, "Ann")
            _seated(bob, 2, "Bob")
            for _ in range(4):  # each connection is accepted by either of the two
                with ann.live(TABLE) as hers, bob.live(TABLE) as his:
                    done = his.do(c.MakeWager(seat=2, wager="field", cents=5_00))
                    seen = next(news for news in hers if news.sequence >= done.sequence)
                    assert [wager["seat"] for wager in seen.table["wagers"]] == [2]
                    gone = hers.do(c.MakeWager(seat=1, wager="any_seven", cents=1_00))
                    assert gone.sequence == done.sequence + 1
                    next(news for news in his if news.sequence >= gone.sequence)
                    hers.do(c.RemoveWager(seat=1, wager="any_seven"))
                    his.do(c.RemoveWager(seat=2, wager="field"))
            # Read at any process; those that do not serve the table follow it within moments.
            wait_until(lambda: {ann.table(TABLE)["own"]["rack"] for _ in range(6)} == {500_00})
    assert main(["verify", str(data)]) == 0


@pytest.mark.parametrize("which", ["writes", pytest.param("serves", marks=pytest.mark.sweep)])
def test_nothing_answered_is_lost_when_one_process_is_killed(tmp_path: Path, which: str) -> None:
    data = tmp_path / "data"
    with serving(data, "--workers", "2") as server, Client(server.address) as ann:
        _seated(ann, 1, "Ann")
        with ann.live(TABLE) as hers:
            done = hers.do(c.MakeWager(seat=1, wager="field", cents=5_00))
        processes = sorted(children_of(server.process.pid))
        killed = processes[0 if which == "writes" else 1]
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: len(set(children_of(server.process.pid)) - {killed}) == len(processes))
        assert set(processes) - {killed} < set(children_of(server.process.pid)), "the others go on"
        _reached(server.address)
        with Client(server.address, token=ann.token) as again:
            assert [wager["seat"] for wager in again.table(TABLE)["table"]["wagers"]] == [1]
            assert again.command(TABLE, c.MakeWager(seat=1, wager="any_seven", cents=1_00)).sequence > done.sequence
        _end_with_their_parent(server)
    assert main(["verify", str(data)]) == 0


def _end_with_their_parent(server: Serving) -> None:
    """Kill the process that started the others, and wait until they have ended."""
    children = list(children_of(server.process.pid))
    server.process.kill()
    wait_until(lambda: not any(map(_runs, children)))


def _runs(pid: int) -> bool:
    """Return whether a process has not ended; one that nobody has asked after yet is ended too."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False


def test_whoever_asks_while_no_process_serves_is_told_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data, "--workers", "2") as server:
        _reached(server.address)
        away = list[httpx.Response]()

        def is_told() -> bool:
            for process in sorted(children_of(server.process.pid))[1:]:  # again, if they were back before anybody asked
                os.kill(process, signal.SIGKILL)
            try:
                found = httpx.get(f"{server.address}/health/live")
            except httpx.TransportError:  # a connection of a process that was killed
                return False
            away.extend([found] * (found.status_code == httpx.codes.SERVICE_UNAVAILABLE))
            return bool(away)

        wait_until(is_told)
        assert away[0].headers["retry-after"] == "1"
        assert "being started again" in away[0].json()["refusals"][0]["why"]
        _reached(server.address)


@pytest.mark.sweep
@pytest.mark.parametrize("which", ["writes", "serves"])
def test_a_process_that_hangs_is_started_again_and_the_others_go_on(tmp_path: Path, which: str) -> None:
    data = tmp_path / "data"
    with serving(data, "--workers", "2") as server, Client(server.address) as ann:
        _seated(ann, 1, "Ann")
        processes = sorted(children_of(server.process.pid))
        hung = processes[0 if which == "writes" else 1]
        os.kill(hung, signal.SIGSTOP)
        wait_until(lambda: hung not in children_of(server.process.pid), seconds=200)
        wait_until(lambda: len(children_of(server.process.pid)) == len(processes))
        assert set(processes) - {hung} < set(children_of(server.process.pid)), "the others go on"
        _reached(server.address)
        with Client(server.address, token=ann.token) as again:
            assert again.table(TABLE)["own"]["rack"] == 500_00
    assert main(["verify", str(data)]) == 0


def test_a_process_hangs_when_its_event_loop_does_not_come_round_for_long() -> None:
    ticks, now = SimpleNamespace(value=0), monotonic()
    pulse = Pulse(ticks, 30.0)
    assert not pulse.is_lost(now + 500), "it has not begun"
    ticks.value = 7
    assert not pulse.is_lost(now + 510)
    assert not pulse.is_lost(now + 539)
    ticks.value = 8
    assert not pulse.is_lost(now + 560)
    assert not pulse.is_lost(now + 589)
    assert pulse.is_lost(now + 591)


def test_a_process_that_waits_for_a_processor_does_not_hang() -> None:
    ticks, now, waited = SimpleNamespace(value=1), monotonic(), {"main": 5.0, "other": 7.0}
    pulse = Pulse(ticks, 30.0, waited=lambda: dict(waited))
    assert not pulse.is_lost(now)
    waited["main"] = 5.0 + 580.0
    assert not pulse.is_lost(now + 600), "20 seconds of its own"
    assert pulse.is_lost(now + 611), "it ran, or waited for something else, for 31 of them"


def test_how_long_a_process_waited_for_a_processor_is_known() -> None:
    waited = seconds_waited(current_process())
    assert waited
    assert all(seconds >= 0 for seconds in waited.values())


def _sleep_on(is_deaf: Event) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    is_deaf.set()
    sleep(60)


def test_a_process_that_does_not_end_is_killed() -> None:
    is_deaf = FORKS.Event()
    process = FORKS.Process(target=_sleep_on, args=(is_deaf,))
    process.start()
    assert is_deaf.wait(30)
    stop_processes([process], within=0.2)
    assert process.exitcode == -signal.SIGKILL


@pytest.mark.whole
def test_processes_being_started_do_not_keep_the_port_of_a_killed_server(tmp_path: Path) -> None:
    """Children were born with the listening socket: the next server waited for them, up to 20 s on a busy machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "passline", "serve", "--port", str(port), "--data", str(tmp_path / "data")]
    with subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        wait_until(lambda: bool(children_of(server.pid)))
        children = children_of(server.pid)
        for child in children:
            os.kill(child, signal.SIGSTOP)  # held while they import, as on a busy machine
        server.kill()
    try:
        with socket.create_server(("127.0.0.1", port)):
            pass
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
