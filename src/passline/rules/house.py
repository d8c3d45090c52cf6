"""A house: the operator's elections, in TOML, checked against the bounds of its rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from passline.dice import OUTCOMES
from passline.money import MoneyError, Pays
from passline.rules.rulebook import (
    Rulebook,
    RulebookError,
    read_procedures,
    read_toml,
    rulebook_of,
    wagers_of,
    wrong_procedures,
)
from passline.rules.schema import (
    ELECTIONS,
    Cite,
    Composite,
    Election,
    OddsWager,
    OneRoll,
    PaysEntry,
    PaysRule,
    Procedures,
    Rule,
    Run,
    SideWager,
    cites_of,
)

__all__ = ["Breach", "House", "HouseBreaches", "WagerLimit", "check_house", "house_of", "procedures_of", "read_house"]

_SEATS = 20  # a house that says nothing has so many places
_SEATS_MAX = 40  # where the regulation sets no limit; a table has no room for more
_DICE_MAX = 20  # a set is dealt by hand


class WagerLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most one wager may be, where it differs from the table's."""

    min: int
    max: int


class House(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every choice an operator has made. A key the file leaves out is the default house's."""

    rules: str
    name: str = "House"
    game: str = "craps"
    seats: int = _SEATS
    seat_left_of_stickperson: int = 1
    smallest_chip_cents: int
    wager_cents_min: int
    wager_cents_max: int
    limits: dict[str, WagerLimit] = {}
    odds: dict[str, int]
    odds_cents_max: int = 0
    odds_excess: bool
    payouts: dict[str, str] = {}
    payouts_uniform: bool
    payouts_posted: bool
    payouts_approved: bool
    unpayable: str
    hardways_on_come_out: str
    come_odds_on_come_out: str
    buy: str
    lay: str
    six_seven_eight: str
    horn_high_area: bool
    whirl_area: bool
    buy_vigorish_basis_points: int
    buy_vigorish_basis: str
    buy_vigorish_when: str
    buy_vigorish_won_on: tuple[int, ...] = ()
    lay_vigorish_basis_points: int
    lay_vigorish_basis: str
    lay_vigorish_when: str
    settlement: str
    no_roll_callers: tuple[str, ...] = ()
    stickperson: bool
    dice_set: int
    tokens: bool
    off_calls: bool
    variations: tuple[str, ...] = ()
    limit_notice_minutes: int
    side_wagers: dict[str, str] = {}  # the pay table of each side wager that is offered
    readings: dict[str, str] = {}  # of a side wager whose text is garbled
    side_wagers_locked: tuple[str, ...] = ()
    front_line_before_first_roll: bool
    front_line_tips: bool
    front_line_tips_whole_dollars: bool
    front_line_tip_cents_max: int
    tip_wagers: bool
    tip_position: str
    procedures: dict[str, Any] | None = None


class Breach(Struct, frozen=True):
    """One thing a house may not elect: the clause, the key, and what is wrong with its value."""

    clause: str
    key: str
    problem: str

    def __str__(self) -> str:
        return f"{self.key}: {self.problem} [{self.clause}]"


class HouseBreaches(RulebookError):
    """A house that may not be offered, with every breach."""

    def __init__(self, label: str, breaches: tuple[Breach, ...]) -> None:
        self.breaches = breaches
        super().__init__(f"{label}: " + "; ".join(str(breach) for breach in breaches))


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
        Breach(_clause(_unknown_key(rulebook, key).cite), key, "no house has such a key")
        for key in merged
        if key not in fields
    ]
    for key, field in fields.items():
        if key not in merged:
            if field.required:
                broken.append(Breach(_clause(_election(rulebook, key).cite), key, "needs a value"))
            continue
        try:
            msgspec.convert(merged[key], field.type)
        except msgspec.ValidationError as error:
            broken.append(Breach(_clause(_election(rulebook, key).cite), key, str(error)))
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


def procedures_of(rulebook: Rulebook, house: House) -> Procedures:
    """Give the procedures in force: the regulation's, or the house's where the regulation has none."""
    game = rulebook.games[house.game]
    if game.procedures is not None:
        return game.procedures
    return read_procedures(house.procedures or {}, f"{house.name}: procedures")


def _clause(cite: Cite) -> str:
    return ", ".join(cites_of(cite))


def _unknown_key(rulebook: Rulebook, key: str) -> Rule:
    """Give the rule behind a key no house has: a charge on any wager but buy and lay, or something off the list."""
    is_charge = any(word in key for word in ("vigorish", "fee", "commission"))
    return rulebook.general.vigorish_only if is_charge else rulebook.general.closed_list


def _election(rulebook: Rulebook, key: str) -> Election:
    """Give the election behind a key; keys that are the house's own business fall back on the closed list."""
    return rulebook.elections.get(key) or Election(cite=rulebook.general.closed_list.cite)


def check_house(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    """Give every breach of the rulebook's bounds."""
    if house.rules != rulebook.name:
        clause = _clause(rulebook.general.closed_list.cite)
        yield Breach(clause, "rules", f"{house.rules!r} is not {rulebook.name!r}, whose rules these are")
    if house.game not in rulebook.games:
        clause = _clause(rulebook.general.closed_list.cite)
        yield Breach(clause, "game", f"{house.game!r} is not dealt; choose {', '.join(rulebook.games)}")
        return
    for key, election in rulebook.elections.items():
        if key in ELECTIONS:
            yield from _check_election(key, election, getattr(house, key), house)
    yield from _check_side_wagers(rulebook, house)
    yield from _check_money(rulebook, house)
    yield from _check_odds(rulebook, house)
    yield from _check_payouts(rulebook, house)
    yield from _check_table(rulebook, house)


def _check_side_wagers(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    closed = _clause(rulebook.general.closed_list.cite)
    for key, table in house.side_wagers.items():
        election = rulebook.elections.get(key)
        if election is None or key in ELECTIONS:
            yield Breach(closed, f"side_wagers.{key}", "is no side wager of this regulation")
        else:
            yield from _check_election(f"side_wagers.{key}", election, table, house)
            yield from _check_without(rulebook, house, key)
    for kind, reading in house.readings.items():
        entry = rulebook.wagers.get(kind)
        if not isinstance(entry, Run) or reading not in entry.readings:
            yield Breach(closed, f"readings.{kind}", f"{reading!r} is no reading of a wager of this regulation")


def _check_without(rulebook: Rulebook, house: House, key: str) -> Iterator[Breach]:
    """Give the breach in offering a side wager that the game does not have."""
    without = rulebook.games[house.game].without
    rules = [rule for kind, rule in without.items() if rulebook.wagers[kind].offered == key]
    if rules and house.side_wagers[key] != "none":
        yield Breach(_clause(rules[0].cite), f"side_wagers.{key}", f"is no wager of {house.game}")


def _check_election(key: str, election: Election, value: Any, house: House) -> Iterator[Breach]:  # noqa: ANN401
    kind, is_charge, _what = key.partition("_vigorish_")
    elected = str(getattr(house, f"{kind}_vigorish_when") if is_charge else value)
    clause = _clause(election.cite.get(elected, election.cite) if isinstance(election.cite, dict) else election.cite)
    if election.choices and value not in election.choices:
        yield Breach(clause, key, f"{value!r} is not one of {', '.join(repr(choice) for choice in election.choices)}")
    if election.min is not None and value < election.min:
        yield Breach(clause, key, f"{value} is under the least, {election.min}")
    if election.max is not None and value > election.max:
        yield Breach(clause, key, f"{value} is over the most, {election.max}")
    subset_of = election.subset_of or ()
    if isinstance(value, tuple) and (strange := [one for one in value if str(one) not in subset_of]):
        allowed = ", ".join(subset_of) or "none"
        yield Breach(clause, key, f"{', '.join(map(str, strange))} may not be elected; allowed: {allowed}")
    if election.same_as and value != getattr(house, election.same_as):
        yield Breach(clause, key, f"{value!r} differs from {election.same_as}, which must be the same")


def _check_money(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    least, most = _election(rulebook, "wager_cents_min"), _election(rulebook, "wager_cents_max")
    if house.wager_cents_min > house.wager_cents_max:
        yield Breach(_clause(least.cite), "wager_cents_min", f"{house.wager_cents_min} is over wager_cents_max")
    if house.wager_cents_min % max(house.smallest_chip_cents, 1):
        yield Breach(_clause(least.cite), "wager_cents_min", "is not a whole number of the smallest chip")
    for kind, limit in house.limits.items():
        key = f"limits.{kind}"
        if kind != "centre" and kind not in rulebook.wagers:
            yield Breach(_clause(rulebook.general.closed_list.cite), key, "is no wager of this regulation")
        if limit.min < 1:
            yield Breach(_clause(least.cite), key, f"a minimum of {limit.min} cents is none")
        if limit.min % max(house.smallest_chip_cents, 1):
            yield Breach(_clause(least.cite), key, f"{limit.min} cents is not a whole number of the smallest chip")
        if limit.min > limit.max:
            yield Breach(_clause(least.cite), key, f"the minimum {limit.min} is over the maximum {limit.max}")
        if most.max is not None and limit.max > most.max:
            yield Breach(_clause(most.cite), key, f"{limit.max} is over the most, {most.max}")
        if rulebook.general.limits.odds_outside_max and isinstance(odds := rulebook.wagers.get(kind), OddsWager):
            problem = "has no effect: odds are outside the table's limits; elect odds or odds_cents_max instead"
            yield Breach(_clause(odds.limit.cite), key, problem)


def _check_odds(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    wagers = [(kind, entry) for kind, entry in rulebook.wagers.items() if isinstance(entry, OddsWager)]
    points = {str(point) for _kind, entry in wagers for point in entry.numbers}
    for kind, entry in wagers:
        limit, clause = entry.limit, _clause(entry.limit.cite)
        if set(house.odds) != points:
            yield Breach(clause, "odds", f"needs a multiple for each of {', '.join(sorted(points, key=int))}")
            return
        for point, multiple in house.odds.items():
            if multiple < max(limit.multiple_min, 1):
                yield Breach(clause, f"odds.{point}", f"{kind} may not be limited under {max(limit.multiple_min, 1)}x")
            if limit.multiple_max and multiple > limit.multiple_max:
                yield Breach(clause, f"odds.{point}", f"{kind} may not be over {limit.multiple_max}x")
        if house.odds_cents_max < 0:
            yield Breach(clause, "odds_cents_max", f"{kind} may not be refused outright")
        yield from _check_least_odds(rulebook, house, kind, entry)
        if limit.cents_max and house.odds_cents_max > limit.cents_max:
            yield Breach(clause, "odds_cents_max", f"{kind} may not be over {limit.cents_max} cents")


def _check_least_odds(rulebook: Rulebook, house: House, kind: str, entry: OddsWager) -> Iterator[Breach]:
    """Give each ceiling that leaves a player less than the odds to which an original wager gives a right."""
    clause, table = _clause(entry.limit.cite), WagerLimit(0, house.wager_cents_max)
    flat_max = (house.limits.get(entry.behind) or table).max
    least = _least_odds(entry, flat_max)
    problem = f"{kind} must be allowed at {entry.limit.multiple_min}x of every original wager, so up to {least} cents"
    if 0 < house.odds_cents_max < least:
        yield Breach(clause, "odds_cents_max", problem)
    unpayable = [number for number, unit in _units(house, kind, entry).items() if 0 < house.odds_cents_max < unit]
    if unpayable:
        on = ", ".join(unpayable)
        yield Breach(_clause(entry.make.cite), "odds_cents_max", f"leaves no amount of {kind} that can be paid on {on}")
    if not rulebook.general.limits.odds_outside_max:
        if kind in house.limits and house.limits[kind].max < least:
            yield Breach(clause, f"limits.{kind}", problem)
        if kind not in house.limits and table.max < flat_max:  # their own winnings may carry don't odds over it
            problem = f"{kind} must be allowed behind a {entry.behind} of {flat_max} cents"
            yield Breach(clause, "wager_cents_max", problem)


def _units(house: House, kind: str, entry: OddsWager) -> dict[str, int]:
    """Give the least amount of odds that can be paid on each number."""
    chip = max(house.smallest_chip_cents, 1)
    units = {}
    for line in entry.pays:
        for number in map(str, line.numbers or entry.numbers):
            text = house.payouts.get(f"{kind} {number}", house.payouts.get(kind, line.pays))
            units[number] = chip if house.unpayable == "round_up" else _unit(text, line.pays, chip)
    return units


def _unit(text: str, otherwise: str, chip: int) -> int:
    try:
        return Pays.parse(text).unit(chip)
    except MoneyError:  # a breach of its own
        return Pays.parse(otherwise).unit(chip)


def _least_odds(entry: OddsWager, flat_max: int) -> int:
    """Give what odds behind the largest original wager must be allowed to reach, on the point that asks the most."""
    if entry.limit.on == "stake":
        return entry.limit.multiple_min * flat_max
    return max(int(entry.limit.multiple_min * flat_max / Pays.parse(line.pays).ratio) for line in entry.pays)


def _check_payouts(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    needs: dict[str, str] = {}
    for key, text in house.payouts.items():
        rule = _pays_rule(rulebook, key)
        lines = payout_lines(rulebook, key, house.game)
        if not lines:
            yield Breach(
                _clause(rulebook.general.closed_list.cite), f"payouts.{key}", "is no payout of this regulation"
            )
            continue
        try:
            pays = Pays.parse(text)
        except MoneyError as error:
            yield Breach(_clause(rule.cite), f"payouts.{key}", str(error))
            continue
        for line in lines:
            if text not in {line.pays, line.or_pays}:
                needs |= dict.fromkeys(rule.needs, _clause(rule.cite))
                yield from _check_payout(rulebook, key, pays, line)
    for need, clause in needs.items():
        if not getattr(house, need):
            yield Breach(clause, need, "must be true to pay other odds than those listed")


def _pays_rule(rulebook: Rulebook, key: str) -> PaysRule:
    general = rulebook.general
    return general.fixed_payouts if key.partition(" ")[0] in general.fixed_payouts.wagers else general.listed_payouts


def _check_payout(rulebook: Rulebook, key: str, pays: Pays, line: PaysEntry) -> Iterator[Breach]:
    """Give the breach in paying otherwise than one line of a pay table says."""
    rule = _pays_rule(rulebook, key)
    clause = ", ".join(filter(None, (_clause(line.cite), line.or_cite, _clause(rule.cite))))
    flats = {odds.behind: odds.flat for odds in rulebook.wagers.values() if isinstance(odds, OddsWager)}
    flat = flats.get(key.partition(" ")[0])
    if flat:
        yield Breach(_clause(flat.cite), f"payouts.{key}", f"with odds behind it pays {flat.pays}, not {pays}")
    elif rule.listed == "only":
        allowed = " or ".join(filter(None, (line.pays, line.or_pays)))
        yield Breach(clause, f"payouts.{key}", f"pays {allowed} and nothing else, not {pays}")
    elif rule.listed == "least" and pays.ratio < Pays.parse(line.pays).ratio:
        yield Breach(clause, f"payouts.{key}", f"{pays} is less than {line.pays}")


def payout_lines(rulebook: Rulebook, key: str, game: str = "craps") -> tuple[PaysEntry, ...]:
    """Give the lines of the pay tables that a house's key speaks of: a wager, or a wager and a number, total or pair.

    >>> [line.pays for line in payout_lines(rulebook_of("maryland"), "field 12")]
    ['2 to 1']
    """
    kind, _, number = key.partition(" ")
    entry = wagers_of(rulebook, rulebook.games[game]).get(kind)
    if entry is None or isinstance(entry, (Composite, SideWager)):
        return ()
    if not number:
        return entry.pays
    totals = {str(roll.total): roll for roll in OUTCOMES}
    return tuple(
        line
        for line in entry.pays
        if number in map(str, line.numbers)
        or number in line.dice
        or (number in totals and int(number) in line.totals and isinstance(entry, OneRoll))
    )


def _check_crew(rulebook: Rulebook, house: House, procedures: Procedures) -> Iterator[Breach]:
    """Give the steps that nobody at this table may take."""
    throw, shooter, no_roll = procedures.throw, procedures.shooter, procedures.no_roll
    steps: dict[str, tuple[str, ...]] = {
        "offer the dice": procedures.dice.offered_by,
        "call the roll": throw.called_by.by,
        "settle the wagers": throw.settled_first.by,
        "pass the dice": throw.passed_by.by,
        "order the dice passed": shooter.order_to_pass.by,
        "call no roll": house.no_roll_callers or no_roll.by,
        **{f"call no roll for {name}": reason.by for name, reason in no_roll.reasons.items() if reason.by},
        "decide a dispute": procedures.dispute.by,
    }
    orphans = [step for step, by in steps.items() if not by]
    if orphans:
        clause = _clause(rulebook.general.closed_list.cite)
        yield Breach(clause, "procedures", f"nobody is named to {', '.join(orphans)}")
    alone = [step for step, by in steps.items() if set(by) == {"stickperson"}]
    if alone and not house.stickperson:
        clause = _clause(_election(rulebook, "stickperson").cite)
        yield Breach(clause, "stickperson", f"{house.game} needs a stickperson, who alone may {', '.join(alone)}")


def _check_table(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    game = rulebook.games[house.game]
    if game.procedures is not None and house.procedures is not None:
        clause = _clause(game.procedures.dice.set_cite)
        yield Breach(clause, "procedures", "the regulation has its own; a house may not replace them")
        return
    if game.procedures is None and house.procedures is None:
        clause = _clause(rulebook.general.closed_list.cite)
        yield Breach(clause, "procedures", "the regulation has none, so the house must supply them")
        return
    try:
        procedures = procedures_of(rulebook, house)
    except RulebookError as error:
        yield Breach(_clause(rulebook.general.closed_list.cite), "procedures", str(error))
        return
    for problem in wrong_procedures(rulebook, procedures):
        yield Breach(_clause(rulebook.general.closed_list.cite), "procedures", problem)
    if (_election(rulebook, "dice_set").min or 0) <= house.dice_set < procedures.dice.set_min:
        clause = _clause(procedures.dice.set_cite)
        yield Breach(clause, "dice_set", f"{house.dice_set} is under the least of a set, {procedures.dice.set_min}")
    callers = procedures.no_roll.designated or procedures.no_roll.by
    electable = _election(rulebook, "no_roll_callers").subset_of or ()
    if strange := [role for role in house.no_roll_callers if role in electable and role not in callers]:
        problem = f"{', '.join(strange)} may not call no roll at {house.game}"
        yield Breach(_clause(procedures.no_roll.cite), "no_roll_callers", problem)
    if house.dice_set > _DICE_MAX:
        clause = _clause(procedures.dice.set_cite)
        yield Breach(clause, "dice_set", f"{house.dice_set} is over what a table can deal, {_DICE_MAX}")
    yield from _check_crew(rulebook, house, procedures)
    most = game.seats.seats_max or _SEATS_MAX
    if not 1 <= house.seats <= most:
        limit = "" if game.seats.seats_max else ", though the regulation sets no limit"
        yield Breach(_clause(game.seats.cite), "seats", f"{house.seats} places; {house.game} has 1 to {most}{limit}")
    if not 1 <= house.seat_left_of_stickperson <= house.seats:
        clause = _clause(procedures.dice.first_cite)
        yield Breach(clause, "seat_left_of_stickperson", f"there is no seat {house.seat_left_of_stickperson}")
