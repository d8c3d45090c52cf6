"""`passline office import`: a month of another system, and what this office would have refused or found in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passline.cli.output import file_form, write_file


def import_month(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="month.toml and CSV files, as the guide names them.")
    ],
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.xlsx|.html|.txt", help="The file to write.")] = None,
) -> None:
    """Read a month of another system's slips, counts and ratings, and say what would have been refused or found.

    Nothing is kept and no server is needed: everything is entered into an office in memory, line by line, under the
    regulation and the presets that month.toml names. Each finding has its clause, its file and its line.
    """
    from passline.documents.as_file import sheet_file
    from passline.office.shadow.month import read_month
    from passline.office.shadow.replay import replay_month
    from passline.office.shadow.sheet import shadow_sheet

    kind = file_form(to, ("pdf", "xlsx", "html", "txt")) if to else "txt"
    sheet = shadow_sheet(replay_month(read_month(folder)))
    data = sheet_file(kind, sheet)
    if to:
        write_file(to, data)
    else:
        print(data.decode(), end="")
