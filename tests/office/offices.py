"""The offices and rulebooks that days are run under: those of the package, and an invented one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from passline.acts.papers.houses import rules_of_file
from passline.acts.rules import OFFICE_RULES, ActRules, office_of
from passline.rules.clauses import REGULATIONS
from passline.rules.pages.layers import PRACTICE_LAYER
from passline.rules.pages.texts import Pages, read_pages
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.rules.rulebooks import HARBOUR

INVENTED = HARBOUR.name
"""The regulation that nobody wrote: its office is TOML in the tests only."""


@cache
def known_office(name: str) -> ActRules:
    """An office by the name of its regulation."""
    if name in REGULATIONS:
        return office_of(name)
    shared = {
        page: text
        for page, text in OFFICE_RULES.installed_pages(REGULATIONS[0]).texts.items()
        if page.startswith(f"{PRACTICE_LAYER}/")
    }
    own = {f"{INVENTED}/{page}": text for page, text in read_pages(HARBOUR / "office").texts.items()}
    return OFFICE_RULES.read(Pages(name, shared | own))


def known_house(data: Mapping[str, Any]) -> Rules:
    """The rules of a house file, be it of the package or of the invented regulation."""
    return rules_of_file(data) if data.get("rules") != INVENTED else Rules.under(_invented_rulebook(), data)


@cache
def _invented_rulebook() -> Rulebook:
    return load_rulebook(HARBOUR)
