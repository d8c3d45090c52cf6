"""A house: the operator's elections, in TOML, completed from the default house and checked against the rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from passline.rules.elections import Breach, House, HouseBreaches, WagerLimit, clause_of, election_of, procedures_of
from passline.rules.house_check import check_house, payout_lines
from passline.rules.rulebook_reader import Rulebook, RulebookError, read_toml, rulebook_of
from passline.rules.schema.rulebook import ELECTIONS, Rule

__all__ = [
    "Breach",
    "House",
    "HouseBreaches",
    "WagerLimit",
    "check_house",
    "house_of",
    "payout_lines",
    "procedures_of",
    "read_house",
]


def read_house(path: Path) -> tuple[House | None, tuple[Breach, ...], Rulebook]:
    """Read a house file; the house is None when its keys cannot even be read."""
    data = read_toml(path)
    name = data.get("rules")
    if not isinstance(name, str):
        message = f'{path}: rules: a house names its regulation, such as rules = "maryland"'
        raise RulebookError(message)
    rulebook = rulebook_of(name)
    house, breaches = house_of(rulebook, data)
    return house, breaches, rulebook


def house_of(rulebook: Rulebook, data: Mapping[str, Any]) -> tuple[House | None, tuple[Breach, ...]]:
    """Complete a house from its rulebook's defaults and check it: the house, and every breach at once."""
    merged = {**_defaults(rulebook), **data}
    if "limits" not in data:
        merged["limits"] = _in_chips(merged.get("limits", {}), merged.get("smallest_chip_cents"))
    if (game := rulebook.games.get(str(merged.get("game", "craps")))) and game.seats.seats_max:
        merged.setdefault("seats", game.seats.seats_max)
    fields = {field.name: field for field in msgspec.structs.fields(House)}
    broken = [
        Breach(clause_of(_unknown_key(rulebook, key).cite), key, "no house has such a key")
        for key in merged
        if key not in fields
    ]
    for key, field in fields.items():
        if key not in merged:
            if field.required:
                broken.append(Breach(clause_of(election_of(rulebook, key).cite), key, "needs a value"))
            continue
        try:
            msgspec.convert(merged[key], field.type)
        except msgspec.ValidationError as error:
            broken.append(Breach(clause_of(election_of(rulebook, key).cite), key, str(error)))
    unreadable = {breach.key for breach in broken}
    house = _readable(rulebook, merged, unreadable)
    if house is not None:
        broken += check_house(rulebook, house)
    return (None if unreadable else house), tuple(broken)


def _in_chips(limits: dict[str, dict[str, int]], chip: object) -> dict[str, dict[str, int]]:
    """Raise default minimums that the elected chip cannot make to the next amount that it can."""
    if type(chip) is not int or chip < 1:
        return limits
    fit = {kind: limit for kind, limit in limits.items() if type(limit.get("min")) is int}
    return {**limits, **{kind: {**limit, "min": -(-limit["min"] // chip) * chip} for kind, limit in fit.items()}}


def _readable(rulebook: Rulebook, merged: dict[str, Any], unreadable: set[str]) -> House | None:
    """Give the house with its default in the place of what cannot be read, so that the rest is checked all the same."""
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
    """Give the rule behind a key no house has: a charge on any wager but buy and lay, or something off the list."""
    is_charge = any(word in key for word in ("vigorish", "fee", "commission"))
    return rulebook.general.vigorish_only if is_charge else rulebook.general.closed_list
