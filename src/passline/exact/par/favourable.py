"""Stakes at which the house has no edge: rounding is in the player's favour and may outweigh it at small stakes.

Without rounding, a wager loses `edge x wagered` per unit of its stake. A payment is rounded up, and vigorish down, by
less than a chip, so the gain from rounding is bounded, and only stakes below a bound can have no edge. Those that could
are solved like any other line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import lcm

from msgspec import Struct

from passline.dice import OUTCOMES, SEVEN
from passline.exact.par.lines import UNBOUNDED, Offered, is_capped
from passline.exact.par.par import Par
from passline.money import dollars
from passline.rules.rules import Payout
from passline.rules.schema import Composite, Line, OddsWager, SideWager
from passline.strategy.strategy_table import UnlawfulWish

_WAYS = Counter(roll.total for roll in OUTCOMES)  # to throw each total


class Stakes(Struct, frozen=True):
    """Evenly spaced stakes, in cents; without a last one they go up to the house's maximum, whatever it is.

    >>> print(Stakes(5_00, 5_00, 1_00), Stakes(5_00, 19_00, 1_00), Stakes(6_00, 18_00, 2_00), sep="; ")
    5.00; 5.00-19.00; 6.00-18.00 by 2.00
    >>> print(Stakes(5_00, None, 1_00))
    5.00 and more
    """

    first: int
    last: int | None
    step: int

    def __str__(self) -> str:
        if self.last is None:
            return f"{dollars(self.first)} and more"
        if self.first == self.last:
            return dollars(self.first)
        by = f" by {dollars(self.step)}" if self.step != _DOLLAR else ""
        return f"{dollars(self.first)}-{dollars(self.last)}{by}"


_DOLLAR = 100


def favourable_stakes(line: Offered, exact: Par, par: Callable[[Offered, int], Par]) -> tuple[Stakes, ...]:
    """Return the lawful stakes at which a line has no edge for the house; `exact` is its par at an exact stake.

    >>> from passline.exact.par.par import ParCache
    >>> from passline.rules.rules import Rules
    >>> place = Offered(rules=Rules.of("colorado", house={"unpayable": "round_up"}), kind="place_win", number=6)
    >>> cache = ParCache()
    >>> print(*favourable_stakes(place, cache.par(place, 6_00), cache.par))
    5.00 7.00-10.00 13.00-15.00 19.00-20.00 25.00
    """
    rule, step = line.rules.wagers[line.kind], _step(line)
    first = -(-max(rule.min, 1) // step) * step
    if exact.edge <= 0:
        return (Stakes(first, rule.max - rule.max % step if rule.max < UNBOUNDED else None, step),)
    loss = exact.edge * exact.wagered
    most = min(rule.max, int(_gain_bound(line, exact) / loss))
    free = [cents for cents in range(first, most + 1, step) if loss * cents <= _gain_at(line, exact, cents)]
    if not line.odds and len(_payouts(line)) == 1:  # then `_gain_at` is exact, not a bound: checking the ends is enough
        ranges = _ranges(free, step)
        return tuple(
            stakes for stakes in ranges if all(_is_free(line, cents, par) for cents in {stakes.first, stakes.last or 0})
        )
    return tuple(_ranges([cents for cents in free if _is_free(line, cents, par)], step))


def _is_free(line: Offered, cents: int, par: Callable[[Offered, int], Par]) -> bool:
    try:
        return not is_capped(line, cents) and par(line, cents).edge <= 0
    except UnlawfulWish:
        return False


def _step(line: Offered) -> int:
    """Return the step between lawful stakes: a chip or, without rounding, the least amount paid in whole chips."""
    rules, rule = line.rules, line.rules.wagers[line.kind]
    steps = [rules.chip]
    if isinstance(rule.entry, SideWager) and rule.entry.amount and rule.entry.amount.step:
        steps.append(rule.entry.amount.step)
    if isinstance(rule.entry, Composite) and (rule.entry.units or rules.rulebook.general.composite_parts):
        steps.append(rules.chip * rule.units)
    if not _rounds(line):
        steps += [rule.units * payout.pays.unit(rules.chip) for payout in _payouts(line) if payout.pays.ratio]
    return lcm(*steps)


def _rounds(line: Offered) -> bool:
    return line.rules.house.unpayable == "round_up"


def _payouts(line: Offered) -> list[Payout]:
    """Return the payouts of the wager itself, without those of odds."""
    rules, rule = line.rules, line.rules.wagers[line.kind]
    if isinstance(rule.entry, Composite):
        return [payout for part, number in rules.parts_of(rule) for payout in part.payouts_on(number)]
    return rule.payouts_on(line.number)


def _payments(line: Offered, exact: Par) -> Fraction:
    """Return a bound on the mean number of payments: one per win, except for a wager that is paid repeatedly."""
    return exact.rolls if line.rules.wagers[line.kind].family == "run" else exact.win


def _gain_bound(line: Offered, exact: Par) -> Fraction:
    """Return the most that rounding can give at any stake."""
    rule, chip = line.rules.wagers[line.kind], line.rules.chip
    bound = Fraction(0)
    if _rounds(line):
        bound += chip * max(len(rule.parts), 1) * _payments(line, exact)
        bound += chip if line.odds else 0
    return bound + (chip if rule.vigorish else 0)


def _gain_at(line: Offered, exact: Par, cents: int) -> Fraction:
    """Return the most that rounding can give at a stake: the largest gain of a payment in each part, and vigorish."""
    rules, rule = line.rules, line.rules.wagers[line.kind]
    given = Fraction(0)
    if _rounds(line):
        amounts = [cents // rule.units * units for units in _units(line)]
        gains = [_gain(line, payout, amount) for payout in _payouts(line) for amount in amounts]
        given += max(gains) * max(len(rule.parts), 1) * _payments(line, exact)
        given += _gain_on_odds(line, cents) if line.odds else 0
    if rule.vigorish:
        due = cents * rules.vigorish_rate(rule, line.number) - rules.vigorish_on(rule, line.number, cents)
        given += due * (1 if rule.vigorish.is_due_when_made(line.number) else exact.win)
    return given


def _gain_on_odds(line: Offered, cents: int) -> Fraction:
    """Return the most that rounding can give on odds: on each number as often as it is set, and they win on it."""
    rules, odds = line.rules, line.rules.wagers[line.odds]
    assert isinstance(odds.entry, OddsWager)
    deciding = _deciding_totals(line) | {*odds.numbers}
    gain = Fraction(0)
    for number in (line.number,) if line.number else odds.numbers:
        is_set = 1 if line.number else Fraction(_WAYS[number], sum(_WAYS[total] for total in deciding))
        side = {"number": _WAYS[number], "seven": _WAYS[SEVEN]}
        most = rules.odds_cents_max(odds, number, cents) or 0
        wins = Fraction(side[odds.entry.win.on], sum(side.values()))
        gain += is_set * wins * _gain(line, odds.payouts[number], most - most % rules.chip)
    return gain


def _deciding_totals(line: Offered) -> set[int]:
    """Return the totals that decide a wager on the line at once; a void roll may be thrown again."""
    entry = line.rules.wagers[line.kind].entry
    return {*entry.first_win.totals, *entry.first_lose.totals} if isinstance(entry, Line) else set()


def _units(line: Offered) -> set[int]:
    return {units for _part, units in line.rules.wagers[line.kind].parts} or {1}


def _gain(line: Offered, payout: Payout, cents: int) -> Fraction:
    winnings = line.rules.winnings(payout, cents)
    return winnings - payout.pays.on(cents) if winnings is not None else Fraction(0)


def _ranges(stakes: list[int], step: int) -> list[Stakes]:
    """Join stakes that are one step apart."""
    known = set(stakes)
    firsts = [cents for cents in stakes if cents - step not in known]
    lasts = [cents for cents in stakes if cents + step not in known]
    return [Stakes(first, last, step) for first, last in zip(firsts, lasts, strict=True)]
