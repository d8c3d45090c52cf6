"""Files that are written whole or not at all, whoever kills us meanwhile."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file to write beside the one that is wanted, which takes its name once it is finished.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder) / "sheet.txt") as part:
    ...         written = part.write_text("all of it", encoding="utf-8")
    ...     [(file.name, file.read_text(encoding="utf-8")) for file in Path(folder).iterdir()]
    [('sheet.txt', 'all of it')]
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())  # what a file made by its own name would have
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
