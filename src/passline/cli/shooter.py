"""`passline shooter`: the law of a shooter's hand, its length or any count over it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options import GameOption, HouseOption, RulesOption, rules_from

if TYPE_CHECKING:
    from passline.exact.hands import CountLaw

__all__ = ["shooter"]

_ROWS = 40


def shooter(
    *,
    count: Annotated[
        str, typer.Option(help="rolls, points, sevens, elevens, 'sevens and elevens', numbers.")
    ] = "rolls",
    at_least: Annotated[int | None, typer.Option(help="Only the probability of so many or more.")] = None,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Everything, fractions as p/q.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the law into this file (png, svg or pdf).")] = None,
) -> None:
    """Give the exact law of a shooter's hand: how long it lasts, or how many of a thing it has."""
    from passline.automaton.compile import compile as compiled
    from passline.errors import CrapsError
    from passline.exact.hands import COUNTS, count_law
    from passline.strategy.catalogue import strategy_of

    if count not in COUNTS:
        raise CrapsError(f"--count {count}: these can be counted over a hand: {', '.join(COUNTS)}")
    chosen = rules_from(rules, house, game)
    automaton = compiled(chosen, strategy_of("pass", chosen))
    law = count_law(automaton, COUNTS[count](automaton))
    if plot is not None:
        from passline.exact.plots import draw_count, draw_hand_length

        if count == "rolls":
            draw_hand_length(law, plot)
        else:
            draw_count(law, count, plot)
    if as_json:
        print(json.dumps(_as_json(law, count), indent=1))
    elif at_least is not None:
        chance = law.at_least(at_least)
        print(f"{count} of at least {at_least}: {float(chance):.6g}, 1 in {float(1 / chance):.3g}")
        print(chance)
    else:
        _show(law, count)


def _rows(law: CountLaw) -> list[tuple[int, Fraction, Fraction]]:
    return law.table(until=Fraction(1, 10**6))[:_ROWS]


def _show(law: CountLaw, count: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    deviation = float(law.variance) ** 0.5
    console.print(f"A shooter's hand: {count}. Mean {law.mean} = {float(law.mean):.6f}, deviation {deviation:.6f}.")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for title in (count, "exactly", "at least", "one in"):
        table.add_column(title, justify="right")
    for value, chance, tail in _rows(law):
        table.add_row(str(value), f"{float(chance):.9f}", f"{float(tail):.9f}", f"{float(1 / tail):,.1f}")
    console.print(table)


def _as_json(law: CountLaw, count: str) -> dict[str, object]:
    return {
        "count": count,
        "mean": str(law.mean),
        "variance": str(law.variance),
        "law": [[value, str(chance), str(tail)] for value, chance, tail in _rows(law)],
    }
