"""`analyze`: compile a strategy and solve its session; if that needs too much memory, only mean and deviation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.automaton.arrays import HAND, LINE, WON, Automaton, Short
from passline.automaton.compiler import STATES_MAX, Progress, compile_to_the_end
from passline.automaton.guarded import guarded_network
from passline.automaton.minimise import lump
from passline.automaton.network import BUDGET, Network, network
from passline.automaton.terms import SessionError, Terms, check_goal, check_made_for, check_policy, first_outlay_cents
from passline.dice_weights import FAIR, DiceWeights, dice_note
from passline.exact.session.fall_size import FallSize, check_fall, fall_size
from passline.exact.session.finished import finished_law
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.rational_law import rational_law
from passline.money import dollars
from passline.notebook import html_table
from passline.rules.rules import Rules
from passline.rules.rules_argument import must_be_rules
from passline.rules.schema import cites_of
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

if TYPE_CHECKING:
    from passline.exact.session.moments import Moments


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The law of a strategy's session; where it is out of reach, mean and deviation without ruin, and the reason."""

    name: str
    parts: tuple[tuple[str, int], ...]
    """The name and the number of states of each automaton of the strategy."""
    law: SessionLaw[float] | SessionLaw[Fraction] | None = None
    moments: Moments | None = None
    why: str = ""
    """Why there is no law; empty if there is one."""
    fall: FallSize | None = None
    """The size of the law with a trailing stop."""
    dice: DiceWeights = FAIR
    """The dice, where they are not the game's."""

    def __repr__(self) -> str:
        states = " + ".join(f"{states:,}" for _name, states in self.parts)
        return f"<Analysis of {self.name}, {states} states: {self.law or self.moments}{dice_note(self.dice)}>"

    def _repr_html_(self) -> str:
        if self.law is not None:
            return html_table(f"{self.name}: a session {self.law.terms}{dice_note(self.dice)}", self.law.facts())
        known = self.moments
        assert known is not None
        facts = [("mean won", dollars(round(known.mean))), ("standard deviation", dollars(round(known.sd)))]
        return html_table(
            f"{self.name}: {known.rolls:,} rolls{dice_note(self.dice)}", [*facts, ("why no law", self.why)]
        )


def analyze(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    finish: bool = False,
    exact: bool = False,
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Analysis:
    """Return the law of a session, in float64 with a bound on its error or, if `exact`, in rationals.

    Wagers that are up when the session ends count at face; with `finish` they are played out and nothing new is made.
    `dice` are other dice than the game's, such as `dice_named("biased:srr=6.5")`.

    >>> from passline.dice_weights import dice_of_rolls_to_seven
    >>> found = analyze(Rules.of("maryland"), "pass", Terms(bankroll_cents=100_00, rolls=10), exact=True)
    >>> found.law.ruin, f"{float(found.law.mean_cents):.4f}"
    (Fraction(0, 1), '10084.9034')
    >>> terms = Terms(bankroll_cents=100_00, rolls=10)
    >>> biased = analyze(Rules.of("maryland"), "pass", terms, dice=dice_of_rolls_to_seven(7))
    >>> f"{biased.law.mean_cents:.4f}"
    '10139.6309'
    """
    check_goal(terms)
    if finish and (exact or terms.rolls is None or any(limit is not None for limit in _not_finished(terms))):
        raise SessionError(
            "wagers are played out after a number of rolls, at a goal, a stop loss or in ruin, in float64: give rolls, "
            "and leave out exact fractions, line decisions, hands, a loss limit per shooter, a trailing stop, streaks"
        )
    played, found = _compile(
        rules, strategy, terms, short=short, budget=budget, dice=dice, progress=progress, guards=True
    )
    if finish and played.reads_money:
        raise SessionError(f"{played.name} reads its money, so what it would play out is not known: leave out finish")
    parts = tuple(zip(found.names, map(len, found.parts), strict=True))
    _must_be_funded(rules, found, terms)
    if found.whole is None:
        if finish:
            raise SessionError(f"{played.name} has no law to play out: raise the budget, or drop a part")
        known, why = _moments_only(found, terms, budget, solving)
        return Analysis(name=played.name, parts=parts, moments=known, why=why, dice=dice)
    automaton = lump(found.whole, marks=_marks(terms), with_action=True)
    fall = _size_of_fall(automaton, terms)
    law = (rational_law if exact else session_law)(automaton, terms, solving=solving)
    if finish:
        whole = compile_to_the_end(rules, played, short=short, progress=progress)
        on_dice = replace(whole, automaton=replace(whole.automaton, weights=dice.weights))
        law = finished_law(law, on_dice, solving=solving)  # type: ignore[arg-type] # in float64, as was checked above
    return Analysis(name=played.name, parts=parts, law=law, fall=fall, dice=dice)


def _size_of_fall(automaton: Automaton, terms: Terms) -> FallSize | None:
    """Return the size of a law with a trailing stop, None without one; raise SessionError if it is too large."""
    if terms.trailing_stop_cents is None:
        return None
    size = fall_size(automaton, terms, states=len(automaton))
    check_fall(size)
    return size


def _compile(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short,
    budget: int,
    dice: DiceWeights,
    progress: Progress | None,
    guards: bool = False,
) -> tuple[Strategy, Network]:
    """Compile a strategy; with guards also one that reads its money, for the bankroll of these terms."""
    check_policy(short)
    rules = must_be_rules(rules)
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    check_made_for(played, terms)
    if budget < 1:
        raise SessionError(f"a budget of {budget} states: it must be at least 1")
    found = None
    if guards and played.reads_money:
        found = guarded_network(rules, played, terms, states_max=STATES_MAX, short=short, progress=progress)
    if found is None:
        found = network(rules, played, short=short, budget=budget, progress=progress)
    if not any(part.outlay.any() for part in found.parts):
        raise SessionError(f"{played.name} never makes a wager: there is nothing to analyze")
    return played, found.on_dice(dice)


@dataclass(frozen=True)
class Solvable:
    """The automaton of a whole strategy, with the states that terms of this kind cannot tell apart merged."""

    name: str
    automaton: Automaton


def solvable_automaton(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    progress: Progress | None = None,
) -> Solvable:
    """Return the automaton that the laws of a strategy's sessions are solved on; raise SessionError if it is too large.

    >>> terms = Terms(bankroll_cents=500_00, rolls=200)
    >>> len(solvable_automaton(Rules.of("maryland"), "molly", terms).automaton)
    17
    """
    played, found = _compile(rules, strategy, terms, short=short, budget=budget, dice=dice, progress=progress)
    if found.whole is None:
        raise SessionError(f"{played.name} has no law: raise the budget of {budget:,} states, or drop a part")
    return Solvable(played.name, lump(found.whole, marks=_marks(terms), with_action=True))


def _marks(terms: Terms) -> int:
    """Return the marks that the terms depend on; without the others more states are alike."""
    marks, _ = terms.counted
    if terms.shooter_loss_cents is not None:
        marks |= HAND
    return marks | LINE | WON if terms.line_wins is not None or terms.line_losses is not None else marks


def _not_finished(terms: Terms) -> tuple[int | None, ...]:
    """Return the limits of a session that wagers are not played out after."""
    counts = (terms.decisions, terms.hands, terms.line_wins, terms.line_losses)
    return (*counts, terms.shooter_loss_cents, terms.trailing_stop_cents)


def _must_be_funded(rules: Rules, found: Network, terms: Terms) -> None:
    """Check that the bankroll pays for the first wagers, or for those that the player falls back on."""
    needed = first_outlay_cents(found.parts, terms.bankroll_cents)
    if terms.bankroll_cents < needed:
        clause = ", ".join(cites_of(rules.rulebook.general.limits.min.cite))
        raise SessionError(
            f"a bankroll of {dollars(terms.bankroll_cents)} is less than the {dollars(needed)} that the first wagers "
            f"call for; the table's minimum is {dollars(rules.house.wager_cents_min)} [{clause}]"
        )


def _moments_only(found: Network, terms: Terms, budget: int, solving: Solving | None) -> tuple[Moments, str]:
    sizes = " x ".join(f"{len(part):,}" for part in found.parts)
    others = (terms.goal_cents, terms.stop_loss_cents, *_not_finished(terms))
    if terms.rolls is None or any(limit is not None for limit in others):
        raise SessionError(
            f"{' and '.join(found.names)} have {sizes} states, more than {budget:,} together: without their product "
            "only mean and deviation after so many rolls are known; limit only rolls, raise --budget, or drop a part"
        )
    why = (
        f"{' and '.join(found.names)} have {sizes} states, more than {budget:,} together: mean and deviation "
        "are those of a player who is never short; a larger --budget may give the law"
    )
    from passline.exact.session.moments import moments  # noqa: PLC0415 - its kernels take long to import

    return moments(found, terms.rolls, solving=solving), why
