"""Work in processes beside a server's: it is done, ended when it takes too long, and gone with whoever wanted it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest

from passline.side_processes import NICE, SideProcess, TooSlow, WorkFailed

LOOK_SECONDS = 60


@pytest.fixture
def beside() -> Iterator[SideProcess]:
    """A process that evaluates what it is given."""
    process = SideProcess("builtins:eval", seconds=60)
    yield process
    process.close()


def test_work_is_done_in_another_process_of_low_priority(beside: SideProcess) -> None:
    done = beside.do(b"b'%d' % __import__('os').getpid()")
    assert int(done) == beside.pid != os.getpid()
    assert os.getpriority(os.PRIO_PROCESS, beside.pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
    assert int(beside.do(b"b'%d' % __import__('os').getpid()")) == int(done), "it stays for the next work"


def test_what_work_prints_is_no_answer(beside: SideProcess) -> None:
    assert beside.do(b"print('0000') or b'seven'") == b"seven"


def test_a_fault_is_told_and_the_process_goes_on(beside: SideProcess, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WorkFailed, match="ZeroDivisionError"):
        beside.do(b"1 // 0")
    assert "Traceback" in capfd.readouterr().err
    assert beside.do(b"b'on'") == b"on"


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_process_that_is_told_to_stop_with_the_server_goes_on_until_that_ends(
    beside: SideProcess, stop: signal.Signals
) -> None:
    beside.do(b"b'1'")
    first = beside.pid
    os.kill(first, stop)
    assert (beside.do(b"b'2'"), beside.pid) == (b"2", first)


def test_a_killed_process_is_replaced(beside: SideProcess) -> None:
    beside.do(b"b'1'")
    first = beside.pid
    os.kill(first, signal.SIGKILL)
    assert beside.do(b"b'2'") == b"2"
    assert beside.pid != first


def test_work_that_ends_its_process_fails_and_is_not_tried_for_ever(beside: SideProcess) -> None:
    with pytest.raises(WorkFailed, match="ended twice"):
        beside.do(b"__import__('os')._exit(3)")
    assert beside.do(b"b'on'") == b"on"


def test_work_that_takes_too_long_is_ended_with_its_process() -> None:
    beside = SideProcess("builtins:eval", seconds=2.0)
    beside.do(b"b'1'")
    first = beside.pid
    with pytest.raises(TooSlow, match="takes longer than 2 seconds"):
        beside.do(b"[0 for _ in iter(int, 1)]")  # for ever, and it holds the interpreter
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    assert beside.do(b"b'on'") == b"on"
    beside.close()


def test_an_answer_is_never_left_for_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """If it were, somebody's wrong password would be answered by the right one of somebody else."""
    beside = SideProcess("passline.side_processes:echo")
    assert beside.do(b"first") == b"first"

    def fail(_pipe: object) -> bytes:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr("passline.side_processes._read", fail)
        with pytest.raises(MemoryError):
            beside.do(b"right password")
    assert beside.do(b"wrong password") == b"wrong password"
    beside.close()


@pytest.mark.parametrize("is_busy", [False, True])
def test_it_ends_when_its_server_is_killed(is_busy: bool, tmp_path: Path) -> None:  # noqa: FBT001
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    work = f"globals().__setitem__('kept', open({str(alive)!r}, 'wb', buffering=0)) or kept.write(b'x') and b''"
    rest = "process.do(b'[0 for _ in iter(int, 1)]')" if is_busy else "__import__('time').sleep(600)"
    program = (
        "from passline.side_processes import SideProcess\n"
        f"process = SideProcess('builtins:eval'); process.do({work.encode()!r})\n"
        f"{rest}\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program])
    with os.fdopen(os.open(alive, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        assert select([pipe], [], [], LOOK_SECONDS)[0], "the process did not begin"
        assert pipe.read(1) == b"x"
        parent.kill()
        parent.wait()
        readable, _, _ = select([pipe], [], [], LOOK_SECONDS)
        assert readable, "the process is still there"
        assert pipe.read(1) == b"", "its end of the pipe is closed"
