"""The exact law of a mix of wagers that a player keeps up: what a roll costs on average, and how far it moves money.

Every wager of the mix lies on the layout whenever it can: odds while there is a point, a place wager also on the
come-out roll, where the house has it off. The share of rolls with each point follows from the dice, what a roll pays
and takes from the engine's own settlement. So what two wagers have in common on the same dice is in the variance.

>>> rules = Rules.of("maryland")
>>> law_of_mix(rules, {LaidWager("pass"): Fraction(1)}).loss
Fraction(7, 1671)
>>> with_odds = law_of_mix(rules, {LaidWager("pass"): Fraction(1, 3), LaidWager("pass_odds"): Fraction(2, 3)})
>>> with_odds.loss == Fraction(7, 1671) / 3
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from passline.automaton.standing import PAIRS, WEIGHTS, StandingWager, rolls_of_standing, standing_of_kind
from passline.exact.standing import StandingValues
from passline.rules.rules import Rules

_STAKE = 2520_00  # cents that every payout divides, so that no breakage is in the law
_OUTCOMES = 36
_SEVEN = 7


class LaidWager(NamedTuple):
    """A wager by its kind and, where it has one, its number; odds are on the point."""

    kind: str
    number: int = 0


class MixLaw(Struct, frozen=True):
    """What a roll does to a player, for each cent that lies there when all of the mix is up."""

    loss: Fraction
    """What the house wins on average."""
    variance: Fraction
    """The variance of what it wins, as each roll is decided: rolls add up."""


def law_of_mix(rules: Rules, mix: Mapping[LaidWager, Fraction]) -> MixLaw | None:
    """Return the law of shares of wagers, of those that the rules have; None if they have none of them."""
    dealt = {laid: share for laid, share in mix.items() if share and _is_dealt(rules, laid)}
    if not dealt:
        return None
    total = sum(dealt.values())
    loss = variance = Fraction(0)
    values = StandingValues(rules)
    for puck, share_of_rolls in shares_of_rolls(rules):
        changes = [Fraction(0)] * len(PAIRS)
        for laid, share in dealt.items():
            standing = _standing_of(rules, laid, puck)
            if standing is None:
                continue
            part = share / total / _STAKE
            gains = (roll.gain for roll in rolls_of_standing(rules, standing))
            loss -= share_of_rolls * part * sum(weight * gain for weight, gain in zip(WEIGHTS, gains, strict=True))
            for place, change in enumerate(values.changes((standing,))):
                changes[place] += part * change
        squares = (weight * change**2 for weight, change in zip(WEIGHTS, changes, strict=True))
        variance += share_of_rolls * sum(squares, Fraction(0))
    return MixLaw(loss / _OUTCOMES, variance / _OUTCOMES)


def shares_of_rolls(rules: Rules) -> Iterator[tuple[int, Fraction]]:
    """Yield each point, 0 for none, with the share of all rolls that are thrown at it.

    >>> sum(share for _puck, share in shares_of_rolls(Rules.of("maryland")))
    Fraction(1, 1)
    """
    ways = {total: _ways(total) for total in (*rules.points, _SEVEN)}
    often = {0: Fraction(1)} | {point: Fraction(ways[point], ways[point] + ways[_SEVEN]) for point in rules.points}
    total = sum(often.values())
    yield from ((puck, times / total) for puck, times in often.items())


def _ways(total: int) -> int:
    return sum(weight for pair, weight in zip(PAIRS, WEIGHTS, strict=True) if pair.total == total)


def _is_dealt(rules: Rules, laid: LaidWager) -> bool:
    rule = rules.wagers.get(laid.kind)
    return rule is not None and (not laid.number or laid.number in rule.numbers)


def _standing_of(rules: Rules, laid: LaidWager, puck: int) -> StandingWager | None:
    """Return a wager as it stands at a point; None for odds without one."""
    if rules.wagers[laid.kind].family == "odds":
        return standing_of_kind(laid.kind, puck, cents=_STAKE, puck=puck) if puck else None
    return standing_of_kind(laid.kind, laid.number, cents=_STAKE, puck=puck)
