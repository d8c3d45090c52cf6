"""Begins a rulebook: a small game that can be dealt as it is, or a copy of a regulation, to be changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from passline.papers.page_schemas import schema_names, schema_of_page, schema_text
from passline.rules.pages.library import folder_of, is_name, known_rulebooks
from passline.rules.pages.texts import SUFFIX, RulebookError

_TEMPLATE = "template"
_RULES = re.compile(r'^rules = "\w+"$', flags=re.MULTILINE)


def write_rulebook(into: Path, name: str, *, title: str = "", like: str = "") -> Path:
    """Write a rulebook, its clause matrix and the schemas of its files; return its folder. Nothing is overwritten."""
    folder, matrix = into / name, into / "clauses" / f"{name}.csv"
    if not is_name(name):
        raise RulebookError(f"{name}: cannot name a rulebook: use small letters, digits and _, such as new_harbour")
    if name in known_rulebooks().names:
        raise RulebookError(f"{name}: is the name of a rulebook already; choose another")
    for place in (folder, matrix):
        if place.exists():
            raise RulebookError(f"{place}: is there already; choose another name, or another place with --into DIR")
    source = folder_of(like or _TEMPLATE)
    clauses = known_rulebooks().matrix(like) if like else source / "clauses.csv"
    called = title or name.replace("_", " ").capitalize()

    def own(text: str) -> str:
        if like:
            return _RULES.sub(f'rules = "{name}"', text)
        return text.replace("XX-", f"{name.upper().replace('_', '-')}-").replace("TITLE", called).replace("NAME", name)

    for page, text in _pages(source):
        file = folder / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{_schema_line(page)}{own(text)}", encoding="utf-8")
    matrix.parent.mkdir(parents=True, exist_ok=True)
    if clauses is not None:
        matrix.write_text(own(clauses.read_text(encoding="utf-8")), encoding="utf-8")
    (into / "schemas").mkdir(exist_ok=True)
    for kind in schema_names():
        (into / "schemas" / f"{kind}.json").write_text(schema_text(kind), encoding="utf-8")
    return folder


def _pages(source: Traversable | Path, below: Path = Path()) -> Iterator[tuple[Path, str]]:
    """Yield the pages of a rulebook, its office and its tournaments, each by its path in the folder."""
    for entry in sorted(source.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _pages(entry, below / entry.name)
        elif entry.name.endswith(SUFFIX):
            yield below / entry.name, entry.read_text(encoding="utf-8")


def _schema_line(page: Path) -> str:
    """Return the line by which editors find the schema of a page."""
    *folders, file = page.parts
    kind = {0: schema_of_page(Path(file).stem), 1: folders[0].removesuffix("s") if folders else ""}.get(
        len(folders), "plan"
    )
    return f"#:schema {'../' * (len(folders) + 1)}schemas/{kind}.json\n"
