"""What every paper of a house has: whose it is and made from what, its elections, and lines for signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from passline.documents.sheet import SheetTable, SignatureLine, Styled
from passline.money import dollar_amount
from passline.rules.elections import house_digest
from passline.rules.explain.clause_lists import shortened_clauses
from passline.rules.explain.election_form import ElectedLine
from passline.rules.explain.wagers import words
from passline.rules.rules import Rules

__all__ = [
    "SIGNED_BY",
    "PaperHead",
    "cited_words",
    "elections_table",
    "game_name",
    "head_lines",
    "head_of",
    "house_signatures",
]

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


def game_name(rules: Rules) -> str:
    """Return the game as a title.

    >>> game_name(Rules.of("maryland", game="mini_craps"))
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
        game=game_name(rules),
        regulation=rules.rulebook.general.title,
        limits=f"{least} to {most}",
        version=version,
        digest=house_digest(rules.house),
        file_digest=file_digest,
        in_force=in_force,
    )


def head_lines(head: PaperHead) -> Iterator[tuple[str, str]]:
    """Yield each line of a head as (label, text)."""
    yield "House", head.house
    yield "Game", head.game
    yield "Regulation", head.regulation
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
