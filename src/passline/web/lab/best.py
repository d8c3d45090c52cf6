"""Best play of a menu as a picture: for each position and each amount of money what to do, and what is up then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from passline.automaton.decisions.menu import menu_of
from passline.errors import CrapsError
from passline.exact.best.best_play import BestPlay, best
from passline.exact.best.purpose import Purpose
from passline.web.lab.answers import LabBest, LabBestRow, LabProgress, Run
from passline.web.lab.laws import Show
from passline.web.lab.questions import BestAsked
from passline.web.lab.written import rules_asked

_ROWS_MAX, _RUNS_MAX = 260, 9_000  # what a page draws


def best_play_of(asked: BestAsked, show: Show) -> LabBest:
    """Return the best lawful play; raise CrapsError if the menu or the purpose is none, or too large for this page."""
    rules = rules_asked(asked.house)
    menu, purpose = menu_of(asked.menu, rules, unit_cents=asked.unit_cents), purpose_of(asked)

    def show_compiling(done: int, known: int) -> None:
        show(LabProgress("positions of the menu", done, known))

    play = best(rules, menu, purpose, progress=show_compiling)
    rows, is_cut = _rows_of(play)
    money = play.money_cents
    step = int(money[1] - money[0]) if len(money) > 1 else asked.unit_cents
    return LabBest(
        purpose=str(purpose),
        menu=str(menu),
        facts=tuple(play.facts()),
        value=play.value,
        gap=play.gap,
        acts=tuple(play.acts),
        first_cents=int(money[0]),
        step_cents=step,
        columns=len(money),
        bankroll_cents=purpose.bankroll_cents,
        rows=rows,
        is_cut=is_cut,
    )


def purpose_of(asked: BestAsked) -> Purpose:
    """Return what is played for; raise CrapsError where a goal or a number of rolls is missing.

    >>> from passline.web.lab.questions import LabHouse
    >>> str(purpose_of(BestAsked(LabHouse("maryland"), "pass", 500, "goal", 500_00, 1000_00)))
    'reach 1000.00 from 500.00 before ruin'
    """
    money: dict[str, Any] = {"bankroll_cents": asked.bankroll_cents}
    if asked.purpose == "goal":
        if asked.goal_cents is None:
            raise CrapsError("to reach a goal, fill in the goal")
        return Purpose.goal(**money, goal_cents=asked.goal_cents, rolls=asked.rolls)
    if asked.rolls is None:
        raise CrapsError("this purpose is for a number of rolls: let the session end after rolls")
    if asked.purpose == "finish":
        if asked.goal_cents is None:
            raise CrapsError("to finish with at least so much, fill in the goal")
        return Purpose.finish(**money, at_least_cents=asked.goal_cents, rolls=asked.rolls)
    make = Purpose.longest if asked.purpose == "longest" else Purpose.least_loss
    return make(**money, rolls=asked.rolls)


def _rows_of(play: BestPlay) -> tuple[tuple[LabBestRow, ...], bool]:
    """Return the positions in which something is ever to be done, the come-out first; and whether some are left out."""
    policy, staked = play.policy, play.staked_cents
    asked = [place for place in range(len(play.positions)) if (policy[place] >= 0).any()]
    asked.sort(key=lambda place: (play.automaton.positions[place].puck, int(staked[place].max()), place))
    rows: list[LabBestRow] = []
    runs = 0
    for place in asked:
        row = tuple(_runs_of(policy[place].tolist(), staked[place].tolist()))
        runs += len(row)
        if len(rows) >= _ROWS_MAX or runs > _RUNS_MAX:
            return tuple(rows), True
        rows.append(LabBestRow(play.positions[place], play.automaton.positions[place].puck, row))
    return tuple(rows), False


def _runs_of(acts: list[int], staked: list[int]) -> Iterator[Run]:
    """Yield each run of equal acts along money: its first and last place, the act, and the cents that are up."""
    first = 0
    for place in range(1, len(acts) + 1):
        if place == len(acts) or acts[place] != acts[first]:
            if acts[first] >= 0:
                yield first, place - 1, acts[first], staked[first]
            first = place
