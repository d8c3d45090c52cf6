"""Collects which clauses the tests hold, and sets how hypothesis runs."""

import gc
import json
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from _pytest.doctest import DoctestModule
from _pytest.pathlib import import_path
from _pytest.runner import runtestprotocol
from hypothesis.internal.conjecture import providers

from passline.rules.clauses import REGULATIONS, clauses_of
from tests.parsed_toml import remember_parsed

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "passline"
HELD = PACKAGE / "rulebooks" / "clauses" / "held.json"
CLAUSES = frozenset(clause for regulation in REGULATIONS for clause in clauses_of(regulation))
NOT_RUN = ("skip", "skipif", "xfail")  # marks of tests that may pass, or not run, while the rule is broken
NARROWING = ("file_or_dir", "keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf", "numprocesses")

os.environ.setdefault("PASSLINE_PROGRESS", "off")  # lines of progress depend on how busy the machine is
hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
_PROFILE = "ci" if os.environ.get("CI") else "here"
hypothesis.settings.load_profile(_PROFILE)
# Whose constants it tries; to find that out by itself, for 4,000 modules, takes each worker half a second.
setattr(providers, "is_local_module_file", lambda path: path.startswith(f"{PACKAGE}{os.sep}"))  # noqa: B010 - its own


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("conformance")
    group.addoption("--write-held", action="store_true", help="write which tests hold which clauses, and run none")
    group.addoption("--held-file", default=str(HELD), help="where --write-held writes, if not into the package")


@pytest.fixture(scope="session")
def postgres() -> Iterator["PostgresServer"]:
    """A server for all tests of a worker, each with databases of its own."""
    from tests.postgres import postgres_server  # noqa: PLC0415 - most runs need none

    with postgres_server() as server:
        yield server


class _Examples:
    """Has pytest look for examples only in files that have some: reading the rest takes each worker seconds.

    A plugin of its own, since what this file defines is asked about files in this folder only.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector | None], list[pytest.Collector | None]]:
        collectors = yield
        if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
            return collectors
        return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


class _FewReports:
    """Has a worker tell the process that counts only what it shows: what came of a test, not that it was set up.

    Of the five messages of a test that passes two are left: half a millisecond less for each of 13,000 tests.
    """

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


class _WholeSuite:
    """Knows which clauses the tests hold where all of them were collected, those too that are not run this time."""

    items: list[pytest.Item] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if not any(config.getoption(name, None) for name in NARROWING if name not in {"markexpr", "numprocesses"}):
            here = Path(__file__).resolve().parent
            ours = {path for path in {item.path for item in items} if path.is_relative_to(here)}
            self.items = [item for item in items if item.path in ours]

    def held(self) -> dict[str, list[str]] | None:
        return None if self.items is None else _held_by(self.items)


def pytest_configure(config: pytest.Config) -> None:
    if "not sweep" in config.getoption("markexpr", ""):
        os.environ["PASSLINE_TEST_USUAL"] = "1"  # for `budget` of tests/cases.py
        by_default = hypothesis.settings.get_profile(_PROFILE)
        hypothesis.settings.register_profile("usual", by_default, max_examples=40)  # where a test says no number
        hypothesis.settings.load_profile("usual")
    remember_parsed()
    config.pluginmanager.register(_Examples())
    if hasattr(config, "workerinput") and not config.getoption("verbose") > 0 and config.getoption("durations") is None:
        config.pluginmanager.register(_FewReports())
    config.pluginmanager.register(_WholeSuite(), "whole-suite")
    if not config.getoption("write_held"):
        return
    if narrowed := [name for name in NARROWING if config.getoption(name, None)]:
        message = f"--write-held is about the whole suite in one process; leave out {', '.join(narrowed)}"
        raise pytest.UsageError(message)
    config.args = [str(Path(__file__).resolve().parent)]  # clauses are held here; examples in src/ hold none


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None]:
    """Keep the garbage collector from what stays until the end, or it looks through all of it again and again."""
    gc.disable()
    try:
        _import_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)  # a test makes far more than it leaves behind
        gc.enable()


def _import_share(config: pytest.Config) -> None:
    """Import this worker's part of the test files first.

    In a fresh clone pytest compiles each of them, which takes 12 seconds. Every worker would, one file beside the
    other; so each begins with its part, and finds the rest in the cache.
    """
    worker = str(getattr(config, "workerinput", {}).get("workerid", ""))
    if not worker or config.getoption("file_or_dir"):
        return
    files = sorted(Path(__file__).resolve().parent.rglob("test_*.py"))
    for path in files[int(worker.removeprefix("gw")) :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
        with suppress(Exception):  # which is told when it is collected
            import_path(path, mode="importlib", root=config.rootpath, consider_namespace_packages=False)


def pytest_collection_finish() -> None:
    if "numba" in sys.modules:
        from tests.kernels import compile_in_turn  # noqa: PLC0415 - most runs of a single file need none

        compile_in_turn()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if wrong := _unknown(item):
        pytest.fail("\n".join(wrong), pytrace=False)


def _unknown(item: pytest.Item) -> list[str]:
    """What is wrong with the clauses that a test says it holds; a mark that names nothing holds '', no clause."""
    marked = [clause for mark in item.iter_markers("clause") for clause in mark.args or ("",)]
    wrong = [f"{item.nodeid}: {clause!r} is no clause of the matrix" for clause in marked if clause not in CLAUSES]
    if marked and item.get_closest_marker("whole"):
        wrong.append(f"{item.nodeid} holds {marked[0]}: `./x test` runs it, so it is not `whole`")
    return wrong


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Have every worker begin with slow files and steal what is quick from the others at the end.

    With --write-held: write the file that the package takes along and stop, or say why it cannot be known.
    """
    slow = set[Path]()
    for item in items:
        if item.path not in slow and any(map(item.get_closest_marker, ("slow", "long", "whole", "sweep"))):
            slow.add(item.path)
    items[:] = _shared_out(items, slow)
    if not session.config.getoption("write_held"):
        return
    wrong = ["some tests could not be collected"] * bool(session.testsfailed)
    wrong += [problem for item in items for problem in _unknown(item)]
    wrong += [
        f"{item.nodeid} is marked {mark.name}: it may pass, or not run, while a clause it holds is broken"
        for item in items
        if item.get_closest_marker("clause")
        for mark in map(item.get_closest_marker, NOT_RUN)
        if mark
    ]
    if wrong:
        raise pytest.UsageError("\n".join(wrong))
    path = Path(session.config.getoption("held_file"))
    path.write_text(json.dumps(_held_by(items), indent=1) + "\n", encoding="utf-8")
    pytest.exit(f"wrote {path.name}", returncode=0)


def _shared_out(items: list[pytest.Item], slow: set[Path]) -> list[pytest.Item]:
    """Order tests so that each worker's part of them begins with its share of the slow files.

    Files of one folder stay together: they share what their worker has computed.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    files = list(dict.fromkeys(item.path for item in items if item.path in slow))
    shares = {path: number * workers // len(files) for number, path in enumerate(files)}
    quick, ordered = [item for item in items if item.path not in slow], list[pytest.Item]()
    for worker in range(workers):
        ordered += [item for item in items if shares.get(item.path) == worker]
        left = max(0, len(items) * (worker + 1) // workers - len(ordered))
        ordered, quick = [*ordered, *quick[:left]], quick[left:]
    return [*ordered, *quick]


def _held_by(items: list[pytest.Item]) -> dict[str, list[str]]:
    """The names of the tests that hold each clause; a test whose every case holds it is named once."""
    held: dict[str, set[str]] = {}
    for item in items:
        cases = [getattr(mark, "mark", mark) for mark in getattr(getattr(item, "callspec", None), "marks", ())]
        for mark in item.iter_markers("clause"):
            is_of_case = any(mark is one for one in cases)
            for clause in mark.args:
                held.setdefault(clause, set()).add(item.nodeid if is_of_case else _name_of_all_cases(item))
    return {clause: sorted(held[clause]) for clause in sorted(held)}


def _name_of_all_cases(item: pytest.Item) -> str:
    name = getattr(item, "originalname", None) or item.name
    return f"{item.parent.nodeid}::{name}" if item.parent else name


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that skips itself holds nothing: fail it, or a clause would count as covered that nobody checked."""
    report = yield
    if report.skipped and item.get_closest_marker("clause"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} holds a clause and was skipped: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name what was run again alone: a test that fails beside others only is to be mended too."""
    if not config.getoption("lf", default=False):
        return
    reports = {outcome: terminalreporter.getreports(outcome) for outcome in ("passed", "failed", "error")}
    again = [f"{outcome} alone: {report.nodeid}" for outcome, found in reports.items() for report in found]
    terminalreporter.section(f"{len(again)} run again")
    for line in again:
        terminalreporter.line(line)
