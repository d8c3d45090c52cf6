"""Files that are written completely or not at all, even if the process is killed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole_file"]


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file beside `path` that replaces it when the block ends without an error.

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
        part.chmod(0o666 & ~_umask())  # the mode that open() would have given it
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
