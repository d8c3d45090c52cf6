"""Connections to a log in PostgreSQL, and what is said where its database fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from passline.store.address import printed_address
from passline.store.log import LogError
from passline.store.postgres_statements import Connection

_CONNECT_SECONDS = 10
_LOCK = "10s"  # how long a writer waits for one in another process
_BY_INDEX = (
    "plan_cache_mode = force_generic_plan",
    "jit = off",  # which would compile what costs a fraction of that
    *(f"enable_{way} = off" for way in ("seqscan", "hashjoin", "mergejoin")),
)
"""Every statement finds its rows by an index, and is planned once: a plan made while the log was short lasts."""


@contextmanager
def database_errors(url: str) -> Iterator[None]:
    """Turn errors of the database into a LogError that says what to do and does not show the password."""
    try:
        yield
    except psycopg.Error as error:
        raise LogError(
            f"{printable_url(url)}: {reason_of(error)}: nothing was written; "
            "fix the database, then retry with the same id"
        ) from error


def reason_of(error: Exception) -> str:
    """Return an error's words in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def printable_url(url: str) -> str:
    """Return a database's URL without user and password."""
    try:
        return printed_address(url)
    except psycopg.Error:
        return "the database's URL"


def connect(url: str) -> Connection:
    """Connect to a log's database; every statement commits by itself unless a transaction is begun."""
    connection = psycopg.connect(
        url, autocommit=True, connect_timeout=_CONNECT_SECONDS, client_encoding="utf8", application_name="passline"
    )
    try:
        isolation = "default_transaction_isolation = 'read committed'"  # as in BEGIN
        wanted = ("synchronous_commit = on", f"lock_timeout = '{_LOCK}'", isolation, *_BY_INDEX)
        connection.execute("; ".join(f"SET {setting}" for setting in wanted).encode())
    except BaseException:
        connection.close()
        raise
    return connection
