"""What `passline strategies NAME --play` and `--lint` print."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.automaton.lint import Lint
    from passline.automaton.told import ToldWish
    from passline.automaton.told_play import ToldRoll
    from passline.dice import Roll

_ROLLS_MAX = 1_000


def dice_from(text: str) -> list[Roll]:
    """Parse dice such as 3-4,2-2.

    >>> [roll.pair for roll in dice_from("3-4, 2-2")]
    ['3-4', '2-2']
    """
    from passline.dice import Roll

    pieces = [piece.strip() for piece in text.split(",")]
    if len(pieces) > _ROLLS_MAX:
        raise CrapsError(f"--play has {len(pieces):,} rolls; at most {_ROLLS_MAX:,} are told")
    rolls = []
    for piece in pieces:
        first, dash, second = piece.partition("-")
        if not (dash and first in set("123456") and second in set("123456")):
            raise CrapsError(f"--play {text}: {piece!r} is not a roll; give rolls such as 3-4,2-2")
        rolls.append(Roll(int(first), int(second)))
    return rolls


def told_lines(roll: ToldRoll) -> Iterator[str]:
    """Yield the lines of one roll: what was seen, each wish with its reason, the dice and what they decided."""
    from passline.money import dollars

    known = {"puck": roll.puck or "OFF", **roll.memory}
    if roll.money:
        known |= {name: dollars(getattr(roll.money, name)) for name in roll.money.__struct_fields__}
    yield f"before roll {roll.roll}: {', '.join(f'{name} {value}' for name, value in known.items())}"
    for wish in roll.wishes:
        yield f"    {_wish_line(wish)}"
    if roll.short:
        yield "    too little money: nothing is done"
    yield f"  {roll.dice}"
    yield from (f"    {line}" for line in roll.settled)
    yield f"    equity {dollars(roll.equity_cents)}"


def _wish_line(wish: ToldWish) -> str:
    values = ", ".join(f"{name}={value}" for name, value in wish.values.items())
    said = "; ".join(wish.said) or f"no {wish.does} {wish.wager} {wish.number}".rstrip() + f", {wish.why_not}"
    when = "" if wish.when == "1" else f" when {wish.when}"
    return f"wish[{wish.wish}] {said}{when}{f' [{values}]' if values else ''}"


def lint_lines(found: Lint, regulation: str, width: int) -> Iterator[str]:
    """Yield what the linter found."""
    yield f"Looked at {found.seen} under {regulation}."
    for line in (*found.unused, *found.never):
        yield from textwrap.wrap(f"- {line}", width, subsequent_indent="    ")
    if not (found.unused or found.never):
        yield "Every parameter, memory, let and wish decides something."
    if found.costs:
        most = f"{found.states:,}" if found.is_all else f"more than {found.states:,}"
        yield f"States: {most}, and without"
        for cost in found.costs:
            count = "not counted" if cost.without is None else f"{cost.without:,}"
            yield f"    {cost.line}: {count}"
