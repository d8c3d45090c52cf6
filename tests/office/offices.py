"""The offices and rulebooks that days are run under: those of the package, and an invented one."""

from __future__ import annotations

import tomllib
from functools import cache

from passline.office.rules.office_rules import PRACTICE_PAGES, OfficeRules, office_from, office_of, office_pages
from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_pages import Pages, read_pages
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from tests.rules.rulebooks import HARBOUR

__all__ = ["INVENTED", "known_house", "known_office"]

INVENTED = HARBOUR.name
"""The regulation that nobody wrote: its office is TOML in the tests only."""


@cache
def known_office(name: str) -> OfficeRules:
    """An office by the name of its regulation."""
    if name in REGULATIONS:
        return office_of(name)
    shared = {page: text for page, text in office_pages(name).texts.items() if page.startswith(f"{PRACTICE_PAGES}/")}
    own = {f"{name}/{page}": text for page, text in read_pages(HARBOUR / "office").texts.items()}
    return office_from(Pages(name, shared | own))


@cache
def known_house(name: str, toml: str) -> Rules:
    """The rules of a house: what it has in place of the default house's values, as an inline table."""
    rulebook = rulebook_of(name) if name in REGULATIONS else load_rulebook(HARBOUR)
    return Rules.under(rulebook, tomllib.loads(f"x = {toml}")["x"])
