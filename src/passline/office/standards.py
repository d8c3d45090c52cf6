"""Standards as data: what a public standard or a checklist asks of a system, item by item, and how each item is met.

A standard is a page beside the presets. An item is met by entries of an office's pages (an act, a form, a value, a
clock), by pages of the house, by commands, or by what the program always does; each names the tests that show it. An
item that is not covered says why. An item that names something that does not exist is a fault of the page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.acts.rules import office_of, sound_offices
from passline.acts.schema import ActPages
from passline.errors import CrapsError
from passline.rules.pages.structure import KeyFault, convert_data, nearest_words
from passline.rules.pages.texts import (
    PRESETS,
    SUFFIX,
    RulebookFaults,
    installed_books,
    installed_folder,
    installed_presets,
    parse_page,
)
from passline.rules.schema import Rule

_TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")
_SUBJECT = "/office/{name}/"


class StandardItem(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One requirement of a standard, and what meets it; `cite` is one of the standard's sources."""

    area: str
    says: str
    entries: tuple[str, ...] = ()  # of the pages of an office, such as acts.request_fill
    pages: tuple[str, ...] = ()  # addresses in the house, such as /office/{name}/count
    commands: tuple[str, ...] = ()  # such as office form
    always: str = ""  # what the program does in every house
    tests: tuple[str, ...] = ()  # that show it, such as tests/office/test_forms.py::test_every_office_prints_every_form
    not_covered: str = ""  # why it is held by nothing


class Standard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A standard: its sources, each with its words, and its items in order."""

    name: str
    about: str
    sources: dict[str, str]
    items: dict[str, StandardItem]

    @property
    def held_items(self) -> tuple[str, ...]:
        """The items that the program meets."""
        return tuple(key for key, item in self.items.items() if not item.not_covered)


class Holders(Struct, frozen=True):
    """What items may name besides entries of an office; None: it cannot be checked where the page is read."""

    pages: Collection[str] | None = None
    commands: Collection[str] | None = None
    tests: Path | None = None  # the folder in which the tests lie


@cache
def standard_names() -> tuple[str, ...]:
    """Return the names of the standards that come with the package.

    >>> "table_systems" in standard_names()
    True
    """
    found = (page.name for page in installed_folder(PRESETS).iterdir() if page.name.endswith(SUFFIX))
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found))


def standard_of(name: str, holders: Holders | None = None) -> Standard:
    """Return a standard by its name; raise RulebookFaults if an item names something that there is not.

    >>> standard_of("table_systems").items["one_series"].says
    'Slips are numbered in one series without a gap'
    """
    if name not in standard_names():
        raise CrapsError(f"there is no standard {name!r}; choose {', '.join(standard_names())}")
    page = f"{PRESETS}/{name}{SUFFIX}"
    return read_standard((installed_folder(PRESETS) / f"{name}{SUFFIX}").read_bytes(), page, holders)


def read_standard(text: bytes, page: str, holders: Holders | None = None) -> Standard:
    """Read a standard, and check that what its items name exists."""
    standard: Standard = convert_data(parse_page(text, page), Standard, page)
    faults = [
        fault.below(f"items.{key}")
        for key, item in standard.items.items()
        for fault in _item_faults(standard, item, holders or Holders())
    ]
    if faults:
        raise RulebookFaults(f"{page}: {fault}" for fault in faults)
    return standard


def _item_faults(standard: Standard, item: StandardItem, holders: Holders) -> Iterator[KeyFault]:
    """Yield what is wrong with an item: its source, and whatever it names that is not there."""
    if item.cite not in standard.sources:
        yield KeyFault(
            "cite", f"{item.cite!r} is not one of the sources{nearest_words(str(item.cite), standard.sources)}"
        )
    holds = (*item.entries, *item.pages, *item.commands, item.always)
    if item.not_covered and (any(holds) or item.tests):
        yield KeyFault("not_covered", "it is held by something: leave this out, or what holds it")
    elif not item.not_covered and not (any(holds) and item.tests):
        yield KeyFault("", "say what holds it and which test shows that, or write not_covered, with the reason")
    pages = every_page()
    for entry in item.entries:
        if page_entry(pages, entry) is None:
            yield KeyFault("entries", f"no office has an entry {entry!r}")
    subjects = {f"{_SUBJECT}{act.page}" for act in pages.acts.values()}
    yield from _unknown("pages", item.pages, holders.pages, but=subjects)
    yield from _unknown("commands", item.commands, holders.commands)
    if holders.tests is not None:
        yield from (
            KeyFault("tests", f"there is no test {test}") for test in item.tests if not _is_test(holders.tests, test)
        )


def _unknown(
    key: str, names: Collection[str], known: Collection[str] | None, but: Collection[str] = ()
) -> Iterator[KeyFault]:
    for name in names:
        if known is not None and name not in known and name not in but:
            yield KeyFault(key, f"there is no {name!r}{nearest_words(name, known)}")


def _is_test(folder: Path, test: str) -> bool:
    """Return whether a test is there, by its file and its function."""
    found = _TEST.fullmatch(test)
    file = folder.parent / found[1] if found else None
    return bool(found and file and file.is_file() and f"def {found[2]}(" in file.read_text(encoding="utf-8"))


@cache
def every_page() -> ActPages:
    """Return the pages of an office with all presets: what every house has, and what one may elect."""
    return office_of(sound_offices()[0], *installed_presets(), *installed_books()).pages


def page_entry(pages: ActPages, path: str) -> Any:  # noqa: ANN401 - of any kind
    """Return an entry of the pages by its path, such as acts.request_fill.fields.units; None: there is none."""
    found: Any = pages
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else getattr(found, key, None)
        if found is None:
            return None
    return found


def entry_name(pages: ActPages, path: str) -> str:
    """Return what people call an entry: an act or a form by its name, a part of one after it.

    >>> entry_name(every_page(), "acts.accept_fill.fields.in_view")
    'Accept a fill at the table: the chips were broken down in view before they went into the tray'
    """
    section, key, *below = path.split(".")
    whole = page_entry(pages, f"{section}.{key}")
    words = _words_of(whole) or key.replace("_", " ")
    part = page_entry(pages, path) if below else None
    return f"{words}: {_words_of(part) or ' '.join(below).replace('_', ' ')}" if below else words


def _words_of(entry: object) -> str:
    """Return the name of an entry, or what it says is wrong."""
    return str(getattr(entry, "name", "") or getattr(entry, "says", ""))
