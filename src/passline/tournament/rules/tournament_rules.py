"""The rules of tournaments: a regulation's pages read together with what every tournament needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.rulebook_pages import Pages, RulebookError, RulebookFaults, installed_folder, read_pages
from passline.rules.rulebook_reader import parsed_page, rulebook_of
from passline.rules.schema import Rule, cites_of
from passline.rules.structure import converted, nearest_words
from passline.tournament.rules.schema import TournamentPages

__all__ = [
    "NoTournaments",
    "TournamentRules",
    "install_tournament",
    "kept_tournament",
    "tournament_cites",
    "tournament_from",
    "tournament_of",
    "tournament_pages",
    "tournament_problems",
]

_PRACTICE = "practice"  # the folder, and the citation of what no clause asks for
_FOLDER = "tournament"
_SECTIONS = tuple(TournamentPages.__struct_fields__)


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
        return ", ".join(found) or _PRACTICE


def tournament_pages(name: str) -> Pages:
    """Return the installed pages of tournaments: what every one needs, and those of a regulation.

    Raise NoTournaments, with the name of the regulation, where its text has none.
    """
    texts: dict[str, bytes] = {}
    for folder in (_PRACTICE, name):
        found = installed_folder(folder) / _FOLDER
        if not found.is_dir():
            raise NoTournaments(_without(name))
        texts |= {f"{folder}/{page}": text for page, text in read_pages(found).texts.items()}
    return Pages(name, texts)


def _without(name: str) -> str:
    title = rulebook_of(name).general.title  # or an error that there is no such regulation
    having = [one for one in REGULATIONS if (installed_folder(one) / _FOLDER).is_dir()]
    return f"{name}: its text ({title}) has no tournaments; those with tournaments are {', '.join(having)}"


@cache
def tournament_of(name: str) -> TournamentRules:
    """Return what one of the regulations in the package says of tournaments."""
    return tournament_from(tournament_pages(name))


def tournament_from(pages: Pages) -> TournamentRules:
    """Read pages of tournaments; what a regulation says takes the place of what every tournament has."""
    merged: dict[str, Any] = {}
    for page in sorted(pages.texts, key=lambda one: (not one.startswith(f"{_PRACTICE}/"), one)):
        data = parsed_page(pages.texts[page], page)
        for section in data:
            if section not in _SECTIONS:
                hint = nearest_words(section, _SECTIONS)
                raise RulebookError(f"{page}: {section}: is not a section of tournaments{hint}")
        _merge(merged, data)
    rules = TournamentRules(pages.name, pages.digest, converted(merged, TournamentPages, f"{pages.name}/tournament"))
    if problems := list(tournament_problems(rules)):
        raise RulebookFaults(f"{pages.name}/tournament: {problem}" for problem in problems)
    return rules


def install_tournament(rules: TournamentRules) -> None:
    """Make pages known by their digest, as ones that a log keeps with a plan."""
    _KEPT[rules.digest] = rules


_KEPT: dict[str, TournamentRules] = {}


def kept_tournament(digest: str) -> TournamentRules | None:
    """Return the pages that a log keeps under a digest, if this process has read them."""
    return _KEPT.get(digest)


def _merge(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, Mapping):
            below = into.setdefault(key, {})
            _merge(below, value)
        else:
            into[key] = value


def tournament_problems(rules: TournamentRules) -> Iterator[str]:
    """Yield every clause and every part of a sheet that pages name and that there is not."""
    known = clauses_of(rules.name)
    for path, clauses in tournament_cites(rules.pages):
        for clause in clauses:
            if known and clause != _PRACTICE and clause not in known:
                yield f"{'.'.join(path)}: cites {clause!r}, which is no clause{nearest_words(clause, known)}"
    sheet = rules.pages.sheet
    for key, one in sheet.lists.items():
        for part in one.parts:
            if part not in sheet.parts:
                hint = nearest_words(part, sheet.parts)
                yield f"sheet.lists.{key}: {part!r} is no part of a sheet{hint}"


def tournament_cites(pages: TournamentPages) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield (path, clauses) for every entry of the pages."""
    for section in _SECTIONS:
        yield from _cited((section,), getattr(pages, section))


def _cited(path: tuple[str, ...], entry: Any) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:  # noqa: ANN401
    if isinstance(entry, dict):
        for key, value in entry.items():
            yield from _cited((*path, key), value)
    elif isinstance(entry, Rule):
        yield path, cites_of(entry.cite)
    elif isinstance(entry, Struct):
        for field in entry.__struct_fields__:
            yield from _cited((*path, field), getattr(entry, field))
