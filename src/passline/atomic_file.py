"""Files that are written completely or not at all, even if the process is killed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

STANDARD_OUTPUT = Path("-")
"""The name of a file that stands for standard output."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file that takes the place of `path` when the block ends without an error.

    Only a plain file is ever replaced. A link stays, and what it leads to is written; a device, a pipe and `-`, which
    is standard output, get the bytes when all of them are there.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "sheet.txt") as part:
    ...         written = part.write_text("all of it", encoding="utf-8")
    ...     [(file.name, file.read_text(encoding="utf-8")) for file in Path(folder).iterdir()]
    [('sheet.txt', 'all of it')]
    """
    try:
        with _whole_stream(path) if is_stream(path) else _whole_plain_file(path) as part:
            yield part
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno is None:  # no fault of a file
            raise
        # A person knows the file by the name that was given, not by that of the temporary one.
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


@contextmanager
def _whole_stream(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / (path.name or "part")
        part.touch()
        yield part
        _copy_through(part, path)


@contextmanager
def _whole_plain_file(path: Path) -> Iterator[Path]:
    target = Path(os.path.realpath(path))  # beyond every link, whether or not the file at its end exists
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.stem, suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())  # the mode that open() would have given it
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Return whether bytes are sent to a path rather than kept under it: standard output, a device, a pipe.

    >>> [is_stream(Path(name)) for name in ("-", "/dev/null", "sheet.pdf")]
    [True, True, False]
    """
    return path == STANDARD_OUTPUT or (path.exists() and not path.is_file() and not path.is_dir())


def suffix_of(path: Path, known: Sequence[str]) -> str:
    """Return the format in which a file is written, as a suffix: its own; for a stream without a known one, the first.

    >>> suffix_of(Path("chart.SVG"), (".png", ".svg")), suffix_of(Path("-"), (".png", ".svg"))
    ('.svg', '.png')
    """
    own = path.suffix.lower()
    return known[0] if own not in known and is_stream(path) else own


def _copy_through(part: Path, path: Path) -> None:
    """Send the bytes of a file to a stream. One that does not take them raises OSError."""
    with part.open("rb") as file:
        if path == STANDARD_OUTPUT:
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        with os.fdopen(os.open(path, os.O_WRONLY), "wb") as stream:  # neither made nor cut, as open("wb") would
            shutil.copyfileobj(file, stream)


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
