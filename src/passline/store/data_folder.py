"""Opens the log of a house: its folder, its key, and its database."""

from __future__ import annotations

from pathlib import Path

from passline.store.keys import key_file
from passline.store.log import Log, LogError

__all__ = ["DATABASE_FILE", "KEY_FILE", "open_log"]

DATABASE_FILE = "log.sqlite"
"""The log in a data directory, unless a database is named."""
KEY_FILE = "log.key"
"""The key that seals it; keep a copy elsewhere, and of the two never both in one place."""


def open_log(data: Path, database: str = "", *, is_demo: bool | None = None) -> Log:
    """Open the log of a data directory, or of a PostgreSQL database (postgresql://...); begin it if it is new.

    With `is_demo`, only one of that kind is opened: guests and play money never get into the log of a house.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = open_log(Path(folder) / "house")
    ...     sorted(log.streams().items()), log.head().sequence
    ...     log.close()
    ([('house', 1)], 1)
    """
    if database and not database.startswith(("postgresql://", "postgres://")):
        raise LogError(f"--database {database}: is postgresql://USER@HOST/NAME; without it the log is in --data")
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LogError(f"{data}: {error.strerror}: name a folder that this user may write into") from error
    key_path = data / KEY_FILE
    if database:
        try:
            from passline.store.postgres import PostgresLog, is_begun  # noqa: PLC0415 - SQLite needs no driver
        except ImportError as error:
            raise LogError(f"--database: needs PostgreSQL's driver, psycopg, of passline[serve]: {error}") from error
        return PostgresLog(database, key_file(key_path, make=not is_begun(database)), is_demo=is_demo)
    from passline.store.sqlite import SqliteLog  # noqa: PLC0415

    path = data / DATABASE_FILE
    key = key_file(key_path, make=not path.exists())
    try:
        path.touch(mode=0o600)  # it has the vault in it: for this user alone, whoever made the folder
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}: let this user write into the folder") from error
    return SqliteLog(path, key, is_demo=is_demo)
