"""Failures of a database server: it crashes, it is read-only, it refuses changes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
import pytest

from passline.store.data_folder import open_log
from passline.store.entry import Draft
from passline.store.log import Appended, Conflict, Known, LogChanged, LogError
from passline.store.postgres import PostgresLog, has_log
from passline.store.sealed import Log
from passline.store.verify import verify_log
from tests.postgres import PostgresServer, postgres_server
from tests.store.drafts import draft

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server that a test may stop, unlike the shared one."""
    with postgres_server() as server:
        yield server


def test_the_log_continues_after_a_crash_of_the_server(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    log = open_log(tmp_path, url)
    log.append([draft(0)])
    server.stop("immediate")
    with pytest.raises(LogError, match="nothing was written; fix the database"):
        log.append([draft(1)])
    with pytest.raises(LogError, match="nothing was written"):
        log.head()
    server.start()
    assert isinstance(log.append([draft(1)])[0], Appended)
    assert log.wait_for(2, timeout=60)
    assert log.streams()["table/one"] == 2
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact
    log.close()


@pytest.mark.whole
def test_crashes_of_the_server_under_load_lose_and_repeat_nothing(server: PostgresServer, tmp_path: Path) -> None:
    """A retry with the same id is in the log once, whether the first commit succeeded or not."""
    acknowledged: list[int] = []
    is_up, is_over = Event(), Event()
    is_up.set()

    def answer_to(one: Draft) -> Appended | Known:
        while True:
            try:
                (result,) = log.append([one])
            except LogError:
                is_up.wait()
            else:
                assert not isinstance(result, Conflict)
                return result

    def append() -> None:
        while not is_over.is_set():
            acknowledged.append(answer_to(draft(len(acknowledged))).stored.entry.sequence)

    with closing(open_log(tmp_path, server.database())) as log:
        with ThreadPoolExecutor(1) as threads:
            appending = threads.submit(append)
            for _ in range(3):
                assert log.wait_for(len(acknowledged) + 20, timeout=60)
                is_up.clear()
                server.stop("immediate")
                server.start()
                is_up.set()
            is_over.set()
            appending.result()
        assert acknowledged == list(range(2, len(acknowledged) + 2))
        assert [stored.entry.sequence for stored in log.read(after=1)] == acknowledged
        assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact


def _plans(log: Log) -> dict[str, int]:
    """Return how often the log's only connection has used each of its prepared statements."""
    assert isinstance(log, PostgresLog)
    return dict(log.query("SELECT name, generic_plans FROM pg_prepared_statements"))


def test_a_writer_alone_takes_one_round_trip_and_does_not_read_the_log(server: PostgresServer, tmp_path: Path) -> None:
    with closing(open_log(tmp_path, server.database())) as log:
        log.append([draft(0)])
        before = _plans(log)
        for version in range(1, 6):
            assert isinstance(log.append([draft(version)])[0], Appended)
        after = _plans(log)
        assert after["passline_append"] == before["passline_append"] + 5
        assert after["passline_state"] == before["passline_state"]
        assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact


def test_what_others_wrote_is_read_before_the_next_commit(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    with closing(open_log(tmp_path, url)) as log, closing(open_log(tmp_path, url)) as other:
        log.append([draft(0)])
        log.append([draft(1)])
        assert isinstance(other.append([draft(0, stream="table/two")])[0], Appended)
        assert isinstance(log.append([draft(2)])[0], Appended)
        assert isinstance(log.append([draft(3)])[0], Appended)
        other.append([draft(4)])
        assert log.append([draft(4, name="late"), draft(0, name="new", stream="table/three")])[0] == Conflict(
            "table/one", 5
        )
        assert isinstance(log.append([draft(4)])[0], Known)
        assert isinstance(log.append([draft(5), draft(6)])[1], Appended)
        assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact


def test_nothing_is_written_on_top_of_a_changed_entry(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    with closing(open_log(tmp_path, url)) as log, psycopg.connect(url, autocommit=True) as operator:
        log.append([draft(0)])
        log.append([draft(1)])
        operator.execute("SET session_replication_role = replica")
        operator.execute("UPDATE passline.entries SET seal = 'forged' WHERE version = 2 AND stream = 'table/one'")
        with pytest.raises(LogChanged):
            log.append([draft(2)])
        assert log.streams()["table/one"] == 2


def test_a_read_only_database_is_reported(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    log = open_log(tmp_path, url)
    log.close()
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
    log = open_log(tmp_path, url)  # reading still works
    with pytest.raises(LogError, match="read-only transaction"):
        log.append([draft(0)])
    log.close()


def test_the_database_refuses_updates_and_deletions(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    open_log(tmp_path, url).close()
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in ("UPDATE passline.entries SET actor = 'Bob'", "DELETE FROM passline.entries"):
            with pytest.raises(psycopg.Error, match="the log only grows"):
                connection.execute(statement.encode())
        with pytest.raises(psycopg.Error, match="the log only grows"):
            connection.execute("TRUNCATE passline.entries")


def test_has_log_creates_nothing(server: PostgresServer, tmp_path: Path) -> None:
    url = server.database()
    assert not has_log(url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regnamespace('passline')").fetchone() == (None,)
    open_log(tmp_path, url).close()
    assert has_log(url)


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(LogError) as error:
        open_log(tmp_path, "postgresql://ann:hushhush@localhost:1/log")
    assert "hushhush" not in str(error.value)
    assert "postgresql://localhost:1/log" in str(error.value)


def test_a_closed_log_is_reported(server: PostgresServer, tmp_path: Path) -> None:
    log = open_log(tmp_path, server.database())
    log.close()
    log.close()
    with pytest.raises(LogError, match="closed"):
        log.append([draft(0)])
