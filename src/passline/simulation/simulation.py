"""Strategies simulated on the same dice: compiled, played in slices, and compared with the exact answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from passline.automaton.arrays import Short
from passline.automaton.compiler import Progress
from passline.automaton.network import BUDGET, network
from passline.automaton.terms import SessionError, Terms
from passline.exact.analysis import Analysis, analyze
from passline.exact.session.law import SessionLaw
from passline.rules.rules import Rules
from passline.simulation.backends.cpu.backend import CHUNK, cores_here, play_sessions
from passline.simulation.kernel_tables import Limits, Tables, limits_of, tables_of
from passline.simulation.results import Results, empty
from passline.strategy.interface import Strategy
from passline.strategy.lookup import strategy_of

__all__ = ["Player", "Simulation", "exact_of", "player_of", "simulate", "simulate_players"]

Done = Callable[[int, int], None]
"""Told now and then how many sessions are done, and how many rolls they took together."""
Played = Callable[[Tables, Limits, int, range], Results]
"""Plays a range of sessions of a seed; every way of doing so gives the same results."""

_SLICE = 8  # chunks per core that are played of one strategy before the next


@dataclass(frozen=True, kw_only=True)
class Player:
    """A strategy ready to be simulated."""

    name: str
    tables: Tables
    limits: Limits


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """What sessions of a strategy came to."""

    name: str
    terms: Terms
    short: Short
    seed: int
    parts: tuple[tuple[str, int], ...]
    """The automata it was played with, each with its states."""
    results: Results


def player_of(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms,
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    progress: Progress | None = None,
) -> Player:
    """Compile a strategy and put its tables and terms together.

    >>> player = player_of(Rules.of("maryland"), "molly", Terms(bankroll_cents=500_00, rolls=200))
    >>> player.name, player.tables.parts
    ('molly', (('molly', 118),))
    """
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    tables = tables_of(network(rules, played, short=short, budget=budget, progress=progress))
    return Player(name=played.name, tables=tables, limits=limits_of(tables, terms))


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
) -> Simulation:
    """Simulate sessions of a strategy; with a precision, as many more as the interval of the mean needs for it.

    >>> rules = Rules.of("maryland")
    >>> found = simulate(rules, "pass", Terms(bankroll_cents=100_00, rolls=100), sessions=10_000, seed=7)
    >>> found.results.endings, f"{found.results.mean_cents().value:.2f}"
    ((671, 0, 9329), '9776.60')
    """
    player = player_of(rules, strategy, terms, short=short)
    (results,) = simulate_players([player], sessions=sessions, seed=seed, precision_cents=precision_cents, cores=cores)
    return Simulation(name=player.name, terms=terms, short=short, seed=seed, parts=player.tables.parts, results=results)


def simulate_players(
    players: Sequence[Player],
    *,
    sessions: int,
    seed: int,
    precision_cents: float | None = None,
    cores: int | None = None,
    done: Done | None = None,
    play: Played | None = None,
    slice_sessions: int | None = None,
) -> list[Results]:
    """Simulate strategies on the same dice, slice by slice. Interrupted, it gives the slices that all have finished.

    Who plays, and how many sessions of one strategy before those of the next, is decided here unless it is said.

    A precision is half the width of the 95 % interval of the mean final bankroll: sessions are added until that of
    every strategy is as narrow.
    """
    workers = cores or cores_here()
    play = play or partial(_play_here, workers)
    step = slice_sessions or workers * _SLICE * CHUNK
    found = [empty(player.tables, player.limits) for player in players]
    at, end = 0, sessions
    try:
        while at < end:
            piece = range(at, min(end, at + step))
            more = [play(player.tables, player.limits, seed, piece) for player in players]
            found = [one + another for one, another in zip(found, more, strict=True)]
            at = piece.stop
            if done:
                done(at, sum(one.rolls for one in found))
            if at == end and precision_cents is not None:
                end = max(end, *(_needed(one, precision_cents) for one in found))
    except KeyboardInterrupt:
        if not at:
            raise
    return found


def _play_here(cores: int, tables: Tables, limits: Limits, seed: int, piece: range) -> Results:
    return play_sessions(tables, limits, seed=seed, first=piece.start, sessions=len(piece), cores=cores)


def _needed(results: Results, precision_cents: float) -> int:
    """How many sessions it takes for the interval of the mean to be so narrow, by what is known so far."""
    margin = results.mean_cents().margin
    if margin <= precision_cents:
        return results.sessions
    return max(results.sessions + CHUNK, math.ceil(results.sessions * (margin / precision_cents) ** 2 * 1.01))


def exact_of(
    rules: Rules, strategy: Strategy | str, terms: Terms, *, short: Short = "stop"
) -> SessionLaw[float] | SessionLaw[Fraction] | None:
    """Give the exact law of the same session, where the solver can.

    >>> terms = Terms(bankroll_cents=100_00, rolls=100)
    >>> f"{exact_of(Rules.of('maryland'), 'pass', terms).ruin:.6f}"
    '0.069242'
    """
    try:
        found: Analysis = analyze(rules, strategy, terms, short=short)
    except SessionError:  # such as a loss limit per shooter in a session limited by hands
        return None
    return found.law
