"""Decisions that a log commits a second, each with fsync, compared with a plain table of the same database."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from benchmarks.live.wager_drafts import COMMAND, EVENTS, wager_draft
from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.log import Appended
from passline.store.sealed import Log

SECONDS = 3.0
BATCH = 20
_STREAM = "table/bench"


def _drafts(first: int, count: int) -> list[Draft]:
    return [wager_draft(_STREAM, number, number) for number in range(first, first + count)]


def _rate(commit: Callable[[int], int]) -> float:
    """Commit for some seconds; return the entries a second."""
    done, begun = 0, time.perf_counter()
    while (passed := time.perf_counter() - begun) < SECONDS:
        done += commit(done)
    return done / passed


def _log_rate(log: Log, batch: int) -> float:
    begun = log.streams().get(_STREAM, 0)

    def commit(done: int) -> int:
        outcomes = log.append(_drafts(begun + done, batch))
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        return batch

    return _rate(commit)


def _plain_sqlite(path: Path) -> float:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE plain (sequence INTEGER PRIMARY KEY, body BLOB)")
    body = bytes(COMMAND) + bytes(EVENTS)

    def commit(_done: int) -> int:
        connection.execute("INSERT INTO plain (body) VALUES (?)", (body,))
        return 1

    rate = _rate(commit)
    connection.close()
    return rate


def _plain_postgres(url: str) -> float:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE plain (sequence BIGSERIAL PRIMARY KEY, body BYTEA)")
        body = bytes(COMMAND) + bytes(EVENTS)

        def commit(_done: int) -> int:
            connection.execute("INSERT INTO plain (body) VALUES (%s)", (body,))
            return 1

        return _rate(commit)


def append_rates(folder: Path, postgres_url: str) -> Iterator[tuple[str, float, float]]:
    """Yield a name, the entries a second, and the ratio to a plain single insert of the same database."""
    plain = _plain_sqlite(folder / "plain.sqlite")
    yield "SQLite, plain insert", plain, 1.0
    log = open_log(folder / "house")
    for batch in (1, BATCH):
        rate = _log_rate(log, batch)
        yield f"SQLite log, {batch} a commit", rate, rate / plain
    log.close()
    plain = _plain_postgres(postgres_url)
    yield "PostgreSQL, plain insert", plain, 1.0
    log = open_log(folder / "house-of-postgres", postgres_url)
    for batch in (1, BATCH):
        rate = _log_rate(log, batch)
        yield f"PostgreSQL log, {batch} a commit", rate, rate / plain
    log.close()
