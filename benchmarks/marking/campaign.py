"""A campaign of breaks: random marked clauses, each broken once in a copy and tried by the tests that claim it.

`clause_breaks` says which breaks a clause has.
"""

from __future__ import annotations

import argparse
import compileall
import importlib
import json
import os
import py_compile
import random
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.marking.clause_breaks import breaks_of, tournament_code_of
from benchmarks.marking.loading import Loading
from benchmarks.marking.rulebook_breaks import FOLDER, Break, Rulebooks, written
from benchmarks.marking.trial import ALIVE, ARGUMENTS, BROKEN, REFUSED, Control, enter, run_trial
from benchmarks.project_copy import copy_project

ROOT = Path(__file__).resolve().parents[2]
_PRELOADED = ("hypothesis.stateful", "rich.console", "typer.testing", "msgspec", "_pytest.doctest", "httpx", "anyio")
_WALL = 150.0  # seconds; a break that makes its tests run longer counts as noticed
_SIBLINGS_MAX = 60  # tests of other clauses of the same entry that are asked whose matter a break is
Held = dict[str, list[str]]


@dataclass
class _Case:
    """A clause and the breaks still to be tried for it, best first."""

    clause: str
    breaks: Iterator[Break]
    refused: list[str] = field(default_factory=list)  # breaks that loading refuses, and how
    others: list[str] = field(default_factory=list)  # breaks that were noticed as another clause's matter
    is_shared: bool = False  # one of those was of the very entry that cites this clause, not of code for many


@dataclass
class _Running:
    case: _Case
    broken: Break
    folder: Path
    pid: int
    original: dict[str, str]
    is_second: bool  # asks the tests of the entry's other clauses
    output: bytes = b""


@dataclass
class _Tally:
    killed: dict[str, tuple[Break, str]] = field(default_factory=dict)
    alive: dict[str, Break] = field(default_factory=dict)
    unbroken: dict[str, _Case] = field(default_factory=dict)
    refused: int = 0

    @property
    def done(self) -> int:
        return len(self.killed) + len(self.alive) + len(self.unbroken)


def main(arguments: Sequence[str]) -> int:
    """Run a campaign and print its results; the last line is one JSON object."""
    options = _parser().parse_args(arguments)
    for module in _PRELOADED:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory(prefix="marks-") as folder:
        copies = [_copied(Path(folder).resolve() / "0")]
        held = _held(copies[0])  # which compiles the tests, too
        copies += [Path(folder).resolve() / str(number) for number in range(1, options.jobs)]
        for copy in copies[1:]:
            shutil.copytree(copies[0], copy)
        clauses = sorted(options.only or held)
        if unknown := [one for one in clauses if one not in held]:
            sys.exit(f"marks: no test claims {', '.join(unknown)}")
        chance = random.Random(options.seed)
        sample = clauses if options.only else chance.sample(clauses, min(options.count, len(clauses)))
        print(f"{len(held)} clauses are claimed; a sample of {len(sample)}, seed {options.seed}", flush=True)
        seconds, failed = _control(copies[0], sorted({test for clause in sample for test in held[clause]}))
        books, code = Rulebooks.read(copies[0]), tournament_code_of(copies[0], sample)
        cases = [
            _Case(clause, breaks_of(copies[0], books, clause, random.Random(f"{options.seed} {clause}"), code))
            for clause in sample
        ]
        campaign = _Campaign(held, seconds, set(failed), copies, total=len(cases))
        with suppress(KeyboardInterrupt):
            campaign.run(cases)
    _report(campaign.tally, failed, seed=options.seed)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./x bench marks", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=300, help="how many clauses (default: 300)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: 1)")
    parser.add_argument("--only", action="append", help="a clause; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="breaks at a time (default: 2)")
    return parser


def _copied(root: Path) -> Path:
    """Copy the project, write its pages as the breaks will be written, and compile it once."""
    copy_project(root)
    for file in (root / FOLDER).rglob("*.toml"):
        file.write_text(written(tomllib.loads(file.read_text(encoding="utf-8"))), encoding="utf-8")
    mode = py_compile.PycInvalidationMode.CHECKED_HASH  # a broken file is compiled again, whatever its date
    compileall.compile_dir(root / "src", quiet=2, invalidation_mode=mode)
    return root


def _held(root: Path) -> Held:
    """Collect which tests claim which clause, as the marks are now."""
    print("collecting the marks", flush=True)
    file = root / "held.json"
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    command = [sys.executable, "-m", "pytest", "-q", "--write-held", "--held-file", str(file)]
    done = subprocess.run(  # noqa: S603  # our own command
        command, cwd=root, env=environment, check=False, capture_output=True, text=True
    )
    if not file.exists():
        sys.exit(f"marks: the marks cannot be collected\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    held: Held = json.loads(file.read_text(encoding="utf-8"))
    return held


def _control(root: Path, tests: list[str]) -> tuple[dict[str, float], dict[str, str]]:
    """Run the claiming tests without a break, in a process of their own; list those that do not pass."""
    end, pipe = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        screen = os.dup(1)
        enter(root)
        os.dup2(screen, 1)
        control = Control()
        pytest.main([*ARGUMENTS, *tests], plugins=[control])
        with os.fdopen(pipe, "wb") as file:
            file.write(json.dumps([control.seconds, control.failed]).encode())
        os._exit(0)
    os.close(pipe)
    with os.fdopen(end, "rb") as file:
        seconds, failed = json.loads(file.read() or b"[{}, {}]")
    os.waitpid(pid, 0)
    if not seconds:
        sys.exit("marks: the claiming tests cannot be run without a break")
    print(
        f"control: {len(seconds)} claiming tests, {sum(seconds.values()):.0f} s, {len(failed)} do not pass", flush=True
    )
    return seconds, failed


class _Campaign:
    """Runs breaks side by side, one in each copy of the project."""

    def __init__(
        self, held: Held, seconds: dict[str, float], failed: set[str], copies: list[Path], *, total: int
    ) -> None:
        self.held = held
        self.failed = failed
        self.seconds = seconds
        self.free = list(copies)
        self.loading = Loading(copies[0])
        self.tally = _Tally()
        self.total = total
        self.begun = time.monotonic()

    def run(self, cases: list[_Case]) -> None:
        waiting = list(reversed(cases))
        running: dict[int, _Running] = {}
        with selectors.DefaultSelector() as ready:
            try:
                while waiting or running:
                    while waiting and self.free:
                        self._next(waiting.pop(), ready, running)
                    self._read(ready, running, waiting)
            finally:
                self.loading.close()
                for one in running.values():
                    os.kill(one.pid, 9)
                    os.waitpid(one.pid, 0)

    def _next(self, case: _Case, ready: selectors.BaseSelector, running: dict[int, _Running]) -> None:
        broken = next(case.breaks, None)
        while broken and _is_of_rulebook(broken) and (problem := self.loading.problem(broken.texts_in(ROOT))):
            case.refused.append(f"{broken}: {problem}")
            self.tally.refused += 1
            broken = next(case.breaks, None)
        if broken is None:
            self.tally.unbroken[case.clause] = case
            self._progress(f"no break: {case.clause}")
            return
        self._start(case, broken, self.held[case.clause], ready, running, is_second=False)

    def _start(
        self,
        case: _Case,
        broken: Break,
        tests: list[str],
        ready: selectors.BaseSelector,
        running: dict[int, _Running],
        *,
        is_second: bool,
    ) -> None:
        folder = self.free.pop()
        texts = broken.texts_in(folder)
        original = {path: (folder / path).read_text(encoding="utf-8") for path in texts}
        for path, text in texts.items():
            (folder / path).write_text(text, encoding="utf-8")
        end, pipe = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            os.close(end)
            run_trial(
                folder,
                sorted(tests, key=self._cost),
                pipe=pipe,
                seconds=_WALL,
                failing=self.failed,
                folder=broken.folder,
            )
        os.close(pipe)
        running[end] = _Running(case, broken, folder, pid, original, is_second)
        ready.register(end, selectors.EVENT_READ)

    def _cost(self, test: str) -> float:
        return self.seconds.get(test) or sum(s for name, s in self.seconds.items() if name.startswith(f"{test}["))

    def _read(self, ready: selectors.BaseSelector, running: dict[int, _Running], waiting: list[_Case]) -> None:
        for key, _ in ready.select(timeout=1.0):
            one = running[key.fd]
            if output := os.read(key.fd, 65_536):
                one.output += output
                continue
            ready.unregister(key.fd)
            os.close(key.fd)
            del running[key.fd]
            _, status = os.waitpid(one.pid, 0)
            for path, text in one.original.items():
                (one.folder / path).write_text(text, encoding="utf-8")
            self.free.append(one.folder)
            self._judge(one, os.waitstatus_to_exitcode(status), ready, running, waiting)

    def _judge(
        self,
        one: _Running,
        code: int,
        ready: selectors.BaseSelector,
        running: dict[int, _Running],
        waiting: list[_Case],
    ) -> None:
        said = one.output.decode(errors="replace")
        case = one.case
        if code == BROKEN:
            sys.exit(f"marks: the trial itself failed on {case.clause}: {one.broken}\n{said}")
        if code == REFUSED:  # nobody can open a table with it, so it is no break
            case.refused.append(f"{one.broken}: {said}")
            self.tally.refused += 1
            waiting.append(case)
        elif code == ALIVE and not one.is_second and (tests := self._siblings(case, one.broken)):
            self._start(case, one.broken, tests, ready, running, is_second=True)
        elif code == ALIVE:
            self.tally.alive[case.clause] = one.broken
            self._progress(f"alive: {case.clause}: {one.broken}")
        elif one.is_second:
            case.others.append(f"{one.broken} (noticed by {said or 'a time-out'})")
            case.is_shared |= one.broken.site is None
            waiting.append(case)
        else:
            self.tally.killed[case.clause] = one.broken, said or "a time-out"
            self._progress("")

    def _siblings(self, case: _Case, broken: Break) -> list[str]:
        """The quickest tests of the other clauses that the broken entry cites."""
        own = set(self.held[case.clause])
        others = {test for clause in broken.clauses for test in self.held.get(clause, ())} - own
        return sorted(others, key=lambda test: ("browser" in test, self._cost(test), test))[:_SIBLINGS_MAX]

    def _progress(self, said: str) -> None:
        if said:
            print(said, flush=True)
        if self.tally.done % 20 == 0:
            print(f"{self.tally.done} of {self.total}, {time.monotonic() - self.begun:.0f} s", flush=True)


def _is_of_rulebook(broken: Break) -> bool:
    """Whether a break is of a rulebook itself, which can be loaded by itself; a trial loads other pages."""
    return broken.site is None and "/" not in broken.folder


def _report(tally: _Tally, failed: dict[str, str], *, seed: int) -> None:
    for test, why in sorted(failed.items()):
        print(f"does not pass without a break: {test}: {why}")
    shared = {clause: case for clause, case in tally.unbroken.items() if case.is_shared}
    print(f"\n{'clause':26} {'break':70} noticed by")
    for clause, (broken, by) in sorted(tally.killed.items()):
        print(f"{clause:26} {str(broken)[:70]:70} {by.rpartition('::')[2][:60]}")
    for clause, case in sorted(tally.unbroken.items()):
        why = "no break: loading refuses" if case.refused else "no break: nothing that decides anything cites it"
        print(f"\n{clause}: {'only the tests of other clauses noticed' if case.others else why}")
        for one in case.others or case.refused[:3]:
            print(f"    {one[:200]}")
    print()
    for clause, broken in sorted(tally.alive.items()):
        print(f"{clause}: NOT NOTICED: {broken}")
    tried = len(tally.killed) + len(tally.alive) + len(shared)
    found = {
        "bench": "marks",
        "seed": seed,
        "clauses": tally.done,
        "broken": tried,
        "noticed": len(tally.killed),
        "survived": len(tally.alive),
        "noticed_by_others_only": len(shared),
        "refused_at_loading": tally.refused,
        "share_survived": round((len(tally.alive) + len(shared)) / tried, 4) if tried else 0,
    }
    print(json.dumps(found))
