"""Two strategies on the same dice, exactly: the law of the difference of their results after a session.

The difference lives on the product of both automata, with the change of equity of one less that of the other. It is
that of the session as long as both go on to its end: so it is known where nobody stops by money (a goal, a stop loss)
and neither can be short but with a chance that the error states. The mean of the difference needs no product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from passline.automaton.arrays import HAND, LINE, WON, Automaton, Short
from passline.automaton.minimise import lump
from passline.automaton.network import BUDGET, multiply, network
from passline.automaton.terms import Terms
from passline.chances import chance_text
from passline.dice_weights import FAIR, DiceWeights, dice_note
from passline.exact.analysis import Analysis, analyze
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.rational_law import rational_law
from passline.money import dollars
from passline.notebook import html_table
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

SHORT_MAX = 1e-9
"""The most chance that either player is short of money, where the difference has a law; it is part of the error."""
_Law = SessionLaw[float] | SessionLaw[Fraction]


@dataclass(frozen=True, kw_only=True)
class PairedLaw:
    """The difference between the results of two strategies on the same dice: the first less the second."""

    name: str
    against: str
    terms: Terms
    mean_cents: float | Fraction
    """What the first has more after the session, on average; ruin and all stops are in it."""
    law: _Law | None = None
    """The law of the difference, as `equity_cents` and `chances`; None where it has none."""
    error: float = 0.0
    """The probability of no event of the difference is further than this from the truth; 0 when exact."""
    why: str = ""
    """Why there is no law; empty if there is one."""
    dice: DiceWeights = FAIR

    @cached_property
    def ahead(self) -> float | Fraction | None:
        """The chance that the first has more than the second after the session; None without a law."""
        return self._share(1)

    @cached_property
    def behind(self) -> float | Fraction | None:
        """The chance that the first has less."""
        return self._share(-1)

    @cached_property
    def ties(self) -> float | Fraction | None:
        """The chance that both have the same."""
        return self._share(0)

    @property
    def deviation_cents(self) -> float | None:
        """The standard deviation of the difference; None without a law."""
        return None if self.law is None else self.law.deviation_cents

    def _share(self, sign: int) -> float | Fraction | None:
        if self.law is None:
            return None
        share: float | Fraction = Fraction(0)
        chances: Sequence[float | Fraction] = self.law.chances
        for cents, chance in zip(self.law.equity_cents, chances, strict=True):
            share += chance if (cents > 0) - (cents < 0) == sign else 0
        return share

    def __repr__(self) -> str:
        mean = float(self.mean_cents) / 100
        return f"<PairedLaw of {self.name} less {self.against}: mean {mean:.4f}{dice_note(self.dice)}>"

    def _repr_html_(self) -> str:
        facts = [("mean difference", f"{float(self.mean_cents) / 100:,.4f}")]
        if self.law is not None:
            facts += [("ahead", chance_text(self.ahead or 0)), ("level", chance_text(self.ties or 0))]
        title = f"{self.name} less {self.against}: a session {self.terms}{dice_note(self.dice)}"
        return html_table(title, [*facts, *([("why no law", self.why)] if self.why else [])])


def analyze_against(
    rules: Rules,
    strategy: Strategy | str,
    against: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    exact: bool = False,
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    solving: Solving | None = None,
) -> PairedLaw:
    """Return how a strategy does against another on the same dice: the difference of what both have after a session.

    `exact` gives fractions, where nobody can be short of money within the rolls.

    >>> terms = Terms(bankroll_cents=500_00, rolls=20)
    >>> found = analyze_against(Rules.of("maryland"), "pass", "dont_pass", terms, exact=True)
    >>> f"{float(found.mean_cents):.4f} {float(found.ahead):.6f} {float(found.ties):.6f}"
    '272.0148 0.439917 0.142445'
    """
    how = {"short": short, "exact": exact, "budget": budget, "dice": dice, "solving": solving}
    both = [analyze(rules, played, terms, **how) for played in (strategy, against)]  # type: ignore[arg-type] # by name
    mean = _mean(both[0]) - _mean(both[1])
    law, error, why = _difference(rules, (strategy, against), terms, both, exact=exact, budget=budget)
    names = {"name": both[0].name, "against": both[1].name}
    return PairedLaw(**names, terms=terms, mean_cents=mean, law=law, error=error, why=why, dice=dice)


def _mean(analysis: Analysis) -> float | Fraction:
    """Return the mean of what somebody has after a session; without a law, of somebody who is never short."""
    if analysis.law is not None:
        return analysis.law.mean_cents
    assert analysis.moments is not None
    return analysis.moments.mean


def _difference(
    rules: Rules,
    pair: tuple[Strategy | str, Strategy | str],
    terms: Terms,
    both: Sequence[Analysis],
    *,
    exact: bool,
    budget: int,
) -> tuple[_Law | None, float, str]:
    """Return the law of the difference, its error, and why there is none."""
    stops = (terms.goal_cents, terms.shooter_loss_cents, terms.stop_loss_cents, terms.trailing_stop_cents)
    if any(stop is not None for stop in stops):
        return None, 0.0, f"players who stop by money ({terms}) stop at different rolls; {_SIMULATE}"
    dice = both[0].dice
    parts, shorts = [], []
    for played, analysis in zip(pair, both, strict=True):
        strategy = strategy_of(played, rules) if isinstance(played, str) else played
        whole = network(rules, strategy, budget=budget).on_dice(dice).whole
        if whole is None or analysis.law is None:
            return None, 0.0, f"{analysis.name} has more than {budget:,} states; raise the budget, or {_SIMULATE}"
        parts.append(whole)
        shorts.append((rational_law if exact else session_law)(lump(whole, marks=_MARKS), terms).ruin)
    if (short := max(shorts)) > SHORT_MAX:
        name = both[shorts.index(short)].name
        why = f"{name} is short of money before the end with a chance of {chance_text(short)}"
        return None, 0.0, f"{why}; bring more than {dollars(terms.bankroll_cents)}, or {_SIMULATE}"
    product = _less(*parts, budget=budget)
    if product is None:
        states = " x ".join(f"{len(part):,}" for part in parts)
        return None, 0.0, f"both have {states} states, more than {budget:,} together; raise the budget, or {_SIMULATE}"
    solve = rational_law if exact and not any(shorts) else session_law
    law: _Law = solve(product, replace(terms, bankroll_cents=0))
    return law, law.error + float(sum(shorts)), ""


_SIMULATE = "passline simulate compares them session by session"
_MARKS = HAND | LINE | WON
_NEVER_SHORT = -(1 << 40)  # units: no difference is so far below 0


def _less(first: Automaton, second: Automaton, *, budget: int) -> Automaton | None:
    """Return the product in which equity is that of the first less that of the second, and nobody is ever short."""
    plain = [
        replace(
            part,
            cash=part.cash * sign,
            outlay=np.zeros_like(part.outlay),
            short=np.full_like(part.short, -1),
            mark=part.mark & np.uint8(_MARKS),
            policy="stop",
        )
        for part, sign in ((first, 1), (second, -1))
    ]
    product = multiply(plain[0], plain[1], budget=budget)
    return None if product is None else replace(product, outlay=np.full_like(product.outlay, _NEVER_SHORT))
