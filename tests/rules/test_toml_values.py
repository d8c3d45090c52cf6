"""Every value of every rulebook TOML, changed one at a time: loading fails, or the full text of the rules changes.

The full text is the golden one (test_explain_sections.py), so a value that could change unseen would be found here.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Any

import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.sections import entry_lines, entry_sections
from passline.rules.explain.wagers import CitedLine
from passline.rules.pages.dated import read_entries
from passline.rules.pages.texts import SUFFIX, RulebookError, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from passline.rules.schema import Election, Game, General, Rulebook, WagerEntry

pytestmark = pytest.mark.sweep

Path = tuple[str | int, ...]
KINDS: dict[str, Any] = {
    "general.toml": General,
    "wagers.toml": dict[str, WagerEntry],
    "sidewagers.toml": dict[str, WagerEntry],
    "elections.toml": dict[str, Election],
    "craps.toml": Game,
    "mini_craps.toml": Game,
    "craps_free_craps.toml": Game,
}
CASES = [
    (name, path.name)
    for name in REGULATIONS
    for path in sorted((files("passline") / "rulebooks" / name).iterdir(), key=lambda path: path.name)
    if path.name.endswith(SUFFIX)
]


@cache
def _toml(name: str, file: str) -> dict[str, Any]:
    return read_toml(files("passline") / "rulebooks" / name / file)


def _load(name: str, changed: dict[str, dict[str, Any]]) -> Rulebook:
    """Load a rulebook with other data in some of its files."""
    folder = files("passline") / "rulebooks" / name
    return load_rulebook(folder, read=lambda path: changed.get(path.name) or _toml(name, path.name))


@cache
def _said(name: str, game: str) -> tuple[CitedLine, ...]:
    return tuple(line for section in entry_sections(Rules.of(name, game=game)) for line in section.lines)


@cache
def _said_by(name: str, file: str) -> tuple[CitedLine, ...]:
    return tuple(entry_lines(read_entries(_toml(name, file), KINDS[file], file), "entry"))


@cache
def _words(name: str) -> dict[str, list[str]]:
    """Return every text of a rulebook by its key."""
    words: dict[str, dict[str, None]] = {}
    for _, file in (case for case in CASES if case[0] == name):
        for path, value in _leaves(_toml(name, file)):
            if isinstance(value, str):
                words.setdefault(_key(path), {})[value] = None
    return {key: list(texts) for key, texts in words.items()}


def _leaves(node: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from _leaves(value, (*path, key))
    if not isinstance(node, dict | list):
        yield path, node


def _key(path: Path) -> str:
    return next(key for key in reversed(path) if isinstance(key, str))


def _at(node: Any, path: Path) -> Any:  # noqa: ANN401  # TOML is what it is
    for key in path:
        node = node[key]
    return node


def _drops(node: object, path: Path = ()) -> Iterator[Path]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield (*path, key)
        yield from _drops(value, (*path, key))


def _other(name: str, path: Path, value: object) -> object:
    """Return another plausible value: one more, the opposite, or the next text used under that key."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        words = _words(name)[_key(path)]
        return words[(words.index(value) + 1) % len(words)] if len(words) > 1 else f"{value} too"
    return value.replace(year=value.year + 1)  # type: ignore[attr-defined]  # a day, the only other kind there is


def _changes(name: str, file: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the file with one value changed, or one key or item dropped; each change is undone before the next."""
    data = copy.deepcopy(_toml(name, file))
    for path, value in list(_leaves(data)):
        parent = _at(data, path[:-1])
        parent[path[-1]] = _other(name, path, value)
        yield f"{'.'.join(map(str, path))} = {parent[path[-1]]!r}, was {value!r}", data
        parent[path[-1]] = value
    for path in list(_drops(data)):
        parent = _at(data, path[:-1])
        kept = copy.copy(parent)
        del parent[path[-1]]
        yield f"{'.'.join(map(str, path))} dropped", data
        _restore(parent, kept)
    assert data == _toml(name, file)


def _restore(parent: Any, kept: Any) -> None:  # noqa: ANN401  # a table or a list
    parent.clear()
    parent.update(kept) if isinstance(parent, dict) else parent.extend(kept)


def _is_seen(name: str, file: str, data: dict[str, Any]) -> bool:
    """Return whether a change is refused or visible, in the lines of the file's entries or of the whole rulebook."""
    try:
        if file != "house.toml":
            changed = entry_lines(read_entries(data, KINDS[file], file), "entry")
            if any(one != other for one, other in zip_longest(changed, _said_by(name, file))):
                return True
        rulebook = _load(name, {file: data})
        for game in rulebook.games:
            said = (line for section in entry_sections(Rules.under(rulebook, game=game)) for line in section.lines)
            if any(one != other for one, other in zip_longest(said, _said(name, game))):
                return True
    except RulebookError:
        return True
    return False


@pytest.mark.parametrize(("name", "file"), CASES, ids=[f"{name}-{file}" for name, file in CASES])
def test_every_changed_value_is_refused_or_visible(name: str, file: str) -> None:
    tried, unseen = 0, []
    for what, data in _changes(name, file):
        tried += 1
        if not _is_seen(name, file, data):
            unseen.append(what)
    assert not unseen, f"{len(unseen)} of {tried} changes to {name}/{file} go unseen:\n" + "\n".join(unseen)
    assert tried > len(_toml(name, file))


def test_unchanged_values_are_not_seen_as_a_change() -> None:
    """The check can fail: the same values, read again, are not seen as a change."""
    assert not any(_is_seen(name, file, copy.deepcopy(_toml(name, file))) for name, file in CASES)
