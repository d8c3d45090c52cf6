"""The exact return of a side wager: one linear equation for every state it can reach, from the engine's outcomes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from passline.dice import OUTCOMES
from passline.game.position import Wager
from passline.game.wagers import outcome_of
from passline.rules.rules import Rules

State = tuple[int, tuple[int, ...]]
"""The puck, and the wager's progress."""
_WAYS = Counter(roll.total for roll in OUTCOMES)
CHANCES = {
    roll: Fraction(_WAYS[roll.total], sum(_WAYS.values())) for roll in {one.total: one for one in OUTCOMES}.values()
}


def exact_return(rules: Rules, kind: str) -> Fraction:
    """Return the expected value of one unit, stake included, made before a come-out roll and left up to its end."""
    equations: dict[State, tuple[Fraction, dict[State, Fraction]]] = {}
    found: list[State] = [(0, ())]
    while found:
        state = found.pop()
        if state not in equations:
            equations[state] = _equation(rules, kind, state)
            found += equations[state][1]
    return _solved(equations, (0, ()))


def _equation(rules: Rules, kind: str, state: State) -> tuple[Fraction, dict[State, Fraction]]:
    """Return what a roll pays on average, and the states it leads to with their probabilities."""
    puck, progress = state
    paid, leads_to = Fraction(0), dict[State, Fraction]()
    for roll, chance in CHANCES.items():
        outcome = outcome_of(rules, Wager(1, "player", kind, 0, 0, progress=progress), puck=puck, roll=roll)
        if outcome.does in {"win", "pay"}:
            assert outcome.payout is not None
            paid += chance * (outcome.payout.pays.ratio + (outcome.does == "win"))
        if outcome.does == "return":
            paid += chance
        if outcome.does in {"stay", "advance", "pay"}:
            on = 0 if puck and roll.total in {puck, 7} else puck or (roll.total if roll.total in rules.points else 0)
            after = (on, progress if outcome.does == "stay" else outcome.progress)
            leads_to[after] = leads_to.get(after, Fraction(0)) + chance
    return paid, leads_to


def _solved(equations: dict[State, tuple[Fraction, dict[State, Fraction]]], start: State) -> Fraction:
    """Solve the equations by substitution and return the value of the start."""
    used_by: dict[State, set[State]] = {state: set() for state in equations}
    for state, (_paid, leads_to) in equations.items():
        for after in leads_to:
            used_by[after].add(state)
    for state in [one for one in reversed(equations) if one != start] + [start]:
        paid, leads_to = equations.pop(state)
        again = 1 - leads_to.pop(state, Fraction(0))
        paid, leads_to = paid / again, {after: chance / again for after, chance in leads_to.items()}
        if state == start:
            assert not leads_to
            return paid
        for user in used_by[state] & set(equations):
            before, chances = equations[user]
            chance = chances.pop(state)
            for after, further in leads_to.items():
                chances[after] = chances.get(after, Fraction(0)) + chance * further
                used_by[after].add(user)
            equations[user] = (before + chance * paid, chances)
    raise AssertionError


def best_return(rules: Rules, kind: str, progress: tuple[int, ...] = ()) -> Fraction:
    """Return the expected value of one unit on a run that is taken down whenever that is worth more."""
    total, again = Fraction(0), Fraction(0)
    for roll, chance in CHANCES.items():
        outcome = outcome_of(rules, Wager(1, "player", kind, 0, 0, progress=progress), puck=0, roll=roll)
        if outcome.does == "win":
            assert outcome.payout is not None
            total += chance * (outcome.payout.pays.ratio + 1)
        elif outcome.does == "advance" and outcome.progress[0]:
            total += chance * max(Fraction(1), best_return(rules, kind, outcome.progress))
        elif outcome.does in {"advance", "stay"}:
            again += chance
    return total / (1 - again)
