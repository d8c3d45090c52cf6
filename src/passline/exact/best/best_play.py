"""Best play: the best value that lawful play of a menu reaches for a purpose, its policy, and the gap."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from passline.automaton.compiler import Progress
from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.automaton.decisions.compiler import TooManyDecisions, compile_decisions, size_of
from passline.automaton.decisions.menu import Menu
from passline.automaton.terms import SessionError
from passline.chances import chance_text
from passline.exact.best.limited import Limited, money_most, solve_limited
from passline.exact.best.policy_text import policy_text
from passline.exact.best.purpose import Purpose
from passline.exact.best.rational import exact_value
from passline.exact.best.unlimited import SCALE, Improving, Unlimited, solve_unlimited
from passline.notebook import html_table
from passline.rules.rules import Rules

CELLS_MAX = 40_000_000
"""The most cells (positions times money) whose values are held: three tables of eight bytes for each."""
_POLICY_MAX = 1_500_000_000  # bytes of the acts of limited play
_WORK_MAX = 4 * 10**10  # cells times acts times rolls: some minutes
_HOPELESS = 2  # times that, by the sizes alone: refused before anything is explored


@dataclass(frozen=True, eq=False, kw_only=True)
class BestPlay:
    """The best play of a menu for a purpose."""

    automaton: DecisionAutomaton
    purpose: Purpose
    solution: Unlimited | Limited
    exact: Fraction | None
    """The value as a fraction, where that was asked for or comes by itself, and was feasible."""

    def __repr__(self) -> str:
        return f"<BestPlay: {self.purpose}, {self.automaton.menu}: {self.value:.9f}>"

    def _repr_html_(self) -> str:
        return html_table(f"Best play: {self.purpose}", self.facts())

    @cached_property
    def _bounds(self) -> tuple[Fraction, Fraction]:
        """The bounds on the value, in chances, rolls or cents."""
        start, found = self._start, self.solution
        if isinstance(found, Unlimited):
            low, high = (Fraction(int(table[0, start]), SCALE) for table in (found.lowers, found.uppers))
            return (low, high) if self.exact is None else (self.exact, self.exact)
        low, gap = Fraction(int(found.values[0, start]), found.scale), Fraction(found.error, found.scale)
        if self.purpose.kind == "least_loss":
            low, gap = low * self.automaton.unit + self._left_over, gap * self.automaton.unit
        return low, low + gap

    @property
    def _left_over(self) -> int:
        return self.purpose.bankroll_cents % self.automaton.unit

    @property
    def _start(self) -> int:
        return self.purpose.bankroll_cents // self.automaton.unit

    @property
    def value(self) -> float:
        """What the policy reaches at least: a chance, or a mean number of rolls, or mean money at the end in cents."""
        return float(self._bounds[0])

    @property
    def upper(self) -> float:
        """What no lawful play of the menu exceeds."""
        return float(self._bounds[1])

    @property
    def gap(self) -> float:
        """How far the policy can be from the best lawful play of the menu, at most; 0 where it is exact."""
        return float(self._bounds[1] - self._bounds[0])

    @cached_property
    def money_cents(self) -> NDArray[np.int64]:
        """The equity of each column of `policy` and `values`."""
        return np.arange(self.values.shape[1]) * self.automaton.unit + self._left_over

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """The rows of `policy` and `values` in words."""
        return tuple(map(str, self.automaton.positions))

    @cached_property
    def _act_numbers(self) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        labels = [self.automaton.label(act) for act in range(len(self.automaton.act_layout))]
        names = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        return tuple(names), np.array([names[label] for label in labels], dtype=np.int32)

    @property
    def acts(self) -> tuple[str, ...]:
        """The acts that `policy` numbers, in words."""
        return self._act_numbers[0]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The value of each position and equity, before the first roll."""
        if isinstance(self.solution, Unlimited):
            return self.solution.values
        scale = self.solution.scale / (self.automaton.unit if self.purpose.kind == "least_loss" else 1)
        return self.solution.values / scale

    def act_numbers(self, rolls_left: int | None = None) -> NDArray[np.int64]:
        """Return the number of the automaton's act for each position and equity; -1 where there is none."""
        if isinstance(self.solution, Unlimited):
            return self.solution.policy.astype(np.int64)
        left = len(self.solution.policies) if rolls_left is None else rolls_left
        found = self.solution.policies[left - 1].astype(np.int64)
        return np.where(found < 0, -1, found + self.automaton.act_first[:-1, None])

    def policy_at(self, rolls_left: int | None = None) -> NDArray[np.int32]:
        """Return the act of each position and equity, as a number of `acts`, with so many rolls left."""
        chosen = self.act_numbers(rolls_left)
        return np.where(chosen < 0, -1, self._act_numbers[1][chosen]).astype(np.int32)

    @cached_property
    def policy(self) -> NDArray[np.int32]:
        """The act of each position and equity before the first roll, as a number of `acts`; -1 where there is none."""
        return self.policy_at()

    @cached_property
    def staked_cents(self) -> NDArray[np.int64]:
        """What is up after acting in each position with each equity, before the first roll."""
        chosen = self.act_numbers()
        faces = self.automaton.layout_face[self.automaton.act_layout[chosen]] * self.automaton.unit
        return np.where(chosen < 0, 0, faces)

    def table(self, position: int = 0, rolls_left: int | None = None) -> list[tuple[int, int, str]]:
        """Return what to do in a position, as (from cents, to cents, act) for each run of equal acts."""
        acts = self.policy_at(rolls_left)[position]
        edges = [0, *(np.flatnonzero(np.diff(acts)) + 1).tolist(), len(acts)]
        return [
            (
                int(self.money_cents[low]),
                int(self.money_cents[high - 1]),
                self.acts[acts[low]] if acts[low] >= 0 else "",
            )
            for low, high in pairwise(edges)
        ]

    @property
    def name(self) -> str:
        """The name of the strategy."""
        return f"best_{self.purpose.kind}"

    def act_at(self, position: int, money: int, rolls: int = 0) -> int:
        """Return the number of the act in a position with so many units after so many rolls; -1 for none."""
        found = self.solution
        if isinstance(found, Unlimited):
            return int(found.policy[position, money])
        act = int(found.policies[len(found.policies) - 1 - rolls, position, money])
        return -1 if act < 0 else int(self.automaton.act_first[position]) + act

    def policy_text(self) -> str:
        """Return the policy as the text of a file that every command plays; keep it as NAME.policy."""
        played = f"{self.purpose}, by {self.automaton.menu}, under {self.automaton.rules.rulebook.name}"
        about = f"{played}: {self.value_text}"
        return policy_text(
            self.automaton, self.purpose, self.act_at, name=self.name, about=about, left_over=self._left_over
        )

    @property
    def value_text(self) -> str:
        """The value in words."""
        if self.purpose.is_chance:
            return chance_text(self.value)
        if self.purpose.kind == "longest":
            return f"{self.value:,.4f} rolls"
        return f"{self.value / 100:,.4f}"

    def facts(self) -> list[tuple[str, str]]:
        """Return what a reader asks first, as (label, value) in words."""
        label = {"longest": "mean rolls", "least_loss": "mean money at the end"}.get(self.purpose.kind, "chance")
        loss = [("mean loss", f"{(self.purpose.bankroll_cents - self.value) / 100:,.4f}")]
        first = int(self.act_numbers()[0, self._start])
        return [
            (label, self.value_text),
            *(loss if self.purpose.kind == "least_loss" else []),
            *([("as a fraction", str(self.exact))] if self.exact is not None else []),
            ("gap to the best lawful play", f"at most {self.gap:.1e}" if self.gap else "none: exact"),
            ("first act", self.automaton.label(first) if first >= 0 else "none"),
            ("positions, acts", f"{len(self.automaton):,}, {len(self.automaton.act_layout):,}"),
            ("cells", f"{self.values.size:,}"),
        ]


def best(
    rules: Rules,
    menu: Menu,
    purpose: Purpose,
    *,
    exact: bool = False,
    progress: Progress | None = None,
    improving: Improving | None = None,
) -> BestPlay:
    """Return the best lawful play of a menu for a purpose, proved up to the gap that it states.

    Acts have at most the goal, or else the bankroll, up. With `exact` the value is a fraction, where that is feasible.

    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> purpose = Purpose.goal(bankroll_cents=500_00, goal_cents=1000_00)
    >>> found = best(rules, menu_of("pass", rules, unit_cents=100_00), purpose, exact=True)
    >>> found.exact, found.table()[4:6]
    (Fraction(244, 495), [(40000, 40000, 'pass 400.00'), (50000, 50000, 'pass 500.00')])
    """
    most = max(purpose.bankroll_cents, purpose.target_cents - 1)
    size = size_of(rules, menu, most)
    if purpose.rolls and (work := size.layouts * purpose.rolls * most // menu.unit_cents) > _HOPELESS * _WORK_MAX:
        raise TooManyDecisions(
            f"{purpose} by {menu}: {size}, times money, times {purpose.rolls:,} rolls are about {work:.0e} values of "
            f"acts (at most {_WORK_MAX:,}): choose fewer rolls; or {size.advice()}"
        )
    automaton = compile_decisions(rules, menu, most_cents=most, progress=progress)
    if not (~automaton.is_waiting[: automaton.act_first[1]]).any():
        raise SessionError(f"{menu}: no wager of the menu can be made on a come-out roll; add one, such as pass")
    if purpose.rolls is None:
        return _best_unlimited(automaton, purpose, exact=exact, improving=improving)
    return _best_limited(automaton, purpose, improving)


def _best_unlimited(
    automaton: DecisionAutomaton, purpose: Purpose, *, exact: bool, improving: Improving | None
) -> BestPlay:
    left_over = purpose.bankroll_cents % automaton.unit
    goal = -(-(purpose.target_cents - left_over) // automaton.unit)
    _check_cells(automaton, purpose, goal, len(automaton.act_layout) * goal)
    found = solve_unlimited(automaton, goal, improving=improving)
    fraction = exact_value(automaton, found, goal, purpose.bankroll_cents // automaton.unit) if exact else None
    return BestPlay(automaton=automaton, purpose=purpose, solution=found, exact=fraction)


def _best_limited(automaton: DecisionAutomaton, purpose: Purpose, improving: Improving | None) -> BestPlay:
    money = money_most(automaton, purpose) + 1
    rolls = purpose.rolls or 0
    _check_cells(automaton, purpose, money, len(automaton.act_layout) * money * rolls)
    if (size := 2 * rolls * len(automaton) * money) > _POLICY_MAX:
        raise TooManyDecisions(
            f"{purpose}: its acts for every roll take {size:,} bytes, more than {_POLICY_MAX:,}: choose fewer rolls or "
            "a larger unit, or leave sizes out of the menu"
        )
    found = solve_limited(automaton, purpose, stepping=(lambda done, _all: improving(done, 0.0)) if improving else None)
    exact = None
    if not found.error:
        exact = Fraction(int(found.values[0, purpose.bankroll_cents // automaton.unit]), found.scale)
        if purpose.kind == "least_loss":
            exact = exact * automaton.unit + purpose.bankroll_cents % automaton.unit
    return BestPlay(automaton=automaton, purpose=purpose, solution=found, exact=exact)


def _check_cells(automaton: DecisionAutomaton, purpose: Purpose, money: int, work: int) -> None:
    cells = len(automaton) * money
    if cells > CELLS_MAX or work > _WORK_MAX:
        raise TooManyDecisions(
            f"{purpose} by {automaton.menu}: {len(automaton):,} positions times {money:,} amounts of money are "
            f"{cells:,} cells (at most {CELLS_MAX:,}), and {work:,} values of acts (at most {_WORK_MAX:,}): choose a "
            "larger unit or fewer rolls, or leave sizes out of the menu"
        )
