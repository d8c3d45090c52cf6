"""A mutation campaign: a random sample of mutants, each tried by the tests that run the changed lines."""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import json
import os
import pickle
import random
import selectors
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mutation.operators import Site, mutated, sites_of
from benchmarks.mutation.recording import Batch, Recording, batches_of, record
from benchmarks.mutation.trial import ALIVE, BROKEN, KILLED, run_trial
from benchmarks.project_copy import copy_project

ROOT = Path(__file__).resolve().parents[2]
_MUTATED = ("src/passline/game", "src/passline/rules")
_PRELOADED = ("hypothesis.stateful", "rich.console", "textual.app", "typer.testing", "msgspec", "_pytest.doctest")
_WALL = 600.0  # seconds; a mutant that runs longer counts as killed
_KEPT = ROOT / ".pytest_cache" / "mutants.pickle"


@dataclass
class _Child:
    site: Site
    pid: int
    pipe: int
    tests: int
    begun: float
    output: bytes = b""


@dataclass
class _Tally:
    killed: int = 0
    alive: list[tuple[Site, int]] = field(default_factory=list)

    @property
    def done(self) -> int:
        return self.killed + len(self.alive)


def main(arguments: Sequence[str]) -> int:
    """Run a campaign and print its results; the last line is one JSON object."""
    options = _parser().parse_args(arguments)
    with _copy() as root:
        paths = sorted(str(path.relative_to(root)) for folder in _MUTATED for path in (root / folder).rglob("*.py"))
        for module in _PRELOADED:
            importlib.import_module(module)
        recording = _recorded(root, paths)
        _show(recording)
        sites = [site for path in paths for site in sites_of(root, path) if _is_chosen(options.only, site)]
        sample = random.Random(options.seed).sample(sites, min(options.count, len(sites)))
        print(
            f"{len(sites)} mutants in {len(paths)} modules; a sample of {len(sample)}, seed {options.seed}", flush=True
        )
        tally = _Tally()
        if not options.no_controls:
            _control(root, recording)
        with suppress(KeyboardInterrupt):
            _try_all(root, recording, sample, tally, jobs=options.jobs)
    _report(tally)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./x bench mutants", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=500, help="how many mutants (default: 500)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: 1)")
    parser.add_argument("--only", action="append", help="part of a path, or PATH:LINE; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (default: 2)")
    parser.add_argument("--no-controls", action="store_true", help="do not check first that the campaign itself works")
    return parser


def _is_chosen(only: Sequence[str] | None, site: Site) -> bool:
    return not only or any(f"{site.path}:{site.line}".endswith(one) or one in site.path for one in only)


@contextmanager
def _copy() -> Iterator[Path]:
    """Work in a copy, so that edits during the campaign change nothing; import from the copy only."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = Path(folder).resolve()
        copy_project(root)
        sys.path[:] = [
            str(root / "src"),
            *(one for one in sys.path if Path(one or ".").resolve() not in {ROOT, ROOT / "src"}),
        ]
        os.chdir(root)
        try:
            yield root
        finally:
            os.chdir(ROOT)


def _recorded(root: Path, paths: list[str]) -> Recording:
    """Return the recording of exactly these files, from an earlier run if there is one."""
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    with suppress(OSError, pickle.PickleError, EOFError):
        stamp, kept = pickle.loads(_KEPT.read_bytes())  # noqa: S301  # our own file
        if stamp == digest.hexdigest() and isinstance(kept, Recording):
            return kept
    print("recording which tests run which lines", flush=True)
    file = root / "recording.pickle"
    pid = os.fork()
    if not pid:
        _record_and_leave(root, paths, file)
    _, status = os.waitpid(pid, 0)
    if status or not file.exists():
        sys.exit("mutants: the tests could not be recorded")
    made = pickle.loads(file.read_bytes())  # noqa: S301  # written by the child above
    assert isinstance(made, Recording)
    if not made.chosen:
        sys.exit("mutants: no test passes as things are")
    _KEPT.parent.mkdir(exist_ok=True)
    _KEPT.write_bytes(pickle.dumps((digest.hexdigest(), made)))
    return made


def _record_and_leave(root: Path, paths: list[str], file: Path) -> None:
    try:
        file.write_bytes(pickle.dumps(record(root, paths)))
    except BaseException:  # noqa: BLE001  # the child must not return into the campaign
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _show(recording: Recording) -> None:
    chosen = recording.chosen
    total = sum(recording.seconds[test] for test in chosen)
    print(f"{len(chosen)} tests, {total:.0f} s; {len(recording.seconds) - len(chosen)} left out as long or failing")
    for test, why in recording.failed.items():
        print(f"  fails unchanged: {test}: {why}")


def _control(root: Path, recording: Recording) -> None:
    """Check the campaign itself: unchanged code passes every test, and a broken rule is noticed."""
    path = "src/passline/game/wagers.py"
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    everything: dict[str, list[str]] = {}
    for test in recording.chosen:
        everything.setdefault(test.partition("::")[0], []).append(test)
    status, output = _run_alone(root, path, tree, list(everything.items()), recording)
    if status != ALIVE:
        sys.exit(f"mutants: unchanged code does not pass: {output}")
    print(f"control: unchanged code passes all {len(recording.chosen)} tests", flush=True)
    wrong = next(site for site in sites_of(root, path) if site.before == "entry.win.on == came")
    status, output = _run_alone(root, path, mutated(root, wrong), batches_of(recording, wrong), recording)
    if status != KILLED:
        sys.exit(f"mutants: nothing notices {wrong}")
    print(f"control: {wrong.before} -> {wrong.after} is noticed by {output}", flush=True)


def _run_alone(root: Path, path: str, tree: ast.Module, batches: list[Batch], recording: Recording) -> tuple[int, str]:
    pid, pipe = _fork(root, path, tree, batches, recording)
    with os.fdopen(pipe, "rb") as file:
        output = file.read().decode()
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), output


def _fork(root: Path, path: str, tree: ast.Module, batches: list[Batch], recording: Recording) -> tuple[int, int]:
    sys.stdout.flush()
    end, pipe = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(end)
        run_trial(root, path, tree, batches=batches, seconds=recording.seconds, pipe=pipe)
    os.close(pipe)
    return pid, end


def _try_all(root: Path, recording: Recording, sample: Sequence[Site], tally: _Tally, *, jobs: int) -> None:
    waiting = list(reversed(sample))
    running: dict[int, _Child] = {}
    begun = time.monotonic()
    with selectors.DefaultSelector() as ready:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    site = waiting.pop()
                    batches = batches_of(recording, site)
                    if not batches:
                        _note(tally, site, tests=0)
                        continue
                    pid, pipe = _fork(root, site.path, mutated(root, site), batches, recording)
                    tests = sum(len(tests) for _, tests in batches)
                    running[pipe] = _Child(site, pid, pipe, tests, time.monotonic())
                    ready.register(pipe, selectors.EVENT_READ)
                before = tally.done
                _read(ready, running, tally)
                if tally.done // 25 > before // 25:
                    print(f"{tally.done} of {len(sample)}, {time.monotonic() - begun:.0f} s", flush=True)
        finally:
            for child in running.values():
                os.kill(child.pid, 9)
                os.waitpid(child.pid, 0)


def _read(ready: selectors.BaseSelector, running: dict[int, _Child], tally: _Tally) -> None:
    """Read what the running trials write; record those that ended and kill those that take too long."""
    for key, _ in ready.select(timeout=1.0):
        child = running[key.fd]
        if output := os.read(child.pipe, 65_536):
            child.output += output
            continue
        ready.unregister(child.pipe)
        os.close(child.pipe)
        del running[child.pipe]
        _, status = os.waitpid(child.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == BROKEN:
            sys.exit(f"mutants: the trial itself failed on {child.site}\n{child.output.decode()}")
        if code == ALIVE:
            _note(tally, child.site, tests=child.tests)
        else:
            tally.killed += 1
    for child in running.values():
        if time.monotonic() - child.begun > _WALL:
            os.kill(child.pid, 9)


def _note(tally: _Tally, site: Site, *, tests: int) -> None:
    tally.alive.append((site, tests))
    print(f"alive: {site}  [{tests or 'no'} tests]", flush=True)


def _report(tally: _Tally) -> None:
    alive = len(tally.alive)
    total = tally.done
    print(f"\n{total} mutants: {tally.killed} killed, {alive} alive")
    for site, tests in sorted(tally.alive, key=lambda alive: (alive[0].path, alive[0].line, alive[0].index)):
        print(f"  {site}  [{tests or 'no'} tests]")
    share = round(alive / total, 4) if total else 0
    print(
        json.dumps({"bench": "mutants", "mutants": total, "killed": tally.killed, "alive": alive, "share_alive": share})
    )
