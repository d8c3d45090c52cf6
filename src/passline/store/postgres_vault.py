"""Secrets beside a log in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, LiteralString, Protocol

from msgspec.structs import astuple

from passline.store.log import Secret, Vault
from passline.store.postgres_statements import Connection

SELECT_SECRETS: LiteralString = "SELECT kind, key, value, expires FROM passline.secrets ORDER BY kind, key"
"""Selects the rows of the vault."""


class _Database(Protocol):
    """The part of a log in PostgreSQL that its vault uses."""

    def query(self, sql: LiteralString, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""

    def transaction(self) -> AbstractContextManager[Connection]:
        """Commit durably on leaving the block, or roll back on an error."""


class PostgresVault(Vault):
    """Secrets in the log's database."""

    def __init__(self, log: _Database) -> None:
        self._log = log

    def put(self, secret: Secret) -> None:
        """Store a secret."""
        with self._log.transaction() as connection:
            connection.execute(
                """INSERT INTO passline.secrets VALUES (%s, %s, %s, %s)
                    ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, expires = excluded.expires""",
                astuple(secret),
            )

    def get_all(self, kind: str, keys: Iterable[str], *, now: str) -> dict[str, Secret]:
        """Return the secrets of these keys that have not expired."""
        sql: LiteralString = (
            "SELECT kind, key, value, expires FROM passline.secrets WHERE kind = %s AND key = ANY(%s) "
            "AND (expires = '' OR expires COLLATE \"C\" > %s)"
        )
        return {row[1]: Secret(*row) for row in self._log.query(sql, (kind, list(keys), now))}

    def take(self, kind: str, key: str, *, now: str) -> Secret | None:
        """Return a secret, unless it has expired, and delete it."""
        with self._log.transaction() as connection:
            row = connection.execute(
                "DELETE FROM passline.secrets WHERE kind = %s AND key = %s RETURNING kind, key, value, expires",
                (kind, key),
            ).fetchone()
        secret = Secret(*row) if row else None
        return secret if secret and (not secret.expires or secret.expires > now) else None

    def forget(self, kind: str, key: str) -> None:
        """Delete a secret."""
        with self._log.transaction() as connection:
            connection.execute("DELETE FROM passline.secrets WHERE kind = %s AND key = %s", (kind, key))

    def count(self, kind: str, key: str, *, now: str, expires: str) -> int:
        """Add one to a counter and return it; also delete all expired secrets."""
        with self._log.transaction() as connection:
            sweep: LiteralString = "DELETE FROM passline.secrets WHERE expires <> '' AND expires COLLATE \"C\" <= %s"
            connection.execute(sweep, (now,))
            row = connection.execute(
                """INSERT INTO passline.counters AS c VALUES (%s, %s, 1, %s) ON CONFLICT (kind, key) DO UPDATE SET
                    number = CASE WHEN c.expires COLLATE "C" > %s THEN c.number + 1 ELSE 1 END,
                    expires = CASE WHEN c.expires COLLATE "C" > %s THEN c.expires ELSE excluded.expires END
                    RETURNING number""",
                (kind, key, expires, now, now),
            ).fetchone()
        number: int = row[0] if row else 0
        return number

    def all(self) -> Iterator[Secret]:
        """Yield every secret."""
        return (Secret(*row) for row in self._log.query(SELECT_SECRETS))
