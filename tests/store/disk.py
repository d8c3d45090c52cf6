"""A disk whose power can be cut: what was written and not yet synced may be lost, torn or out of order.

SQLite writes to it through an APSW VFS. Such a VFS has no shared memory, so the connection locks the file exclusively
(`locking_mode = EXCLUSIVE`) and keeps the index of the write-ahead log in its own memory; everything else is the usual
SqliteLog. It checkpoints every few commits, so that cuts fall into checkpoints too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Literal

import apsw

_SECTOR = 512
_CHECKPOINT_PAGES = 30


class PowerCut(Exception):
    """The power is off: nothing can be written."""


class StoredFile:
    """A file as programs see it, as it is on the platter, and the writes in between."""

    def __init__(self) -> None:
        self.now = bytearray()
        self.durable = bytearray()
        self.is_listed = False  # whether its name is on the platter; otherwise a cut may lose the file
        self.is_deleted = False  # not yet durably: a cut may bring it back
        self.pending: list[tuple[int, bytes | None]] = []  # offset and bytes; None: truncated there

    def sync(self) -> None:
        for offset, data in self.pending:
            _write(self.durable, offset, data)
        self.pending = []

    def survivor(self, random: Random) -> bytes | None:
        """Return what is left of the file after a cut."""
        if (self.is_deleted or not self.is_listed) and random.random() < 0.5:
            return None
        content = bytearray(self.durable)
        chance = random.choice((0.0, 0.3, 0.7, 1.0))
        parts = [part for write in self.pending for part in _sectors(*write)]
        if all(data is not None for _, data in parts):
            random.shuffle(parts)
        for offset, data in parts:
            if random.random() < chance:
                _write(content, offset, data)
            elif data and random.random() < 0.1:
                _write(content, offset, data[: random.randrange(len(data))])  # torn in the middle of a sector
        return bytes(content)


def _sectors(offset: int, data: bytes | None) -> Iterable[tuple[int, bytes | None]]:
    """Yield the parts of a write that reach the platter one by one."""
    if data is None:
        return [(offset, None)]
    first = _SECTOR - offset % _SECTOR
    cuts = [0, *range(first, len(data), _SECTOR), len(data)]
    return [(offset + start, data[start:end]) for start, end in pairwise(cuts)]


def _write(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
    else:
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


class Disk:
    """Files by name. The power is cut at the write or sync with this number (0: never)."""

    def __init__(self, *, cut_at: int = 0) -> None:
        self.files: dict[str, StoredFile] = {}
        self.cut_at = cut_at
        self.done = 0
        self.is_cut = False

    def act(self, _what: Literal["write", "sync", "delete"]) -> None:
        """Count an operation on the platter; the one at which the power is cut is begun but not finished."""
        if self.is_cut:
            raise PowerCut
        self.done += 1
        self.is_cut = self.done == self.cut_at

    def sync_folder(self) -> None:
        """Make created and deleted file names durable."""
        self.files = {name: file for name, file in self.files.items() if not file.is_deleted}
        for file in self.files.values():
            file.is_listed = True

    def save(self, folder: Path, random: Random) -> None:
        """Write what survived into a folder."""
        for name, file in self.files.items():
            content = file.survivor(random)
            if content is not None:
                (folder / name).write_bytes(content)


class _OpenFile:
    """A file as SQLite uses it."""

    def excepthook(self, *_error: object) -> None:
        """Do not report a cut: the test asked for it."""

    def __init__(self, disk: Disk, file: StoredFile, *, syncs_folder: bool) -> None:
        self._disk, self._file = disk, file
        self._syncs_folder = syncs_folder

    def xRead(self, amount: int, offset: int) -> bytes:
        if self._disk.is_cut:
            raise PowerCut
        return bytes(self._file.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._change(offset, bytes(data))

    def xTruncate(self, size: int) -> None:
        self._change(size, None)

    def _change(self, offset: int, data: bytes | None) -> None:
        self._disk.act("write")
        self._file.pending.append((offset, data))
        _write(self._file.now, offset, data)
        if self._disk.is_cut:
            raise PowerCut

    def xSync(self, _flags: int) -> None:
        self._disk.act("sync")
        if self._disk.is_cut:
            raise PowerCut
        self._file.sync()
        if self._syncs_folder:
            self._disk.sync_folder()
            self._syncs_folder = False

    def xFileSize(self) -> int:
        return len(self._file.now)

    def xLock(self, _level: int) -> None:
        pass

    def xUnlock(self, _level: int) -> None:
        pass

    def xCheckReservedLock(self) -> bool:
        return False

    def xFileControl(self, _operation: int, _pointer: int) -> bool:
        return False

    def xSectorSize(self) -> int:
        return _SECTOR

    def xDeviceCharacteristics(self) -> int:
        return 0  # no guarantees

    def xClose(self) -> None:
        pass


class FileSystem(apsw.VFS):
    """The disk's file system, as SQLite uses it."""

    def excepthook(self, *_error: object) -> bool:
        """Do not report a cut: the test asked for it."""
        return True

    def __init__(self, name: str, disk: Disk) -> None:
        self._disk = disk
        super().__init__(name, base="")

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: ANN401 - APSW's types
        flags[1] = flags[0]
        if name is None:
            return _OpenFile(
                self._disk, StoredFile(), syncs_folder=False
            )  # a temporary file, which no cut leaves behind
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        old = self._disk.files.get(path)
        is_new = old is None or old.is_deleted
        if is_new:
            new = self._disk.files[path] = StoredFile()
            if old is not None:  # not durably deleted: a cut may bring back its content
                new.durable, new.is_listed, new.pending = old.durable, old.is_listed, [(0, None)]
        # SQLite's Unix VFS syncs the folder with the first sync of a journal that it created.
        is_journal = bool(flags[0] & (apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL))
        return _OpenFile(self._disk, self._disk.files[path], syncs_folder=is_new and is_journal)

    def xDelete(self, name: str, is_synced: bool) -> None:  # noqa: FBT001 - APSW calls it so
        self._disk.act("delete")
        if self._disk.is_cut:
            raise PowerCut
        self._disk.files[name].is_deleted = True
        if is_synced:
            self._disk.sync_folder()

    def xAccess(self, name: str, _flags: int) -> bool:
        return name in self._disk.files and not self._disk.files[name].is_deleted

    def xFullPathname(self, name: str) -> str:
        return name


class Rows:
    """Rows that a statement returned."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchone(self) -> Any:  # noqa: ANN401 - a row of SQLite values
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Any]:
        return self._rows


def guarded(act: Callable[[], Any]) -> Any:  # noqa: ANN401 - the result of the call
    """Do something with APSW; raise its errors as the standard library does."""
    try:
        return act()
    except apsw.ConstraintError as error:
        raise sqlite3.IntegrityError(str(error)) from error
    except (apsw.Error, PowerCut) as error:
        raise sqlite3.OperationalError(str(error) or "power cut") from error


class _Connection:
    """An APSW connection with the interface and errors of the standard library's."""

    def __init__(self, name: str, system: FileSystem) -> None:
        self._system = system
        self._apsw = guarded(lambda: apsw.Connection("log.sqlite", vfs=name))
        self.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        return Rows(guarded(lambda: self._apsw.execute(sql, tuple(parameters)).fetchall()))

    def close(self) -> None:
        try:
            guarded(self._apsw.close)
        finally:
            self._system.unregister()


def connector_to(disk: Disk) -> Callable[[Path], _Connection]:
    """Return a function that opens the only connection to a log on this disk."""
    name = f"disk-{id(disk)}"
    system = FileSystem(name, disk)
    opened: list[_Connection] = []

    def connect(_path: Path) -> _Connection:
        if not opened:
            opened.append(_Connection(name, system))
        return opened[0]

    return connect
