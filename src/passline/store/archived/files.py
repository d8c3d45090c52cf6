"""Where the bytes of an archive lie: in files beside a log in SQLite, or in a table of the log's own database."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from passline.store.keys import sync_folder
from passline.store.log import LogError

ARCHIVE_FOLDER = "archive"
"""Where archived segments lie, beside a log in SQLite."""
ANOTHER_ARCHIVES = "another process archives this log: wait until it has ended, then archive again"
"""What is said while somebody else archives."""
_READ_BYTES = 1 << 20


class NewFile(Protocol):
    """A file that is being written."""

    def write(self, data: bytes, /) -> object:
        """Add bytes at its end."""


class ArchiveFiles(ABC):
    """Files by name. Two of the same place are equal, so that what was read of one is kept for the other."""

    def __init__(self, place: str, remedy: str) -> None:
        self._place = place
        self.remedy = remedy
        """What to do about a file that was changed or lost."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArchiveFiles) and other._place == self._place

    def __hash__(self) -> int:
        return hash(self._place)

    @abstractmethod
    def label(self, name: str) -> str:
        """Return a file's name for people."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Return whether there is a file."""

    @abstractmethod
    def read(self, name: str, offset: int, size: int) -> bytes:
        """Return bytes of a file, fewer where it ends before; raise OSError where it cannot be read."""

    @abstractmethod
    def parts(self, name: str) -> Iterator[bytes]:
        """Yield all bytes of a file, a part at a time; raise OSError where it cannot be read."""

    @abstractmethod
    def write(self, name: str) -> AbstractContextManager[NewFile]:
        """Begin a file that durably takes the place of any other of its name when the block ends without an error."""


class FolderFiles(ArchiveFiles):
    """Files in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), "put the file back from a backup")
        self.folder = folder

    def label(self, name: str) -> str:
        """Return the name with that of the folder."""
        return f"{self.folder.name}/{name}"

    def has(self, name: str) -> bool:
        """Return whether there is a file."""
        return (self.folder / name).is_file()

    def read(self, name: str, offset: int, size: int) -> bytes:
        """Return bytes of a file."""
        with (self.folder / name).open("rb") as file:
            file.seek(offset)
            return file.read(size)

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield all bytes of a file."""
        with (self.folder / name).open("rb") as file:
            while part := file.read(_READ_BYTES):
                yield part

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder until the block ends, or this process does; raise LogError while another one holds it."""
        try:
            import fcntl  # noqa: PLC0415 - Windows has none
        except ImportError:
            yield
            return
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            held = os.open(self.folder, os.O_RDONLY)
        except OSError as error:
            raise LogError(f"{self.folder}: {error.strerror}: make it a folder that this user can write to") from error
        try:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise LogError(ANOTHER_ARCHIVES) from error
            yield
        finally:
            os.close(held)

    @contextmanager
    def write(self, name: str) -> Iterator[NewFile]:
        """Write a file under another name, and give it its own when all of it is durable."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=self.folder, prefix=name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            Path(made).replace(self.folder / name)
            sync_folder(self.folder)
        except OSError as error:
            raise LogError(
                f"{self.folder}: {error.strerror or error}: free some space there, then archive again"
            ) from error
        finally:
            Path(made).unlink(missing_ok=True)
