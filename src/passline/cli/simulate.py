"""`passline simulate`: millions of sessions of strategies, side by side on the same dice."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from passline.atomic_file import STANDARD_OUTPUT
from passline.chances import chance_text
from passline.cli.against import compared_pairs, pairs_json, show_pairs
from passline.cli.cost import cost_facts, cost_json, cost_of
from passline.cli.exact_beside import EXACT_S_MIN, exact_laws
from passline.cli.options import session as s
from passline.cli.options.dice import SessionDiceOption, dice_json, dice_line, session_dice_from
from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, VaryOption, rules_varied
from passline.cli.output import (
    CHART_SUFFIXES,
    check_outputs,
    check_writable,
    compiling_bar,
    progress_bar,
    side_by_side,
    text_output,
)
from passline.dice import ROLLS_PER_HOUR
from passline.errors import CrapsError
from passline.kernel_cache import has_kernels

if TYPE_CHECKING:
    from passline.automaton.arrays import Short
    from passline.automaton.terms import Terms
    from passline.exact.session.law import SessionLaw
    from passline.rules.rules import Rules
    from passline.simulation.recorded_dice import SessionDice
    from passline.simulation.results import Interval, Results
    from passline.simulation.simulation import PreparedStrategy, Simulation

_ExactOption = Annotated[
    bool | None,
    typer.Option(
        "--exact/--no-exact",
        help="Show the exact answers too, where there are any.",
        show_default="unless they take longer than the play",
    ),
]
_PlotOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw charts into this file (PNG, SVG or PDF; - is stdout, PNG).")
]
_RecordsOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every session into this file (CSV or Parquet; - is stdout, CSV)."),
]
_SessionsOption = Annotated[
    int, typer.Option(parser=s.count_from, metavar="NUMBER", help="The number of sessions, such as 1000000 or 1e9.")
]
_PrecisionOption = Annotated[
    str, typer.Option(metavar="DOLLARS", help="Add sessions until the mean is known to within this, at 95 %.")
]
_CoresOption = Annotated[
    int | None, typer.Option(min=1, help="The number of cores to use.", show_default="all of them")
]
_PLACES = 4  # of a chance that is estimated


def simulate(
    strategies: s.StrategiesArgument,
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    vary: VaryOption = "",
    against: s.AgainstOption = None,
    dice: SessionDiceOption = "fair",
    bankroll: s.BankrollOption = "500",
    rolls: s.RollsOption = None,
    decisions: s.DecisionsOption = None,
    hands: s.HandsOption = None,
    goal: s.GoalOption = "",
    shooter_loss: s.ShooterLossOption = "",
    stop_loss: s.StopLossOption = "",
    trailing_stop: s.TrailingStopOption = "",
    line_wins: s.LineWinsOption = None,
    line_losses: s.LineLossesOption = None,
    minutes: s.MinutesOption = None,
    short: s.ShortOption = "stop",
    pace: s.PaceOption = ROLLS_PER_HOUR,
    sessions: _SessionsOption = 1_000_000,
    seed: Annotated[str, typer.Option(help="The seed of the dice; a seed rolls the same dice everywhere.")] = "0",
    auto_precision: _PrecisionOption = "",
    on: Annotated[str, typer.Option(metavar="WHERE", help="Where to play: cpu, gpu, ray, or ray://HOST:PORT.")] = "cpu",
    cores: _CoresOption = None,
    exact: _ExactOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    plot: _PlotOption = None,
    charts: Annotated[str, typer.Option(help="The charts to draw, of fan, final, survival and comparison.")] = (
        "fan,final,survival,comparison"
    ),
    records: _RecordsOption = None,
) -> None:
    """Simulate sessions of strategies on the same dice: ruin, goal, mean, quantiles, peak, drawdown, amount wagered."""
    from passline.dice_sources import seed_of
    from passline.simulation.simulation import SESSIONS_MAX, is_compiled, simulate_strategies, simulation_of

    houses, key = rules_varied(rules, house, game, elected=elected, vary=vary), seed_of(seed)
    thrown = session_dice_from(dice, houses[0][1])
    terms = s.terms_in(locals())
    _check_outputs(plot, records, as_json=as_json)
    _check_against(against, on)
    kinds, precision = _charts(charts) if plot else [], _precision(auto_precision)
    _check_place(on, thrown)
    played = list(product(houses, dict.fromkeys([*strategies, *(against or ())])))
    most = SESSIONS_MAX if precision else sessions
    prepared = [_prepare_one(*pair, terms, short, thrown, sessions=most) for pair in played]
    begun = time.monotonic()
    with _place(on, cores) as place, _session_bar(sessions, len(prepared)) as done:
        found = simulate_strategies(
            prepared, sessions=sessions, seed=key, precision_cents=precision, done=done, **place
        )
    played_s = time.monotonic() - begun
    results = [
        simulation_of(ready, terms, result, short=short, seed=key)
        for ready, result in zip(prepared, found, strict=True)
    ]
    asked = [ready if exact is not False and is_compiled(ready) else None for ready in prepared]
    laws = exact_laws(played, asked, terms, short, thrown, within=None if exact else max(played_s, EXACT_S_MIN))
    _write(results, prepared, plot=plot, kinds=kinds, records=records)
    pairs = compared_pairs(prepared, played, against or (), found[0].sessions, seed=key, cores=cores)
    if as_json:
        answers = [_as_json(*pair, pace) for pair in zip(results, laws, strict=True)]
        print(json.dumps([*answers, *pairs_json(pairs)], indent=1))
    else:
        _show(results, laws, pace, wanted=sessions, file=text_output(plot, records))
        show_pairs(pairs, text_output(plot, records))
    s.tell_meters(houses, sys.stderr if as_json else text_output(plot, records))


def _prepare_one(
    house: tuple[str, Rules], strategy: str, terms: Terms, short: Short, dice: SessionDice, *, sessions: int
) -> PreparedStrategy:
    """Compile one strategy for one house, which its name then says if there are several, and show how far that is."""
    from passline.simulation.simulation import prepare_strategy

    label, rules = house
    with compiling_bar(strategy) as progress:
        ready = prepare_strategy(rules, strategy, terms, short=short, sessions=sessions, dice=dice, progress=progress)
    _tell_growth(ready)
    return replace(ready, name=f"{ready.name}, {label}") if label else ready


def _tell_growth(ready: PreparedStrategy) -> None:
    """Say of a strategy that is not compiled how fast its states grow or it is dealt, and what follows."""
    from passline.simulation.dealt_tables import DealtTables
    from passline.simulation.growing_tables import GrowingTables

    if isinstance(ready.tables, DealtTables):
        words = ", ".join(sorted(ready.tables.strategy.reads_money))
        print(
            f"passline: {ready.name} reads {words}: the engine deals its sessions, about "
            f"{ready.tables.rolls_per_second:,.0f} rolls a second on each core. "
            "No exact answers are shown beside them; `passline analyze` says whether there are any",
            file=sys.stderr,
        )
    if isinstance(ready.tables, GrowingTables):
        growth = ", ".join(f"{states:,}" for states in ready.tables.growth)
        print(
            f"passline: {ready.name} has many states: after 0, 1, 2, ... rolls {growth}. They are explored as sessions "
            "reach them, which takes longer; there are no exact answers",
            file=sys.stderr,
        )


def _precision(text: str) -> float | None:
    """Return the precision that is asked for, in cents."""
    from passline.money import cents_from

    if not text:
        return None
    cents = cents_from(text)
    if not cents:
        raise CrapsError(f"--auto-precision {text}: the mean is never known exactly; give more than 0, such as 0.10")
    return float(cents)


def _charts(text: str) -> list[str]:
    from passline.simulation.plots import CHART_KINDS

    kinds = [kind.strip().lower() for kind in text.split(",")]
    if wrong := [kind for kind in kinds if kind not in CHART_KINDS]:
        raise CrapsError(f"--charts {text}: there is no chart {wrong[0]!r}; choose of {', '.join(CHART_KINDS)}")
    return kinds


def _check_outputs(plot: Path | None, records: Path | None, *, as_json: bool) -> None:
    """Raise CrapsError before hours of work if its results could not be written afterwards."""
    check_outputs(json=STANDARD_OUTPUT if as_json else None, plot=plot, records=records)
    check_writable(plot, *CHART_SUFFIXES)
    check_writable(records, ".csv", ".parquet")


def _check_against(against: list[str] | None, on: str) -> None:
    if against and on != "cpu":
        raise CrapsError(f"--against and --on {on}: sessions are compared one by one on the CPU; leave out --on")


def _check_place(on: str, dice: SessionDice) -> None:
    """Raise CrapsError before anything is compiled if sessions cannot be played there."""
    if on == "gpu" and not dice.is_fair:
        raise CrapsError(f"--on gpu: a GPU throws fair dice alone, not {dice}: play on the CPU or a cluster")
    if on == "ray" or on.startswith("ray://"):
        from passline.simulation.backends.ray import check_ray

        check_ray()
    elif on == "gpu":
        from passline.simulation.backends.gpu.device import check_gpu

        check_gpu()
    elif on != "cpu":
        raise CrapsError(f"--on {on}: choose cpu, gpu, ray or ray://HOST:PORT")


@contextmanager
def _place(on: str, cores: int | None) -> Iterator[dict[str, Any]]:
    """Yield the arguments with which `simulate_strategies` plays there."""
    if on == "cpu":
        yield {"cores": cores}
        return
    if on == "gpu":
        from passline.simulation.backends.gpu.backend import SLICE_SESSIONS, play_range

        yield {"play": play_range, "slice_sessions": SLICE_SESSIONS}
        return
    from passline.simulation.backends.ray import cluster_at

    with cluster_at(on, cores=cores) as cluster:
        yield {"play": cluster.play, "slice_sessions": cluster.slice_sessions}


@contextmanager
def _session_bar(sessions: int, strategies: int) -> Iterator[Callable[[int, int], None]]:
    """Show the sessions done, the rate and the time left; before the first of them, what the wait is for."""
    is_kept = has_kernels("passline.simulation.backends.cpu.batches")
    what = "loading the kernels" if is_kept else "compiling the kernels for this machine (once; about half a minute)"
    with progress_bar(what) as show:
        begun: list[tuple[float, int]] = []  # when the first slice was done, and its rolls: compiling is not playing

        def tell(done: int, rolls: int) -> None:
            now, total = time.monotonic(), max(sessions, done)
            if not begun:
                begun.append((now, rolls))
            passed, played = now - begun[0][0], rolls - begun[0][1]
            rate = f", {played / passed:.2e} rolls/s" if passed and played else ""
            left = f", {passed * (total - done) / done:.0f} s left" if rate else ""
            each = f" of each of {strategies} strategies" if strategies > 1 else ""
            show(done, total, f"sessions{each} played{rate}{left} (Ctrl-C shows what is done)")

        yield tell


def _write(
    results: list[Simulation],
    prepared: list[PreparedStrategy],
    *,
    plot: Path | None,
    kinds: list[str],
    records: Path | None,
) -> None:
    if plot is not None:
        from passline.simulation.plots import draw

        draw(results, prepared, plot, kinds=kinds)
    if records is not None:
        from passline.simulation.records import write_all_records

        write_all_records(prepared, records, seed=results[0].seed, sessions=results[0].results.sessions)


def _show(
    results: list[Simulation], laws: list[SessionLaw[Any] | None], pace: int, *, wanted: int, file: TextIO
) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False, file=file)
    first = results[0]
    count = first.results.sessions
    if count < wanted:
        console.print(f"Interrupted after {count:,} of {wanted:,} sessions.", style="yellow")
    policy = s.POLICIES[first.short]
    if said := dice_line(first.dice):
        console.print(said, style="bold yellow", soft_wrap=True)
    console.print(f"{count:,} sessions {first.terms}; short of money the player {policy}.", soft_wrap=True)
    console.print(f"Seed {first.seed}; ± is half a 95 % interval.", soft_wrap=True)
    facts = [_facts(simulation, law, pace) for simulation, law in zip(results, laws, strict=True)]
    console.print(side_by_side([simulation.name for simulation in results], facts, width=console.width))


def _facts(simulation: Simulation, law: SessionLaw[Any] | None, pace: int) -> Iterator[tuple[str, str]]:
    """Yield the facts shown about a simulation, as (label, value); labels of exact answers start with a blank."""
    results = simulation.results
    states = " + ".join(f"{states:,}" for _name, states in simulation.parts)
    yield "states", states if any(count for _name, count in simulation.parts) else "dealt by the engine"
    yield from _ending_facts(results, simulation.terms, law)
    yield "ahead at the end", _percent(results.ahead())
    yield "mean", _cents(results.mean_cents())
    if law:
        yield " mean", f"{float(law.mean_cents) / 100:,.4f}"
    yield "standard deviation", f"{results.deviation_cents() / 100:,.2f}"
    if law:
        yield " deviation", f"{law.deviation_cents / 100:,.2f}"
    for share in s.SHARES:
        yield f"{share * 100}% quantile", f"{results.quantile_cents(share) / 100:,.2f}"
    yield "mean peak", _cents(results.mean_cents("peak"))
    yield "mean drawdown", _cents(results.mean_cents("drawdown"))
    yield "mean wagered", _cents(results.mean_cents("wagered"))
    yield "mean rolls", _number(results.mean("rolls"))
    if law:
        yield " rolls", f"{float(law.mean_rolls):.4f}"
    if results.endings[0]:
        yield "mean rolls to ruin", _number(results.rolls_to_ruin())
    if law and law.mean_rolls_to_ruin is not None:
        yield " rolls to ruin", f"{float(law.mean_rolls_to_ruin):.4f}"
    yield from _cost_facts(results, law, pace)


def _ending_facts(results: Results, terms: Terms, law: SessionLaw[Any] | None) -> Iterator[tuple[str, str]]:
    """Yield how sessions end, other than at the limit."""
    from passline.automaton.arrays import GOAL, RUIN, STOP

    yield "ruin", _percent(results.chance(RUIN))
    if law:
        yield " ruin", chance_text(law.ruin)
    if terms.goal_cents is not None:
        yield "goal reached", _percent(results.chance(GOAL))
        if law:
            yield " goal", chance_text(law.goal)
    if terms.has_stops:
        yield "stopped", _percent(results.chance(STOP))
        if law:
            yield " stopped", chance_text(law.stop)


def _cost_facts(results: Results, law: SessionLaw[Any] | None, pace: int) -> Iterator[tuple[str, str]]:
    """Yield what a session costs; initial wagers and what is up are known exactly or not at all."""
    yield "expected loss", _cents(results.loss_cents())
    yield "edge on action", _percent(results.edge_on_action())
    if law:
        exact = dict(cost_facts(cost_of(law), pace))
        yield " edge on action", exact["edge on action"]
        yield "edge on initial wagers", exact["edge on initial wagers"]
        yield "average wager", exact["average wager"]
    rolls = results.mean("rolls").value
    yield f"loss/hour at {pace:,} rolls", _cents(results.loss_cents().times(pace / rolls))


def _percent(share: Interval) -> str:
    is_rare = abs(share.value) < 10**-_PLACES
    margin = chance_text(share.margin, _PLACES) if is_rare else f"{share.margin:.{_PLACES}%}"
    return f"{chance_text(share.value, _PLACES)} ± {margin}"


def _cents(amount: Interval) -> str:
    return f"{amount.value / 100:,.2f} ± {amount.margin / 100:,.2f}"


def _number(amount: Interval) -> str:
    return f"{amount.value:,.2f} ± {amount.margin:,.2f}"


def _as_json(simulation: Simulation, law: SessionLaw[Any] | None, pace: int) -> dict[str, Any]:
    from passline.automaton.arrays import GOAL, RUIN, STOP

    results = simulation.results
    mean, ruin, goal, stop = results.mean_cents(), *(results.chance(ending) for ending in (RUIN, GOAL, STOP))
    answer: dict[str, Any] = {
        "strategy": simulation.name,
        "terms": str(simulation.terms),
        "policy": simulation.short,
        "seed": simulation.seed,
        **dice_json(simulation.dice),
        "states": dict(simulation.parts),
        "ruin": _ends(ruin),
        "goal": _ends(goal),
        "stop": _ends(stop),
        "mean_cents": _ends(mean),
        "sd_cents": results.deviation_cents(),
        "quantiles_cents": {str(float(share)): results.quantile_cents(share) for share in s.SHARES},
        "loss_cents": _ends(results.loss_cents()),
        "edge_on_action": _ends(results.edge_on_action()),
        "rolls_per_hour": pace,
        "loss_cents_per_hour": _ends(results.loss_cents().times(pace / results.mean("rolls").value)),
        **results.plain(),
    }
    if law:
        exact = {
            "ruin": float(law.ruin),
            "goal": float(law.goal),
            "stop": float(law.stop),
            "mean_cents": float(law.mean_cents),
        }
        exact |= {"sd_cents": law.deviation_cents, "mean_rolls": float(law.mean_rolls)}
        answer["exact"] = exact | cost_json(cost_of(law), pace)
    return answer


def _ends(interval: Interval) -> list[float]:
    return [interval.value, interval.low, interval.high]
