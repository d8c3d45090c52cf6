"""Breaks of the pages of offices and tournaments: each entry dropped, each value changed or dropped, words included."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.marking.rulebook_breaks import FOLDER, all_cited, written

_PROSE = {"reading", "says", "mend"}  # how it reads, why, and which act a page offers then: none decides anything
# What `--part office` leaves out too (tests/office/word_changes.py): words, and what tests of their own look at.
_PROSE |= {"unit", "incident", "filed", "told", "uncorrected", "one_office"}
_LABELS = {"name", "page"}  # of an act: what stands on its button; of a part of a sheet it is printed
_TOURNAMENT = re.compile(r"/tournament/[^/]+\.toml$")
_OFFICE = re.compile(r"/office/[^/]+\.toml$")
_PRACTICE = "practice"
Page = dict[str, Any]


@dataclass(frozen=True)
class PageBreak:
    """One change of a page: its file, what was done to which entry, and what stands there now; None: nothing."""

    path: str
    what: str
    keys: tuple[str, ...]
    now: Page | None

    def text(self, root: Path) -> str:
        """Return the whole new text of the page."""
        page = copy.deepcopy(_pages(root)[0][self.path])
        table = _at(page, self.keys[:-1])
        if self.now is None:
            del table[self.keys[-1]]
        else:
            table[self.keys[-1]] = self.now
        return written(page)

    @property
    def way(self) -> str:
        """What of the entry is broken: its presence, its citation or one of its keys."""
        return self.what.removeprefix(".".join(self.keys)).split()[0]

    def clauses(self, root: Path) -> frozenset[str]:
        """Return all clauses that the unbroken entry cites."""
        return frozenset(all_cited(_at(_pages(root)[0][self.path], self.keys)))

    def __str__(self) -> str:
        return f"{self.path.rpartition('rulebooks/')[2]}: {self.what}"


def page_breaks_of(root: Path, clause: str) -> Iterator[PageBreak]:
    """Yield every break of every entry that cites a clause."""
    pages, seen = _pages(root)
    for path, page in pages.items():
        for keys in _citing(page, clause, ()):
            yield from _breaks(path, page, keys, clause, seen)


@cache
def _pages(root: Path) -> tuple[dict[str, Page], dict[str, list[Any]]]:
    """Return the pages as data, and the values that stand under each key anywhere."""
    paths = [str(one.relative_to(root)) for one in sorted((root / FOLDER).rglob("*.toml"))]
    pages = {
        path: tomllib.loads((root / path).read_text(encoding="utf-8"))
        for path in paths
        if _TOURNAMENT.search(path) or _OFFICE.search(path)
    }
    return pages, _seen(pages)


def _citing(data: Any, clause: str, keys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:  # noqa: ANN401
    if not isinstance(data, dict):
        return
    cite = data.get("cite", ())
    if clause in ([cite] if isinstance(cite, str) else cite):
        yield keys
    for key, value in data.items():
        yield from _citing(value, clause, (*keys, key))


def _seen(pages: dict[str, Page]) -> dict[str, list[Any]]:
    """The values that stand under each key anywhere: a word is changed for another of its kind."""
    seen: dict[str, list[Any]] = {}

    def look(data: Page) -> None:
        for key, value in data.items():
            if isinstance(value, dict):
                look(value)
            seen.setdefault(key, []).append(value)

    for page in pages.values():
        look(page)
    return seen


def _breaks(
    path: str, page: Page, keys: tuple[str, ...], clause: str, seen: dict[str, list[Any]]
) -> Iterator[PageBreak]:
    where = ".".join(keys)
    table = _at(page, keys)
    changes: list[tuple[str, Page | None]] = [("taken out", None)]
    changes.append(("cited as practice", {**table, "cite": _uncited(table["cite"], clause)}))
    for key, value in table.items():
        if key in _PROSE or key == "cite" or (key in _LABELS and not _is_printed(path, keys)):
            continue
        if isinstance(value, dict) and "cite" in _deep(value):
            continue  # entries of their own
        changes.append((f"{key} dropped", {one: other for one, other in table.items() if one != key}))
        changes += [(f"{key} {value!r} -> {other!r}", {**table, key: other}) for other in _others(key, value, seen)]
    if "type" in table and "optional" not in table:
        changes.append(("optional added", {**table, "optional": True}))
    for what, changed in changes:
        yield PageBreak(path, f"{where} {what}", keys, changed)


def _uncited(cite: str | list[str], clause: str) -> str | list[str]:
    rest = [one for one in ([cite] if isinstance(cite, str) else cite) if one != clause]
    return rest or _PRACTICE


def _is_printed(path: str, keys: tuple[str, ...]) -> bool:
    return bool(_TOURNAMENT.search(path)) and keys[0] == "sheet"


def _deep(value: Page) -> Iterator[str]:
    for key, one in value.items():
        yield key
        if isinstance(one, dict):
            yield from _deep(one)


def _others(key: str, value: Any, seen: dict[str, list[Any]]) -> Iterator[Any]:  # noqa: ANN401  # TOML has any type
    match value:
        case bool():
            yield not value
        case int() if key == "order":
            yield 100 if value < 4 else 0  # to the other end of the sheet
        case int():
            yield value + 1
            yield from [value - 1] if value else []
        case str() if key in {"name", "statement"}:
            yield f"other {value}"
        case str():
            yield from sorted({one for one in seen[key] if isinstance(one, str)} - {value})
        case dict():
            yield from ({**value, one: other} for one in value for other in _others(one, value[one], seen))
        case list():
            yield from ([*value[:at], *value[at + 1 :]] for at in range(len(value)))
            known = {one for other in seen[key] if isinstance(other, list) for one in other if isinstance(one, str)}
            yield from ([*value, one] for one in sorted(known - {*value}))
        case _:
            return


def _at(data: Any, keys: tuple[str, ...]) -> Any:  # noqa: ANN401  # TOML has any type
    for key in keys:
        data = data[key]
    return data
