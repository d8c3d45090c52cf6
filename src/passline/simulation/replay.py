"""Replay of one simulated session, roll by roll through the real engine: a check on the simulator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from passline.automaton.arrays import GOAL, HAND, LIMIT, LINE, RUIN, STOP, WON, Short
from passline.automaton.real_table import RealTable
from passline.automaton.terms import Terms, check_made_for
from passline.dice import Roll
from passline.dice_weights import FAIR
from passline.rules.rules import Rules
from passline.simulation.recorded_dice import SessionDice, session_rolls
from passline.strategy.interface import Strategy


class ReplayStep(NamedTuple):
    """The effect of one roll, or, where `roll` is None, the start of the session."""

    rolls: int
    roll: Roll | None
    acted: tuple[str, ...]  # before the roll
    settled: tuple[str, ...]
    equity_cents: int
    wagered_cents: int
    sits_out: bool
    ending: int | None


def replay(
    rules: Rules,
    strategy: Strategy,
    terms: Terms,
    *,
    seed: int,
    session: int,
    short: Short = "stop",
    dice: SessionDice = FAIR,
    at: Callable[..., RealTable] = RealTable,
) -> Iterator[ReplayStep]:
    """Play session `session` of a seed at a real table and yield its steps; the last one says how it ended.

    `at` makes the table, where more is wanted of it than to play.

    >>> from passline.strategy.lookup import strategy_of
    >>> rules = Rules.of("maryland")
    >>> terms = Terms(bankroll_cents=30_00, rolls=4)
    >>> for step in replay(rules, strategy_of("pass", rules), terms, seed=7, session=0):
    ...     print(step.rolls, step.roll and step.roll.pair, step.equity_cents, step.ending)
    0 None 3000 None
    1 5-6 4000 None
    2 2-3 4000 None
    3 1-6 3000 None
    4 1-5 3000 2
    """
    check_made_for(strategy, terms)
    table = at(rules, strategy, bankroll_cents=terms.bankroll_cents, short=short)
    rolls_thrown = session_rolls(dice, seed, session=session)
    counted, _ = terms.counted
    began, rolls, marks, sits_out = terms.bankroll_cents, 0, 0, False
    peak, streak = began, 0
    roll: Roll | None = None
    acted: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    while True:
        equity = table.equity_cents  # before acting, because acting may cost vigorish
        peak = max(peak, equity)
        ending = _ending(terms, equity, rolls, marks)
        if ending is None and _is_stopped(terms, equity, peak, streak):
            ending = STOP
        will_act: tuple[str, ...] = ()
        if ending is None and not sits_out:
            floor = 0 if terms.shooter_loss_cents is None else max(0, began - terms.shooter_loss_cents)
            if table.acts(floor):
                will_act = table.messages
            elif table.is_ruined:
                ending = RUIN
            else:
                sits_out = True
        yield ReplayStep(rolls, roll, acted, settled, equity, table.wagered_cents, sits_out, ending)
        if ending is not None:
            return
        roll, acted = next(rolls_thrown), will_act
        mark = table.roll(roll)
        settled = table.messages
        rolls += 1
        marks += bool(mark & counted)
        if mark & LINE:
            streak = max(streak, 0) + 1 if mark & WON else min(streak, 0) - 1
        if mark & HAND:
            began = table.equity_cents
            if sits_out:
                sits_out = False
                table.memory = strategy.start


def _ending(terms: Terms, equity: int, rolls: int, marks: int) -> int | None:
    if terms.goal_cents is not None and equity >= terms.goal_cents:
        return GOAL
    limits = (terms.rolls, rolls), (terms.decisions or terms.hands, marks)
    return LIMIT if any(limit is not None and count >= limit for limit, count in limits) else None


def _is_stopped(terms: Terms, equity: int, peak: int, streak: int) -> bool:
    """Return whether the player leaves: of the line decisions in a row, those that the pass line loses are below 0."""
    stops = (
        (terms.stop_loss_cents, terms.bankroll_cents - equity),
        (terms.trailing_stop_cents, peak - equity),
        (terms.line_wins, streak),
        (terms.line_losses, -streak),
    )
    return any(stop is not None and reached >= stop for stop, reached in stops)
