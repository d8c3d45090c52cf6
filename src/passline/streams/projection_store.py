"""The store of projections: an SQLite file beside the log, which may be deleted at any time, or memory."""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

from passline.errors import CrapsError

VIEWS_FILE = "views.sqlite"
"""The file of projections in a data folder. It is a cache: delete it, and it is made again from the log."""
SEAL_BYTES = 16
"""How long the seal is that stands before the body of a row."""
_BUSY_SECONDS = 5.0
_PRAGMAS = ("synchronous = NORMAL", "cache_size = -8000", "journal_size_limit = 16777216", "trusted_schema = OFF")


class ViewsNotReady(CrapsError):
    """The views of the log cannot be read now. They are made again from the log, which has everything."""


class ViewReader(Protocol):
    """Reads rows, and opens what was sealed."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run a query and return its rows."""

    def unseal(self, kind: str, sealed: bytes, place: str = "") -> bytes:
        """Return what was sealed as this kind for this place.

        If something else wrote it, raise ViewsNotReady and discard all.
        """


class ViewWriter:
    """A transaction of the store; its queries see what it has written."""

    def __init__(self, store: ViewStore, connection: sqlite3.Connection, generation: int) -> None:
        self.generation = generation  # of the store
        self._store = store
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run a statement and return its rows."""
        return self._connection.execute(sql, parameters).fetchall()

    def write(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        self._connection.executemany(sql, rows)

    def seal(self, kind: str, body: bytes, place: str = "") -> bytes:
        """Return a body with the store's seal for this kind of row, and for the key of the row it stands in."""
        return self._store.seal(kind, body, place)

    def unseal(self, kind: str, sealed: bytes, place: str = "") -> bytes:
        """Return what was sealed as this kind for this place."""
        return self._store.unseal(kind, sealed, place)


class ViewStore:
    """Rows that pages read. Without a path they are in memory.

    `key` is not in the file, so whoever edits a row by hand cannot seal it: the row is found out when it is read, and
    everything is made again from the log. A row that was deleted is not missed until then.

    >>> store = ViewStore(None, b"a key")
    >>> with store.transaction() as writer:
    ...     _ = writer.query("CREATE TABLE rolls (number INTEGER PRIMARY KEY, body BLOB)")
    ...     writer.write("INSERT INTO rolls VALUES (?, ?)", [(1, writer.seal("roll", b"6-1"))])
    >>> [store.unseal("roll", body) for [body] in store.query("SELECT body FROM rolls")]
    [b'6-1']
    """

    def __init__(self, path: Path | None, key: bytes) -> None:
        self._path, self._key = path, key
        self._lock = RLock()  # of the one connection that writes; in memory also of readers
        self._idle: deque[tuple[int, sqlite3.Connection]] = deque()
        self._writer: sqlite3.Connection | None = None
        self._inode = 0
        self._generation = 0

    @property
    def lock_path(self) -> Path | None:
        """The file that the process which writes locks, and that the others touch when somebody waits for news."""
        return self._path and self._path.with_suffix(".lock")

    @property
    def generation(self) -> int:
        """A number that grows whenever the file was replaced by another one."""
        with self._faults():
            self._open()
        return self._generation

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Run a query on a connection of its own, not blocked by the writer, and return its rows."""
        with self._faults():
            if self._path is None:
                with self._lock:
                    return self._open().execute(sql, parameters).fetchall()
            self._open()
            generation = self._generation
            try:
                made, connection = self._idle.pop()
            except IndexError:
                made, connection = generation, self._connect(self._path)
                connection.execute("PRAGMA query_only = ON")
            if made != generation:
                connection.close()
                return self.query(sql, parameters)
            try:
                return connection.execute(sql, parameters).fetchall()
            finally:
                self._idle.append((made, connection))

    @contextmanager
    def transaction(self) -> Iterator[ViewWriter]:
        """Begin a transaction that is committed on leaving, or rolled back on an error."""
        with self._lock, self._faults():
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield ViewWriter(self, connection, self._generation)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def seal(self, kind: str, body: bytes, place: str = "") -> bytes:
        """Return a body with the seal of this store; `kind` has at most 16 characters.

        A body that does not say itself where it stands is sealed for its `place`, and opens nowhere else.
        """
        seal = blake2b(body, key=self._key, digest_size=SEAL_BYTES, person=kind.encode())
        if place:
            known = place.encode()
            seal.update(known + len(known).to_bytes(4))
        return seal.digest() + body

    def unseal(self, kind: str, sealed: bytes, place: str = "") -> bytes:
        """Return a body whose seal is right; otherwise discard the file, since something else wrote into it."""
        body = sealed[SEAL_BYTES:] if isinstance(sealed, bytes) else b""
        if not isinstance(sealed, bytes) or not compare_digest(self.seal(kind, body, place), sealed):
            self.discard()
            raise ViewsNotReady("something else wrote into the views of the log; they are made again from the log")
        return body

    def discard(self) -> None:
        """Delete everything: the next reader or writer begins anew."""
        with self._lock:
            self.close()
            if self._path is not None:
                delete_views(self._path)

    def close(self) -> None:
        """Close the connections; one in use is closed after its use."""
        with self._lock:
            while self._idle:
                self._idle.pop()[1].close()
            if self._writer is not None:
                self._writer.close()
            self._writer, self._inode = None, 0

    def _open(self) -> sqlite3.Connection:
        """Return the connection that writes, after opening the file if it is another one than before."""
        if (writer := self._writer) is not None and self._inode_now() == self._inode:
            return writer  # nearly always, and without waiting for a transaction
        with self._lock:
            if self._writer is None or self._inode_now() != self._inode:
                self.close()
                self._writer = self._connect(self._path)
                self._inode = self._inode_now()
                self._generation += 1
            return self._writer

    def _inode_now(self) -> int:
        if self._path is None:
            return 0
        try:
            return self._path.stat().st_ino
        except FileNotFoundError:
            return 0

    def _connect(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it says what players did: for this user only
        connection = sqlite3.connect(
            path or ":memory:", timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            if path is not None and connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
            for pragma in _PRAGMAS:
                connection.execute(f"PRAGMA {pragma}").fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn faults of the file into ViewsNotReady; a file that is damaged or was changed by hand is deleted."""
        try:
            yield
        except sqlite3.Error as error:
            if _is_passing(error) or self._is_unmade(error):
                raise ViewsNotReady(f"the views of the log cannot be read now ({error}); try again") from error
            self.discard()
            raise ViewsNotReady("the views of the log were damaged; they are made again from the log") from error
        except OSError as error:
            raise ViewsNotReady(f"the views of the log cannot be written: {error.strerror}") from error

    def _is_unmade(self, error: sqlite3.Error) -> bool:
        """Return whether tables are missing since nothing was made yet; all are made in one transaction."""
        if "no such table" not in str(error) or str(error).endswith(": positions"):
            return "no such table" in str(error)
        with self._lock, suppress(sqlite3.Error, OSError):
            found = self._open().execute("SELECT 1 FROM sqlite_master WHERE name = 'positions'")
            return found.fetchone() is None
        return False


_PASSING = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_NOMEM),
}


def _is_passing(error: sqlite3.Error) -> bool:
    """Return whether it is the machine's fault, such as a full disk, and not the file's."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF in _PASSING


def delete_views(path: Path) -> None:
    """Delete a file of views, so that it is made again from the log."""
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
