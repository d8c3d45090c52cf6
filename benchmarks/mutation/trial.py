"""The trial of one mutant: a forked process imports the changed module and runs tests until one fails."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.machinery
import os
import resource
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import NoReturn

import pytest

from benchmarks.mutation.recording import ARGUMENTS, Batch

ALIVE, KILLED, BROKEN = 0, 1, 70
_MEMORY = 6 << 30
_COLLECTING = 30.0


def run_trial(
    root: Path, path: str, tree: ast.Module, *, batches: Sequence[Batch], seconds: Mapping[str, float], pipe: int
) -> NoReturn:
    """Try one changed module and exit with KILLED (the test's name in the pipe), ALIVE, or BROKEN."""
    try:
        code = compile(tree, str(root / path), "exec", dont_inherit=True)
        _import_as(str(root / path), code)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        with contextlib.suppress(OSError):
            null = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(null, number)
        trial = _Trial(batches, seconds, pipe)
        status = pytest.main([*ARGUMENTS, str(root / "tests")], plugins=[trial])
        if trial.is_done and status in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            os._exit(ALIVE)
        _leave(pipe, f"pytest ended with {status!r}", BROKEN if _is_importable(root) else KILLED)
    except BaseException:  # noqa: BLE001  # the parent must learn of any failure
        _leave(pipe, traceback.format_exc(), BROKEN)


def _is_importable(root: Path) -> bool:
    """Return whether the conftest can be imported; pytest cannot start without it."""
    sys.path.insert(0, str(root))
    sys.modules.pop("tests.conftest", None)  # pytest may have left it half imported
    try:
        importlib.import_module("tests.conftest")
    except Exception:  # noqa: BLE001  # a mutant may raise anything
        return False
    return True


def _leave(pipe: int, text: str, status: int) -> NoReturn:
    os.write(pipe, text.encode()[-4000:])
    os._exit(status)


def _import_as(path: str, code: CodeType) -> None:
    """Import one file with this code instead of its own."""
    assert not any(name.partition(".")[0] == "passline" for name in sys.modules)
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        return code if loader.path == path else usual(loader, name)

    setattr(importlib.machinery.SourceFileLoader, "get_code", get_code)  # noqa: B010  # mypy forbids the assignment


class _Trial:
    """A pytest plugin that collects and runs file after file and exits at the first failure."""

    def __init__(self, batches: Sequence[Batch], seconds: Mapping[str, float], pipe: int) -> None:
        self.batches = batches
        self.seconds = seconds
        self.pipe = pipe
        self.is_done = False

    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.tbstyle = "native"  # nobody reads tracebacks here, and other styles are slower

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> bool:
        return True  # files are collected one by one in the run loop

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for file, tests in self.batches:
            _limit(_COLLECTING)
            found = {item.nodeid: item for item in session.perform_collect([file])}
            items = [found[test] for test in tests if test in found]
            if len(items) != len(tests):
                self.kill(f"{file}: the tests are not the recorded ones")
            for item, after in zip(items, [*items[1:], None], strict=True):
                _limit(2 + 10 * self.seconds[item.nodeid])
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        _limit(_COLLECTING)
        self.is_done = True
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.kill(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.kill(f"{report.nodeid}: cannot be collected")

    def kill(self, by: str) -> NoReturn:
        _leave(self.pipe, by, KILLED)


def _limit(seconds: float) -> None:
    """End the process by a signal once it has used this much more processor time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
