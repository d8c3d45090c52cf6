"""A house as people name it on the command line: a house file, or a regulation for its default house."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import name_as_written, regulation_named, rules_from
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.rules.explain.paper_head import PaperHead
    from passline.rules.rules import Rules

__all__ = ["InForceOption", "day_from", "head_from", "named_house"]

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
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CrapsError(f"--in-force {text}: is not a day such as 2026-12-01") from None


def named_house(text: str, *, game: str = "", on: date | None = None) -> Rules:
    """Return the rules of a house file, or of the default house of a regulation; on a day, if one is given.

    >>> named_house("maryland").house.name, named_house("Section 2", game="mini-craps").house.game
    ('Default Maryland house', 'mini_craps')
    >>> named_house("nevada")
    Traceback (most recent call last):
    passline.errors.CrapsError: nevada: is neither a house file nor a regulation (colorado, section2, arizona, maryland)
    """
    from passline.rules.clauses import REGULATIONS

    name, path = regulation_named(text), Path(text)
    if name in REGULATIONS and not path.is_file():
        chosen = rules_from(name, game=game)
    elif path.suffix or path.exists():
        chosen = rules_from(house=path, game=name_as_written(game))
    else:
        raise CrapsError(f"{text}: is neither a house file nor a regulation ({', '.join(REGULATIONS)})")
    return chosen if on is None else _house_on(chosen, on)


def _house_on(rules: Rules, on: date) -> Rules:
    """Return the same house under its regulation as it stood on a day."""
    import msgspec

    from passline.rules.pages.texts import installed_folder
    from passline.rules.rulebook_reader import load_rulebook
    from passline.rules.rules import Rules

    rulebook = load_rulebook(installed_folder(rules.rulebook.name), on=on)
    return Rules.under(rulebook, msgspec.to_builtins(rules.house))


def head_from(rules: Rules, text: str, in_force: str) -> PaperHead:
    """Return the head of the papers of a named house; of a house file, with its SHA-256."""
    from passline.rules.explain.paper_head import head_of
    from passline.version import __version__

    path = Path(text)
    file_digest = sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return head_of(rules, version=__version__, file_digest=file_digest, in_force=in_force)
