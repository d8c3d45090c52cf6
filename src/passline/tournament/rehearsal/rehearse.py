"""A tournament rehearsed before it is held: named strategies play it many times, and what comes of it is counted.

The kernels hold it, a thousand times a second or more; the engine deals what they cannot take, and comes to the same.
Players of one strategy with the same chips at the same table do the same. Somebody of the house throws the dice, so
that they come from a shooter who never wants for a line wager. Nobody reads the standings. Wagers that are still up
count as returned unless the sheet says that they are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from passline.errors import CrapsError
from passline.extras import missing_extra
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of
from passline.tournament.plan.figures import RoundSize, round_sizes
from passline.tournament.plan.schema import Event, Plan, Round
from passline.tournament.rehearsal.course import HeldRun, Setting, hold, setting_of
from passline.tournament.rehearsal.engine import EngineTables
from passline.tournament.rehearsal.figures import Rehearsal, RehearsedRound

DECIDED = (
    "if one of the wagers that the last roll settled had been returned instead, another strategy would have won, or "
    "shared the first place (players who wager alike count as one)"
)
"""What it means that a final is decided by one wager."""
_THROW_SECONDS = 15  # a throw, its settlement, and the dice back to the shooter
_ROLLS_PER_HOUR = 100.0  # where the sheet gives no time for wagering


def rolls_per_hour(plan: Plan) -> float:
    """Return the pace that follows from the sheet: the time for wagering, and a quarter of a minute for the throw.

    >>> from passline.tournament.plan.reader import example_plan
    >>> rolls_per_hour(example_plan("colorado"))
    60.0
    """
    seconds = plan.sheet.wagering_seconds
    return 3600 / (seconds + _THROW_SECONDS) if seconds else _ROLLS_PER_HOUR


def rehearse(
    plan: Plan,
    rules: Rules,
    strategies: Sequence[str],
    *,
    event: Event,
    entries: int,
    runs: int,
    seed: int,
    pace: float,
    are_chips_bought: bool = False,
    states_max: int = 0,
    done: Callable[[int], None] | None = None,
) -> Rehearsal:
    """Hold an event so many times; Ctrl-C ends it with the runs that are over.

    A run depends on the seed and its own number only, so that more runs begin with the same ones. The engine holds the
    runs from the one on that reaches more than `states_max` states of strategies; 0: as many as fit in a gigabyte.
    """
    if not strategies:
        raise CrapsError("name at least one strategy")
    if not 2 <= entries <= event.entries_max:  # noqa: PLR2004 - a round needs two players
        raise CrapsError(f"{entries} entries: {event.name} takes 2 to {event.entries_max}")
    players = tuple(strategy_of(strategy, rules) for strategy in strategies)
    sizes = round_sizes(event, entries)
    if short := [size.name for size in sizes if not size.players]:
        raise CrapsError(f"{', '.join(short)}: nobody comes so far; see advance and wild_cards of the rounds before")
    counted = Counter(number % len(players) for number in range(entries))
    result = Rehearsal(
        event=event.name,
        strategies=tuple(strategies),
        entries=tuple(counted[index] for index in range(len(players))),
        pace=pace,
        rounds=tuple(_expectation(planned, size, pace) for planned, size in zip(event.rounds, sizes, strict=True)),
        are_chips_bought=are_chips_bought,
        by_engine=why_by_engine(rules, players),
        wins=[0] * len(players),
        finalists=[0] * len(players),
    )
    rolls = tuple(_rolls(planned, pace) for planned in event.rounds)
    setting = setting_of(
        plan, event, rules, players, rolls=rolls, entries=entries, seed=seed, are_chips_bought=are_chips_bought
    )
    try:
        _hold_all(setting, result, runs, states_max, done or (lambda _runs: None))
    except KeyboardInterrupt:
        if not result.runs:
            raise
    return result


def _expectation(planned: Round, size: RoundSize, pace: float) -> RehearsedRound:
    rolls = _rolls(planned, pace)
    return RehearsedRound(planned.name, size.players, size.tables, rolls, planned.minutes or rolls * 60 / pace)


def _rolls(planned: Round, pace: float) -> int:
    return planned.rolls or max(1, round(planned.minutes * pace / 60))


def why_by_engine(rules: Rules, strategies: Sequence[Strategy]) -> str:
    """Return why the kernels cannot hold a tournament of these strategies, or nothing if they can.

    >>> rules = Rules.of("maryland")
    >>> why_by_engine(rules, [strategy_of("pass", rules)])
    ''
    """
    for strategy in strategies:
        if words := sorted(strategy.reads_money):
            return f"{strategy.name} reads {', '.join(words)}"
        if rules.progressives and (not strategy.kinds or strategy.kinds & rules.progressives.keys()):
            return f"{strategy.name} may play for a meter that all players share"
    return ""


def _hold_all(setting: Setting, result: Rehearsal, runs: int, states_max: int, done: Callable[[int], None]) -> None:
    """Hold all runs and count them: by the kernels, or by the engine from the run on that they cannot take."""
    if not result.by_engine:
        result.by_engine = _hold_fast(setting, result, runs, states_max, done)
    tables = EngineTables(setting)
    for run in range(result.runs, runs):
        _count(result, hold(setting, tables.deal, run))
        done(run + 1)


def _hold_fast(setting: Setting, result: Rehearsal, runs: int, states_max: int, done: Callable[[int], None]) -> str:
    """Hold runs by the kernels and count them; return why they stopped before the last."""
    try:
        from passline.automaton.paying import STATES_MAX, TooManyPayingStates  # noqa: PLC0415 - imports numpy
        from passline.tournament.rehearsal.fast import FastRehearsal, add_results  # noqa: PLC0415 - imports numba
    except ImportError as error:
        missing = missing_extra(error, "holding it by the kernels")
        if missing is None:
            raise
        return str(missing)
    try:
        fast = FastRehearsal(setting, states_max=states_max or STATES_MAX)
        for batch in fast.batches(runs):
            add_results(result, fast.results(batch))
            done(result.runs)
    except TooManyPayingStates as error:
        return f"{error} in run {result.runs + 1:,} or soon after"
    return ""


def _count(result: Rehearsal, held: HeldRun) -> None:
    result.runs += 1
    result.winning_points.append(held.points)
    result.decided += held.is_decided
    result.last_roll += held.is_last_roll
    result.level += held.is_level
    result.wins[held.winner] += 1
    for index in held.finalists:
        result.finalists[index] += 1
