"""The trial of one break: a forked process loads the broken copy and runs tests until one fails."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NoReturn

import pytest

from benchmarks.marking.loading import page_problem

ALIVE, KILLED, REFUSED, BROKEN = 0, 1, 2, 70
ARGUMENTS = (
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"),
    *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
)
ROOT = Path(__file__).resolve().parents[2]
_MEMORY = 6 << 30


def run_trial(
    root: Path, tests: Sequence[str], *, pipe: int, seconds: float, failing: AbstractSet[str], folder: str = ""
) -> NoReturn:
    """Load a broken copy, run tests on it, and exit with REFUSED, KILLED (the pipe says by which), ALIVE or BROKEN.

    `folder` has the pages that are broken, if it is pages: no others can fail to load.
    """
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.alarm(int(seconds))  # a break that makes a test hang is noticed, too
        enter(root)
        if problem := _problem(folder):
            _leave(pipe, problem, REFUSED)
        status = pytest.main([*ARGUMENTS, *tests], plugins=[_Trial(pipe, failing)])
        if status in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            os._exit(ALIVE)
        _leave(pipe, f"{status!r}: the tests cannot be found any more", KILLED)
    except BaseException:  # noqa: BLE001  # the parent must learn of any failure
        _leave(pipe, traceback.format_exc(), BROKEN)


def enter(root: Path) -> None:
    """Make this process one of the copy: its folder, its package, and nothing on the screen."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
    sys.dont_write_bytecode = True
    ours = {ROOT, ROOT / "src"}
    sys.path[:] = [str(root / "src"), str(root), *(one for one in sys.path if Path(one or ".").resolve() not in ours)]
    os.environ["PYTHONPATH"] = os.pathsep.join((str(root / "src"), str(root)))  # for processes that tests start
    os.chdir(root)
    importlib.invalidate_caches()


def _problem(folder: str) -> str:
    """Load the pages of a folder, or all rulebooks with their default houses: what does not load is no break."""
    regulation, _, pages = folder.partition("/")
    if pages:
        return page_problem(regulation, pages)
    try:
        clauses = importlib.import_module("passline.rules.clauses")
        reader = importlib.import_module("passline.rules.rulebook_reader")
        rules = importlib.import_module("passline.rules.rules")
        for name in [regulation] if regulation else clauses.REGULATIONS:
            for game in reader.rulebook_of(name).games:
                rules.Rules.of(name, game=game)
    except Exception as error:  # noqa: BLE001  # whatever loading raises
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def _leave(pipe: int, text: str, status: int) -> NoReturn:
    os.write(pipe, text.encode()[-4000:])
    os._exit(status)


class _Trial:
    """A pytest plugin that ends the process at the first failure."""

    def __init__(self, pipe: int, failing: AbstractSet[str]) -> None:
        self.pipe = pipe
        self.failing = failing  # without a break, too: they notice nothing

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.nodeid not in self.failing:
            _leave(self.pipe, report.nodeid, KILLED)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            _leave(self.pipe, f"{report.nodeid}: cannot be collected", KILLED)


class Control:
    """A pytest plugin for the copy without a break: which tests pass, and how long each takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: dict[str, str] = {}
        self.begun = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test did."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if not report.passed:
            self.failed[report.nodeid] = str(report.longrepr).strip().splitlines()[-1] if report.longrepr else "?"
        if report.when == "teardown" and len(self.seconds) % 250 == 0:
            print(f"control: {len(self.seconds)} tests, {time.monotonic() - self.begun:.0f} s", flush=True)
