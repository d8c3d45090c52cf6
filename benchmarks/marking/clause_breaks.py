"""The breaks that a campaign tries for a clause, best first.

A clause is broken in the rulebook entries and the pages of offices and tournaments that cite it; in code only where no
break of those can be tried, and then in code that reads a rulebook entry or carries a clause of tournaments out. Code
that reads an entry of an office by its name is not sought: its acts are carried out by code that knows none of them.
"""

from __future__ import annotations

import csv
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks.marking.code_breaks import code_breaks_of
from benchmarks.marking.joint_breaks import joint_breaks_of
from benchmarks.marking.page_breaks import PageBreak, page_breaks_of
from benchmarks.marking.rulebook_breaks import FOLDER, Break, Rulebooks
from benchmarks.mutation.operators import Site

_REST_MAX = 12  # further breaks of pages tried where the first of each way cannot be
_CODE_MAX = 8  # breaks of code tried where no break of pages could be


def tournament_code_of(root: Path, clauses: Sequence[str]) -> dict[str, list[Site]]:
    """Return the breaks of the code behind each clause of tournaments, found by a process that loads the package."""
    sought = [clause for clause in clauses if _parts(root)[clause] == "tournament"]
    if not sought:
        return {}
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    command = [sys.executable, "-m", "benchmarks.marking.tournament_code", *sought]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)  # noqa: S603  # our own
    found: dict[str, list[Site]] = pickle.loads(done.stdout)  # noqa: S301  # written by our own process
    return found


def breaks_of(
    root: Path, books: Rulebooks, clause: str, chance: random.Random, code: Mapping[str, Sequence[Site]]
) -> Iterator[Break]:
    """Yield breaks of a clause in random order: one of each way to break each entry, then more of them, then code.

    `code` has the breaks of code by clause of tournaments.
    """
    ways: dict[str, list[Break | PageBreak]] = {}
    for entry in books.places.get(clause, ()):
        for one in (*books.breaks_of(entry), *joint_breaks_of(books, entry)):
            ways.setdefault(f"{one.path} {one.way}", []).append(one)
    for page in page_breaks_of(root, clause):
        ways.setdefault(f"{page.path} {page.keys} {page.way}", []).append(page)
    groups = list(ways.values())
    chance.shuffle(groups)
    rest: list[Break | PageBreak] = []
    for group in groups:
        chance.shuffle(group)
        yield _whole(root, group[0])
        rest += group[1 : 1 + _REST_MAX]
    chance.shuffle(rest)
    yield from (_whole(root, one) for one in rest[:_REST_MAX])
    in_code = [*_reading_code(root, books, clause), *(_in_code(site, clause) for site in code.get(clause, ()))]
    chance.shuffle(in_code)
    yield from in_code[:_CODE_MAX]


def _whole(root: Path, broken: Break | PageBreak) -> Break:
    """Return a break with the whole text of its page."""
    if isinstance(broken, Break):
        return broken
    return Break(broken.path, broken.way, broken.what, broken.text(root), broken.clauses(root))


def _in_code(site: Site, clause: str) -> Break:
    what = f"line {site.line}: {site.before} -> {site.after}"
    return Break(site.path, what, what, "", frozenset({clause}), site)


def _reading_code(root: Path, books: Rulebooks, clause: str) -> list[Break]:
    """Return the breaks of code that reads the rulebook entries which cite a clause."""
    is_live = _parts(root)[clause] == "tables"
    return [
        one
        for entry in books.places.get(clause, ())
        for one in code_breaks_of(
            root,
            books.words_of(entry),
            books.texts_of(entry),
            books.family_of(entry),
            books.named(entry),
            is_live=is_live,
            is_side=entry.file.endswith("sidewagers.toml"),
        )
    ]


@cache
def _parts(root: Path) -> dict[str, str]:
    """The part of each clause. Read here, since a process that has loaded the package cannot try a broken one."""
    files = [one for one in (root / FOLDER / "clauses").glob("*.csv") if one.name != "breaks.csv"]
    rows = (row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    return {row["id"]: row["part"] for row in rows}
