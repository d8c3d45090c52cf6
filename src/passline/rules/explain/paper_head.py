"""Lists of clauses as papers print them: in order, with runs shortened."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from passline.documents.sheet import SheetTable, SignatureLine, Styled
from passline.money import dollar_amount, in_currency
from passline.rules.elections import house_digest
from passline.rules.explain.election_form import ElectedLine
from passline.rules.explain.wagers import words
from passline.rules.rules import Rules

_COUNTED = re.compile(r"(.+[.-])(\d+|[A-Za-z])")  # a stem, and a last part that can be counted
_LETTERS = 1000  # ranks of letters begin above every number
_FEW = 2


def shortened_clauses(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return clauses in order, with runs of numbers or letters drawn together.

    >>> shortened_clauses(("MD-3.A.23", "MD-3.A.22", "MD-3.A.24", "MD-5.A", "MD-5.G.1.a", "MD-5.G.1.b"))
    ('MD-3.A.22 to 24', 'MD-5.A', 'MD-5.G.1.a, b')
    """
    runs: list[list[str]] = []
    for clause in sorted(set(clauses), key=_natural):
        stem, rank = _split_rank(clause)
        before = _split_rank(runs[-1][-1]) if runs else ("", 0)
        if stem and before == (stem, rank - 1):
            runs[-1].append(clause)
        else:
            runs.append([clause])
    return tuple(map(_shorten_run, runs))


def _split_rank(clause: str) -> tuple[str, int]:
    """Split a clause into its stem and the rank of its last letter or number; ("", 0) if it ends in neither."""
    counted = _COUNTED.fullmatch(clause)
    if counted is None:
        return "", 0
    return counted[1], int(counted[2]) if counted[2].isdigit() else _LETTERS + ord(counted[2])


def _natural(clause: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", clause)]


def _shorten_run(run: list[str]) -> str:
    if len(run) == 1:
        return run[0]
    last = run[-1].removeprefix(_split_rank(run[-1])[0])
    return f"{run[0]} to {last}" if len(run) > _FEW else f"{run[0]}, {last}"


SIGNED_BY = ("Prepared by", "Approved for the house", "Received for the regulator")
"""Who signs a paper of a house."""
_BLANK = "____________________"


class PaperHead(Struct, frozen=True, kw_only=True):
    """The head of a paper. Digests are SHA-256 in hexadecimal."""

    house: str
    game: str
    regulation: str
    limits: str
    version: str  # of the program
    digest: str  # of the complete house, by which an office files and approves it
    file_digest: str = ""  # of the bytes of the house file; empty: the default house of the regulation
    in_force: str = ""  # the day; empty: written in by hand
    amended_by: tuple[str, ...] = ()


def _game_name(rules: Rules) -> str:
    """Return the game as a title.

    >>> _game_name(Rules.of("maryland", game="mini_craps"))
    'Mini-craps'
    """
    text = words(rules.house.game)
    return (f"mini-{text.removeprefix('mini ')}" if text.startswith("mini ") else text).capitalize()


def head_of(rules: Rules, *, version: str, file_digest: str = "", in_force: str = "") -> PaperHead:
    """Return the head of a paper of a house."""
    least, most = (
        dollar_amount(cents, is_grouped=True) for cents in (rules.house.wager_cents_min, rules.house.wager_cents_max)
    )
    return PaperHead(
        house=rules.house.name,
        game=_game_name(rules),
        regulation=rules.rulebook.general.title,
        limits=in_currency(f"{least} to {most}", rules.rulebook.general.currency),
        version=version,
        digest=house_digest(rules.house),
        file_digest=file_digest,
        in_force=in_force,
        amended_by=tuple(map(str, rules.rulebook.amendments)),
    )


def head_lines(head: PaperHead) -> Iterator[tuple[str, str]]:
    """Yield each line of a head as (label, text)."""
    yield "House", head.house
    yield "Game", head.game
    yield "Regulation", head.regulation
    yield from (("Amended by", amendment) for amendment in head.amended_by)
    yield "Table limits", head.limits
    yield "In force from", head.in_force or _BLANK
    yield "Made by", f"passline {head.version}, from the rules it deals by"
    yield "House file, SHA-256", head.file_digest or "none: the default house of the regulation"
    yield "Elections, SHA-256", head.digest


def house_signatures() -> tuple[SignatureLine, ...]:
    """Return the lines for signatures under a paper."""
    return tuple(SignatureLine(who) for who in SIGNED_BY)


def cited_words(clauses: Iterable[str]) -> tuple[Styled, ...]:
    """Return clauses as papers show them."""
    return (Styled(", ".join(shortened_clauses(clauses)), "clauses"),)


def elections_table(lines: Iterable[ElectedLine]) -> SheetTable:
    """Return the elections of a house as a table."""
    return SheetTable(
        title="Elections in force",
        heads=("election", "this house", "permitted", "clauses"),
        rows=tuple(
            (line.label, (Styled(line.elected, "strong"),), line.permitted, cited_words(line.clauses)) for line in lines
        ),
        about=("What the regulation leaves to a house, and what this house has chosen.",),
        widths=(56, 45, 45, 36),
    )
