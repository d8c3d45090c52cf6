"""The offices that are searched: those of today's pages, and those of version 0.2.0, in which known holes are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from passline.acts.rules import OFFICE_RULES, ActRules, office_of
from passline.rules.pages.texts import unpacked_pages
from tests.office.day_file import DAYS
from tests.office.search.explore import Bounds, Search
from tests.office.search.findings import Finding
from tests.office.search.seeds import seeds_of
from tests.office.search.world import World

_FIXTURE = Path(__file__).parent / "pages_0_2"
OPENING_DAYS = {
    "arizona": "arizona_opening",
    "colorado": "colorado_rules",
    "maryland": "maryland_rules",
    "section2": "section2_tables",
}
"""By regulation, the day on which a table opens."""


def kept_rules(regulation: str) -> ActRules:
    """Return the rules of an office by the pages of version 0.2.0."""
    packed = (_FIXTURE / f"{regulation}.pages").read_text(encoding="ascii")
    return OFFICE_RULES.read(unpacked_pages(regulation, "".join(packed.split())))


def day_of_0_2(regulation: str) -> str:
    """Return the lawful day on which a table opens under the pages of version 0.2.0."""
    return (_FIXTURE / f"{regulation}.txt").read_text(encoding="utf-8")


def seeds_with_known_holes(regulation: str) -> list[World]:
    """Return where a search of the pages of version 0.2.0 begins: mending today's pages changes nothing there."""
    return seeds_of(kept_rules(regulation), day_of_0_2(regulation))


def seeds_today(regulation: str) -> list[World]:
    """Return where a search of today's pages begins."""
    day = DAYS / f"{OPENING_DAYS[regulation]}.txt"
    return seeds_of(office_of(regulation), day.read_text(encoding="utf-8"))


def findings_of(seeds: list[World], bounds: Bounds) -> dict[str, Finding]:
    """Return what a search finds, by key."""
    return {found.key: found for found in Search(seeds, bounds).run()}


@cache
def findings_with_known_holes(regulation: str) -> dict[str, Finding]:
    """Return what a search of version 0.2.0 finds, by key."""
    return findings_of(seeds_with_known_holes(regulation), Bounds())


def findings_today(regulation: str) -> dict[str, Finding]:
    """Return what a search of today's pages finds; while they are those of version 0.2.0 it is the same search."""
    kept, now = kept_rules(regulation), office_of(regulation)
    if kept.digest == now.digest:
        return findings_with_known_holes(regulation)
    return findings_of(seeds_today(regulation), Bounds())
