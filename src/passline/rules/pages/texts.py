"""The text of pages: read once, parsed, packed for a log; one digest over exactly the bytes that are parsed."""

from __future__ import annotations

import re
import tomllib
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, json

from passline.bounded_text import read_named_file, text_of_file
from passline.errors import CrapsError

PRESETS = "presets"
"""The folder of what public standards say, for a house to elect."""
BOOKS = "books"
"""The folder of what a house can keep besides, and no text asks it to: each a practice of its own, to be elected."""
_PAST = "past"  # the rulebooks of earlier releases, by release: entries of their logs are judged under them
SUFFIX = ".toml"
"""How the names of pages end."""
_AT_LINE = re.compile(r"at line (\d+)")
_DEPTH_MAX = 40  # tables and lists in each other; the deepest page has 7
_BYTES_MAX = 4_000_000  # of all pages together; the longest rulebook has 71,000
_ROOT = files("passline") / "rulebooks"


class RulebookError(CrapsError):
    """A rulebook or house file cannot be read: the message names the file, the key and the problem."""


class RulebookFaults(RulebookError):
    """A rulebook is unsound; `faults` has every fault of its folder, the message one on each line.

    >>> str(RulebookFaults(["harbour/house.toml: rules: is missing"]))
    'harbour/house.toml: rules: is missing'
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(dict.fromkeys(faults))
        super().__init__("\n".join(self.faults))


class Pages(Struct, frozen=True):
    """The pages of one rulebook by file name, as they lay on the disk or as a log kept them.

    >>> Pages("harbour", {"general.toml": b"a = 1"}).digest[:8]
    '7457ce9b'
    """

    name: str
    texts: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """The digest by which this text of the rulebook is known."""
        digest = sha256()
        for page, text in sorted(self.texts.items()):
            digest.update(page.encode() + b"\0" + text + b"\0")
        return digest.hexdigest()


def installed_shelf() -> Traversable:
    """Return the folder of all rulebooks in the package, which may be a wheel that nobody has unpacked."""
    return _ROOT


def installed_folder(name: str) -> Traversable:
    """Return the folder of a rulebook in the package."""
    return _ROOT / name


@cache
def installed_presets() -> tuple[str, ...]:
    """Return the names of the presets in the package: what public standards say where a regulation says nothing.

    >>> installed_presets()
    ('nevada', 'nigc')
    """
    return tuple(sorted(folder.name for folder in installed_folder(PRESETS).iterdir() if folder.is_dir()))


@cache
def installed_books() -> tuple[str, ...]:
    """Return the names of the books in the package that a house may elect to keep besides.

    >>> installed_books()
    ('cage', 'comps', 'credit', 'keys', 'ratings')
    """
    return tuple(sorted(folder.name for folder in installed_folder(BOOKS).iterdir() if folder.is_dir()))


@cache
def book_needs(name: str) -> tuple[str, ...]:
    """Return the books that another one rests on: they are elected with it.

    >>> book_needs("credit"), book_needs("cage")
    (('cage',), ())
    """
    needs = installed_folder(BOOKS) / name / "needs"
    return tuple(needs.read_text(encoding="utf-8").split()) if needs.is_file() else ()


def elected_layer(name: str) -> str:
    """Return the folder of what a house elects for its office: a public standard, or a book that it keeps.

    >>> elected_layer("nigc"), elected_layer("cage")
    ('presets/nigc', 'books/cage')
    """
    return f"{BOOKS if name in installed_books() else PRESETS}/{name}"


@cache
def past_pages() -> Mapping[str, tuple[str, Pages]]:
    """Return the rulebooks of earlier releases whose logs keep none, by their digest, each with its release.

    >>> sorted({(release, pages.name) for release, pages in past_pages().values()})[:2]
    [('0.1.0', 'arizona'), ('0.1.0', 'colorado')]
    """
    releases = (folder for folder in installed_folder(_PAST).iterdir() if folder.is_dir())
    found = ((release.name, read_pages(folder)) for release in releases for folder in release.iterdir())
    return {pages.digest: (release, pages) for release, pages in found}


def read_pages(folder: Traversable | Path) -> Pages:
    """Read the pages of a rulebook, each once."""
    label = folder.name
    try:
        texts = {}
        for page in folder.iterdir():
            if page.name.endswith(SUFFIX):
                label = f"{folder.name}/{page.name}"
                texts[page.name] = page.read_bytes()
    except IsADirectoryError as error:
        raise RulebookError(f"{label}: is a folder") from error
    except OSError as error:
        raise RulebookError(f"{label}: {error.strerror or error}") from error
    return Pages(folder.name, texts)


def read_toml(path: Traversable | Path) -> dict[str, Any]:
    """Read one TOML file; any error becomes a one-line message with the file and, where known, its faulty line."""
    try:
        page = read_named_file(path) if isinstance(path, Path) else path.read_bytes()
    except CrapsError as error:
        raise RulebookError(str(error)) from None
    return parse_page(page, str(path))


def parse_page(page: bytes, label: str, *, may_be_empty: bool = True) -> dict[str, Any]:
    """Parse the bytes of a TOML page; raise RulebookError with its label and, where known, its faulty line."""
    text, problem = "", "is nested too deeply"
    try:
        text = text_of_file(page, label)
        data = tomllib.loads(text)
        if (data or may_be_empty) and not _is_deep(data):
            return data
        problem = problem if data else "has no entries: write them, or remove the file"
    except CrapsError as error:
        raise RulebookError(str(error)) from None
    except RecursionError:
        pass
    except ValueError as error:  # not TOML, or a number of thousands of digits
        problem = str(error).splitlines()[0]
        if at := _AT_LINE.search(problem):
            problem += f": {text.splitlines()[int(at[1]) - 1].strip()[:60]}"
    raise RulebookError(f"{label}: {problem}")


def _is_deep(data: dict[str, Any]) -> bool:
    """Return whether tables and lists lie deeper in each other than any page needs; dotted keys nest without end."""
    level: list[dict[str, Any] | list[Any]] = [data]
    for _ in range(_DEPTH_MAX):
        parts = (part for node in level for part in (node.values() if isinstance(node, dict) else node))
        level = [part for part in parts if isinstance(part, dict | list)]
    return bool(level)


def packed_pages(pages: Pages) -> str:
    """Return pages as text for the log, about a quarter as long; raise RulebookError if one is not UTF-8."""
    texts: dict[str, str] = {}
    for page, text in sorted(pages.texts.items()):
        try:
            texts[page] = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RulebookError(f"{page}: {error}") from error
    return b64encode(zlib.compress(json.encode(texts), 9)).decode()


def unpacked_pages(name: str, packed: str) -> Pages:
    """Return the pages that were packed; raise RulebookError if the text is damaged.

    >>> pages = Pages("harbour", {"general.toml": b"a = 1"})
    >>> unpacked_pages("harbour", packed_pages(pages)) == pages
    True
    >>> unpacked_pages("harbour", "AAAA")
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookError: the kept pages of harbour cannot be unpacked
    """
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(b64decode(packed, validate=True), _BYTES_MAX)
        texts = json.decode(text if unpacking.eof else b"", type=dict[str, str])
    except (DecodeError, ValueError, zlib.error) as error:
        raise RulebookError(f"the kept pages of {name} cannot be unpacked") from error
    return Pages(name, {page: text.encode() for page, text in texts.items()})
