"""The vault in the log's own SQLite file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from msgspec import json

from passline.store.log import Secret, Vault

__all__ = ["SELECT_SECRETS", "SqliteVault"]

SELECT_SECRETS = """SELECT CAST(kind AS TEXT), CAST(key AS TEXT), IFNULL(CAST(value AS BLOB), x''),
    CAST(expires AS TEXT) FROM secrets ORDER BY kind, key"""
"""Selects the rows of the vault."""


class SqliteFile(Protocol):
    """The file that holds the vault."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query."""

    def transaction(self) -> AbstractContextManager[Any]:
        """Begin a transaction that is committed durably on leaving."""


class SqliteVault(Vault):
    """Secrets in the log's file."""

    def __init__(self, log: SqliteFile) -> None:
        self._log = log

    def put(self, secret: Secret) -> None:
        """Store a secret."""
        with self._log.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO secrets (kind, key, value, expires) VALUES (?, ?, ?, ?)",
                (secret.kind, secret.key, secret.value, secret.expires),
            )

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that have not expired, from one row: see `_SECRETS`."""
        [[found]] = self._log.query(_SECRETS, (kind, json.encode(list(keys)).decode(), now))
        return {key: Secret(kind, key, bytes.fromhex(value), expires) for key, value, expires in json.decode(found)}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired, and delete it."""
        with self._log.transaction() as connection:
            sql = f"SELECT kind, key, value, expires FROM secrets WHERE kind = ? AND key = ? AND {_IS_FRESH}"  # noqa: S608 - constants only
            row = connection.execute(sql, (kind, key, now)).fetchone()
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))
        return Secret(*row) if row else None

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM secrets WHERE kind = ? AND key = ?", (kind, key))

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it; also delete all expired counters and secrets."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM counters WHERE expires <= ?", (now,))
            connection.execute("DELETE FROM secrets WHERE expires <> '' AND expires <= ?", (now,))
            connection.execute(
                "INSERT INTO counters VALUES (?, ?, 1, ?) ON CONFLICT (kind, key) DO UPDATE SET number = number + 1",
                (kind, key, expires),
            )
            sql = "SELECT number FROM counters WHERE kind = ? AND key = ?"
            number: int = connection.execute(sql, (kind, key)).fetchone()[0]
        return number

    def all(self) -> Iterator[Secret]:
        """Yield every secret."""
        return (Secret(*row) for row in self._log.query(SELECT_SECRETS))


_IS_FRESH = "(expires = '' OR expires > ?)"
_SECRETS = f"""SELECT json_group_array(json_array(key, hex(value), expires)) FROM secrets
    WHERE kind = ? AND key IN (SELECT value FROM json_each(?)) AND {_IS_FRESH}"""  # noqa: S608
