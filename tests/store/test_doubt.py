"""Commits whose answer is lost: the log says that it does not know, and appending again tells what became of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from typing import LiteralString

import psycopg
import pytest

from passline.store.data_folder import open_log
from passline.store.keys import SigningKey
from passline.store.log import Appended, CommitInDoubt, GivenUp, Known, LogError, Secret
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog
from passline.store.verify import verify_log
from passline.streams.writer import InDoubt, append_settled
from tests.postgres import PostgresServer
from tests.postgres_proxy import Loss, PostgresProxy, postgres_proxy
from tests.store.conftest import Place
from tests.store.drafts import TABLE, draft
from tests.store.faulty_connection import Faulty

KEY = SigningKey(bytes(32))
DOUBT = "it is not known whether it was written"


@contextmanager
def lossy(server: PostgresServer, data: Path) -> Iterator[tuple[PostgresProxy, Log]]:
    """A log behind a proxy that can lose commits."""
    with postgres_proxy(server.database()) as (proxy, url), closing(open_log(data, url)) as log:
        yield proxy, log


@pytest.mark.parametrize(("loss", "is_written"), [("answer", True), ("request", False)])
def test_a_commit_without_an_answer_is_in_doubt_and_appending_again_tells(
    postgres: PostgresServer,
    tmp_path: Path,
    loss: Loss,
    is_written: bool,  # noqa: FBT001
) -> None:
    with lossy(postgres, tmp_path) as (proxy, log):
        log.append([draft(0)])
        proxy.lose(loss, 1)
        with pytest.raises(CommitInDoubt, match=DOUBT):
            log.append([draft(1)])
        log.check()  # our own entry is not taken for somebody else's
        assert (log.find(TABLE, "Ann", "Ann-1") is not None) == is_written
        (result,) = log.append([draft(1)])
        assert isinstance(result, Known if is_written else Appended)
        assert isinstance(log.append([draft(2)])[0], Appended)
        assert log.streams()[TABLE] == 3
        assert verify_log(log.rows(), log.public_key, log.head()).is_intact


def test_an_error_before_the_commit_is_not_in_doubt(postgres: PostgresServer, tmp_path: Path) -> None:
    url = postgres.database()
    with closing(open_log(tmp_path, url)) as log:
        log.append([draft(0)])
        with psycopg.connect(url, autocommit=True) as other:
            other.execute("ALTER TABLE passline.entries ADD CONSTRAINT poor CHECK (version < 2)")
            with pytest.raises(LogError, match="nothing was written") as error:
                log.append([draft(1)])
            assert not isinstance(error.value, CommitInDoubt)
            other.execute("ALTER TABLE passline.entries DROP CONSTRAINT poor")
            # A constraint that is checked at the commit itself: the database answers that it rolled back.
            other.execute(
                """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no such luck'; END $$;
                CREATE CONSTRAINT TRIGGER late AFTER INSERT ON passline.entries DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION refuse()"""
            )
            with pytest.raises(LogError, match=r"no such luck.*nothing was written") as error:
                log.append([draft(1)])
            assert not isinstance(error.value, CommitInDoubt)
            other.execute("DROP TRIGGER late ON passline.entries")
        assert isinstance(log.append([draft(1)])[0], Appended)


def test_a_session_terminated_in_its_commit_is_in_doubt(postgres: PostgresServer, tmp_path: Path) -> None:
    """A trigger holds the commit up while the database's operator terminates its session."""
    url = postgres.database()
    with closing(open_log(tmp_path, url)) as log, psycopg.connect(url, autocommit=True) as operator:
        log.append([draft(0)])
        operator.execute(
            """CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_sleep(30); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON passline.entries DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION slow()"""
        )
        kill = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE (query LIKE '%; COMMIT' OR query LIKE 'EXECUTE passline_lock; %')
            AND state = 'active' AND pid <> pg_backend_pid()"""

        def terminate() -> None:
            while not operator.execute(kill).fetchall():
                sleep(0.02)

        thread = Thread(target=terminate)
        thread.start()
        with pytest.raises(CommitInDoubt, match=DOUBT):
            log.append([draft(1)])
        thread.join()
        operator.execute("DROP TRIGGER late ON passline.entries")
        assert log.find_decided(TABLE, "Ann", "Ann-1", gives_up=True) is None
        assert isinstance(log.append([draft(1)])[0], GivenUp)
        assert isinstance(log.append([draft(1, name="new")])[0], Appended)


def test_a_commit_under_way_is_waited_for_before_anything_is_called_not_done(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.database()
    with (
        closing(open_log(tmp_path, url)) as log,
        closing(open_log(tmp_path, url)) as other,
        psycopg.connect(url, autocommit=True) as operator,
    ):
        log.append([draft(0)])
        operator.execute(
            """CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON passline.entries DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION held();
            SELECT pg_advisory_lock(7)"""
        )
        writing = Thread(target=log.append, args=([draft(1)],))
        writing.start()
        waits: LiteralString = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted"
        while operator.execute(waits).fetchone() == (0,):
            sleep(0.02)
        found: list[object] = []
        asking = Thread(target=lambda: found.append(other.find_decided(TABLE, "Ann", "Ann-1")))
        asking.start()
        assert other.find(TABLE, "Ann", "Ann-1") is None  # what a mere look says
        asking.join(0.2)
        assert asking.is_alive()
        operator.execute("SELECT pg_advisory_unlock(7)")
        for thread in (writing, asking):
            thread.join()
        assert found != [None]


@pytest.mark.long
def test_commits_lost_at_random_are_settled_and_act_once(postgres: PostgresServer, tmp_path: Path) -> None:
    random = Random(12)
    with lossy(postgres, tmp_path) as (proxy, log):
        for version in range(60):
            if random.random() < 0.7:
                proxy.lose(random.choice(("answer", "request")), random.randint(1, 2))
            (result,) = append_settled(log, [draft(version)])
            assert isinstance(result, Appended)  # also if the first commit wrote it: it is this draft's own entry
            assert result.stored.entry.version == version + 1
            proxy.lose("none")
        assert proxy.lost > 20
        assert log.streams()[TABLE] == 60
        assert verify_log(log.rows(), log.public_key, log.head()).is_intact


def test_what_cannot_be_settled_in_time_is_told_as_in_doubt(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", (0.01, 0.01))
    with lossy(postgres, tmp_path) as (proxy, log):
        proxy.lose("answer")
        with pytest.raises(InDoubt, match="not known yet whether this was done; ask again with the same id"):
            append_settled(log, [draft(0)])
        proxy.lose("none")
        assert isinstance(append_settled(log, [draft(0)])[0], Known)


# --- SQLite ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loss", "is_written"), [("answer", True), ("request", False)])
def test_a_sqlite_commit_that_fails_is_in_doubt(tmp_path: Path, loss: Loss, is_written: bool) -> None:  # noqa: FBT001
    path = tmp_path / "log.sqlite"
    path.touch()
    with closing(SqliteLog(path, KEY, connect=Faulty)) as log:
        log.append([draft(0)])
        Faulty.loss = loss
        with pytest.raises(CommitInDoubt, match=f"{DOUBT}; check the disk"):
            log.append([draft(1)])
        log.check()
        assert (log.find(TABLE, "Ann", "Ann-1") is not None) == is_written
        assert isinstance(log.append([draft(1)])[0], Known if is_written else Appended)
        Faulty.loss = loss
        assert isinstance(append_settled(log, [draft(2)])[0], Appended)
        assert log.streams()[TABLE] == 3
        assert verify_log(log.rows(), KEY.public, log.head()).is_intact


def test_a_closed_or_locked_file_is_not_in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.store.sqlite._BUSY_SECONDS", 0.2)
    path = tmp_path / "log.sqlite"
    with closing(SqliteLog(path, KEY)) as log:
        log._writer.execute("PRAGMA busy_timeout = 0")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LogError, match="locked") as error:
                log.append([draft(0)])
            assert not isinstance(error.value, CommitInDoubt)
    with pytest.raises(LogError, match="closed") as error:
        log.append([draft(0)])
    assert not isinstance(error.value, CommitInDoubt)


def test_find_decided_finds_what_find_finds(place: Place) -> None:
    log = place.open()
    log.append([draft(0)])
    assert log.find_decided(TABLE, "Ann", "Ann-0") == log.find(TABLE, "Ann", "Ann-0")
    assert log.find_decided(TABLE, "Ann", "Ann-1") is None
    log.vault.put(Secret("probe", "x", b""))
    assert log.streams()[TABLE] == 1
