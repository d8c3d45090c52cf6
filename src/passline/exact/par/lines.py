"""The lines of a par sheet before they are solved: all that a house offers, or that a regulation permits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from passline.dice import OUTCOMES, number_text
from passline.money import dollars, round_up_to
from passline.rules.elected import multiples_by_point
from passline.rules.elections import HouseBreaches
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import (
    Composite,
    OddsWager,
    OneRoll,
    Rulebook,
    SideWager,
    WagerEntry,
    clause_text,
    own_elections,
)

UNBOUNDED = 10**9
"""A posted maximum, in cents, that is above every stake of a sheet."""
_ODDS: tuple[int | tuple[int, ...], ...] = (1, 2, (3, 4, 5), 3, 5, 10, 20, 50, 100)  # multiples that get a line
_PERCENT = 100  # basis points in a percent
_OFF = "off on the come-out roll"


class Offered(Struct, frozen=True, kw_only=True):
    """One line of a sheet before it is solved: a wager under rules, with its option and the odds taken behind it."""

    rules: Rules
    kind: str
    number: int = 0
    option: str | None = None
    odds: str = ""
    lowered_from: int = 0  # the minimum of the default house, where the odds only fit below it


def offered_by_house(rules: Rules) -> Iterator[Offered]:
    """Yield every line of one house.

    >>> [line.option for line in offered_by_house(Rules.of("maryland")) if line.kind == "pass"]
    [None, 'odds 3-4-5x']
    """
    for rule in rules.wagers.values():
        if rule.is_offered and not rule.behind:
            yield from _lines_of(rules, rule)


def permitted_lines(name: str, game: str) -> Iterator[Offered]:
    """Yield every line that a regulation permits in a game: the default house's, then those of other elections.

    Limits that the default house sets for wagers of their own, outside the centre, are its own choice: a line starts at
    the table's minimum, or at the smallest chip where the odds only fit below that.

    >>> [line.option for line in permitted_lines("maryland", "craps") if line.kind == "any_seven"]
    [None, '26 to 5']
    """
    rulebook = rulebook_of(name)
    most = rulebook.elections["wager_cents_max"].max or UNBOUNDED
    centre = {kind: limit for kind, limit in rulebook.default_house.get("limits", {}).items() if kind == "centre"}
    base = {"game": game, "wager_cents_max": most, "limits": centre}
    seen: set[tuple[str, int, str | None]] = set()
    for elected, kinds in _variants(rulebook, game):
        try:
            rules = Rules.under(rulebook, {**base, **elected})
        except HouseBreaches:
            if not elected:
                raise
            continue  # this regulation does not permit the election
        for line in offered_by_house(rules):
            key = (line.kind, line.number, line.option)
            if (kinds is None or line.kind in kinds) and key not in seen:
                seen.add(key)
                yield line if smallest_exact_stake(line) else _lower_minimum(line)


def _lower_minimum(line: Offered) -> Offered:
    """Return a line for a house whose minimum is its smallest chip; one that does not fit there either is left out."""
    house = line.rules.house
    try:
        rules = Rules.under(line.rules.rulebook, {**to_builtins(house), "wager_cents_min": house.smallest_chip_cents})
    except HouseBreaches:
        return line  # this regulation does not permit so low a minimum
    lower = replace(line, rules=rules)
    return replace(lower, lowered_from=house.wager_cents_min) if smallest_exact_stake(lower) else lower


_Variants = Iterator[tuple[dict[str, Any], frozenset[str] | None]]


def _variants(rulebook: Rulebook, game: str) -> _Variants:
    """Yield changes to the default house's elections, each with the wagers whose lines it changes (None: all)."""
    wagers = {**rulebook.wagers, **rulebook.games[game].wagers}
    yield {}, None
    behind = frozenset(entry.behind for entry in wagers.values() if isinstance(entry, OddsWager))
    for policy in _ODDS:
        come_odds = rulebook.elections.get("come_odds_on_come_out")
        for works in come_odds.choices if come_odds else ():
            yield {"odds": _odds(rulebook, policy), "come_odds_on_come_out": works}, behind
        if not come_odds:
            yield {"odds": _odds(rulebook, policy)}, behind
    yield from _vigorish_variants(rulebook)
    for key, election in own_elections(rulebook).items():
        yield from (({"elections": {key: choice}}, None) for choice in election.choices)
    for kind, entry in wagers.items():
        for elected in _side_tables(kind, entry) if isinstance(entry, SideWager) else _other_payouts(kind, wagers):
            yield elected, frozenset({kind})


def _vigorish_variants(rulebook: Rulebook) -> _Variants:
    """Yield each lawful basis and moment of vigorish; the moment may vary by number (Arizona's buy wagers)."""
    elections = rulebook.elections
    kinds = [kind for kind in ("buy", "lay") if f"{kind}_vigorish_when" in elections]
    is_shared = "lay" in kinds and bool(elections["lay_vigorish_when"].same_as)
    for kind in kinds:
        for basis in rulebook.elections[f"{kind}_vigorish_basis"].choices:
            for when in rulebook.elections[f"{kind}_vigorish_when"].choices:
                moments = {f"{other}_vigorish_when": when for other in (kinds if is_shared else (kind,))}
                yield {**moments, f"{kind}_vigorish_basis": basis}, frozenset({kind})
    won_on = elections.get("buy_vigorish_won_on")
    if won_on and won_on.subset_of:
        yield {"buy_vigorish_won_on": tuple(map(int, won_on.subset_of))}, frozenset({"buy"})


def _side_tables(kind: str, entry: SideWager) -> Iterator[dict[str, Any]]:
    for table in entry.tables:
        for reading in getattr(entry, "readings", None) or (None,):
            yield {"side_wagers": {entry.offered: table}} | ({"readings": {kind: reading}} if reading else {})


def _other_payouts(kind: str, wagers: dict[str, WagerEntry]) -> Iterator[dict[str, Any]]:
    """Yield the other payouts of a wager; an option of a part is an option of the whole."""
    entry = wagers[kind]
    for part in entry.parts.units if isinstance(entry, Composite) else (kind,):
        for line in getattr(wagers.get(part), "pays", ()):  # "high" names no wager but the part chosen
            if line.or_pays:
                yield {"payouts": {part: line.or_pays}}


def _odds(rulebook: Rulebook, policy: int | tuple[int, ...]) -> dict[str, int]:
    points = map(int, rulebook.default_house.get("odds", {}))
    return multiples_by_point(points, (policy,) if isinstance(policy, int) else policy)


def _ways(total: int) -> int:
    """Return how many of the 36 outcomes have this total."""
    return sum(roll.total == total for roll in OUTCOMES)


def _lines_of(rules: Rules, rule: WagerRule) -> Iterator[Offered]:
    behind = next((other.kind for other in rules.wagers.values() if other.behind == rule.kind), "")
    for number in sorted(rule.numbers):
        yield Offered(rules=rules, kind=rule.kind, number=number, option=_option(rules, rule, number))
        if behind:
            odds = _odds_option(rules, rules.wagers[behind])
            yield Offered(rules=rules, kind=rule.kind, number=number, option=odds, odds=behind)


def _option(rules: Rules, rule: WagerRule, number: int) -> str | None:
    """Return the elections of a house about a wager in words, or None where there are none."""
    if isinstance(rule.entry, SideWager):
        table, reading = rules.house.side_wagers[rule.entry.offered], rules.house.readings.get(rule.kind)
        usual = next(iter(getattr(rule.entry, "readings", None) or (None,)))
        return f"{table}, {reading.replace('_', ' ')}" if reading and reading != usual else table
    if rule.vigorish:
        charge = rule.vigorish.on(number)
        if not charge.clause_made:
            return "no vigorish"
        rate = Fraction(charge.basis_points, _PERCENT)
        percent = str(rate) if rate.denominator == 1 else f"{float(rate):g}"
        when = "made" if charge.is_due_when_made(number) else "won"
        least = f", at least {dollars(charge.cents_min)}" if charge.cents_min else ""
        return f"{percent}% of {charge.basis.replace('_', ' ')} when {when}{least}"
    parts = {part.kind: part for part, _number in rules.parts_of(rule)}
    of_parts = (f"{kind.replace('_', ' ')} {pays}" for kind, part in parts.items() for pays in _elected_payouts(part))
    return ", ".join((*_elected_payouts(rule), *of_parts)) or None


def _elected_payouts(rule: WagerRule) -> list[str]:
    """Return the payouts of a house that are not the first listed."""
    listed = {line.pays for line in getattr(rule.entry, "pays", ())}
    return sorted({str(payout.pays) for payout in rule.payouts.values()} - listed)


def _odds_option(rules: Rules, rule: WagerRule) -> str:
    by_ways: dict[int, set[int | str]] = {}
    posted = rules.house.odds
    for point in sorted(rule.numbers, key=_ways):
        by_ways.setdefault(_ways(point), set()).add(posted[number_text(point)])
    if all(len(multiples) == 1 for multiples in by_ways.values()):
        multiples = list(dict.fromkeys(multiple for shared in by_ways.values() for multiple in shared))
        text = f"odds {'-'.join(map(str, multiples))}x"
    else:  # equally likely points have different multiples: list all points
        text = "odds " + ", ".join(f"{posted[number_text(n)]}x on {n}" for n in sorted(rule.numbers))
    if rule.entry.come_out and rule.entry.come_out.elect:
        usual = rules.rulebook.elections[rule.entry.come_out.elect].choices[0] == "on"
        if usual and not rule.works_on_come_out:
            text += f", {_OFF}"
        elif rule.works_on_come_out and not usual:
            text += ", on on the come-out roll"
    return text


def smallest_exact_stake(line: Offered) -> int | None:
    """Return the smallest lawful stake whose payouts, odds and vigorish need no rounding; None if there is none.

    >>> place = Offered(rules=Rules.of("maryland"), kind="place_win", number=6)
    >>> smallest_exact_stake(place)
    600
    """
    stake = _first_exact(line)
    return None if stake > line.rules.wagers[line.kind].max or is_capped(line, stake) else stake


def _first_exact(line: Offered) -> int:
    """Return the smallest stake, from the minimum up, that needs no rounding; a maximum or a cap may be below it."""
    rules, rule = line.rules, line.rules.wagers[line.kind]
    step = lcm(rules.chip, *_steps(line))
    entry = rule.entry
    if isinstance(entry, SideWager) and entry.amount and entry.amount.step:
        step = lcm(step, entry.amount.step)
    least, rate = max(rule.min, 1), rules.vigorish_rate(rule, line.number)
    if rule.vigorish and rate:  # from where on the rate, and not the least that is charged, is taken
        least = max(least, round_up_to(rule.vigorish.on(line.number).cents_min / rate, 1))
    return -(-least // step) * step


def why_left_out(line: Offered, stake: int = 0) -> str:
    """Return why a line has no stake that is paid exactly, or none of this size.

    >>> odds = dict.fromkeys(("4", "5", "6", "8", "9", "10"), 50)
    >>> line = Offered(rules=Rules.of("colorado", house={"odds": odds}), kind="pass", odds="pass_odds")
    >>> why_left_out(line)
    'odds behind 5.00, the least that 1.00 chips pay exactly, are 250.00: above 100.00 [CO-2308-1-cap, CO-2308-1-house]'
    """
    rule, first, chip = line.rules.wagers[line.kind], _first_exact(line), dollars(line.rules.chip)
    cents = stake or first
    if first > rule.max:
        general = line.rules.rulebook.general.limits
        return f"no stake up to {dollars(rule.max)} is paid exactly [{clause_text(general.max.cite)}]"
    which = f"odds behind {dollars(cents)}" + ("" if stake else f", the least that {chip} chips pay exactly,")
    return f"{which} are {_too_much(line, cents)}"


def why_lowered(line: Offered) -> str:
    """Return why a line stands at a stake below the default house's minimum."""
    cents = -(-line.lowered_from // (step := _first_exact(line))) * step
    return (
        f"shown below the default minimum of {dollars(line.lowered_from)}, because odds behind {dollars(cents)} are "
        f"{_too_much(line, cents)}"
    )


def _too_much(line: Offered, stake: int) -> str:
    """Return the most odds that a multiple would be, and the cap that is below."""
    odds = line.rules.wagers[line.odds]
    assert isinstance(odds.entry, OddsWager)
    asked = {point: int(line.rules.odds_cents(odds, point, stake)) for point in odds.numbers}
    caps = {point: line.rules.odds_cents_max(odds, point, stake) or 0 for point in odds.numbers}
    worst = max(asked, key=lambda point: asked[point] - caps[point])
    return f"{dollars(asked[worst])}: above {dollars(caps[worst])} [{clause_text(odds.entry.limit.cite)}]"


def is_capped(line: Offered, stake: int) -> bool:
    """Return whether a cap in money is below the multiple of the stake that the odds should be."""
    if not line.odds:
        return False
    odds = line.rules.wagers[line.odds]
    most = {point: line.rules.odds_cents_max(odds, point, stake) or 0 for point in odds.numbers}
    return any(most[point] < int(line.rules.odds_cents(odds, point, stake)) for point in odds.numbers)


def _steps(line: Offered) -> Iterator[int]:
    """Yield, for each payout or charge, an amount whose multiples need no rounding."""
    rules, rule, chip = line.rules, line.rules.wagers[line.kind], line.rules.chip
    if isinstance(rule.entry, Composite):
        paid = (payout for part, number in rules.parts_of(rule) for payout in part.payouts_on(number))
        yield rule.units * lcm(chip, *(payout.pays.unit(chip) for payout in paid))
    elif isinstance(rule.entry, SideWager | OneRoll) and not line.number:
        yield rule.unit(0, chip)
    else:
        yield rule.unit(0 if rule.family == "line" else line.number, chip)
    if rule.vigorish:
        yield chip * rules.vigorish_rate(rule, line.number).denominator
    if line.odds:
        odds = rules.wagers[line.odds]
        for point in odds.numbers:
            yield chip * (rules.odds_cents(odds, point, chip) / odds.unit(point, chip)).denominator


def line_name(line: Offered, *, numbered: bool = True) -> str:
    """Return a line's name: the wager, its number (unless `numbered` is False) and its option."""
    number = number_text(line.number) if numbered else ""
    return ", ".join(filter(None, (f"{line.kind} {number}".strip(), line.option)))
