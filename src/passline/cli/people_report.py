"""`passline people-report`: users and their rights, from the log, for two people to go through."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passline.cli.output import file_form, write_file
from passline.cli.verify import LogArgument


def people_report(
    log: LogArgument,
    *,
    to: Annotated[Path | None, typer.Option(metavar="FILE.pdf|.xlsx|.html|.txt", help="The file to write.")] = None,
    since: Annotated[
        str, typer.Option(help="Changes since this day, such as 2026-03-02; without it, since the report was reviewed.")
    ] = "",
) -> None:
    """Print who can act, as what and since when, what each role may do, who has left, and what has changed.

    Two people sign it and record that in the office; what they should look at is in its last column.
    """
    from passline.documents.as_file import sheet_file
    from passline.office.views.users_report import KINDS, users_report
    from passline.rules.pages.day import day_named
    from passline.store.log_source import entries_of_streams, open_source
    from passline.store.timestamps import utc_now

    kind = file_form(to, ("pdf", "xlsx", "html", "txt")) if to else "txt"
    day = day_named(since, "--since") if since else ""
    with open_source(log) as source:
        entries = entries_of_streams(source, *KINDS)
        data = sheet_file(kind, users_report(entries, utc_now(), str(day)))
    if to:
        write_file(to, data)
    else:
        print(data.decode(), end="")
