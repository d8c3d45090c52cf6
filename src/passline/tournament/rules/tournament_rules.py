"""The rules of tournaments: a regulation's pages read together with what every tournament needs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from passline.rules.clauses import REGULATIONS
from passline.rules.pages.layers import PRACTICE_LAYER, LayeredPages
from passline.rules.pages.structure import KeyFault, nearest_words
from passline.rules.pages.texts import RulebookError, installed_folder
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rule, cites_of
from passline.tournament.rules.schema import TournamentPages

__all__ = [
    "TOURNAMENT_RULES",
    "NoTournaments",
    "TournamentRules",
    "tournament_of",
    "tournament_problems",
]

_FOLDER = "tournament"


class NoTournaments(RulebookError):
    """A regulation's text has no tournaments."""


class TournamentRules(Struct, frozen=True):
    """What one regulation says of tournaments.

    >>> rules = tournament_of("colorado")
    >>> rules.clause(rules.pages.pool.pays_all), rules.clause(rules.pages.log.kept)
    ('CO-2315.05-payall', 'practice')
    """

    name: str  # the regulation
    digest: str
    pages: TournamentPages

    def clause(self, *rules: Rule | None) -> str:
        """Return the clauses of entries; where the text has none of them, it is practice."""
        found = dict.fromkeys(clause for rule in rules if rule is not None for clause in cites_of(rule.cite))
        return ", ".join(found) or PRACTICE_LAYER


def tournament_problems(pages: TournamentPages) -> Iterator[KeyFault]:
    """Yield every part that a list of a sheet names and that there is not."""
    for key, listed in pages.sheet.lists.items():
        for part in listed.parts:
            if part not in pages.sheet.parts:
                hint = nearest_words(part, pages.sheet.parts)
                yield KeyFault(f"sheet.lists.{key}", f"the sheet has no part {part!r}{hint}")


def _no_tournaments(name: str) -> NoTournaments:
    title = rulebook_of(name).general.title  # or an error that there is no such regulation
    having = [other for other in REGULATIONS if (installed_folder(other) / _FOLDER).is_dir()]
    return NoTournaments(
        f"{name}: its text ({title}) has no tournaments; those with tournaments are {', '.join(having)}"
    )


TOURNAMENT_RULES = LayeredPages(
    _FOLDER, TournamentPages, TournamentRules, checks=tournament_problems, absent=_no_tournaments
)
"""Reads the pages of tournaments, and knows by their digest those that came with plans."""


@cache
def tournament_of(name: str) -> TournamentRules:
    """Return what one of the regulations in the package says of tournaments.

    Raise NoTournaments, with the name of the regulation, where its text has none.
    """
    return TOURNAMENT_RULES.read(TOURNAMENT_RULES.installed_pages(name))
