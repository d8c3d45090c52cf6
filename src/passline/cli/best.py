"""`passline best`: the best lawful play of a menu for a purpose, with a proven bound, and its policy as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.options import session as s
from passline.cli.options.game import GameOption, HouseOption, RulesOption, rules_from
from passline.cli.output import check_writable, progress_bar, side_by_side, write_file
from passline.dice import ROLLS_PER_HOUR
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.exact.best.best_play import BestPlay
    from passline.exact.best.purpose import Purpose

_LINES_MAX = 24  # of a policy on the screen
_PURPOSES = "--goal, --finish, --least-loss or --longest"
_MenuOption = Annotated[
    str,
    typer.Option(
        metavar="WAGERS",
        help="What may be chosen from: wagers separated by commas, with numbers and sizes if not all are meant, such "
        "as pass,pass_odds,place_win 6/8=12/24. line means pass and don't pass with odds, house all that the house "
        "offers, each at its least size.",
    ),
]
_UnitOption = Annotated[
    str,
    typer.Option(
        help="What all sizes and their payouts are multiples of, in dollars.", show_default="the table's minimum"
    ),
]
_TogetherOption = Annotated[
    int, typer.Option(min=1, max=4, help="How many wagers may be up together; odds count with their wager.")
]


def best(
    *,
    goal: Annotated[str, typer.Option(help="Reach this many dollars before ruin; with --rolls, within so many.")] = "",
    finish: Annotated[str, typer.Option(help="Have at least this many dollars after --rolls.")] = "",
    least_loss: Annotated[
        bool, typer.Option("--least-loss", help="Lose least in --rolls or --hours, always with a wager up.")
    ] = False,
    longest: Annotated[
        bool, typer.Option("--longest", help="Last as many of --rolls or --hours as possible, always with a wager up.")
    ] = False,
    menu: _MenuOption = "line",
    unit: _UnitOption = "",
    together: _TogetherOption = 1,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    bankroll: s.BankrollOption = "500",
    rolls: Annotated[
        int | None, typer.Option(parser=s.count_from, metavar="NUMBER", help="Play at most this many rolls.")
    ] = None,
    hours: Annotated[
        int | None, typer.Option(parser=s.count_from, metavar="NUMBER", help="Play this many hours, at --pace.")
    ] = None,
    pace: s.PaceOption = ROLLS_PER_HOUR,
    exact: Annotated[bool, typer.Option("--exact", help="Find the fraction, where that is feasible.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the policy into this file (NAME.policy), which other commands play."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer and the policy as JSON.")] = False,
) -> None:
    """Find the best lawful play for a purpose: its value, the gap that is left, and what to do with how much money.

    The purpose is one of --goal, --finish, --least-loss and --longest.
    """
    from passline.automaton.decisions.menu import menu_of
    from passline.exact.best.best_play import best as solved
    from passline.money import cents_from

    chosen = rules_from(rules, house, game)
    check_writable(save, ".policy")
    if rolls is not None and hours is not None:
        raise CrapsError("--rolls and --hours: both say how long play lasts; leave one out")
    purpose = _purpose(
        goal=goal,
        finish=finish,
        least_loss=least_loss,
        longest=longest,
        bankroll=bankroll,
        rolls=pace * hours if hours is not None else rolls,
    )
    unit_cents = cents_from(unit) if unit else chosen.house.wager_cents_min
    wagers = menu_of(menu, chosen, unit_cents=unit_cents, together=together)
    with progress_bar("best play") as show:
        found = solved(
            chosen,
            wagers,
            purpose,
            exact=exact,
            progress=lambda done, known: show(done, known, "positions explored"),
            improving=lambda done, _change: show(done, purpose.rolls, "rolls" if purpose.rolls else "sweeps"),
        )
    if save is not None:
        write_file(save, found.policy_text().encode())
    if as_json:
        print(json.dumps(_as_json(found), indent=1))
    else:
        _show(found, save)


def _purpose(*, goal: str, finish: str, least_loss: bool, longest: bool, bankroll: str, rolls: int | None) -> Purpose:
    """Return the one purpose that the options name."""
    from passline.exact.best.purpose import Purpose
    from passline.money import cents_from

    named = sum(map(bool, (goal, finish, least_loss, longest)))
    if named != 1:
        raise CrapsError(f"name {'one purpose' if named else 'a purpose'}: {_PURPOSES}")
    cents = cents_from(bankroll)
    if goal:
        return Purpose.goal(bankroll_cents=cents, goal_cents=cents_from(goal), rolls=rolls)
    if rolls is None:
        raise CrapsError("this purpose needs an end of play: give --rolls or --hours")
    if finish:
        return Purpose.finish(bankroll_cents=cents, at_least_cents=cents_from(finish), rolls=rolls)
    return (Purpose.least_loss if least_loss else Purpose.longest)(bankroll_cents=cents, rolls=rolls)


def _show(found: BestPlay, save: Path | None) -> None:
    from rich.console import Console

    from passline.money import dollars

    console = Console(highlight=False, soft_wrap=False)
    console.print(f"Best play to {found.purpose}, by {found.automaton.menu}.", soft_wrap=True)
    console.print(side_by_side(["best"], [found.facts()], width=console.width))
    before = " before the first roll" if found.purpose.rolls else ""
    console.print(f"\nOn a come-out roll with nothing up{before}:")
    runs = [run for run in found.table() if run[2]]
    for low, high, act in runs[:_LINES_MAX]:
        money = dollars(low) if low == high else f"{dollars(low)} to {dollars(high)}"
        console.print(f"{money:>22}  {act}", soft_wrap=True)
    if len(runs) > _LINES_MAX:
        console.print(f"{'...':>22}  {len(runs) - _LINES_MAX} more; --json has them all")
    if save is not None:
        console.print(f"\nPlay it: passline analyze {save} {_terms(found)}", soft_wrap=True)


def _terms(found: BestPlay) -> str:
    """Return the options with which `analyze` plays the same session."""
    purpose = found.purpose
    words = [f"--bankroll {purpose.bankroll_cents / 100:g}"]
    if purpose.kind == "goal":
        words.append(f"--goal {purpose.target_cents / 100:g}")
    words.append(f"--rolls {purpose.rolls or '1e6'}")
    return " ".join([*words, *(["--finish"] if purpose.kind == "least_loss" else [])])


def _as_json(found: BestPlay) -> dict[str, Any]:
    policy = [
        {
            "position": name,
            "runs": [
                {"from_cents": low, "to_cents": high, "act": act} for low, high, act in found.table(number) if act
            ],
        }
        for number, name in enumerate(found.positions)
    ]
    return {
        "purpose": str(found.purpose),
        "menu": str(found.automaton.menu),
        "value": found.value,
        "upper": found.upper,
        "gap": found.gap,
        "exact": None if found.exact is None else str(found.exact),
        "unit_cents": found.automaton.unit,
        "positions": len(found.automaton),
        "acts": len(found.automaton.act_layout),
        "policy": policy,
    }
