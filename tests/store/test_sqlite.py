"""Failures of a file: a full disk, a lock, no permission, damage. Nothing is acknowledged and nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from queue import Queue

import pytest
from msgspec.structs import replace

from passline.store.checkpoints import _COMMITS_ENOUGH, Checkpoints
from passline.store.commit import Tip
from passline.store.keys import SigningKey
from passline.store.log import Appended, Conflict, GivenUp, Known, LogError, Secret
from passline.store.sqlite import SqliteLog, connect_sqlite
from passline.store.sqlite_transaction import Connection
from passline.store.verify import verify_log
from tests.store.drafts import TABLE, draft
from tests.waiting import wait_until

KEY = SigningKey(bytes(32))


def impatient(path: Path) -> Connection:
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@contextmanager
def opened(path: Path, connect: Callable[[Path], Connection] = connect_sqlite) -> Iterator[SqliteLog]:
    with closing(SqliteLog(path, KEY, connect=connect)) as log:
        yield log


def test_what_is_committed_is_copied_into_the_file_beside_the_commits(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.store.checkpoints._SECONDS_MIN", 0.01)
    with opened(path) as log:
        before = path.stat().st_size
        for number in range(_COMMITS_ENOUGH):
            log.append([draft(number)])
        wait_until(lambda: path.stat().st_size > before)  # long before SQLite itself would copy it, or it is closed


def test_checkpoints_come_after_many_commits_or_when_few_have_waited_long(monkeypatch: pytest.MonkeyPatch) -> None:
    made, so_far = Queue[int](), count(1)
    monkeypatch.setattr("passline.store.checkpoints._SECONDS_MIN", 0.0)
    monkeypatch.setattr("passline.store.checkpoints._SECONDS_MAX", 3600.0)
    with closing(Checkpoints(lambda: made.put(next(so_far)))) as checkpoints:
        for _ in range(_COMMITS_ENOUGH):
            checkpoints.note()
        assert made.get(timeout=60) == 1
        monkeypatch.setattr("passline.store.checkpoints._SECONDS_MAX", 0.01)
        checkpoints.note()  # wakes the thread, which has not looked how long to wait before
        assert made.get(timeout=60) == 2
    assert made.empty()  # neither was made sooner


def test_what_many_others_wrote_is_checked_without_keeping_them_from_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.store.sealed._NEAR", 5)
    with closing(SqliteLog(path, KEY)) as log, closing(SqliteLog(path, KEY)) as other:
        other.append([draft(number) for number in range(20)])
        checked, follow = list[tuple[int, bool]](), log._follow

        def noted(trusted: Tip | None, tip: Tip) -> None:
            assert trusted is not None
            checked.append((tip.sequence - trusted.sequence, log._writer.in_transaction))  # type: ignore[attr-defined]
            follow(trusted, tip)

        monkeypatch.setattr(log, "_follow", noted)
        log.append([draft(20)])
        assert checked == [(20, False), (0, True)]


def test_a_log_that_nobody_else_writes_to_is_not_read_before_each_commit(path: Path) -> None:
    with opened(path) as log:
        log.append([draft(0)])
        ran = list[str]()
        log._writer.set_trace_callback(ran.append)  # type: ignore[attr-defined]
        log.append([draft(1)])
        log.append([draft(2), draft(3)])
        assert not [sql for sql in ran if sql.startswith("SELECT")]
        log.append([draft(0, stream="table/new")])
        assert [sql for sql in ran if sql.startswith("SELECT")]  # of a stream that it does not know


def test_what_another_connection_wrote_is_read_before_the_next_commit(path: Path) -> None:
    with closing(SqliteLog(path, KEY)) as log, closing(SqliteLog(path, KEY)) as other:
        log.append([draft(0)])
        [first] = other.append([draft(1)])
        assert isinstance(first, Appended)
        assert log.append([draft(1, name="late")]) == [Conflict(TABLE, 2)]
        [second] = log.append([draft(2)])
        assert isinstance(second, Appended)
        assert second.head.sequence == first.head.sequence + 1
        assert other.find_decided(TABLE, "Ann", "given", gives_up=True) is None
        assert log.append([draft(3, name="given")]) == [GivenUp(TABLE, 3)]


def test_a_command_that_comes_again_is_found_though_the_log_was_not_read(path: Path) -> None:
    with opened(path) as log:
        [first, second] = log.append([draft(0), draft(1)])
        assert isinstance(first, Appended)
        assert isinstance(second, Appended)
        assert log.append([replace(draft(0), expected=2)]) == [Known(first.stored, second.head)]
        assert log.append([draft(1)]) == [Known(second.stored, second.head)]
        [third, again] = log.append([draft(2), replace(draft(1), expected=3)])
        assert isinstance(third, Appended)
        assert isinstance(again, Known)
        assert verify_log(log.rows(), KEY.public, log.head()).is_intact


def test_nothing_is_remembered_of_a_commit_that_failed(path: Path) -> None:
    with opened(path) as log:
        log.append([draft(0)])
        log.guard = raise_gone
        with pytest.raises(LogError):
            log.append([draft(1)])
        log.guard = lambda: None
        [done] = log.append([draft(1)])
        assert isinstance(done, Appended)
        assert verify_log(log.rows(), KEY.public, log.head()).is_intact


def raise_gone() -> None:
    raise LogError("the file is gone")


def test_every_commit_is_synced(path: Path) -> None:
    with opened(path) as log:
        assert log._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert log._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_full_disk_is_reported_and_loses_nothing(path: Path) -> None:
    with opened(path) as log:
        pages = log._writer.execute("PRAGMA page_count").fetchone()[0]
        log._writer.execute(f"PRAGMA max_page_count = {pages + 5}")
        version = 0
        with pytest.raises(LogError, match="full: free some space"):  # noqa: PT012 - until it is full
            while True:
                assert isinstance(log.append([draft(version)])[0], Appended)
                version += 1
        assert log.streams()["table/one"] == version
        log._writer.execute("PRAGMA max_page_count = 1000000")
        assert isinstance(log.append([draft(version)])[0], Appended)
        assert verify_log(log.rows(), KEY.public, log.head()).is_intact


def test_a_locked_file_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.store.sqlite._BUSY_SECONDS", 0.2)
    with opened(path, impatient) as log, closing(impatient(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogError, match=r"database is locked: another process"):
            log.append([draft(0)])
        with pytest.raises(LogError, match="locked"):
            log.vault.put(Secret("session", "Ann", b""))
        assert log.head() is not None  # readers are not blocked
        other.execute("ROLLBACK")
        assert isinstance(log.append([draft(0)])[0], Appended)


def test_a_read_only_file_is_reported(path: Path) -> None:
    with opened(path) as log:
        log._writer.execute("PRAGMA query_only = ON")
        with pytest.raises(LogError, match="readonly database: make the file and its folder writable"):
            log.append([draft(0)])


def test_the_database_refuses_updates_and_deletions(path: Path) -> None:
    with opened(path) as log:
        for statement in ("UPDATE entries SET actor = 'Bob'", "DELETE FROM entries"):
            with pytest.raises(LogError, match="the log only grows"), log.transaction() as connection:
                connection.execute(statement)


@pytest.mark.parametrize("content", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(LogError, match=r"log\.sqlite: .*keep it"), opened(path):
        pass


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="unable to open database file: create the folder"):
        SqliteLog(tmp_path / "nowhere" / "log.sqlite", KEY)


def test_a_log_with_another_key_is_not_opened(path: Path) -> None:
    with opened(path):
        pass
    with pytest.raises(LogError, match="put the log's own key file here"):
        SqliteLog(path, SigningKey.new())


def test_a_log_with_an_invalid_last_seal_is_not_opened(path: Path) -> None:
    with opened(path) as log:
        log.append([draft(0)])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER entries_stay_as_they_are")
        connection.execute("UPDATE entries SET seal = zeroblob(64) WHERE sequence = 2")
        connection.commit()
    with pytest.raises(LogError, match="the seal of the last entry, 2, is not valid"):
        SqliteLog(path, KEY)


def test_a_closed_log_is_reported(path: Path) -> None:
    log = SqliteLog(path, KEY)
    log.close()
    log.close()
    with pytest.raises(LogError, match="closed"):
        log.append([draft(0)])
    assert not log.wait_for(1, timeout=60)
