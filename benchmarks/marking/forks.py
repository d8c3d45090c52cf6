"""Processes that have the tests collected and all code loaded; each break is made and tried in a fork of one.

Nothing is imported or collected twice, so a trial takes as long as its tests. A process works in a copy of the project
of its own: a broken page is written there, and put back.
"""

from __future__ import annotations

import ast
import contextlib
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
from _pytest.runner import runtestprotocol

from benchmarks.marking.loading import page_problem
from benchmarks.marking.patching import clear_caches, patched
from benchmarks.project_copy import copy_project

ROOT = Path(__file__).resolve().parents[2]
_ARGUMENTS = (
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"),
    *("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
)
_WALL = 120  # seconds; a break that makes its tests run longer counts as noticed


@dataclass(frozen=True)
class Trial:
    """A break and the tests that must notice it: the new texts of pages, or a module and its changed tree."""

    tests: tuple[str, ...]
    texts: dict[str, str] = field(default_factory=dict)
    path: str = ""
    tree: ast.Module | None = None


@dataclass(frozen=True)
class Verdict:
    """What came of a trial: noticed by a test, alive, or refused when the pages were loaded."""

    what: str
    by: str = ""


@dataclass
class Collected:
    """The tests that were collected: the clauses of each, how long each takes, and which fail without a break."""

    clauses: dict[str, frozenset[str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


class Fork:
    """One such process, seen from the campaign."""

    def __init__(self, folder: Path, files: Sequence[str]) -> None:
        copy_project(folder)
        self.folder = folder
        environment = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}", "CI": "1"}
        self._process = subprocess.Popen(  # noqa: S603  # our own command
            [sys.executable, "-m", "benchmarks.marking.forks", *files],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.collected: Collected = self._answer()
        if self.collected.failed:
            sys.exit(f"marks: cannot be collected: {', '.join(self.collected.failed)}")

    def control(self, tests: Sequence[str]) -> Collected:
        """Run tests without a break."""
        self._send(tuple(tests))
        done: Collected = self._answer()
        return done

    def tried(self, trial: Trial) -> Verdict:
        """Try one break."""
        self._send(trial)
        verdict: Verdict = self._answer()
        return verdict

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _send(self, what: Trial | tuple[str, ...]) -> None:
        assert self._process.stdin is not None
        pickle.dump(what, self._process.stdin)
        self._process.stdin.flush()

    def _answer(self) -> Any:  # noqa: ANN401  # as it was asked
        assert self._process.stdout is not None
        try:
            return pickle.load(self._process.stdout)  # noqa: S301  # written by our own process
        except EOFError:
            sys.exit("marks: the process that tries breaks has ended; do the tests collect?")


class _Server:
    """A pytest plugin that takes the place of the run: it answers trials until there are no more."""

    def __init__(self, asked: Any, answers: Any) -> None:  # noqa: ANN401  # binary files
        self.asked, self.answers = asked, answers
        self.uncollected: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        marks = {
            name: frozenset(clause for mark in item.iter_markers("clause") for clause in mark.args)
            for name, item in items.items()
        }
        self.say(Collected(clauses=marks, failed=dict.fromkeys(self.uncollected, "cannot be collected")))
        with contextlib.suppress(EOFError):
            while True:
                trial = pickle.load(self.asked)  # noqa: S301  # written by our own campaign
                if isinstance(trial, Trial):
                    self.say(_tried(trial, items))
                else:
                    self.say(_in_a_fork(lambda trial=trial: _control([items[one] for one in trial])))  # type: ignore[misc]
        return True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.uncollected.append(report.nodeid)

    def say(self, what: object) -> None:
        pickle.dump(what, self.answers)
        self.answers.flush()


def _in_a_fork(work: Callable[[], object]) -> Any:  # noqa: ANN401  # what the work returns
    """Return what some work comes to in a process of its own; None if that was killed."""
    end, pipe = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(end)
        _work_and_leave(work, pipe)
    os.close(pipe)
    with os.fdopen(end, "rb") as file:
        data = file.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else None  # noqa: S301  # written by the fork


def _work_and_leave(work: Callable[[], object], pipe: int) -> NoReturn:
    try:
        done = work()
    except BaseException:  # noqa: BLE001  # the campaign must learn of any failure
        done = traceback.format_exc()
    with os.fdopen(pipe, "wb") as file:
        pickle.dump(done, file)
    os._exit(0)


def _control(items: Sequence[pytest.Item]) -> Collected:
    done = Collected()
    for item in items:
        name = item.nodeid
        reports = runtestprotocol(item, log=False, nextitem=None)
        done.seconds[name] = sum(one.duration for one in reports)
        if wrong := [one for one in reports if not one.passed]:
            done.failed[name] = wrong[0].longreprtext.strip().splitlines()[-1]
    return done


def _tried(trial: Trial, items: dict[str, pytest.Item]) -> Verdict:
    before = {path: Path(path).read_text(encoding="utf-8") for path in trial.texts}
    for path, text in trial.texts.items():
        Path(path).write_text(text, encoding="utf-8")
    try:
        found = _in_a_fork(lambda: _verdict(trial, items))
    finally:
        for path, text in before.items():
            Path(path).write_text(text, encoding="utf-8")
    if isinstance(found, str):
        return Verdict("broken", found)
    return found or Verdict("noticed", "a time-out")


def _verdict(trial: Trial, items: dict[str, pytest.Item]) -> Verdict:
    signal.alarm(_WALL)  # a break that makes a test hang is noticed, too
    with contextlib.ExitStack() as stack:
        if trial.tree is not None:
            stack.enter_context(patched(trial.path, trial.tree))
        else:
            clear_caches()
        if problem := _problem([*trial.texts]):
            return Verdict("refused", problem)
        for name in trial.tests:
            reports = runtestprotocol(items[name], log=False, nextitem=None)
            if any(one.failed for one in reports):
                return Verdict("noticed", name)
    return Verdict("alive")


def _problem(paths: Sequence[str]) -> str:
    """Return why a regulation whose pages were changed does not load; nothing if it does: without it is no break."""
    problems = (page_problem(*path.parts[-3:-1]) for path in map(Path, paths))
    return next(filter(None, problems), "")


def _serve(files: Sequence[str]) -> None:
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")  # pytest takes the others for itself
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    pytest.main([*_ARGUMENTS, *files], plugins=[_Server(asked, answers)])


if __name__ == "__main__":
    from benchmarks.marking import forks  # so that what is pickled is found under its own name

    forks._serve(sys.argv[1:])  # noqa: SLF001  # this very module
