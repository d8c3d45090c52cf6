"""The source tree as data: its files, modules, imports and exported names, for the tests that hold its shape."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
FILES = sorted(SRC.rglob("*.py"))


class _Text(ast.Constant):
    value: str


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return everything that a file's syntax tree consists of."""
    return tuple(ast.walk(tree_of(path)))


def module_name(path: Path) -> str:
    """Return the dotted name that a file is imported by."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in FILES}


_IMPORTERS = {"import_module", "__import__"}


@cache
def imports_of(path: Path) -> tuple[tuple[str, int], ...]:
    """Return every module that a file imports, wherever in its text, with the line number.

    What is imported by its name counts too: a string that is the name of a module, or of something in it
    (`passline.cli.serve:serve`), is there to be imported later, be it by a table of commands or in another process.
    """
    return tuple(_imports(path, module_name(path) if path.is_relative_to(SRC) else ""))


def _imports(path: Path, module: str) -> Iterator[tuple[str, int]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")
            above = above[: len(above) - node.level + (path.name == "__init__.py")] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield (f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base), node.lineno
        elif isinstance(node, ast.Call) and is_import_by_name(node):
            yield from ((name.value, node.lineno) for name in node.args[:1] if _is_text(name))
        elif _is_text(node) and "." in (name := node.value.partition(":")[0]) and name in MODULES:
            yield name, node.lineno


def is_import_by_name(call: ast.Call) -> bool:
    """Whether a call imports a module by its name."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _IMPORTERS


def _is_text(node: ast.AST) -> TypeGuard[_Text]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def assigned_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


@cache
def tracked_files() -> tuple[Path, ...]:
    """Return the files that are, or are about to be, in the repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if shutil.which("git") and not (git := subprocess.run(command, check=False, capture_output=True)).returncode:
        paths = {ROOT / os.fsdecode(name) for name in git.stdout.split(b"\0") if name}
    else:  # an exported copy: all but the folders that tools make
        paths = {path for path in ROOT.rglob("*") if not re.search(r"/(\.|__pycache__)", f"/{path.relative_to(ROOT)}")}
    return tuple(sorted(path for path in paths if path.is_file()))


def place(path: Path, line: int) -> str:
    """Return a file and line as tools print them."""
    return f"{path.relative_to(ROOT)}:{line}"


def example_lines(tree: ast.Module) -> set[int]:
    """Return the lines of docstrings."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found
