"""Holds the shape of the package: which part imports which, small folders without circles, and maps that are true."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from passline import errors
from tests.source import FILES, MODULES, ROOT, SRC, exported_names, imports_of, module_name, place, tree_of

# The parts from the ground up: each imports only those before it. `api` is passline/__init__.py.
ORDER = (
    *(
        "version",
        "errors",
        "refusal",
        "extras",
        "bounded_text",
        "side_processes",
        "atomic_file",
        "kernel_cache",
        "dice",
        "dice_sources",
        "provable_dice",
        "money",
        "charts",
        "documents",
        "rulebooks",
        "authority",
        "rules",
        "game",
        "layout",
        "strategy",
    ),
    *("automaton", "exact", "simulation"),
    *("store", "streams", "people", "tables", "office", "tournament", "papers"),
    *("client", "api", "web", "cli", "__main__"),
)
BLIND = {"exact": {"game"}, "simulation": {"game"}}  # they see automata, so nothing they claim is a second rulebook
MODULES_MAX = 16  # side by side in one folder
FLOORS_MAX = 9  # of the longest chain of imports between the modules and subfolders of one package
FOLDERS = sorted({path.parent for path in FILES})
# Words of a shared vocabulary: each kind of stream has its own function of this name.
VOCABULARY = {"decide", "evolve", "fold"}
NAMED_BY_THE_API = {"Roll"}  # two dice, and the command `roll`, whose name stands in the HTTP API's description

each_file = pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SRC)) for path in FILES])
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=[str(folder.relative_to(SRC)) for folder in FOLDERS])


def _part(module: str) -> str:
    """Return the entry of ORDER that a module belongs to."""
    return "api" if module == "passline" else module.split(".")[1]


@each_file
def test_imports_point_from_the_shell_to_the_core(path: Path) -> None:
    part = _part(module_name(path))
    assert part in ORDER, f"passline.{part} is not in ORDER, which says what may import what"
    allowed = {*ORDER[: ORDER.index(part) + 1]} - BLIND.get(part, set())
    wrong = [
        f"{place(path, line)} imports {name}, but {part} may only import {', '.join(p for p in ORDER if p in allowed)}"
        for name, line in imports_of(path)
        if name.split(".")[0] == "passline" and _part(name) not in allowed
    ]
    assert not wrong, "\n".join(wrong)


@cache
def _rooms(folder: Path) -> dict[str, set[str]]:
    """Return the modules and subfolders of a folder, each with those of them that it imports."""
    prefix = f"{module_name(folder / '__init__.py')}."
    rooms: dict[str, set[str]] = defaultdict(set)
    for name, path in MODULES.items():
        if name.startswith(prefix):
            room = name.removeprefix(prefix).partition(".")[0]
            below = {
                one.removeprefix(prefix).partition(".")[0] for one, _ in imports_of(path) if one.startswith(prefix)
            }
            rooms[room] |= below - {room}
    return rooms


@each_folder
def test_no_folder_has_a_circle_of_imports_or_too_many_floors(folder: Path) -> None:
    rooms = _rooms(folder)

    def ladder(room: str, above: tuple[str, ...] = ()) -> tuple[str, ...]:
        assert room not in above, f"a circle of imports: {' -> '.join((*above[above.index(room) :], room))}"
        return (room, *max((ladder(below, (*above, room)) for below in rooms[room]), key=len, default=()))

    longest = max(map(ladder, list(rooms)), key=len, default=())
    if folder != SRC / "passline":  # whose floors are ORDER
        assert len(longest) <= FLOORS_MAX, f"{len(longest)} floors of {FLOORS_MAX}: {' -> '.join(longest)}"


@each_folder
def test_no_folder_has_too_many_modules_side_by_side(folder: Path) -> None:
    modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MODULES_MAX, f"{len(modules)} of {MODULES_MAX}: group {', '.join(sorted(modules))}"


def test_an_exported_name_has_one_meaning() -> None:
    """Of classes and functions in `__all__`; commands and pages may share the name of what they call."""
    meanings: dict[str, list[str]] = defaultdict(list)
    for name, path in MODULES.items():
        if _part(name) in {"cli", "web"}:
            continue
        tree = tree_of(path)
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name in exported_names(
                tree
            ):
                meanings[node.name].append(name)
    shared = VOCABULARY | NAMED_BY_THE_API
    wrong = {name: where for name, where in meanings.items() if len(where) > 1 and name not in shared}
    assert not wrong, "\n".join(f"{name}: {', '.join(where)}" for name, where in sorted(wrong.items()))


def test_the_tree_in_errors_lists_every_error_once() -> None:
    """Each line of its docstring is a class that derives from CrapsError, and the file it is in."""
    found: list[tuple[str, str]] = []
    bases, grown = set[str](), {"CrapsError"}
    while bases != grown:
        bases = grown
        found = [
            (node.name, str(path.relative_to(SRC / "passline")))
            for path in FILES
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.ClassDef) and {base.id for base in node.bases if isinstance(base, ast.Name)} & bases
        ]
        grown = bases | {name for name, _ in found}
    listed = re.findall(r"^ +(\w+) +([\w/]+\.py): \S", errors.__doc__ or "", flags=re.MULTILINE)
    assert sorted(listed) == sorted(found)


def test_the_map_in_contributing_lists_every_part_in_its_order() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^    (\w+)(?:/|\.py)\S* +\S", text, flags=re.MULTILINE)
    there = {path.stem for path in (SRC / "passline").glob("[!_]*.py")} | {_part(name) for name in MODULES} - {"api"}
    wanted = [part for part in ORDER if part in there | {"rulebooks"} and not part.startswith("_")]
    assert listed == wanted


def test_no_test_imports_from_another_test_module() -> None:
    wrong = [
        f"{place(path, line)} imports {name}: put what they share in a module of its own"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name, line in imports_of(path)
        if name.startswith("tests.") and name.rpartition(".")[2].startswith("test_")
    ]
    assert not wrong, "\n".join(wrong)
