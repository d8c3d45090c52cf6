"""The archive of a log in PostgreSQL: all of it is in the database, so that every server that shares it reads it.

A segment, or a sealed state, is a file in the table `archive_parts`: its bytes in parts of one length, so that a block
is read without the others. It appears with one commit, as does what takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from passline.store.archived.files import ArchiveFiles, NewFile
from passline.store.archived.index import ArchiveSql
from passline.store.database import Query
from passline.store.log import LogError
from passline.store.postgres_statements import Connection

POSTGRES = ArchiveSql(
    schema="passline.",
    numbers="SELECT value::bigint FROM json_array_elements_text(?::json)",
    pairs="SELECT (value->>0)::bigint AS key, (value->>1)::bigint AS sequence FROM json_array_elements(?::json)",
    in_a_row="SELECT value::bigint AS key, ?::bigint + place - 1 AS sequence "
    "FROM json_array_elements_text(?::json) WITH ORDINALITY AS listed(value, place)",
)
"""As PostgreSQL reads it."""
_PART_BYTES = 64 << 10
_PARTS_READ = 16  # at once
_SELECT_PARTS = "SELECT part, data FROM passline.archive_parts WHERE name = ? AND part >= ? AND part < ? ORDER BY part"
_HAS_FILE = "SELECT 1 FROM passline.archive_parts WHERE name = ? LIMIT 1"
_MISSING = "it is missing in the table archive_parts"


def _never(*_given: object) -> AbstractContextManager[Connection]:
    raise LogError("a log that is only read is not archived")


class PostgresFiles(ArchiveFiles):
    """Files in a database; they are written in transactions that `begin` begins."""

    def __init__(
        self, query: Query, database: str, begin: Callable[[], AbstractContextManager[Connection]] = _never
    ) -> None:
        super().__init__(database, "restore the database from a backup")
        self._query, self._begin = query, begin

    def label(self, name: str) -> str:
        """Return the name, and that it is in the database."""
        return f"{name} in the database"

    def has(self, name: str) -> bool:
        """Return whether there is a file."""
        return bool(self._query(_HAS_FILE, (name,)))

    def read(self, name: str, offset: int, size: int) -> bytes:
        """Return bytes of a file, of which only those parts are read that have some of them."""
        first = offset // _PART_BYTES
        data = self._join(name, first, (offset + size - 1) // _PART_BYTES + 1)
        if not data and not self.has(name):
            raise FileNotFoundError(_MISSING)
        begin = offset - first * _PART_BYTES
        return data[begin : begin + size]

    def parts(self, name: str) -> Iterator[bytes]:
        """Yield all bytes of a file."""
        first = 0
        while data := self._join(name, first, first + _PARTS_READ):
            yield data
            first += _PARTS_READ
        if not first:
            raise FileNotFoundError(_MISSING)

    def _join(self, name: str, first: int, end: int) -> bytes:
        """Return the bytes of parts of a file, from the first up to one that is not there."""
        found: Sequence[Any] = self._query(_SELECT_PARTS, (name, first, end))
        together = (data for place, (part, data) in enumerate(found, start=first) if part == place)
        return b"".join(map(bytes, together))

    @contextmanager
    def write(self, name: str) -> Iterator[NewFile]:
        """Write a file in one transaction. Nobody waits for it."""
        with self._begin() as connection:
            connection.execute("DELETE FROM passline.archive_parts WHERE name = %s", (name,))
            file = _NewParts(connection, name)
            yield file
            file.end()


class _NewParts:
    """A file that is being written, a part at a time."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self._name = connection, name
        self._number, self._rest = 0, b""

    def write(self, data: bytes) -> None:
        """Add bytes at its end."""
        data = self._rest + data
        whole = len(data) - len(data) % _PART_BYTES
        for begin in range(0, whole, _PART_BYTES):
            self._insert(data[begin : begin + _PART_BYTES])
        self._rest = data[whole:]

    def end(self) -> None:
        """Write what is left."""
        if self._rest:
            self._insert(self._rest)

    def _insert(self, part: bytes) -> None:
        sql = "INSERT INTO passline.archive_parts (name, part, data) VALUES (%s, %s, %b)"
        self._connection.execute(sql, (self._name, self._number, part))
        self._number += 1


def query_of(connection: Connection) -> Query:
    """Return what runs statements on a connection, whose parameters are written as question marks."""

    def run(sql: str, parameters: Sequence[Any]) -> list[Any]:
        cursor = connection.execute(sql.replace("?", "%s").encode(), parameters, binary=True)
        return cursor.fetchall() if cursor.description else []

    return run
