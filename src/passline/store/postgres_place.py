"""Where a log in PostgreSQL is, for those who verify it. Creates nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import LiteralString

import psycopg

from passline.store.archived.index import Archive
from passline.store.archived.postgres_files import POSTGRES, PostgresFiles, query_of
from passline.store.database import PAGE, STREAM_VERSIONS, log_row
from passline.store.entry import LogRow
from passline.store.log import Secret
from passline.store.log_place import LogPlace, OpenPlace
from passline.store.postgres_connection import connect, database_errors, printable_url
from passline.store.postgres_statements import SELECT_ROWS, Connection
from passline.store.postgres_vault import SELECT_SECRETS


class PostgresPlace(LogPlace):
    """A log in a PostgreSQL database, which is read as it is at one moment."""

    def __init__(self, url: str) -> None:
        self._url = url

    @contextmanager
    def open(self) -> Iterator[OpenPlace]:
        """Begin to read the log."""
        with self._connection() as connection:
            yield OpenPlace(PostgresRows(connection), postgres_archive(connection, self._url))

    @contextmanager
    def open_files(self) -> Iterator[PostgresFiles]:
        """Begin to read the files of its archive."""
        with self._connection() as connection:
            yield PostgresFiles(query_of(connection), printable_url(self._url))

    def damages(self, after: int = 0) -> list[str]:
        """Return what is wrong with archived segments, of those only after a number."""
        with self.open() as opened:
            return list(opened.archive.faults(after)) if opened.archive else []

    def secrets(self) -> Iterator[Secret]:
        """Yield the rows of the vault."""
        with self._connection() as connection:
            yield from (Secret(*row) for row in connection.execute(SELECT_SECRETS).fetchall())

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        with database_errors(self._url), closing(connect(self._url)) as connection:
            connection.read_only, connection.isolation_level = True, psycopg.IsolationLevel.REPEATABLE_READ
            with connection.transaction():
                yield connection


class PostgresRows:
    """Reads rows of a database."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def after(self, sequence: int) -> Iterator[LogRow]:
        """Yield the rows after an entry."""
        return self._select("WHERE sequence > %s ORDER BY sequence", (sequence,))

    def at(self, sequence: int) -> LogRow | None:
        """Return the row of an entry."""
        row = self._connection.execute(SELECT_ROWS + "WHERE sequence = %s", (sequence,), binary=True).fetchone()
        return log_row(row) if row else None

    def streams(self) -> list[str]:
        """Return the names of streams."""
        return [name for name, _ in self._connection.execute(STREAM_VERSIONS.format("passline.").encode())]

    def of_stream(self, stream: str, after: int) -> Iterator[LogRow]:
        """Yield the rows of a stream after a version."""
        return self._select("WHERE stream = %s AND version > %s ORDER BY version", (stream, after))

    def _select(self, where: LiteralString, values: Sequence[str | int]) -> Iterator[LogRow]:
        with self._connection.cursor("rows", binary=True) as cursor:
            cursor.itersize = PAGE
            yield from map(log_row, cursor.execute(SELECT_ROWS + where, values))


def postgres_archive(connection: Connection, url: str) -> Archive | None:
    """Return the archived part of a log whose database is open to be read; None where a log has no such tables."""
    if connection.execute("SELECT to_regclass('passline.archive_parts') IS NULL").fetchone() == (True,):
        return None
    query = query_of(connection)
    return Archive(query, PostgresFiles(query, printable_url(url)), POSTGRES)
