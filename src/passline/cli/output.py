"""What commands that take a while share: a bar while they work, and files that can be written before they begin."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from passline.errors import CrapsError

__all__ = ["CHARTS", "Told", "compiling", "must_be_writable", "working"]

CHARTS = (".png", ".svg", ".pdf")
"""How charts are written."""
Told = Callable[[int, int | None, str], None]
"""Told how much is done, of how much where that is known, and what is being done."""


def must_be_writable(file: Path | None, *suffixes: str) -> None:
    """Complain before the work rather than after it.

    >>> must_be_writable(Path("chart.bmp"), ".png", ".svg")
    Traceback (most recent call last):
    passline.errors.CrapsError: chart.bmp: is written as .png, .svg
    """
    if file is None:
        return
    if suffixes and file.suffix.lower() not in suffixes:
        raise CrapsError(f"{file}: is written as {', '.join(suffixes)}")
    if file.is_dir() or not file.absolute().parent.is_dir():
        raise CrapsError(f"{file}: " + ("is a folder" if file.is_dir() else "there is no such folder"))


@contextmanager
def working(first: str) -> Iterator[Told | None]:
    """A bar on stderr, where somebody is looking."""
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
def compiling(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """The bar of a strategy that is being compiled."""
    with working(name) as told:
        yield told and (lambda done, known: told(done, known, f"states of {name} compiled"))
