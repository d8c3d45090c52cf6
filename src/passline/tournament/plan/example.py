"""Plans to start from, one for each regulation that has tournaments."""

from __future__ import annotations

import msgspec

from passline.rules.pages.texts import RulebookError, installed_folder, parse_page
from passline.tournament.plan.schema import Plan
from passline.tournament.rules.tournament_rules import tournament_of

__all__ = ["example_plan", "example_text"]


def example_text(name: str) -> str:
    """Return a plan under a regulation as a file that people edit; raise NoTournaments if its text has none.

    >>> example_text("arizona").splitlines()[2]
    'id = "desert-shootout"'
    """
    tournament_of(name)
    page = installed_folder(name) / "tournament" / "example" / "plan.toml"
    if not page.is_file():
        raise RulebookError(f"{name}/tournament: has no example")
    return page.read_text(encoding="utf-8")


def example_plan(name: str) -> Plan:
    """Return the example of a regulation."""
    return msgspec.convert(parse_page(example_text(name).encode(), f"{name}/tournament/example"), Plan)
