"""`passline analyze`: the exact law of a session, for one strategy or several side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from passline.atomic_file import STANDARD_OUTPUT
from passline.chances import chance_text, plain_chance
from passline.cli.against import laws_json, show_laws, solved_pairs
from passline.cli.backwards import refuse_beside, solve_backwards
from passline.cli.cost import Cost, cost_facts, cost_json, cost_of
from passline.cli.options import session as s
from passline.cli.options.dice import DiceOption, dice_json, dice_line, weights_from
from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, VaryOption, rules_varied
from passline.cli.output import CHART_SUFFIXES, check_outputs, check_writable, progress_bar, side_by_side, text_output
from passline.dice import ROLLS_PER_HOUR

if TYPE_CHECKING:
    from passline.automaton.terms import Terms
    from passline.exact.analysis import Analysis
    from passline.rules.rules import Rules

_FinishOption = Annotated[
    bool, typer.Option("--finish", help="Play out what is up when the session ends, instead of counting it at face.")
]
_RuinAtMostOption = Annotated[
    str, typer.Option(metavar="CHANCE", help="Find the smallest bankroll with at most this chance of ruin, such as 5%.")
]
_GoalAtLeastOption = Annotated[
    str, typer.Option(metavar="CHANCE", help="Find the highest goal that is reached with at least this chance.")
]
_RollsForOption = Annotated[
    str, typer.Option(metavar="CHANCE", help="Find the rolls in which the goal, or ruin, comes with this chance.")
]
_AT_FACE = "Wagers still up at the end count at face; --finish plays them out."
_FINISHED = "Wagers still up at the end are played out, and nothing new is made."


def analyze(
    strategies: s.StrategiesArgument,
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    vary: VaryOption = "",
    against: s.AgainstOption = None,
    dice: DiceOption = "fair",
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
    finish: _FinishOption = False,
    pace: s.PaceOption = ROLLS_PER_HOUR,
    ruin_at_most: _RuinAtMostOption = "",
    goal_at_least: _GoalAtLeastOption = "",
    rolls_for: _RollsForOption = "",
    exact: Annotated[bool, typer.Option("--exact", help="Exact fractions, not float64 with error bounds.")] = False,
    budget: Annotated[
        int | None,
        typer.Option(help="Merge independent parts of a strategy while the result has at most this many states."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the distributions into this file (PNG, SVG or PDF; - is stdout, PNG)."),
    ] = None,
    plot_ruin: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the time to ruin into this file.")
    ] = None,
) -> None:
    """Print the exact law of a session: ruin, goal, mean, deviation and quantiles of the final bankroll.

    Or solve it backwards: --ruin-at-most, --goal-at-least and --rolls-for find the bankroll, the goal or the rolls.
    """
    from passline.automaton.network import BUDGET

    houses, weights = rules_varied(rules, house, game, elected=elected, vary=vary), weights_from(dice)
    terms, states = s.terms_in(locals()), BUDGET if budget is None else budget
    asked = {"ruin_at_most": ruin_at_most, "goal_at_least": goal_at_least, "rolls_for": rolls_for}
    if any(asked.values()):
        beside: dict[str, object] = {"finish": finish, "exact": exact, "vary": vary, "against": against}
        beside |= {"plot": plot, "plot_ruin": plot_ruin}
        refuse_beside(asked, goal=bool(goal), **beside)
        common: dict[str, Any] = {"short": short, "budget": states, "dice": weights}
        solve_backwards(houses[0][1], strategies, terms, asked, common, as_json=as_json)
        return
    for file in (plot, plot_ruin):
        check_writable(file, *CHART_SUFFIXES)
    check_outputs(json=STANDARD_OUTPUT if as_json else None, plot=plot, plot_ruin=plot_ruin)
    how = {"short": short, "finish": finish, "exact": exact, "budget": states, "dice": weights}
    found = [_solve_one(*pair, terms, how) for pair in product(houses, dict.fromkeys([*strategies, *(against or ())]))]
    pairs = solved_pairs(houses, strategies, against or (), terms, how)
    _draw(found, plot, plot_ruin)
    if as_json:
        print(json.dumps([_as_json(analysis, terms, pace) for analysis in found] + laws_json(pairs), indent=1))
    else:
        _show(found, terms, short, pace, is_finished=finish, file=text_output(plot, plot_ruin))
        show_laws(pairs, text_output(plot, plot_ruin))
    s.tell_meters(houses, sys.stderr if as_json else text_output(plot, plot_ruin))


def _solve_one(house: tuple[str, Rules], strategy: str, terms: Terms, how: dict[str, Any]) -> Analysis:
    """Solve one strategy at one house, which its name then says if there are several, and show how far that is."""
    from passline.exact.analysis import analyze as solved

    label, rules = house
    with progress_bar(strategy) as show:
        analysis = solved(
            rules,
            strategy,
            terms,
            **how,
            progress=lambda done, known: show(done, known, f"states of {strategy} compiled"),
            solving=lambda done, total: show(done, total, f"solving {strategy}"),
        )
    return replace(analysis, name=f"{analysis.name}, {label}") if label else analysis


def _show(found: list[Analysis], terms: Terms, short: str, pace: int, *, is_finished: bool, file: TextIO) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False, file=file)
    if said := dice_line(found[0].dice):
        console.print(said, style="bold yellow", soft_wrap=True)
    console.print(f"A session {terms}; short of money the player {s.POLICIES[short]}.")
    console.print(_FINISHED if is_finished else _AT_FACE)
    facts = [_facts(analysis, terms, pace) for analysis in found]
    console.print(side_by_side([analysis.name for analysis in found], facts, width=console.width))
    for analysis in found:
        if analysis.why:
            console.print(Text(analysis.why), style="yellow")


def _facts(analysis: Analysis, terms: Terms, pace: int) -> Iterator[tuple[str, str]]:
    """Yield the facts shown about a law, as (label, value)."""
    yield "states", " + ".join(f"{states:,}" for _name, states in analysis.parts)
    if analysis.moments is not None:
        yield "mean", _money(terms.bankroll_cents + analysis.moments.mean)
        yield "standard deviation", _money(analysis.moments.sd)
        yield from cost_facts(_cost(analysis, terms), pace)
        return
    law = analysis.law
    assert law is not None
    chances = zip(law.equity_cents, map(float, law.chances), strict=True)
    ahead = sum(chance for equity, chance in chances if equity > terms.bankroll_cents)
    yield "ruin", chance_text(law.ruin)
    if terms.goal_cents is not None:
        yield "goal reached", chance_text(law.goal)
    if terms.has_stops:
        yield "stopped", chance_text(law.stop)
    yield "ahead at the end", chance_text(ahead)
    yield "mean", _money(float(law.mean_cents))
    yield "standard deviation", _money(law.deviation_cents)
    for share in s.SHARES:
        yield f"{share * 100}% quantile", _money(law.quantile_cents(share))
    yield "mean rolls", f"{float(law.mean_rolls):.2f}"
    if law.mean_rolls_to_ruin is not None:
        yield "mean rolls to ruin", f"{float(law.mean_rolls_to_ruin):.2f}"
    yield from cost_facts(_cost(analysis, terms), pace)
    if analysis.fall is not None:
        yield "size", str(analysis.fall)
    yield "error of a probability", f"at most {law.error:.1e}" if law.error else "none: exact"


def _cost(analysis: Analysis, terms: Terms) -> Cost:
    """Return what the session costs, and what was wagered for it."""
    known = analysis.moments
    if known is not None:
        wagered = {"action_cents": known.action, "initial_cents": known.initial, "up_cents": known.up}
        return Cost(loss_cents=-known.mean, rolls=float(terms.rolls or 0), **wagered)
    assert analysis.law is not None
    return cost_of(analysis.law)


def _draw(found: list[Analysis], laws_to: Path | None, ruin_to: Path | None) -> None:
    if laws_to is None and ruin_to is None:
        return
    from passline.dice_weights import dice_note
    from passline.errors import CrapsError
    from passline.exact.plots import draw_laws, draw_ruin

    laws = {}
    for number, analysis in enumerate(found, 1):
        if analysis.law is None:
            raise CrapsError(f"{analysis.name} has no law to draw: {analysis.why}")
        laws[f"{analysis.name} ({number})" if analysis.name in laws else analysis.name] = analysis.law
    if laws_to is not None:
        draw_laws(laws, laws_to, about=dice_note(found[0].dice))
    if ruin_to is not None:
        draw_ruin(laws, ruin_to, about=dice_note(found[0].dice))


def _money(cents: float) -> str:
    return f"{cents / 100:,.2f}"


def _as_json(analysis: Analysis, terms: Terms, pace: int) -> dict[str, Any]:
    answer: dict[str, Any] = {"strategy": analysis.name, "terms": asdict(terms), "states": dict(analysis.parts)}
    answer |= dice_json(analysis.dice)
    answer |= cost_json(_cost(analysis, terms), pace)
    if analysis.moments is not None:
        known = analysis.moments
        answer |= {"why_no_law": analysis.why, "mean_cents": terms.bankroll_cents + known.mean}
        return answer | {"sd_cents": known.sd, "error_cents": known.error}
    law = analysis.law
    assert law is not None

    return answer | {
        "policy": law.policy,
        "open_wagers": "played out" if law.is_finished else "at face",
        "ruin": plain_chance(law.ruin),
        "goal": plain_chance(law.goal),
        "stop": plain_chance(law.stop),
        "mean_cents": plain_chance(law.mean_cents),
        "sd_cents": law.deviation_cents,
        "quantiles_cents": {str(float(share)): law.quantile_cents(share) for share in s.SHARES},
        "mean_rolls": plain_chance(law.mean_rolls),
        "mean_rolls_to_ruin": None if law.mean_rolls_to_ruin is None else plain_chance(law.mean_rolls_to_ruin),
        "error": law.error,
        "mean_error_cents": law.mean_error_cents,
        "law": [list(pair) for pair in zip(law.equity_cents, map(plain_chance, law.chances), strict=True)],
        "ruin_by_roll": [plain_chance(p) for p in law.ruin_by_roll],
        "goal_by_roll": [plain_chance(p) for p in law.goal_by_roll],
        "limit_by_roll": [plain_chance(p) for p in law.limit_by_roll],
        "stop_by_roll": [plain_chance(p) for p in law.stop_by_roll],
    }
