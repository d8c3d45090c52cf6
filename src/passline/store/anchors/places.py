"""Anchors of this machine: a file, best on another volume, and a printed line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import json

from passline.store.anchors.mark import Mark, mark_from_line, newest_mark
from passline.store.keys import sync_folder
from passline.store.log import LogError

try:
    import fcntl
except ImportError:  # Windows, where one server uses a log
    fcntl = None  # type: ignore[assignment]

__all__ = ["FileAnchor", "PrintedAnchor"]

_SIZE_MAX = 512 * 1024  # of the file: beyond it, only the newest head of each log and restorations are kept


class FileAnchor:
    """Heads as lines of JSON at the end of a file; several processes may share it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     anchor = FileAnchor(Path(folder) / "heads")
    ...     for sequence in (7, 9, 8):
    ...         anchor.keep(Mark("a-log", sequence, "00", "", "2026-11-15"))
    ...     anchor.newest("a-log").sequence, anchor.newest("another")
    (9, None)
    """

    is_readable = True
    pace = 1.0

    def __init__(self, path: Path, *, size_max: int = _SIZE_MAX) -> None:
        self.path, self.name, self._size_max = path, str(path), size_max
        self._file = -1
        self._was_there = path.exists()

    def keep(self, mark: Mark) -> None:
        """Append a line and sync it."""
        with self._errors(), self._open_locked() as size:
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                whole = os.pread(self._file, size, 0).rfind(b"\n") + 1
                os.ftruncate(self._file, whole)  # a line that was cut short, so nobody was told that it is kept
            line = json.encode(mark) + b"\n"
            if os.write(self._file, line) != len(line):
                raise LogError(f"anchor {self.name}: the disk is full: free some space")
            os.fsync(self._file)
            if size + len(line) > self._size_max:
                self._compact()

    def newest(self, log_id: str) -> Mark | None:
        """Return the newest head of a log."""
        with self._errors():
            return newest_mark(self._marks(), log_id)

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the marks of restorations of a log."""
        with self._errors():
            return [mark for mark in self._marks() if mark.log_id == log_id and mark.lost]

    def log_ids(self) -> set[str]:
        """Return the ids of all logs that it holds heads of."""
        with self._errors():
            return {mark.log_id for mark in self._marks()}

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _marks(self) -> Iterator[Mark]:
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            if self._was_there or not self.path.parent.is_dir():
                raise
            return
        *lines, _unfinished = text.split(b"\n")
        for number, line in enumerate(lines, start=1):
            mark = mark_from_line(line)
            if mark is None:
                raise LogError(
                    f"anchor {self.name}: line {number} is not a head: the file was changed or damaged; find out by "
                    "whom, then restore it, or move it aside and verify the log against another head"
                )
            yield mark

    @contextmanager
    def _open_locked(self) -> Iterator[int]:
        """Open and lock the file that is at the path now; yield its size."""
        while True:
            if self._file < 0:
                flags = os.O_RDWR | os.O_APPEND | (0 if self._was_there else os.O_CREAT)
                self._file = os.open(self.path, flags, 0o600)
                if not self._was_there:
                    sync_folder(self.path.parent)
                self._was_there = True
            _lock(self._file, is_held=True)
            opened = os.fstat(self._file)
            try:
                is_same = os.path.samestat(opened, self.path.stat())
            except OSError:
                self.close()
                raise
            if is_same:
                break
            self.close()  # another process has compacted it
        try:
            yield opened.st_size
        finally:
            if self._file >= 0:
                _lock(self._file, is_held=False)

    def _compact(self) -> None:
        """Replace the file by what counts of it: the newest head of each log, and every restoration."""
        marks = list(self._marks())
        newest = {log_id: newest_mark(marks, log_id) for log_id in {mark.log_id for mark in marks}}
        left = [mark for mark in marks if mark.lost or mark is newest[mark.log_id]]
        part = self.path.with_name(self.path.name + ".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:  # which writes all of it or raises
            file.writelines(json.encode(mark) + b"\n" for mark in left)
            file.flush()
            os.fsync(handle)
        part.replace(self.path)
        sync_folder(self.path.parent)
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            remedy = "mount its volume, and make the file writable for this user"
            raise LogError(f"anchor {self.name}: {error.strerror or error}: {remedy}") from error


class PrintedAnchor:
    """Heads as printed lines, on standard output or a device such as a line printer; nobody can read them back here.

    A line can be given to `passline verify --head`.
    """

    is_readable = False
    pace = 60.0  # paper is not endless

    def __init__(self, path: Path | None = None) -> None:
        self.path, self.name = path, f"print:{path or ''}"

    def keep(self, mark: Mark) -> None:
        """Print a line."""
        lost = f" restored, giving up {mark.lost}" if mark.lost else ""
        text = f"passline head {mark.name}:{mark.seal} of log {mark.log_id} at {mark.at}{lost}\n"
        try:
            if self.path is None:
                sys.stdout.write(text)
                sys.stdout.flush()
                return
            with self.path.open("a", encoding="ascii") as device:
                device.write(text)
                device.flush()
                with suppress(OSError):  # a device that cannot be synced
                    os.fsync(device.fileno())
        except (OSError, ValueError) as error:
            raise LogError(f"anchor {self.name}: {error}: see to the printer") from error

    def newest(self, log_id: str) -> Mark | None:
        """Raise: paper cannot be read back."""
        raise LogError(f"anchor {self.name}: a printed head of log {log_id} cannot be read back: give it with --head")

    def restoration_marks(self, log_id: str) -> list[Mark]:  # noqa: ARG002 - as every anchor
        """Return nothing: paper cannot be read back."""
        return []

    def close(self) -> None:
        """Do nothing: nothing stays open."""


def _lock(file: int, *, is_held: bool) -> None:
    """Lock a file for this process alone, or release it."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX if is_held else fcntl.LOCK_UN)
