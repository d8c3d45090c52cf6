"""What an office prints, from the command line: papers, forms on any printer, checklists to take along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from passline.cli.options.office import RegulationArgument
from passline.cli.options.server import DEFAULT_SERVER, ServerOption, TokenOption, client_at
from passline.cli.output import file_form, write_file
from passline.cli.till_printer import send_to_printer
from passline.errors import CrapsError


def paper(
    regulation: RegulationArgument,
    name: Annotated[str, typer.Argument(metavar="PAPER", help="Such as house_rules, equipment or limits.")],
    thing: Annotated[str, typer.Argument(help="Of which house, table or other thing.")] = "",
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.pdf|.txt", help="The file to write.")],
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print a paper of the office as it stands, with its clauses and signatures. One that lacks a part is refused."""
    form = file_form(to, ("pdf", "txt"))
    with client_at(server, token) as client:
        words = [regulation, "papers", name, *([thing] if thing else [])]
        write_file(to, client.download(f"/api/office/{'/'.join(quote(word, safe='') for word in words)}.{form}"))


def form(
    regulation: RegulationArgument,
    name: Annotated[str, typer.Argument(metavar="FORM", help="Such as fill_slip, opener or drop_sheet.")],
    number: Annotated[
        str,
        typer.Argument(
            help="Of the slip or other thing, of the act, or a log's gaming day; of manual slips FIRST..LAST."
        ),
    ],
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.html|.txt", help="The file to write.")] = None,
    printer: Annotated[
        str,
        typer.Option(
            metavar="HOST[:PORT]",
            envvar="PASSLINE_PRINTER",
            help="The thermal printer of this till: it takes ESC/POS over the network, on port 9100 unless you say.",
        ),
    ] = "",
    columns: Annotated[
        int,
        typer.Option(
            envvar="PASSLINE_PRINTER_COLUMNS", help="Characters in a line of its roll: 42 of 80 mm, 32 of 58 mm."
        ),
    ] = 42,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print a form from the log, all its copies: into a file, or on a thermal printer (the server has `escpos`)."""
    if (to is None) == (not printer):
        raise CrapsError("say where it is printed: --to FILE or --printer HOST, one of the two")
    kind = file_form(to, ("pdf", "html", "txt")) if to else "escpos"
    words = "/".join(quote(word, safe="") for word in (regulation, "forms", name, number))
    roll = "" if to else f"?columns={columns}"
    with client_at(server, token) as client:
        data = client.download(f"/api/office/{words}.{kind}{roll}")
    if to:
        write_file(to, data)
    else:
        send_to_printer(printer, data)


def investigation(
    regulation: RegulationArgument,
    incident: Annotated[str, typer.Argument(metavar="INCIDENT", help="Such as I-3; today lists those that are open.")],
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.pdf|.xlsx|.txt", help="The file to write.")],
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print the form of an investigation into a result beyond luck, drafted from the log: to conclude and to sign."""
    form = file_form(to, ("pdf", "xlsx", "txt"))
    words = "/".join(quote(word, safe="") for word in (regulation, "investigations", incident))
    with client_at(server, token) as client:
        write_file(to, client.download(f"/api/office/{words}.{form}"))


def checklist(
    regulation: RegulationArgument,
    name: Annotated[str, typer.Argument(metavar="LIST", help="Such as table.")],
    thing: Annotated[str, typer.Argument(help="Of which table or other thing.")],
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.pdf", help="The file to write.")],
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print a checklist to take along: the items that are asked of a thing, with empty boxes and lines to sign."""
    file_form(to, ("pdf",))
    words = [regulation, "checklists", name, thing]
    with client_at(server, token) as client:
        write_file(to, client.download(f"/api/office/{'/'.join(quote(word, safe='') for word in words)}"))
