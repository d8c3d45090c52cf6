"""House files in the office: their rules, and which of them a table is opened under."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import convert, json
from msgspec.structs import replace

from passline.acts.state import ActState, KnownThing, thing_key
from passline.errors import CrapsError
from passline.money import DOLLAR
from passline.rules.elections import House, has_digest
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules

HOUSE = "house"
"""The kind of thing that a house file is, and the fact that names the one a table is dealt by."""
FILE = "file"
"""The fact of a house with all that stands in its file."""
HouseRules = Callable[[Mapping[str, Any]], Rules]
"""Reads a house file: its rules; raises CrapsError if it is unlawful or its regulation is unknown."""


def rules_of_file(data: Mapping[str, Any]) -> Rules:
    """Return the rules of a house file under the installed rulebook that it names."""
    return _rules_of(json.encode(data, order="deterministic"))


@lru_cache(maxsize=64)
def _rules_of(text: bytes) -> Rules:
    data = json.decode(text)
    return Rules.under(rulebook_of(str(data.get("rules", ""))), data)


def complete_file(rules: Rules) -> dict[str, Any]:
    """Return all that stands in a house file, the defaults of its regulation too, as the log keeps it."""
    data: dict[str, Any] = json.decode(json.encode(rules.house))  # as it is read again, with texts as keys
    return {key: value for key, value in data.items() if value is not None}


def rules_of_thing(state: ActState, known: KnownThing | None, house_rules: HouseRules) -> Rules | None:
    """Return the rules of a house, or those that a table or another thing is dealt by."""
    if known is not None and known.kind != HOUSE:
        known = state.thing(HOUSE, str(known.facts.get(HOUSE, "")))
    data = known.facts.get(FILE) if known else None
    if not data:
        return None
    try:
        return house_rules(data)
    except CrapsError:
        return None


def game_of_table(state: ActState, table: str) -> str:
    """Return the game that a table is dealt by, as the house says that it has now; empty if it has none."""
    known = state.thing("table", table)
    house = state.thing(HOUSE, str(known.facts.get(HOUSE, ""))) if known else None
    return str((house.facts.get(FILE) or {}).get("game", "")) if house else ""


def elected_presets(state: ActState) -> tuple[str, ...]:
    """Return the presets and books that the houses in force elect, in order.

    >>> file = {"rules": "maryland", "office": {"preset": "nigc"}}
    >>> houses = {f"house/{one}": KnownThing(HOUSE, one, one, {FILE: file}, "") for one in ("draft", "in_force")}
    >>> elected_presets(ActState(things=houses)), elected_presets(ActState())
    (('nigc',), ())
    """
    files = (house.facts.get(FILE) or {} for house in state.of_kind(HOUSE, ("in_force",)))
    offices = [file["office"] for file in files if file.get("office")]
    named = {name for office in offices for name in (office.get("preset", ""), *office.get("books", ()))}
    return tuple(sorted(named - {""}))


def presets_lost(state: ActState, houses: Iterable[KnownThing], to: str) -> set[str]:
    """Return the presets that no house in force would elect any more if these houses came into another state."""
    moved = {thing_key(HOUSE, house.id): replace(house, state=to) for house in houses}
    after = replace(state, things={**state.things, **moved})
    return {*elected_presets(state)} - {*elected_presets(after)}


def opened_under(state: ActState, digest: str) -> str:
    """Return the id of the house with a digest, preferably one in force; without any, part of the digest itself."""
    known = [house for house in state.of_kind(HOUSE) if house.facts.get(FILE)]
    found = [house for house in known if has_digest(convert(house.facts[FILE], House), digest)]
    found.sort(key=lambda house: house.state != "in_force")
    return found[0].id if found else digest[:12]


def regulation_title(name: str) -> str:
    """Return the title of a regulation, as papers bear it; its name where no rulebook of it is installed.

    >>> regulation_title("harbour")
    'Harbour'
    """
    try:
        return rulebook_of(name).general.title
    except CrapsError:
        return " ".join(word.capitalize() for word in name.split("_"))


def currency_of(name: str) -> str:
    """Return the sign before amounts under a regulation; a dollar's where no rulebook of it is installed.

    >>> currency_of("maryland")
    '$'
    """
    try:
        return rulebook_of(name).general.currency
    except CrapsError:
        return DOLLAR
