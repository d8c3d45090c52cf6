"""An archive in PostgreSQL: servers that share it see no gap, and whoever is killed while archiving loses nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import psycopg
import pytest
from psycopg import errors

from passline.store.archived.database_log import DatabaseLog
from passline.store.data_folder import open_log
from passline.store.log import Appended, Known, LogError
from passline.store.log_source import log_place
from passline.store.postgres import PostgresLog
from passline.store.upkeep import archiving
from passline.store.upkeep.archiving import archive_entries, recorded_segments
from passline.store.verify import verify_log
from tests.cases import budget
from tests.forks import FORKS
from tests.postgres import PostgresServer
from tests.store.drafts import TABLE, draft

COUNT = 300
_PAGE = 40  # rows that are deleted in one transaction
_ENTRIES = 100  # in a segment
FIRST_AT = "2026-11-14T08:00:00.000000Z"
FOREVER = "9999"
KILLED = 137
_NEVER = 1_000_000
pytestmark = pytest.mark.long


def open_house(data: Path, database: str) -> DatabaseLog:
    log = open_log(data, database, at=FIRST_AT)
    assert isinstance(log, DatabaseLog)
    return log


@pytest.fixture
def database(postgres: PostgresServer, tmp_path: Path) -> str:
    """The database of a log with a table, whose key is in the test's folder."""
    url = postgres.database()
    with closing(open_house(tmp_path, url)) as log:
        for first in range(0, COUNT, 60):
            log.append([draft(at, hand=1 + at // 10) for at in range(first, first + 60)])
    return url


def _archive(data: Path, database: str, kill_at: int = _NEVER) -> int:
    """Archive everything, and end as a kill ends it before or after a commit; return how many there were."""
    taken, finish = 0, PostgresLog._finish

    def step() -> None:
        nonlocal taken
        taken += 1
        if taken == kill_at:
            os._exit(KILLED)

    def counted(log: PostgresLog, connection: psycopg.Connection, last: Callable[[], list[bytes]]) -> bytes | None:
        step()
        ended = finish(log, connection, last)
        step()
        return ended

    with closing(open_house(data, database)) as log, pytest.MonkeyPatch.context() as patched:
        patched.setattr(PostgresLog, "_finish", counted)
        patched.setattr(archiving, "_PAGE", _PAGE)
        archive_entries(log, FOREVER, by="ann", entries_max=_ENTRIES)
    return taken


@pytest.mark.whole
def test_a_kill_at_any_commit_loses_nothing(database: str, postgres: PostgresServer, tmp_path: Path) -> None:
    with closing(open_house(tmp_path, database)) as log:
        rows = list(log.rows())
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    steps = _archive(tmp_path, _copy_of(postgres, str(name)))
    assert steps > 2 * (COUNT // _PAGE)
    for kill_at in range(1, steps + 1, budget(17, in_sweep=1)):
        copy = _copy_of(postgres, str(name))
        process = FORKS.Process(target=_archive, args=(tmp_path, copy, kill_at))
        process.start()
        process.join()
        assert process.exitcode == KILLED
        with closing(open_house(tmp_path, copy)) as log:
            assert list(log.rows())[: len(rows)] == rows, kill_at
            assert isinstance(log.append([draft(3)])[0], Known)
            assert isinstance(log.append([draft(COUNT)])[0], Appended)
            archive_entries(log, FOREVER, by="ann", entries_max=_ENTRIES)
            assert list(log.rows())[: len(rows)] == rows, kill_at
            assert log.archived.segments() == recorded_segments(log)
            assert not list(log.archived.faults())
            assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact


def _copy_of(server: PostgresServer, name: str) -> str:
    copy = server.database()
    copied = psycopg.conninfo.conninfo_to_dict(copy)["dbname"]
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {copied}".encode())
        connection.execute(f"CREATE DATABASE {copied} TEMPLATE {name}".encode())
    return copy


def test_servers_read_and_write_while_another_archives(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "_PAGE", 10)
    is_over = Event()

    def read() -> int:
        times = 0
        with closing(open_house(tmp_path, database)) as log:
            while not is_over.is_set() or not times:
                sequences = [stored.entry.sequence for stored in log.read()]
                assert sequences == [*range(1, len(sequences) + 1)]
                versions = [stored.entry.version for stored in log.read_stream(TABLE)]
                assert versions == [*range(1, len(versions) + 1)]
                assert len(list(log.read_stream(TABLE, hand=5))) == 10
                assert log.find(TABLE, "Ann", "Ann-20") is not None
                times += 1
        return times

    def write() -> int:
        at = COUNT
        with closing(open_house(tmp_path, database)) as log:
            while not is_over.is_set() or at == COUNT:
                new, old = log.append([draft(at), draft(at % COUNT, name=f"Ann-{at % COUNT}")])
                assert isinstance(new, Appended)
                assert isinstance(old, Known)
                at += 1
        return at

    with ThreadPoolExecutor(3) as threads, closing(open_house(tmp_path, database)) as log:
        readers, writer = [threads.submit(read) for _ in range(2)], threads.submit(write)
        try:
            made = archive_entries(log, "2026-11-15T08:04:59", by="ann", entries_max=50)
        finally:
            is_over.set()
        assert len(made) > 3
        assert all(reader.result() for reader in readers)
        assert writer.result() > COUNT
        assert verify_log(log.rows(), log.public_key, log.head()).is_intact
        assert not list(log.archived.faults())


def test_an_archived_id_is_found_in_one_round_trip_and_in_two(database: str, tmp_path: Path) -> None:
    """The first commit of a process reads the log; the next one is judged by what it knows, and by the database."""
    with closing(open_house(tmp_path, database)) as server, closing(open_house(tmp_path, database)) as log:
        archive_entries(log, FOREVER, by="ann")
        for at in (COUNT, COUNT + 1):
            assert isinstance(server.append([draft(at)])[0], Appended)
            (again,) = server.append([draft(at + 1, name="Ann-7")])
            assert isinstance(again, Known)
            assert again.stored.entry.version == 8


def test_whoever_lost_the_lock_archives_no_further(database: str, tmp_path: Path) -> None:
    with closing(open_house(tmp_path, database)) as log, log.archive_alone():
        with psycopg.connect(database, autocommit=True) as operator:
            operator.execute(
                """SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database AS held ON held.oid = database
                    WHERE locktype = 'advisory' AND datname = current_database()"""
            )
        with pytest.raises(LogError, match="terminating connection"), log.begin_archiving():
            pass


def test_a_database_of_an_earlier_version_gets_its_tables_when_it_is_opened(database: str, tmp_path: Path) -> None:
    with psycopg.connect(database) as connection:
        for table in ("archives", "archived_streams", "archived_ids", "archive_parts"):
            connection.execute(f"DROP TABLE passline.{table}".encode())
        connection.execute("DROP TRIGGER archived_entries_go ON passline.entries")
        connection.execute(
            """CREATE OR REPLACE TRIGGER entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON passline.entries
                FOR EACH STATEMENT EXECUTE FUNCTION passline.only_grows()"""
        )
    place = log_place(tmp_path, database)
    assert place.segments() == []
    assert place.damages() == []
    assert verify_log(place.rows()).is_intact
    with closing(open_house(tmp_path, database)) as log:
        assert len(archive_entries(log, FOREVER, by="ann")) == 2
        assert place.segments() == log.archived.segments()
    report = verify_log(place.rows())
    assert report.is_intact
    assert list(report.segments) == place.segments()
    with psycopg.connect(database, autocommit=True) as connection:
        for statement in ("UPDATE passline.entries SET actor = 'Bob'", "TRUNCATE passline.entries"):
            with pytest.raises(errors.RaiseException, match="the log only grows"):
                connection.execute(statement.encode())
        stored = connection.execute(
            """SELECT attstorage::text FROM pg_attribute
                WHERE attrelid = 'passline.archive_parts'::regclass AND attname = 'data'"""
        )
        assert stored.fetchone() == ("e",), "EXTERNAL: not compressed once more"
