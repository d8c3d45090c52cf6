"""Holds the parts of the style guide that a machine can check, so that a review can be about the rest."""

import ast
import io
import itertools
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source import (
    FILES,
    MODULES,
    ROOT,
    SRC,
    assigned_names,
    imports_of,
    module_name,
    nodes_of,
    place,
    tracked_files,
    tree_of,
)

EXACT = ("dice", "money", "rules", "game")
PURE = ("rules", "game")
CLOCK_OR_CHANCE = {"time", "datetime", "random", "secrets"}
A_DAY_AS_A_VALUE = "from datetime import date"  # a clause is in force from a day; what day it is now is an argument
NOW = {"today", "now", "utcnow", "fromtimestamp"}
MODULE_LINES_MAX = 450
FUNCTION_LINES_MAX = 70  # its docstring not counted: examples are welcome
SHAPELESS = {"utils", "util", "helpers", "common", "manager"}

TO_DO = re.compile(r"#.*\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b(?!.*#\d+)")
PRIVATE = re.compile(  # in pieces, so that this file does not match itself
    "|".join(
        [
            r"(?<![\w.])/(" + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me", "o" + "pt", "Us" + "ers"]) + r")/\w",
            "py" + r"pi\.(org|python)",
            "python" + "hosted",
            r"//[^/\s]+/(\w+/)*" + r"simple\b",
        ]
    )
)


def _text(path: Path) -> str:
    """Return the text of a tracked file; empty if it is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def _is_in(path: Path, parts: tuple[str, ...]) -> bool:
    return module_name(path).partition(".")[2].partition(".")[0] in parts


def test_nothing_exact_is_a_float() -> None:
    wrong = [
        f"{place(path, node.lineno)} has {ast.unparse(node)}: amounts are whole cents and odds are Fractions"
        for path in FILES
        if _is_in(path, EXACT)
        for node in nodes_of(path)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_and_game_read_no_clock_and_throw_no_dice() -> None:
    wrong = [
        f"{place(path, line)} {name}: time and chance are arguments, passed in from the edge"
        for path in FILES
        if _is_in(path, PURE)
        for line, name in _clocks_and_chances(path)
    ]
    assert not wrong, "\n".join(wrong)


def _clocks_and_chances(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and name of everything in a file that tells the time or draws at random."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for name, line in imports_of(path):
        if name in CLOCK_OR_CHANCE and lines[line - 1].strip() != A_DAY_AS_A_VALUE:
            yield line, name
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and node.attr in NOW:
            yield node.lineno, ast.unparse(node)


def test_modules_and_functions_stay_small() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    wrong = [
        f"{place(path, 1)} has {lines} lines of {MODULE_LINES_MAX}: split it by concept"
        for path, lines in lengths.items()
        if lines > MODULE_LINES_MAX
    ]
    wrong += [
        f"{place(path, node.lineno)} {node.name} has {length} lines of {FUNCTION_LINES_MAX}"
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (length := _length(node)) > FUNCTION_LINES_MAX
    ]
    assert not wrong, "\n".join(wrong)


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function from its `def` to its end, less its docstring."""
    first = function.body[0]
    docstring = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) is not None else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_no_docstring_opens_with_give() -> None:
    """A docstring says what its function returns or does: Return, Yield, Check, Write..."""
    wrong = [
        f"{place(path, node.lineno)} {node.name}"
        for path in tracked_files()
        if path.suffix == ".py" and re.search(r"\bGives? ", _text(path))  # the others need not be parsed
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if (ast.get_docstring(node) or "").startswith(("Give ", "Gives "))
    ]
    assert not wrong, "say what it returns or does:\n" + "\n".join(wrong)


def test_no_module_is_named_after_nothing() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {name!r} says nothing; name the concept"
        for path in FILES
        for name in sorted(SHAPELESS & set(module_name(path).split(".")))
    ]
    assert not wrong, "\n".join(wrong)


def test_public_names_have_docstrings() -> None:
    """A function, a class or the module itself by a docstring; a constant by one below it or a comment."""
    wrong = [fault for path in FILES for fault in _unexplained_names(path)]
    assert not wrong, "say what it means:\n" + "\n".join(wrong)


def _unexplained_names(path: Path) -> Iterator[str]:
    """Yield the place of every public name of a file that nothing explains."""
    tree = tree_of(path)
    if not ast.get_docstring(tree):
        yield f"{place(path, 1)} the module"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not node.name.startswith("_") and not ast.get_docstring(node):
                yield f"{place(path, node.lineno)} {node.name}"
        else:
            public = {name for name in assigned_names(node) if name.isupper() and name[0] != "_" and name != "T"}
            if public and not _is_explained(path, node):
                yield f"{place(path, node.lineno)} {', '.join(sorted(public))}"


def _is_explained(path: Path, node: ast.stmt) -> bool:
    """Whether a value has a comment beside it or above its paragraph, or a string below it."""
    body = tree_of(path).body
    below = body[body.index(node) + 1 : body.index(node) + 2]
    if below and isinstance(below[0], ast.Expr) and isinstance(below[0].value, ast.Constant):
        return True
    comments = _comments(path)
    if any(line in comments for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)):
        return True
    lines = path.read_text(encoding="utf-8").splitlines()
    line = node.lineno - 1
    while line > 0 and lines[line - 1].strip() and line not in comments:
        line -= 1
    return line in comments


@cache
def _comments(path: Path) -> dict[int, str]:
    """The comments of a Python file by line."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


@cache
def _used() -> frozenset[str]:
    """Modules that something other than themselves imports, or that pyproject.toml starts."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tables = [project.get("scripts", {}), *project.get("entry-points", {}).values()]
    used = {target.partition(":")[0] for table in tables for target in table.values()}
    outside = [path for folder in ("tests", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
    for path in [*FILES, *outside]:
        module = module_name(path) if path.is_relative_to(SRC) else ""
        used |= {name for name, _ in imports_of(path)} - {module}
    return frozenset(used)


@pytest.mark.whole
def test_every_module_is_imported_by_something() -> None:
    used = {".".join(name.split(".")[:length]) for name in _used() for length in range(1, name.count(".") + 2)}
    unused = [module for module, path in MODULES.items() if path.name != "__main__.py" and module not in used]
    assert not unused, f"nobody imports {', '.join(unused)}: use it or delete it"


def test_a_to_do_has_an_issue_number() -> None:
    wrong = [
        f"{place(path, number)} {line.strip()}"
        for path in tracked_files()
        if path.suffix != ".md"
        for number, line in enumerate(_text(path).splitlines(), start=1)
        if TO_DO.search(line)
    ]
    assert not wrong, "name the issue (#12) or do it now:\n" + "\n".join(wrong)


def test_no_file_names_a_machine_or_a_package_registry() -> None:
    wrong = [
        f"{place(path, number)} {found[0]}"
        for path in tracked_files()
        for number, line in enumerate(_text(path).splitlines(), start=1)
        if (found := PRIVATE.search(line))
    ]
    assert not wrong, "it works on one machine only:\n" + "\n".join(wrong)


def test_a_lock_has_hashes_and_no_addresses() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("*.lock"))}
    wrong = [f"{name} names a host" for name, text in texts.items() if "://" in text]
    wrong += [f"{name} lacks hashes" for name, text in texts.items() if text.count("==") > text.count("--hash=sha256:")]
    assert not wrong, f"{'; '.join(wrong)}: make them with ./x lock"


def test_the_locks_agree_on_versions() -> None:
    """One .venv holds them all, so what a person plays with is what was tested; the site shows what `serve` has."""
    pins = {
        path.name: set(re.findall(r"^[\w.-]+==\S+", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
        for path in sorted(ROOT.glob("requirements*.lock"))
    }
    names = ("", "-exact", "-serve", "-cluster", "-dev")
    grown = [f"requirements{name}.lock" for name in names]
    docs = "requirements-docs.lock"
    assert {*grown, docs} == set(pins)
    for smaller, larger in [*itertools.pairwise(grown), ("requirements-serve.lock", docs)]:
        missing = pins[smaller] - pins[larger]
        assert not missing, f"{larger} lacks {', '.join(sorted(missing))}; make the locks again with ./x lock"
