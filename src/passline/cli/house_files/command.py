"""`passline house`: check a house file, show the rules in force, print its papers, compare it, start a new one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.house_files.comparing import diff_houses
from passline.cli.house_files.printing import print_papers
from passline.cli.options.game import GameOption, HouseOption, RulesOption, rules_from
from passline.extras import missing_extra

if TYPE_CHECKING:
    from rich.table import Table

    from passline.rules.explain.sections import Section
    from passline.rules.rules import Rules

__all__ = ["commands"]

_WIDTH_MAX = 100
_NARROW = 70
_EXIT_BREACHES = 1

commands = typer.Typer(
    no_args_is_help=True, help="Check a house, show its rules, print its papers, compare two, start a new house file."
)
"""The commands `passline house ...`."""


@commands.command()
def check(file: Annotated[Path, typer.Argument(help="A house file.", show_default=False)]) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one.

    A lawful house is warned of each wager that it deals without an edge, with the stakes.
    """
    from passline.rules.rules import Rules, read_house

    elected, breaches, rulebook = read_house(file)
    for breach in breaches:
        print(breach)
    if breaches or elected is None:
        raise typer.Exit(_EXIT_BREACHES)
    print(f"{elected.name}: lawful {elected.game} under {rulebook.name}")
    for warning in _without_edge(Rules(rulebook, elected)):
        print(f"warning: {warning}")


def _without_edge(rules: Rules) -> Iterator[str]:
    """Yield each wager that the house deals without an edge at some stake, as its par sheet flags it."""
    try:
        from passline.exact.par.printed import groups
        from passline.exact.par.sheet import sheet
    except ImportError as error:
        missing = missing_extra(error, "no wager was tried for its edge: that")
        if missing is None:
            raise
        yield str(missing)
        return
    for group in groups(sheet(rules)):
        yield from (f"{group.name} ({group.wager}): {flag}" for flag in group.flags)


@commands.command()
def show(
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    everything: Annotated[bool, typer.Option("--all", help="Also print every entry of the rulebook.")] = False,
) -> None:
    """Print the rules in force, with clauses: every wager, the crew's duties and every election."""
    from rich.console import Console

    from passline.rules.explain.sections import entry_sections, explain, explain_all, sections

    chosen = rules_from(rules, house, game)
    console = Console(highlight=False)
    width = min(console.width, _WIDTH_MAX)
    if not console.is_terminal or width < _NARROW:
        width = width if console.is_terminal else _WIDTH_MAX
        print((explain_all if everything else explain)(chosen, width=width), end="")
        return
    for section in (*sections(chosen), *(entry_sections(chosen) if everything else ())):
        console.print(_rows(section, width))


def _rows(section: Section, width: int) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(f"\n{section.title}"),
        title_justify="left",
        title_style="bold",
        show_header=False,
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
        width=width,
    )
    table.add_column(ratio=3, overflow="fold")
    table.add_column(ratio=9, overflow="fold")
    table.add_column(ratio=6, overflow="fold", style="dim")
    for line in section.lines:
        table.add_row(*map(Text, (line.about, line.says, ", ".join(line.clauses))))
    return table


@commands.command()
def new(*, rules: RulesOption = "", game: GameOption = "") -> None:
    """Print a house file to start from: the default house, with the permitted values as comments."""
    from passline.rules.explain.house_template import house_file

    print(house_file(rules_from(rules, game=game)), end="")


commands.command("print")(print_papers)
commands.command("diff")(diff_houses)
