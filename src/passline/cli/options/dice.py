"""The option that names other dice than the game's, and what every page says of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.dice_weights import DiceWeights
    from passline.rules.rules import Rules
    from passline.simulation.recorded_dice import SessionDice

_BIASED = "biased:"  # as in `dice_weights`, which is imported when it is used
_NAMES = ("fair", _BIASED)

# A command declares it as `dice: DiceOption = "fair"`.
DiceOption = Annotated[
    str,
    typer.Option(
        "--dice",
        metavar="DICE",
        help="Dice that are not the game's: biased:srr=6.5 (rolls to a seven), or the weights of faces, biased:6=1.1.",
    ),
]
SessionDiceOption = Annotated[
    str,
    typer.Option(
        "--dice",
        metavar="DICE",
        help="Dice that are not the game's: biased:srr=6.5, biased:6=1.1, or a FILE of recorded rolls.",
    ),
]


def weights_from(text: str) -> DiceWeights:
    """Return dice that have a law; recorded rolls have none.

    >>> print(weights_from("biased:srr=6.5"), weights_from("fair"), sep=", ")
    dice of one seven in 6.5 rolls, fair dice
    """
    from passline.dice_sources import DiceError
    from passline.dice_weights import dice_named

    if not text.startswith(_NAMES) and Path(text).exists():
        raise DiceError(f"--dice {text}: recorded rolls have no law; simulate, replay and play throw them")
    return dice_named(text)


def session_dice_from(text: str, rules: Rules) -> SessionDice:
    """Return the dice of sessions: those of a name, or the rolls recorded in a file."""
    from passline.dice_weights import dice_named
    from passline.simulation.recorded_dice import dice_of_file

    is_file = not text.startswith(_NAMES) and (Path(text).exists() or "." in text)
    return dice_of_file(rules, Path(text)) if is_file else dice_named(text)


def dice_line(dice: SessionDice) -> str:
    """Return the line that a page begins with where the dice are not the game's; else nothing.

    >>> dice_line(weights_from("biased:srr=6.5")), dice_line(weights_from("fair"))
    ("NOT the game's dice: dice of one seven in 6.5 rolls.", '')
    """
    from passline.dice_weights import NOT_THE_GAMES

    return "" if dice.is_fair else f"{NOT_THE_GAMES}: {dice}."


def dice_json(dice: SessionDice) -> Mapping[str, object]:
    """Return what JSON says of dice that are not the game's.

    >>> dice_json(weights_from("fair")), dice_json(weights_from("biased:srr=7"))["seven"]
    ({}, '1/7')
    """
    from passline.dice_weights import NOT_THE_GAMES, DiceWeights

    if dice.is_fair:
        return {}
    about: dict[str, object] = {"dice": str(dice), "dice_are": NOT_THE_GAMES}
    if isinstance(dice, DiceWeights):
        about |= {"weights": list(dice.weights), "seven": str(dice.seven)}
    return about
