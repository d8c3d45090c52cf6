"""The compiler of decisions: explores positions breadth first, with every lawful act of the menu and every roll.

It says how large a menu is before it explores, from the sizes alone, and refuses what two cores would not hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import gcd, prod

import numpy as np

from passline.automaton.arrays import OUTCOMES
from passline.automaton.compiler import Progress
from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.automaton.decisions.menu import Menu, MenuItem
from passline.automaton.decisions.menu_seat import LawfulAct, MenuSeat, Situation
from passline.errors import CrapsError
from passline.game.position import Wager
from passline.money import dollars
from passline.rules.rules import Rules

LAYOUTS_MAX = 400_000
"""The most layouts that are explored: some hundred seconds, and a gigabyte."""
_PROGRESS_EVERY = 64
_NAMED = 3  # wagers of a menu whose sizes a message names


class TooManyDecisions(CrapsError):
    """A menu with more layouts or cells than two cores hold; the message says what to leave out."""


@dataclass(frozen=True)
class MenuSize:
    """How large the automaton of a menu can become, from its sizes alone."""

    sizes: tuple[tuple[str, int], ...]
    """How many sizes each wager has."""
    layouts: int
    """The most layouts that can stand, over all points."""

    def __str__(self) -> str:
        return f"at most {self.layouts:,} layouts"

    def advice(self) -> str:
        """Return what to leave out, the wagers with the most sizes first."""
        named = ", ".join(f"{name} with {count:,} sizes" for name, count in self.sizes[:_NAMED])
        return f"name fewer sizes ({named}), choose a larger unit, leave out a wager, or let fewer stand together"


def size_of(rules: Rules, menu: Menu, most_cents: int) -> MenuSize:
    """Return how large a menu can become when at most so much is up.

    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> size = size_of(rules, menu_of("pass, pass_odds", rules, unit_cents=10_00), 100_00)
    >>> size.layouts, size.sizes[0]
    (217, ('pass_odds', 34))
    """
    points = len(rules.points) + 1
    counts = {item: item.count_up_to(most_cents) for item in menu.items}
    bases = [item for item in menu.items if not rules.wagers[item.kind].behind]
    alone = [_layouts_behind(rules, menu, item, most_cents) for item in bases]
    layouts = points + sum(alone)
    if menu.together > 1:
        several = sum(prod(chosen) for n in range(2, menu.together + 1) for chosen in combinations(alone, n))
        layouts += several // points
    names: dict[str, int] = {}
    for item, count in counts.items():
        names[item.kind] = names.get(item.kind, 0) + count
    return MenuSize(tuple(sorted(names.items(), key=lambda named: -named[1])), layouts)


def _layouts_behind(rules: Rules, menu: Menu, base: MenuItem, most_cents: int) -> int:
    """Return at how many points and with how many odds a wager can stand, over its sizes."""
    odds = [item for item in menu.items if rules.wagers[item.kind].behind == base.kind]
    if not odds:
        return base.count_up_to(most_cents) * (len(rules.points) + 1)
    sizes = base.sizes_up_to(most_cents)
    return sum(1 + sum(1 + item.count_up_to(most_cents - size) for item in odds) for size in sizes)


def compile_decisions(
    rules: Rules, menu: Menu, *, most_cents: int, layouts_max: int = LAYOUTS_MAX, progress: Progress | None = None
) -> DecisionAutomaton:
    """Return the automaton of a menu whose acts have at most so much up.

    >>> from passline.automaton.decisions.menu import menu_of
    >>> rules = Rules.of("maryland")
    >>> compile_decisions(rules, menu_of("pass=10/20, pass_odds", rules, unit_cents=10_00), most_cents=40_00)
    <DecisionAutomaton of pass, pass_odds in units of 10.00: 19 positions, 35 acts, 35 layouts>
    """
    size = size_of(rules, menu, most_cents)
    if size.layouts > layouts_max:
        raise TooManyDecisions(
            f"{menu}, with up to {dollars(most_cents)} up, has {size}, more than {layouts_max:,}: {size.advice()}"
        )
    return _Exploration(MenuSeat(rules, menu), most_cents, layouts_max).explore(progress)


class _Exploration:
    """The positions, situations and layouts found so far, and their arrays as lists."""

    def __init__(self, seat: MenuSeat, most_cents: int, layouts_max: int) -> None:
        self.seat, self.most_cents, self.layouts_max = seat, most_cents, layouts_max
        self.positions: dict[Situation, int] = {}
        self.situations: dict[Situation, int] = {}
        self.position_of: list[int] = []  # of each situation
        self.layouts: dict[tuple[int, tuple[str, ...], LawfulAct], int] = {}
        self.acts: tuple[list[int], list[int], list[int]] = ([0], [], [])  # first, layout, outlay
        self.arcs: tuple[list[int], ...] = ([0], [], [], [], [])  # first, next, situation, cash, weight
        self.situation(seat.start)

    def situation(self, situation: Situation) -> int:
        """Return the number of a situation; it and its position join those found."""
        known = self.situations.get(situation)
        if known is None:
            known = self.situations[situation] = len(self.situations)
            position = self.seat.position_of(situation)
            self.position_of.append(self.positions.setdefault(position, len(self.positions)))
        return known

    def explore(self, progress: Progress | None) -> DecisionAutomaton:
        done = 0
        while done < len(self.positions):
            for position in list(self.positions)[done:]:
                if progress and done % _PROGRESS_EVERY == 0:
                    progress(done, len(self.positions))
                self._explore_position(position)
                done += 1
        if progress:
            progress(done, done)
        return self._automaton()

    def _explore_position(self, position: Situation) -> None:
        first, layouts, outlays = self.acts
        for lawful in self.seat.acts(position, self.most_cents):
            layouts.append(self._layout(position, lawful))
            outlays.append(lawful.outlay)
        first.append(len(layouts))

    def _layout(self, position: Situation, lawful: LawfulAct) -> int:
        key = (position.puck, position.closed, lawful)
        known = self.layouts.get(key)
        if known is not None:
            return known
        if len(self.layouts) >= self.layouts_max:
            raise TooManyDecisions(
                f"{self.seat.menu}, with up to {dollars(self.most_cents)} up, has more than {self.layouts_max:,} "
                f"layouts: {size_of(self.seat.rules, self.seat.menu, self.most_cents).advice()}"
            )
        known = self.layouts[key] = len(self.layouts)
        first, nexts, situations, cash, weights = self.arcs
        for dealt in self.seat.deal(position, lawful):
            situation = self.situation(dealt.after)
            nexts.append(self.position_of[situation])
            situations.append(situation)
            cash.append(dealt.cash)
            weights.append(dealt.weight)
        first.append(len(nexts))
        return known

    def _automaton(self) -> DecisionAutomaton:
        act_first, act_layout, act_outlay = (np.array(column, dtype=np.int64) for column in self.acts)
        arc_first, nexts, situations, cash, weights = (np.array(column, dtype=np.int64) for column in self.arcs)
        faces = np.array([_face(lawful.mine) for _puck, _closed, lawful in self.layouts], dtype=np.int64)
        unit = gcd(*(int(np.gcd.reduce(amounts)) for amounts in (cash, act_outlay, faces))) or self.seat.menu.unit_cents
        assert (np.add.reduceat(weights, arc_first[:-1]) == OUTCOMES).all(), "every outcome leads somewhere"
        return DecisionAutomaton(
            rules=self.seat.rules,
            menu=self.seat.menu,
            unit=unit,
            most=self.most_cents // unit,
            act_first=act_first,
            act_layout=act_layout,
            act_outlay=act_outlay // unit,
            arc_first=arc_first,
            arc_next=nexts,
            arc_situation=situations,
            arc_cash=cash // unit,
            arc_weight=weights,
            layout_face=faces // unit,
            positions=tuple(self.positions),
            situations=tuple(self.situations),
            layouts=tuple(lawful.mine for _puck, _closed, lawful in self.layouts),
        )


def _face(mine: tuple[Wager, ...]) -> int:
    return sum(wager.cents for wager in mine)
