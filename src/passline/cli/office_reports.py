"""`passline office statistics`: what examiners ask of a house, as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote, urlencode

import typer

from passline.cli.options.office import RegulationArgument
from passline.cli.options.server import DEFAULT_SERVER, ServerOption, TokenOption, client_at, given_fields
from passline.cli.output import file_form, write_file


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
