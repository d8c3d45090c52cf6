"""What a par sheet has lines for: all that a house offers, or that a regulation permits any house to offer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct

from passline.dice import OUTCOMES, number_text
from passline.rules.elections import HouseBreaches
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Composite, OddsWager, OneRoll, SideWager, WagerEntry

__all__ = ["UNBOUNDED", "Offered", "is_capped", "offered_by_house", "permitted", "smallest_exact_stake"]

UNBOUNDED = 10**9
"""A posted maximum, in cents, that cuts into no stake of a sheet."""
_POLICIES: tuple[int | tuple[int, ...], ...] = (1, 2, (3, 4, 5), 3, 5, 10, 20, 50, 100)
_ALL = 100  # basis points in a percent
_OFF = "off on the come-out roll"


class Offered(Struct, frozen=True, kw_only=True):
    """One line of a sheet before it is figured: a wager under rules, with its option and the odds taken behind it."""

    rules: Rules
    kind: str
    number: int = 0
    option: str | None = None
    odds: str = ""


def offered_by_house(rules: Rules) -> Iterator[Offered]:
    """Give every line of one house.

    >>> [one.option for one in offered_by_house(Rules.of("maryland")) if one.kind == "pass"]
    [None, 'odds 3-4-5x']
    """
    for rule in rules.wagers.values():
        if rule.is_offered and not rule.behind:
            yield from _lines(rules, rule)


def permitted(name: str, game: str) -> Iterator[Offered]:
    """Give every line a regulation permits in a game: the default house, then each election that changes a line.

    >>> [one.option for one in permitted("maryland", "craps") if one.kind == "any_seven"]
    [None, '26 to 5']
    """
    rulebook = rulebook_of(name)
    base = {"game": game, "wager_cents_max": rulebook.elections["wager_cents_max"].max or UNBOUNDED}
    seen: set[tuple[str, int, str | None]] = set()
    for elected, kinds in _variants(rulebook, game):
        try:
            rules = Rules.under(rulebook, {**base, **elected})
        except HouseBreaches:
            if not elected:
                raise
            continue  # what a candidate asks for is not this regulation's to permit
        for one in offered_by_house(rules):
            key = (one.kind, one.number, one.option)
            if (kinds is None or one.kind in kinds) and key not in seen:
                seen.add(key)
                yield one


_Variants = Iterator[tuple[dict[str, Any], frozenset[str] | None]]


def _variants(rulebook: Rulebook, game: str) -> _Variants:
    """Give elections laid over the default house, each with the wagers whose lines it changes (None: all)."""
    wagers = {**rulebook.wagers, **rulebook.games[game].wagers}
    yield {}, None
    behind = frozenset(entry.behind for entry in wagers.values() if isinstance(entry, OddsWager))
    for policy in _POLICIES:
        for works in rulebook.elections["come_odds_on_come_out"].choices:
            yield {"odds": _odds(rulebook, policy), "come_odds_on_come_out": works}, behind
    yield from _vigorish_variants(rulebook)
    for kind, entry in wagers.items():
        for elected in _side_tables(kind, entry) if isinstance(entry, SideWager) else _other_payouts(kind, entry):
            yield elected, frozenset({kind})


def _vigorish_variants(rulebook: Rulebook) -> _Variants:
    """Give each lawful basis and moment; a moment may be the regulation's to vary by number (Arizona's buy wagers)."""
    kinds = ("buy", "lay")
    is_shared = bool(rulebook.elections["lay_vigorish_when"].same_as)
    for kind in kinds:
        for basis in rulebook.elections[f"{kind}_vigorish_basis"].choices:
            for when in rulebook.elections[f"{kind}_vigorish_when"].choices:
                moments = {f"{one}_vigorish_when": when for one in (kinds if is_shared else (kind,))}
                yield {**moments, f"{kind}_vigorish_basis": basis}, frozenset({kind})
    if numbers := rulebook.elections["buy_vigorish_won_on"].subset_of:
        yield {"buy_vigorish_won_on": tuple(map(int, numbers))}, frozenset({"buy"})


def _side_tables(kind: str, entry: SideWager) -> Iterator[dict[str, Any]]:
    for table in entry.tables:
        for reading in getattr(entry, "readings", None) or (None,):
            yield {"side_wagers": {entry.offered: table}} | ({"readings": {kind: reading}} if reading else {})


def _other_payouts(kind: str, entry: WagerEntry) -> Iterator[dict[str, Any]]:
    for line in getattr(entry, "pays", ()):
        if line.or_pays:
            yield {"payouts": {kind: line.or_pays}}


def _odds(rulebook: Rulebook, policy: int | tuple[int, ...]) -> dict[str, int]:
    """Give the multiple for each point: one for all, or more the likelier the point is."""
    points = sorted(map(int, rulebook.default_house["odds"]))
    if isinstance(policy, int):
        return {str(point): policy for point in points}
    ways = sorted({_ways(point) for point in points})
    return {str(point): policy[min(ways.index(_ways(point)), len(policy) - 1)] for point in points}


def _ways(total: int) -> int:
    """How many of the 36 outcomes have a total.

    >>> [_ways(total) for total in (4, 5, 6, 8)]
    [3, 4, 5, 5]
    """
    return sum(roll.total == total for roll in OUTCOMES)


def _lines(rules: Rules, rule: WagerRule) -> Iterator[Offered]:
    behind = next((one.kind for one in rules.wagers.values() if one.behind == rule.kind), "")
    for number in sorted(rule.numbers):
        yield Offered(rules=rules, kind=rule.kind, number=number, option=_option(rules, rule, number))
        if behind:
            odds = _odds_option(rules, rules.wagers[behind])
            yield Offered(rules=rules, kind=rule.kind, number=number, option=odds, odds=behind)


def _option(rules: Rules, rule: WagerRule, number: int) -> str | None:
    """Say what was elected about a wager, where something was."""
    if isinstance(rule.entry, SideWager):
        table, reading = rules.house.side_wagers[rule.entry.offered], rules.house.readings.get(rule.kind)
        usual = next(iter(getattr(rule.entry, "readings", None) or (None,)))
        return f"{table}, {reading.replace('_', ' ')}" if reading and reading != usual else table
    if rule.vigorish:
        rate = Fraction(rule.vigorish.basis_points, _ALL)
        percent = str(rate) if rate.denominator == 1 else f"{float(rate):g}"
        when = "made" if rule.vigorish.is_due_when_made(number) else "won"
        return f"{percent}% of {rule.vigorish.basis.replace('_', ' ')} when {when}"
    listed = {line.pays for line in getattr(rule.entry, "pays", ())}
    elected = sorted({str(payout.pays) for payout in rule.payouts.values()} - listed)
    return ", ".join(elected) or None


def _odds_option(rules: Rules, rule: WagerRule) -> str:
    by_ways: dict[int, set[int]] = {}
    for point in sorted(rule.numbers, key=_ways):
        by_ways.setdefault(_ways(point), set()).add(rules.house.odds[number_text(point)])
    if all(len(multiples) == 1 for multiples in by_ways.values()):
        multiples = list(dict.fromkeys(multiple for one in by_ways.values() for multiple in one))
        text = f"odds {'-'.join(map(str, multiples))}x"
    else:  # points as likely as each other are treated differently: say all
        text = "odds " + ", ".join(f"{rules.house.odds[number_text(n)]}x on {n}" for n in sorted(rule.numbers))
    if rule.entry.come_out and rule.entry.come_out.elect:
        usual = rules.rulebook.elections[rule.entry.come_out.elect].choices[0] == "on"
        if usual and not rule.works_on_come_out:
            text += f", {_OFF}"
        elif rule.works_on_come_out and not usual:
            text += ", on on the come-out roll"
    return text


def smallest_exact_stake(one: Offered) -> int | None:
    """Give the smallest lawful stake that every payout, odds and vigorish treats exactly; None where there is none.

    >>> place = Offered(rules=Rules.of("maryland"), kind="place_win", number=6)
    >>> smallest_exact_stake(place)
    600
    """
    rules, rule = one.rules, one.rules.wagers[one.kind]
    step = lcm(rules.chip, *_steps(one))
    entry = rule.entry
    if isinstance(entry, SideWager) and entry.amount and entry.amount.step:
        step = lcm(step, entry.amount.step)
    stake = -(-max(rule.min, 1) // step) * step
    if stake > rule.max:
        return None
    return None if is_capped(one, stake) else stake


def is_capped(one: Offered, stake: int) -> bool:
    """Whether a cap in money is lower than the multiple of the stake that the odds are to be."""
    if not one.odds:
        return False
    odds = one.rules.wagers[one.odds]
    most = {point: one.rules.odds_cents_max(odds, point, stake) or 0 for point in odds.numbers}
    return any(most[point] < int(one.rules.odds_cents(odds, point, stake)) for point in odds.numbers)


def _steps(one: Offered) -> Iterator[int]:
    """Give amounts whose multiples are exact, for each thing that is paid or charged."""
    rules, rule, chip = one.rules, one.rules.wagers[one.kind], one.rules.chip
    if isinstance(rule.entry, Composite):
        parts = (part for part, _units in rule.parts if part != "high")
        each = lcm(chip, *(payout.pays.unit(chip) for part in parts for payout in rules.wagers[part].payouts.values()))
        yield rule.units * each
    elif isinstance(rule.entry, SideWager | OneRoll) and not one.number:
        yield rule.unit(0, chip)
    else:
        yield rule.unit(0 if rule.family == "line" else one.number, chip)
    if rule.vigorish:
        basis = rule.payouts[one.number].pays.ratio if rule.vigorish.basis == "potential_win" else Fraction(1)
        yield chip * (basis * rule.vigorish.basis_points / (_ALL * _ALL)).denominator
    if one.odds:
        odds = rules.wagers[one.odds]
        for point in odds.numbers:
            yield chip * (rules.odds_cents(odds, point, chip) / odds.unit(point, chip)).denominator


def describe(one: Offered) -> str:
    """Name a line: the wager, its number and its option."""
    return ", ".join(filter(None, (f"{one.kind} {number_text(one.number)}".strip(), one.option)))
