"""Stakes that cost nothing: rounding is always in the player's favour, so a small stake may have no edge left.

Without rounding a wager loses `edge x wagered` for each unit of its stake. A payment is rounded up by less than a chip,
and vigorish down by less than a chip, so what rounding can give is bounded and only stakes below a bound come into
question. Each of those that could pass is compiled through the engine like any other line.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from msgspec import Struct

from passline.exact.par.lines import UNBOUNDED, Offered, is_capped
from passline.exact.par.par import Par
from passline.money import dollars
from passline.rules.rules import Payout
from passline.rules.schema import Composite, SideWager
from passline.strategy.strategy_table import UnlawfulWish

__all__ = ["Stakes", "favourable_stakes"]

_BASIS_POINTS = 10_000


class Stakes(Struct, frozen=True):
    """Stakes one after the other, in cents; without a last one they go up to whatever the house's maximum is.

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


def favourable_stakes(one: Offered, exact: Par, par: Callable[[Offered, int], Par]) -> tuple[Stakes, ...]:
    """Give every lawful stake of a line that favours the player or costs nothing, given its par at an exact stake.

    >>> from passline.exact.par.solver import Solver
    >>> from passline.rules.rules import Rules
    >>> place = Offered(rules=Rules.of("colorado", house={"unpayable": "round_up"}), kind="place_win", number=6)
    >>> solver = Solver()
    >>> print(*favourable_stakes(place, solver.par(place, 6_00), solver.par))
    5.00 7.00-10.00 13.00-15.00 19.00-20.00 25.00
    """
    rule, step = one.rules.wagers[one.kind], _step(one)
    first = -(-max(rule.min, 1) // step) * step
    if exact.edge <= 0:
        return (Stakes(first, rule.max - rule.max % step if rule.max < UNBOUNDED else None, step),)
    loss = exact.edge * exact.wagered
    most = min(rule.max, int(_bound(one, exact) / loss))
    free = [cents for cents in range(first, most + 1, step) if loss * cents <= _given(one, exact, cents)]
    if not one.odds and len(_payouts(one)) == 1:  # then what rounding can give is what it does: the ends will do
        ranges = _ranges(free, step)
        return tuple(
            some for some in ranges if all(_is_free(one, cents, par) for cents in {some.first, some.last or 0})
        )
    return tuple(_ranges([cents for cents in free if _is_free(one, cents, par)], step))


def _is_free(one: Offered, cents: int, par: Callable[[Offered, int], Par]) -> bool:
    try:
        return not is_capped(one, cents) and par(one, cents).edge <= 0
    except UnlawfulWish:
        return False


def _step(one: Offered) -> int:
    """The least amount by which lawful stakes differ: a chip, or where nothing is rounded what can be paid in chips."""
    rules, rule = one.rules, one.rules.wagers[one.kind]
    steps = [rules.chip]
    if isinstance(rule.entry, SideWager) and rule.entry.amount and rule.entry.amount.step:
        steps.append(rule.entry.amount.step)
    if isinstance(rule.entry, Composite) and rule.entry.units:
        steps.append(rules.chip * rule.units)
    if not _rounds(one):
        steps += [rule.units * payout.pays.unit(rules.chip) for payout in _payouts(one) if payout.pays.ratio]
    return lcm(*steps)


def _rounds(one: Offered) -> bool:
    return one.rules.house.unpayable == "round_up"


def _payouts(one: Offered) -> list[Payout]:
    """The payouts that may be made on the wager itself."""
    rules, rule = one.rules, one.rules.wagers[one.kind]
    if isinstance(rule.entry, Composite):
        kinds = [part for part, _units in rule.parts if part in rules.wagers]
        return [payout for kind in kinds for payout in rules.wagers[kind].payouts.values()]
    return [rule.payouts[one.number]] if one.number in rule.payouts else list(rule.payouts.values())


def _payments(one: Offered, exact: Par) -> Fraction:
    """A bound on the mean number of payments: one with a win, save for a wager that is paid again and again."""
    return exact.rolls if one.rules.wagers[one.kind].family == "run" else exact.win


def _bound(one: Offered, exact: Par) -> Fraction:
    """What rounding can give at most, whatever the stake."""
    rule, chip = one.rules.wagers[one.kind], one.rules.chip
    bound = Fraction(0)
    if _rounds(one):
        bound += chip * max(len(rule.parts), 1) * _payments(one, exact)
        bound += chip if one.odds else 0
    return bound + (chip if rule.vigorish else 0)


def _given(one: Offered, exact: Par, cents: int) -> Fraction:
    """What rounding can give at most at one stake: the largest of its payments' in each part, and the vigorish's."""
    rules, rule = one.rules, one.rules.wagers[one.kind]
    given = Fraction(0)
    if _rounds(one):
        gains = [_gain(one, payout, cents // rule.units * units) for payout in _payouts(one) for units in _units(one)]
        if one.odds:
            odds = rules.wagers[one.odds]
            behind = {number: rules.odds_cents_max(odds, number, cents) or 0 for number in odds.numbers}
            gains += [_gain(one, odds.payouts[number], most - most % rules.chip) for number, most in behind.items()]
        given += max(gains) * max(len(rule.parts), 1) * _payments(one, exact)
    if rule.vigorish:
        basis = _payouts(one)[0].pays.ratio if rule.vigorish.basis == "potential_win" else Fraction(1)
        due = cents * basis * rule.vigorish.basis_points / _BASIS_POINTS - rules.vigorish_on(rule, one.number, cents)
        given += due * (1 if rule.vigorish.is_due_when_made(one.number) else exact.win)
    return given


def _units(one: Offered) -> set[int]:
    return {units for _part, units in one.rules.wagers[one.kind].parts} or {1}


def _gain(one: Offered, payout: Payout, cents: int) -> Fraction:
    winnings = one.rules.winnings(payout, cents)
    return winnings - payout.pays.on(cents) if winnings is not None else Fraction(0)


def _ranges(stakes: list[int], step: int) -> list[Stakes]:
    """Join stakes that follow each other."""
    known = set(stakes)
    firsts = [cents for cents in stakes if cents - step not in known]
    lasts = [cents for cents in stakes if cents + step not in known]
    return [Stakes(first, last, step) for first, last in zip(firsts, lasts, strict=True)]
