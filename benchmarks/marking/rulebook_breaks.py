"""Breaks of a rulebook: each value beside a citation is changed, or the cited entry is taken out."""

from __future__ import annotations

import ast
import copy
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.mutation.operators import Site, mutated

FOLDER = Path("src/passline/rulebooks")
_PROSE = {"reading", "name", "label", "title", "does", "family", "from", "until_day"}
_DECIDED_WITH = {"odds": "number"}
_FIELD = re.compile(r"^    (\w+):", re.MULTILINE)
_PAYS = re.compile(r"(\d+) (to|for) (\d+)")


@dataclass(frozen=True)
class Break:
    """One change: what it is in words, the whole new text of its file, and the clauses whose matter it is."""

    path: str
    way: str
    what: str
    text: str  # none for a change of code, which is made when it is tried
    clauses: frozenset[str]
    site: Site | None = None
    also: tuple[tuple[str, str], ...] = ()  # further files and their texts

    def texts_in(self, root: Path) -> dict[str, str]:
        """Return the whole text of each broken file."""
        text = self.text if self.site is None else ast.unparse(mutated(root, self.site))
        return {self.path: text, **dict(self.also)}

    @property
    def folder(self) -> str:
        """Where the broken pages are, such as `maryland` or `maryland/office`; empty for a break of code."""
        return str(Path(self.path).parent.relative_to(FOLDER)) if self.site is None else ""

    def __str__(self) -> str:
        return f"{self.path.rpartition('rulebooks/')[2].removeprefix('src/passline/')}: {self.what}"


@dataclass(frozen=True)
class Entry:
    """A place that cites clauses: its file, the keys that lead to its table, and the key of the citation."""

    file: str
    keys: tuple[str | int, ...]
    cite: str
    clauses: frozenset[str]
    numbers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The word by which code reads the entry."""
        named = [key for key in self.keys if isinstance(key, str)]
        return named[-1] if named else ""


@dataclass
class Rulebooks:
    """The files of all rulebooks as data, the entries that cite each clause, and the values seen under each key.

    The pages of offices and tournaments are not among them: they are read otherwise (`page_breaks`). Nor are rulebooks
    of earlier versions, which no table opens with.
    """

    pages: dict[str, dict[str, Any]] = field(default_factory=dict)
    places: dict[str, list[Entry]] = field(default_factory=dict)
    seen: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    code: str = ""  # all code that does more than print or check rulebooks
    fields: frozenset[str] = frozenset()  # the keys that the schema names; others are looked up by name

    @classmethod
    def read(cls, root: Path) -> Rulebooks:
        """Read every rulebook of the project at `root`."""
        made = cls(code=_code(root), fields=_fields(root))
        for path in sorted((root / FOLDER).glob("*/*.toml")):
            file = str(path.relative_to(root))
            made.pages[file] = tomllib.loads(path.read_text(encoding="utf-8"))
            made._look(file, made.pages[file], ())
        return made

    def _look(self, file: str, data: Any, keys: tuple[str | int, ...]) -> None:  # noqa: ANN401  # TOML has any type
        if isinstance(data, list):
            for index, item in enumerate(data):
                self._look(file, item, (*keys, index))
        if not isinstance(data, dict):
            return
        for key, value in data.items():
            if key == "cite" or key.endswith("_cite"):
                for clauses, numbers in _cited(value):
                    entry = Entry(file, keys, key, clauses, numbers)
                    for clause in clauses:
                        self.places.setdefault(clause, []).append(entry)
            else:
                for kind in {_kind(keys), ""}:
                    self.seen.setdefault((kind, key), []).append(value)
                self._look(file, value, (*keys, key))

    def breaks_of(self, entry: Entry) -> Iterator[Break]:
        """Every break of an entry."""
        table = at_keys(self.pages[entry.file], entry.keys)
        for key in _payload(table, entry.cite):
            for way, value in self._others(entry, key, table[key]):
                yield self._break(entry, key, way, value)
            yield from self._moves(entry, key, table[key])
        if entry.cite == "cite" and entry.keys and (self._values(entry) or self._is_read(entry)):
            yield self._without(entry)

    def _others(self, entry: Entry, key: str, value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # any type
        seen = [one for one in self.seen[_kind(entry.keys), key] if type(one) is type(value)]
        match value:
            case bool():
                yield "negated", not value
            case int():
                yield "more", value + 1
                yield from [("less", value - 1)] if value else []
            case str() if found := _PAYS.fullmatch(value):
                pays, word, to = found.groups()
                yield "more", f"{int(pays) + 1} {word} {to}"
                yield "less", f"{int(pays) - 1} {word} {to}" if int(pays) > 1 else f"{pays} {word} {int(to) + 1}"
            case str():
                words = {*seen} - {value} or {one for one in self.seen["", key] if isinstance(one, str)} - {value}
                yield from (("other", one) for one in sorted(words) if not _PAYS.fullmatch(one))
            case dict() if value and all(type(one) is int for one in value.values()):
                yield from (("more", {**value, one: value[one] + 1}) for one in value)
            case list() if all(isinstance(one, int | str) for one in value):
                yield from (("fewer", [*value[:at], *value[at + 1 :]]) for at in range(len(value)) if len(value) > 1)
                known = {one for other in seen for one in other if isinstance(one, int | str)} - {*value}
                yield from (("more", [*value, one]) for one in sorted(known, key=str))
            case _:
                return

    def _moves(self, entry: Entry, key: str, value: Any) -> Iterator[Break]:  # noqa: ANN401  # TOML has any type
        """Breaks that move a number from this entry to the one beside it, so that each still has its place."""
        if not (entry.keys and isinstance(value, list) and value and isinstance(value[0], int)):
            return
        beside = at_keys(self.pages[entry.file], entry.keys[:-1])
        for at in beside if isinstance(beside, dict) else range(len(beside)):
            other = beside[at]
            if at == entry.keys[-1] or not isinstance(other, dict) or not isinstance(other.get(key), list):
                continue
            page = copy.deepcopy(self.pages[entry.file])
            near = at_keys(page, entry.keys[:-1])
            for number in value[-1:] if len(value) == 1 else value:
                near[entry.keys[-1]][key] = [one for one in value if one != number]
                near[at][key] = sorted({*other[key], number}, key=str)
                where = ".".join(str(one) for one in (*entry.keys, key))
                what = f"{where} {number} moved to {at}"
                yield Break(entry.file, f"{where} moved", what, written(page), self.matter(entry))

    def _break(self, entry: Entry, key: str, way: str, value: Any) -> Break:  # noqa: ANN401  # TOML has any type
        page = copy.deepcopy(self.pages[entry.file])
        table = at_keys(page, entry.keys)
        where, was = ".".join(str(one) for one in (*entry.keys, key)), table[key]
        table[key] = value
        what = f"{where} {_inline(was)} -> {_inline(value)}"
        return Break(entry.file, f"{where} {way}", what, written(page), self.matter(entry))

    def _without(self, entry: Entry) -> Break:
        page = copy.deepcopy(self.pages[entry.file])
        gone = frozenset(all_cited(at_keys(page, entry.keys)))
        del at_keys(page, entry.keys[:-1])[entry.keys[-1]]
        folder = Path(entry.file).parent
        pages = [one for file, one in self.pages.items() if Path(file).parent == folder and file != entry.file]
        cited_beside(page, entry, [page, *pages], gone)
        where = ".".join(str(one) for one in entry.keys)
        return Break(entry.file, f"{where} out", f"{where} taken out", written(page), self.matter(entry))

    def _is_read(self, entry: Entry) -> bool:
        """Whether any code goes by an entry that has no value: by its place, or by a name that is looked up.

        One that is only printed, or cited, decides nothing.
        """
        if entry.name not in self.fields:
            return True
        above, name = self.words_of(entry)[0].split(".")
        is_term = len([key for key in entry.keys if isinstance(key, str) and key != "wagers"]) == 2
        return (f".{name}" if self.family_of(entry) and is_term else f"{above}.{name}") in self.code

    def _values(self, entry: Entry) -> list[str]:
        """What an entry says beside its citations and words, if anything."""
        return [
            key for key in at_keys(self.pages[entry.file], entry.keys) if key not in _PROSE and not key.endswith("cite")
        ]

    def words_of(self, entry: Entry) -> list[str]:
        """The words by which code reads what a citation is about."""
        if entry.cite == "cite":
            named = [key for key in entry.keys if isinstance(key, str)]
            page = "general" if entry.file.endswith("general.toml") else "game"
            return [".".join([page, *named][-2:]), *([entry.name] if self.family_of(entry) else [])]
        table = at_keys(self.pages[entry.file], entry.keys)
        return [entry.cite, *_payload(table, entry.cite)]

    def texts_of(self, entry: Entry) -> list[str]:
        """The words that an entry has as values."""
        table = at_keys(self.pages[entry.file], entry.keys)
        return [table[key] for key in _payload(table, entry.cite) if isinstance(table[key], str)]

    def family_of(self, entry: Entry) -> str:
        """The family of the wager that an entry is about, by the module that decides it, or none."""
        data: Any = self.pages[entry.file]
        families = [""]
        for key in entry.keys:
            data = data[key]
            if isinstance(data, dict) and "family" in data:
                families.append(data["family"])
        return _DECIDED_WITH.get(families[-1], str(families[-1]))

    def named(self, entry: Entry) -> frozenset[str]:
        """All clauses that entries of the same name and family cite, in every rulebook."""
        family = self.family_of(entry)
        others = {other for places in self.places.values() for other in places if other.name == entry.name}
        return frozenset(clause for one in others if self.family_of(one) == family for clause in one.clauses)

    def matter(self, entry: Entry) -> frozenset[str]:
        """All clauses that the entry's table cites; in a variation of the game also those by which all else holds."""
        page = self.pages[entry.file]
        return frozenset((*all_cited(at_keys(page, entry.keys)), *all_cited(page.get("variation", {}))))


def written(page: dict[str, Any]) -> str:
    r"""Write TOML, one line for each key at the top; plain, but it reads back as the same data.

    >>> written({"points": {"totals": [4, 10], "cite": "MD-1.A"}})
    '"points" = {"totals" = [4, 10], "cite" = "MD-1.A"}\n'
    """
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in page.items())


def _inline(value: Any) -> str:  # noqa: ANN401  # TOML has any type
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value) if isinstance(value, bool | int | str) else str(value)


def _code(root: Path) -> str:
    paths = sorted((root / "src/passline").rglob("*.py"))
    return "".join(path.read_text("utf-8") for path in paths if not {"explain", "schema", "checks"} & set(path.parts))


def _fields(root: Path) -> frozenset[str]:
    paths = (root / "src/passline/rules/schema").glob("*.py")
    return frozenset(found for path in paths for found in _FIELD.findall(path.read_text("utf-8")))


def at_keys(data: Any, keys: tuple[str | int, ...]) -> Any:  # noqa: ANN401  # TOML has any type
    """Return what lies below some keys."""
    for key in keys:
        data = data[key]
    return data


def _kind(keys: tuple[str | int, ...]) -> str:
    """What kind of table it is, so that its words are changed only for words of the same kind."""
    named = [key for key in keys if isinstance(key, str)]
    return named[-1] if named else ""


def _cited(cite: Any) -> Iterator[tuple[frozenset[str], tuple[str, ...]]]:  # noqa: ANN401  # TOML has any type
    if isinstance(cite, dict):
        for number, clauses in cite.items():
            yield from ((found, (number,)) for found, _ in _cited(clauses))
    else:
        yield frozenset([cite] if isinstance(cite, str) else cite), ()


def all_cited(data: Any) -> Iterator[str]:  # noqa: ANN401  # TOML has any type
    """Yield each clause that is cited anywhere in some data."""
    if isinstance(data, list):
        for item in data:
            yield from all_cited(item)
    elif isinstance(data, dict):
        for key, value in data.items():
            if key == "cite" or key.endswith("_cite"):
                yield from (clause for clauses, _ in _cited(value) for clause in clauses)
            else:
                yield from all_cited(value)


def cited_beside(page: dict[str, Any], entry: Entry, pages: list[dict[str, Any]], gone: frozenset[str]) -> None:
    """Cite the clauses of an entry that was taken out near to where it was, as loading wants every clause cited."""
    orphans = sorted(gone - {one for other in pages for one in all_cited(other)})
    if orphans and (beside := _beside(page, entry.keys)):
        table = at_keys(page, beside)
        table["cite"] = [*([table["cite"]] if isinstance(table["cite"], str) else table["cite"]), *orphans]


def _beside(page: dict[str, Any], keys: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    """The keys of a table near to where something was, whose citation is one clause or a list of them."""
    for depth in range(len(keys) - 1, 0, -1):
        above = at_keys(page, keys[:depth])
        near = [keys[:depth]]
        if isinstance(above, dict):
            near += [
                (*keys[:depth], key) for key in reversed(above)
            ]  # not `make`, which stands in for what is left out
        for one in near:
            table = at_keys(page, one)
            if isinstance(table, dict) and isinstance(table.get("cite"), str | list):
                return one
    return next(
        ((key,) for key, one in page.items() if isinstance(one, dict) and isinstance(one.get("cite"), str | list)), None
    )


def _payload(table: dict[str, Any], cite: str) -> list[str]:
    """The keys whose values a citation is about: `set_cite` is about `set` and `set_min`, `cite` about all others."""
    keys = [key for key in table if key not in _PROSE and key != "cite" and not key.endswith("_cite")]
    own = {key: key.removesuffix("_cite") for key in table if key.endswith("_cite")}
    if cite != "cite":
        return [key for key in keys if key == own[cite] or key.startswith(f"{own[cite]}_")]
    taken = {key for key in keys for stem in own.values() if key == stem or key.startswith(f"{stem}_")}
    return [key for key in keys if key not in taken]
