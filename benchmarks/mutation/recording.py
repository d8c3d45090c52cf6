"""Records which tests run which lines, and how long each takes, in a process of its own."""

from __future__ import annotations

import ast
import functools
import os
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

from benchmarks.mutation.operators import Site

ARGUMENTS = (
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler"),
    *("-m", "not slow", "-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"),
)
_SHARED = "shared"  # code that runs at import or inside a cache, on which every test may depend
_QUICK = 0.25
_LONG = 3.0  # seconds; longer tests are left out, which can only let a mutant live
_BUDGET = 60.0  # seconds of tests for one mutant, as recorded
# Tests about files, long ones, and those of what is derived from the game; leaving out can only let a mutant live.
_LEFT_OUT = (
    *("test_tidy.py", "test_conformance.py", "test_documents.py", "test_toml_values.py"),
    *("tests/automaton", "tests/exact", "passline/automaton", "passline/exact"),
)


@dataclass
class Recording:
    """The tests and their seconds, those that fail, the tests that run each line, and where each name is used."""

    seconds: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    tests: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    shared: set[tuple[str, int]] = field(default_factory=set)
    uses: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    @property
    def chosen(self) -> list[str]:
        """The tests that mutants are tried with: those that pass and are not long."""
        return [test for test, seconds in self.seconds.items() if test not in self.failed and seconds <= _LONG]


Batch = tuple[str, list[str]]


def batches_of(recording: Recording, site: Site) -> list[Batch]:
    """Return the tests that may notice a change, by file; files with the most such tests per second come first."""
    lines = [(site.path, line) for line in range(site.first, site.last + 1)]
    known = set(recording.chosen)
    direct: set[str] = set()
    for line in (*lines, *recording.uses.get(site.name, ())):
        direct |= recording.tests.get(line, frozenset()) & known
    is_shared = any(line in recording.shared for line in lines)
    candidates = known if is_shared else direct
    ordered = sorted(candidates, key=lambda test: (test not in direct, recording.seconds[test], test))
    spent, kept = 0.0, []
    for test in ordered:
        spent += recording.seconds[test]
        if spent > _BUDGET:
            break
        kept.append(test)
    quick = [test for test in kept if recording.seconds[test] <= _QUICK]
    slow = [test for test in kept if recording.seconds[test] > _QUICK]
    return _by_file(recording, quick, direct) + _by_file(recording, slow, direct)


def _by_file(recording: Recording, tests: Sequence[str], direct: set[str]) -> list[Batch]:
    files: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)

    def density(file: str) -> float:
        weight = sum(10 if test in direct else 1 for test in files[file])
        return weight / (0.3 + sum(recording.seconds[test] for test in files[file]))

    return [(file, files[file]) for file in sorted(files, key=density, reverse=True)]


def record(root: Path, paths: Iterable[str]) -> Recording:
    """Run every test once on unchanged code and record what it runs. The process must end afterwards."""
    watch = coverage.Coverage(
        data_file=None, config_file=False, include=[str(root / path) for path in paths], messages=False
    )
    recorder = _Recorder(watch)
    functools.cache = recorder.cache  # type: ignore[assignment]
    watch.start()
    pytest.main([*ARGUMENTS, *_test_folders(root)], plugins=[recorder])
    watch.stop()
    recording = recorder.recording
    data = watch.get_data()
    for path in paths:
        for line, contexts in data.contexts_by_lineno(str(root / path)).items():
            recording.tests[path, line] = frozenset(contexts) - {_SHARED, ""}
            if _SHARED in contexts or "" in contexts:
                recording.shared.add((path, line))
        for name, line in _names(ast.parse((root / path).read_text(encoding="utf-8"))):
            recording.uses.setdefault(name, set()).add((path, line))
    return recording


def _test_folders(root: Path) -> list[str]:
    return [str(root / "tests"), str(root / "src"), *(f"--ignore-glob=*/{name}" for name in _LEFT_OUT)]


def _names(tree: ast.Module) -> Iterable[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            yield node.attr, node.lineno


class _Recorder:
    """A pytest plugin that tells coverage which test runs; what a cache computes counts as shared."""

    def __init__(self, watch: coverage.Coverage) -> None:
        self.watch = watch
        self.recording = Recording()
        self.contexts = [_SHARED]
        self.rules: weakref.WeakSet[Any] = weakref.WeakSet()

    def cache(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Replace functools.cache by one whose computations count as shared."""

        @functools.lru_cache(maxsize=None)  # noqa: UP033  # functools.cache is this method while recording
        @functools.wraps(function)
        def computed(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the function it stands for
            self.enter(_SHARED)
            try:
                return function(*args, **kwargs)
            finally:
                self.leave()

        return computed

    def enter(self, context: str) -> None:
        self.contexts.append(context)
        self.watch.switch_context(context)

    def leave(self) -> None:
        self.contexts.pop()
        self.watch.switch_context(self.contexts[-1])

    def pytest_configure(self) -> None:
        """Track every Rules, so that its memo can be cleared before each test and each test runs all it depends on."""
        from passline.rules.rules import Rules  # noqa: PLC0415 - once coverage is running

        begin, known = Rules.__init__, self.rules

        def init(rules: Rules, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # as the method it stands for
            begin(rules, *args, **kwargs)
            known.add(rules)

        Rules.__init__ = init  # type: ignore[assignment,method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        for rules in list(self.rules):
            vars(rules)["memos"].clear()
        self.enter(item.nodeid)
        begun = time.process_time()
        result = yield
        self.recording.seconds[item.nodeid] = time.process_time() - begun
        self.leave()
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.recording.failed[report.nodeid] = report.longreprtext.strip().splitlines()[-1]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.recording.failed[report.nodeid] = "cannot be collected"


os.environ.setdefault("CI", "1")  # makes hypothesis generate the same examples every time
