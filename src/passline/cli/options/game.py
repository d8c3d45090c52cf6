"""The options that every command about a game takes, and the rules they mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.rules.rules import Rules

__all__ = ["GameOption", "HouseOption", "RulesOption", "rules_from"]

# How a command declares them: `rules: RulesOption = ""`, `house: HouseOption = None`, `game: GameOption = ""`.
RulesOption = Annotated[
    str,
    typer.Option("--rules", metavar="REGULATION", help="colorado, section2, arizona or maryland; its default house."),
]
HouseOption = Annotated[
    Path | None, typer.Option("--house", metavar="FILE", help="A house's own elections; it names its regulation.")
]
GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help="craps, or mini_craps where it is dealt.")]

_DEFAULT = "maryland"


def rules_from(rules: str = "", house: Path | None = None, game: str = "") -> Rules:
    """Turn the three options into rules; two that contradict each other are an error.

    >>> rules_from(rules="section2", game="mini_craps").house.game
    'mini_craps'
    >>> rules_from(rules="colorado", game="mini_craps")
    Traceback (most recent call last):
    passline.errors.CrapsError: --game mini_craps: colorado deals craps and craps_free_craps
    """
    from passline.rules.rulebook_reader import rulebook_of
    from passline.rules.rules import Rules

    if house is None:
        name = rules or _DEFAULT
        _must_deal(game, name, tuple(rulebook_of(name).games))
        return Rules.of(name, game=game)
    chosen = Rules.from_file(house)
    if rules and rules != chosen.rulebook.name:
        message = f"--rules {rules}: {house} is a house of {chosen.rulebook.name}"
        raise CrapsError(message)
    if game and game != chosen.house.game:
        message = f"--game {game}: {house} deals {chosen.house.game}"
        raise CrapsError(message)
    return chosen


def _must_deal(game: str, name: str, games: tuple[str, ...]) -> None:
    if game and game not in games:
        message = f"--game {game}: {name} deals {' and '.join(games)}"
        raise CrapsError(message)
