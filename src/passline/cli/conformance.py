"""`passline conformance`: show which clauses are implemented where, and which tests check them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.game import complete_regulation

if TYPE_CHECKING:
    from rich.table import Table

    from passline.rules.conformance import Conformance, Tally

_WIDTH_MAX = 100
_INDENT = " " * 4


def conformance(
    regulation: Annotated[
        str,
        typer.Argument(
            help="A regulation to list clause by clause; default: count all.", autocompletion=complete_regulation
        ),
    ] = "",
    *,
    part: Annotated[str, typer.Option(help="Only the clauses of one part of the program, such as game.")] = "",
    clauses: Annotated[bool, typer.Option("--clauses", help="List every clause, not only the counts.")] = False,
    missing: Annotated[bool, typer.Option("--missing", help="List only the clauses that no test checks.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts and the missing clauses as JSON.")] = False,
) -> None:
    """Show the kind of each clause, where it is implemented, which tests check it, and how many breaks they noticed."""
    import msgspec
    from rich.console import Console

    from passline.rules.conformance import conformance_of, tallies_of
    from passline.rules.rulebook_reader import sound_regulations

    chosen = (regulation,) if regulation else sound_regulations()
    tallies = {name: tallies_of(name, part=part) for name in chosen}
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(tallies)).decode())
        return
    console = Console(highlight=False, markup=False)
    console.print(_summary(tallies))
    if not (regulation or clauses or missing):
        return
    width = min(console.width, _WIDTH_MAX)
    for name in chosen:
        for row in conformance_of(name, part=part):
            if not (missing and row.is_covered):
                console.print(_paragraph(row, width), soft_wrap=True)


def _summary(tallies: dict[str, dict[str, Tally]]) -> Table:
    """Return a table with a row per regulation and kind, and a row of totals."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from passline.rules.conformance import sum_breaks

    table = Table(box=SIMPLE_HEAD, show_footer=len(tallies) > 1)
    every = [tally for kinds in tallies.values() for tally in kinds.values()]
    table.add_column("regulation", footer="all")
    table.add_column("kind", footer="")
    counts = {
        "clauses": sum(tally.total for tally in every),
        "covered": sum(tally.covered for tally in every),
        "missing": sum(len(tally.missing) for tally in every),
    }
    for heading, count in counts.items():
        table.add_column(heading, footer=str(count), justify="right")
    together = sum_breaks(tally.breaks for tally in every)
    table.add_column("breaks noticed", footer=str(together), justify="right")
    for name, kinds in tallies.items():
        for kind, tally in kinds.items():
            table.add_row(name, kind, str(tally.total), str(tally.covered), str(len(tally.missing)), str(tally.breaks))
    return table


def _paragraph(row: Conformance, width: int) -> str:
    """Return a clause as a few lines: its summary, where it is implemented, which tests check it."""
    clause = row.clause
    lines = [f"{clause.id}  {clause.kind}, {clause.part}: {'covered' if row.is_covered else 'missing'}"]
    lines += textwrap.wrap(clause.summary, width, initial_indent=_INDENT, subsequent_indent=_INDENT)
    lines += [f"{_INDENT}in    {place}" for place in row.where]
    lines += [f"{_INDENT}held  {test}" for test in row.tests]
    lines.append(f"{_INDENT}breaks noticed: {row.breaks}")
    return "\n".join(lines)
