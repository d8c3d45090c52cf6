"""Mistakes by the hundred: every key of every file of a rulebook, wrong in every way that a person gets one wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_pages import SUFFIX, installed_folder
from passline.rules.rulebook_reader import load_rulebook, read_toml
from passline.rules.rulebook_model import Rulebook
from tests.rules.rulebooks import HARBOUR

__all__ = ["FOLDERS", "Mistake", "load_mistaken", "mistakes_of"]

FOLDERS: dict[str, Traversable | Path] = {name: installed_folder(name) for name in REGULATIONS} | {"harbour": HARBOUR}
"""The rulebooks that mistakes are made in: those of the package, and an invented one without a clause matrix."""

Step = str | int
_TEXTS = ("name", "label", "reading", "title", "does", "statutes", "cite", "latest_amendment")


class Mistake(Struct, frozen=True):
    """One mistake: where it is (a rulebook, a file, the steps to a key), what it is, and the page with it."""

    rulebook: str
    file: str
    path: tuple[Step, ...]
    what: str
    page: dict[str, Any]

    @property
    def key(self) -> str:
        """The path as one text."""
        return ".".join(map(str, self.path))

    def __str__(self) -> str:
        return f"{self.rulebook}/{self.file}: {self.key}: {self.what}"


@cache
def _page(rulebook: str, file: str) -> dict[str, Any]:
    return read_toml(FOLDERS[rulebook] / file)


def files_of(rulebook: str) -> list[str]:
    """Return the files of a rulebook."""
    return sorted(page.name for page in FOLDERS[rulebook].iterdir() if page.name.endswith(SUFFIX))


def load_mistaken(mistake: Mistake) -> Rulebook:
    """Load the rulebook with the mistake in it."""

    def read(path: Traversable | Path) -> dict[str, Any]:
        return mistake.page if path.name == mistake.file else _page(mistake.rulebook, path.name)

    return load_rulebook(FOLDERS[mistake.rulebook], read=read)


def mistakes_of(rulebook: str) -> Iterator[Mistake]:
    """Yield every mistake in every file of a rulebook."""
    for file in files_of(rulebook):
        page = _page(rulebook, file)
        for path, value in _places(page):
            for what, changed in _changes(path, value):
                if changed == value and type(changed) is type(value):
                    continue
                yield Mistake(rulebook, file, path, what, _with(page, path, changed))
            if isinstance(path[-1], str):
                yield Mistake(rulebook, file, path, "removed", _renamed(page, path, ""))
                yield Mistake(rulebook, file, path, "mistyped", _renamed(page, path, _mistyped(path[-1])))


def _places(node: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:  # noqa: ANN401  # TOML
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in items:
        yield (*path, step), value
        yield from _places(value, (*path, step))


def _changes(path: tuple[Step, ...], value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # likewise
    """Yield each wrong value, with what is wrong about it."""
    is_text = any(step in _TEXTS or str(step).endswith("_cite") for step in path)
    match value:
        case bool():
            yield "wrong type", 1
            yield "wrong type", "yes"
        case int():
            yield "wrong type", str(value)
            yield "wrong type", value + 0.5
            yield "below its range", -2
            yield "above its range", 10**12
        case str():
            yield "wrong type", 17
            yield "emptied", ""
            yield "padded", f"{value} "
            if not is_text:
                yield "unknown word", "flotsam"
        case list():
            yield "wrong type", 17
            yield "emptied", []
            if value:
                yield "doubled", [*value, value[-1]]
        case dict():
            yield "wrong type", 17
            yield "emptied", {}
        case _:  # a day
            yield "wrong type", "yesterday"


def _mistyped(key: str) -> str:
    swapped = f"{key[:-2]}{key[-1]}{key[-2]}" if len(key) > 1 else key
    return swapped if swapped != key else f"{key}x"


def _with(node: Any, path: tuple[Step, ...], value: Any) -> Any:  # noqa: ANN401  # likewise
    if not path:
        return value
    copy = node.copy()
    copy[path[0]] = _with(node[path[0]], path[1:], value)
    return copy


def _renamed(node: Any, path: tuple[Step, ...], name: str) -> Any:  # noqa: ANN401  # likewise
    """Return the data with a key renamed in its place, or removed if the new name is empty."""
    if len(path) > 1:
        copy = node.copy()
        copy[path[0]] = _renamed(node[path[0]], path[1:], name)
        return copy
    return {name if key == path[0] else key: value for key, value in node.items() if name or key != path[0]}
