"""Holds the shape of the package: which part imports which, folders without circles, and maps that are true."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from passline import errors
from tests.source import (
    FILES,
    MODULES,
    ROOT,
    SRC,
    imports_of,
    is_import_by_name,
    module_name,
    nodes_of,
    place,
    tree_of,
)

# The parts from the ground up: each imports only those before it. `api` is passline/__init__.py.
ORDER = (
    *(
        "version",
        "errors",
        "refusal",
        "extras",
        "bounded_text",
        "local_day",
        "side_processes",
        "atomic_file",
        "kernel_cache",
        "dice",
        "dice_sources",
        "dice_weights",
        "recorded_rolls",
        "provable_dice",
        "money",
        "chances",
        "notebook",
        "expression_words",
        "expression",
        "charts",
        "documents",
        "rulebooks",
        "authority",
        "rules",
        "game",
        "layout",
        "strategy",
    ),
    *("automaton", "exact", "simulation", "gym"),
    *("store", "streams", "people", "tables", "acts", "bookkeeping", "office", "tournament", "verification"),
    *("journals", "papers"),
    *("client", "api", "web", "cli", "__main__"),
)
BLIND = {"exact": {"game"}, "simulation": {"game"}}  # they see automata, so nothing they claim is a second rulebook
FLOORS_MAX = 10  # of the longest chain of imports between the modules and subfolders of one package
FOLDERS = sorted({path.parent for path in FILES})
# Words of a shared vocabulary: each kind of stream has its own function of this name.
VOCABULARY = {"decide", "evolve", "fold"}
# These import by names that are strings of other modules or of their own, where imports_of sees them.
IMPORTING_BY_NAME = {"passline", "passline.cli.main", "passline.side_processes"}
NAMED_BY_THE_API = {"Roll"}  # two dice, and the command `roll`, whose name stands in the HTTP API's description


def _part(module: str) -> str:
    """Return the entry of ORDER that a module belongs to."""
    return "api" if module == "passline" else module.split(".")[1]


def test_imports_point_from_the_shell_to_the_core() -> None:
    parts = {_part(name) for name in MODULES}
    assert parts <= set(ORDER), f"{', '.join(parts - set(ORDER))} is not in ORDER, which says what may import what"
    wrong = [
        f"{place(path, line)} imports {name}, but {part} may only import {', '.join(_importable_by(part))}"
        for module, path in MODULES.items()
        for part in [_part(module)]
        for name, line in imports_of(path)
        if name.split(".")[0] == "passline" and _part(name) not in _importable_by(part)
    ]
    assert not wrong, "\n".join(wrong)


@cache
def _importable_by(part: str) -> tuple[str, ...]:
    """Return the parts that a part may import, from the ground up."""
    return tuple(lower for lower in ORDER[: ORDER.index(part) + 1] if lower not in BLIND.get(part, set()))


def test_no_import_is_hidden() -> None:
    """What is imported by a name that the program computes is seen by no other test here."""
    wrong = [
        f"{place(path, node.lineno)} {ast.unparse(node)}: import it, or name it in a string"
        for module, path in MODULES.items()
        if module not in IMPORTING_BY_NAME
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and is_import_by_name(node) and not isinstance(node.args[0], ast.Constant)
    ]
    assert not wrong, "\n".join(wrong)


def test_an_import_is_seen_however_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text(
        """import passline.dice
def later():
    from passline import money
    import_module("passline")
    importlib.import_module("passline.cli.main")
    return __import__("passline.errors")
COMMANDS = {"serve": "passline.cli.serve:serve", "cookie": "passline", "table": "passline.no_module"}
""",
        encoding="utf-8",
    )
    assert sorted(set(imports_of(file))) == [
        ("passline", 4),
        ("passline.cli.main", 5),
        ("passline.cli.serve", 7),
        ("passline.dice", 1),
        ("passline.errors", 6),
        ("passline.money", 3),
    ]


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


def test_no_folder_has_a_circle_of_imports_or_too_many_floors() -> None:
    wrong = set[str]()
    for folder in FOLDERS:
        ladders = [_ladder(folder, room, wrong) for room in _rooms(folder)]
        longest = max(ladders, key=len, default=())
        if len(longest) > FLOORS_MAX and folder != SRC / "passline":  # whose floors are ORDER
            wrong.add(f"{folder.relative_to(SRC)}: {len(longest)} floors of {FLOORS_MAX}: {' -> '.join(longest)}")
    assert not wrong, "\n".join(sorted(wrong))


def _ladder(folder: Path, room: str, circles: set[str], above: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the longest chain of imports that goes down from a room, and note every circle on the way."""
    if room in above:
        circles.add(
            f"{folder.relative_to(SRC)}: a circle of imports: {' -> '.join((*above[above.index(room) :], room))}"
        )
        return ()
    below = [_ladder(folder, lower, circles, (*above, room)) for lower in sorted(_rooms(folder)[room])]
    return (room, *max(below, key=len, default=()))


def test_a_public_name_has_one_meaning() -> None:
    """Of classes and functions without an underscore; commands and pages may share the name of what they call."""
    meanings: dict[str, list[str]] = defaultdict(list)
    for name, path in MODULES.items():
        if _part(name) in {"cli", "web"}:
            continue
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
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
            for node in nodes_of(path)
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


_MODULE_OF_TESTS = re.compile(r"\btests\.(\w+\.)*test_")


def test_no_test_imports_from_another_test_module() -> None:
    wrong = [
        f"{place(path, line)} imports {name}: put what they share in a module of its own"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if _MODULE_OF_TESTS.search(path.read_text(encoding="utf-8"))  # the others need not be parsed
        for name, line in imports_of(path)
        if name.startswith("tests.") and name.rpartition(".")[2].startswith("test_")
    ]
    assert not wrong, "\n".join(wrong)
