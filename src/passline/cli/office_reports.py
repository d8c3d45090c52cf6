"""Reports of an office, as files: statistics, comps, statements of patrons, the rota, revenue for the tax return."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlencode

import typer

from passline.cli.options.office import RegulationArgument
from passline.cli.options.server import DEFAULT_SERVER, ServerOption, TokenOption, client_at, given_fields
from passline.cli.output import file_form, write_file


def rota(
    regulation: RegulationArgument,
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.xlsx|.html|.txt", help="The file to write.")] = None,
    day: Annotated[str, typer.Option(help="The gaming day, such as 2026-03-02; this one without it.")] = "",
    shift: Annotated[str, typer.Option(help="The shift; the one that goes on without it.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print the rota of a shift: for each table who is where, from change to change, and who has a break."""
    kind = file_form(to, ("pdf", "xlsx", "html", "txt")) if to else "txt"
    asked = urlencode(given_fields({"day": day, "shift": shift}))
    with client_at(server, token) as client:
        data = client.download(f"/api/office/{quote(regulation, safe='')}/rota.{kind}?{asked}")
    if to:
        write_file(to, data)
    else:
        print(data.decode(), end="")


def statistics(
    regulation: RegulationArgument,
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.xlsx|.pdf|.jsonl", help="The file to write.")],
    by: Annotated[str, typer.Option(help="table, pit, shift, game or house.")] = "table",
    only: Annotated[str, typer.Option(help="Only this table, pit, shift or game.")] = "",
    day: Annotated[str, typer.Option(help="The gaming day until which, such as 2026-03-02; this one without it.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Export win, drop, hold, theoretical win and base hold: of a day, its month and year, and of the months before.

    The base hold comes from the exact laws of the wagers that were keyed in; where none were, nobody can know it.
    """
    asked = urlencode(
        given_fields({"format": file_form(to, ("xlsx", "pdf", "jsonl")), "by": by, "only": only, "day": day})
    )
    with client_at(server, token) as client:
        write_file(to, client.download(f"/api/office/{quote(regulation, safe='')}/statistics?{asked}"))


def comps(
    regulation: RegulationArgument,
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.xlsx|.jsonl", help="The file to write.")],
    period: Annotated[str, typer.Option(help="day, month or year.")] = "month",
    span: Annotated[str, typer.Option(help="Which, such as 2026-03; this one without it.")] = "",
    by: Annotated[str, typer.Option(help="patron, day or month.")] = "patron",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Export comps: what play was worth, what of it was earned, granted and given, and the rate of reinvestment."""
    fields = {"format": file_form(to, ("xlsx", "jsonl")), "period": period, "span": span, "by": by}
    with client_at(server, token) as client:
        path = f"/api/office/{quote(regulation, safe='')}/comps?{urlencode(given_fields(fields))}"
        write_file(to, client.download(path))


def player_statement(
    regulation: RegulationArgument,
    patron: Annotated[str, typer.Argument(metavar="PATRON", help="The patron's number, such as P1.")],
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.pdf|.txt", help="The file to write.")],
    year: Annotated[str, typer.Option(help="Such as 2026; this one without it.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print a patron's own wins and losses of a year, to give out; what the play was worth is not on it."""
    fields = {"format": file_form(to, ("pdf", "txt")), "patron": patron, "year": year}
    with client_at(server, token) as client:
        path = f"/api/office/{quote(regulation, safe='')}/statement?{urlencode(given_fields(fields))}"
        write_file(to, client.download(path))


def tax(
    regulation: RegulationArgument,
    year: Annotated[int, typer.Argument(metavar="YEAR", help="Such as 2026.")],
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.pdf|.xlsx|.txt|.jsonl", help="The file to write.")],
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Work out gross revenue for the tax return: each month of a year and the year, from counts and tournament fees.

    The tax itself is worked out only where the house has stated its rate: passline office value NAME gaming_tax 675.
    """
    form = file_form(to, ("pdf", "xlsx", "txt", "jsonl"))
    with client_at(server, token) as client:
        data = client.download(f"/api/office/{quote(regulation, safe='')}/tax?year={year}&format={form}")
        write_file(to, data)
