"""`passline house print`: the papers of a house for its wall, its tables and its regulator."""

from __future__ import annotations

import sys
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import DEFAULT_RULES, GameOption, HouseOption, RulesOption, regulation_named
from passline.cli.options.house import InForceOption, day_from, head_from, named_house
from passline.cli.output.files import check_outputs, check_writable, write_file
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.rules.rules import Rules

__all__ = ["print_papers"]


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
            help="rules (the posted rules and odds), card (the limits at a table) or layout; or one that its office "
            "makes from the rules, such as limits. May be repeated; without it, the first three.",
        ),
    ] = None,
    in_force: InForceOption = "",
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
    from passline.papers.house_papers import PAPERS

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
    if any(paper not in PAPERS for paper in wanted):
        _print_office_paper(chosen, wanted, outputs)
        return
    if txt:
        raise CrapsError("--txt: is for a paper of the office; passline house show prints the rules as text")
    _print(chosen, source, wanted, _length(feet), in_force, outputs)


def _source(named: str, rules: str, house: Path | None) -> str:
    """Return the one house that the options name, or else the default; refuse two names."""
    if named and (house or rules):
        other = f"--house {house}" if house else f"--rules {rules}"
        raise CrapsError(f"{named} and {other}: name one house")
    return named or (str(house) if house else rules) or DEFAULT_RULES


def _length(feet: str) -> Fraction | None:
    try:
        return Fraction(Decimal(feet)) if feet else None
    except (InvalidOperation, ValueError, OverflowError):
        raise CrapsError(f"--feet {feet}: is not a length such as 12 or 8.5") from None


def _print(  # noqa: PLR0917 - what was asked for
    rules: Rules, source: str, wanted: list[str], feet: Fraction | None, in_force: str, outputs: dict[str, Path | None]
) -> None:
    from passline.documents.as_html import as_html
    from passline.documents.as_pdf import as_pdf
    from passline.papers.house_papers import house_papers
    from passline.papers.layout_drawing import layout_drawing

    head = head_from(rules, source, in_force)
    papers = house_papers(rules, head, papers=wanted, feet=feet)
    if pdf := outputs["pdf"]:
        write_file(pdf, as_pdf(*papers), said_on=sys.stderr)
    if html := outputs["html"]:
        write_file(html, as_html(f"{head.house}: {head.game.lower()}", *papers).encode(), said_on=sys.stderr)
    if svg := outputs["svg"]:
        write_file(svg, layout_drawing(rules, head, feet=feet).svg.encode(), said_on=sys.stderr)


def _print_office_paper(rules: Rules, wanted: list[str], outputs: dict[str, Path | None]) -> None:
    """Print a paper that the office makes from the rules of a house, by its pages."""
    from passline.documents.as_pdf import as_pdf
    from passline.office.papers.houses import complete_file, regulation_title
    from passline.office.papers.printed import PrintedPaper, paper_text, printed_sheet
    from passline.office.papers.sheet import sheet_of
    from passline.office.rules.office_rules import office_of
    from passline.office.state import KnownThing, OfficeState
    from passline.papers.house_papers import PAPERS
    from passline.rules.clauses import REGULATIONS

    if rules.rulebook.name not in REGULATIONS:
        raise CrapsError(f"{rules.rulebook.name}: has no office, so no paper; choose {', '.join(REGULATIONS)}")
    office, name = office_of(rules.rulebook.name), rules.house.name
    made_from_rules = [key for key, paper in office.pages.papers.items() if paper.thing == "house"]
    if strange := [paper for paper in wanted if paper not in made_from_rules]:
        raise CrapsError(f"--paper {strange[0]}: is not one of {', '.join((*PAPERS, *made_from_rules))}")
    if len(wanted) > 1 or outputs["html"] or outputs["svg"]:
        raise CrapsError(f"--paper {wanted[-1]}: the office's papers are printed one by one, with --pdf or --txt")
    known = KnownThing("house", name, "", {"file": complete_file(rules)}, "")
    sheet = sheet_of(office, OfficeState(things={f"house/{name}": known}), wanted[0], name, lambda _file: rules)
    if not sheet.is_complete:
        missing = ", ".join(f"{field.name} [{field.clause}]" for field in sheet.missing)
        raise CrapsError(f"{sheet.title} lacks {missing}: the office has them; see passline office paper")
    if pdf := outputs["pdf"]:
        printed = PrintedPaper(sheet, name, regulation_title(office.name), is_signed=False)
        write_file(pdf, as_pdf(printed_sheet(printed)), said_on=sys.stderr)
    if txt := outputs["txt"]:
        write_file(txt, paper_text(sheet).encode(), said_on=sys.stderr)
