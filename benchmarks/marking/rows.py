"""A campaign over every clause of a part: many breaks of each, of its pages and of the code behind it.

Each break is tried by the tests that claim the clause, and by no others. What it comes to is written for the package
(`breaks.csv`); survivors go onto a page where each is explained.
"""

from __future__ import annotations

import argparse
import json
import queue
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.marking.forks import Collected, Fork, Trial
from benchmarks.marking.hand_made import HandMade, hand_made_breaks
from benchmarks.marking.page_breaks import PageBreak, page_breaks_of
from benchmarks.marking.tally import ClauseTally, write_breaks, write_survivors
from benchmarks.marking.tournament_code import CodeBreak, code_breaks_behind
from passline.rules.clauses import REGULATIONS, clauses_of

ROOT = Path(__file__).resolve().parents[2]
HELD = ROOT / "src/passline/rulebooks/clauses/held.json"
PARTS = {
    "tournament": ("tests/tournament", "tests/tables/test_points.py", "tests/office/test_clauses.py"),
}
"""The parts whose every clause can be tried, with the tests that are collected.

Tests of whole servers are left out: they take long, and leaving one out can only let a break live.
"""
Break = PageBreak | CodeBreak | HandMade


@dataclass
class _Found:
    """What the breaks of one clause came to so far."""

    noticed: list[tuple[str, str]] = field(default_factory=list)  # the break, and by which test
    alive: list[str] = field(default_factory=list)
    refused: int = 0


def main(arguments: Sequence[str]) -> int:
    """Try every clause of a part and print the results; the last line is one JSON object."""
    options = _parser().parse_args(arguments)
    clauses = [one for name in REGULATIONS for one, row in clauses_of(name).items() if row.part == options.part]
    if unknown := {*(options.only or ())} - {*clauses}:
        sys.exit(f"marks: no clause of {options.part}: {', '.join(sorted(unknown))}")
    clauses = options.only or clauses
    with tempfile.TemporaryDirectory(prefix="marks-") as folder:
        files = _files(options.part, clauses)
        forks = [Fork(Path(folder).resolve() / str(number), files) for number in range(options.jobs)]
        try:
            marks = forks[0].collected.clauses
            control = forks[0].control([test for test, claimed in marks.items() if claimed & {*clauses}])
            print(f"control: {len(control.seconds)} tests, {len(control.failed)} do not pass", flush=True)
            for test, why in control.failed.items():
                print(f"does not pass without a break: {test}: {why}")
            tests = {one: _tests(forks[0].collected, control, one) for one in clauses}
            todo = [(one, broken) for one in clauses for broken in _breaks(one, options.each, options.seed)]
            todo = [one for one in todo if _kind(one[1]) not in options.skip]
            found = _tried(forks, tests, todo)
        finally:
            for one in forks:
                one.close()
    return _report(found, clauses, options, control)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./x bench marks", description=__doc__)
    parser.add_argument("--part", required=True, choices=sorted(PARTS), help="whose clauses")
    parser.add_argument(
        "--each", type=int, default=8, help="breaks of pages, and of code, for each clause (default: 8)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which of them (default: 1)")
    parser.add_argument("--only", action="append", help="a clause; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="breaks at a time (default: 2)")
    parser.add_argument("--skip", action="append", default=[], help="leave out pages, code or hand-made breaks")
    parser.add_argument("--dry", action="store_true", help="write neither breaks.csv nor the page of survivors")
    return parser


def _files(part: str, clauses: Sequence[str]) -> list[str]:
    """The files of a part in which some of the clauses are claimed, as the package knows it."""
    held: dict[str, list[str]] = json.loads(HELD.read_text(encoding="utf-8"))
    names = {test.partition("::")[0] for clause in clauses for test in held.get(clause, ())}
    return [one for one in PARTS[part] if any(name.startswith(one) for name in names)]


def _tests(collected: Collected, control: Collected, clause: str) -> tuple[str, ...]:
    """The tests that claim a clause and pass without a break, the quickest first."""
    own = [test for test, clauses in collected.clauses.items() if clause in clauses and test not in control.failed]
    return tuple(sorted(own, key=lambda test: control.seconds[test]))


def _breaks(clause: str, each: int, seed: int) -> list[Break]:
    """The breaks of a clause: all made by hand, and so many of its pages and of its code by chance."""
    chance = random.Random(f"{seed} {clause}")
    pages, code = list(page_breaks_of(ROOT, clause)), code_breaks_behind(ROOT, clause)
    chance.shuffle(pages)
    chance.shuffle(code)
    return [*(one for one in hand_made_breaks() if clause in one.clauses), *pages[:each], *code[:each]]


def _trial(broken: Break, tests: tuple[str, ...]) -> Trial:
    if isinstance(broken, PageBreak):
        return Trial(tests, texts={broken.path: broken.text(ROOT)})
    return Trial(tests, path=broken.path, tree=broken.tree(ROOT))


def _tried(
    forks: Sequence[Fork], tests: dict[str, tuple[str, ...]], todo: Iterable[tuple[str, Break]]
) -> dict[str, _Found]:
    found = {clause: _Found() for clause in tests}
    waiting: queue.SimpleQueue[tuple[str, Break]] = queue.SimpleQueue()
    for one in todo:
        waiting.put(one)
    total, begun, done, lock = waiting.qsize(), time.monotonic(), [0], threading.Lock()

    def work(fork: Fork) -> None:
        while not waiting.empty():
            clause, broken = waiting.get()
            verdict = fork.tried(_trial(broken, tests[clause]))
            with lock:
                _note(found[clause], clause, broken, verdict.what, verdict.by)
                done[0] += 1
                if done[0] % 100 == 0:
                    print(f"{done[0]} of {total}, {time.monotonic() - begun:.0f} s", flush=True)

    threads = [threading.Thread(target=work, args=(fork,)) for fork in forks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def _note(found: _Found, clause: str, broken: Break, what: str, by: str) -> None:
    match what:
        case "noticed":
            found.noticed.append((_words(broken), by))
        case "alive":
            found.alive.append(_words(broken))
            print(f"alive: {clause}: {_words(broken)}", flush=True)
        case "refused":
            found.refused += 1
        case _:
            print(f"marks: the trial itself failed on {clause}: {_words(broken)}\n{by}", flush=True)


def _kind(broken: Break) -> str:
    return {PageBreak: "pages", CodeBreak: "code", HandMade: "hand-made"}[type(broken)]


def _words(broken: Break) -> str:
    return f"by hand: {broken.what}" if isinstance(broken, HandMade) else str(broken)


def _report(found: dict[str, _Found], clauses: Sequence[str], options: argparse.Namespace, control: Collected) -> int:
    tallies = [
        ClauseTally(one, len(found[one].noticed) + len(found[one].alive), len(found[one].noticed), (*found[one].alive,))
        for one in clauses
    ]
    print(f"\n{'clause':28} {'tried':>6} {'noticed':>8} {'refused at loading':>19}")
    for one in tallies:
        print(f"{one.clause:28} {one.tried:6} {one.noticed:8} {found[one.clause].refused:19}")
    unexplained: list[str] = []
    if not options.dry:
        write_breaks(tallies)
        unexplained = write_survivors(tallies)
    for survivor in unexplained:
        print(f"NOT EXPLAINED: {survivor}")
    tried, noticed = sum(one.tried for one in tallies), sum(one.noticed for one in tallies)
    result = {
        "bench": "marks",
        "part": options.part,
        "seed": options.seed,
        "clauses": len(clauses),
        "without_a_break": sum(not one.tried for one in tallies),
        "tried": tried,
        "noticed": noticed,
        "survived": tried - noticed,
        "share_survived": round((tried - noticed) / tried, 4) if tried else 0,
        "control_failed": len(control.failed),
    }
    print(json.dumps(result))
    return 1 if unexplained else 0
