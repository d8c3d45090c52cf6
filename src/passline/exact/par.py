"""One line of a par sheet: a wager compiled against the engine, and its chain solved over the rationals."""

from __future__ import annotations

from collections import defaultdict
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
from msgspec import Struct

from passline.automaton.arrays import IDLE, OUTCOMES, Automaton
from passline.automaton.compile import compile as compiled
from passline.automaton.minimise import lumped
from passline.exact.chains import Arc, Chain, ChainError, absorbed, chain_of, mean_and_variance, total_law, visits
from passline.rules.rules import Rules
from passline.strategy.one import OneWager

__all__ = ["Par", "par_of"]

_DIGITS = 12


class Par(Struct, frozen=True, kw_only=True):
    """What a wager of one amount does in the long run. Edges are the house's; a negative one is the player's.

    Rolls on which the wager is off do not count. The amount wagered is the stake and the odds taken on average; the
    outlay is that and vigorish paid when the wager is made. The standard deviation is of one wager, in stakes.
    """

    stake: int  # cents
    win: Fraction
    lose: Fraction
    push: Fraction
    edge: Fraction  # of the amount wagered
    edge_on_outlay: Fraction
    edge_resolved: Fraction  # of the amount wagered, leaving out wagers that end as a push
    edge_per_roll: Fraction
    rolls: Fraction  # until it is decided or returned
    variance: Fraction  # in stakes
    wagered: Fraction  # the amount wagered, in stakes

    @property
    def sd(self) -> Decimal:
        """The standard deviation to twelve digits: the root of a rational is seldom one.

        >>> par_of(Rules.of("maryland"), kind="pass", cents=5_00).sd
        Decimal('0.999900005204')
        """
        context = Context(prec=_DIGITS + 8)
        root = context.divide(Decimal(self.variance.numerator), Decimal(self.variance.denominator)).sqrt(context)
        return Context(prec=_DIGITS).plus(root)

    @property
    def favours(self) -> str:
        """Who has the edge: house, player or nobody."""
        return "house" if self.edge > 0 else "player" if self.edge < 0 else "nobody"


def par_of(rules: Rules, *, kind: str, number: int = 0, cents: int, odds: str = "") -> Par:
    """Compile a wager made once, with the most odds the house allows where `odds` names them, and solve it.

    >>> par = par_of(Rules.of("maryland"), kind="pass", cents=5_00)
    >>> par.edge, par.rolls
    (Fraction(7, 495), Fraction(557, 165))
    """
    strategy = OneWager(rules=rules, kind=kind, number=number, cents=cents, odds=odds)
    automaton = lumped(compiled(rules, strategy, only=strategy.counted), marks=IDLE)
    return _solved(automaton, cents)


def _solved(automaton: Automaton, cents: int) -> Par:
    ends = _ends(automaton)
    chain = chain_of(automaton)
    stake = Fraction(cents, automaton.unit)
    try:
        law = total_law(chain, 0, ends)
        mean = sum((total * share for total, share in law.items()), Fraction(0))
        variance = sum((total * total * share for total, share in law.items()), Fraction(0)) - mean * mean
    except ChainError:  # it pays again and again before it ends: its gains have no bound, its losses do
        law = _capped_law(chain, ends)
        mean, variance = mean_and_variance(chain, 0, ends)
    win, lose = (sum((p for t, p in law.items() if t * sign > 0), Fraction(0)) for sign in (1, -1))
    made = visits(chain, 0, ends)
    is_idle = (automaton.mark[:, 0] & IDLE) != 0
    rolls = sum((mean_visits for state, mean_visits in made.items() if not is_idle[state]), Fraction(0))
    wagered, outlay = _wagered(automaton, chain, ends, made, stake)
    edge = -mean / wagered
    return Par(
        stake=cents,
        win=win,
        lose=lose,
        push=1 - win - lose,
        edge=edge,
        edge_on_outlay=-mean / outlay,
        edge_resolved=edge / (win + lose),
        edge_per_roll=edge / rolls,
        rolls=rolls,
        variance=variance / stake**2,
        wagered=wagered / stake,
    )


def _ends(automaton: Automaton) -> frozenset[int]:
    """The states from which no money moves any more."""
    alive = (automaton.outlay != 0) | (automaton.cash != 0).any(axis=1)
    while True:
        leads = alive | alive[automaton.next].any(axis=1)
        if (leads == alive).all():
            return frozenset(np.flatnonzero(~alive).tolist())
        alive = leads


def _wagered(
    automaton: Automaton, chain: Chain, ends: frozenset[int], made: dict[int, Fraction], stake: Fraction
) -> tuple[Fraction, Fraction]:
    """Give the mean amount wagered and the mean outlay, in units.

    What is up when the wager ends is what was wagered. The state that makes the wager pays vigorish too: its outlay is
    more than the stake by that much.
    """
    waiting = {state for state in made if not automaton.outlay[state]}
    makers = {0} if 0 not in waiting else {arc.next for state in waiting for arc in chain.arcs[state]} - waiting
    vigorish = {state: int(automaton.outlay[state]) - stake for state in makers}
    wagered = paid = Fraction(0)
    for state, mean in made.items():
        ending = mean * Fraction(sum(arc.weight for arc in chain.arcs[state] if arc.next in ends), OUTCOMES)
        wagered += ending * (int(automaton.outlay[state]) - vigorish.get(state, 0))
        paid += mean * vigorish.get(state, 0)
    return wagered, wagered + paid


def _capped_law(chain: Chain, ends: frozenset[int]) -> dict[int, Fraction]:
    """Give the law of the total as far as its sign: gains beyond what the last roll can take away are one gain."""
    losses = [arc.cash for row in chain.arcs for arc in row if arc.cash < 0]
    if any(arc.cash < 0 and arc.next not in ends for row in chain.arcs for arc in row):
        raise ChainError("a wager that loses again and again before it ends has no law of win, lose and push")
    cap = 1 - min(losses, default=0)
    numbers: dict[tuple[int, int], int] = {(0, 0): 0}
    waiting = [(0, 0)]
    rows: dict[int, tuple[tuple[int, tuple[int, int]], ...]] = {}
    while waiting:
        state, total = here = waiting.pop()
        leads = [(arc.weight, (arc.next, min(total + arc.cash, cap))) for arc in chain.arcs[state]]
        for _weight, there in leads:
            if there not in numbers:
                numbers[there] = len(numbers)
                if there[0] not in ends:
                    waiting.append(there)
        rows[numbers[here]] = tuple(leads)
    arcs = tuple(
        tuple(Arc(weight, 0, numbers[there]) for weight, there in rows.get(index, ())) for index in range(len(numbers))
    )
    totals = {index: total for (state, total), index in numbers.items() if state in ends}
    law: defaultdict[int, Fraction] = defaultdict(Fraction)
    for index, share in absorbed(Chain(arcs), 0, frozenset(totals)).items():
        law[totals[index]] += share
    return dict(law)
