"""A month of another system as files: its people, slips, inventories, drops, boxes and ratings, each with its line.

`month.toml` says whose month it is; every other file is CSV with the columns that `COLUMNS` names. All faults are
reported together, each by file, line and column.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from passline.acts.calendar.facility import Facility
from passline.acts.rules import sound_offices
from passline.authority.roles import EMPLOYED_ROLES, ROLES
from passline.bounded_text import read_named_file, text_of_file
from passline.errors import CrapsError
from passline.rules.pages.structure import convert_data
from passline.rules.pages.texts import parse_page

_FAULTS_MAX = 50  # that are told at once
_BYTES_MAX = 20_000_000  # of a file: a month of forty tables has a fiftieth of it
_UNITS = re.compile(r"(\d{1,9})[:x](\d{1,7})")
_AMOUNT = re.compile(r"\d{1,12}")


class MonthHead(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose month it is: `month.toml`."""

    regulation: str
    facility: Facility
    presets: tuple[str, ...] = ()
    values: dict[str, Any] = {}  # figures that the office would have been told, by their keys
    win_cents: int | None = None  # what the other system says was won in all


class MonthLine(Struct, frozen=True):
    """A line of a file: its number, and what stands in each column."""

    file: str
    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def units(self, column: str) -> dict[str, int]:
        """Return chips or notes by denomination in cents."""
        return {denomination: int(count) for denomination, count in _UNITS.findall(self[column])}

    def people(self, column: str) -> list[str]:
        """Return the people that a column lists."""
        return self[column].split()


class Month(Struct, frozen=True):
    """A month of another system."""

    head: MonthHead
    people: tuple[MonthLine, ...]
    lines: Mapping[str, tuple[MonthLine, ...]]  # by file, less the people
    columns: Mapping[str, frozenset[str]]  # those that each file has

    @property
    def tables(self) -> list[str]:
        """Every table that a file names."""
        return sorted({line["table"] for lines in self.lines.values() for line in lines if line["table"]})


class Column(Struct, frozen=True):
    """What stands in a column, whether it must be there, and what it means."""

    kind: str
    means: str
    is_needed: bool = True


_WHO = "the person, as people.csv has it; empty where nobody is named"
COLUMNS: dict[str, dict[str, Column]] = {
    "people.csv": {
        "person": Column("name", "how the other files call somebody"),
        "name": Column("text", "the name"),
        "roles": Column("roles", "one or more roles, such as dealer or boxperson floorperson"),
    },
    "slips.csv": {
        "slip": Column("text", "its number in the other system"),
        "kind": Column("fill or credit", "which of the two"),
        "table": Column("name", "the table"),
        "chips": Column("units", "by denomination in cents, such as 500:100 2500:40"),
        "requested_at": Column("time", "local time, such as 2026-03-02 14:05"),
        "requested_by": Column("person", _WHO, is_needed=False),
        "prepared_by": Column("person", _WHO, is_needed=False),
        "carried_by": Column("person", _WHO, is_needed=False),
        "accepted_at": Column("time", "when it ended; empty where it never did", is_needed=False),
        "accepted_by": Column("person", _WHO, is_needed=False),
        "supervisor": Column("person", "who signed as supervisor, where a preset asks for one", is_needed=False),
        "void_by": Column("person", "who voided it, where it is void", is_needed=False),
        "void_witness": Column("person", "who signed the void too", is_needed=False),
    },
    "inventories.csv": {
        "kind": Column("opener, shift or closer", "which count it is"),
        "at": Column("time", "local time"),
        "table": Column("name", "the table"),
        "shift": Column("text", "the shift that it opens for, or that ends"),
        "chips": Column("units", "what the first person counted"),
        "counted_by": Column("person", _WHO, is_needed=False),
        "second_by": Column("person", _WHO, is_needed=False),
        "second_chips": Column("units", "what the second person counted; empty: the same", is_needed=False),
    },
    "drops.csv": {
        "at": Column("time", "local time"),
        "table": Column("name", "the table"),
        "shift": Column("text", "the shift that ends"),
        "box_off": Column("name", "the box taken off"),
        "box_on": Column("name", "the box put on; empty: none", is_needed=False),
        "dropped_by": Column("person", _WHO, is_needed=False),
        "viewer": Column("person", "who watched", is_needed=False),
    },
    "boxes.csv": {
        "at": Column("time", "local time"),
        "box": Column("name", "the box"),
        "cash": Column("units", "notes by denomination in cents"),
        "team": Column("people", "who counted together, the first one first"),
        "second_by": Column("person", "who of them counted again", is_needed=False),
        "second_cash": Column("units", "what they counted; empty: the same", is_needed=False),
        "cage_by": Column("person", "who counted it in the cage", is_needed=False),
        "slips": Column("texts", "the numbers of the slips found in it", is_needed=False),
    },
    "ratings.csv": {
        "at": Column("time", "when it began, local time"),
        "table": Column("name", "the table"),
        "player": Column("text", "who was rated"),
        "minutes": Column("whole number", "for how long"),
        "average_cents": Column("whole number", "the average wager"),
        "buy_in_cents": Column("whole number", "cash that was changed there", is_needed=False),
    },
}
"""What each file has, column by column. people.csv and inventories.csv must be there; the others may be missing."""
_NEEDED = ("people.csv", "inventories.csv")


def read_month(folder: Path) -> Month:
    """Read a folder; raise CrapsError with every fault, each by file, line and column."""
    page = "month.toml"
    text = read_named_file(folder / page)
    head: MonthHead = convert_data(parse_page(text, page), MonthHead, page)
    if head.regulation not in sound_offices():
        raise CrapsError(f"{page}: regulation: there is no {head.regulation!r}; choose {', '.join(sound_offices())}")
    faults = list[str]()
    lines = {file: _lines_of(folder, file, faults) for file in COLUMNS}
    people = {line["person"] for line in lines["people.csv"]}
    shifts = [shift.name for shift in head.facility.shifts]
    for file, found in lines.items():
        for line in found:
            faults += _faults_of(file, line, people, shifts)
    if faults:
        more = [f"... and {len(faults) - _FAULTS_MAX} more"] if len(faults) > _FAULTS_MAX else []
        raise CrapsError("\n".join([*faults[:_FAULTS_MAX], *more]))
    columns = {file: frozenset(found[0].cells) if found else frozenset[str]() for file, found in lines.items()}
    return Month(head, lines.pop("people.csv"), lines, columns)


def _lines_of(folder: Path, file: str, faults: list[str]) -> tuple[MonthLine, ...]:
    """Return the lines of a file; what is wrong with it as a whole is added to the faults."""
    path = folder / file
    if not path.exists():
        faults += [f"{file}: is missing"] if file in _NEEDED else []
        return ()
    rows = csv.DictReader(io.StringIO(text_of_file(read_named_file(path, _BYTES_MAX), file)), strict=True)
    known, heads = COLUMNS[file], list(rows.fieldnames or ())
    faults += (
        f"{file}:1: column {head!r} is unknown; known are {', '.join(known)}" for head in heads if head not in known
    )
    faults += (f"{file}:1: column {name!r} is missing" for name in known if known[name].is_needed and name not in heads)
    found = list[MonthLine]()
    try:
        for row in rows:
            if None in row:
                faults.append(f"{file}:{rows.line_num}: has more values than the first line has columns")
            cells = {str(key): (value or "").strip() for key, value in row.items() if key is not None}
            found.append(MonthLine(file, rows.line_num, cells))
    except csv.Error as error:
        faults.append(f"{file}:{rows.line_num}: {error}")
    return tuple(found)


def _faults_of(file: str, line: MonthLine, people: set[str], shifts: list[str]) -> Iterator[str]:
    """Yield what is wrong with a line, by its columns."""
    for name, column in COLUMNS[file].items():
        text, where = line[name], f"{file}:{line.number}: {name}"
        if not text:
            if column.is_needed and column.kind != "units":
                yield f"{where}: is missing"
        elif (wrong := _KINDS.get(column.kind, _nothing)(text)) is not None:
            yield f"{where}: {text[:40]!r} {wrong}"
        elif column.kind in {"person", "people"}:
            for person in text.split():
                if person not in people:
                    yield f"{where}: {person[:40]!r} is not in people.csv"
        elif name == "shift" and text not in shifts:
            yield f"{where}: month.toml has no shift {text[:40]!r}, only: {', '.join(shifts)}"


def _nothing(_text: str) -> str | None:
    return None


def _wrong_units(text: str) -> str | None:
    parts = text.split()
    is_sound = all(_UNITS.fullmatch(part) for part in parts) and len({part.split(":")[0] for part in parts}) == len(
        parts
    )
    return None if is_sound else "is not chips by denomination in cents, such as 500:100 2500:40"


def _wrong_time(text: str) -> str | None:
    try:
        datetime.strptime(text, "%Y-%m-%d %H:%M")  # noqa: DTZ007 - local time of the house
    except ValueError:
        return "is not a local time such as 2026-03-02 14:05"
    return None


def _wrong_roles(text: str) -> str | None:
    unknown = [role for role in text.split() if role not in EMPLOYED_ROLES]
    known = ", ".join(role for role in ROLES if role in EMPLOYED_ROLES)
    return f"names no role {unknown[0]!r}; roles are {known}" if unknown else None


def _wrong_choice(*choices: str) -> Callable[[str], str | None]:
    return lambda text: None if text in choices else f"is not {' or '.join(choices)}"


_NAME_RULE = "must begin with a letter or digit, and have at most 40 letters, digits, dots, hyphens and _"
_KINDS: dict[str, Callable[[str], str | None]] = {
    "units": _wrong_units,
    "time": _wrong_time,
    "roles": _wrong_roles,
    "whole number": lambda text: None if _AMOUNT.fullmatch(text) else "is not a whole number",
    "fill or credit": _wrong_choice("fill", "credit"),
    "opener, shift or closer": _wrong_choice("opener", "shift", "closer"),
    "name": lambda text: None if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", text) else _NAME_RULE,
}


def moment_of(facility: Facility, text: str) -> str:
    """Return a local time of a file as a moment of the log."""
    day, _, time = text.partition(" ")
    return facility.moment(date.fromisoformat(day), time)
