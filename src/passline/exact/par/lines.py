"""The lines of a par sheet before they are solved: all that a house offers, or that a regulation permits."""

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

__all__ = ["UNBOUNDED", "Offered", "is_capped", "line_name", "offered_by_house", "permitted", "smallest_exact_stake"]

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


def offered_by_house(rules: Rules) -> Iterator[Offered]:
    """Yield every line of one house.

    >>> [line.option for line in offered_by_house(Rules.of("maryland")) if line.kind == "pass"]
    [None, 'odds 3-4-5x']
    """
    for rule in rules.wagers.values():
        if rule.is_offered and not rule.behind:
            yield from _lines_of(rules, rule)


def permitted(name: str, game: str) -> Iterator[Offered]:
    """Yield every line that a regulation permits in a game: the default house's, then those of other elections.

    >>> [line.option for line in permitted("maryland", "craps") if line.kind == "any_seven"]
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
            continue  # this regulation does not permit the election
        for line in offered_by_house(rules):
            key = (line.kind, line.number, line.option)
            if (kinds is None or line.kind in kinds) and key not in seen:
                seen.add(key)
                yield line


_Variants = Iterator[tuple[dict[str, Any], frozenset[str] | None]]


def _variants(rulebook: Rulebook, game: str) -> _Variants:
    """Yield changes to the default house's elections, each with the wagers whose lines it changes (None: all)."""
    wagers = {**rulebook.wagers, **rulebook.games[game].wagers}
    yield {}, None
    behind = frozenset(entry.behind for entry in wagers.values() if isinstance(entry, OddsWager))
    for policy in _ODDS:
        for works in rulebook.elections["come_odds_on_come_out"].choices:
            yield {"odds": _odds(rulebook, policy), "come_odds_on_come_out": works}, behind
    yield from _vigorish_variants(rulebook)
    for kind, entry in wagers.items():
        for elected in _side_tables(kind, entry) if isinstance(entry, SideWager) else _other_payouts(kind, entry):
            yield elected, frozenset({kind})


def _vigorish_variants(rulebook: Rulebook) -> _Variants:
    """Yield each lawful basis and moment of vigorish; the moment may vary by number (Arizona's buy wagers)."""
    kinds = ("buy", "lay")
    is_shared = bool(rulebook.elections["lay_vigorish_when"].same_as)
    for kind in kinds:
        for basis in rulebook.elections[f"{kind}_vigorish_basis"].choices:
            for when in rulebook.elections[f"{kind}_vigorish_when"].choices:
                moments = {f"{other}_vigorish_when": when for other in (kinds if is_shared else (kind,))}
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
    """Return the multiple of odds for each point: one for all, or a larger one the likelier the point is."""
    points = sorted(map(int, rulebook.default_house["odds"]))
    if isinstance(policy, int):
        return {str(point): policy for point in points}
    ways = sorted({_ways(point) for point in points})
    return {str(point): policy[min(ways.index(_ways(point)), len(policy) - 1)] for point in points}


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
        rate = Fraction(rule.vigorish.basis_points, _PERCENT)
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
        multiples = list(dict.fromkeys(multiple for shared in by_ways.values() for multiple in shared))
        text = f"odds {'-'.join(map(str, multiples))}x"
    else:  # equally likely points have different multiples: list all points
        text = "odds " + ", ".join(f"{rules.house.odds[number_text(n)]}x on {n}" for n in sorted(rule.numbers))
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
    rules, rule = line.rules, line.rules.wagers[line.kind]
    step = lcm(rules.chip, *_steps(line))
    entry = rule.entry
    if isinstance(entry, SideWager) and entry.amount and entry.amount.step:
        step = lcm(step, entry.amount.step)
    stake = -(-max(rule.min, 1) // step) * step
    if stake > rule.max:
        return None
    return None if is_capped(line, stake) else stake


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
        parts = (part for part, _units in rule.parts if part != "high")
        each = lcm(chip, *(payout.pays.unit(chip) for part in parts for payout in rules.wagers[part].payouts.values()))
        yield rule.units * each
    elif isinstance(rule.entry, SideWager | OneRoll) and not line.number:
        yield rule.unit(0, chip)
    else:
        yield rule.unit(0 if rule.family == "line" else line.number, chip)
    if rule.vigorish:
        basis = rule.payouts[line.number].pays.ratio if rule.vigorish.basis == "potential_win" else Fraction(1)
        yield chip * (basis * rule.vigorish.basis_points / (_PERCENT * _PERCENT)).denominator
    if line.odds:
        odds = rules.wagers[line.odds]
        for point in odds.numbers:
            yield chip * (rules.odds_cents(odds, point, chip) / odds.unit(point, chip)).denominator


def line_name(line: Offered) -> str:
    """Return a line's name: the wager, its number and its option."""
    return ", ".join(filter(None, (f"{line.kind} {number_text(line.number)}".strip(), line.option)))
