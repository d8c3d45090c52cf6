"""Amendments, and the text of a day: the pages of a rulebook with what instruments changed in them by then.

`NAME/amendments/2027-01.toml` names its instrument, the day `from` which it is in force (and `to`, if it lapses), and
what it changes, in tables named after the pages: `[wagers.field]`, `[office.acts.x]`. The text of a day is a set of
pages like any other: those that are written, the amendments in force, and `day` where an entry depends on it. So it has
a digest of its own, and a log keeps it as it keeps any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cached_property, lru_cache
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.rules.pages.day import day_in_force
from passline.rules.pages.library import folder_of
from passline.rules.pages.texts import Pages, RulebookError, RulebookFaults, parse_page, read_pages
from passline.rules.schema import Amended

AMENDMENTS = "amendments"
"""The folder of amendments beside the pages of a rulebook, and what the names of theirs in a text begin with."""
DAY_PAGE = "day"
"""The page of a text that says on which day its entries are looked at; nobody writes it."""
LAYERED = ("office", "tournament")
"""The tables of an amendment that change pages in a folder of that name."""
_HEAD = ("instrument", "from", "to", "repeals")
_DAY = re.compile(rb"=\s*(\d{4}-\d\d-\d\d)")  # found by its first letter, since every look reads every page
_BEFORE = re.compile(rb"\b(from|to)[\"']?\s*$")


class Amendment(Struct, frozen=True):
    """One instrument that changes a rulebook from a day on."""

    file: str  # as pages are named, such as amendments/2027-01.toml
    head: Amended
    repeals: tuple[str, ...]
    changes: dict[str, Any]  # by page
    text: bytes

    def is_in_force(self, on: date) -> bool:
        """Return whether it is in force on a day."""
        return self.head.begins <= on and (self.head.ends is None or on < self.head.ends)


def is_amendment(page: str) -> bool:
    """Return whether a page of a text is an amendment.

    >>> is_amendment("amendments/2027-01.toml"), is_amendment("wagers.toml")
    (True, False)
    """
    return page.rpartition("/")[0].rpartition("/")[2] == AMENDMENTS


def read_amendment(text: bytes, file: str, label: str) -> Amendment:
    """Read one amendment; raise RulebookFaults with all that is wrong with its head."""
    data = parse_page(text, label)
    if faults := [f"{label}: {fault}" for fault in _head_faults(data)]:
        raise RulebookFaults(faults)
    changes = {key: value for key, value in data.items() if key not in _HEAD}
    head = Amended(data["instrument"], data["from"], data.get("to"))
    return Amendment(file, head, tuple(data.get("repeals", ())), changes, text)


def _head_faults(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with what an amendment says of itself."""
    instrument, repeals = data.get("instrument"), data.get("repeals", [])
    if not isinstance(instrument, str) or not instrument.strip():
        yield "instrument: name the order, bill or approval that changes the text"
    days = [data[key] for key in ("from", "to") if key in data]
    if "from" not in data or not all(type(day) is date for day in days):
        yield "from: the day from which it is in force, such as 2027-01-01; `to` may name the one on which it lapses"
    elif sorted(set(days)) != days:
        yield "to: must be a later day than `from`"
    if not isinstance(repeals, list) or not all(isinstance(path, str) for path in repeals):
        yield 'repeals: must be a list of entries, such as ["wagers.field"]'
    pages = [key for key in data if key not in _HEAD]
    yield from (f"{key}: must be a table named after a page" for key in pages if not isinstance(data[key], dict))
    if not pages and not repeals:
        yield "changes nothing: write tables named after pages, such as [wagers.field], or `repeals`"


class DatedTexts(Struct, frozen=True, dict=True):
    """A rulebook as it is written, with its amendments: it answers what the text of a day is."""

    written: Pages
    amendments: tuple[Amendment, ...] = ()

    @cached_property
    def days(self) -> tuple[date, ...]:
        """The days on which the text may change, in order; looked for once, since each command asks for its rules."""
        own = {day for amendment in self.amendments for day in (amendment.head.begins, amendment.head.ends) if day}
        return tuple(sorted({*own, *(day for _key, day in _days_in(self.written, *self.amendments))}))

    def start_of(self, on: date) -> date:
        """Return the last of `days` by a day, so that days of one text are alike; before the first, the day itself."""
        return max((day for day in self.days if day <= on), default=on)

    def on(self, day: date | None) -> Pages:
        """Return the text of a day; None: as it is written, with no amendment and whatever day an entry has."""
        if day is None:
            return self.written
        in_force = [amendment for amendment in self.amendments if amendment.is_in_force(day)]
        texts = {**self.written.texts, **{amendment.file: amendment.text for amendment in in_force}}
        own = _days_in(self.written, *in_force)
        if any(other > day if key == "from" else other <= day for key, other in own):
            texts[DAY_PAGE] = str(max((other for _key, other in own if other <= day), default=day)).encode()
        return Pages(self.written.name, texts)

    def after(self, day: date) -> Iterator[tuple[date, Pages]]:
        """Yield each later day on which the text changes, with its text."""
        before = self.on(day).digest
        for later in self.days:
            if later > day and (pages := self.on(later)).digest != before:
                before = pages.digest
                yield later, pages


def _days_in(written: Pages, *amendments: Amendment) -> set[tuple[str, date]]:
    """Return the days of entries, each with whether one begins or ends then."""
    found = set[tuple[str, date]]()
    for text in written.texts.values():
        for day in _DAY.finditer(text):
            before = text[text.rfind(b"\n", 0, day.start()) + 1 : day.start()]
            if (key := _BEFORE.search(before)) and not before.lstrip().startswith(b"#"):
                found.add((key[1].decode(), date.fromisoformat(day[1].decode())))
    for amendment in amendments:
        found.update(_days_below(amendment.changes))
    return found


def _days_below(data: object) -> Iterator[tuple[str, date]]:
    for key, value in data.items() if isinstance(data, dict) else enumerate(data if isinstance(data, list) else ()):
        if key in ("from", "to") and type(value) is date:
            yield str(key), value
        yield from _days_below(value)


def read_texts(folder: Traversable | Path) -> DatedTexts:
    """Read the pages of a rulebook and its amendments, each once."""
    written, place = read_pages(folder), folder / AMENDMENTS
    if not place.is_dir():
        return DatedTexts(written)
    pages = sorted(read_pages(place).texts.items())
    found = [
        read_amendment(text, f"{AMENDMENTS}/{page}", f"{written.name}/{AMENDMENTS}/{page}") for page, text in pages
    ]
    for before, after in pairwise(found):
        if after.head.begins < before.head.begins:
            why = f"is in force before {before.file}; amendments are read in the order of their names: rename one"
            raise RulebookError(f"{written.name}/{after.file}: {why}")
    return DatedTexts(written, tuple(found))


def texts_of(name: str) -> DatedTexts:
    """Return a known rulebook with its amendments; it is read once in a process."""
    return _texts_in(str(folder_of(name)), name)


@lru_cache(maxsize=64)
def _texts_in(folder: str, name: str) -> DatedTexts:
    del folder  # of two libraries, the same name may mean two
    return read_texts(folder_of(name))


def text_day(name: str, on: date | None = None) -> date | None:
    """Return the day from which the text of a day is in force, by which what was read of it is kept.

    Without a day it is the text in force now; None where the text never changes.
    """
    texts = texts_of(name)
    return texts.start_of(on or day_in_force(name)) if texts.days else None


def is_of_a_day(pages: Pages) -> bool:
    """Return whether a text differs from what is written, by amendments or by its day."""
    return DAY_PAGE in pages.texts or any(map(is_amendment, pages.texts))


def day_of_text(pages: Pages) -> date | None:
    """Return the day on which the entries of a text are looked at; None if all of them are in force."""
    if (day := pages.texts.get(DAY_PAGE)) is None:
        return None
    try:
        return date.fromisoformat(day.decode())
    except ValueError as error:
        raise RulebookError(f"{pages.name}/{DAY_PAGE}: {error}") from error


def not_in_force(pages: Pages, first: date, last: date) -> str:
    """Return why a text is in force on no day from the first to the last; empty if it may be on one."""
    for amendment in amendments_in(pages):
        if amendment.head.begins > last:
            return f"{amendment.head.instrument} is in force only from {amendment.head.begins} on"
        if amendment.head.ends is not None and amendment.head.ends <= first:
            return f"{amendment.head.instrument} has lapsed on {amendment.head.ends}"
    day = day_of_text(pages)
    return f"it is in force only from {day} on" if day is not None and day > last else ""


def is_brought_by_day(before: Pages, after: Pages) -> bool:
    """Return whether two texts are of the same files, so that nothing but the day makes the second of the first."""
    both = {**before.texts, **after.texts}
    changed = [page for page, text in both.items() if before.texts.get(page) != after.texts.get(page)]
    is_whole = all(page not in before.texts or page not in after.texts for page in changed if is_amendment(page))
    return is_whole and all(page == DAY_PAGE or is_amendment(page) for page in changed)


def amendments_in(pages: Pages) -> tuple[Amendment, ...]:
    """Return the amendments among the pages of a text, in order."""
    found = sorted(filter(is_amendment, pages.texts))
    return tuple(read_amendment(pages.texts[page], page, f"{pages.name}/{page}") for page in found)
