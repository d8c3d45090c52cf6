"""The views of a server follow the log on a thread of their own; readers wait for their own entries, and no longer."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from threading import current_thread
from time import perf_counter

import pytest

from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.sqlite import SqliteLog
from passline.streams.projection_runner import AsOf, LogViews
from passline.streams.projection_store import ViewsNotReady, ViewStore
from tests.cases import one_in
from tests.streams.tally import Tally, append, log_of, tally_in
from tests.waiting import until, wait_until


@asynccontextmanager
async def _following(log: Log, path: Path | None = None, tally: Tally | None = None) -> AsyncIterator[LogViews]:
    views = LogViews(log, path, [tally or Tally()])
    views.start()
    try:
        yield views
    finally:
        await views.close()


async def _until(views: LogViews, sequence: int) -> None:
    for _ in range(500):
        try:
            _, seen = await views.read(lambda _store: None)
        except ViewsNotReady:
            seen = AsOf(0, 0)
        if seen.as_of >= sequence:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"never reached {sequence}: {views.fault}")


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    made: Log = MemoryLog() if request.param == "memory" else SqliteLog(tmp_path / "log.sqlite", SigningKey.new())
    yield made
    made.close()


def test_whoever_has_just_written_reads_it(log: Log, tmp_path: Path) -> None:
    async def write_and_read() -> None:
        async with _following(log, tmp_path / "views.sqlite") as views:
            for number in range(1, 30):
                written = append(log, 1)
                found, seen = await views.read(tally_in)
                assert found["ann"] == number
                assert seen == AsOf(written, 0)

    asyncio.run(write_and_read())


def test_a_reader_far_behind_does_not_wait_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._FAR", 50)
    monkeypatch.setattr("passline.streams.projection_runner._BATCH", 1)
    monkeypatch.setattr("passline.streams.projection_runner._REST", 1000)
    log = log_of(500)

    async def read() -> None:
        async with _following(log) as views:
            await _until(views, 1)
            begun = perf_counter()
            _, seen = await views.read(tally_in)
            assert perf_counter() - begun < 0.5
            assert seen.as_of >= 1
            assert seen.as_of + seen.behind == 501

    asyncio.run(read())


def test_a_reader_far_behind_lets_gathered_entries_be_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._GATHER_SECONDS", inf)
    monkeypatch.setattr("passline.streams.projection_runner._FAR", 5)
    log = log_of(3)

    async def read() -> None:
        async with _following(log) as views:
            await _until(views, 4)
            append(log, 5)
            _, seen = await views.read(tally_in)
            assert seen.as_of + seen.behind == 9
            await until(lambda: views._look_reached() == 9)

    asyncio.run(read())


def test_many_new_entries_gather_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._GATHER_SECONDS", inf)
    monkeypatch.setattr("passline.streams.projection_runner._GATHERED", 5)
    log = log_of(3)

    async def follow() -> None:
        async with _following(log) as views:
            await _until(views, 4)
            append(log, 9)  # a reader may still be waiting for the first four of them, which then do not gather
            await until(lambda: views._look_reached() >= 9)

    asyncio.run(follow())


def test_a_reader_waits_a_bounded_moment_when_views_stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._WAIT_SECONDS", 0.2)
    log = log_of(3)

    async def read() -> None:
        async with _following(log) as views:
            await _until(views, 4)
            views._stopping.set()
            views._thread.join()
            append(log, 2)
            begun = perf_counter()
            found, seen = await views.read(tally_in)
            assert 0.1 < perf_counter() - begun < 2
            assert (found["ann"], seen) == (3, AsOf(4, 2))

    asyncio.run(read())


def test_a_fault_is_told_and_passes(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner.AGAIN_SECONDS", 0.05)
    log, tally = log_of(3), Tally()

    async def read() -> None:
        async with _following(log, None, tally) as views:
            await _until(views, 4)
            tally.lost = ValueError("an entry of another time")
            append(log, 2)
            for _ in range(100):
                await asyncio.sleep(0.02)
                found, seen = await views.read(tally_in)
                if seen.fault:
                    break
            assert found["ann"] == 3
            assert (seen.as_of, seen.behind) == (4, 2)
            assert seen.fault == "newer entries cannot be read; the server's own log says why"
            tally.lost = None
            await _until(views, 6)
            found, seen = await views.read(tally_in)
            assert (found["ann"], seen) == (5, AsOf(6, 0))

    asyncio.run(read())
    assert caplog.text.count("an entry of another time") <= 4  # one record, with its traceback


def test_readers_have_threads_of_their_own_and_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.projection_runner._READERS_MAX", 5)
    log, names = log_of(3), set[str]()

    def look(_store: ViewStore) -> None:
        names.add(current_thread().name)
        wait_until(lambda: len(names) == 2)  # so that nobody reads twice before the other thread has begun

    async def read() -> None:
        async with _following(log) as views:
            await _until(views, 4)
            answers = await asyncio.gather(*(views.read(look) for _ in range(20)), return_exceptions=True)
            refused = [one for one in answers if isinstance(one, ViewsNotReady)]
            assert len(refused) == 15
            assert "others are reading" in str(refused[0])
            await views.read(look)  # and then it goes on

    asyncio.run(read())
    assert len(names) == 2
    assert all(name.startswith("passline-views") for name in names)


@pytest.mark.parametrize(
    "how", one_in(3, ["deleted", "damaged", "edited", "emptied", "dropped"], others=pytest.mark.whole)
)
def test_a_file_that_is_harmed_while_it_is_used_is_made_again(tmp_path: Path, how: str) -> None:
    path, log = tmp_path / "views.sqlite", log_of(300)

    def look(store: ViewStore) -> tuple[dict[str, int], list[bytes]]:
        actors = [store.unseal("actor", body) for [body] in store.query("SELECT body FROM actors")]
        return tally_in(store), actors

    async def read() -> None:
        async with _following(log, path) as views:
            await _until(views, 301)
            other = ViewStore(path, b"somebody else's key")
            match how:
                case "deleted":
                    path.unlink()
                case "damaged":
                    path.write_bytes(b"\xff" * 20_000)
                case "edited":
                    with other.transaction() as writer:
                        forged = writer.seal("actor", b"eve")
                        writer.write("UPDATE actors SET body = ? WHERE sequence = 200", [(forged,)])
                case "emptied":
                    path.write_bytes(b"")
                case _:
                    with other.transaction() as writer:
                        writer.query("DROP TABLE actors")
            other.close()
            append(log, 5)
            found = None
            for _ in range(200):
                try:
                    found, seen = await views.read(look)
                except ViewsNotReady:
                    await asyncio.sleep(0.02)
                    continue
                if seen == AsOf(306, 0):
                    break
                await asyncio.sleep(0.02)  # the view is still being made again
            assert found == ({"passline": 1, "ann": 305}, [b"passline", *[b"ann"] * 305])

    asyncio.run(read())


def test_of_processes_with_one_folder_one_writes_and_the_next_takes_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.streams.projection_runner.AGAIN_SECONDS", 0.05)
    path, log = tmp_path / "views.sqlite", log_of(20)
    first, second = Tally(), Tally()

    async def read() -> None:
        async with _following(log, path, first) as one:
            await _until(one, 21)
            async with _following(log, path, second) as other:
                append(log, 5)
                assert (await other.read(tally_in))[0]["ann"] == 25  # written by the first, read by the second
                assert second.applied == []
                await one.close()
                append(log, 5)
                await _until(other, 31)
                assert (await other.read(tally_in))[0]["ann"] == 30

    asyncio.run(read())
    assert first.applied + second.applied == list(range(1, 32))
