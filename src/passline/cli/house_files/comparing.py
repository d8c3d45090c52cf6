"""`passline house diff` and `passline rulebook diff`: what differs, in sentences with clauses and exact house edges."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import GameOption, complete_regulation, regulation_named, rules_from
from passline.cli.options.house import named_house
from passline.errors import CrapsError
from passline.extras import missing_extra

if TYPE_CHECKING:
    from passline.exact.par.sheet import EdgeBeside
    from passline.rules.rules import Rules

__all__ = ["diff_houses", "rulebook_commands"]

_WIDTH = 100
_HOUSE = "A house file, or a regulation for its default house."
_REGULATION = "colorado, section2, arizona or maryland."

rulebook_commands = typer.Typer(no_args_is_help=True, help="Compare two regulations.")
"""The commands `passline rulebook ...`."""


def diff_houses(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help=_HOUSE, show_default=False)],
    after: Annotated[str, typer.Argument(metavar="AFTER", help=_HOUSE, show_default=False)],
    *,
    game: GameOption = "",
) -> None:
    """Tell what changes for a player and for a dealer from one house to another, with clauses and house edges.

    Both are houses of one regulation. Edges are exact, at the smallest stake that is paid exactly.
    """
    from passline.papers.differences import house_differences
    from passline.rules.elections import house_digest

    if _is_same_house(before, after):
        raise CrapsError(f"{before} and {after}: are the same house; name two")
    old, new = named_house(before, game=game), named_house(after, game=game)
    found = house_differences(old, new)
    print(f"{old.house.name} -> {new.house.name}")
    print(f"{new.rulebook.general.title}, {new.house.game.replace('_', ' ')}")
    if house_digest(old.house) == house_digest(new.house):
        print("\nNothing changes: both houses elect the same.")
        return
    _print("What the house elects", found.elections)
    if found.is_dealt_alike:
        print("\nNothing changes at the table, for a player or for a dealer.")
        return
    _print("For a player", found.player)
    _print("For a dealer", found.dealer)
    _print("House edges", _edges(old, new))


def _is_same_house(first: str, second: str) -> bool:
    """Return whether two names mean the same house: one regulation, or one file."""
    files = Path(first), Path(second)
    is_one_file = all(file.exists() for file in files) and files[0].samefile(files[1])
    return is_one_file or regulation_named(first) == regulation_named(second)


def _edges(before: Rules, after: Rules, named: tuple[str, str] = ("before ", "now ")) -> Iterator[str]:
    """Yield the house edges that differ, with the names of both sides."""
    try:
        from passline.exact.par.sheet import edge_changes

        changes = edge_changes(before, after)
    except ImportError as error:
        missing = missing_extra(error, "no edge was computed: that")
        if missing is None:
            raise
        yield str(missing)
        return
    for change in changes:
        on = f" on {', '.join(change.numbers)}" if change.numbers else ""
        sides = [f"{name}{_edge(side)}" for name, side in zip(named, (change.before, change.after), strict=True)]
        yield f"{change.wager}{on}: {'; '.join(sides)}."
    if not changes:
        yield "No wager's edge changes."


def _edge(side: EdgeBeside) -> str:
    from passline.exact.par.printed import in_percent

    if not side.is_offered:
        return "not offered"
    return "no stake is paid exactly" if side.edge is None else f"{in_percent(side.edge)}% ({side.edge})"


@rulebook_commands.command("diff")
def diff_rulebooks(
    left: Annotated[
        str,
        typer.Argument(metavar="REGULATION", help=_REGULATION, show_default=False, autocompletion=complete_regulation),
    ],
    right: Annotated[
        str, typer.Argument(metavar="OTHER", help=_REGULATION, show_default=False, autocompletion=complete_regulation)
    ],
    *,
    game: GameOption = "",
) -> None:
    """Show two regulations side by side where they differ, with the clauses of each.

    Wagers and variations, payouts, terms, what a house may elect, procedures, live tables and records; and the house
    edges of their default houses.
    """
    from passline.papers.regulations import regulation_differences

    names = [_check_regulation(name) for name in (left, right)]
    if names[0] == names[1]:
        raise CrapsError(f"{left} and {right}: are the same regulation; name two")
    first, second = (rules_from(name, game=game) for name in names)
    print(f"{first.rulebook.general.title} | {second.rulebook.general.title}")
    wide = max(map(len, names))
    for part in regulation_differences(first, second):
        print(f"\n{part.title}\n{'=' * len(part.title)}")
        for row in part.rows:
            print(row.about)
            for name, said in zip(names, (row.left, row.right), strict=True):
                print(_wrap(str(said), f"  {name:{wide}}  "))
    _print("House edges of the default houses", _edges(first, second, (f"{names[0]} ", f"{names[1]} ")))


def _check_regulation(name: str) -> str:
    from passline.rules.clauses import REGULATIONS

    found = regulation_named(name)
    if found not in REGULATIONS:
        raise CrapsError(f"{name}: is not a regulation; choose {', '.join(REGULATIONS)}")
    return found


def _print(title: str, lines: Iterable[object]) -> None:
    print(f"\n{title}\n{'=' * len(title)}")
    found = [str(line) for line in lines]
    print("\n".join(_wrap(f"{line[:1].upper()}{line[1:]}", "") for line in found) if found else "Nothing changes.")


def _wrap(text: str, lead: str) -> str:
    indent = " " * len(lead) if lead else "    "
    return "\n".join(
        textwrap.wrap(
            text, _WIDTH, initial_indent=lead, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    )
