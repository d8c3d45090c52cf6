"""`passline office standard`: what a standard asks of the program and of a house, and how each item is held."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from passline.cli.options.game import complete_regulation
from passline.cli.options.server import DEFAULT_SERVER, TokenOption, client_at
from passline.cli.output import file_form, write_file
from passline.documents.as_text import table_text
from passline.documents.sheet import SheetTable
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.client import Client


def standard(
    name: Annotated[str, typer.Argument(metavar="[STANDARD]", help="Such as table_systems; without it, a list.")] = "",
    regulation: Annotated[
        str,
        typer.Argument(
            metavar="[REGULATION]",
            help="Whose office shows how it holds it; without it, the one office of the server, or the program.",
            autocompletion=complete_regulation,
        ),
    ] = "",
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.xlsx|.html|.txt", help="The file to write.")] = None,
    server: Annotated[
        str, typer.Option(metavar="URL", help="The server of the house that is asked.", envvar="PASSLINE_SERVER")
    ] = "",
    token: TokenOption = "",
) -> None:
    """Print how each item of a standard is held: by what, and by which tests; of an office, with its own evidence.

    What an office shows are the newest acts in its log, by number, and its settings. What is not covered says why.
    With --server, --token or a regulation a house is asked; without any of them the program answers for itself.
    """
    kind = file_form(to, ("pdf", "xlsx", "html", "txt")) if to else "txt"
    if not name and kind != "txt":
        raise CrapsError(f"--to: the list of standards is text, not {kind}: name a standard, such as table_systems")
    if regulation or server or token:
        with client_at(server or DEFAULT_SERVER, token) as client:
            data = _office_sheet(client, regulation or _only_office(client, name), name, kind)
    else:
        data = _program_sheet(name, kind) if name else _list_of_standards()
    if to:
        write_file(to, data)
    else:
        print(data.decode(), end="")


def _office_sheet(client: Client, regulation: str, name: str, kind: str) -> bytes:
    """Return how an office holds a standard, or without a name its list of standards."""
    path = f"/api/office/{quote(regulation, safe='')}/standards"
    if name:
        return client.download(f"{path}/{quote(name, safe='')}.{kind}")
    found = client.get(path)["standards"]
    heads, rows = (head.replace("_", " ") for head in found[0]), (tuple(line.values()) for line in found)
    return f"{table_text(SheetTable(title='Standards', heads=tuple(heads), rows=tuple(rows)))}\n".encode()


def _only_office(client: Client, name: str) -> str:
    """Return the office of a house that keeps one; raise CrapsError if it keeps several, or none."""
    kept = [office["name"] for office in client.get("/api/office")["offices"] if office["facility"]]
    if len(kept) == 1:
        return str(kept[0])
    if not kept:
        raise CrapsError("this house has set up no office yet: leave out --server and --token to ask the program")
    ways = ", or ".join(f"passline office standard {name or 'STANDARD'} {office}" for office in kept)
    raise CrapsError(f"this house keeps {len(kept)} offices: say whose, {ways}")


def _list_of_standards() -> bytes:
    """Return the standards, a line each."""
    from passline.office.standards import standard_names, standard_of
    from passline.office.views.standard_sheet import standards_table, standings_of

    found = [(key, meant := standard_of(key), standings_of(meant)) for key in standard_names()]
    return f"{table_text(standards_table(found))}\n".encode()


def _program_sheet(name: str, kind: str) -> bytes:
    """Return how the program holds a standard, without any office, in a form."""
    from passline.documents.as_file import sheet_file
    from passline.office.standards import standard_of
    from passline.office.views.standard_sheet import standard_sheet, standard_text, standings_of

    meant = standard_of(name)
    standings = standings_of(meant)
    if kind == "txt":
        return standard_text(meant, standings).encode()
    return sheet_file(kind, standard_sheet(meant, standings))
