"""`passline play`: read the options, choose the dice, and open the table on a screen or line by line."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import GameOption, HouseOption, RulesOption, rules_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.cli.play.controller import Session
    from passline.cli.play.messages import Line
    from passline.dice import Roll
    from passline.rules.rules import Rules

__all__ = ["play"]

_SEEDED = "seeded:"


def play(
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    dice: Annotated[
        str, typer.Option(help="seeded:NUMBER, electronic, or typed (you throw real dice).")
    ] = "electronic",
    bankroll: Annotated[str, typer.Option(help="What you change for chips, in dollars.")] = "500",
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, also for scripts.")] = False,
) -> None:
    """Play craps in the terminal: the layout, the calls, what each roll pays and why."""
    from passline.cli.play.controller import open_session
    from passline.money import cents_from

    rolls = _source(dice)
    session = open_session(rules_from(rules, house, game), bankroll=cents_from(bankroll), is_typed=rolls is None)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _play_plainly(session, rolls)
    else:
        _play_on_screen(session, rolls)


def _source(text: str) -> Iterator[Roll] | None:
    """Choose where the dice come from; none when the player types them."""
    from passline.dice_sources import DiceError, electronic_roll, seed_of, seeded_rolls

    if text == "typed":
        return None
    if text == "electronic":
        return iter(electronic_roll, None)
    if text.startswith(_SEEDED):
        return seeded_rolls(seed_of(text.removeprefix(_SEEDED)))
    message = f"no dice {text!r}: choose seeded:7 (any whole number), electronic or typed"
    raise DiceError(message)


def _title(rules: Rules) -> str:
    from passline.cli.play.hints import money

    house = rules.house
    limits = f"{money(house.wager_cents_min)} to {money(house.wager_cents_max)}"
    return f"{house.name}: {house.game.replace('_', '-')}, {limits}"


def _greeting(rules: Rules, session: Session) -> tuple[Line, ...]:
    from passline.cli.play.hints import hint
    from passline.cli.play.messages import Line

    return (
        Line(
            f"You have {_rack(session)} in your rack and the dice in your hand. help lists what you may type.", "head"
        ),
        Line(hint(rules, session.table), "note"),
    )


def _rack(session: Session) -> str:
    from passline.cli.play.hints import SEAT, money

    return money(session.table.money.racks[SEAT - 1])


def _play_on_screen(session: Session, dice: Iterator[Roll] | None) -> None:
    from passline.cli.play.screen import TableApp

    app = TableApp(session, dice, title=f" {_title(session.rules)}", greeting=_greeting(session.rules, session))
    app.run()
    _print(app.farewell())


def _play_plainly(session: Session, dice: Iterator[Roll] | None) -> None:
    """Answer each line of the input; its end is the end of the session."""
    from passline.cli.play.controller import respond, summary

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # a byte that is no text is an odd character, not the end of the game
            stream.reconfigure(errors="replace")
    print(_title(session.rules))
    _print(_greeting(session.rules, session))
    is_watched = sys.stdin.isatty()
    while not session.is_over:
        print("> " if is_watched else "", end="", flush=True)
        text = sys.stdin.readline()
        if not text:
            break
        if not is_watched:  # what a person would see on the terminal
            print(f"> {text.strip()}".rstrip())
        reply = respond(session, text.strip(), dice)
        session = reply.session
        _print(reply.lines)
    _print(summary(session))


def _print(lines: tuple[Line, ...]) -> None:
    for line in lines:
        print(line.text)
