"""Restores a house from a backup: verified first, then put in place as a whole, and recorded in its log.

Everything is made in a folder inside the data folder, and moved from there at the end, the log last. A plan beside it
says what is moved: from it the next restoration knows that these files are no house's, and clears away what a
restoration left there that died meanwhile.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import DecodeError, MsgspecError, Struct, ValidationError, json

from passline.store.address import server_name
from passline.store.anchors.anchors import Anchors
from passline.store.anchors.marks import MissingFromLog
from passline.store.data_folder import (
    DATABASE_FILE,
    DOCUMENTS_FOLDER,
    KEY_FILE,
    MARK_FILE,
    database_has_log,
    must_be_database,
)
from passline.store.database import columns_to_write
from passline.store.entry import Head, LogRow
from passline.store.export import row_from_json
from passline.store.genesis import HOUSE, LogRestored, restoring_draft
from passline.store.keys import SigningKey, sync_folder, write_durably
from passline.store.log import Appended, CommitInDoubt, LogError
from passline.store.sealed import Log, stored_of
from passline.store.sqlite import SqliteLog
from passline.store.upkeep.backup import Backup, DocumentLine, SecretRow
from passline.store.upkeep.documents import DamagedDocument, DocumentCheck, NamedDocuments, check_damaged, no_documents
from passline.store.upkeep.encrypted_file import FileKey, read_encrypted
from passline.store.verify import verify_log

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
        return _unpack(path, file_key, Path(folder), named, leave_out)


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
    _check_empty(data, database)
    with _workplace(data) as folder:
        backup = _unpack(path, file_key, folder, named, leave_out)
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
                placing.push(lambda _kind, error, _trace: _take_back(error, folder, data, database))
                if database:
                    placing.enter_context(_copy_into_postgres(log, key, database))  # committed at the end of the block
                # If this process dies from here on, the restoration can be done again: it replaces this one.
                told.tell_restoration(record, recorded, restored.head)
                log.close()
                put_in_place(folder, data, database)
        finally:
            told.close()
            log.close()
    return restored


def _unpack(path: Path, file_key: FileKey, folder: Path, named: NamedDocuments, leave_out: LeaveOut | None) -> Backup:
    """Decrypt a backup into a new log and key in a folder, and verify the log and the documents."""
    lines, check = _lines(read_encrypted(path, file_key)), DocumentCheck()
    try:
        backup = json.decode(next(lines, b""), type=Backup)
        key = SigningKey(bytes.fromhex(backup.key))
        secrets = [json.decode(line, type=SecretRow) for line in islice(lines, backup.secrets)]
        documents = islice(lines, backup.documents)
        for document in (json.decode(line, type=DocumentLine) for line in documents):
            if check.take(document.name, document.data):
                place = folder / DOCUMENTS_FOLDER / document.name
                place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                place.write_bytes(document.data)
    except (DecodeError, ValidationError, ValueError) as error:
        raise LogError(f"{path}: is not a backup that this passline reads: {error}") from error
    write_durably(folder / KEY_FILE, backup.key.encode() + b"\n", replaces=False)
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
        found = [] if report.faults else [document for row in log.rows() for document in named(row)]
    finally:
        log.close()
    if report.faults:
        fault = report.faults[0]
        raise LogError(f"{path}: entry {fault.sequence} {fault.what}: nothing was restored; use another backup")
    if (report.log_id, report.head) != (backup.log_id, backup.head):
        raise LogError(f"{path}: does not hold the log that it names: nothing was restored; use another backup")
    check_damaged(check.find_damaged(found), leave_out, _NOT_RESTORED.format(path))
    return backup


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
    return columns_to_write(stored_of(row))


def _secret_values(secrets: Sequence[SecretRow]) -> Iterator[tuple[tuple[str, ...], tuple[Any, ...]]]:
    for secret in secrets:
        if not all(name.isidentifier() for name in secret):
            raise LogError(f"the backup has a vault with the columns {', '.join(secret)}: nothing was restored")
        values = (bytes.fromhex(value["hex"]) if isinstance(value, dict) else value for value in secret.values())
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
def _copy_into_postgres(log: SqliteLog, key: SigningKey, url: str) -> Iterator[None]:
    """Copy a log and its vault into an empty PostgreSQL database; they are there once the block has ended."""
    from passline.store.postgres import PostgresLog  # noqa: PLC0415 - needs the driver

    class _EmptyPostgres(PostgresLog):
        def begin(self, **_options: Any) -> None:  # noqa: ANN401 - of any kind
            """Do not begin a log: the backup has one."""

    target = _EmptyPostgres(url, key)
    try:
        with target.transaction() as connection:
            connection.execute("SELECT is_only FROM passline.writer FOR UPDATE")
            tables = ("entries", "secrets", "archives", "archived_ids")
            used = " OR ".join(f"EXISTS (SELECT FROM passline.{table})" for table in tables)
            if connection.execute(f"SELECT {used}".encode()).fetchone() != (False,):
                raise LogError("--database: has a log, a vault or an archive already; give an empty database")
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


_PARTS = ".restoring-"
_PLAN = "placing.json"


class _Plan(Struct, frozen=True, omit_defaults=True):
    """What a restoration moves into a data folder."""

    names: tuple[str, ...]
    database: str = ""  # where the log goes, if not into the folder


def _check_empty(data: Path, database: str) -> None:
    """Raise LogError unless a folder and a database have no house. What a dead restoration left is cleared away."""
    if database:
        must_be_database(database)
    if database and database_has_log(database):
        raise LogError("--database: has a log already: a backup is never restored over a house; give an empty one")
    if not data.exists():
        return
    left = sorted(data.glob(f"{_PARTS}*"))
    found = sorted(path.name for path in data.iterdir() if path not in left)
    if found and not _is_half_placed(left, set(found), database):
        raise LogError(
            f"{data}: is not empty ({', '.join(found[:5])}): a backup is never restored over a house; choose a new "
            "folder with --data, or move this one away first; if a restoration into it was cut short, passline verify "
            "says whether it is whole"
        )
    for name in found:
        _remove(data / name)
    sync_folder(data)
    for path in left:  # last, since the plans are here
        shutil.rmtree(path)


def _is_half_placed(left: list[Path], found: set[str], database: str) -> bool:
    """Return whether a folder holds only what a restoration was moving there when it died, so no house was there yet.

    With a database the log may have gone there, so that it must be the same one, which is known to have none.
    """
    plans = [plan for path in left if (plan := _plan_in(path)) is not None]
    planned = {name for plan in plans for name in plan.names}
    is_here = all(plan.database in ("", server_name(database)) for plan in plans)
    return is_here and found <= planned and not found & {DATABASE_FILE, MARK_FILE}


def _plan_in(path: Path) -> _Plan | None:
    try:
        return json.decode((path / _PLAN).read_bytes(), type=_Plan)
    except (OSError, MsgspecError):
        return None


@contextmanager
def _workplace(data: Path) -> Iterator[Path]:
    """Make a folder on the same volume as the data folder, and inside it, so that files move from there at once.

    It is removed at the end, unless it is in doubt whether the log was written: then the plan of what was moved stays
    for the next restoration, as if this process had died.
    """
    is_in_doubt = False
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Path(tempfile.mkdtemp(prefix=_PARTS, dir=data))
    except OSError as error:
        raise LogError(f"{data}: {error.strerror}: choose a folder that this user can write to") from error
    try:
        yield folder
    except CommitInDoubt:
        is_in_doubt = True
        raise
    finally:
        if not is_in_doubt:
            shutil.rmtree(folder, ignore_errors=True)


def put_in_place(folder: Path, data: Path, database: str) -> None:
    """Move everything into the data folder, the log last: without it a server does not start."""
    path_of_log = folder / DATABASE_FILE
    if database:
        path_of_log.unlink()
    paths = sorted(folder.iterdir(), key=lambda path: (path == path_of_log, path.name))
    try:
        for path in paths:
            for file in filter(Path.is_file, [path, *path.glob("*/*")]):
                with file.open("rb+") as opened:
                    os.fsync(opened.fileno())
            for inner in path.glob("*/") if path.is_dir() else ():
                sync_folder(inner)
        plan = _Plan(tuple(path.name for path in paths), server_name(database))
        write_durably(folder / _PLAN, json.encode(plan), replaces=True)
        for path in paths:
            path.rename(data / path.name)
        sync_folder(data)
    except OSError as error:
        raise LogError(f"{data}: {error.strerror or error}: see to the folder, then restore again") from error


def _take_back(error: BaseException | None, folder: Path, data: Path, database: str) -> None:
    """Remove what was moved into a data folder after an error, unless the log is in place or may be.

    A commit in doubt may still be done when the database has answered that there is no log: the key had better stay.
    """
    plan = _plan_in(folder)
    if error is None or isinstance(error, CommitInDoubt) or plan is None or (data / DATABASE_FILE).exists():
        return
    try:
        is_there = bool(database) and database_has_log(database)
    except LogError:
        return  # nobody can tell: then the key had better stay
    if not is_there:
        for name in plan.names:
            _remove(data / name)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
