"""Which rulebooks there are, and where: those of Passline, of other installed packages, and of folders that are named.

A shelf is a folder with a folder for each rulebook, and beside them `clauses/NAME.csv`, the clause matrix of each. The
library, all shelves together, is a value that follows from the environment and from what is installed. Processes that
a command starts have its environment, and so the same library.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache, lru_cache
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct

from passline.rules.pages.texts import BOOKS, PRESETS, SUFFIX, RulebookError, installed_folder, installed_shelf

FOLDERS = "PASSLINE_RULEBOOKS"
"""The environment variable that names shelves, separated as in PATH."""
GROUP = "passline.rulebooks"
"""The group of entry points by which a package names its shelf, a package of its own."""
_CLAUSES = "clauses"
_PAGES = ("general", "wagers")  # no other folder has them
_RESERVED = frozenset({_CLAUSES, "past", "practice", BOOKS, PRESETS, "schemas", "template"})
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")  # it stands in addresses, file names and house files


class _Own(Struct, forbid_unknown_fields=True):
    """What `shelf.toml` says of the rulebooks that come with the package."""

    rulebooks: tuple[str, ...]
    default: str
    places: dict[str, dict[str, str]]


class Shelf(Struct, frozen=True, cache_hash=True):
    """A folder of rulebooks, how it came to be looked at, and what is wrong with it if it cannot be read."""

    folder: Traversable | Path
    origin: str
    names: tuple[str, ...] = ()
    fault: str = ""

    def __str__(self) -> str:
        where = self.origin if self.origin == _OURS else f"{self.origin} {self.folder}"
        return f"{where} ({self.fault})" if self.fault else where


_OURS = "Passline"


class Library(Struct, frozen=True, cache_hash=True):
    """Every shelf that is looked at, in order.

    >>> shelves = Shelf(Path("a"), "here", ("harbour",)), Shelf(Path("b"), "there", ("harbour", "island"))
    >>> Library(shelves).names
    ('harbour', 'island')
    >>> Library(shelves).folder("harbour")
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookError: there are two rulebooks 'harbour': of here a and of there b; rename one
    """

    shelves: tuple[Shelf, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rulebooks; one of them may be unsound, or lie on two shelves."""
        return tuple(dict.fromkeys(name for shelf in self.shelves for name in shelf.names))

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Each name with where it lies: by this it is known what was read already."""
        return tuple((name, str(shelf.folder)) for shelf in self.shelves for name in shelf.names)

    def folder(self, name: str) -> Traversable | Path:
        """Return the folder of a rulebook; raise RulebookError if there is none of this name, or two."""
        return self._shelf(name).folder / name

    def matrix(self, name: str) -> Traversable | Path | None:
        """Return the clause matrix of a rulebook that lies on one shelf, if there is one beside it."""
        having = self._shelves_with(name)
        path = having[0].folder / _CLAUSES / f"{name}.csv" if len(having) == 1 else None
        return path if path is not None and path.is_file() else None

    def _shelves_with(self, name: str) -> list[Shelf]:
        return [shelf for shelf in self.shelves if name in shelf.names]

    def _shelf(self, name: str) -> Shelf:
        having = self._shelves_with(name)
        if len(having) > 1:
            places = " and ".join(f"of {shelf}" for shelf in having)
            raise RulebookError(f"there are two rulebooks {name!r}: {places}; rename one")
        if not having:
            looked = f"looked for in {'; '.join(map(str, self.shelves))}; --rulebooks DIR names more"
            raise RulebookError(f"there is no rulebook {name!r}; choose {', '.join(self.names)} ({looked})")
        if not is_name(name):
            why = "is not a name for a rulebook: use small letters, digits and _, and none of"
            raise RulebookError(f"{having[0].folder / name}: {why} {', '.join(sorted(_RESERVED))}")
        return having[0]


def is_name(name: str) -> bool:
    """Return whether a rulebook may be called so.

    >>> is_name("new_harbour"), is_name("New Harbour"), is_name("practice")
    (True, False, False)
    """
    return _NAME.fullmatch(name) is not None and name not in _RESERVED


def known_rulebooks() -> Library:
    """Return the library of this process as its environment is now.

    >>> known_rulebooks().names[:4]
    ('colorado', 'section2', 'arizona', 'maryland')
    """
    return _library(str(installed_shelf()), os.environ.get(FOLDERS, ""))


def regulations() -> tuple[str, ...]:
    """Return the names of all regulations: those that come with the package first."""
    return known_rulebooks().names


def default_regulation() -> str:
    """Return the regulation of a command that names none."""
    return _own(str(installed_shelf())).default


def proposed_place(name: str) -> dict[str, str]:
    """Return the state and the time zone in which a regulation of the package holds, if it names one."""
    return _own(str(installed_shelf())).places.get(name, {})


def own_regulations() -> tuple[str, ...]:
    """Return the names of the regulations that come with the package."""
    return _own(str(installed_shelf())).rulebooks


def folder_of(name: str) -> Traversable | Path:
    """Return the folder of a rulebook, or of what every house has; raise RulebookError if there is none."""
    return _folder_in(known_rulebooks(), name)


@lru_cache(maxsize=256)
def _folder_in(library: Library, name: str) -> Traversable | Path:
    """Return the folder of a name in a library: each request asks for some, several times."""
    is_ours = name.partition("/")[0] in _RESERVED
    return installed_folder(name) if is_ours else library.folder(name)


@lru_cache(maxsize=8)
def _library(ours: str, named: str) -> Library:
    own = Shelf(installed_shelf(), _OURS, _own(ours).rulebooks)
    places = [Path(place) for place in named.split(os.pathsep) if place.strip()]
    return Library((own, *_package_shelves(), *(_shelf_at(place, FOLDERS) for place in dict.fromkeys(places))))


@lru_cache(maxsize=8)
def _own(ours: str) -> _Own:
    del ours  # in whatever folder it lies: tests have other ones
    return msgspec.convert(tomllib.loads((installed_shelf() / "shelf.toml").read_text(encoding="utf-8")), _Own)


@cache
def _package_shelves() -> tuple[Shelf, ...]:
    """Return the shelves of installed packages; one that cannot be imported is named, and breaks nothing else."""
    found = []
    for entry in entry_points(group=GROUP):
        origin = f"package {entry.dist.name if entry.dist else entry.name}"
        try:
            spec = find_spec(entry.module)
            places = spec.submodule_search_locations if spec else None
            if not places:
                raise ImportError(f"{entry.module}: is not a package")  # noqa: TRY301 - as other faults of a package
            found += [_shelf_at(Path(place), origin) for place in places]
        except Exception as error:  # noqa: BLE001 - whatever a package of somebody else's raises
            found.append(Shelf(Path(entry.value), origin, fault=f"{type(error).__name__}: {error}"))
    return tuple(found)


def _shelf_at(folder: Path, origin: str) -> Shelf:
    """Return the shelf in a folder; a folder that is a rulebook itself stands for the shelf with nothing else."""
    folder = folder.absolute()
    if _has_pages(folder):
        return Shelf(folder.parent, origin, (folder.name,))
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and _has_pages(entry))
    except OSError as error:
        return Shelf(folder, origin, fault=error.strerror or str(error))
    return Shelf(folder, origin, tuple(names), "" if names else "has no folder of a rulebook")


def _has_pages(folder: Path) -> bool:
    """Return whether a folder is a rulebook, perhaps an unfinished one."""
    return any((folder / f"{page}{SUFFIX}").is_file() for page in _PAGES)
