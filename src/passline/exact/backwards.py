"""Sessions solved backwards: the bankroll, the goal or the rolls for a chance, with the values on either side of it.

Each answer is the end of a monotone search. Under the policy "stop" a larger bankroll plays the same wagers on the same
dice and is ruined on fewer of them; whoever reaches a goal has passed every lower one; what has happened by a roll has
happened by the next. Other policies change what is wagered with the bankroll, so that ruin need not fall with it.
A chance in float64 that lies closer to the one asked for than its error is computed again as a fraction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate

from passline.automaton.arrays import Automaton, Short
from passline.automaton.compiler import Progress
from passline.automaton.network import BUDGET
from passline.automaton.terms import SessionError, Terms, first_outlay_cents
from passline.chances import chance_text
from passline.dice_weights import FAIR, DiceWeights
from passline.exact.analysis import solvable_automaton
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.rational_law import rational_law
from passline.money import dollars
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

ROLLS_MAX = 1 << 17
"""The most rolls that the time to a goal or to ruin is looked for in."""
_ROLLS_FIRST = 256
_GOALS_MAX = 1 << 30  # units above the bankroll: no session wins so much
_Law = SessionLaw[float] | SessionLaw[Fraction]


@dataclass(frozen=True)
class Side:
    """A value on one side of an answer, and its chance."""

    value: int
    chance: float | Fraction


@dataclass(frozen=True, kw_only=True)
class Bracket:
    """The value that just meets a chance, the next one that fails it or None, and how many sessions were solved."""

    name: str
    asked: Fraction
    meets: Side
    fails: Side | None
    solved: int


class _Session:
    """The sessions of one automaton on terms that vary, each solved at most once."""

    def __init__(self, name: str, automaton: Automaton, asked: Fraction, solving: Solving | None) -> None:
        self.name, self.automaton, self.asked = name, automaton, asked
        self._solving = solving
        self._known: dict[tuple[Terms, bool], _Law] = {}

    def law(self, terms: Terms, *, exact: bool = False) -> _Law:
        if (terms, exact) not in self._known:
            solve = rational_law if exact else session_law
            self._known[terms, exact] = solve(self.automaton, terms)
            if self._solving:
                self._solving(len(self._known), None)
        return self._known[terms, exact]

    def chance(self, terms: Terms, read: Callable[[_Law], float | Fraction]) -> float | Fraction:
        """Return a chance of the law on these terms; as a fraction where float64 cannot tell it from the one asked."""
        law = self.law(terms)
        found = read(law)
        is_clear = abs(Fraction(found) - self.asked) > Fraction(law.error)
        if is_clear or terms.rolls is None or terms.shooter_loss_cents is not None:  # which have no law in fractions
            return found
        return read(self.law(terms, exact=True))

    def bracket(self, meets: Side, fails: Side | None) -> Bracket:
        return Bracket(name=self.name, asked=self.asked, meets=meets, fails=fails, solved=len(self._known))


def smallest_bankroll(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    ruin_at_most: Fraction,
    short: Short = "stop",
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Bracket:
    """Return the smallest bankroll, in whole units of the strategy's amounts, with at most this chance of ruin.

    >>> from passline.automaton.terms import Terms
    >>> terms = Terms(bankroll_cents=100_00, rolls=50)
    >>> found = smallest_bankroll(Rules.of("maryland"), "pass", terms, ruin_at_most=Fraction(1, 20))
    >>> found.meets.value, f"{found.meets.chance:.4f}", found.fails.value, f"{found.fails.chance:.4f}"
    (8000, '0.0349', 7000, '0.0664')
    """
    if short != "stop" or terms.shooter_loss_cents is not None:
        raise SessionError(
            f'short="{short}": what is wagered then depends on the bankroll, and ruin need not fall with it; the '
            "smallest bankroll is known for a player who leaves when short (stop)"
        )
    if not ruin_at_most and terms.rolls is None:
        raise SessionError("without a number of rolls no bankroll is safe: ask for more than 0, or limit rolls")
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    if played.bankroll_cents is not None:
        raise SessionError(
            f"{played.name} plays from {dollars(played.bankroll_cents)} alone: no other bankroll is asked"
        )
    compiled = solvable_automaton(rules, played, terms, short=short, budget=budget, dice=dice, progress=progress)
    session, unit = _Session(compiled.name, compiled.automaton, ruin_at_most, solving), compiled.automaton.unit
    least = first_outlay_cents((compiled.automaton,), 0) // unit
    most = None if terms.goal_cents is None else (terms.goal_cents - 1) // unit

    def ruin(units: int) -> float | Fraction:
        return session.chance(replace(terms, bankroll_cents=units * unit), lambda law: law.ruin)

    if most is not None and (most < least or ruin(most) > ruin_at_most):
        shown = f"even with {dollars(most * unit)} it is {chance_text(ruin(most))}" if most >= least else "no bankroll"
        raise SessionError(
            f"ruin of at most {chance_text(ruin_at_most)} before a goal of {dollars(terms.goal_cents or 0)} cannot be "
            f"had: {shown}"
        )
    high = _first_that_meets(lambda units: ruin(units) <= ruin_at_most, least, most)
    below = least - 1 if high == least else max(least - 1, high // 2)
    low, high = _bisect(lambda units: ruin(units) <= ruin_at_most, below, high)
    fails = Side(low * unit, ruin(low)) if low >= least else None
    return session.bracket(Side(high * unit, ruin(high)), fails)


def highest_goal(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    goal_at_least: Fraction,
    short: Short = "stop",
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Bracket:
    """Return the highest goal, in whole units above the bankroll, that is reached with at least this chance.

    >>> terms = Terms(bankroll_cents=100_00, rolls=50)
    >>> found = highest_goal(Rules.of("maryland"), "pass", terms, goal_at_least=Fraction(1, 4))
    >>> found.meets.value, f"{found.meets.chance:.4f}", found.fails.value, f"{found.fails.chance:.4f}"
    (14000, '0.2925', 15000, '0.1920')
    """
    if not goal_at_least:
        raise SessionError("every goal is reached with a chance of at least 0: ask for more")
    compiled = solvable_automaton(rules, strategy, terms, short=short, budget=budget, dice=dice, progress=progress)
    session, unit = _Session(compiled.name, compiled.automaton, goal_at_least, solving), compiled.automaton.unit

    def goal(units: int) -> float | Fraction:
        return session.chance(replace(terms, goal_cents=terms.bankroll_cents + units * unit), lambda law: law.goal)

    if goal(1) < goal_at_least:
        raise SessionError(
            f"no goal is reached with a chance of {chance_text(goal_at_least)}: even "
            f"{dollars(terms.bankroll_cents + unit)} is reached with only {chance_text(goal(1))}"
        )
    high = _first_that_meets(lambda units: goal(units) < goal_at_least, 2, _GOALS_MAX)
    low, high = _bisect(lambda units: goal(units) < goal_at_least, max(1, high // 2), high)
    sides = [Side(terms.bankroll_cents + units * unit, goal(units)) for units in (low, high)]
    return session.bracket(*sides)


def fewest_rolls(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    chance: Fraction,
    short: Short = "stop",
    budget: int = BUDGET,
    dice: DiceWeights = FAIR,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Bracket:
    """Return the fewest rolls within which the goal is reached, or without a goal the player ruined, so likely.

    >>> terms = Terms(bankroll_cents=100_00, rolls=1, goal_cents=150_00)
    >>> found = fewest_rolls(Rules.of("maryland"), "pass", terms, chance=Fraction(1, 4))
    >>> found.meets.value, f"{found.meets.chance:.4f}", found.fails.value, f"{found.fails.chance:.4f}"
    (67, '0.2528', 66, '0.2496')
    """
    if not chance or terms.decisions is not None or terms.hands is not None:
        raise SessionError("the rolls for a chance need a chance above 0, and no limit of line decisions or hands")
    compiled = solvable_automaton(rules, strategy, terms, short=short, budget=budget, dice=dice, progress=progress)
    session = _Session(compiled.name, compiled.automaton, chance, solving)
    is_goal = terms.goal_cents is not None
    rolls = _ROLLS_FIRST
    while True:
        law = session.law(replace(terms, rolls=rolls))
        # A session of N rolls is over at roll N before anybody is ruined there, so its ruin is that before roll N.
        by_roll = law.goal_by_roll if is_goal else (0.0, *law.ruin_by_roll)
        reached = list(accumulate(map(float, by_roll)))[: rolls + 1]
        if reached[-1] >= chance:
            break
        most = reached[-1] + float(sum(law.limit_by_roll)) + law.error
        if most < chance or rolls >= ROLLS_MAX:
            what = f"the goal of {dollars(terms.goal_cents or 0)} is reached" if is_goal else "the player is ruined"
            raise SessionError(
                f"in {rolls:,} rolls {what} with a chance of {chance_text(reached[-1])}, and "
                + (f"never of {chance_text(chance)}" if most < chance else "later ones were not looked at")
            )
        rolls *= 2

    def by(count: int) -> float | Fraction:
        return session.chance(replace(terms, rolls=count), lambda law: law.goal if is_goal else law.ruin)

    first = next(n for n, value in enumerate(reached) if value >= chance)
    while by(first) < chance:  # where float64 was off by its error
        first += 1
    while first > 1 and by(first - 1) >= chance:
        first -= 1
    fails = Side(first - 1, by(first - 1)) if first > 1 else None
    return session.bracket(Side(first, by(first)), fails)


def _first_that_meets(meets: Callable[[int], bool], first: int, most: int | None) -> int:
    """Return a value that meets, doubling from `first`; `most` is known to."""
    value = max(1, first)
    while not meets(value):
        value = 2 * value if most is None else min(2 * value, most)
    return value


def _bisect(meets: Callable[[int], bool], low: int, high: int) -> tuple[int, int]:
    """Return the last value that fails and the first that meets; `low` fails or is below all values, `high` meets."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return low, high
