"""The writer's thread only waits for the disk: everything else of a commit is done in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from threading import current_thread
from typing import Any, ClassVar

import pytest

from passline.store.data_folder import KEY_FILE, open_log
from passline.store.entry import Draft, Head
from passline.store.keys import SigningKey
from passline.store.log import Appended, Conflict, Known, Snapshot
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog, connect_sqlite
from passline.store.sqlite_transaction import Connection, Cursor
from passline.store.verify import verify_log
from passline.streams.writer import InDoubt, LogDown, Reply, ThreadWriter
from tests.event_loop import asynchronous
from tests.store.drafts import TABLE, draft
from tests.store.faulty_connection import Faulty
from tests.waiting import until

KEY = SigningKey(bytes(32))
OTHER = "table/two"


class Commits:
    """A writer on a log, and what its commits held."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.sizes: list[int] = []
        self.heads: list[Head] = []
        self.writer = ThreadWriter(log, lambda drafts, _seconds: self.sizes.append(drafts), self.heads.append)

    def append(self, *drafts: Draft) -> asyncio.Future[Reply]:
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.writer.append(drafts, done.set_result)
        return done


@asynccontextmanager
async def commits_to(log: Log) -> AsyncIterator[Commits]:
    """A writer whose log knows both tables."""
    with closing(log):
        log.append([draft(0), draft(0, stream=OTHER)])
        commits = Commits(log)
        yield commits
        await commits.writer.close()


class Observed:
    """A connection that notes in which thread each statement runs."""

    ran: ClassVar[list[tuple[str, str]]] = []

    def __init__(self, path: Path) -> None:
        self._real: Connection = connect_sqlite(path)

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Cursor:
        Observed.ran.append((sql.split(maxsplit=1)[0], current_thread().name))
        return self._real.execute(sql, parameters)

    def close(self) -> None:
        self._real.close()


def log_on(tmp_path: Path, connect: type[Observed | Faulty]) -> SqliteLog:
    path = tmp_path / "log.sqlite"
    path.touch()
    return SqliteLog(path, KEY, connect=connect)


@asynchronous
async def test_the_thread_runs_nothing_but_the_commit(tmp_path: Path) -> None:
    async with commits_to(log_on(tmp_path, Observed)) as commits:
        Observed.ran.clear()
        [result] = await commits.append(draft(1))  # type: ignore[misc]
        assert isinstance(result, Appended)
        assert [what for what, thread in Observed.ran if thread == "passline-writer"] == ["COMMIT"]
        assert [what for what, thread in Observed.ran if thread == "MainThread"] == ["BEGIN", "PRAGMA", "INSERT"]


@asynchronous
async def test_what_is_decided_in_one_round_of_the_loop_is_one_commit(tmp_path: Path) -> None:
    async with commits_to(open_log(tmp_path)) as commits:
        one, two = await asyncio.gather(
            commits.append(draft(1), draft(2)), commits.append(draft(1, stream=OTHER, actor="Bob"))
        )
        assert commits.sizes == [3]
        assert [len(one), len(two)] == [2, 1]  # type: ignore[arg-type]
        assert commits.heads == [commits.log.head()]
        conflict, known = await asyncio.gather(commits.append(draft(9)), commits.append(draft(1, stream=OTHER)))
        assert conflict == [Conflict(TABLE, 3)]
        assert known == [Conflict(OTHER, 2)]


@asynchronous
async def test_commits_and_snapshots_take_turns(tmp_path: Path) -> None:
    async with commits_to(open_log(tmp_path)) as commits:
        replies = []
        for version in range(1, 60):
            replies.append(commits.append(draft(version)))
            commits.writer.keep(Snapshot(TABLE, version, 1, b"", b"%d" % version))
            if version % 3:
                await asyncio.sleep(0)
            else:
                await replies[-1]
        assert all(isinstance(reply[0], Appended) for reply in await asyncio.gather(*replies))  # type: ignore[index]
        await until(commits.writer._is_idle.is_set)
        assert commits.log._read_snapshot(TABLE).snapshot.version == 59  # type: ignore[union-attr]
        assert not commits.writer.snapshot_faults
        assert verify_log(commits.log.rows(), commits.log.public_key, commits.log.head()).is_intact


@pytest.mark.parametrize("loss", ["answer", "request"])
@asynchronous
async def test_a_commit_in_doubt_is_settled_in_the_thread(tmp_path: Path, loss: str) -> None:
    async with commits_to(log_on(tmp_path, Faulty)) as commits:
        Faulty.loss = loss  # type: ignore[assignment]
        one, two = await asyncio.gather(commits.append(draft(1)), commits.append(draft(1, stream=OTHER)))
        assert isinstance(one[0], Appended)  # type: ignore[index]
        assert isinstance(two[0], Appended)  # type: ignore[index]
        assert commits.log.streams()[TABLE] == 2


@asynchronous
async def test_files_that_are_gone_are_told_and_what_comes_after_they_are_back_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", (0.01, 0.01))
    key = tmp_path / KEY_FILE
    async with commits_to(open_log(tmp_path)) as commits:
        kept = key.read_bytes()
        key.unlink()
        down = await commits.append(draft(1))
        assert isinstance(down, LogDown)
        assert not isinstance(down, InDoubt)  # it was found before the commit
        key.write_bytes(kept)
        [done] = await commits.append(draft(1))  # type: ignore[misc]
        assert isinstance(done, Appended)
        check = commits.log._check_committed  # type: ignore[attr-defined]

        def lose_and_check() -> None:
            key.unlink(missing_ok=True)
            check()

        monkeypatch.setattr(commits.log, "_check_committed", lose_and_check)
        assert isinstance(await commits.append(draft(2)), InDoubt)
        monkeypatch.setattr(commits.log, "_check_committed", check)
        key.write_bytes(kept)
        [known] = await commits.append(draft(2))  # type: ignore[misc]
        assert isinstance(known, Known)
        assert commits.log.streams()[TABLE] == 3
