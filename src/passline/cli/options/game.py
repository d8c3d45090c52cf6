"""The options of every command about a game, and the rules they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.rules.rules import Rules

__all__ = [
    "DEFAULT_RULES",
    "GameOption",
    "HouseOption",
    "RulesOption",
    "complete_game",
    "complete_regulation",
    "name_as_written",
    "regulation_named",
    "rules_from",
]

DEFAULT_RULES = "maryland"
"""The regulation of a command that names none."""


def complete_regulation(incomplete: str) -> list[str]:
    """Return the regulations that a shell may complete to."""
    from passline.rules.clauses import REGULATIONS

    return [name for name in REGULATIONS if name.startswith(incomplete.lower())]


def complete_game(incomplete: str) -> list[str]:
    """Return the games that a shell may complete to."""
    from passline.rules.clauses import REGULATIONS
    from passline.rules.rulebook_reader import rulebook_of

    games = dict.fromkeys(game for name in REGULATIONS for game in rulebook_of(name).games)
    return [game for game in games if game.startswith(incomplete.lower())]


# A command declares them as `rules: RulesOption = ""`, `house: HouseOption = None`, `game: GameOption = ""`.
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="REGULATION",
        help="The regulation (colorado, section2, arizona or maryland), with its default house.",
        show_default=DEFAULT_RULES,
        autocompletion=complete_regulation,
    ),
]
HouseOption = Annotated[
    Path | None, typer.Option("--house", metavar="FILE", help="A house file, which names its own regulation.")
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game, such as craps, mini_craps or craps_free_craps, where the regulation has it.",
        show_default="craps",
        autocompletion=complete_game,
    ),
]


def regulation_named(name: str) -> str:
    """Return the name of a regulation as it is written here, whatever its case, with blanks and dashes as people type.

    >>> regulation_named("Maryland"), regulation_named("SECTION 2"), regulation_named("ours")
    ('maryland', 'section2', 'ours')
    """
    from passline.rules.clauses import REGULATIONS

    plain = name.lower().translate({ord(sign): None for sign in " -_"})
    return plain if plain in REGULATIONS else name


def name_as_written(word: str) -> str:
    """Return a name as rulebooks write it.

    >>> name_as_written("Mini-Craps")
    'mini_craps'
    """
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def rules_from(rules: str = "", house: Path | None = None, game: str = "") -> Rules:
    """Return the rules that the three options stand for. Raise CrapsError if two of them contradict each other.

    >>> rules_from(rules="section2", game="mini_craps").house.game
    'mini_craps'
    >>> rules_from(rules="colorado", game="mini_craps")
    Traceback (most recent call last):
    passline.errors.CrapsError: --game mini_craps: colorado deals craps and craps_free_craps
    """
    from passline.rules.rulebook_reader import rulebook_of
    from passline.rules.rules import Rules

    rules, game = regulation_named(rules), name_as_written(game)
    if house is None:
        name = rules or DEFAULT_RULES
        games = tuple(rulebook_of(name).games)
        if game and game not in games:
            raise CrapsError(f"--game {game}: {name} deals {' and '.join(games)}")
        return Rules.of(name, game=game)
    chosen = Rules.from_file(house)
    if rules and rules != chosen.rulebook.name:
        raise CrapsError(f"--rules {rules}: {house} is a house of {chosen.rulebook.name}")
    if game and game != chosen.house.game:
        raise CrapsError(f"--game {game}: {house} deals {chosen.house.game}")
    return chosen
