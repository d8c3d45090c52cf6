"""Breaks of the code that reads a cited entry: small changes to the statements that name it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks.marking.rulebook_breaks import Break, Entry
from benchmarks.mutation.operators import Site, mutated, sites_of

__all__ = ["code_breaks_of"]

_WHOLE = {"True", "False", "(removed)"}  # a condition or a statement that no longer does anything
_FOLDERS = ("game", "rules", "tables")
_LEFT_OUT = {"explain", "hand_files", "schema", "views", "clauses.py", "conformance.py", "wording.py"}


def code_breaks_of(root: Path, entry: Entry, family: str, clauses: frozenset[str]) -> Iterator[Break]:
    """Every break of a statement that reads the entry by its name; of a wager's, in the module of its family.

    `clauses` are those of all entries of this name: the statement may be about any of them.
    """
    word = re.compile(rf"\.{re.escape(entry.name)}\b|[\"']{re.escape(entry.name)}[\"']")
    for path in _modules(root):
        if family and not path.endswith(f"game/wagers/{family}.py"):
            continue
        lines = _lines(root, path)
        for site in _sites(root, path):
            if (site.after in _WHOLE or site.before.startswith("not ")) and word.search(
                " ".join(lines[site.first - 1 : site.last])
            ):
                text = ast.unparse(mutated(root, site))
                what = f"line {site.line}: {site.before} -> {site.after}"
                yield Break(path, what, what, text, clauses)


@cache
def _modules(root: Path) -> list[str]:
    found = [path for folder in _FOLDERS for path in (root / "src/passline" / folder).rglob("*.py")]
    return sorted(str(path.relative_to(root)) for path in found if not _LEFT_OUT & set(path.parts))


@cache
def _lines(root: Path, path: str) -> list[str]:
    return (root / path).read_text(encoding="utf-8").splitlines()


@cache
def _sites(root: Path, path: str) -> list[Site]:
    return sites_of(root, path)
