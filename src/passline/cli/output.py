"""Output that several commands share: progress bars, tables of strategies side by side, checks of output files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from passline.errors import CrapsError

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["CHART_SUFFIXES", "ShowProgress", "check_writable", "compiling_bar", "progress_bar", "side_by_side"]

CHART_SUFFIXES = (".png", ".svg", ".pdf")
"""The suffixes of the files that charts can be drawn into."""
ShowProgress = Callable[[int, int | None, str], None]
"""Called with how much is done, of how much (None if that is not known), and what is being done."""


def check_writable(file: Path | None, *suffixes: str) -> None:
    """Raise CrapsError before the work begins if the file could not be written after it.

    >>> check_writable(Path("chart.bmp"), ".png", ".svg")
    Traceback (most recent call last):
    passline.errors.CrapsError: chart.bmp: the name must end in .png, .svg
    """
    if file is None:
        return
    if suffixes and file.suffix.lower() not in suffixes:
        raise CrapsError(f"{file}: the name must end in {', '.join(suffixes)}")
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise CrapsError(f"{file}: " + ("is a folder" if file.is_dir() else "there is no such folder"))


@contextmanager
def progress_bar(first: str) -> Iterator[ShowProgress | None]:
    """Show a progress bar, with `first` as its first text, if stderr is a terminal; otherwise yield None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first, total=None)
        yield lambda done, total, about: bar.update(task, completed=done, total=total, description=about)


@contextmanager
def compiling_bar(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show the progress of compiling a strategy."""
    with progress_bar(name) as show:
        yield show and (lambda done, known: show(done, known, f"states of {name} compiled"))


def side_by_side(names: Sequence[str], facts: Sequence[Iterable[tuple[str, str]]]) -> Table:
    """Return a table with a column per name and a row per label of its facts.

    A label that starts with a blank is that of an exact answer, which is shown dimmed below the simulated one.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("")
    for name in names:
        table.add_column(Text(name), justify="right", overflow="fold")
    rows: dict[str, list[str]] = {}
    for index, column in enumerate(facts):
        for label, value in column:
            rows.setdefault(label, [""] * len(names))[index] = value
    for label, values in rows.items():
        is_exact = label.startswith(" ")
        table.add_row("  exact" if is_exact else label, *values, style="dim" if is_exact else "")
    return table
