"""`passline office standard`: what a standard asks of the program and of a house, and how each item is held."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from passline.cli.options.game import complete_regulation
from passline.cli.options.server import DEFAULT_SERVER, ServerOption, TokenOption, client_at
from passline.cli.output import file_form, write_file


def standard(
    name: Annotated[str, typer.Argument(metavar="[STANDARD]", help="Such as table_systems; without it, a list.")] = "",
    regulation: Annotated[
        str,
        typer.Argument(
            metavar="[REGULATION]",
            help="Whose office shows how it holds it; without it, the program.",
            autocompletion=complete_regulation,
        ),
    ] = "",
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.xlsx|.html|.txt", help="The file to write.")] = None,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print how each item of a standard is held: by what, and by which tests; of an office, with its own evidence.

    What an office shows are the newest acts in its log, by number, and its settings. What is not covered says why.
    """
    kind = file_form(to, ("pdf", "xlsx", "html", "txt")) if to else "txt"
    if regulation:
        with client_at(server, token) as client:
            data = client.download(f"/api/office/{quote(regulation, safe='')}/standards/{quote(name, safe='')}.{kind}")
    else:
        data = _program_sheet(name, kind) if name else _list_of_standards()
    if to:
        write_file(to, data)
    else:
        print(data.decode(), end="")


def _list_of_standards() -> bytes:
    """Return the standards, a line each."""
    from passline.documents.as_text import table_text
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
    return sheet_file(standard_sheet(meant, standings), kind)
