"""Breaks of the code behind a clause of tournaments: what reads the entries that cite it, and what is named below.

Code reads an entry by its place on the pages (`pages.fee.apart`). The statements that do, the conditions above them,
and whatever they go by in the same function (assignments, and functions of the same module that are called) are the
clause's matter. Much code carries a clause out without reading its entry: that is listed in `tournament_code.toml`.
"""

from __future__ import annotations

import ast
import pickle
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from benchmarks.mutation.operators import Site, mutated, sites_of
from passline.rules.pages.citations import cited_paths
from passline.rules.schema import cites_of
from passline.tournament.rules import tournament_of

_NAMED = Path(__file__).with_suffix(".toml")
_PACKAGE = "src/passline"
_LOOKED_AT = (
    "tournament/judges", "tournament/plan", "tournament/results", "tournament/reports.py", "tournament/state.py",
    "tournament/evolve.py", "tournament/runtime.py",
)  # fmt: skip
_LEFT_OUT = {"schema.py", "reader.py", "__init__.py"}
_SHEET = f"{_PACKAGE}/tournament/plan/sheet.py"
_WORDING = {"_cite", "_money", "_difference", "_percent", "_words", "_name", "_text"}  # texts for people
_ENTRY_ALONE = re.compile(r"\(?(\w+ := )?([\w.]*\b(pages|fee|joint|chips|rules)\.)[\w.]+\)?")
_SHORT = 20  # letters: a change of so little is told with the line that it is in
_Lines = set[tuple[str, int]]
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class CodeBreak:
    """One change of a function."""

    site: Site
    function: str
    line: str  # the text that it is in

    @property
    def path(self) -> str:
        """The module that is changed."""
        return self.site.path

    def tree(self, root: Path) -> ast.Module:
        """Return the module with the change made."""
        return mutated(root, self.site)

    def __str__(self) -> str:
        where = f" in {self.line}" if len(self.site.before) < _SHORT else ""
        change = f"{self.site.before} -> {self.site.after}"
        return f"{self.path.removeprefix(f'{_PACKAGE}/')} {self.function}: {change}{where}"


def code_breaks_behind(root: Path, clause: str) -> list[CodeBreak]:
    """Return every break of the code behind a clause."""
    lines: _Lines = set()
    for path in _paths(root):
        module = _Module.read(root, path)
        for entry in _entries(clause):
            lines |= module.about(entry)
    for name in [*_named().get(clause, ()), *_printing(root, clause)]:
        path, _, function = name.partition(":")
        lines |= _Module.read(root, f"{_PACKAGE}/{path}").whole(function)
    return [
        CodeBreak(site, function, line.strip())
        for path in sorted({path for path, _ in lines})
        for site in _sites(root, path)
        if (path, site.line) in lines
        for line in [_Module.read(root, path).text.splitlines()[site.line - 1]]
        if not _is_idle(site, line) and not _is_of_another(site, line, clause)
        if (function := _Module.read(root, path).function_at(site.line))
    ]


def _is_idle(site: Site, line: str) -> bool:
    """Whether a break changes nothing: for a regulation that has the entry it is there; widths are of the printing."""
    return "widths=" in line or (site.after.endswith("True") and _ENTRY_ALONE.fullmatch(site.before) is not None)


def _is_of_another(site: Site, line: str, clause: str) -> bool:
    """Whether a break is another's matter: listed so, or of another row where live tables get the clauses of all."""
    if any(word in line for word in _named().get(f"not {clause}", ())):
        return True
    if not site.path.endswith("runtime.py") or not site.before.startswith("'"):
        return False
    return site.before.strip("'") not in {one.rpartition(".")[2] for one in _entries(clause)}


@cache
def _sites(root: Path, path: str) -> list[Site]:
    return sites_of(root, path)


@cache
def _named() -> dict[str, list[str]]:
    """The functions that carry a clause out without reading its entry."""
    data: dict[str, list[str]] = tomllib.loads(_NAMED.read_text(encoding="utf-8"))
    return data


@cache
def _paths(root: Path) -> tuple[str, ...]:
    found = []
    for name in _LOOKED_AT:
        at = root / _PACKAGE / name
        found += [at] if at.is_file() else sorted(at.rglob("*.py"))
    return tuple(str(one.relative_to(root)) for one in found if one.name not in _LEFT_OUT)


@cache
def _entries(clause: str) -> tuple[str, ...]:
    """The places of the entries that cite a clause, as code writes them; parts of the sheet are read otherwise."""
    found = []
    for regulation in ("colorado", "arizona"):
        for path, clauses in cited_paths(tournament_of(regulation).pages):
            if clause in clauses and path[0] != "sheet":
                found.append(".".join(("pages", *path)))
    return tuple(dict.fromkeys(found))


def _printing(root: Path, clause: str) -> Iterator[str]:
    """Yield the functions that print the parts, or the lists of parts, which cite a clause."""
    for regulation in ("colorado", "arizona"):
        sheet = tournament_of(regulation).pages.sheet
        for part in sheet.parts.values():
            if clause in cites_of(part.cite):
                for name in _source(root, part.source):
                    yield f"tournament/plan/sheet.py:{name}"
        for one in sheet.lists.values():
            if clause in cites_of(one.cite):
                yield from (
                    f"tournament/plan/sheet.py:{name}" for name in ("rule_sheet", "_lists", "_parts_of", "_lines")
                )


@cache
def _source(root: Path, source: str) -> tuple[str, ...]:
    """The function that prints a part made from this source, and those of its module that it calls."""
    module = _Module.read(root, _SHEET)
    table = next(
        one.value
        for one in module.tree.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id == "SHEET_SOURCES"
    )
    assert isinstance(table, ast.Dict)
    for key, value in zip(table.keys, table.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == source:
            named = value if isinstance(value, ast.Name) else value.func if isinstance(value, ast.Call) else None
            assert isinstance(named, ast.Name)
            called = module.called_in(module.functions[named.id])
            return (named.id, *(one for one in called if one != named.id))
    raise KeyError(source)


@dataclass(frozen=True, eq=False)
class _Module:
    """A module with its functions by name; those of a class by `Class.name`."""

    path: str
    text: str
    tree: ast.Module
    functions: dict[str, _Function]

    @classmethod
    def read(cls, root: Path, path: str) -> _Module:
        return _read(root, path)

    def function_at(self, line: int) -> str:
        """Return the name of the function that a line is in; none for a line of the module itself."""
        within = [name for name, one in self.functions.items() if one.lineno <= line <= (one.end_lineno or 0)]
        return within[-1] if within else ""

    def whole(self, name: str) -> _Lines:
        """Return the lines of a function; `name@WORD` means only the cases, or else the lines, that have the word."""
        name, _, word = name.partition("@")
        one = self.functions[name]
        if not word:
            return self.lines(one)
        found: _Lines = set()
        for node in ast.walk(one):
            if isinstance(node, ast.match_case) and word in ast.unparse(node).partition(":")[0]:
                found |= self.lines(node.guard) if node.guard else set()
                for statement in node.body:
                    found |= self.lines(statement)
        text = self.text.splitlines()
        found = found or {at for at in self.lines(one) if word in text[at[1] - 1]}
        assert found, f"{self.path}: {name}: nothing there has {word}"
        return found

    def lines(self, node: ast.AST) -> _Lines:
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        return {(self.path, line) for line in range(first, last + 1)}

    def about(self, entry: str) -> _Lines:
        """Return the lines that are about an entry."""
        found: _Lines = set()
        for function in self._slices:
            found |= function.about(entry)
        return found

    @cached_property
    def _slices(self) -> list[_Slice]:
        return [_Slice(self, function) for function in self.functions.values()]

    def called_in(self, node: ast.AST) -> list[str]:
        """Return the functions of this module that are called, or handed on, below a node; not those of wording."""
        names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in self.functions]
        return [one for one in dict.fromkeys(names) if one not in _WORDING]


@cache
def _read(root: Path, path: str) -> _Module:
    text = (root / path).read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions: dict[str, _Function] = {}
    for one in tree.body:
        if isinstance(one, _Function):
            functions[one.name] = one
        elif isinstance(one, ast.ClassDef):
            functions |= {f"{one.name}.{part.name}": part for part in one.body if isinstance(part, _Function)}
    return _Module(path, text, tree, functions)


class _Slice:
    """One function: which of its statements go by an entry, and what those go by."""

    def __init__(self, module: _Module, function: _Function) -> None:
        self.module, self.function, self.nodes = module, function, list(ast.walk(function))
        self.parents = {below: node for node in self.nodes for below in ast.iter_child_nodes(node)}
        self.aliases: dict[str, str] = {}  # names that stand for a part of the pages
        self._find_aliases()

    def about(self, entry: str) -> _Lines:
        lines: _Lines = set()
        names: set[str] = set()
        for reading in [one for one in self.nodes if self._reads(one, entry)]:
            lines |= self.module.lines(self._place(reading))
            for condition in self._conditions(reading):
                lines |= self.module.lines(condition)
                names |= _loaded(condition)
        return lines | self._gone_by(names)

    def _gone_by(self, names: set[str]) -> _Lines:
        """Return the assignments of names, of what those use, and the functions of the module that are called."""
        lines: _Lines = set()
        done: set[str] = set()
        while todo := names - done:
            done |= todo
            for node in self.nodes:
                if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) and _bound(node) & todo:
                    lines |= self.module.lines(node)
                    names = names | _loaded(node)
            for name in todo & self.module.functions.keys() - _WORDING:
                lines |= self.module.whole(name)
        return lines

    def _reads(self, node: ast.AST, entry: str) -> bool:
        if isinstance(node, ast.Name):
            return isinstance(node.ctx, ast.Load) and self.aliases.get(node.id, "").endswith(entry)
        if not isinstance(node, ast.Attribute):
            return False
        text = self._dotted(node)
        return text.endswith(f".{entry}") or text == entry

    def _dotted(self, node: ast.AST) -> str:
        if isinstance(node, ast.Attribute):
            return f"{self._dotted(node.value)}.{node.attr}"
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id, node.id)
        return "?"

    def _find_aliases(self) -> None:
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                for target, value in _pairs(node.targets[0], node.value):
                    if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
                        self.aliases[target.id] = self._dotted(value)

    def _place(self, node: ast.AST) -> ast.AST:
        """Return the statement that a node is in, or its head; of a list of rows only the row."""
        while not isinstance(node, ast.stmt):
            above = self.parents[node]
            if isinstance(node, ast.Tuple) and isinstance(above, ast.List):
                return node
            node = above
        return getattr(node, "test", None) or getattr(node, "iter", None) or node

    def _conditions(self, node: ast.AST) -> Iterator[ast.expr]:
        """Yield the conditions that a node is in or below."""
        while node is not self.function:
            node = self.parents[node]
            if isinstance(node, ast.If | ast.While | ast.IfExp):
                yield node.test
            elif isinstance(node, ast.For):
                yield node.iter


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _loaded(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _bound(node: ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


if __name__ == "__main__":  # for a campaign that must not load the package itself
    _found = {clause: [one.site for one in code_breaks_behind(Path.cwd(), clause)] for clause in sys.argv[1:]}
    sys.stdout.buffer.write(pickle.dumps(_found))
