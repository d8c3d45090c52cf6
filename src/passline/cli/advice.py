"""`passline tournament advise`: the exact chance of a place for each wager of the last rolls, for training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.output import progress_bar

if TYPE_CHECKING:
    from passline.tournament.advice.advise import Advice, Choice

_LINES = 12


def advise(
    file: Annotated[
        Path, typer.Argument(help="The end of a round: who has what, and how rivals play.", show_default=False)
    ],
    *,
    lines: Annotated[int, typer.Option(min=1, help="How many candidates are shown.")] = _LINES,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every candidate as JSON, chances as fractions.")
    ] = False,
) -> None:
    """Say how likely each wager makes you first, exactly, with up to three rolls left of a tournament's round.

    For training, never during an event: no server offers it. Rivals play strategies that read no standings. The
    candidates are nothing, and one or two wagers at the amounts where a rank can change; your own last roll is the best
    of them. Example: passline tournament advise ending.toml --lines 20
    """
    from passline.tournament.advice.advise import advise as solve
    from passline.tournament.advice.situation import read_situation

    situation = read_situation(file)
    with progress_bar("positions solved") as show:
        found = solve(situation, progress=lambda done, whole: show(done, whole, "positions solved"))
    if as_json:
        print(json.dumps(_advice_json(found)))
        return
    rolls = "the last roll" if situation.rolls == 1 else f"{situation.rolls} rolls left"
    puck = f"puck ON {situation.puck}" if situation.puck else "puck OFF"
    print(f"{rolls}, {puck}; you have {situation.me.points:,} points besides what is up. For training only.")
    for rival in situation.rivals:
        print(f"  {rival.name} has {rival.points:,} and plays {rival.strategy}")
    print(_candidates_text(found))
    headings = ["first" if place == 1 else f"in the first {place}" for place in found.places]
    print(f"\n{''.join(f'{heading:>16}' for heading in headings)}  wager")
    for choice in found.choices[:lines]:
        print(f"{''.join(f'{float(chance):16.4%}' for chance in choice.chances)}  {_wagers_text(choice)}")
    if len(found.choices) > lines:
        print(f"  and {len(found.choices) - lines:,} others; --lines shows more of them")


def _candidates_text(found: Advice) -> str:
    two = f" and {found.two_wagers:,} of two" if found.two_wagers else ""
    last = ""
    if found.positions:
        many = "one or two wagers" if found.are_two_last else "one wager"
        last = f"; your last roll is the best of {many} in each of {found.positions:,} positions"
    return f"Exact for these candidates: {found.one_wager:,} of one wager{two}, and none{last}."


def _wagers_text(choice: Choice) -> str:
    from passline.dice import number_text

    texts = (f"{spot.kind} {number_text(spot.number)}".strip() + f" {points:,}" for spot, points in choice.wagers)
    return " and ".join(texts) or "nothing"


def _advice_json(found: Advice) -> dict[str, Any]:
    from passline.dice import number_text

    return {
        "places": found.places,
        "one_wager": found.one_wager,
        "two_wagers": found.two_wagers,
        "are_two_last": found.are_two_last,
        "positions": found.positions,
        "candidates": [
            {
                "wagers": [
                    {"wager": spot.kind, "number": number_text(spot.number), "points": points}
                    for spot, points in choice.wagers
                ],
                "chances": [str(chance) for chance in choice.chances],
            }
            for choice in found.choices
        ],
    }
