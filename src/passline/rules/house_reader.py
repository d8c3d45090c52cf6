"""Reading a house file: TOML completed from the default house and checked against the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from passline.rules.elections import Breach, House, election_of
from passline.rules.house_check import check_house
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_pages import RulebookError
from passline.rules.rulebook_reader import read_toml, rulebook_of
from passline.rules.schema import ELECTIONS, Rule, clause_text

__all__ = ["house_of", "read_house"]


def read_house(path: Path) -> tuple[House | None, tuple[Breach, ...], Rulebook]:
    """Read a house file; return the house (None if a key is unreadable), its breaches and its rulebook."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        message = f'{path}: rules: a house names its regulation, such as rules = "maryland"'
        raise RulebookError(message)
    rulebook = rulebook_of(name)
    house, breaches = house_of(rulebook, data)
    return house, breaches, rulebook


def house_of(rulebook: Rulebook, data: Mapping[str, Any]) -> tuple[House | None, tuple[Breach, ...]]:
    """Complete a house from its rulebook's defaults; return it (None if a key is unreadable) and all its breaches."""
    merged = {**_defaults(rulebook), **data}
    if "limits" not in data:
        merged["limits"] = _in_chips(merged.get("limits", {}), merged.get("smallest_chip_cents"))
    if (game := rulebook.games.get(str(merged.get("game", "craps")))) and game.seats.seats_max:
        merged.setdefault("seats", game.seats.seats_max)
    fields = {field.name: field for field in msgspec.structs.fields(House)}
    broken = [
        Breach(clause_text(_unknown_key(rulebook, key).cite), key, "is not a key of a house")
        for key in merged
        if key not in fields
    ]
    for key, field in fields.items():
        if key not in merged:
            if field.required:
                broken.append(Breach(clause_text(election_of(rulebook, key).cite), key, "needs a value"))
            continue
        try:
            msgspec.convert(merged[key], field.type)
        except msgspec.ValidationError as error:
            broken.append(Breach(clause_text(election_of(rulebook, key).cite), key, str(error)))
    unreadable = {breach.key for breach in broken}
    house = _readable(rulebook, merged, unreadable)
    if house is not None:
        broken += check_house(rulebook, house)
    return (None if unreadable else house), tuple(broken)


def _in_chips(limits: dict[str, dict[str, int]], chip: object) -> dict[str, dict[str, int]]:
    """Round the default minimums up to multiples of the elected chip."""
    if type(chip) is not int or chip < 1:
        return limits
    fit = {kind: limit for kind, limit in limits.items() if type(limit.get("min")) is int}
    return {**limits, **{kind: {**limit, "min": -(-limit["min"] // chip) * chip} for kind, limit in fit.items()}}


def _readable(rulebook: Rulebook, merged: dict[str, Any], unreadable: set[str]) -> House | None:
    """Return the house with defaults in place of unreadable values, so that the others are checked as well."""
    kept = {key: value for key, value in merged.items() if key not in unreadable}
    defaults = {key: value for key, value in _defaults(rulebook).items() if key in unreadable}
    try:
        return msgspec.convert({**defaults, **kept}, House)
    except msgspec.ValidationError:
        return None


def _defaults(rulebook: Rulebook) -> dict[str, Any]:
    chosen = {
        key: election.choices[0]
        for key, election in rulebook.elections.items()
        if election.choices and key in ELECTIONS
    }
    return {**chosen, **rulebook.default_house}


def _unknown_key(rulebook: Rulebook, key: str) -> Rule:
    """Return the rule that an unknown key breaks: the ban on other charges, or the closed list of wagers."""
    is_charge = any(word in key for word in ("vigorish", "fee", "commission"))
    return rulebook.general.vigorish_only if is_charge else rulebook.general.closed_list
