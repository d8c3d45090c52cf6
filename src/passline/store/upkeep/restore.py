"""Restores a house from a backup: verified first, then put in place as a whole, and recorded in its log."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import DecodeError, Struct, ValidationError, json

from passline.store.anchors.anchors import Anchors
from passline.store.anchors.restorations import MissingFromLog
from passline.store.data_folder import DATABASE_FILE, DOCUMENTS_FOLDER, KEY_FILE
from passline.store.entry import Head, LogRow, columns_of
from passline.store.export import row_from_json
from passline.store.genesis import HOUSE, LogRestored, restoring_draft
from passline.store.keys import SigningKey, write_secret
from passline.store.log import Appended, Log, LogError
from passline.store.sealed import stored_of
from passline.store.sqlite import SqliteLog
from passline.store.upkeep.backup import Backup, DocumentLine, SecretRow
from passline.store.upkeep.documents import (
    DamagedDocument,
    DocumentCheck,
    NamedDocuments,
    check_damaged,
    no_documents,
)
from passline.store.upkeep.encrypted_file import FileKey, decrypted
from passline.store.upkeep.placing import check_empty, put_in_place, take_back, workplace
from passline.store.verify import verify_log

__all__ = ["LeaveOut", "Restoration", "check_backup", "restore_backup"]

_NOT_RESTORED = (
    "so it stands in {}; nothing was restored: use another backup, or restore everything else with --leave-out-damaged"
)
_PAGE = 500
_COLUMNS = ("sequence", "stream", "version", "actor", "id", "hand", "body", "hash", "seal")


class Restoration(Struct, frozen=True, kw_only=True):
    """What was restored."""

    backup: Backup
    head: Head  # of the restored log
    recorded: Head  # of the entry that records the restoration
    lost: Head | None = None  # the longest head that an anchor held and the log no longer has
    replaced: int = 0  # restorations that an anchor was told of before, and that this one replaces


LeaveOut = Callable[[DamagedDocument], None]
"""Is told of a document that is left out since it is missing or was changed."""


def check_backup(
    path: Path, file_key: FileKey, *, named: NamedDocuments = no_documents, leave_out: LeaveOut | None = None
) -> Backup:
    """Verify a backup as a restoration would, and put nothing in place."""
    with tempfile.TemporaryDirectory(prefix="passline-check-") as folder:
        return _unpacked(path, file_key, Path(folder), named, leave_out)


def restore_backup(
    path: Path,
    file_key: FileKey,
    data: Path,
    database: str = "",
    *,
    by: str,
    reason: str,
    anchors: Sequence[str] = (),
    after: Callable[[Log, Path], None] = lambda _log, _folder: None,
    named: NamedDocuments = no_documents,
    leave_out: LeaveOut | None = None,
) -> Restoration:
    """Restore a backup into an empty data folder, and an empty database if one is given; all of it or nothing.

    The restored log records it in an entry. The newest head in an anchor, which the log usually no longer reaches, is
    named there, and the anchor is told that this head was given up. So are earlier restorations that an anchor was told
    of and that this log does not have: any of them may have died at any step.

    `after` gets the log and the folder before they are put in place: whatever must not survive a restoration ends
    there, as entries of the log or files in the folder. Nothing is restored if a document is not what the log names,
    unless `leave_out` is there to be told of each; `named` finds those in the log.
    """
    check_empty(data, database)
    with workplace(data) as folder:
        backup = _unpacked(path, file_key, folder, named, leave_out)
        key = SigningKey(bytes.fromhex(backup.key))
        log = SqliteLog(folder / DATABASE_FILE, key)
        told = Anchors.at(log, anchors)
        try:
            given_up = told.given_up()
            record = _record(log, backup, given_up, by=by, reason=reason)
            recorded = _head_of(log)
            after(log, folder)
            lost = given_up.heads[0] if given_up.heads else None
            restored = Restoration(
                backup=backup, head=_head_of(log), recorded=recorded, lost=lost, replaced=len(given_up.restorations)
            )
            with ExitStack() as placing:
                placing.push(lambda _kind, error, _trace: take_back(error, folder, data, database))
                if database:
                    placing.enter_context(_copied(log, key, database))  # committed at the end of the block
                # If this process dies from here on, the restoration can be done again: it replaces this one.
                told.tell_restoration(record, recorded, restored.head)
                log.close()
                put_in_place(folder, data, database)
        finally:
            told.close()
            log.close()
    return restored


def _unpacked(path: Path, file_key: FileKey, folder: Path, named: NamedDocuments, leave_out: LeaveOut | None) -> Backup:
    """Decrypt a backup into a new log and key in a folder, and verify the log and the documents."""
    lines, check = _lines(decrypted(path, file_key)), DocumentCheck()
    try:
        backup = json.decode(next(lines, b""), type=Backup)
        key = SigningKey(bytes.fromhex(backup.key))
        secrets = [json.decode(line, type=SecretRow) for line in islice(lines, backup.secrets)]
        documents = islice(lines, backup.documents)
        for one in (json.decode(line, type=DocumentLine) for line in documents):
            if check.take(one.name, one.data):
                _put_document(folder, one)
    except (DecodeError, ValidationError, ValueError) as error:
        raise LogError(f"{path}: is not a backup that this passline reads: {error}") from error
    write_secret(folder / KEY_FILE, backup.key)
    (folder / DATABASE_FILE).touch(mode=0o600)
    log = _EmptySqlite(folder / DATABASE_FILE, key)
    try:
        with log.transaction() as connection:
            for columns, values in _secret_values(secrets):
                connection.execute(_insert("secrets", columns, "?"), values)
            sql = _insert("entries", _COLUMNS, "?")
            for line in lines:
                connection.execute(sql, _entry_values(row_from_json(line)))
        report = verify_log(log.rows(), key.public, backup.head)
        found = [] if report.faults else [one for row in log.rows() for one in named(row)]
    finally:
        log.close()
    if report.faults:
        fault = report.faults[0]
        raise LogError(f"{path}: entry {fault.sequence} {fault.what}: nothing was restored; use another backup")
    if (report.log_id, report.head) != (backup.log_id, backup.head):
        raise LogError(f"{path}: does not hold the log that it names: nothing was restored; use another backup")
    check_damaged(check.damaged(found), leave_out, _NOT_RESTORED.format(path))
    return backup


def _put_document(folder: Path, document: DocumentLine) -> None:
    path = folder / DOCUMENTS_FOLDER / document.name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(document.data)


def _lines(parts: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


class _EmptySqlite(SqliteLog):
    """A database with the tables of a log and nothing in them."""

    def begin(self, **_options: Any) -> None:  # noqa: ANN401 - of any kind
        """Do not begin a log: the backup has one."""


def _insert(table: str, columns: Sequence[str], mark: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608


def _entry_values(row: LogRow) -> tuple[Any, ...]:
    if row.fault:
        raise LogError(f"the backup has a line that {row.fault}: nothing was restored; use another backup")
    entry = stored_of(row).entry
    sequence, _, version, _, _, hand = columns_of(entry)
    return (sequence, entry.stream, version, entry.actor, entry.id, hand, row.body, row.hash, row.seal)


def _secret_values(secrets: Sequence[SecretRow]) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    for secret in secrets:
        if not all(name.isidentifier() for name in secret):
            raise LogError(f"the backup has a vault with the columns {', '.join(secret)}: nothing was restored")
        values = (bytes.fromhex(one["hex"]) if isinstance(one, dict) else one for one in secret.values())
        yield tuple(secret), tuple(values)


def _record(log: Log, backup: Backup, given_up: MissingFromLog, *, by: str, reason: str) -> LogRestored:
    longest = given_up.heads[0] if given_up.heads else None
    event = LogRestored(
        sequence=backup.head.sequence,
        hash=backup.head.hash,
        seal=backup.head.seal,
        backed_up=backup.at,
        lost_sequence=longest.sequence if longest else 0,
        lost_hash=longest.hash if longest else "",
        lost_seal=longest.seal if longest else "",
        by=by,
        reason=reason,
        also_lost=tuple(f"{head.sequence}:{head.hash}" for head in given_up.heads[1:]),
        replaced=given_up.replacements(),
    )
    (result,) = log.append([restoring_draft(event, expected=log.streams()[HOUSE])])
    assert isinstance(result, Appended), "nobody else writes to it"
    return event


def _head_of(log: Log) -> Head:
    head = log.head()
    assert head is not None
    return head


@contextmanager
def _copied(log: SqliteLog, key: SigningKey, url: str) -> Iterator[None]:
    """Copy a log and its vault into an empty PostgreSQL database; they are there once the block has ended."""
    from passline.store.postgres import PostgresLog  # noqa: PLC0415 - needs the driver

    class _EmptyPostgres(PostgresLog):
        def begin(self, **_options: Any) -> None:  # noqa: ANN401 - of any kind
            """Do not begin a log: the backup has one."""

    target = _EmptyPostgres(url, key)
    try:
        with target.transaction() as connection:
            connection.execute("SELECT is_only FROM passline.writer FOR UPDATE")
            used = "SELECT EXISTS (SELECT FROM passline.entries) OR EXISTS (SELECT FROM passline.secrets)"
            if connection.execute(used).fetchone() != (False,):
                raise LogError("--database: has a log or a vault already; give an empty database")
            sql = _insert("passline.entries", _COLUMNS, "%s").encode()
            rows = log.rows()
            with connection.cursor() as cursor:
                while page := [*map(_entry_values, islice(rows, _PAGE))]:
                    cursor.executemany(sql, page)
            names = [row[1] for row in log.query("SELECT * FROM pragma_table_info('secrets')")]
            for values in log.query(f"SELECT {', '.join(names)} FROM secrets"):  # noqa: S608 - the schema's own names
                connection.execute(_insert("passline.secrets", names, "%s").encode(), values)
            yield
    finally:
        target.close()
