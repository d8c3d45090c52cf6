"""Reading a rulebook: TOML files to one checked Rulebook, or an error that names every fault by file and key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from passline.rules.checks.alike import rulebook_doubts
from passline.rules.checks.clauses import clause_problems
from passline.rules.house_reader import default_house_breaches, house_shape_faults
from passline.rules.pages.amendments import (
    DAY_PAGE,
    amendments_in,
    day_of_text,
    is_amendment,
    is_of_a_day,
    text_day,
    texts_of,
)
from passline.rules.pages.citations import cited_nodes
from passline.rules.pages.clause_matrix import clauses_of
from passline.rules.pages.dated import has_days, is_in_force, read_entries, versions_of
from passline.rules.pages.layers import Layers
from passline.rules.pages.library import folder_of, known_rulebooks
from passline.rules.pages.texts import (
    SUFFIX,
    Pages,
    RulebookError,
    RulebookFaults,
    parse_page,
    read_pages,
)
from passline.rules.rulebook_check import rulebook_problems
from passline.rules.schema import Composite, Election, Game, General, OddsWager, Rulebook, WagerEntry, part_spot

_T = TypeVar("_T")


def rulebook_of(name: str, on: date | None = None) -> Rulebook:
    """Return one of the known rulebooks, as the text of a day (of none: of the day it is); each is read once.

    >>> rulebook_of("maryland").games.keys()
    dict_keys(['craps', 'mini_craps'])
    >>> rulebook_of("nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookError: there is no rulebook 'nevada'; choose colorado, ...
    """
    return _rulebook_in(str(folder_of(name)), name, text_day(name, on))


@cache
def _rulebook_in(folder: str, name: str, day: date | None) -> Rulebook:
    del folder  # of two libraries, the same name may mean two
    return rulebook_from(texts_of(name).on(day))


def sound_regulations() -> tuple[str, ...]:
    """Return the names of the regulations whose rulebook can be read, for what is about all of them."""
    return _sound_and_not(known_rulebooks().places)[0]


def unsound_regulations() -> dict[str, RulebookError]:
    """Return what is wrong with each rulebook that cannot be read, by its name."""
    return _sound_and_not(known_rulebooks().places)[1]


@lru_cache(maxsize=8)
def _sound_and_not(places: tuple[tuple[str, str], ...]) -> tuple[tuple[str, ...], dict[str, RulebookError]]:
    names, faults = tuple(dict.fromkeys(name for name, _folder in places)), dict[str, RulebookError]()
    for name in names:
        try:
            rulebook_of(name)
        except RulebookError as error:
            faults[name] = error
    return tuple(name for name in names if name not in faults), faults


def load_rulebook(
    folder: Traversable | Path,
    *,
    on: date | None = None,
    read: Callable[[Traversable | Path], dict[str, Any]] | None = None,
) -> Rulebook:
    """Read and check a rulebook folder as in force on a day (default: as written); `read` may change its data.

    RulebookFaults lists every fault of the folder, in all its files. Amendments are left out: `rulebook_of` has them.
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

    >>> rulebook_from(read_pages(folder_of("maryland"))) == rulebook_of("maryland")
    True
    """
    if is_of_a_day(pages):
        return _amended_rulebook(pages, is_kept=is_kept)

    def read(page: str) -> dict[str, Any]:
        if page not in pages.texts:
            raise RulebookError(f"{pages.name}/{page}: there is no such file")
        return parse_page(pages.texts[page], f"{pages.name}/{page}", may_be_empty=is_kept)

    folder = _Folder(pages.name, read, list(pages.texts), on=on, is_kept=is_kept)
    return _assemble(folder, digest=pages.digest)


def _amended_rulebook(pages: Pages, *, is_kept: bool) -> Rulebook:
    """Read the text of a day; a fault names the amendment that wrote what is wrong."""
    amendments, on = amendments_in(pages), day_of_text(pages)
    written = {page: text for page, text in pages.texts.items() if page != DAY_PAGE}
    layers = Layers(Pages(pages.name, written), "", is_kept=is_kept)

    def read(page: str) -> dict[str, Any]:
        if (data := layers.data.get(page.removesuffix(SUFFIX))) is None:
            raise RulebookError(f"{pages.name}/{page}: there is no such file")
        return dict(data)

    folder = _Folder(pages.name, read, [f"{page}{SUFFIX}" for page in layers.data], on=on, is_kept=is_kept)
    folder.is_amended = bool(amendments)
    try:
        rulebook = _assemble(folder, digest=pages.digest)
    except RulebookFaults as error:
        raise RulebookFaults(_place_fault(pages.name, fault, layers) for fault in error.faults) from None
    return msgspec.structs.replace(rulebook, amendments=tuple(amendment.head for amendment in amendments))


def _place_fault(name: str, fault: str, layers: Layers) -> str:
    """Return a fault with the amendment in which it stands, if it stands in one."""
    file, _, rest = fault.removeprefix(f"{name}/").partition(": ")
    table, key = file.removesuffix(SUFFIX), rest.partition(":")[0]
    page = layers.writer_of(f"{table}.{key}")
    return f"{name}/{page}: {table}{': ' if ' ' in key else '.'}{rest}" if is_amendment(page) else fault


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
        self.is_amended = False
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
        if has_days(data):
            self.versions.update(versions_of(data, file.removesuffix(SUFFIX)))
        return data

    def _entries(self, data: dict[str, Any], kind: type[_T], file: str) -> _T | None:
        label = f"{self.name}/{file}"
        try:
            return read_entries(data, kind, label, on=self.on, is_kept=self.is_kept)
        except RulebookFaults as error:
            self.faults += error.faults
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
                if data is None or is_in_force(data, self.on, f"{self.name}/{file}"):
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
            if not broken & set(_WORD.findall(problem.partition("; did you mean")[0])):
                yield f"{self.name}{problem}"
        if self.on is None and not self.broken and not self.is_amended:
            yield from (f"{self.name}{problem}" for problem in clause_problems(rulebook, nodes))

    def with_doubts(self, rulebook: Rulebook) -> Rulebook:
        """Return a sound rulebook with what its author may want to look at again."""
        doubts = tuple(f"{self.name}{doubt}" for doubt in rulebook_doubts(rulebook))
        return msgspec.structs.replace(rulebook, doubts=doubts) if doubts else rulebook


_WORD = re.compile(r"\w+")


def _parts_of(entry: WagerEntry) -> Iterator[str]:
    """Yield the other wagers that a check of this wager needs."""
    if isinstance(entry, OddsWager):
        yield entry.behind
    if isinstance(entry, Composite):
        units = (*entry.parts.units, *(entry.breakdown.units if entry.breakdown else ()))
        yield from (part_spot(part)[0] for part in units)


def _matrix_faults(name: str) -> tuple[str, ...]:
    try:
        clauses_of(name)
    except RulebookFaults as error:
        return error.faults
    return ()


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
        faults_of_matrix = _matrix_faults(folder.name)
        folder.faults += faults_of_matrix
        twice = [kind for kind in side or {} if kind in (wagers or {})]
        folder.faults += (f"{folder.name}/{_SIDE}: {kind}: is a wager of {_WAGERS} already" for kind in twice)
        folder.faults += (f"{folder.name}/{_HOUSE}: {fault}" for fault in house_shape_faults(house or {}))
        if rulebook is not None and len(found) == len(games) and not faults_of_matrix:
            folder.faults += folder.find_faults(rulebook)
            if not folder.faults and folder.on is None:
                folder.faults += (f"{folder.name}/{_HOUSE}: {breach}" for breach in default_house_breaches(rulebook))
    if folder.faults or rulebook is None:
        raise RulebookFaults(folder.faults)
    return rulebook if folder.is_kept else folder.with_doubts(rulebook)
