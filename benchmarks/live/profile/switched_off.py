"""What parts of the program cost a command: the same load on copies of this version, each with one part switched off.

A copy has other bodies of some functions, and nothing else. The program itself has no such switches: without any of
these parts it would not do what it promises.
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from msgspec import Struct

from benchmarks.live.house import PLAYERS
from benchmarks.live.profile.compare import HERE, ROOT, Cost, Turns, checkout, cost_of, median_of, play_turn
from benchmarks.processor import processor_name


class Switch(Struct, frozen=True):
    """A part that can be switched off: what it is, and other bodies of its functions, by `module:function`."""

    what: str
    bodies: dict[str, str]


_AT_ONCE = """
    from random import randint
    thrown = act(rules, live.game, c.ThrowDice(by=SHOOTER, seat=command.seat))
    if isinstance(thrown, Refused):
        return thrown
    landed = act(rules, thrown[1], c.LandDice(first=randint(1, 6), second=randint(1, 6)))
    return landed if isinstance(landed, Refused) else ((*thrown[0], *landed[0]), landed[1])
"""
_FOREVER = "await asyncio.Event().wait()"
SWITCHES = {
    "provable": Switch(
        "dice that anybody can prove: they land at once, without key, nonce and entries of their own",
        {"passline.tables.dice.throwing:close_wagers": _AT_ONCE},
    ),
    "office": Switch(
        "the office: its accounts and its views, and the look at its standing conditions",
        {
            "passline.office.views.projections:projections_of": "return [TableViews(log, [PlayedFollower()])]",
            "passline.web.app:_look_round": _FOREVER,
        },
    ),
    "givenup": Switch(
        "ids that were given up: nobody asks whether a command's id is one of them",
        {
            "passline.streams.running:RunningStream._is_unsure": "return False",
            "passline.streams.running:_Ids.add": "return",
            "passline.store.sqlite_transaction:SqliteTransaction._recall": """
                [[data_version]] = self._connection.execute(_DATA_VERSION).fetchall()
                if (known := self.recalled) is not None and known.data_version == data_version:
                    known.versions |= state.versions
                    return
                self.recalled = Recalled(data_version, state.tip, state.first, dict(state.versions), frozenset())
            """,
        },
    ),
    "marks": Switch(
        "what an entry is found by in a search",
        {
            "passline.tables.views.log_marks:marks_of": 'return EntryMarks({}, (), "", 0)',
            "passline.tables.views.log_marks:note_moments": "return",
        },
    ),
    "views": Switch(
        "the process that keeps what pages show of the log",
        {"passline.office.views.writing:main": "while os.read(sys.stdin.fileno(), 4096):\n    pass"},
    ),
    "words": Switch(
        "events in words, for screens and for pages",
        {
            "passline.tables.views.wording:lines_of": "return ()",
            "passline.tables.views.wording:call_of": 'return ""',
        },
    ),
}
"""The parts by name."""


def with_body(source: str, function: str, body: str) -> str:
    r"""Return a module's text in which a function, or `Class.method`, has another body.

    >>> with_body("def double(x):\n    return 2 * x\n", "double", "return 0")
    'def double(x):\n    return 0\n'
    """
    place: Any = ast.parse(source)
    for name in function.split("."):
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        place = next((node for node in place.body if isinstance(node, kinds) and node.name == name), None)
        if place is None:
            raise LookupError(f"there is no {function} in this version: name another function in SWITCHES")
    lines = source.splitlines(keepends=True)
    first, margin = place.body[0].lineno - 1, " " * place.body[0].col_offset
    return "".join([*lines[:first], indent(dedent(body).strip("\n"), margin), "\n", *lines[place.end_lineno :]])


@contextmanager
def copy_without(name: str) -> Iterator[Path]:
    """Copy this version into a folder, with one part switched off."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for part in ("src", "benchmarks"):
            shutil.copytree(ROOT / part, tree / part)
        for target, body in SWITCHES[name].bodies.items():
            module, _, function = target.partition(":")
            path = tree / "src" / f"{module.replace('.', '/')}.py"
            path.write_text(with_body(path.read_text(encoding="utf-8"), function, body), encoding="utf-8")
        yield tree


def compare_without(turns: Turns, names: Sequence[str], against: str) -> dict[str, Any]:
    """Play the load on this version, on copies without a part, and on another version; print and return the costs."""
    with ExitStack() as copies:
        trees = {HERE: ROOT}
        if against:
            trees[Path(against).name[:12]] = copies.enter_context(checkout(against))
        trees |= {f"without {name}": copies.enter_context(copy_without(name)) for name in names}
        at_once = f"at once, each on {turns.cores} cores of its own" if turns.cores else "in turns"
        print(
            f"{processor_name()}, Python {sys.version.split()[0]}; {turns.tables} tables of {PLAYERS} screens, a roll "
            f"every {turns.seconds:g} s, {turns.rounds} rounds {at_once}, load {os.getloadavg()[0]:.1f} before",
            flush=True,
        )
        costs: dict[str, list[Cost]] = {name: [] for name in trees}
        for number in range(turns.rounds):
            for name, cost in _play_round(trees, turns, number):
                costs[name].append(cost)
                print(f"... {name}: {cost.total:.0f} us a command, p99 {cost.p99:.1f} ms", file=sys.stderr, flush=True)
    found = {name: median_of(rounds) for name, rounds in costs.items()}
    _print_costs(found)
    for name in names:
        print(f"  {name}: {SWITCHES[name].what}")
    return {name: {key: getattr(cost, key) for key in Cost.__struct_fields__[:7]} for name, cost in found.items()}


def _play_round(trees: dict[str, Path], turns: Turns, number: int) -> Iterator[tuple[str, Cost]]:
    """Play once on every version: in turns, or at once, each then on other cores than in the round before."""
    if not turns.cores:
        for name, tree in [*trees.items()][:: -1 if number % 2 else 1]:
            yield name, cost_of(play_turn(tree, turns, is_profiled=False))
        return
    cores = sorted(os.sched_getaffinity(0))
    groups = [cores[first : first + turns.cores] for first in range(0, len(cores) - turns.cores + 1, turns.cores)]
    if len(groups) < len(trees):
        raise SystemExit(f"{len(trees)} versions at once need {len(trees) * turns.cores} cores; here are {len(cores)}")
    with ThreadPoolExecutor(len(trees)) as threads:
        playing = [
            (
                name,
                threads.submit(play_turn, tree, turns, is_profiled=False, cores=groups[(place + number) % len(groups)]),
            )
            for place, (name, tree) in enumerate(trees.items())
        ]
        for name, played in playing:
            yield name, cost_of(played.result())


def _print_costs(found: dict[str, Cost]) -> None:
    whole = found[HERE].total
    print(f"\nMicroseconds of processor time a command{'all':>10} {'a screen':>9} {'server':>8} {'views':>7}", end="")
    print(f" {'saved':>7} {'ratio':>6} {'p50':>7} {'p99 ms':>7}")
    for name, cost in found.items():
        parts = f"{cost.total:10.0f} {cost.total / PLAYERS:9.1f} {cost.server:8.0f} {cost.views:7.0f}"
        print(f"  {name:38}{parts} {whole - cost.total:7.0f} {cost.total / whole:6.2f} {cost.p50:7.1f} {cost.p99:7.1f}")
