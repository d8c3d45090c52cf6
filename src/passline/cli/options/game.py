"""Options that name a regulation, a house and a game, and the rules they stand for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.errors import CrapsError
from passline.rules.pages.day import day_named
from passline.rules.pages.library import FOLDERS, default_regulation, known_rulebooks, regulations

if TYPE_CHECKING:
    from passline.rules.explain.paper_head import PaperHead
    from passline.rules.rules import Rules

LISTED = "passline rulebook list names them all"
"""Where people find the names of regulations."""


def complete_regulation(incomplete: str) -> list[str]:
    """Return the regulations that a shell may complete to."""
    return [name for name in regulations() if name.startswith(incomplete.lower())]


def _complete_game(incomplete: str) -> list[str]:
    from passline.rules.rulebook_reader import rulebook_of, sound_regulations

    games = dict.fromkeys(game for name in sound_regulations() for game in rulebook_of(name).games)
    return [game for game in games if game.startswith(incomplete.lower())]


# A command declares them as `rules: RulesOption = ""`, `house: HouseOption = None`, `game: GameOption = ""`.
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="REGULATION",
        help=f"The regulation, with its default house; {LISTED}.",
        show_default=default_regulation(),
        autocompletion=complete_regulation,
    ),
]
HouseOption = Annotated[
    Path | None,
    typer.Option(
        "--house",
        metavar="FILE",
        help="A house file, which names its own regulation; or a style: 3-4-5x, 10x or 20x, by the odds.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="An election of the house, with the keys of passline house new; repeat it."
    ),
]
VaryOption = Annotated[
    str, typer.Option("--vary", metavar="KEY=A,B", help="Houses side by side: one for each value of an election.")
]
GameOption = Annotated[
    str,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game, such as craps, mini_craps or craps_free_craps, where the regulation has it.",
        show_default="craps",
        autocompletion=_complete_game,
    ),
]


def regulation_named(name: str) -> str:
    """Return the name of a regulation as it is written here, whatever its case, with blanks and dashes as people type.

    >>> regulation_named("Maryland"), regulation_named("SECTION 2"), regulation_named("ours")
    ('maryland', 'section2', 'ours')
    """
    plain = _plain_name(name)
    return next((known for known in regulations() if _plain_name(known) == plain), name)


def name_of_folder(regulation: str) -> str:
    """Return the name of a regulation; the folder of a rulebook that no shelf has is known from now on."""
    name, path = regulation_named(regulation), Path(regulation).absolute()
    if name in regulations() or not path.is_dir():
        return name
    if (path.name, str(path.parent)) not in known_rulebooks().places:
        places = (*os.environ.get(FOLDERS, "").split(os.pathsep), str(path))
        os.environ[FOLDERS] = os.pathsep.join(filter(None, places))  # `main` puts it back
    return path.name


def _plain_name(name: str) -> str:
    return name.lower().translate({ord(sign): None for sign in " -_"})


def name_as_written(word: str) -> str:
    """Return a name as rulebooks write it.

    >>> name_as_written("Mini-Craps")
    'mini_craps'
    """
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def rules_from(
    rules: str = "", house: Path | None = None, game: str = "", elected: Sequence[str] | None = None
) -> Rules:
    """Return the rules that the options stand for. Raise CrapsError if two of them contradict each other.

    >>> rules_from(rules="section2", game="mini_craps").house.game
    'mini_craps'
    >>> rules_from(rules="maryland", house=Path("10x"), elected=["odds.6=5"]).house.odds["8"]
    10
    >>> rules_from(rules="colorado", game="mini_craps")
    Traceback (most recent call last):
    passline.errors.CrapsError: --game mini_craps: colorado deals craps and craps_free_craps
    """
    from passline.rules.elected import elections_from, house_styles, rules_elected
    from passline.rules.pages.texts import read_toml
    from passline.rules.rulebook_reader import rulebook_of
    from passline.rules.rules import Rules

    rules, game = regulation_named(rules), name_as_written(game)
    elections = elections_from(elected or ())
    style = None if house is None or house.exists() else house_styles().get(str(house))
    if house is None or style is not None:
        name = rules or default_regulation()
        games = tuple(rulebook_of(name).games)
        if game and game not in games:
            raise CrapsError(f"--game {game}: {name} deals {' and '.join(games)}")
        return rules_elected(rulebook_of(name), elections, house=style, game=game)
    chosen = Rules.from_file(house)
    if elections:
        chosen = rules_elected(chosen.rulebook, elections, house=read_toml(house))
    if rules and rules != chosen.rulebook.name:
        raise CrapsError(f"--rules {rules}: {house} is a house of {chosen.rulebook.name}")
    if game and game != chosen.house.game:
        raise CrapsError(f"--game {game}: {house} deals {chosen.house.game}")
    return chosen


def rules_varied(
    rules: str = "", house: Path | None = None, game: str = "", *, elected: Sequence[str] | None = None, vary: str = ""
) -> list[tuple[str, Rules]]:
    """Return the rules of one house, or of one for each value that --vary names, and how each is told from the others.

    >>> [(label, rules.house.wager_cents_min) for label, rules in rules_varied(vary="wager_cents_min=500,1000")]
    [('wager_cents_min=500', 500), ('wager_cents_min=1000', 1000)]
    """
    from passline.rules.elected import values_from

    if not vary:
        return [("", rules_from(rules, house, game, elected))]
    key, values = values_from(vary)
    choices = [f"{key}={value}" for value in values]
    return [(choice, rules_from(rules, house, game, [*(elected or ()), choice])) for choice in choices]


InForceOption = Annotated[
    str,
    typer.Option(
        "--in-force",
        metavar="DAY",
        help="The day from which it is in force, such as 2026-12-01: the regulation as it stands on that day.",
    ),
]
"""--in-force"""


def day_from(text: str) -> date | None:
    """Return a day, or None for an empty text.

    >>> day_from("2026-12-01")
    datetime.date(2026, 12, 1)
    """
    return day_named(text, "--in-force") if text else None


def rules_at(text: str, game: str = "") -> tuple[str, Rules]:
    """Return how a regulation is called, and the rules of its default house: NAME, or NAME@DAY for the text of a day.

    >>> rules_at("Colorado@2013-10-15")[0]
    'colorado@2013-10-15'
    """
    from passline.rules.rulebook_reader import rulebook_of
    from passline.rules.rules import Rules

    before, at, day = text.partition("@")
    name, chosen = regulation_named(before), name_as_written(game)
    rulebook = rulebook_of(name, day_named(day, f"{name}@") if at else None)
    if chosen and chosen not in rulebook.games:
        raise CrapsError(f"--game {chosen}: {name} deals {' and '.join(rulebook.games)}")
    return f"{name}{at}{day}", Rules.under(rulebook, game=chosen)


def named_house(text: str, *, game: str = "", on: date | None = None) -> Rules:
    """Return the rules of a house file, or of the default house of a regulation; on a day, if one is given.

    >>> named_house("maryland").house.name, named_house("Section 2", game="mini-craps").house.game
    ('Default Maryland house', 'mini_craps')
    >>> named_house("nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.errors.CrapsError: nevada: is neither a house file nor a regulation: there is no rulebook 'nevada'; ...
    """
    from passline.rules.elected import house_styles
    from passline.rules.pages.texts import RulebookError

    name, path = regulation_named(text), Path(text)
    if text in house_styles() and not path.exists():
        chosen = rules_from(house=path, game=game)
    elif name in regulations() and not path.is_file():
        chosen = rules_from(name, game=game)
    elif path.suffix or path.exists():
        chosen = rules_from(house=path, game=name_as_written(game))
    else:
        try:
            known_rulebooks().folder(text)
        except RulebookError as error:
            raise CrapsError(f"{text}: is neither a house file nor a regulation: {error}") from None
        raise AssertionError("a rulebook is known or refused")
    return chosen if on is None else _house_on(chosen, on)


def _house_on(rules: Rules, on: date) -> Rules:
    """Return the same house under its regulation as it stood on a day."""
    import msgspec

    from passline.rules.rulebook_reader import rulebook_of
    from passline.rules.rules import Rules

    rulebook = rulebook_of(rules.rulebook.name, on)
    return Rules.under(rulebook, msgspec.to_builtins(rules.house))


def head_from(rules: Rules, text: str, in_force: str) -> PaperHead:
    """Return the head of the papers of a named house; of a house file, with its SHA-256."""
    from passline.rules.explain.paper_head import head_of
    from passline.version import __version__

    path = Path(text)
    file_digest = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return head_of(rules, version=__version__, file_digest=file_digest, in_force=in_force)
