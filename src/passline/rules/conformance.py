"""Conformance: for each clause of the matrix its kind, where the rulebook cites it, and which tests check it.

An installed package has no tests, so `./x test --write-held` collects the tests' clause marks into
`rulebooks/clauses/held.json`. `tests/test_conformance.py` fails when the file and the marks differ.

A test that claims a clause proves it only if it fails once the clause is broken. `./x bench marks` breaks what is
behind a clause on purpose and counts in `rulebooks/clauses/breaks.csv` how many of the breaks its own tests noticed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import get_args, get_type_hints

import msgspec
from msgspec import Struct

from passline.errors import CrapsError
from passline.rules.checks.clauses import file_and_key
from passline.rules.clauses import Clause, clauses_of
from passline.rules.pages.citations import cited_entries
from passline.rules.pages.structure import convert_data
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Cite, Procedures, cites_of

# What fulfils a clause (code, a choice of the house, a record, equipment), and the parts of Passline that own clauses.
KINDS: tuple[str, ...] = get_args(get_type_hints(Clause)["kind"])
PARTS: tuple[str, ...] = get_args(get_type_hints(Clause)["part"])


class ConformanceError(CrapsError):
    """The regulation or part asked for does not exist."""


class Breaks(Struct, frozen=True):
    """How many breaks of a clause, or of several, were tried, and how many of them its own tests noticed."""

    tried: int = 0
    noticed: int = 0

    def __str__(self) -> str:
        return f"{self.noticed} of {self.tried}" if self.tried else "none tried"


class Conformance(Struct, frozen=True):
    """One clause, the rulebook entries that cite it, and the tests that fail when it is broken.

    >>> [found] = [row for row in conformance_of("maryland") if row.clause.id == "MD-5.A.5"]
    >>> found.clause.kind, found.where[0]
    ('engine', 'wagers.toml: place_win.pays[0]')
    """

    clause: Clause
    where: tuple[str, ...]
    tests: tuple[str, ...]
    breaks: Breaks = Breaks()

    @property
    def is_covered(self) -> bool:
        """Whether a test checks the clause."""
        return bool(self.tests)


class Tally(Struct, frozen=True):
    """How many clauses of one kind there are, how many a test checks, the ids of the others, and the breaks tried."""

    total: int
    covered: int
    missing: tuple[str, ...]
    breaks: Breaks = Breaks()


@cache
def held_by_tests() -> dict[str, tuple[str, ...]]:
    """Return the tests that check each clause, by clause id; clauses without a test are left out."""
    path = files("passline") / "rulebooks" / "clauses" / "held.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, tuple[str, ...]])


@cache
def breaks_noticed() -> dict[str, Breaks]:
    """Return how many breaks of each clause were tried and noticed, by clause id; without clauses never tried."""
    path = files("passline") / "rulebooks" / "clauses" / "breaks.csv"
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    return {row["clause"]: Breaks(int(row["tried"]), int(row["noticed"])) for row in rows}


def sum_breaks(found: Iterable[Breaks]) -> Breaks:
    """Return the breaks of several clauses together.

    >>> str(sum_breaks([Breaks(6, 6), Breaks(4, 3)]))
    '9 of 10'
    """
    breaks = list(found)
    return Breaks(sum(found.tried for found in breaks), sum(found.noticed for found in breaks))


def conformance_of(regulation: str, *, part: str = "") -> tuple[Conformance, ...]:
    """Return every clause of a regulation in the order of its text, or only those that `part` owns.

    >>> {row.clause.part for row in conformance_of("arizona", part="tournament")}
    {'tournament'}
    >>> conformance_of("nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookError: there is no rulebook 'nevada'; choose colorado, ...
    """
    if part and part not in PARTS:
        raise ConformanceError(f"there is no part {part!r}; choose {', '.join(PARTS)}")
    where, held, breaks = _places(regulation), held_by_tests(), breaks_noticed()
    return tuple(
        Conformance(
            clause,
            where=tuple(where.get(clause.id, ())),
            tests=held.get(clause.id, ()),
            breaks=breaks.get(clause.id, Breaks()),
        )
        for clause in clauses_of(regulation).values()
        if not part or clause.part == part
    )


def tallies_of(regulation: str, *, part: str = "") -> dict[str, Tally]:
    """Count a regulation's clauses by kind.

    >>> list(tallies_of("maryland"))
    ['engine', 'election', 'record', 'physical']
    """
    return {kind: _tally(conformance_of(regulation, part=part), kind) for kind in KINDS}


def _tally(clauses: tuple[Conformance, ...], kind: str) -> Tally:
    of_kind = [row for row in clauses if row.clause.kind == kind]
    missing = tuple(row.clause.id for row in of_kind if not row.is_covered)
    return Tally(
        total=len(of_kind),
        covered=len(of_kind) - len(missing),
        missing=missing,
        breaks=sum_breaks(row.breaks for row in of_kind),
    )


def _places(regulation: str) -> dict[str, list[str]]:
    """Map each clause to the rulebook entries that cite it, in the rulebook's order."""
    rulebook = rulebook_of(regulation)
    places: dict[str, list[str]] = {}
    entries = [(file_and_key(rulebook, path), cite) for path, cite in cited_entries(rulebook)]
    if procedures := rulebook.default_house.get("procedures"):  # where the regulation has none
        supplied = convert_data(procedures, Procedures, f"{regulation}/house.toml")
        entries += [(f"house.toml: procedures.{path}", cite) for path, cite in cited_entries(supplied)]
    for path, cite in entries:
        for place, clause in _places_of(path, cite):
            places.setdefault(clause, []).append(place)
    return places


def _places_of(path: str, cite: Cite) -> Iterator[tuple[str, str]]:
    """Yield (place, clause) for each clause of an entry; the place includes the number where clauses differ by it."""
    if isinstance(cite, dict):
        for number in cite:
            yield from ((f"{path} {number}", clause) for clause in cites_of(cite, number))
    else:
        yield from ((path, clause) for clause in cites_of(cite))
