"""What commands print and write: files, progress, tables of strategies side by side."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self, TextIO

from passline.atomic_file import STANDARD_OUTPUT, is_stream, suffix_of, whole_file
from passline.errors import CrapsError

if TYPE_CHECKING:
    from rich.table import Table

CHART_SUFFIXES = (".png", ".svg", ".pdf")
"""The suffixes of the files that charts can be drawn into."""
ShowProgress = Callable[[int, int | None, str], None]
"""Called with how much is done, of how much (None if that is not known), and what is being done."""
_PATIENCE_S = 1.0  # before anything is shown
_LINES_APART_MAX_S = 60.0  # between two lines where no bar can be drawn; they begin closer
_FRAMES_APART_S = 0.1
_COLUMNS_MAX = 5
_HEADS = {  # of a row for each strategy, in the order in which they matter: the label, and a short heading
    "mean": "mean",
    "ruin": "ruin",
    "goal reached": "goal",
    "standard deviation": "deviation",
    "ahead at the end": "ahead",
    "50% quantile": "median",
    "5% quantile": "5%",
    "95% quantile": "95%",
    "mean rolls": "rolls",
    "mean wagered": "wagered",
}
_NAME_MAX = 36


def check_writable(file: Path | None, *suffixes: str) -> None:
    """Raise CrapsError before the work begins if the file could not be written after it.

    >>> check_writable(Path("chart.bmp"), ".png", ".svg")
    Traceback (most recent call last):
    passline.errors.CrapsError: chart.bmp: the name must end in .png, .svg
    """
    if file is None:
        return
    if suffixes and suffix_of(file, suffixes) not in suffixes:
        raise CrapsError(f"{file}: the name must end in {', '.join(suffixes)}")
    if is_stream(file):
        return
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise CrapsError(f"{file}: " + ("is a folder" if file.is_dir() else "there is no such folder"))


def check_outputs(**files: Path | None) -> None:
    """Raise CrapsError if two outputs would be mixed: several to standard output, or two to one file.

    >>> check_outputs(pdf=Path("-"), xlsx=Path("-"))
    Traceback (most recent call last):
    passline.errors.CrapsError: --pdf and --xlsx both name -: give each a file of its own
    """
    named: dict[Path, str] = {}
    for option, file in files.items():
        flag = f"--{option.replace('_', '-')}"
        if file is not None and file in named and file != Path("/dev/null"):
            raise CrapsError(f"{named[file]} and {flag} both name {file}: give each a file of its own")
        if file is not None:
            named[file] = flag


def text_output(*files: Path | None) -> TextIO:
    """Return where a command prints its text: standard output, unless one of the files is written there."""
    return sys.stderr if STANDARD_OUTPUT in files else sys.stdout


def write_file(path: Path, data: bytes, *, said_on: TextIO | None = None) -> None:
    """Write a file wholly or not at all, and say so."""
    with whole_file(path) as part:
        part.write_bytes(data)
    where = "standard output" if path == STANDARD_OUTPUT else path
    print(f"{where}: {len(data):,} bytes", file=said_on or text_output(path))


class _Watch:
    """A thread that shows the newest progress, also while the work itself does not report any."""

    def __init__(self, first: str) -> None:
        self.told: tuple[int, int | None, str] = (0, None, first)
        self._over = threading.Event()
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def tell(self, done: int, total: int | None, about: str) -> None:
        self.told = (done, total, about)

    def _show(self) -> None:
        if self._over.wait(_PATIENCE_S) or os.environ.get("PASSLINE_PROGRESS") == "off":
            return
        if sys.stderr.isatty():
            self._draw_bar()
        else:
            self._print_lines()

    def _draw_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (BarColumn(), TextColumn("{task.fields[count]}"), TextColumn("{task.description}"))
        with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self.told[2], total=None, count="")
            is_over = False
            while not is_over:
                done, total, about = self.told
                bar.update(task, completed=done, total=total, description=about, count=_count(done, total))
                is_over = self._over.wait(_FRAMES_APART_S)

    def _print_lines(self) -> None:
        apart = _PATIENCE_S
        while True:
            done, total, about = self.told
            seconds = time.monotonic() - self._begun
            print(f"passline: {about}: {_count(done, total) or 'begun'}, {seconds:.0f} s", file=sys.stderr, flush=True)
            apart = min(2 * apart, _LINES_APART_MAX_S)
            if self._over.wait(apart):
                return


def _count(done: int, total: int | None) -> str:
    if not done:
        return ""
    return f"{done:,}" if total is None else f"{done:,} of {total:,}"


@contextmanager
def progress_bar(first: str) -> Iterator[ShowProgress]:
    """Show progress on standard error once a second has passed, with `first` as its first text."""
    with _Watch(first) as watch:
        yield watch.tell


@contextmanager
def compiling_bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of compiling a strategy."""
    with progress_bar(name) as show:
        yield lambda done, known: show(done, known, f"states of {name} compiled")


def side_by_side(names: Sequence[str], facts: Sequence[Iterable[tuple[str, str]]], *, width: int) -> Table:
    """Return a table with a column per name and a row per label of its facts; of many names, a row for each.

    A label that starts with a blank is that of an exact answer, which is shown dimmed below the simulated one.
    """
    from rich.table import Table
    from rich.text import Text

    if len(names) > _COLUMNS_MAX:
        return _one_below_the_other(names, [dict(column) for column in facts], width)

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


def _one_below_the_other(names: Sequence[str], facts: Sequence[dict[str, str]], width: int) -> Table:
    """Return a table with a row per name, and the facts that matter most as far as the width goes."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("strategy", overflow="fold", max_width=_NAME_MAX)
    room = width - min(_NAME_MAX, max(map(len, names))) - 2
    shown: list[str] = []
    for label, head in _HEADS.items():
        needed = max(len(head), *(len(row.get(label, "")) for row in facts)) + 2
        if not any(label in row for row in facts) or (needed > room and shown):
            continue
        room -= needed
        shown.append(label)
        table.add_column(head, justify="right", no_wrap=True)
    for name, row in zip(names, facts, strict=True):
        table.add_row(Text(name), *(row.get(label, "") for label in shown))
    return table


def file_form(path: Path, forms: tuple[str, ...]) -> str:
    """Return the form in which a file is written, by how its name ends; raise CrapsError if it is none of these."""
    suffixes = tuple(f".{form}" for form in forms)
    check_writable(path, *suffixes)
    return suffix_of(path, suffixes).removeprefix(".")
