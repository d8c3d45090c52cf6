"""What a strategy does in a session: compiled, lumped and solved; or its moments, and why no more is known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from passline.automaton.arrays import HAND, LINE, Automaton, Short
from passline.automaton.compiler import Progress
from passline.automaton.minimise import lumped
from passline.automaton.network import BUDGET, Network, network
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionError, SessionLaw, Solving, Terms
from passline.exact.session.moments import Moments, moments
from passline.exact.session.rational_law import rational_law
from passline.money import dollars
from passline.rules.rules import Rules
from passline.rules.schema import cites_of
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

__all__ = ["Analysis", "analyze"]


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The law of a strategy's session; where it is out of reach, mean and deviation without ruin, and why."""

    name: str
    parts: tuple[tuple[str, int], ...]
    """The automata it came to, each with its states."""
    law: SessionLaw[float] | SessionLaw[Fraction] | None = None
    moments: Moments | None = None
    why: str = ""
    """Why there is no law."""


def analyze(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    exact: bool = False,
    budget: int = BUDGET,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Analysis:
    """Give the law of a session in float64 with a bound on its error, or as exact rationals.

    >>> found = analyze(Rules.of("maryland"), "pass", Terms(bankroll_cents=100_00, rolls=10), exact=True)
    >>> found.law.ruin, f"{float(found.law.mean_cents):.4f}"
    (Fraction(0, 1), '10084.9034')
    """
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    if budget < 1:
        raise SessionError(f"a budget of {budget} states: there is at least one")
    found = network(rules, played, short=short, budget=budget, progress=progress)
    parts = tuple(zip(found.names, map(len, found.parts), strict=True))
    if not any(part.outlay.any() for part in found.parts):
        raise SessionError(f"{played.name} never makes a wager: there is nothing to analyze")
    _must_be_funded(rules, found, terms)
    if found.whole is None:
        known, why = _moments_only(found, terms, budget)
        return Analysis(name=played.name, parts=parts, moments=known, why=why)
    automaton = lumped(found.whole, marks=_marks(terms))
    solve = rational_law if exact else session_law
    return Analysis(name=played.name, parts=parts, law=solve(automaton, terms, solving=solving))


def _marks(terms: Terms) -> int:
    """The marks that the terms of a session ask about; without the others more states are alike."""
    hands = HAND if terms.hands is not None or terms.shooter_loss_cents is not None else 0
    return hands | (LINE if terms.decisions is not None else 0)


def _must_be_funded(rules: Rules, found: Network, terms: Terms) -> None:
    """Refuse a bankroll that does not pay for the first acts, nor for any that the player would fall back on."""
    needed = sum(_first_outlay(part, terms.bankroll_cents) for part in found.parts)
    if terms.bankroll_cents < needed:
        clause = ", ".join(cites_of(rules.rulebook.general.limits.min.cite))
        raise SessionError(
            f"a bankroll of {dollars(terms.bankroll_cents)} is less than the {dollars(needed)} that the first wagers "
            f"call for; the table's minimum is {dollars(rules.house.wager_cents_min)} [{clause}]"
        )


def _first_outlay(part: Automaton, cents: int) -> int:
    state = 0
    while cents < part.outlay[state] * part.unit and part.short[state] >= 0:
        state = int(part.short[state])
    return int(part.outlay[state]) * part.unit


def _moments_only(found: Network, terms: Terms, budget: int) -> tuple[Moments, str]:
    sizes = " x ".join(f"{len(part):,}" for part in found.parts)
    others = (terms.goal_cents, terms.decisions, terms.hands, terms.shooter_loss_cents)
    if terms.rolls is None or any(one is not None for one in others):
        raise SessionError(
            f"{' and '.join(found.names)} have {sizes} states, more than {budget:,} together: without their product "
            "only mean and deviation after some rolls can be given, and no other limit; raise --budget, or drop a part"
        )
    why = (
        f"{' and '.join(found.names)} have {sizes} states, more than {budget:,} together: mean and deviation "
        "are those of a player who is never short; a larger --budget may give the law"
    )
    return moments(found, terms.rolls), why
