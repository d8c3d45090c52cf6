"""Reading a rulebook: TOML files to one checked Rulebook, or an error that names every fault by file and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from passline.rules.checks.clauses import clause_problems
from passline.rules.clauses import REGULATIONS
from passline.rules.house_reader import default_house_breaches, house_shape_faults
from passline.rules.rulebook_check import rulebook_problems
from passline.rules.rulebook_model import Rulebook, cited_nodes
from passline.rules.rulebook_pages import (
    SUFFIX,
    Pages,
    RulebookError,
    RulebookFaults,
    installed_folder,
    read_pages,
)
from passline.rules.schema import Composite, Election, Game, General, OddsWager, WagerEntry
from passline.rules.structure import converted

__all__ = ["load_rulebook", "parsed_page", "read_entries", "read_toml", "rulebook_from", "rulebook_of"]

_T = TypeVar("_T")


@cache
def rulebook_of(name: str) -> Rulebook:
    """Return one of the rulebooks in the package, as its newest text.

    >>> rulebook_of("maryland").games.keys()
    dict_keys(['craps', 'mini_craps'])
    >>> rulebook_of("nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.rules.rulebook_pages.RulebookError: there is no rulebook 'nevada'; choose colorado, ...
    """
    if name not in REGULATIONS:
        message = f"there is no rulebook {name!r}; choose {', '.join(REGULATIONS)}"
        raise RulebookError(message)
    return load_rulebook(installed_folder(name))


def read_toml(path: Traversable | Path) -> dict[str, Any]:
    """Read one TOML file; any error becomes a one-line message with the file and, where known, its faulty line."""
    try:
        return parsed_page(path.read_bytes(), _label(path))
    except FileNotFoundError:
        problem = "there is no such file"
    except IsADirectoryError:
        problem = "is a folder"
    except OSError as error:
        problem = str(error).splitlines()[0]
    raise RulebookError(f"{_label(path)}: {problem}")


def parsed_page(page: bytes, label: str) -> dict[str, Any]:
    """Parse the bytes of a TOML page; raise RulebookError with its label and, where known, its faulty line."""
    text = ""
    try:
        text = page.decode("utf-8")
        return tomllib.loads(text)
    except RecursionError:
        problem = "is nested too deeply"
    except ValueError as error:  # not UTF-8, not TOML, or a number of thousands of digits
        problem = str(error).splitlines()[0]
        if at := _AT_LINE.search(problem):
            problem += f": {text.splitlines()[int(at[1]) - 1].strip()[:60]}"
    raise RulebookError(f"{label}: {problem}")


_AT_LINE = re.compile(r"at line (\d+)")


def load_rulebook(
    folder: Traversable | Path,
    *,
    on: date | None = None,
    read: Callable[[Traversable | Path], dict[str, Any]] | None = None,
) -> Rulebook:
    """Read and check a rulebook folder as in force on a day (default: the newest text); `read` may change its data.

    RulebookFaults lists every fault of the folder, in all its files.
    """
    if read is not None:
        change = read
        files = [page.name for page in folder.iterdir() if page.name.endswith(SUFFIX)]
        return _assemble(_Folder(folder.name, lambda page: change(folder / page), files, on=on))
    return rulebook_from(read_pages(folder), on=on)


def rulebook_from(pages: Pages, *, on: date | None = None, is_kept: bool = False) -> Rulebook:
    """Parse and check the pages of a rulebook; its digest is that of these very bytes.

    Pages that a log has kept were checked when it kept them. Now only their shape is checked, so that a check added
    since cannot make a log unreadable.

    >>> rulebook_from(read_pages(installed_folder("maryland"))) == rulebook_of("maryland")
    True
    """

    def read(page: str) -> dict[str, Any]:
        if page not in pages.texts:
            raise RulebookError(f"{pages.name}/{page}: there is no such file")
        return parsed_page(pages.texts[page], f"{pages.name}/{page}")

    folder = _Folder(pages.name, read, list(pages.texts), on=on, is_kept=is_kept)
    return _assemble(folder, digest=pages.digest)


_GENERAL, _WAGERS, _SIDE, _ELECTIONS, _HOUSE = (
    f"{page}{SUFFIX}" for page in ("general", "wagers", "sidewagers", "elections", "house")
)
_PAGES = frozenset({_GENERAL, _WAGERS, _SIDE, _ELECTIONS, _HOUSE})  # beside them each game has one


class _Folder:
    """The pages of one rulebook as they are read, and every fault found on the way."""

    def __init__(
        self,
        name: str,
        read: Callable[[str], dict[str, Any]],
        files: list[str],
        *,
        on: date | None,
        is_kept: bool = False,
    ) -> None:
        self.name, self.read, self.files, self.on, self.is_kept = name, read, files, on, is_kept
        self.faults: list[str] = []
        self.broken: set[str] = set()  # the wagers and elections that cannot be read
        self.versions: dict[str, tuple[dict[str, Any], ...]] = {}

    def page(self, file: str, kind: type[_T]) -> _T | None:
        """Return a page by its model; None, with its faults noted, if it has any."""
        data = self._data(file)
        return None if data is None else self._entries(data, kind, file)

    def table(self, file: str, kind: type[dict[str, _T]]) -> dict[str, _T] | None:
        """Return those entries of a page that can be read; the names of the others are noted with their faults."""
        if (data := self._data(file)) is None:
            return None
        sound: dict[str, _T] = {}
        for key, entry in data.items():
            read = self._entries({key: entry}, kind, file)
            sound |= read or {}
            self.broken |= {key} - set(read or {})
        return sound

    def _data(self, file: str) -> dict[str, Any] | None:
        try:
            data = self.read(file)
        except RulebookError as error:
            self.faults.append(str(error))
            return None
        if _has_days(data):
            self.versions.update(_versions(data, file.removesuffix(SUFFIX)))
        return data

    def _entries(self, data: dict[str, Any], kind: type[_T], file: str) -> _T | None:
        label = f"{self.name}/{file}"
        try:
            if self.is_kept:
                return msgspec.convert(_in_force(_without_day(data) if kind is Game else data, self.on, label), kind)
            return read_entries(data, kind, label, on=self.on)
        except RulebookFaults as error:
            self.faults += error.faults
        except msgspec.ValidationError as error:
            self.faults.append(f"{label}: {error}")
        except RulebookError as error:
            self.faults.append(str(error))
        return None

    def games(self, general: General | None) -> dict[str, Game | None]:
        """Return the games. If the list of games cannot be read, every page without another use counts as a game."""
        others = [file.removesuffix(SUFFIX) for file in sorted(self.files) if file not in _PAGES]
        if general is None:
            return self._begun_games(others)
        for stray in sorted(set(others) - set(general.games)):
            what = "belongs to no game: name it in `games` of general.toml, or remove it"
            self.faults.append(f"{self.name}/{stray}{SUFFIX}: {what}")
        return self._begun_games([game for game in general.games if f"{game}{SUFFIX}" not in _PAGES])

    def _begun_games(self, names: list[str]) -> dict[str, Game | None]:
        """Return the games among these that are in force on the day."""
        found: dict[str, Game | None] = {}
        for game in names:
            file = f"{game}{SUFFIX}"
            data = self._data(file)
            try:
                if data is None or _is_begun(data, self.on, f"{self.name}/{file}"):
                    found[game] = None if data is None else self._entries(data, Game, file)
            except RulebookError as error:
                self.faults.append(str(error))
                found[game] = None
        return found

    def find_faults(self, rulebook: Rulebook) -> Iterator[str]:
        """Yield the faults of a rulebook whose pages can be read, but for those that follow from broken entries."""
        broken = self.broken | {kind for kind, entry in rulebook.wagers.items() if self.broken & {*_parts_of(entry)}}
        nodes = cited_nodes(rulebook)
        for problem in rulebook_problems(rulebook, [(path, cite) for path, cite, _entry in nodes]):
            if not broken & set(_WORD.findall(problem)):
                yield f"{self.name}{problem}"
        if self.on is None and not self.broken:
            yield from (f"{self.name}{problem}" for problem in clause_problems(rulebook, nodes))


_WORD = re.compile(r"\w+")


def _parts_of(entry: WagerEntry) -> Iterator[str]:
    """Yield the other wagers that a check of this wager needs."""
    if isinstance(entry, OddsWager):
        yield entry.behind
    if isinstance(entry, Composite):
        yield from entry.parts.units
        yield from entry.breakdown.units if entry.breakdown else ()


def _assemble(folder: _Folder, digest: str = "") -> Rulebook:
    general = folder.page(_GENERAL, General)
    wagers = folder.table(_WAGERS, dict[str, WagerEntry])
    side = folder.table(_SIDE, dict[str, WagerEntry]) if _SIDE in folder.files else {}
    elections = folder.table(_ELECTIONS, dict[str, Election])
    house = folder.page(_HOUSE, dict[str, Any])
    games = folder.games(general)
    found = {game: entry for game, entry in games.items() if entry is not None}
    rulebook = None
    if general and wagers is not None and side is not None and elections is not None and house is not None:
        general = msgspec.structs.replace(general, games=tuple(games))  # those in force on the day
        rulebook = Rulebook(folder.name, general, wagers | side, elections, found, house, folder.versions, digest)
    if not folder.is_kept:
        twice = [kind for kind in side or {} if kind in (wagers or {})]
        folder.faults += (f"{folder.name}/{_SIDE}: {kind}: is a wager of {_WAGERS} already" for kind in twice)
        folder.faults += (f"{folder.name}/{_HOUSE}: {fault}" for fault in house_shape_faults(house or {}))
        if rulebook is not None and len(found) == len(games):
            folder.faults += folder.find_faults(rulebook)
            if not folder.faults and folder.on is None:
                folder.faults += (f"{folder.name}/{_HOUSE}: {breach}" for breach in default_house_breaches(rulebook))
    if folder.faults or rulebook is None:
        raise RulebookFaults(folder.faults)
    return rulebook


def _label(path: Traversable | Path) -> str:
    return str(path) if isinstance(path, Path) and not path.is_absolute() else "/".join(str(path).split("/")[-2:])


def read_entries(data: Mapping[str, Any], kind: type[_T], label: str, *, on: date | None = None) -> _T:
    """Convert the data of a rulebook file, as in force on a day, to `kind`; an error names the label and the keys.

    Versions that are not in force on that day are checked as well.
    """
    if not _has_days(data):
        return converted(data, kind, label)
    if unclear := [f"{label}: {problem}" for problem in _dated_problems(data)]:
        raise RulebookFaults(unclear)
    if kind is Game:
        data = _without_day(data)
    found = converted(_in_force(data, on, label), kind, label)
    for older in range(1, max((len(versions) for _path, versions in _versions(data, "")), default=1)):
        converted(_version(data, older), kind, label)
    return found


def _has_days(data: object) -> bool:
    """Return whether anything in some data begins or changes on a day."""
    if isinstance(data, dict):
        return "dated" in data or "from" in data or any(map(_has_days, data.values()))
    return isinstance(data, list) and any(map(_has_days, data))


def _dated_problems(data: object, path: str = "") -> Iterator[str]:
    """Yield a problem for every `dated` table without versions, with an empty one, or with days out of order."""
    if isinstance(data, list):
        for index, item in enumerate(data):
            yield from _dated_problems(item, f"{path}[{index}]")
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        yield from _dated_problems(value, f"{path}.{key}" if path else key)
    if "dated" not in data:
        return
    versions = data["dated"]
    if not versions or not isinstance(versions, list) or not all(isinstance(version, dict) for version in versions):
        yield f"{path}: `dated` must be a list of versions"
        return
    if any([*version] == ["from"] for version in versions):
        yield f"{path}: a version under `dated` says nothing but its day"
    days = [version.get("from") for version in versions]
    if not all(type(day) is date for day in days) or sorted(set(days)) != days:
        yield f"{path}: every version under `dated` needs its own `from` day, the oldest first"


def _version(data: object, older: int) -> object:
    """Replace every `dated` table by one of its older versions, or by the first if it has fewer."""
    if isinstance(data, list):
        return [_version(item, older) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        return {key: _version(_without_day(value), older) for key, value in data.items()}
    chosen = data["dated"][max(len(data["dated"]) - 1 - older, 0)]
    return {key: value for key, value in {**data, **chosen}.items() if key not in {"from", "dated"}}


def _in_force(data: object, on: date | None, label: str) -> object:
    """Replace every `dated` table by its version in force on a day; two versions for one day, or none, is an error.

    A table with a `from` day is left out before it, and so is a list with a table that is.
    """
    if isinstance(data, list):
        return [_in_force(item, on, label) for item in data]
    if not isinstance(data, dict):
        return data
    if "dated" not in data:
        begun = {key: value for key, value in data.items() if _is_begun(value, on, f"{label}: {key}")}
        found = {key: _in_force(_without_day(value), on, f"{label}: {key}") for key, value in begun.items()}
        return {key: value for key, value in found.items() if value != {} or not data[key]}  # all of it begins later
    versions = data["dated"]
    started = [version for version in versions if on is None or version["from"] <= on]
    if not started:
        message = f"{label}: no version is in force on {on}; the first is from {versions[0]['from']}"
        raise RulebookError(message)
    newest = max(started, key=lambda version: version["from"])
    return {key: value for key, value in {**data, **newest}.items() if key not in {"from", "dated"}}


def _is_begun(data: object, on: date | None, label: str) -> bool:
    """Return whether a table, or every table of a list, is in force on a day, by its own `from`."""
    if isinstance(data, list):
        return all(_is_begun(item, on, label) for item in data)
    if not isinstance(data, dict) or "from" not in data:
        return True
    if type(data["from"]) is not date:
        message = f"{label}: `from` must be the day from which it is in force, such as 2012-09-14"
        raise RulebookError(message)
    return on is None or data["from"] <= on


def _without_day(data: Any) -> Any:  # noqa: ANN401  # TOML has values of any type
    """Return a table, or the tables of a list, without the day from which it is in force."""
    if isinstance(data, list):
        return [_without_day(item) for item in data]
    return {key: value for key, value in data.items() if key != "from"} if isinstance(data, dict) else data


def _versions(data: object, path: str) -> Iterator[tuple[str, tuple[dict[str, Any], ...]]]:
    if isinstance(data, dict):
        begins = ({"from": data["from"]},) if "from" in data else ()
        dated = data["dated"] if isinstance(data.get("dated"), list) else ()
        if begins or dated:
            yield path, (*begins, *dated)
        for key, value in data.items():
            if key != "dated":
                yield from _versions(value, f"{path}.{key}")
    elif isinstance(data, list):
        for index, item in enumerate(data, start=1):
            yield from _versions(item, f"{path}.{index}")
