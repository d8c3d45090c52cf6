"""`passline play`: play in the terminal, on a full screen or line by line."""

from __future__ import annotations

import io
import secrets
import sys
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, rules_from

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.cli.play.messages import Message
    from passline.cli.play.play_state import PlayState
    from passline.dice import Roll
    from passline.rules.rules import Rules

_SEEDED = "seeded:"
_BIASED = "biased:"


def play(
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    dice: Annotated[
        str,
        typer.Option(
            metavar="DICE",
            help="seeded:NUMBER, electronic, typed (you throw real dice), a FILE of recorded rolls, or biased:srr=6.5.",
        ),
    ] = "electronic",
    bankroll: Annotated[str, typer.Option(help="Your buy-in, in dollars.")] = "500",
    plain: Annotated[
        bool, typer.Option("--plain", help="Play line by line instead of full screen; also for scripts.")
    ] = False,
) -> None:
    """Play craps in the terminal: the layout, the calls, what each roll pays and why."""
    from passline.cli.play.play_state import begin_play
    from passline.money import cents_from

    rolls, said = _dice_source(dice)
    state = begin_play(rules_from(rules, house, game, elected), bankroll=cents_from(bankroll), is_typed=rolls is None)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _play_plainly(state, rolls, said)
    else:
        _play_on_screen(state, rolls, said)


def _dice_source(text: str) -> tuple[Iterator[Roll] | None, str]:
    """Return the source of the dice, or None if the player types them; and what is said of dice not the game's."""
    from passline.dice_sources import DiceError, seed_of, seeded_rolls, system_roll

    if text == "typed":
        return None, ""
    if text == "electronic":
        return iter(system_roll, None), ""
    if text.startswith(_SEEDED):
        return seeded_rolls(seed_of(text.removeprefix(_SEEDED))), ""
    if text.startswith(_BIASED) or Path(text).exists():
        return _other_dice(text)
    raise DiceError(
        f"--dice {text}: choose seeded:7 (any whole number), electronic, typed, a file of rolls or biased:..."
    )


def _other_dice(text: str) -> tuple[Iterator[Roll], str]:
    """Return rolls that are not the game's, and say so: of weighted dice, or recorded ones from the first on."""
    from passline.dice_weights import NOT_THE_GAMES, dice_named, weighted_rolls
    from passline.recorded_rolls import read_rolls

    if text.startswith(_BIASED):
        dice = dice_named(text)
        return weighted_rolls(dice, secrets.randbits(64)), f"{NOT_THE_GAMES}: {dice}"
    rolls = read_rolls(Path(text))
    about = f"{len(rolls):,} recorded rolls of {Path(text).name} in their order, then from the first again"
    return cycle(rolls), f"{NOT_THE_GAMES}: {about}"


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


def _play_on_screen(state: PlayState, dice: Iterator[Roll] | None, said: str) -> None:
    from passline.cli.play.screen import TableApp

    app = TableApp(state, dice, title=f" {_title(state.rules)}{said and f'; {said}'}", greeting=_greeting(state))
    app.run()
    _print(app.farewell())


def _play_plainly(state: PlayState, dice: Iterator[Roll] | None, said: str) -> None:
    """Answer each line of the input until it ends or the player quits."""
    from passline.cli.play.controller import respond, summary

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # invalid bytes must not end the game
            stream.reconfigure(errors="replace")
    print(_title(state.rules), *filter(None, [said]), sep="\n")
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
