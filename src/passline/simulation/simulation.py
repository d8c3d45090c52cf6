"""Simulation of strategies on the same dice, and the exact answers to compare it with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from passline.automaton.arrays import GOAL, RUIN, Short
from passline.automaton.compiler import STATES_MAX, Progress
from passline.automaton.exploration import TooManyStates
from passline.automaton.growing import GrowingAutomaton
from passline.automaton.guarded import guarded_network
from passline.automaton.network import BUDGET, PART_STATES_MAX, network
from passline.automaton.terms import SessionError, Terms, check_goal, check_made_for, check_policy
from passline.chances import chance_text
from passline.dice_weights import FAIR, DiceWeights, dice_note
from passline.exact.analysis import Analysis, analyze
from passline.exact.session.law import SessionLaw, Solving
from passline.notebook import html_table
from passline.rules.rules import Rules
from passline.rules.rules_argument import must_be_rules
from passline.side_processes import cores_here
from passline.simulation.backends import PlayRange
from passline.simulation.backends.cpu.backend import CHUNK, chunk_of, play_sessions
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.growing_tables import FIRST_STATES, GrowingTables
from passline.simulation.kernel_tables import Playable, Tables, limits_of, tables_of
from passline.simulation.kernel_types import SessionLimits
from passline.simulation.recorded_dice import SessionDice
from passline.simulation.results import Results, empty
from passline.strategy.interface import Strategy, StrategyError
from passline.strategy.lookup import strategy_of

Done = Callable[[int, int], None]
"""Called after each slice with the number of sessions done and the number of rolls of all strategies together."""

SESSIONS_MAX = 10**15
"""The most sessions of one simulation."""
COMPILED_MAX = 20_000
"""The most states of a part that are compiled beforehand; those of a larger strategy are found as it is played."""
_ROLLS_OF_A_STATE = 3
"""How many rolls the engine deals while one state is found, at most."""
_ROLLS_OF_A_DECISION, _ROLLS_OF_A_HAND = 4, 9  # more than on average
_SEEDS = 2**64
_SLICE = 8  # chunks per core that one strategy plays before the next strategy's turn


@dataclass(frozen=True, kw_only=True)
class PreparedStrategy:
    """A strategy compiled under some rules, with the limits of its sessions: ready to be simulated."""

    name: str
    tables: Playable
    limits: SessionLimits


def is_dealt(prepared: PreparedStrategy) -> bool:
    """Return whether a strategy reads its money in a way that the engine has to deal its sessions."""
    return isinstance(prepared.tables, DealtTables)


def is_growing(prepared: PreparedStrategy) -> bool:
    """Return whether a strategy has too many states to be compiled, so that they are explored as it is played."""
    return isinstance(prepared.tables, GrowingTables)


def is_compiled(prepared: PreparedStrategy) -> bool:
    """Return whether a strategy is compiled as a whole, neither explored as it is played nor dealt by the engine."""
    return isinstance(prepared.tables, Tables)


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """The results of a strategy, with everything needed to repeat the simulation."""

    name: str
    terms: Terms
    short: Short
    seed: int
    parts: tuple[tuple[str, int], ...]
    """The name and the number of states of each automaton of the strategy."""
    results: Results
    dice: SessionDice = FAIR

    def __repr__(self) -> str:
        mean = self.results.mean_cents()
        about = f"mean {mean.value / 100:.2f} ± {mean.margin / 100:.2f}" if self.results.sessions else "nothing played"
        return (
            f"<Simulation {self.name}: {self.results.sessions:,} sessions {self.terms}, {about}{dice_note(self.dice)}>"
        )

    def _repr_html_(self) -> str:
        results = self.results
        shown = {"mean": results.mean_cents(), "expected loss": results.loss_cents()}
        facts = [(label, f"{x.value / 100:,.2f} ± {x.margin / 100:,.2f}") for label, x in shown.items()]
        chances = {"ruin": results.chance(RUIN), "goal reached": results.chance(GOAL)}
        facts += [(label, f"{chance_text(x.value, 4)} ± {chance_text(x.margin, 4)}") for label, x in chances.items()]
        return html_table(f"{self.name}: {results.sessions:,} sessions {self.terms}{dice_note(self.dice)}", facts)


def prepare_strategy(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    compiled_max: int = COMPILED_MAX,
    sessions: int = SESSIONS_MAX,
    dice: SessionDice = FAIR,
    progress: Progress | None = None,
) -> PreparedStrategy:
    """Compile a strategy and convert the terms to its units; one of more states is explored as it is played.

    One that reads its money is compiled with guards where they are a few ranges of equity, or else dealt by the engine.
    Finding states never takes much longer than dealing so many `sessions` would: for few of them, fewer are looked for.

    >>> molly = prepare_strategy(Rules.of("maryland"), "molly", Terms(bankroll_cents=500_00, rolls=200))
    >>> molly.name, molly.tables.parts
    ('molly', (('molly', 118),))
    """
    check_policy(short)
    check_goal(terms)
    rules = must_be_rules(rules)
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    check_made_for(played, terms)
    tables: Playable
    worth = _states_worth(terms, sessions)
    if played.reads_money:
        most = min(STATES_MAX, max(compiled_max, worth))  # of `analyze`
        guarded = guarded_network(rules, played, terms, states_max=most, short=short, progress=progress)
        tables = replace(tables_of(guarded), dice=dice) if guarded else DealtTables(rules, played, terms, short, dice)
        return PreparedStrategy(name=played.name, tables=tables, limits=limits_of(tables, terms))
    try:
        found = network(
            rules,
            played,
            short=short,
            budget=budget,
            states_max=min(compiled_max, max(FIRST_STATES, worth)),
            part_states_max=min(PART_STATES_MAX, max(FIRST_STATES, worth)),
            progress=progress,
        )
        tables = replace(tables_of(found), dice=dice)
    except TooManyStates:
        tables = GrowingTables(
            played.name, GrowingAutomaton(rules, played, short=short), min(compiled_max, FIRST_STATES), dice
        )
    return PreparedStrategy(name=played.name, tables=tables, limits=limits_of(tables, terms))


def _states_worth(terms: Terms, sessions: int) -> int:
    """Return how many states are found in the time in which the engine deals these sessions."""
    ends = (terms.rolls, _ROLLS_OF_A_DECISION * (terms.decisions or 0), _ROLLS_OF_A_HAND * (terms.hands or 0))
    return sessions * min(rolls for rolls in ends if rolls) // _ROLLS_OF_A_STATE


def simulate(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    sessions: int = 1_000_000,
    seed: int = 0,
    short: Short = "stop",
    precision_cents: float | None = None,
    cores: int | None = None,
    dice: SessionDice = FAIR,
) -> Simulation:
    """Simulate sessions of a strategy; `precision_cents` is explained at `simulate_strategies`.

    `dice` are other dice than the game's: those of `dice_named("biased:srr=6.5")`, or recorded rolls (`dice_of_file`).

    >>> rules = Rules.of("maryland")
    >>> found = simulate(rules, "pass", Terms(bankroll_cents=100_00, rolls=100), sessions=10_000, seed=7)
    >>> found.results.endings, f"{found.results.mean_cents().value:.2f}"
    ((671, 0, 9329, 0), '9776.60')
    """
    check_numbers(sessions=sessions, seed=seed, precision_cents=precision_cents, cores=cores)
    most = SESSIONS_MAX if precision_cents else sessions
    ready = prepare_strategy(rules, strategy, terms, short=short, sessions=most, dice=dice)
    [results] = simulate_strategies([ready], sessions=sessions, seed=seed, precision_cents=precision_cents, cores=cores)
    return simulation_of(ready, terms, results, short=short, seed=seed)


def simulation_of(ready: PreparedStrategy, terms: Terms, results: Results, *, short: Short, seed: int) -> Simulation:
    """Return the results of a prepared strategy, with everything needed to repeat them."""
    return Simulation(
        name=ready.name,
        terms=terms,
        short=short,
        seed=seed,
        parts=ready.tables.parts,
        results=results,
        dice=ready.tables.dice,
    )


def simulate_strategies(
    strategies: Sequence[PreparedStrategy],
    *,
    sessions: int,
    seed: int,
    precision_cents: float | None = None,
    cores: int | None = None,
    done: Done | None = None,
    play: PlayRange | None = None,
    slice_sessions: int | None = None,
) -> list[Results]:
    """Simulate strategies on the same dice, in slices that they play in turn, and return the results of each.

    `play` is the backend (by default this machine's cores), and `slice_sessions` how many sessions one strategy plays
    before the next strategy's turn. On KeyboardInterrupt the slices that every strategy has finished are returned.

    With `precision_cents`, sessions are added until half the width of the 95 % interval of every strategy's mean final
    bankroll is at most that.
    """
    check_numbers(sessions=sessions, seed=seed, precision_cents=precision_cents, cores=cores)
    workers = cores or cores_here()
    play = play or partial(_play_here, workers)
    chunk = min(
        chunk_of(strategy.limits, strategy.tables) for strategy in strategies
    )  # of long sessions fewer at a time
    step = max(1, (slice_sessions or workers * _SLICE * CHUNK) * chunk // CHUNK)
    if any(is_dealt(strategy) for strategy in strategies):
        step = workers * chunk
    found = [empty(strategy.tables, strategy.limits) for strategy in strategies]
    at, end = 0, sessions
    try:
        while at < end:
            piece = range(at, min(end, at + step))
            more = [play(strategy.tables, strategy.limits, seed, piece) for strategy in strategies]
            found = [before + slice_ for before, slice_ in zip(found, more, strict=True)]
            at = piece.stop
            if done:
                done(at, sum(results.rolls for results in found))
            if at == end and precision_cents is not None:
                end = max(end, *(_sessions_needed(results, precision_cents, chunk) for results in found))
    except KeyboardInterrupt:
        if not at:
            raise
    return found


def check_numbers(*, sessions: int, seed: int, precision_cents: float | None, cores: int | None) -> None:
    """Check what is given from Python as the command line checks its options."""
    if not isinstance(sessions, int) or not 1 <= sessions <= SESSIONS_MAX:
        hint = f", such as {int(sessions)}" if isinstance(sessions, float) and sessions % 1 == 0 else ""
        raise SessionError(f"sessions={sessions!r}: a whole number (int) from 1 to {SESSIONS_MAX:.0e}{hint}")
    if not isinstance(seed, int) or not 0 <= seed < _SEEDS:
        raise SessionError(f"seed={seed}: a whole number from 0 to 2**64 - 1")
    if precision_cents is not None and not precision_cents > 0:
        raise SessionError(f"precision_cents={precision_cents}: the mean is never known exactly; give more than 0")
    if cores is not None and cores < 1:
        raise SessionError(f"cores={cores}: at least one plays")


def _play_here(cores: int, tables: Playable, limits: SessionLimits, seed: int, piece: range) -> Results:
    return play_sessions(tables, limits, seed=seed, first=piece.start, sessions=len(piece), cores=cores)


def _sessions_needed(results: Results, precision_cents: float, chunk: int) -> int:
    """Estimate from the results so far how many sessions make the interval of the mean as narrow as that."""
    margin = results.mean_cents().margin
    if margin <= precision_cents:
        return results.sessions
    return max(results.sessions + chunk, math.ceil(results.sessions * (margin / precision_cents) ** 2 * 1.01))


def exact_of(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    dice: SessionDice = FAIR,
    solving: Solving | None = None,
) -> SessionLaw[float] | SessionLaw[Fraction] | None:
    """Return the exact law of the same session, or None where the solver has none.

    >>> terms = Terms(bankroll_cents=100_00, rolls=100)
    >>> f"{exact_of(Rules.of('maryland'), 'pass', terms).ruin:.6f}"
    '0.069242'
    """
    if not isinstance(dice, DiceWeights):
        return None  # recorded rolls have no law
    try:
        found: Analysis = analyze(rules, strategy, terms, short=short, dice=dice, solving=solving)
    except (SessionError, StrategyError):  # such as one that reads its money, or a loss limit in a session of hands
        return None
    return found.law
