"""Reading a house: its data completed from the default house and checked against the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from passline.money import round_up_to
from passline.rules.elections import Breach, House, election_of
from passline.rules.house_check import check_house
from passline.rules.pages.structure import KeyFault, faults_of, nearest_words
from passline.rules.schema import ELECTIONS, Procedures, Rule, Rulebook, clause_text, default_of, own_elections

_STRANGE_MAX = 50  # keys that no house has, each told with those that are like it
_FIELDS = {field.name: field for field in msgspec.structs.fields(House)}


def house_shape_faults(data: Mapping[str, Any]) -> Iterator[KeyFault]:
    """Yield every fault in the structure of a house's data, whatever its regulation.

    >>> [str(fault) for fault in house_shape_faults({"seat": 4, "tokens": "yes"})]
    ['seat: is not a key of a house; did you mean seats?', "tokens: 'yes' must be true or false"]
    """
    for key, value in data.items():
        yield from _key_faults(key, value)
        if key == "procedures" and value is not None:
            yield from (fault.below(key) for fault in faults_of(value, Procedures))


def _key_faults(key: str, value: object) -> tuple[KeyFault, ...]:
    """Return the faults of one key of a house; its procedures are checked only for a game without its own."""
    if key not in _FIELDS:
        return (KeyFault(key, f"is not a key of a house{nearest_words(key, _FIELDS)}"),)
    return tuple(fault.below(key) for fault in faults_of(value, _FIELDS[key].type))


def default_house_breaches(rulebook: Rulebook) -> Iterator[Breach]:
    """Yield each breach of a rulebook's own default house, at any of its games."""
    games: dict[str, dict[str, str]] = {str(rulebook.default_house.get("game", "craps")): {}} | {
        game: {"game": game} for game in rulebook.games
    }
    seen = (breach for elected in games.values() for breach in house_of(rulebook, elected)[1])
    yield from dict.fromkeys(seen)


def house_of(rulebook: Rulebook, data: Mapping[str, Any]) -> tuple[House | None, tuple[Breach, ...]]:
    """Complete a house from its rulebook's defaults; return it (None if a key is unreadable) and all its breaches."""
    merged = {**_defaults(rulebook), **data}
    if own := own_elections(rulebook):
        defaults = {key: default_of(election) for key, election in own.items()}
        merged["elections"] = _with_own(defaults, rulebook.default_house.get("elections"), data.get("elections"))
    if "limits" not in data:
        merged["limits"] = _fitted_limits(rulebook.default_house, merged)
    if (game := rulebook.games.get(str(merged.get("game", "craps")))) and game.seats.seats_max:
        merged.setdefault("seats", game.seats.seats_max)
    broken: list[Breach] = []
    unreadable: set[str] = set()
    strange = [key for key in merged if key not in _FIELDS]
    for key in (*strange[:_STRANGE_MAX], *_FIELDS):
        if key in merged:
            faults = _key_faults(key, merged[key])
        else:
            faults = (KeyFault(key, "needs a value"),) if _FIELDS[key].required else ()
        for fault in faults:
            unreadable.add(key)
            rule = _rule_of(rulebook, key, fault.key)
            broken.append(Breach(clause_text(rule.cite), fault.key, fault.problem))
    if left := strange[_STRANGE_MAX:]:
        unreadable.update(left)
        clause = clause_text(_rule_of(rulebook, left[0], left[0]).cite)
        broken.append(Breach(clause, left[0], f"is not a key of a house, nor are {len(left) - 1} more after it"))
    house = _readable(rulebook, merged, unreadable)
    if house is not None:
        broken += check_house(rulebook, house)
    return (None if unreadable else house), tuple(broken)


def _with_own(defaults: dict[str, Any], *given: object) -> object:
    """Return the own elections of a rulebook, as each of some houses elects them; what is no table stays as it is."""
    for some in given:
        if isinstance(some, Mapping):
            defaults = {**defaults, **some}
        elif some is not None:
            return some
    return defaults


def _fitted_limits(default: Mapping[str, Any], merged: Mapping[str, Any]) -> dict[str, Any]:
    """Return the default limits adapted to the chips, charges and maximum that a house elected.

    Minimums are multiples of its chip, and where vigorish on the default minimum is a chip, it is a chip here too. If
    the house's maximum is below that, the wager has the table's limits.
    """
    limits: dict[str, Any] = merged.get("limits", {})
    chip, usual_chip = (_positive(house, "smallest_chip_cents") for house in (merged, default))
    fitted = dict(limits)
    for kind, limit in limits.items():
        least = Fraction(_positive(limit, "min"))
        if not (chip and usual_chip and least):
            continue
        key = f"{kind}_vigorish_basis_points"
        if (rate := _positive(merged, key)) and (usual_rate := _positive(default, key)):
            least *= Fraction(usual_rate * chip, rate * usual_chip)
        fitted[kind] = {**limit, "min": round_up_to(least, chip)}
        if "max" not in limit and fitted[kind]["min"] > _positive(merged, "wager_cents_max"):
            del fitted[kind]
    return fitted


def _positive(data: Mapping[str, Any], key: str) -> int:
    """Return a value if it is a positive whole number, else 0: the check of the house then reports it."""
    value = data.get(key)
    return value if type(value) is int and value > 0 else 0


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
    absent = {key: elective.absent for key, elective in ELECTIONS.items() if key not in rulebook.elections}
    return {**absent, **chosen, **rulebook.default_house}


def _rule_of(rulebook: Rulebook, key: str, path: str) -> Rule:
    """Return the rule of a key, or of the side wager it names; an unknown key breaks the list of charges or wagers."""
    if key in _FIELDS:
        return election_of(rulebook, path.partition(".")[2] if key in {"side_wagers", "elections"} else key)
    is_charge = any(word in key for word in ("vigorish", "fee", "commission"))
    return rulebook.general.vigorish_only if is_charge else rulebook.general.closed_list
