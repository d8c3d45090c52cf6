"""The law of a session whose open wagers are played out: after its end nothing new is made until nothing is up.

The masses are moved as in `float_law`, with two more copies of the states for each ending: a session that ends goes on
in the copy of its ending, in which the player makes nothing new, and stays in its last row once nothing is up.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from passline.automaton.arrays import ENDINGS, GOAL, LIMIT, NEVER, OUTCOMES, RUIN, STOP, Automaton
from passline.automaton.compiler import EndedAutomaton
from passline.automaton.terms import SessionError
from passline.exact.session.float_law import TRIM, bound_law, with_wagered
from passline.exact.session.law import SessionLaw, Solving
from passline.exact.session.mass import Start, Walk, arcs_of

_ROLLS_MAX = 20_000  # after the end; wagers are decided within a few hundred


class _Copies:
    """The states of an automaton, a copy of them for each ending, and a row for each ending in which nothing is up."""

    def __init__(self, whole: EndedAutomaton) -> None:
        self.size = size = len(whole.automaton)
        endings, ended = np.arange(len(ENDINGS)), whole.ended
        self.done = size * (1 + len(ENDINGS)) + endings
        self.goes_on = np.where(ended < 0, self.done[:, None], size * (1 + endings[:, None]) + ended)
        self.automaton = self._unroll(whole.automaton)

    def _unroll(self, automaton: Automaton) -> Automaton:
        nexts = [automaton.next, *(self.goes_on[ending][automaton.next] for ending in range(len(ENDINGS)))]
        stays = np.repeat(self.done[:, None], OUTCOMES, axis=1)
        still = np.zeros((len(ENDINGS), OUTCOMES), dtype=np.int64)
        copies = len(ENDINGS) * self.size + len(ENDINGS)
        ruined = np.where(automaton.short < 0, self.goes_on[RUIN], automaton.short)
        return replace(
            automaton,
            next=np.concatenate([*nexts, stays]).astype(np.int32),
            cash=np.concatenate([*[automaton.cash] * (1 + len(ENDINGS)), still]),
            outlay=np.concatenate([automaton.outlay, np.full(copies, -NEVER)]),  # whoever makes nothing is never short
            up=np.concatenate([automaton.up, np.zeros(copies, dtype=np.int64)]),
            short=np.concatenate([ruined, np.full(copies, -1)]).astype(np.int32),
            mark=np.zeros((self.size + copies, OUTCOMES), dtype=np.uint8),
            action=np.concatenate([*[automaton.action] * (1 + len(ENDINGS)), still]),
            initial=np.concatenate([*[automaton.initial] * (1 + len(ENDINGS)), still]),
            labels=("",) * (self.size + copies),
        )


def finished_law(law: SessionLaw[float], whole: EndedAutomaton, *, solving: Solving | None = None) -> SessionLaw[float]:
    """Return the law of a session limited by rolls with its open wagers played out; ruin, goal and rolls stay.

    >>> from passline.automaton.compiler import compile_to_the_end
    >>> from passline.automaton.terms import Terms
    >>> from passline.exact.session.float_law import session_law
    >>> from passline.rules.rules import Rules
    >>> from passline.strategy.lookup import strategy_of
    >>> rules, terms = Rules.of("maryland"), Terms(bankroll_cents=500_00, rolls=1)
    >>> whole = compile_to_the_end(rules, strategy_of("pass", rules))
    >>> at_face = session_law(whole.automaton, terms)
    >>> f"{at_face.mean_cents:.4f} {finished_law(at_face, whole).mean_cents:.4f}"
    '50111.1111 49985.8586'
    """
    terms = law.terms
    assert terms.rolls is not None, "wagers are played out after a number of rolls"
    copies, start = _Copies(whole), Start(whole.automaton, terms)
    arcs = arcs_of(copies.automaton, is_lumped=False)
    walk = Walk(arcs, arcs.count / arcs.scale, equity=start.equity, goal=NEVER)
    dropped, rolls, acted = 0.0, 0, np.zeros(int(copies.done[0]))
    while True:
        is_over = rolls >= terms.rolls
        _end_at(walk, copies, GOAL, start.goal)
        if is_over:
            _end_at(walk, copies, LIMIT, -NEVER)
        _end_at(walk, copies, STOP, -NEVER, start.stop)
        walk.settle(is_last=False)
        dropped += walk.kernels.trim(walk.mass, walk.low, walk.high, int(copies.done[0]), TRIM)
        left = walk.kernels.add_totals(walk.mass, walk.low, walk.high, acted)
        if left < TRIM:
            break
        if rolls > terms.rolls + _ROLLS_MAX:
            raise SessionError(
                f"after {_ROLLS_MAX:,} more rolls wagers are still up that no roll decides: cannot finish"
            )
        if solving:
            solving(rolls, terms.rolls)
        walk.roll()
        rolls += 1
    masses = np.zeros((len(ENDINGS), walk.mass.shape[1]))
    for ending, row in enumerate(copies.done):
        cells = slice(int(walk.low[row]), max(int(walk.low[row]), int(walk.high[row])))
        masses[ending, cells] = walk.mass[row, cells]
    roundings = (rolls + 1) * (arcs.roundings_per_roll + 2) + arcs.roundings_at_an_end
    found = bound_law(
        masses,
        base=walk.base,
        start=Start(whole.automaton, replace(terms, rolls=rolls)),
        roundings=roundings,
        dropped=Fraction(dropped + left),
    )
    law = with_wagered(law, arcs, np.append(acted, np.zeros(len(ENDINGS))), start.unit)
    return replace(
        law,
        equity_cents=found.equity_cents,
        chances=found.chances,
        ruin_chances=found.ruin_chances,
        goal_chances=found.goal_chances,
        stop_chances=found.stop_chances,
        error=found.error,
        mean_error_cents=found.mean_error_cents,
        is_finished=True,
    )


def _end_at(walk: Walk, copies: _Copies, ending: int, least: int, most: int = NEVER) -> None:
    """Let every session that goes on with an equity from `least` up, or from `most` down, end so."""
    rows = (walk.mass, walk.low, walk.high)
    for state in range(copies.size):
        low, high = int(walk.low[state]), int(walk.high[state])
        first, last = max(low, least - walk.base), min(high, most + 1 - walk.base)
        if first < last:
            assert first == low or last == high, "one end of the equities of a state"
            walk.kernels.move_cells(*rows, state, first, last, int(copies.goes_on[ending, state]))
            walk.low[state], walk.high[state] = (low, first) if last == high else (last, high)
