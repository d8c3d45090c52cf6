"""Anchors on other machines: a second PostgreSQL, and a webhook."""

from __future__ import annotations

from threading import RLock
from typing import Any

from msgspec import DecodeError, ValidationError, json

from passline.extras import extra_for
from passline.store.anchors.mark import Mark
from passline.store.log import LogError

__all__ = ["PostgresAnchor", "WebhookAnchor"]

_SECONDS = 5  # for each attempt
_MISSING = 404
_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS passline_anchor;
CREATE TABLE IF NOT EXISTS passline_anchor.heads (
    number BIGSERIAL PRIMARY KEY, log_id TEXT NOT NULL, sequence BIGINT NOT NULL, hash TEXT NOT NULL,
    seal TEXT NOT NULL, at TEXT NOT NULL, lost TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS heads_by_log ON passline_anchor.heads (log_id, sequence);
CREATE INDEX IF NOT EXISTS heads_after_restorations ON passline_anchor.heads (log_id, number) WHERE lost <> '';
CREATE OR REPLACE FUNCTION passline_anchor.only_grows() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'an anchor only grows'; END $$;
CREATE OR REPLACE TRIGGER heads_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON passline_anchor.heads
    FOR EACH STATEMENT EXECUTE FUNCTION passline_anchor.only_grows();
"""
_SCHEMA_LOCK = 0x7061_7373_616E_6368  # "passanch": two processes that create the table at once take turns
_NEWEST = """SELECT log_id, sequence, hash, seal, at, lost FROM passline_anchor.heads
    WHERE log_id = %(log)s AND number >= COALESCE(
        (SELECT MAX(first) FROM (SELECT MIN(number) AS first FROM passline_anchor.heads
            WHERE log_id = %(log)s AND lost <> '' GROUP BY sequence, hash) AS restorations), 0)
    ORDER BY sequence DESC, number LIMIT 1"""

_DECLARED = """SELECT log_id, sequence, hash, seal, at, lost FROM passline_anchor.heads
    WHERE log_id = %(log)s AND lost <> '' ORDER BY number"""


class PostgresAnchor:
    """Heads in a small table of their own in another database; its rows are only ever inserted."""

    is_readable = True
    pace = 1.0

    def __init__(self, url: str) -> None:
        with extra_for("--anchor: PostgreSQL"):
            import psycopg  # noqa: PLC0415 - an extra
            from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415
        try:
            parts = conninfo_to_dict(url)
        except psycopg.Error as error:
            raise LogError("--anchor: must be postgresql://USER@HOST/NAME") from error
        self._url = url
        self.name = f"postgresql://{parts.get('host') or ''}:{parts.get('port') or 5432}/{parts.get('dbname') or ''}"
        self._connections: dict[str, Any] = {}  # one to write and one to read, so that neither waits for the other
        self._locks = {"write": RLock(), "read": RLock()}

    def keep(self, mark: Mark) -> None:
        """Insert a row."""
        values = (mark.log_id, mark.sequence, mark.hash, mark.seal, mark.at, mark.lost)
        sql = (
            "INSERT INTO passline_anchor.heads (log_id, sequence, hash, seal, at, lost) VALUES (%s, %s, %s, %s, %s, %s)"
        )
        self._execute("write", sql, values)

    def newest(self, log_id: str) -> Mark | None:
        """Return the newest head of a log."""
        rows = self._execute("read", _NEWEST, {"log": log_id})
        return Mark(*rows[0]) if rows else None

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the marks of restorations of a log."""
        return [Mark(*row) for row in self._execute("read", _DECLARED, {"log": log_id})]

    def close(self) -> None:
        """Close the connections."""
        for use, lock in self._locks.items():
            with lock:
                self._drop(use)

    def _drop(self, use: str) -> None:
        if (connection := self._connections.pop(use, None)) is not None:
            connection.close()

    def _execute(self, use: str, sql: str, values: Any) -> list[Any]:  # noqa: ANN401 - as psycopg takes them
        """Run a statement; on a connection that broke since, once more on a new one: a head twice does no harm."""
        import psycopg  # noqa: PLC0415

        with self._locks[use]:
            is_old = use in self._connections
            try:
                cursor = self._connect(use).execute(sql, values)
                return list(cursor.fetchall()) if cursor.description else []
            except psycopg.Error as error:
                self._drop(use)
                if is_old and isinstance(error, psycopg.OperationalError):
                    return self._execute(use, sql, values)
                why = " ".join(str(error).split()) or type(error).__name__
                raise LogError(f"anchor {self.name}: {why}: see to the anchor's database") from error

    def _connect(self, use: str) -> Any:  # noqa: ANN401 - psycopg's connection, imported late
        import psycopg  # noqa: PLC0415

        if use not in self._connections:
            connection = psycopg.connect(
                self._url, autocommit=True, connect_timeout=_SECONDS, application_name="passline anchor"
            )
            try:
                connection.execute(f"SET synchronous_commit = on; SET statement_timeout = '{_SECONDS}s'".encode())
                there = connection.execute("SELECT to_regclass('passline_anchor.heads') IS NOT NULL").fetchone()
                if there != (True,):
                    with connection.transaction():
                        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
                        connection.execute(_SCHEMA.encode())
            except BaseException:
                connection.close()
                raise
            self._connections[use] = connection
        return self._connections[use]


class WebhookAnchor:
    """Heads posted to a server of somebody else's as JSON; a GET there returns the newest one of a log.

    POST of {"log_id", "sequence", "hash", "seal", "at"} must be answered 2xx once it is durable; a field "lost" means
    that the log was restored from a backup, and that this head counts although it is not the longest; told again, it
    changes nothing. GET with the query log_id returns the newest head as the same JSON, or 404.
    """

    is_readable = True
    pace = 1.0

    def __init__(self, url: str) -> None:
        with extra_for("--anchor: a webhook"):
            import httpx  # noqa: PLC0415 - an extra
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise LogError(f"--anchor: {error}: give a webhook as https://HOST/PATH") from error
        self.name = str(self._url.copy_with(username=None, password=None, query=None))
        self._errors = (httpx.HTTPError, httpx.InvalidURL)
        self._client = httpx.Client(timeout=_SECONDS)

    def keep(self, mark: Mark) -> None:
        """Post a head."""
        try:
            answer = self._client.post(
                self._url, content=json.encode(mark), headers={"Content-Type": "application/json"}
            )
        except self._errors as error:
            raise LogError(f"anchor {self.name}: {error}: is its server running?") from error
        if not answer.is_success:
            raise LogError(f"anchor {self.name}: answered {answer.status_code} to a head: it must answer 2xx")

    def newest(self, log_id: str) -> Mark | None:
        """Ask for the newest head of a log."""
        try:
            answer = self._client.get(self._url.copy_merge_params({"log_id": log_id}))
        except self._errors as error:
            raise LogError(f"anchor {self.name}: {error}: is its server running?") from error
        if answer.status_code == _MISSING:
            return None
        if not answer.is_success:
            raise LogError(f"anchor {self.name}: answered {answer.status_code} when asked for the newest head")
        try:
            mark = json.decode(answer.content, type=Mark)
        except (DecodeError, ValidationError, UnicodeDecodeError) as error:
            raise LogError(f"anchor {self.name}: its answer is not a head: {error}") from error
        if mark.log_id != log_id:
            raise LogError(f"anchor {self.name}: it answered with a head of log {mark.log_id}, not of {log_id}")
        return mark

    def restoration_marks(self, log_id: str) -> list[Mark]:
        """Return the newest mark if it is of a restoration: nothing else can be asked for."""
        mark = self.newest(log_id)
        return [mark] if mark is not None and mark.lost else []

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
