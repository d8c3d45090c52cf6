"""The clause matrix: each clause of a regulation in a row of `clauses/NAME.csv`, beside the folder of its rulebook."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable
from io import StringIO
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from passline.bounded_text import text_of_file
from passline.errors import CrapsError
from passline.rules.pages.amendments import AMENDMENTS
from passline.rules.pages.library import known_rulebooks
from passline.rules.pages.texts import RulebookError, RulebookFaults


class Clause(Struct, frozen=True):
    """One row of the matrix: a single obligation, permission, definition, payout or limit.

    >>> clauses_of("maryland")["MD-5.A.5"].values
    {'bet': 'place_win', 'pays': '9:5', 'number': '4', 'way': 'win'}
    """

    id: str
    cite: str
    area: str
    summary: str
    actor: str
    kind: Literal["engine", "election", "record", "physical"]
    values: dict[str, str]
    depends: tuple[str, ...]
    trap: str
    part: Literal["game", "sidebets", "tables", "office", "tournament"]


_COLUMNS = Clause.__struct_fields__
_MUST = ("id", "cite", "summary")  # columns that are never empty


def clauses_of(regulation: str) -> dict[str, Clause]:
    """Return a regulation's clauses by id, in the order of its text; empty for a regulation without a matrix.

    Clauses that an amendment brings stand in a file beside it, such as amendments/2027-01.csv, and come last. Raise
    RulebookFaults, with the file and line of every fault, if its matrix is unsound.
    """
    written = written_clauses(regulation)
    return {**written, **_read_added(str(known_rulebooks().folder(regulation)), regulation)} if written else {}


def written_clauses(regulation: str) -> dict[str, Clause]:
    """Return a regulation's clauses without those that amendments bring."""
    path = known_rulebooks().matrix(regulation)
    return {} if path is None else _read_matrix(str(path), regulation)


def sound_clauses(regulation: str) -> dict[str, Clause]:
    """Return a regulation's clauses by id; none if its matrix is unsound, for what is about all regulations."""
    try:
        return clauses_of(regulation)
    except RulebookError:
        return {}


@cache
def _read_matrix(place: str, regulation: str) -> dict[str, Clause]:
    """Read a clause matrix, once in a process; raise RulebookFaults with every fault of it."""
    path = known_rulebooks().matrix(regulation)
    assert path is not None, place
    return _read_rows(path, f"clauses/{regulation}.csv", {})


@cache
def _read_added(folder: str, regulation: str) -> dict[str, Clause]:
    """Read the clauses that amendments bring, once in a process."""
    place, found = known_rulebooks().folder(regulation) / AMENDMENTS, dict[str, Clause]()
    del folder  # of two libraries, the same name may mean two
    files = [page for page in place.iterdir() if page.name.endswith(".csv")] if place.is_dir() else []
    for path in sorted(files, key=lambda path: path.name):
        found |= _read_rows(path, f"{regulation}/{AMENDMENTS}/{path.name}", {**written_clauses(regulation), **found})
    return found


def _read_rows(path: Traversable | Path, label: str, before: dict[str, Clause]) -> dict[str, Clause]:
    """Read the rows of a file; raise RulebookFaults with every fault of it."""
    try:
        text = text_of_file(path.read_bytes(), label)
    except (CrapsError, OSError) as error:
        raise RulebookFaults([str(error)]) from error
    reader = csv.DictReader(StringIO(text, newline=""), strict=True)
    found: dict[str, Clause] = {}
    faults: list[str] = []
    try:
        if strange := [column for column in reader.fieldnames or () if column not in _COLUMNS]:
            faults.append(f"{label}: there is no column {', '.join(strange)}; the columns are: {', '.join(_COLUMNS)}")
        if missing := [column for column in _COLUMNS if column not in (reader.fieldnames or ())]:
            faults.append(f"{label}: {', '.join(missing)}: is missing from the first line")
        for row in reader if not faults else ():
            clause, wrong = _clause(row, before | found)
            faults += (f"{label}:{reader.line_num}: {fault}" for fault in wrong)
            if clause is not None:
                found[clause.id] = clause
    except csv.Error as error:
        faults.append(f"{label}:{reader.reader.line_num}: {error}")
    faults += (
        f"{label}: {clause.id}: depends: {other}: is not a clause of this {'regulation' if before else 'file'}"
        for clause in (() if faults else found.values())
        for other in clause.depends
        if other not in found and other not in before
    )
    if faults:
        raise RulebookFaults(faults)
    return found


def _clause(row: dict[str, str], before: dict[str, Clause]) -> tuple[Clause | None, list[str]]:
    """Return the clause of a row, or None and what is wrong with it."""
    wrong = list(_row_faults(row, before))
    if wrong:
        return None, wrong
    values = dict(pair.split("=", 1) for pair in row["values"].split(";") if "=" in pair)
    depends = tuple(clause for clause in row["depends"].split(";") if clause)
    try:
        return msgspec.convert({**row, "values": values, "depends": depends}, Clause), []
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        return None, [f"{where.strip('`').removeprefix('$.')}: {what}"]


def _row_faults(row: dict[str, str], before: dict[str, Clause]) -> Iterator[str]:
    if None in row or None in row.values():
        yield f"has not as many columns as the first line, which has {len(_COLUMNS)}"
        return
    yield from (f"{column}: is empty" for column in _MUST if not row[column].strip())
    if row["id"] in before:
        yield f"id: {row['id']} is the id of another row already"
    if set(row["id"]) & set(" ,;|="):
        yield f"id: {row['id']!r} has a space or one of , ; | ="
    pairs = [pair for pair in row["values"].split(";") if pair.strip()]
    yield from (f"values: {pair!r} is not a word and its value, such as bet=pass" for pair in pairs if "=" not in pair)
    names = [pair.partition("=")[0] for pair in pairs]
    yield from (f"values: {name} is said twice" for name in dict.fromkeys(names) if names.count(name) > 1)
