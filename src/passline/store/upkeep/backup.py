"""Backs up a house while it runs: the log, its key, credentials and documents, encrypted with a key of the owner's.

What expires (sessions, invitations, waits of the log-in) is left out: people log in again after a restoration. So is
the secret of the electronic dice: a restored house gets a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import BufferedIOBase
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import Struct, json

from passline.extras import extra_for
from passline.store.archived.index import filled_rows
from passline.store.data_folder import DATABASE_FILE, DOCUMENTS_FOLDER, KEY_FILE, must_be_database
from passline.store.database import LAST_ENTRY, log_row
from passline.store.entry import Head, LogRow
from passline.store.export import row_to_json
from passline.store.genesis import begun_in
from passline.store.keys import load_key
from passline.store.log import LogError
from passline.store.log_source import sqlite_archive
from passline.store.sealed import stored_of
from passline.store.sqlite import file_errors
from passline.store.sqlite_transaction import SELECT_ROWS
from passline.store.timestamps import utc_now
from passline.store.upkeep.documents import (
    DamagedDocument,
    DocumentCheck,
    NamedDocument,
    NamedDocuments,
    check_damaged,
    document_name,
    no_documents,
    stored_documents,
)
from passline.store.upkeep.encrypted_file import FileKey, write_encrypted
from passline.store.verify import Report, verify_log

_PAGE = 1000
_SECRETS = "SELECT * FROM {}secrets WHERE expires = '' AND kind <> 'probe' ORDER BY kind, key"
_NOT_BACKED_UP = (
    "no backup was written: find out who changed it, and put the right file into {} from an older backup; or back up "
    "everything else with --leave-out-damaged"
)

SecretRow = dict[str, str | int | dict[str, str]]
"""A row of the vault: its columns by name, with bytes as {"hex": ...}."""


class Backup(Struct, frozen=True, kw_only=True):
    """What a backup holds: the first line inside it, with the log's key only there."""

    log_id: str
    head: Head
    at: str
    public_key: str  # hex
    key: str  # hex: the secret
    secrets: int
    documents: int = 0  # of the office; a backup from before it has none


class DocumentLine(Struct, frozen=True):
    """A document as it stands in a backup: its name in the folder of documents, and its bytes."""

    name: str
    data: bytes


class _Contents(Struct, frozen=True):
    """The database at one moment."""

    head: Head
    secrets: list[SecretRow]
    rows: Iterator[LogRow]


def back_up(
    path: Path,
    file_key: FileKey,
    data: Path,
    database: str = "",
    *,
    at: str = "",
    named: NamedDocuments = no_documents,
    leave_out: Callable[[DamagedDocument], None] | None = None,
) -> tuple[Backup, Report]:
    """Write a backup of the log in a data folder or a database; nobody has to stop, and nobody waits.

    The log is verified on the way. If it has faults, no backup is written: it could not be restored. Nor is one if a
    document is missing or was changed, unless `leave_out` is there to be told of each; `named` finds those in the log.
    """
    if not (data / KEY_FILE).exists():
        raise LogError(f"{data}: has no log's key; give the folder that passline serve uses with --data")
    if database:
        must_be_database(database)
    key = load_key(data / KEY_FILE)
    opened = _postgres(database) if database else _sqlite(data / DATABASE_FILE)
    with opened as contents, write_encrypted(path, file_key) as file:
        head, first = contents.head, next(contents.rows, None)
        check = DocumentCheck()
        documents = _sound_documents(data, check)  # after the head: a document is stored before an entry names it
        backup = Backup(
            log_id=_log_id(first),
            head=head,
            at=at or utc_now(),
            public_key=key.public.hex(),
            key=key.hex(),
            secrets=len(contents.secrets),
            documents=len(documents),
        )
        file.writelines(json.encode(line) + b"\n" for line in (backup, *contents.secrets))
        for digest, place in documents.items():
            file.write(json.encode(DocumentLine(document_name(digest), _read_again(place, digest))) + b"\n")
        assert first is not None
        found: list[NamedDocument] = []
        rows = _write_rows(file, first, contents.rows, lambda row: found.extend(named(row)))
        report = verify_log(rows, key.public, head)
        if report.faults:
            fault = report.faults[0]
            raise LogError(
                f"entry {fault.sequence} {fault.what}: run passline verify on this log; no backup was written"
            )
        if report.public_key != backup.public_key:
            raise LogError(f"the log's key is {report.public_key}, not the one in {data}: put it there, then back up")
        check_damaged(check.find_damaged(found), leave_out, _NOT_BACKED_UP.format(data / DOCUMENTS_FOLDER))
    return backup, report


def _sound_documents(data: Path, check: DocumentCheck) -> dict[str, Path]:
    """Return the documents of a data folder that are what was stored, by their digests."""
    paths = {path.parent.name + path.name: path for path in stored_documents(data)}
    return {digest: path for digest, path in paths.items() if check.take(document_name(digest), _bytes_of(path))}


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}: make it readable for this user, then back up") from error


def _read_again(path: Path, digest: str) -> bytes:
    data = _bytes_of(path)
    if not DocumentCheck().take(document_name(digest), data):
        raise LogError(f"{path}: was changed while it was being backed up; find out by whom; no backup was written")
    return data


def _secret_row(columns: list[str], values: Any) -> SecretRow:  # noqa: ANN401 - a database's row
    """Return a row of the vault as it stands in a backup."""
    return {
        name: {"hex": bytes(value).hex()} if isinstance(value, bytes | memoryview) else value
        for name, value in zip(columns, values, strict=True)
    }


def _write_rows(
    file: BufferedIOBase, first: LogRow, rows: Iterator[LogRow], look: Callable[[LogRow], None]
) -> Iterator[LogRow]:
    """Yield rows, each after it was written and looked at."""
    for row in chain((first,), rows):
        file.write(row_to_json(row))
        look(row)
        yield row


def _log_id(first: LogRow | None) -> str:
    begun = begun_in(stored_of(first).entry) if first else None
    if begun is None:
        raise LogError("the log does not begin with its id and key: run passline verify on it; no backup was written")
    return begun.log_id


@contextmanager
def _sqlite(path: Path) -> Iterator[_Contents]:
    """Read head and vault at one moment; the entries up to the head stay as they are, so they are read at leisure."""
    if not path.exists():
        raise LogError(f"{path}: no such file; give the folder that passline serve uses with --data")
    with file_errors(path), closing(sqlite3.connect(path.absolute().as_uri() + "?mode=ro", uri=True)) as file:
        file.isolation_level = None
        file.execute("BEGIN")
        head = _head(file.execute(LAST_ENTRY.format("")).fetchone())
        cursor = file.execute(_SECRETS.format(""))
        columns = [column[0] for column in cursor.description]
        secrets = [_secret_row(columns, row) for row in cursor.fetchall()]
        file.execute("COMMIT")
        yield _Contents(head, secrets, filled_rows(_sqlite_rows(file, head.sequence), sqlite_archive(file, path)))


def _sqlite_rows(file: sqlite3.Connection, until: int) -> Iterator[LogRow]:
    """Yield the rows page by page: a long read would keep the file's write-ahead log from being used again."""
    after = 0
    sql = f"{SELECT_ROWS}WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"
    while page := file.execute(sql, (after, until, _PAGE)).fetchall():
        for row in page:
            yield log_row(row)
        after = page[-1][0]


@contextmanager
def _postgres(url: str) -> Iterator[_Contents]:
    """Read everything from one snapshot of the database."""
    with extra_for("--database: PostgreSQL"):
        import psycopg  # noqa: PLC0415 - an extra

        from passline.store.postgres_connection import database_errors  # noqa: PLC0415
        from passline.store.postgres_place import PostgresRows, postgres_archive  # noqa: PLC0415
    with database_errors(url), psycopg.connect(url, application_name="passline backup") as server:
        server.read_only, server.isolation_level = True, psycopg.IsolationLevel.REPEATABLE_READ
        head = _head(server.execute(LAST_ENTRY.format("passline.").encode()).fetchone())
        cursor = server.execute(_SECRETS.format("passline.").encode())
        columns = [column.name for column in cursor.description or ()]
        secrets = [_secret_row(columns, row) for row in cursor.fetchall()]
        yield _Contents(head, secrets, filled_rows(PostgresRows(server).after(0), postgres_archive(server, url)))


def _head(row: Any) -> Head:  # noqa: ANN401 - a database's row
    if row is None:
        raise LogError("the log is empty: there is nothing to back up")
    return Head(row[0], bytes(row[1]).hex(), bytes(row[2]).hex())
