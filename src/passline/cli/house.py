"""`passline house`: check houses, print their papers, compare houses and regulations."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.exit_codes import FAILED
from passline.cli.options.game import (
    LISTED,
    GameOption,
    HouseOption,
    InForceOption,
    RulesOption,
    complete_regulation,
    day_from,
    head_from,
    named_house,
    regulation_named,
    rules_at,
    rules_from,
)
from passline.cli.output import check_outputs, check_writable, write_file
from passline.errors import CrapsError
from passline.extras import missing_extra

if TYPE_CHECKING:
    from rich.table import Table

    from passline.exact.par.sheet import EdgeBeside
    from passline.papers.regulations import SideBySide
    from passline.rules.explain.sections import Section
    from passline.rules.rules import Rules

_WIDTH, _NARROW = 100, 70
_NOTHING = "Nothing changes."
_LENGTH = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_HOUSE = "A house file, or a regulation for its default house."
_REGULATION = f"A regulation, or REGULATION@DAY for its text of a day; {LISTED}."
house_commands = typer.Typer(
    no_args_is_help=True, help="Check a house, show its rules, print its papers, compare two, start a new house file."
)
"""The commands `passline house ...`."""


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
    if found.other_elections or not found.limits:
        print_lines("What the house elects", found.other_elections)
    if found.is_dealt_alike:
        print("\nNothing changes at the table, for a player or for a dealer.")
        return
    if found.limits:
        print_lines("Limits, for players and dealers", found.limits)
    nothing = "Nothing else changes." if found.limits else _NOTHING
    print_lines("For a player", found.player, nothing)
    print_lines("For a dealer", found.dealer, nothing)
    print_lines("House edges", edge_lines(old, new))


def _is_same_house(first: str, second: str) -> bool:
    """Return whether two names mean the same house: one regulation, or one file."""
    files = Path(first), Path(second)
    is_one_file = all(file.exists() for file in files) and files[0].samefile(files[1])
    return is_one_file or regulation_named(first) == regulation_named(second)


def edge_lines(before: Rules, after: Rules, named: tuple[str, str] = ("before ", "now ")) -> Iterator[str]:
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
    """Show two regulations, or one on two days, side by side where they differ, with the clauses of each.

    Wagers and variations, payouts, terms, what a house may elect, procedures, live tables and records; and the house
    edges of their default houses.
    """
    from passline.papers.regulations import regulation_differences, summary_of

    (name, first), (other, second) = (rules_at(named, game) for named in (left, right))
    names = (name, other)
    if name == other:
        raise CrapsError(f"{left} and {right}: are the same regulation; name two")
    if first.rulebook.digest == second.rulebook.digest:
        print(f"{name} and {other}: are one text, {first.rulebook.digest}")
        return
    print(f"{first.rulebook.general.title} | {second.rulebook.general.title}")
    parts = regulation_differences(first, second)
    edges = list(edge_lines(first, second, (f"{names[0]} ", f"{names[1]} ")))
    short = f"House edges of the default houses: {len(edges)} differ" if len(edges) > 1 else edges[0]
    print("\nIn short\n========", *summary_of(names, parts, _WIDTH), short, sep="\n")
    print_parts(parts, names)
    print_lines("House edges of the default houses", edges)


def print_parts(parts: Iterable[SideBySide], names: tuple[str, str]) -> None:
    """Print what differs, part by part, with what each side is called."""
    wide = max(map(len, names))
    for part in parts:
        print(f"\n{part.title}\n{'=' * len(part.title)}")
        for row in part.rows:
            print(row.about)
            for name, said in zip(names, (row.left, row.right), strict=True):
                print(_wrap(str(said), f"  {name:{wide}}  "))


def print_lines(title: str, lines: Iterable[object], nothing: str = _NOTHING) -> None:
    """Print lines under a title, or that there are none."""
    print(f"\n{title}\n{'=' * len(title)}")
    found = [str(line) for line in lines]
    print("\n".join(_wrap(f"{line[:1].upper()}{line[1:]}", "") for line in found) if found else nothing)


def _wrap(text: str, lead: str) -> str:
    indent = " " * len(lead) if lead else "    "
    return "\n".join(
        textwrap.wrap(
            text, _WIDTH, initial_indent=lead, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    )


def print_papers(
    named: Annotated[
        str,
        typer.Argument(
            metavar="[HOUSE]", help="A house file, or a regulation for its default house.", show_default=False
        ),
    ] = "",
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    paper: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PAPER",
            help="rules (the posted rules and odds), card (the limits at a table), layout or poster (the rules for "
            "players, on one large page); or one that its office makes from the rules, such as limits. May be "
            "repeated; without it, the first three.",
        ),
    ] = None,
    in_force: InForceOption = "",
    link: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where the code on a poster leads, such as the table's page of rules; without it a poster has no code "
            "and says whom to ask.",
        ),
    ] = "",
    feet: Annotated[
        str,
        typer.Option(metavar="FEET", help="The length of the felt; 12, or 7 where players sit.", show_default=False),
    ] = "",
    pdf: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a PDF; - is standard output.")] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page of HTML; - is standard output.")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the layout as an SVG drawing; - is standard output.")
    ] = None,
    txt: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a paper of the office as text; - is standard output.")
    ] = None,
) -> None:
    """Print the papers of a house: posted rules and odds with their clauses, a limits card, the layout to scale.

    They bear the house's name and game, its limits, the day from which they are in force, the version of the program,
    the SHA-256 of the house file and of its elections, and lines for signatures.
    """
    from passline.papers.house_papers import PAPERS, POSTER

    outputs = {"pdf": pdf, "html": html, "svg": svg, "txt": txt}
    check_outputs(**outputs)
    if not any(outputs.values()):
        raise CrapsError("nowhere to print to: name at least one of --pdf FILE, --html FILE, --svg FILE")
    for file in outputs.values():
        check_writable(file)
    source = _source(named, rules, house)
    day = day_from(in_force)
    chosen = named_house(source, game=game, on=day)
    if house is not None and rules and chosen.rulebook.name != regulation_named(rules):
        raise CrapsError(f"--rules {rules}: {house} is a house of {chosen.rulebook.name}")
    wanted = list(dict.fromkeys(paper or PAPERS))
    _check_link(link, is_poster=POSTER in wanted)
    if any(paper not in (*PAPERS, POSTER) for paper in wanted):
        _print_office_paper(chosen, wanted, outputs)
        return
    if txt:
        raise CrapsError("--txt: is for a paper of the office; passline house show prints the rules as text")
    _write_papers(chosen, source, wanted, _length(feet), in_force, outputs, link)


def _source(named: str, rules: str, house: Path | None) -> str:
    """Return the one house that the options name, or else the default; refuse two names."""
    if named and (house or rules):
        other = f"--house {house}" if house else f"--rules {rules}"
        raise CrapsError(f"{named} and {other}: name one house")
    from passline.rules.pages.library import default_regulation

    return named or (str(house) if house else rules) or default_regulation()


def _check_link(link: str, *, is_poster: bool) -> None:
    """Raise CrapsError if the code of a poster could not lead there."""
    if link and not is_poster:
        raise CrapsError("--link: is for the code on a poster; add --paper poster")
    if link and not (link.startswith(("https://", "http://")) and link.isascii() and link.isprintable()):
        raise CrapsError(f"--link {link}: is not an address such as https://craps.example/tables/craps-1/rules")


def _length(feet: str) -> Fraction | None:
    if feet and not _LENGTH.fullmatch(feet):
        raise CrapsError(f"--feet {feet}: is not a length such as 12 or 8.5")
    return Fraction(feet) if feet else None


def _write_papers(  # noqa: PLR0917 - what was asked for
    rules: Rules,
    source: str,
    wanted: list[str],
    feet: Fraction | None,
    in_force: str,
    outputs: dict[str, Path | None],
    link: str,
) -> None:
    from passline.documents.as_html import as_html
    from passline.documents.as_pdf import as_pdf
    from passline.papers.house_papers import house_papers
    from passline.papers.layout_drawing import layout_drawing

    head = head_from(rules, source, in_force)
    papers = house_papers(rules, head, papers=wanted, feet=feet, link=link)
    if pdf := outputs["pdf"]:
        write_file(pdf, as_pdf(*papers), said_on=sys.stderr)
    if html := outputs["html"]:
        write_file(html, as_html(f"{head.house}: {head.game.lower()}", *papers).encode(), said_on=sys.stderr)
    if svg := outputs["svg"]:
        write_file(svg, layout_drawing(rules, head, feet=feet).svg.encode(), said_on=sys.stderr)


def _print_office_paper(rules: Rules, wanted: list[str], outputs: dict[str, Path | None]) -> None:
    """Print a paper that the office makes from the rules of a house, by its pages."""
    from passline.acts.papers.houses import complete_file, currency_of, regulation_title
    from passline.acts.papers.printed import PrintedPaper, paper_text, printed_sheet
    from passline.acts.papers.sheet import sheet_of
    from passline.acts.rules import office_of
    from passline.acts.state import ActState, KnownThing
    from passline.documents.as_pdf import as_pdf
    from passline.papers.house_papers import PAPERS, POSTER

    office, name = office_of(rules.rulebook.name), rules.house.name
    made_from_rules = [key for key, paper in office.pages.papers.items() if paper.thing == "house"]
    if strange := [paper for paper in wanted if paper not in made_from_rules]:
        raise CrapsError(f"--paper {strange[0]}: is not one of {', '.join((*PAPERS, POSTER, *made_from_rules))}")
    if len(wanted) > 1 or outputs["html"] or outputs["svg"]:
        raise CrapsError(f"--paper {wanted[-1]}: the office's papers are printed one by one, with --pdf or --txt")
    known = KnownThing("house", name, "", {"file": complete_file(rules)}, "")
    sheet = sheet_of(office, ActState(things={f"house/{name}": known}), wanted[0], name, lambda _file: rules)
    if not sheet.is_complete:
        missing = ", ".join(f"{field.name} [{field.clause}]" for field in sheet.missing)
        raise CrapsError(f"{sheet.title} lacks {missing}: the office has them; see passline office paper")
    if pdf := outputs["pdf"]:
        currency = currency_of(office.name)
        printed = PrintedPaper(sheet, name, regulation_title(office.name), is_signed=False, currency=currency)
        write_file(pdf, as_pdf(printed_sheet(printed)), said_on=sys.stderr)
    if txt := outputs["txt"]:
        write_file(txt, paper_text(sheet).encode(), said_on=sys.stderr)


@house_commands.command()
def check(file: Annotated[Path, typer.Argument(help="A house file.", show_default=False)]) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one.

    A lawful house is warned of what amendments will forbid it, each with its day, and of each wager that it deals
    without an edge, with the stakes.
    """
    import msgspec

    from passline.rules.coming_texts import announced_to
    from passline.rules.house_file import read_house
    from passline.rules.rules import Rules

    elected, breaches, rulebook = read_house(file)
    for breach in breaches:
        print(breach)
    if breaches or elected is None:
        raise typer.Exit(FAILED)
    print(f"{elected.name}: lawful {elected.game} under {rulebook.name}")
    for coming in announced_to(rulebook.name, msgspec.to_builtins(elected)):
        print(f"{'warning' if coming.breaches else 'note'}: {coming}")
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


@house_commands.command()
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
    width = min(console.width, _WIDTH)
    if not console.is_terminal or width < _NARROW:
        width = width if console.is_terminal else _WIDTH
        print((explain_all if everything else explain)(chosen, width=width), end="")
        return
    for section in (*sections(chosen), *(entry_sections(chosen) if everything else ())):
        console.print(_section_table(section, width))


def _section_table(section: Section, width: int) -> Table:
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


@house_commands.command()
def new(*, rules: RulesOption = "", game: GameOption = "") -> None:
    """Print a house file to start from: the default house, with the permitted values as comments."""
    from passline.rules.explain.house_template import house_file

    print(house_file(rules_from(rules, game=game)), end="")


house_commands.command("print")(print_papers)
house_commands.command("diff")(diff_houses)
