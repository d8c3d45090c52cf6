"""`passline ledger`: journals of closed gaming days for a general ledger, as CSV, beancount and hledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.atomic_file import suffix_of
from passline.cli.output import check_outputs, check_writable, text_output, write_file
from passline.cli.verify import LogArgument
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.journals.chart import Chart
    from passline.store.log_source import LogSource

_SUFFIXES = (".csv", ".beancount", ".journal")


def ledger(
    log: LogArgument = "",
    *,
    to: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="The file to write: .csv, .beancount or .journal (hledger); - is standard output, as CSV. "
            "May be repeated.",
            show_default=False,
        ),
    ] = None,
    office: Annotated[str, typer.Option(help="The office, by its regulation, where the log has several.")] = "",
    day: Annotated[str, typer.Option(help="Only this gaming day, such as 2026-03-02.")] = "",
    chart: Annotated[Path | None, typer.Option(help="The house's chart of accounts, in TOML.")] = None,
    show_chart: Annotated[bool, typer.Option(help="Print the chart that comes with Passline, to copy.")] = False,
) -> None:
    """Write the journals of closed gaming days: one for each shift, by double entry, each number always the same."""
    from passline.journals.chart import standard_chart_text
    from passline.journals.formats import FORMATS
    from passline.journals.posting import journals_of
    from passline.rules.pages.day import day_named
    from passline.store.log_source import open_source, sound_entries

    if show_chart:
        print(standard_chart_text(), end="")
        return
    if not to:
        raise CrapsError("--to: name a file, such as march.beancount; --show-chart prints the accounts")
    for file in to:
        check_writable(file, *_SUFFIXES)
    if not log:
        raise CrapsError("LOG: name a data folder, its SQLite file, or an export")
    check_outputs(**{f"to {number}": file for number, file in enumerate(to, 1)})
    accounts, only = _chart(chart), day_named(day, "--day") if day else None
    with open_source(log) as source:
        found = journals_of(sound_entries(source), office or _only_office(source), accounts)
    shown = found.of_day(only) if only else found
    if not shown.journals:
        raise CrapsError("no gaming day of this office is closed: its books are open, and there is nothing to post")
    for file in to:
        text = FORMATS[suffix_of(file, _SUFFIXES) or ".csv"](shown, only is None)
        write_file(file, text.encode())
    count = sum(len(journal.transactions) for journal in shown.journals)
    said = (
        f"{len(shown.journals)} journals of {shown.journals[0].day} to {shown.journals[-1].day}, {count} transactions"
    )
    print(said, file=text_output(*to))
    if found.unposted and only is None:
        open_days = ", ".join(found.unposted)
        print(f"not posted, since their books are open: {open_days}", file=text_output(*to))


def _chart(file: Path | None) -> Chart:
    from passline.bounded_text import read_named_file, text_of_file
    from passline.journals.chart import read_chart, standard_chart

    if file is None:
        return standard_chart()
    return read_chart(text_of_file(read_named_file(file), str(file)), str(file))


def _only_office(source: LogSource) -> str:
    from passline.acts.course import OFFICE_STREAM
    from passline.store.export import streams_of

    streams, _ = streams_of(source.rows())
    offices = [name.removeprefix(OFFICE_STREAM) for name in streams if name.startswith(OFFICE_STREAM)]
    if len(offices) == 1:
        return offices[0]
    if not offices:
        raise CrapsError("this log has no office: a journal is made of gaming days, which an office opens and closes")
    raise CrapsError(f"this log has several offices: name one with --office: {', '.join(sorted(offices))}")
