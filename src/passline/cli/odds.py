"""`passline odds`: par sheets, computed from the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.atomic_file import STANDARD_OUTPUT
from passline.cli.options.dice import DiceOption, weights_from
from passline.cli.options.game import (
    LISTED,
    GameOption,
    InForceOption,
    RulesOption,
    SetOption,
    complete_regulation,
    day_from,
    head_from,
    name_as_written,
    named_house,
    regulation_named,
    rules_from,
)
from passline.cli.output import check_outputs, check_writable, progress_bar, write_file
from passline.errors import CrapsError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from passline.dice_weights import DiceWeights
    from passline.exact.par.printed import Group
    from passline.exact.par.sheet import Sheet
    from passline.rules.rules import Rules

_WIDTH_MAX = 100
_WIDTH_VOLATILITY = 130
_COLUMNS = {  # the heading and the least width of each column
    "stake": ("stake", 6),
    "win": ("win%", 5),
    "lose": ("lose%", 5),
    "push": ("push%", 7),
    "outlay": ("outlay%", 7),
    "edge": ("edge%", 8),
    "fraction": ("exactly", 9),
    "resolved": ("resolved", 8),
    "per_roll": ("per roll", 8),
    "rolls": ("rolls", 5),
    "sd": ("sd", 6),
}
_NEEDS = {92: {"resolved", "per_roll"}, 74: {"push", "outlay", "fraction"}}  # left out of screens narrower than this


def odds(
    regulation: Annotated[
        str,
        typer.Argument(
            metavar="[REGULATION]",
            help=f"A regulation: everything it permits; {LISTED}. Not needed with --house.",
            show_default=False,
            autocompletion=complete_regulation,
        ),
    ] = "",
    *,
    rules: RulesOption = "",
    house: Annotated[
        list[Path] | None,
        typer.Option(
            "--house",
            metavar="FILE",
            help="A house file, which names its own regulation. May be repeated: one workbook or PDF for several.",
        ),
    ] = None,
    game: GameOption = "",
    elected: SetOption = None,
    dice: DiceOption = "fair",
    wager: Annotated[str, typer.Option(metavar="NAME", help="Only this wager, such as place_win.")] = "",
    number: Annotated[str, typer.Option(metavar="N", help="Only this number of the wager, such as 6 or 1-3.")] = "",
    stake: Annotated[
        str, typer.Option(metavar="DOLLARS", help="Use this stake instead of the smallest one that is paid exactly.")
    ] = "",
    volatility: Annotated[
        bool,
        typer.Option("--volatility", help="Show the volatility index, the greatest gain and returns by plays instead."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every fraction.")] = False,
    in_force: InForceOption = "",
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Write a PDF; - is standard output.")
    ] = None,
    xlsx: Annotated[
        Path | None, typer.Option("--xlsx", metavar="FILE", help="Write a spreadsheet; - is standard output.")
    ] = None,
) -> None:
    """Print a par sheet: every wager's probabilities, house edge, deviation and rolls, exactly.

    A PDF and a spreadsheet also bear the elections in force, the clauses of each line, the version of the program, the
    SHA-256 of the house file, and lines for signatures.
    """
    day = day_from(in_force)
    check_outputs(json=STANDARD_OUTPUT if as_json else None, pdf=pdf, xlsx=xlsx)
    sources = _sources(regulation, rules, house or [], game=game, day=day, elected=elected or ())
    weights = weights_from(dice)
    cents = _cents(stake)
    for file in (pdf, xlsx):
        check_writable(file)
    wanted = {"game": name_as_written(game), "wager": name_as_written(wager), "number": number}
    made = [_make_sheet(source, named, in_force, wanted, cents=cents, dice=weights) for named, source in sources]
    if as_json:
        from passline.exact.par.sheet import sheet_json

        print(sheet_json(*made))
        for note in dict.fromkeys(note for sheet in made for note in sheet.notes):
            print(f"note: {note}", file=sys.stderr)
    elif not (pdf or xlsx):
        for place, sheet in enumerate(made):
            print("\n" * (place > 0), end="")
            (_show_volatility if volatility else _show)(sheet)
    _write(made, pdf, xlsx)


def _make_sheet(
    source: str | Rules, named: str, in_force: str, wanted: dict[str, str], *, cents: int, dice: DiceWeights
) -> Sheet:
    """Return the sheet of a regulation or a house, with its head."""
    from msgspec.structs import replace

    from passline.dice_weights import NOT_THE_GAMES
    from passline.exact.par.sheet import sheet

    with progress_bar("reading the rules") as show:
        made = sheet(
            source,
            game=wanted["game"],
            wager=wanted["wager"],
            number=wanted["number"],
            stake=cents,
            dice=dice,
            progress=show,
        )
    said = () if dice.is_fair else (("Dice", f"{NOT_THE_GAMES}: {dice}"),)
    return replace(made, about=(*_head_lines(source, named, in_force), *said))


def _head_lines(source: str | Rules, named: str, in_force: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of the head of a sheet: of a house, or of all that a regulation permits."""
    from passline.rules.explain.paper_head import head_lines
    from passline.rules.rulebook_reader import rulebook_of
    from passline.version import __version__

    if not isinstance(source, str):
        yield from head_lines(head_from(source, named, in_force))
        return
    rulebook = rulebook_of(source)
    yield "Regulation", rulebook.general.title
    yield "Made by", f"passline {__version__}, from the rules it deals by"
    yield "Rulebook, SHA-256", rulebook.digest


def _sources(
    regulation: str, rules: str, houses: Sequence[Path], *, game: str, day: date | None, elected: Sequence[str]
) -> list[tuple[str, str | Rules]]:
    """Return the name of a regulation, or the rules of each house with the file that it stands in."""
    from passline.rules.pages.library import regulations
    from passline.rules.rulebook_reader import rulebook_of

    regulation, rules = regulation_named(regulation), regulation_named(rules)
    if regulation and rules and regulation != rules:
        raise CrapsError(f"{regulation} or --rules {rules}: name one regulation")
    name = regulation or rules
    for place, house in enumerate(houses):
        if any(house.exists() and other.exists() and house.samefile(other) for other in houses[:place]):
            raise CrapsError(f"--house {house}: is named twice; name each house once")
        rules_from(name, house, game, elected)
    if elected and day is not None:
        raise CrapsError("--set and --in-force: write the elections into a house file, and name it with --house")
    if elected:
        chosen = [rules_from(name, house, game, elected) for house in houses or (None,)]
        return [(str(house or name), rules) for house, rules in zip(houses or (None,), chosen, strict=True)]
    if houses and day is None:
        return [(str(house), rules_from(name, house, game)) for house in houses]
    if houses:
        return [(str(house), named_house(str(house), game=game, on=day)) for house in houses]
    if not name:
        raise CrapsError(f"name a regulation ({', '.join(regulations())}) or a --house FILE")
    if day is not None:
        raise CrapsError(f"--in-force {day}: is for a house; name a --house FILE")
    return [(name, rulebook_of(name).name)]


def _cents(stake: str) -> int:
    from passline.money import cents_from

    if not stake:
        return 0
    cents = cents_from(stake)
    if not cents:
        raise CrapsError("--stake 0: a stake must be more than 0")
    return cents


def _write(made: Sequence[Sheet], pdf: Path | None, xlsx: Path | None) -> None:
    from passline.documents.as_pdf import as_pdf
    from passline.documents.as_xlsx import as_xlsx
    from passline.exact.par.printed import par_pages, printed_par

    if pdf:
        write_file(pdf, as_pdf(*map(printed_par, made)), said_on=sys.stderr)
    if xlsx:
        title = f"Par sheet: {made[0].title}"
        write_file(xlsx, as_xlsx(title, par_pages(*made)), said_on=sys.stderr)


def _show(sheet: Sheet) -> None:
    from rich.console import Console
    from rich.text import Text

    from passline.exact.par.printed import DEFINITIONS, groups

    terminal = Console(highlight=False)
    width = min(terminal.width, _WIDTH_MAX) if terminal.is_terminal else _WIDTH_MAX
    console = Console(highlight=False, width=width)
    console.print(Text(f"Par sheet: {sheet.title}", style="bold"))
    console.print(Text(sheet.house or "all that the regulation permits a house", style="dim"))
    game = ""
    for group in groups(sheet):
        if group.game != game:
            game = group.game
            console.print(Text(f"\n{game.replace('_', ' ')}", style="bold reverse"))
        _print_group(console, group)
    console.print()
    for name, meaning in DEFINITIONS:
        console.print(Text.assemble((f"{name}: ", "bold"), meaning), style="dim")
    for note in sheet.notes:
        console.print(Text(f"note: {note}"))


def _show_volatility(sheet: Sheet) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from passline.exact.par.printed import volatility_table

    terminal, made = Console(highlight=False), volatility_table(sheet)
    console = Console(highlight=False, width=terminal.width if terminal.is_terminal else _WIDTH_VOLATILITY)
    console.print(Text(f"{sheet.title}. {made.title}", style="bold"))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for place, head in enumerate(made.heads):
        is_figure = place in made.figures
        table.add_column(head, justify="right" if is_figure else "left", overflow="fold", no_wrap=is_figure)
    for row in made.rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    console.print(table)


def _print_group(console: Console, group: Group) -> None:
    from rich.text import Text

    console.print(Text.assemble("\n", (group.name, "bold"), ("  ", ""), (group.wager, "cyan")))
    for line in group.pays:
        console.print(Text(line), style="dim")
    console.print(_table(group, console.width))
    for row in group.rows:
        if row.exact:
            about = f", {row.label}" if row.label else ""
            console.print(Text(f"edge exactly{about}: {row.exact}"), style="dim", overflow="fold")
    for flag in group.flags:
        console.print(Text(f"! {flag}", style="yellow"))


def _table(group: Group, width: int) -> Table:
    """Return the rows of a wager. Where no row can push, the column shows the edge on the outlay if that differs."""
    from rich.table import Table
    from rich.text import Text

    left_out = {"push" if group.has_outlays and not group.has_pushes else "outlay"}
    for least, names in _NEEDS.items():
        left_out |= names if width < least else set()
    columns = {name: column for name, column in _COLUMNS.items() if name not in left_out}
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim", width=width)
    table.add_column("number, option", ratio=1, overflow="fold")
    for head, least in columns.values():
        table.add_column(head, justify="right", no_wrap=True, min_width=least)
    for row in group.rows:
        cells = [Text(row.figures[name], style="bold" if name == "edge" else "") for name in columns]
        table.add_row(Text(row.label), *cells, style="yellow" if row.is_flagged else "")
    return table
