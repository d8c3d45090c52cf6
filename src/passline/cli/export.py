"""`passline export`: write a log as JSON lines, which can be verified, or as a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.atomic_file import suffix_of
from passline.cli.output import ShowProgress, check_outputs, check_writable, progress_bar, text_output
from passline.cli.verify import LogArgument
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.entry import LogRow
    from passline.store.log_source import LogSource

_PROGRESS_EVERY = 10_000
_SUFFIXES = (".jsonl", ".xlsx")


def export(
    log: LogArgument,
    *,
    to: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE",
            help="The file to write: .jsonl or .xlsx; - is standard output, as JSON lines. May be repeated.",
            show_default=False,
        ),
    ],
    stream: Annotated[str, typer.Option(help="Only this stream: house, people, or table/NAME.")] = "",
    after: Annotated[int, typer.Option(min=0, help="Only entries after this one.")] = 0,
) -> None:
    """Export a log. A complete export as JSON lines can be verified like the log itself; a part of it cannot.

    An export is not a backup: it has no passwords, no PINs and no key, and cannot be served. See passline backup.
    """
    from passline.store.export import select_rows, write_jsonl, write_xlsx
    from passline.store.log_source import open_source

    for file in to:
        check_writable(file, *_SUFFIXES)
    check_outputs(**{f"to {number}": file for number, file in enumerate(to, 1)})
    for file in to:
        with open_source(log) as source, progress_bar("entries exported") as progress:
            rows = select_rows(source.rows(), stream=stream, after=after) if stream or after else source.rows()
            write = write_xlsx if suffix_of(file, _SUFFIXES) == ".xlsx" else write_jsonl
            count = write(_require_rows(_count_rows(rows, progress), source, stream, after), file)
        print(
            f"{count:,} entries in {file} (an export to read and verify, not a backup: see passline backup)",
            file=text_output(*to),
        )


def _count_rows(rows: Iterator[LogRow], progress: ShowProgress) -> Iterator[LogRow]:
    for count, row in enumerate(rows):
        if count % _PROGRESS_EVERY == 0:
            progress(count, None, "entries exported")
        yield row


def _require_rows(rows: Iterator[LogRow], source: LogSource, stream: str, after: int) -> Iterator[LogRow]:
    """Yield the rows; raise CrapsError if there are none, so that an empty export never replaces a file."""
    from passline.expression_words import nearest
    from passline.store.export import streams_of

    first = next(rows, None)
    if first is None:
        there, newest = streams_of(source.rows())
        if stream and stream not in there:
            near = nearest(stream, there)
            raise CrapsError(f"--stream {stream}: the log has no such stream; {near}; nothing was written")
        if after:
            raise CrapsError(f"--after {after}: nothing follows; the newest entry is {newest}; nothing was written")
        raise CrapsError("the log has no entry: nothing was written")
    yield first
    yield from rows
