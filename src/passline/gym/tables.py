"""The arrays of an environment: the automaton of decisions with its acts numbered alike in every position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passline.automaton.decisions.arrays import DecisionAutomaton
from passline.automaton.decisions.compiler import TooManyDecisions, compile_decisions
from passline.automaton.decisions.menu import menu_of
from passline.automaton.terms import SessionError
from passline.money import dollars
from passline.rules.pages.library import default_regulation
from passline.rules.rules import Rules

ENTRIES_MAX = 50_000_000
"""The most entries (positions times actions) of an environment."""
_UNITS = 20  # of the goal, if no unit is named
NONE = -1
"""No act: the action is not lawful in the position."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GymTables:
    """What an environment steps: actions numbered alike in every position, and the session's bounds in units."""

    automaton: DecisionAutomaton
    actions: tuple[str, ...]
    """Each action in words, as what it changes; the last one makes nothing."""
    acts: NDArray[np.int32]
    """[P, A] The act of the automaton that an action is in a position, or NONE."""
    leave: NDArray[np.int32]
    """[P] The act that makes nothing, and has up what cannot be made again."""
    bankroll: int
    goal: int
    least: int
    """With less than this nothing can be wagered any more, and the session is over."""
    rolls: int
    """After so many the session is cut off; 0: never."""

    def mask(self, position: int, equity: int) -> NDArray[np.int8]:
        """Return which actions are lawful in a position with so many units: 1 or 0 for each."""
        acts = self.acts[position]
        lawful: NDArray[np.bool_] = (acts != NONE) & (self.automaton.act_outlay[acts] <= equity)
        return lawful.astype(np.int8)


def gym_tables(
    rules: Rules | str = "",
    menu: str = "line",
    *,
    bankroll_cents: int = 500_00,
    goal_cents: int = 1000_00,
    unit_cents: int | None = None,
    rolls: int | None = None,
    together: int = 1,
) -> GymTables:
    """Return the tables of an environment; without a unit it is a twentieth of the goal, or the table's minimum.

    >>> tables = gym_tables(Rules.of("maryland"), "pass=100/500", unit_cents=100_00)
    >>> tables.actions, tables.mask(0, 4).tolist()
    (('pass 100.00', 'pass 500.00', 'nothing'), [1, 0, 1])
    """
    chosen = rules if isinstance(rules, Rules) else Rules.of(rules or default_regulation())
    if not 0 < bankroll_cents < goal_cents:
        raise SessionError(
            f"a session from {dollars(bankroll_cents)} to {dollars(goal_cents)}: the goal is above the bankroll"
        )
    if unit_cents is None:
        twentieth, least = goal_cents // _UNITS, chosen.house.wager_cents_min
        unit_cents = twentieth if twentieth * _UNITS == goal_cents and twentieth % least == 0 else least
    wagers = menu_of(menu, chosen, unit_cents=unit_cents, together=together)
    automaton = compile_decisions(chosen, wagers, most_cents=goal_cents - 1)
    return _tables_of(automaton, bankroll_cents=bankroll_cents, goal_cents=goal_cents, rolls=rolls or 0)


def _tables_of(automaton: DecisionAutomaton, *, bankroll_cents: int, goal_cents: int, rolls: int) -> GymTables:
    labels = [automaton.label(act) for act in range(len(automaton.act_layout))]
    actions = [*(label for label in dict.fromkeys(labels) if label != "nothing"), "nothing"]
    if (entries := len(automaton) * len(actions)) > ENTRIES_MAX:
        raise TooManyDecisions(
            f"{automaton.menu}: {len(automaton):,} positions times {len(actions):,} actions are {entries:,} entries, "
            f"more than {ENTRIES_MAX:,}: name fewer sizes, or choose a larger unit"
        )
    numbers = {label: number for number, label in enumerate(actions)}
    acts = np.full((len(automaton), len(actions)), NONE, dtype=np.int32)
    acts[automaton.act_position, [numbers[label] for label in labels]] = np.arange(len(labels))
    bare = automaton.layout_face[automaton.act_layout] == 0
    wagers = np.flatnonzero(~bare & (automaton.act_position == 0))
    if not wagers.size:
        raise SessionError(f"{automaton.menu}: no wager of the menu can be made on a come-out roll; add one")
    left_over = bankroll_cents % automaton.unit
    return GymTables(
        automaton=automaton,
        actions=tuple(actions),
        acts=acts,
        leave=acts[:, -1].copy(),
        bankroll=bankroll_cents // automaton.unit,
        goal=-(-(goal_cents - left_over) // automaton.unit),
        least=_least(automaton, bare),
        rolls=rolls,
    )


def _least(automaton: DecisionAutomaton, bare: NDArray[np.bool_]) -> int:
    """Return the least that any wager needs of a player with nothing up."""
    empty = np.array([not situation.mine for situation in automaton.positions])
    return int(automaton.act_outlay[~bare & empty[automaton.act_position]].min())
