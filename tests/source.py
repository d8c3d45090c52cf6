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

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
FILES = sorted(SRC.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path) -> str:
    """Return the dotted name that a file is imported by."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in FILES}


_NAMED_MODULE = re.compile(r"(passline(?:\.\w+)+)(?::\w+)?")


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    """Yield every module that a file imports, wherever in its text, with the line number.

    A string of the package that names a module is an import too: `import_module` or another process may carry it out.
    """
    module = module_name(path) if path.is_relative_to(SRC) else ""
    for node in ast.walk(tree_of(path)):
        if module and isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = _NAMED_MODULE.fullmatch(node.value)
            if named and named[1] in MODULES:
                yield named[1], node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node).startswith("import_module('passline')"):
            yield "passline", node.lineno
        elif isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")
            above = above[: len(above) - node.level + (path.name == "__init__.py")] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield (f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base), node.lineno


def assigned_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def exported_names(tree: ast.Module) -> set[str]:
    """Return the names in a module's `__all__`."""
    return {
        text.value
        for node in tree.body
        if isinstance(node, ast.Assign) and "__all__" in assigned_names(node)
        for text in ast.walk(node.value)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


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
