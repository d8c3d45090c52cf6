"""`passline dice`: the evidence of recorded rolls against fair dice, and the dice at which a strategy breaks even."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from passline.atomic_file import STANDARD_OUTPUT
from passline.cli.options import session as s
from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, rules_from
from passline.cli.output import CHART_SUFFIXES, check_outputs, check_writable, progress_bar, side_by_side, text_output
from passline.dice import OUTCOMES

if TYPE_CHECKING:
    from passline.dice import Roll
    from passline.exact.break_even import BreakEven

dice_commands = typer.Typer(
    help="Rolls that somebody recorded, and what a setter of dice would need.", no_args_is_help=True
)
_ALARM = 1000.0
_SHOWN = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


@dice_commands.command("test")
def weigh_rolls(
    file: Annotated[Path, typer.Argument(help="A file of rolls such as 3-4, in the order thrown.", show_default=False)],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the evidence after every roll as JSON.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the evidence by roll (PNG, SVG or PDF; - is stdout, PNG).")
    ] = None,
) -> None:
    """Say after each recorded roll how much speaks against fair dice, whatever may be wrong with them.

    The evidence is what a gambler has made of 1 who wagers against fair dice at fair odds: with fair dice it ever comes
    to 1,000 with a chance of at most 1 in 1,000, however often somebody looks.
    """
    from passline.exact.dice_evidence import evidence_after_each
    from passline.recorded_rolls import read_rolls

    check_writable(plot, *CHART_SUFFIXES)
    check_outputs(json=STANDARD_OUTPUT if as_json else None, plot=plot)
    rolls = read_rolls(file)
    logs = []
    with progress_bar(f"weighing {file}") as show:
        for evidence in evidence_after_each((roll.first, roll.second) for roll in rolls):
            logs.append(evidence.log_value / math.log(10))
            show(len(logs), len(rolls), f"rolls of {file} weighed")
    if plot is not None:
        from passline.exact.plots import draw_evidence

        draw_evidence(logs, plot, about=f"{len(rolls):,} rolls of {file.name}", alarm=_ALARM)
    if as_json:
        print(json.dumps(_evidence_json(rolls, logs), indent=1))
    else:
        _show_evidence(rolls, logs, file.name, text_output(plot))


def _show_evidence(rolls: list[Roll], logs: list[float], name: str, out: TextIO) -> None:
    from passline.exact.plots import evidence_text

    highest = max(logs)
    print(f"{len(rolls):,} rolls of {name}; the evidence against fair dice", file=out)
    for count in (*(count for count in _SHOWN if count < len(rolls)), len(rolls)):
        print(f"{f'after {count:,}':>16}  {evidence_text(logs[count - 1])}", file=out)
    first = next((at for at, value in enumerate(logs, 1) if value >= math.log10(_ALARM)), 0)
    print(f"{'highest':>16}  {evidence_text(highest)}, after {logs.index(highest) + 1:,}", file=out)
    verdict = (
        f"It came to {_ALARM:,.0f} to 1 after {first:,} rolls: fair dice ever do so with a chance of at most 1 in "
        f"{_ALARM:,.0f}."
        if first
        else f"It never came to {_ALARM:,.0f} to 1: these rolls are no reason to call the dice unfair."
    )
    print(verdict, file=out)
    for line in _count_lines(rolls):
        print(line, file=out)


def _count_lines(rolls: list[Roll]) -> Iterator[str]:
    """Yield how often each total and each face came, beside what fair dice show on average."""
    totals, ways = Counter(roll.total for roll in rolls), Counter(roll.total for roll in OUTCOMES)
    faces = Counter(face for roll in rolls for face in (roll.first, roll.second))
    sevens = totals[7]
    to_seven = f"one in {len(rolls) / sevens:.2f} rolls" if sevens else "none"
    yield f"sevens: {to_seven} (fair: one in 6)"
    shown = ", ".join(f"{total}: {totals[total]:,} ({len(rolls) * ways[total] / len(OUTCOMES):,.0f})" for total in ways)
    yield f"totals (fair): {shown}"
    shown = ", ".join(f"{face}: {faces[face]:,}" for face in range(1, 7))
    yield f"faces (fair: {len(rolls) / 3:,.0f} each): {shown}"


def _evidence_json(rolls: list[Roll], logs: list[float]) -> dict[str, Any]:
    first = next((at for at, value in enumerate(logs, 1) if value >= math.log10(_ALARM)), None)
    return {
        "rolls": len(rolls),
        "log10_evidence": logs,
        "highest_log10": max(logs),
        "alarm": _ALARM,
        "alarm_after": first,
        "totals": dict(sorted(Counter(roll.total for roll in rolls).items())),
    }


@dice_commands.command("break-even")
def break_even(
    strategies: s.StrategiesArgument,
    *,
    face: Annotated[
        int, typer.Option(min=0, max=6, help="Weigh this face of both dice instead of the sevens.", show_default=False)
    ] = 0,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find the dice at which a strategy breaks even in the long run: one seven in so many rolls, or a face's weight.

    What is shown are the nearest values on either side of fair dice, each bracketed by two at which the gain per roll,
    computed as a fraction, has opposite signs.
    """
    from passline.exact.break_even import break_even_dice

    chosen, found = rules_from(rules, house, game, elected), {}
    for strategy in strategies:
        with progress_bar(f"solving {strategy}"):
            found[strategy] = break_even_dice(chosen, strategy, face=face)
    if as_json:
        print(json.dumps([_break_even_json(answer) for answers in found.values() for answer in answers], indent=1))
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    what = f"the weight of face {face} of both dice, the others weighing 1" if face else "rolls to a seven, 6 if fair"
    console.print(f"Dice at which the long run neither gains nor loses: {what}. NOT the game's dice.", soft_wrap=True)
    facts = [list(_facts(answers)) for answers in found.values()]
    console.print(side_by_side(list(found), facts, width=console.width))


def _facts(answers: list[BreakEven]) -> Iterator[tuple[str, str]]:
    if not answers:
        yield "breaks even", "nowhere"
        return
    yield "gain per roll, fair dice", f"{float(answers[0].fair) / 100:,.4f}"
    fair = 1 if answers[0].varied.startswith("weight") else 6
    for label, answer in (
        *(("breaks even above", answer) for answer in answers if answer.low >= fair),
        *(("breaks even below", answer) for answer in answers if answer.low < fair),
    ):
        yield label, f"{float(answer.low):.6f} to {float(answer.high):.6f}"
        if fair != 1:
            yield f"chance of a seven {label.rpartition(' ')[2]}", f"{float(1 / answer.high):.4%} (fair 16.6667%)"
        if not answer.is_exact:
            yield f"signs {label.rpartition(' ')[2]}", "in float64"


def _break_even_json(answer: BreakEven) -> dict[str, Any]:
    return {
        "strategy": answer.name,
        "varied": answer.varied,
        "low": str(answer.low),
        "high": str(answer.high),
        "gain_per_roll_cents": {
            "fair": str(answer.fair),
            "low": str(answer.gain_at_low),
            "high": str(answer.gain_at_high),
        },
        "exact": answer.is_exact,
        "dice_are": "NOT the game's dice",
    }
