"""`passline play`: play in the terminal, on a full screen or line by line."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import GameOption, HouseOption, RulesOption, rules_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.cli.play.messages import Message
    from passline.cli.play.play_state import PlayState
    from passline.dice import Roll
    from passline.rules.rules import Rules

_SEEDED = "seeded:"


def play(
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    dice: Annotated[
        str, typer.Option(help="seeded:NUMBER, electronic, or typed (you throw real dice).")
    ] = "electronic",
    bankroll: Annotated[str, typer.Option(help="Your buy-in, in dollars.")] = "500",
    plain: Annotated[
        bool, typer.Option("--plain", help="Play line by line instead of full screen; also for scripts.")
    ] = False,
) -> None:
    """Play craps in the terminal: the layout, the calls, what each roll pays and why."""
    from passline.cli.play.play_state import begin_play
    from passline.money import cents_from

    rolls = _dice_source(dice)
    state = begin_play(rules_from(rules, house, game), bankroll=cents_from(bankroll), is_typed=rolls is None)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _play_plainly(state, rolls)
    else:
        _play_on_screen(state, rolls)


def _dice_source(text: str) -> Iterator[Roll] | None:
    """Return the source of the dice, or None if the player types them."""
    from passline.dice_sources import DiceError, seed_of, seeded_rolls, system_roll

    if text == "typed":
        return None
    if text == "electronic":
        return iter(system_roll, None)
    if text.startswith(_SEEDED):
        return seeded_rolls(seed_of(text.removeprefix(_SEEDED)))
    raise DiceError(f"--dice {text}: choose seeded:7 (any whole number), electronic or typed")


def _title(rules: Rules) -> str:
    from passline.cli.play.play_state import in_house_currency
    from passline.money import dollar_amount

    house = rules.house
    limits = f"{dollar_amount(house.wager_cents_min)} to {dollar_amount(house.wager_cents_max)}"
    return in_house_currency(rules, f"{house.name}: {house.game.replace('_', '-')}, {limits}")


def _greeting(state: PlayState) -> tuple[Message, ...]:
    from passline.cli.play.messages import Message, charges, hint

    return (
        Message(f"You have {state.rack_text} in your rack, and you are the shooter. Type help for help.", "head"),
        *charges(state.rules),
        Message(hint(state.rules, state.table, is_typed=state.is_typed), "note"),
    )


def _play_on_screen(state: PlayState, dice: Iterator[Roll] | None) -> None:
    from passline.cli.play.screen import TableApp

    app = TableApp(state, dice, title=f" {_title(state.rules)}", greeting=_greeting(state))
    app.run()
    _print(app.farewell())


def _play_plainly(state: PlayState, dice: Iterator[Roll] | None) -> None:
    """Answer each line of the input until it ends or the player quits."""
    from passline.cli.play.controller import respond, summary

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # invalid bytes must not end the game
            stream.reconfigure(errors="replace")
    print(_title(state.rules))
    _print(_greeting(state))
    is_watched = sys.stdin.isatty()
    while not state.is_over:
        print("> " if is_watched else "", end="", flush=True)
        text = sys.stdin.readline()
        if not text:
            break
        if not is_watched:  # the terminal would have shown it
            print(f"> {text.strip()}".rstrip())
        reply = respond(state, text.strip(), dice)
        state = reply.state
        _print(reply.lines)
    _print(summary(state))


def _print(lines: tuple[Message, ...]) -> None:
    for line in lines:
        print(line.text)
