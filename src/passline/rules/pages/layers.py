"""Layered pages: what every house has below, then what a regulation says, its amendments, then a house's presets.

Tables are joined key by key; any other value takes the place of the one below. A preset changes nothing in an entry
that cites a clause of the regulation: it only adds entries there. A table never takes the place of another value nor
the reverse, and the pages of one layer may repeat each other but not differ: both are faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

from passline.rules.pages import texts
from passline.rules.pages.amendments import LAYERED, Amendment, is_amendment, read_amendment, text_day, texts_of
from passline.rules.pages.citations import citation_faults, cited_entries
from passline.rules.pages.library import folder_of, known_rulebooks
from passline.rules.pages.structure import KeyFault, faults_of, nearest_words
from passline.rules.pages.texts import BOOKS, PRESETS, Pages, RulebookError, RulebookFaults, elected_layer

PRACTICE_LAYER = "practice"
"""The folder with what every house has, whatever its regulation; and the citation of what no clause asks for."""
_PARSED_MAX = 256  # pages that are known by their text; all that come with the package are not half as many


class _ReadRules(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def digest(self) -> str: ...


_Rules = TypeVar("_Rules", bound=_ReadRules)
_Schema = TypeVar("_Schema", bound=Struct)


class KeptRules(Generic[_Rules]):
    """Rules by the digest of the pages that they were read from, so that two texts can be in force side by side."""

    def __init__(self) -> None:
        self._known: dict[str, _Rules] = {}

    def keep(self, rules: _Rules) -> _Rules:
        """Make rules known by their digest, and return them."""
        self._known[rules.digest] = rules
        return rules

    def find(self, digest: str) -> _Rules | None:
        """Return the rules of the pages with a digest, if this process has read them."""
        return self._known.get(digest)


class LayeredPages(KeptRules[_Rules], Generic[_Schema, _Rules]):
    """One kind of pages: its folder beside a rulebook, the schema of all of them together, and what becomes of it.

    `checks` yields the faults that the schema and the citations do not tell. `absent` makes the error where a
    regulation has no such folder; without, its pages are those that every house has.
    """

    def __init__(
        self,
        folder: str,
        schema: type[_Schema],
        make: Callable[[str, str, _Schema], _Rules],
        *,
        checks: Callable[[_Schema], Iterable[KeyFault]] = lambda _pages: (),
        absent: Callable[[str], RulebookError] | None = None,
    ) -> None:
        super().__init__()
        self._folder, self._schema, self._make, self._checks, self._absent = folder, schema, make, checks, absent

    def installed_pages(self, name: str, presets: Iterable[str] = ()) -> Pages:
        """Return the installed pages: those that every house has, those of a regulation, and those that are elected."""
        found: dict[str, bytes] = {}
        for layer in (PRACTICE_LAYER, name, *map(elected_layer, presets)):
            folder = folder_of(layer) / self._folder
            if folder.is_dir():
                found |= {f"{layer}/{page}": text for page, text in texts.read_pages(folder).texts.items()}
            elif layer == name and self._absent:
                raise self._absent(name)
        return Pages(name, found | self._amendments(name))

    def _amendments(self, name: str) -> dict[str, bytes]:
        """Return the amendments in force that change these pages."""
        day = text_day(name) if name in known_rulebooks().names else None
        amendments = texts_of(name).amendments if day else ()
        in_force = [amendment for amendment in amendments if day and amendment.is_in_force(day)]
        touching = [amendment for amendment in in_force if changes_of(amendment, self._folder)]
        return {f"{name}/{amendment.file}": amendment.text for amendment in touching}

    def read(self, pages: Pages, *, is_kept: bool = False) -> _Rules:
        """Read pages; raise RulebookFaults with every fault, each by its file and key.

        Of pages that a log has kept (`is_kept`) only the shape is checked: the rest was when it kept them, and a check
        added since leaves no log unreadable.
        """
        layers = Layers(pages, self._folder, is_kept=is_kept)
        sections = self._schema.__struct_fields__
        strange = [key for key in layers.data if key not in sections]
        faults = [KeyFault(key, f"is not a section{nearest_words(key, sections)}") for key in strange]
        known = {key: value for key, value in layers.data.items() if key in sections}
        layers.refuse([*faults, *faults_of(known, self._schema, is_kept=is_kept)])
        found = msgspec.convert(known, self._schema)
        if not is_kept:
            cited = citation_faults(cited_entries(found), pages.name, _is_beside_clauses)
            layers.refuse([*cited, *self._checks(found)])
        return self._make(pages.name, pages.digest, found)

    def learn(self, pages: Pages) -> _Rules:
        """Return the rules of pages that a log keeps, known by their digest from now on."""
        known = self.find(pages.digest)
        return known if known and known.name == pages.name else self.keep(self.read(pages, is_kept=True))


def changes_of(amendment: Amendment, folder: str) -> tuple[dict[str, Any], list[str]] | None:
    """Return what an amendment changes, and what it repeals, in the pages of a folder, or of the rulebook itself ("").

    None if it does not touch them.
    """
    if folder:
        changes = amendment.changes.get(folder, {})
        repeals = [path.removeprefix(f"{folder}.") for path in amendment.repeals if path.startswith(f"{folder}.")]
    else:
        changes = {page: below for page, below in amendment.changes.items() if page not in LAYERED}
        repeals = [path for path in amendment.repeals if path.partition(".")[0] not in LAYERED]
    return (changes, repeals) if changes or repeals else None


class Layers:
    """Pages laid over each other; of pages that a log has kept, the last writes what several of a layer write.

    Pages of a folder are one table together; those of the rulebook itself (folder "") are a table each, by their names.
    """

    def __init__(self, pages: Pages, folder: str, *, is_kept: bool) -> None:
        self.data: dict[str, Any] = {}
        self._label, self._folder, self._is_kept = "/".join(filter(None, (pages.name, folder))), folder, is_kept
        self._written: dict[str, str] = {}  # by key: the page that wrote it last
        self._faults = [] if pages.texts else [f"{self._label}: has no page"]
        for page in sorted(pages.texts, key=_layer):
            try:
                self._join(self.data, self._table_of(page, pages.texts[page]), "", page)
            except RulebookError as error:
                self._faults.append(str(error))
        self.refuse([])

    def _table_of(self, page: str, text: bytes) -> dict[str, Any]:
        """Return the table of a page; what an amendment repeals is taken away at once."""
        file = self._file(page)
        if not is_amendment(page):
            data = _parse_once(text, file, may_be_empty=self._is_kept)
            return data if self._folder else {page.removesuffix(texts.SUFFIX): data}
        changes, repeals = changes_of(read_amendment(text, page, file), self._folder) or ({}, [])
        self._faults += (f"{file}: repeals: there is no {path}" for path in repeals if not self._take_out(path))
        return changes

    def _take_out(self, path: str) -> bool:
        """Take an entry away; return whether there was one."""
        *tables, last = path.split(".")
        table: Any = self.data
        for name in tables:
            table = table.get(name) if isinstance(table, dict) else None
        return isinstance(table, dict) and table.pop(last, None) is not None

    def writer_of(self, key: str) -> str:
        """Return the page that wrote a key, or the table around it."""
        while key and key not in self._written:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return self._written.get(key, "")

    def refuse(self, faults: Iterable[KeyFault]) -> None:
        """Raise RulebookFaults if there are any, each with the page that wrote its key or the table around it."""
        for fault in faults:
            page = self.writer_of(fault.key)
            self._faults.append(f"{self._file(page) if page else self._label}: {fault}")
        if self._faults:
            raise RulebookFaults(self._faults)

    def _join(self, into: dict[str, Any], data: Mapping[str, Any], path: str, page: str) -> None:
        cite = into.get("cite", PRACTICE_LAYER)
        is_law = _is_preset(page) and cite != PRACTICE_LAYER and not self._is_of_layer(f"{path}.cite", page)
        for name, value in data.items():
            key = f"{path}.{name}" if path else name
            is_table, before = isinstance(value, Mapping), into.get(name)
            if before is not None and isinstance(before, dict) != is_table:
                here, there = ("a table", "a value") if is_table else ("a value", "a table")
                self._differ(page, key, f"is {here} here and {there} in {{}}: write it as there")
            elif is_table:
                self._written[key] = page
                self._join(into.setdefault(name, {}), value, key, page)
            elif before not in (None, value) and self._is_of_layer(key, page) and not self._is_kept:
                self._differ(page, key, "differs from {}: write it once")
            elif not is_law:
                self._written[key] = page
                into[name] = value

    def _is_of_layer(self, key: str, page: str) -> bool:
        """Return whether a page of the same layer wrote a key; each amendment is a layer."""
        return not is_amendment(page) and self._written.get(key, "").rpartition("/")[0] == page.rpartition("/")[0]

    def _differ(self, page: str, key: str, problem: str) -> None:
        self._faults.append(f"{self._file(page)}: {key}: {problem.format(self._file(self._written[key]))}")

    def _file(self, page: str) -> str:
        """Return the file of a page: the folder of its layer has one folder for each kind of pages."""
        layer, _, name = page.rpartition("/")
        if is_amendment(page) or not self._folder:
            return page if self._folder else f"{self._label}/{page}"
        return "/".join(filter(None, (layer, self._folder, name)))


@lru_cache(maxsize=_PARSED_MAX)
def _parse_once(text: bytes, label: str, *, may_be_empty: bool) -> dict[str, Any]:
    """Parse a page; those that every house has are laid below each regulation and preset. Nobody changes the data."""
    return texts.parse_page(text, label, may_be_empty=may_be_empty)


def _is_preset(page: str) -> bool:
    return page.startswith((f"{PRESETS}/", f"{BOOKS}/"))


def _layer(page: str) -> tuple[int, str]:
    """Return where a page lies: what every house has below, the regulation's, its amendments, books, then presets."""
    if is_amendment(page):
        return 2, page
    if page.startswith(f"{PRESETS}/"):
        return 4, page
    return 3 if _is_preset(page) else 0 if page.startswith(f"{PRACTICE_LAYER}/") else 1, page


def _is_beside_clauses(citation: str) -> bool:
    """Return whether a citation is practice, or of a preset, which begins with its name."""
    return citation == PRACTICE_LAYER or citation.partition(" ")[0] in texts.installed_presets()
