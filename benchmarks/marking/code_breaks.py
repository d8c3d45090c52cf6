"""Breaks of the code that reads a cited entry: small changes to the statements that name it."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from benchmarks.marking.rulebook_breaks import Break
from benchmarks.mutation.operators import Site, sites_of

_WHOLE = {"True", "False", "(removed)"}  # a condition or a statement that no longer does anything
_FOLDERS = ("game", "rules")
_ABOVE = "tables"  # only for the clauses of live tables: others are merely cited there, in refusals of something else
# Words, and what loading refuses: neither decides anything at a table.
_LEFT_OUT = {"explain", "hand_files", "schema", "views", "clauses.py", "craps.py", "conformance.py", "wording.py"}
_LEFT_OUT |= {"checks", "rulebook_check.py", "rulebook_reader.py", "pages"}
_FAMILIES = "src/passline/game/wagers.py"
_DECIDES = re.compile(r"def _\w+_outcome\(")
_HANDING_ON = "game/decide.py"  # it hands commands to judges, and refuses what is no command at all
_CITING = re.compile(r"clause_text\((?:[^()]|\([^()]*\))*\)")  # what an event only cites, it does not go by
_ELSE = re.compile(r"(?<=\w) or [\w.]+")  # what is cited where there is nothing better
_COMPARES = re.compile(r"\b(?:not|in|is)\b|[=<>]|\(")  # a condition that asks for more than whether there is an entry
_WORDING = re.compile(r'f?"[^"]*" if .+ else f?"[^"]* [^"]*"')  # a choice between words of a sentence
_SHORT_WAY = "# the short way"  # what follows decides the same, only slower
_BODY = 4  # lines below a condition in which a refusal cites the entry


def code_breaks_of(
    root: Path,
    words: Sequence[str],
    values: Iterable[str],
    family: str,
    clauses: frozenset[str],
    *,
    is_live: bool,
    is_side: bool,
) -> list[Break]:
    """Every break of a statement that reads an entry by one of its words; of a wager's, in the functions of its family.

    `words` are the best first: where code reads `clearing.line_wager`, another `line_wager` is not meant. A condition
    counts if it goes by the entry, or guards a refusal or an outcome that cites it. `clauses` are those of all entries
    of this name: the statement may be about any of them; `values` are the entry's own words. `is_live`: the clause is
    one of live tables; `is_side`: the entry is one of side wagers, so that what judges those alone is meant too.
    """
    paths = [_FAMILIES] if family else _modules(root, is_live=is_live)
    own = _family_lines(root, family) if family else range(sys.maxsize)
    for word in words:
        above, _, name = word.rpartition(".")
        said = rf"\b{above}\.{name}\b|(?<![\w.]){name}\.\w" if above else rf"\.{name}\b"
        pattern = re.compile(said)
        found = [
            Break(path, what, what, "", clauses, site)
            for path in paths
            for site in _sites(root, path)
            if site.line in own and (is_side or site.line not in _side_lines(root, path))
            if (site.after in _WHOLE or site.before.startswith("not ")) and not _is_idle(site)
            if _is_about(pattern, _lines(root, path), site)
            for what in [f"line {site.line}: {site.before} -> {site.after}"]
        ]
        if found:
            return found + _by_value(root, words[-1], values, clauses, is_side=is_side) if family else found
    return _by_value(root, words[-1], values, clauses, is_side=is_side) if family else []


def _by_value(root: Path, word: str, values: Iterable[str], clauses: frozenset[str], *, is_side: bool) -> list[Break]:
    """Breaks where the judges of all wagers ask whether an entry has the very value that it has."""
    return [
        Break(path, what, what, "", clauses, site)
        for path in _modules(root, is_live=False)
        if "game/judges/" in path
        for site in _sites(root, path)
        if site.after == "False"
        and (is_side or site.line not in _side_lines(root, path))
        and f"entry.{word}." in site.before
        and any(f"'{one}'" in site.before for one in values)
        for what in [f"line {site.line}: {site.before} -> {site.after}"]
    ]


def _is_idle(site: Site) -> bool:
    """Whether a break changes nothing for a regulation that has the entry, or is about the shape of a house's file."""
    asks_only_if_there = site.after == "True" and not _COMPARES.search(site.before)
    return asks_only_if_there or (site.path.endswith("house_check.py") and "'procedures'" in site.before)


def _is_about(word: re.Pattern[str], lines: list[str], site: Site) -> bool:
    if site.after == "(removed)":
        said = _CITING.sub("", _ELSE.sub("", " ".join(lines[site.first - 1 : site.last])))
        return word.search(said) is not None and _SHORT_WAY not in lines[site.first - 1]
    if _SHORT_WAY in lines[site.first - 1] or _WORDING.search(lines[site.line - 1]):
        return False
    if word.search(_CITING.sub("", site.before)):
        return True
    head, body = _indent(lines[site.first - 1]), lines[site.last : site.last + _BODY]
    below = " ".join(itertools.takewhile(lambda line: _indent(line) > head, body))
    return site.after == "False" and word.search(_ELSE.sub("", below)) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def _modules(root: Path, *, is_live: bool) -> list[str]:
    folders = (*_FOLDERS, _ABOVE) if is_live else _FOLDERS
    found = [path for folder in folders for path in (root / "src/passline" / folder).rglob("*.py")]
    kept = (path for path in found if not _LEFT_OUT & set(path.parts) and not path.match(_HANDING_ON))
    return sorted(str(path.relative_to(root)) for path in kept)


def _family_lines(root: Path, family: str) -> range:
    """The lines of the functions that decide the wagers of a family: from the first to that of the next family."""
    starts = [number for number, line in enumerate(_lines(root, _FAMILIES), start=1) if _DECIDES.match(line)]
    start = next((at for at in starts if f"def _{family}_outcome(" in _lines(root, _FAMILIES)[at - 1]), sys.maxsize)
    return range(start, min((at for at in starts if at > start), default=sys.maxsize))


@cache
def _side_lines(root: Path, path: str) -> frozenset[int]:
    """The lines of the functions that judge a side wager and nothing else."""
    functions = (
        node for node in ast.walk(ast.parse("\n".join(_lines(root, path)))) if isinstance(node, ast.FunctionDef)
    )
    of_side = (
        one for one in functions if any(ast.unparse(arg.annotation or arg) == "SideWager" for arg in one.args.args)
    )
    return frozenset(line for one in of_side for line in range(one.lineno, (one.end_lineno or one.lineno) + 1))


@cache
def _lines(root: Path, path: str) -> list[str]:
    return (root / path).read_text(encoding="utf-8").splitlines()


@cache
def _sites(root: Path, path: str) -> list[Site]:
    return sites_of(root, path)
