"""An append in two steps: all but waiting for the disk is done at once; nothing is in the log before the commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from passline.store.data_folder import DATABASE_FILE, open_log
from passline.store.keys import SigningKey
from passline.store.log import Appended, AppendResult, CommitInDoubt, Conflict, Known, LogError, Secret
from passline.store.memory import MemoryLog
from passline.store.sqlite import SqliteLog
from passline.store.verify import verify_log
from tests.store.drafts import TABLE, draft
from tests.store.faulty_connection import Faulty

KEY = SigningKey(bytes(32))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    """A log that has written one entry, so that it knows its stream."""
    opened = open_log(tmp_path)
    assert isinstance(opened, SqliteLog)
    with closing(opened) as log:
        log.append([draft(0)])
        yield log


def append_in_steps(log: SqliteLog, version: int, *more: int) -> list[AppendResult]:
    begun = log.begin_append([draft(version), *map(draft, more)])
    assert begun is not None
    committing = Thread(target=begun.commit)
    committing.start()
    committing.join()
    return begun.results()


def test_an_append_in_two_steps_writes_what_one_in_one_step_does(log: SqliteLog) -> None:
    results = append_in_steps(log, 1, 2)
    assert all(isinstance(result, Appended) for result in results)
    assert [result.stored.entry.version for result in results if isinstance(result, Appended)] == [2, 3]
    [fourth] = append_in_steps(log, 3)
    assert isinstance(fourth, Appended)
    assert (fourth.stored, fourth.head) == (log.find(TABLE, "Ann", "Ann-3"), log.head())
    assert isinstance(log.append([draft(4)])[0], Appended)
    assert log.streams()[TABLE] == 5
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact


def test_nothing_is_in_the_log_before_the_commit_and_others_wait_for_it(log: SqliteLog, tmp_path: Path) -> None:
    begun = log.begin_append([draft(1)])
    assert begun is not None
    assert log.streams()[TABLE] == 1
    assert log.find(TABLE, "Ann", "Ann-1") is None
    found = list[object]()
    deciding = Thread(target=lambda: found.append(log.find_decided(TABLE, "Ann", "Ann-1")))
    deciding.start()
    with (
        closing(sqlite3.connect(tmp_path / DATABASE_FILE, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")
    assert not found
    begun.commit()
    deciding.join()
    assert found != [None]
    assert isinstance(begun.results()[0], Appended)


def test_what_must_be_read_or_waited_for_is_left_to_an_append_in_one_step(log: SqliteLog, tmp_path: Path) -> None:
    head = log.head()
    assert log.begin_append([draft(0, stream="table/unknown")]) is None
    assert log.begin_append([draft(7)]) is None  # a conflict
    assert log.begin_append([replace(draft(0), expected=1)]) is None  # an id that is taken
    assert log.begin_append([draft(1 + number) for number in range(65)]) is None  # more than one statement takes
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert log.begin_append([draft(1)]) is None  # another process writes
        other.execute("ROLLBACK")
    with log.transaction():
        assert log.begin_append([draft(1)]) is None  # another thread writes
    assert log.head() == head
    assert log.append([draft(7)]) == [Conflict(TABLE, 1)]
    assert isinstance(log.append([replace(draft(0), expected=1)])[0], Known)
    assert isinstance(append_in_steps(log, 1)[0], Appended)


def test_what_another_process_wrote_is_read_first(log: SqliteLog, tmp_path: Path) -> None:
    with closing(open_log(tmp_path)) as other:
        other.append([draft(1)])
    assert log.begin_append([draft(1, name="late")]) is None
    assert log.append([draft(1, name="late")]) == [Conflict(TABLE, 2)]
    assert isinstance(append_in_steps(log, 2)[0], Appended)
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact


def test_files_that_are_gone_stop_it_before_the_commit_and_leave_it_in_doubt_after(
    log: SqliteLog, tmp_path: Path
) -> None:
    key = tmp_path / "log.key"
    kept = key.read_bytes()
    key.unlink()
    with pytest.raises(LogError, match="is gone or was replaced") as error:
        log.begin_append([draft(1)])
    assert not isinstance(error.value, CommitInDoubt)
    key.write_bytes(kept)
    log.append([draft(1)])
    begun = log.begin_append([draft(2)])
    assert begun is not None
    begun.commit()
    key.unlink()
    with pytest.raises(CommitInDoubt, match="is gone or was replaced"):
        begun.results()
    key.write_bytes(kept)
    assert isinstance(log.append([draft(2)])[0], Known)
    assert isinstance(append_in_steps(log, 3)[0], Appended)


@pytest.mark.parametrize("loss", ["answer", "request"])
def test_a_commit_that_fails_is_in_doubt_and_lets_others_write(tmp_path: Path, loss: str) -> None:
    path = tmp_path / DATABASE_FILE
    path.touch()
    with closing(SqliteLog(path, KEY, connect=Faulty)) as log:
        log.append([draft(0)])
        begun = log.begin_append([draft(1)])
        assert begun is not None
        Faulty.loss = loss  # type: ignore[assignment]
        with pytest.raises(CommitInDoubt):
            begun.commit()
        log.vault.put(Secret("probe", "others", b""))
        assert isinstance(log.append([draft(1)])[0], Known if loss == "answer" else Appended)
        assert verify_log(log.rows(), KEY.public, log.head()).is_intact


def test_a_log_that_cannot_leaves_all_to_an_append_in_one_step() -> None:
    assert MemoryLog().begin_append([draft(0)]) is None
