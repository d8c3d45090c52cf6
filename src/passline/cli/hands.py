"""`passline hands`: play hand files and show where the results differ from what they expect."""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from passline.cli.exit_codes import FAILED, REFUSED

_WIDTH = 100


def hands(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Hand files, or folders of them.")],
    *,
    is_told: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Tell each hand roll by roll: every wager, the arithmetic, the clauses in words."
        ),
    ] = False,
) -> None:
    """Play hand files. The exit code is 1 if a result differs, 2 if a file cannot be read."""
    from passline.game.hand_files import HandError, hand_story, run_hand

    passed = failed = unreadable = 0
    for path in _files(paths):
        try:
            report = run_hand(path)
        except HandError as error:
            unreadable += 1
            print("passline:", " ".join(str(error).split()), file=sys.stderr)
            continue
        if is_told:
            print(f"{path}\n{'=' * len(str(path))}")
            print("\n".join(wrapped for line in hand_story(report.played) for wrapped in _wrap(line)), end="\n\n")
        passed, failed = passed + report.is_passed, failed + (not report.is_passed)
        print(f"{'ok     ' if report.is_passed else 'differs'} {path}")
        for difference in report.differences:
            print("  " + str(difference).replace("\n", "\n  "))
    more = f", {unreadable} unreadable" if unreadable else ""
    total = passed + failed + unreadable
    print(f"{total} hand{'' if total == 1 else 's'}, {passed} passed, {failed} failed{more}")
    if unreadable or failed:
        raise typer.Exit(REFUSED if unreadable else FAILED)


def _wrap(line: str) -> list[str]:
    """Return a line of a story at a width for reading, further lines indented."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


def _files(paths: list[Path]) -> Iterator[Path]:
    from passline.game.hand_files import HandError

    for path in paths:
        try:
            is_folder = path.is_dir()
        except OSError as error:  # not a valid file name
            raise HandError(f"{path}: {error.strerror}") from None
        if is_folder:
            found = sorted(path.rglob("*.hand"))
            if not found:
                raise HandError(f"{path}: no .hand file in this folder")
            yield from found
        else:
            yield path
