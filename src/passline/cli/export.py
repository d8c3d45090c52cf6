"""`passline export`: a log as JSON lines, which can be verified, or as a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.output import ShowProgress, check_writable, progress_bar
from passline.cli.verify import LogArgument

if TYPE_CHECKING:
    from passline.store.entry import Line

__all__ = ["export"]

_TOLD_EVERY = 10_000


def export(
    log: LogArgument,
    *,
    to: Annotated[
        Path, typer.Option(metavar="FILE", help="Write into this file: .jsonl or .xlsx.", show_default=False)
    ],
    stream: Annotated[str, typer.Option(help="Only this stream: house, people, or table/NAME.")] = "",
    after: Annotated[int, typer.Option(min=0, help="Only what follows this entry.")] = 0,
) -> None:
    """Export a log. All of it as JSON lines can be verified as the log itself can; a part of it lacks the rest."""
    from passline.store.export import selected, write_jsonl, write_xlsx
    from passline.store.log_source import open_source

    check_writable(to, ".jsonl", ".xlsx")
    with open_source(log) as source, progress_bar("entries exported") as told:
        lines = selected(source.lines(), stream=stream, after=after) if stream or after else source.lines()
        count = (write_xlsx if to.suffix.lower() == ".xlsx" else write_jsonl)(_counted(lines, told), to)
    print(f"{count:,} entries in {to}")


def _counted(lines: Iterator[Line], told: ShowProgress | None) -> Iterator[Line]:
    for count, line in enumerate(lines):
        if told and count % _TOLD_EVERY == 0:
            told(count, None, "entries exported")
        yield line
