"""The data folder of a house: its log and the key that seals it."""

from __future__ import annotations

from pathlib import Path

from passline.store.keys import load_key, load_secret
from passline.store.log import Log, LogError

__all__ = ["DATABASE_FILE", "DICE_KEY_FILE", "KEY_FILE", "dice_secret", "open_log"]

DATABASE_FILE = "log.sqlite"
"""The log in a data folder, unless it is in PostgreSQL."""
KEY_FILE = "log.key"
"""The key that seals the log. Back it up, but never in the same place as the log."""

DICE_KEY_FILE = "dice.key"
"""The master secret of electronic dice. Whoever reads it could foresee rolls that have no nonce of the shooter's."""


def dice_secret(data: Path) -> bytes:
    """Return the master secret of a data folder; make one if there is none."""
    return load_secret(
        data / DICE_KEY_FILE, "the secret of the dice", "without it no electronic dice are thrown", make=True
    )


def open_log(data: Path, database: str = "", *, is_demo: bool | None = None) -> Log:
    """Open the log in a data folder or a PostgreSQL database (postgresql://...); create it if it is new.

    With `is_demo`, refuse a log of the other kind: guests and play money never get into a house's log.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = open_log(Path(folder) / "house")
    ...     sorted(log.streams().items()), log.head().sequence
    ...     log.close()
    ([('house', 1)], 1)
    """
    if database and not database.startswith(("postgresql://", "postgres://")):
        raise LogError(f"--database {database}: must be postgresql://USER@HOST/NAME; without it the log is in --data")
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LogError(f"{data}: {error.strerror}: choose a folder that this user can write to") from error
    key_path = data / KEY_FILE
    if database:
        try:
            from passline.store.postgres import PostgresLog, has_log  # noqa: PLC0415 - SQLite needs no driver
        except ImportError as error:
            raise LogError(f"--database: PostgreSQL needs psycopg, from passline[serve]: {error}") from error
        return PostgresLog(database, load_key(key_path, make=not has_log(database)), is_demo=is_demo)
    from passline.store.sqlite import SqliteLog  # noqa: PLC0415

    path = data / DATABASE_FILE
    key = load_key(key_path, make=not path.exists())
    try:
        path.touch(mode=0o600)  # it holds the vault, so only this user may read it
    except OSError as error:
        raise LogError(f"{path}: {error.strerror}: make the folder writable for this user") from error
    return SqliteLog(path, key, is_demo=is_demo)
