"""`passline export`: write a log as JSON lines, which can be verified, or as a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.output import ShowProgress, check_writable, progress_bar
from passline.cli.verify import LogArgument

if TYPE_CHECKING:
    from passline.store.entry import LogRow

__all__ = ["export"]

_PROGRESS_EVERY = 10_000


def export(
    log: LogArgument,
    *,
    to: Annotated[Path, typer.Option(metavar="FILE", help="The file to write: .jsonl or .xlsx.", show_default=False)],
    stream: Annotated[str, typer.Option(help="Only this stream: house, people, or table/NAME.")] = "",
    after: Annotated[int, typer.Option(min=0, help="Only entries after this one.")] = 0,
) -> None:
    """Export a log. A complete export as JSON lines can be verified like the log itself; a part of it cannot.

    An export is not a backup: it has no passwords, no PINs and no key, and cannot be served. See passline backup.
    """
    from passline.store.export import selected, write_jsonl, write_xlsx
    from passline.store.log_source import open_source

    check_writable(to, ".jsonl", ".xlsx")
    with open_source(log) as source, progress_bar("entries exported") as progress:
        rows = selected(source.rows(), stream=stream, after=after) if stream or after else source.rows()
        count = (write_xlsx if to.suffix.lower() == ".xlsx" else write_jsonl)(_counted(rows, progress), to)
    print(f"{count:,} entries in {to} (an export to read and verify, not a backup: see passline backup)")


def _counted(rows: Iterator[LogRow], progress: ShowProgress | None) -> Iterator[LogRow]:
    for count, row in enumerate(rows):
        if progress and count % _PROGRESS_EVERY == 0:
            progress(count, None, "entries exported")
        yield row
