"""Folders of gaming days whose books are closed. Such a folder never changes again, so it is made once and kept.

They are not part of the log: a folder that somebody deletes is made again.
"""

from __future__ import annotations

import hmac
import os
import tempfile
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path

from passline.store.entry import Head
from passline.store.sealed import Log
from passline.tables.views.dealt_by import this_program

FOLDERS = "folders"
"""Where they lie in the data folder."""
_KEPT = 62  # of all offices, the newest: each has a few megabytes
_CODE_BYTES = 32


class KeptFolders:
    """Zipped folders beside the log, each with a code made with the log's key, so that nobody else can add one."""

    def __init__(self, place: Path | None = None, log: Log | None = None) -> None:
        self._place, self._key = place, log.derive(FOLDERS) if log else b""

    def find(self, office: str, day: date, closing: Head) -> bytes | None:
        """Return the folder of a day that was closed with this head, made by this program; None if it is not kept."""
        path = self._path(office, day, closing)
        try:
            text = path.read_bytes() if path else b""
        except OSError:
            return None
        code, zipped = text[:_CODE_BYTES], text[_CODE_BYTES:]
        return zipped if path and zipped and hmac.compare_digest(code, self._code(path.name, zipped)) else None

    def keep(self, office: str, day: date, closing: Head, zipped: bytes) -> None:
        """Keep a folder, and only so many of all; where that is not possible it is made again when somebody asks."""
        if (path := self._path(office, day, closing)) is not None:
            with suppress(OSError):  # such as a full disk: whoever asked has it all the same
                self._write(path, self._code(path.name, zipped) + zipped)

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        """Write a file at once or not at all, and delete the oldest of too many."""
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(part).replace(path)
        finally:
            Path(part).unlink(missing_ok=True)
        for old in sorted(path.parent.glob("*.kept"), key=lambda kept: kept.stat().st_mtime, reverse=True)[_KEPT:]:
            old.unlink(missing_ok=True)

    def _path(self, office: str, day: date, closing: Head) -> Path | None:
        """Return where a folder lies. The head names all entries up to it: a restored log may close a day otherwise."""
        name = f"{office}-{day}-{closing.hash}-{this_program().code}.kept"
        return self._place / name if self._place else None

    def _code(self, name: str, zipped: bytes) -> bytes:
        return hmac.digest(self._key, sha256(name.encode()).digest() + sha256(zipped).digest(), "sha256")
