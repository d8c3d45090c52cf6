"""Processes that start quickly: forks of one that has imported what servers need."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import runpy
import signal
import subprocess
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import forkserver, util
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import IO, Self, TextIO

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.preloaded"])
_SPAWN = util.spawnv_passfds


class ForkedCommand:
    """`passline ARGUMENTS` in a process of its own, with what tests use of `subprocess.Popen`.

    It takes everything from the command line on, in the present folder and environment; only the start of Python and
    the imports, which take ten times as long as the rest of a server's start, were done before.
    """

    def __init__(self, arguments: Sequence[str], errors: Path) -> None:
        ours, its = FORKS.Pipe(duplex=False)
        given = (tuple(arguments), its, str(errors.resolve()), str(Path.cwd()), dict(os.environ))
        self._process = FORKS.Process(target=_run, args=given)  # no daemon, which could not start workers
        self._process.start()
        its.close()
        self.stdout: TextIO = os.fdopen(os.dup(ours.fileno()), encoding="utf-8")
        ours.close()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self._process.is_alive():
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Wait for the end of the process and return its exit code: of a signal, its number below zero."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(["passline"], timeout)
        return self._process.exitcode


def run_passline(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `passline ARGUMENTS` in a fork to its end."""
    with TemporaryDirectory() as folder:
        errors = Path(folder) / "errors"
        process = ForkedCommand(arguments, errors)
        with process.stdout:
            said = process.stdout.read()
        code = process.wait(timeout=120)
        return subprocess.CompletedProcess(arguments, code, said, errors.read_text(encoding="utf-8"))


def _run(arguments: tuple[str, ...], out: Connection, errors: str, folder: str, environment: dict[str, str]) -> None:
    from passline.cli.main import main  # noqa: PLC0415 - whoever starts a fork has no need of it

    with Path(errors).open("a", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    os.dup2(out.fileno(), 1)
    out.close()
    _move_to(folder, environment)
    begin_fork()
    sys.argv = ["passline", *arguments]
    sys.exit(main(arguments))


def _move_to(folder: str, environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)


class ForkedModule:
    """`python -m MODULE ARGUMENTS` in a fork, with what `passline` uses of `subprocess.Popen`."""

    def __init__(self, command: Sequence[str], *, stdin: int, stdout: int) -> None:
        assert (stdin, stdout) == (subprocess.PIPE, subprocess.PIPE)
        module, *arguments = command[command.index("-m") + 1 :]
        (its_in, our_in), (our_out, its_out) = FORKS.Pipe(duplex=False), FORKS.Pipe(duplex=False)
        its_errors = Connection(os.dup(2), readable=False)
        given = (module, arguments, (its_in, its_out, its_errors), str(Path.cwd()), dict(os.environ))
        self._process = FORKS.Process(target=_run_module, args=given, daemon=True)  # it ends with the server
        self._process.start()
        self.stdin: IO[bytes] = os.fdopen(os.dup(our_in.fileno()), "wb")
        self.stdout: IO[bytes] = os.fdopen(os.dup(our_out.fileno()), "rb")
        for end in (its_in, its_out, its_errors, our_in, our_out):
            end.close()
        util.Finalize(self, self.stdin.close, exitpriority=0)  # as the end of a server does

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for pipe in (self.stdout, self.stdin):
            with suppress(OSError):
                pipe.close()
        self.wait()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid or 0

    @property
    def returncode(self) -> int | None:
        """The exit code, None while the process runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return the exit code, None while the process runs."""
        return self._process.exitcode

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def wait(self) -> int | None:
        """Wait for the end of the process."""
        self._process.join()
        return self._process.exitcode


def _run_module(
    module: str,
    arguments: list[str],
    pipes: tuple[Connection, Connection, Connection],
    folder: str,
    environment: dict[str, str],
) -> None:
    for number, pipe in enumerate(pipes):
        os.dup2(pipe.fileno(), number)
        pipe.close()
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    _move_to(folder, environment)
    sys.argv = [module, *arguments]
    warnings.filterwarnings("ignore", "'.*' found in sys.modules", RuntimeWarning)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def begin_fork() -> None:
    """Let a server that is a fork start its own processes as forks too, and hash secrets quickly.

    Processes for hashes and views import for a second or two where they are started anew. So they are in
    `tests/test_side_processes.py` and `tests/office/views/test_writing.py`, and by the server of
    `tests/web/test_api_fuzzed.py`. A hash as slow as in a house takes longer than most that tests ask of a server.
    """
    from passline import side_processes  # noqa: PLC0415 - imported already where servers are forked
    from passline.people import credentials  # noqa: PLC0415
    from passline.streams import projection_runner  # noqa: PLC0415
    from tests.people.house import QUICK  # noqa: PLC0415

    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # which could start none
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]  # whoever made this one runs
    for module in (side_processes, projection_runner):
        module.subprocess = SimpleNamespace(Popen=ForkedModule, PIPE=subprocess.PIPE)  # type: ignore[attr-defined]
    credentials.PasswordHasher = lambda **_slow: QUICK  # type: ignore[attr-defined,assignment]
    setattr(util, "spawnv_passfds", _fork_passing)  # noqa: B010 - which the context `spawn` starts processes by


def _fork_passing(path: bytes, command: Sequence[str | bytes], passed: Sequence[int]) -> int:
    """Start a process of `serve --workers` as a fork of its parent, with nothing open but what a new Python would get.

    New ones import for two seconds each: so they do in `tests/web/test_killed_processes.py`.
    """
    if not any(b"spawn_main" in os.fsencode(argument) for argument in command):
        return _SPAWN(path, command, passed)
    if child := os.fork():
        return child
    code = 1
    try:
        code = _begin_spawned(set(passed), passed[-2])
    finally:
        os._exit(code)


def _begin_spawned(passed: set[int], pipe: int) -> int:
    """Do in a fork what `multiprocessing.spawn` does in a new Python; return the exit code."""
    kept = {0, 1, 2, *passed, forkserver._forkserver._forkserver_alive_fd}  # type: ignore[attr-defined]
    for number in {int(entry.name) for entry in Path("/proc/self/fd").iterdir()} - kept:
        with suppress(OSError):
            os.close(number)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sentinel, this = os.dup(pipe), multiprocessing.current_process()
    with os.fdopen(pipe, "rb") as given:
        this._inheriting = True  # type: ignore[attr-defined]
        pickle.load(given)  # noqa: S301 - how a new Python is prepared, which this one is
        process = pickle.load(given)  # noqa: S301 - from its parent
        del this._inheriting  # type: ignore[attr-defined]
    process._config["daemon"] = False
    return int(process._bootstrap(sentinel))
