"""Charts of simulations: bankrolls by roll, final bankrolls, sessions not ruined, strategies compared."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from passline.automaton.arrays import GOAL, LIMIT, RUIN
from passline.charts import COLOURS, DASHES, FAINT, drawing, money, nice, percent
from passline.dice_weights import dice_note
from passline.errors import CrapsError
from passline.simulation.backends.cpu.backend import paths_of
from passline.simulation.results import Results
from passline.simulation.simulation import PreparedStrategy, Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec

CHART_KINDS = ("fan", "final", "survival", "comparison")
"""The kinds of charts: bankrolls by roll, final bankrolls, sessions not ruined, and means with ruin."""

_SHARES = ((0.05, 0.95), (0.25, 0.75))
_PATHS = 10_000  # sessions drawn in a fan chart
_ROLLS_MAX = 2000
_BINS = 60
_FANS_ABREAST = 3
_TITLE = 110  # letters of a title across the page


def draw(
    simulations: Sequence[Simulation],
    strategies: Sequence[PreparedStrategy],
    path: Path | str,
    *,
    kinds: Sequence[str] = CHART_KINDS,
) -> None:
    """Draw charts of these kinds, one below the other, into a PNG, SVG or PDF file."""
    if not simulations or not kinds or not set(kinds) <= set(CHART_KINDS):
        raise CrapsError(f"the charts are {', '.join(CHART_KINDS)}, not {', '.join(kinds)}")
    first = simulations[0]
    count = f"{first.results.sessions:,} sessions of seed {first.seed}{dice_note(first.dice)}"
    rows = [-(-len(simulations) // _FANS_ABREAST) if kind == "fan" else 1 for kind in kinds]
    with drawing(path, f"Simulated sessions\n{first.terms}; {count}", height=0.9 + 3.4 * sum(rows)) as figure:
        grid = figure.add_gridspec(len(kinds), 1, height_ratios=rows)
        for place, kind in enumerate(kinds):
            if kind == "fan":
                _fans(figure, grid[place], simulations, strategies)
            else:
                axis = figure.add_subplot(grid[place])
                {"final": _final, "survival": _survival, "comparison": _comparison}[kind](axis, simulations)


def _fans(
    figure: Figure, place: SubplotSpec, simulations: Sequence[Simulation], strategies: Sequence[PreparedStrategy]
) -> None:
    """Draw a panel for each strategy, on the same scales: the median, and the bands of half and nine tenths."""
    rows = -(-len(simulations) // _FANS_ABREAST)
    abreast = -(-len(simulations) // rows)
    panels = place.subgridspec(rows, abreast)
    rolls = min(_ROLLS_MAX, max(simulation.results.by_roll.shape[1] - 1 for simulation in simulations))
    shared: Axes | None = None
    for rank, ((simulation, colour), strategy) in enumerate(zip(_colours_of(simulations), strategies, strict=True)):
        axis = figure.add_subplot(panels[rank // abreast, rank % abreast], sharex=shared, sharey=shared)
        shared = shared or axis
        tables, limits = strategy.tables, strategy.limits
        equity = paths_of(tables, limits, seed=simulation.seed, sessions=_PATHS, rolls=rolls)
        paths = (equity * tables.unit + limits.left_over) / 100
        for low, high in _SHARES:
            bands = np.quantile(paths, [low, high], axis=0)
            axis.fill_between(range(rolls + 1), *bands, color=colour, alpha=0.16, lw=0)
        axis.plot(np.quantile(paths, 0.5, axis=0), color=colour, lw=1.8)
        axis.set_title(textwrap.fill(f"Bankroll of {simulation.name}", _TITLE // abreast), color=FAINT, fontsize=9)
        ylabel = "" if rank % abreast else "bankroll"
        axis.set(xlabel="rolls; median, half, nine tenths", xlim=(0, rolls), ylabel=ylabel)
        axis.tick_params(labelleft=not rank % abreast)
        axis.yaxis.set_major_formatter(lambda value, _: money(value))


def _final(axis: Axes, simulations: Sequence[Simulation]) -> None:
    """Draw the final bankrolls of sessions that reached their limit, in bins, and the mean of all sessions."""
    values = [_dollars(simulation.results) for simulation in simulations]
    low = min(simulation.results.quantile_cents(0.001) for simulation in simulations) / 100
    high = max(simulation.results.quantile_cents(0.999) for simulation in simulations) / 100
    width = nice(max(high - low, 1.0) / _BINS)
    edges = np.arange(np.floor(low / width), np.ceil(high / width) + 1) * width
    for (simulation, colour), dollars in zip(_colours_of(simulations), values, strict=True):
        results = simulation.results
        heights, _ = np.histogram(dollars, bins=edges, weights=results.final[LIMIT])
        mean = results.mean_cents()
        label = f"{simulation.name}: mean {money(mean.value / 100, 2)} ± {money(mean.margin / 100, 2)}"
        axis.stairs(heights / results.sessions, edges, fill=True, color=colour, alpha=0.16 / len(simulations), lw=0)
        axis.stairs(heights / results.sessions, edges, color=colour, lw=1.6, label=label)
        axis.axvline(mean.value / 100, color=colour, lw=1.2, ls=DASHES)
    axis.set_title("Final bankroll of who played to the limit; dashed: mean of all", color=FAINT, fontsize=9)
    axis.set(xlabel="final bankroll, open wagers at face", ylabel=f"share per {money(width)}", ylim=(0, None))
    axis.xaxis.set_major_formatter(lambda value, _: money(value))
    axis.yaxis.set_major_formatter(lambda value, _: percent(value))
    axis.legend(loc="upper right")


def _survival(axis: Axes, simulations: Sequence[Simulation]) -> None:
    """Draw the share of sessions not ruined by each roll."""
    for simulation, colour in _colours_of(simulations):
        results = simulation.results
        left = 1 - np.cumsum(results.by_roll[RUIN]) / results.sessions
        axis.plot(left, color=colour, lw=1.8, label=f"{simulation.name}: {percent(float(left[-1]))} in the end")
        if results.endings[GOAL]:
            goal = np.cumsum(results.by_roll[GOAL]) / results.sessions
            axis.plot(goal, color=colour, lw=1.4, ls=DASHES, label=f"{simulation.name}: at the goal")
    axis.set_title("Not ruined by then", color=FAINT, fontsize=9)
    axis.set(xlabel="rolls", ylabel="share of sessions", ylim=(0, 1.02))
    axis.margins(x=0)
    axis.yaxis.set_major_formatter(lambda value, _: percent(value))
    axis.legend(loc="center left")


def _comparison(axis: Axes, simulations: Sequence[Simulation]) -> None:
    """Draw where half and nine tenths of the sessions end, the mean, and the chance of ruin."""
    for place, (simulation, colour) in enumerate(_colours_of(simulations)):
        results = simulation.results
        for (low, high), thick in zip(_SHARES, (2.5, 8.0), strict=True):
            ends = [results.quantile_cents(share) / 100 for share in (low, high)]
            axis.plot(ends, [place, place], color=colour, lw=thick, alpha=0.6, solid_capstyle="butt")
        mean = results.mean_cents()
        axis.plot([mean.value / 100], [place], "o", color="white", mec=colour, ms=7)
        ruin = results.chance(RUIN)
        text = f"mean {money(mean.value / 100, 2)}, ruin {percent(ruin.value)}"
        axis.annotate(
            text, (mean.value / 100, place), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=8.5
        )
    axis.axvline(simulations[0].terms.bankroll_cents / 100, color=FAINT, lw=1.0, ls=":")
    axis.set_yticks(range(len(simulations)), [simulation.name for simulation in simulations])
    axis.set_title("Where sessions end: mean, middle half, nine tenths; dotted: start", color=FAINT, fontsize=9)
    axis.set(ylim=(len(simulations) - 0.4, -0.7), xlabel="final bankroll")
    axis.xaxis.set_major_formatter(lambda value, _: money(value))
    axis.grid(visible=False, axis="y")


def _colours_of(simulations: Sequence[Simulation]) -> Iterator[tuple[Simulation, str]]:
    for rank, simulation in enumerate(simulations):
        yield simulation, COLOURS[rank % len(COLOURS)]


def _dollars(results: Results) -> NDArray[np.float64]:
    """Return the dollars of each cell of final equity."""
    bins = results.shape.equity
    return (np.arange(bins.cells) * bins.width * results.unit + results.left_over) / 100
