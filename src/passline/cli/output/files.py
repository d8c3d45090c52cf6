"""Files that commands write: checked before the work begins, written whole, and named when they are there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

from passline.atomic_file import STANDARD_OUTPUT, is_stream, suffix_of, whole_file
from passline.errors import CrapsError

__all__ = ["CHART_SUFFIXES", "check_outputs", "check_writable", "text_output", "write_file"]

CHART_SUFFIXES = (".png", ".svg", ".pdf")
"""The suffixes of the files that charts can be drawn into."""


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
