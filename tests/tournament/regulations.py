"""The regulations that cases are tried under: those of the package, and an invented one that is TOML in the tests."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from passline.rules.clauses import REGULATIONS
from passline.rules.pages.texts import Pages, read_pages
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.schema import Rulebook
from passline.tournament.plan.reader import example_text
from passline.tournament.rules import TOURNAMENT_RULES, TournamentRules, tournament_of
from tests.rules.rulebooks import HARBOUR

HAVING_TOURNAMENTS = ("colorado", "arizona", HARBOUR.name)
"""Those whose text has tournaments."""
_FOLDER = HARBOUR / "tournament"


@cache
def known_tournament(name: str) -> TournamentRules:
    """What a regulation says of tournaments."""
    if name in REGULATIONS:
        return tournament_of(name)
    pages = TOURNAMENT_RULES.installed_pages("colorado").texts
    shared = {page: text for page, text in pages.items() if page.startswith("practice/")}
    own = {f"{name}/{page}": text for page, text in read_pages(_FOLDER).texts.items()}
    return TOURNAMENT_RULES.read(Pages(name, shared | own))


@cache
def known_rulebook(name: str) -> Rulebook:
    """The rulebook of a regulation."""
    return rulebook_of(name) if name in REGULATIONS else load_rulebook(HARBOUR)


def known_example(name: str) -> dict[str, Any]:
    """The data of the example of a regulation."""
    if name in REGULATIONS:
        return tomllib.loads(example_text(name))
    return tomllib.loads((_FOLDER / "example" / "plan.toml").read_text(encoding="utf-8"))
