"""Archived entries: their bytes, ids, versions and heads are what they were, wherever archiving was cut short."""

from __future__ import annotations

import shutil
import sqlite3
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from msgspec.structs import replace

from passline.store.archived import segment
from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.segment import BLOCK_BYTES, SegmentFile, write_segment
from passline.store.commit import EMPTY
from passline.store.data_folder import open_log
from passline.store.database import columns_to_write
from passline.store.log import Appended, Known, LogError
from passline.store.sealed import stored_of
from passline.store.sqlite import SqliteLog
from passline.store.upkeep.archiving import archive_entries, finish_archiving
from passline.store.verify import verify_log
from passline.tables.verify import decision_faults
from tests.cases import one_in
from tests.store.conftest import Place
from tests.store.drafts import TABLE, draft

COUNT = 300
CUT = "2026-11-15T08:04:00.000000Z"  # before draft 240
FIRST_AT = "2026-11-14T08:00:00.000000Z"


def decision_faults_of_segments(log: DatabaseLog) -> list[str]:
    """Return what is said of archived segments when every decision of a log is checked."""
    return [fault.what for fault in decision_faults(log.read()) if "segment" in fault.what]


class Crash(Exception):
    """The process ends here."""


@pytest.fixture
def log(kept_place: Place) -> Iterator[DatabaseLog]:
    """A log of a table with hands of ten entries, some of them in one commit, and of another table; in each store."""
    yield from _log_in(kept_place.data, kept_place.database)


@pytest.fixture
def sqlite_log(tmp_path: Path) -> Iterator[DatabaseLog]:
    """The same log in SQLite."""
    yield from _log_in(tmp_path)


def _log_in(data: Path, database: str = "") -> Iterator[DatabaseLog]:
    log = open_log(data, database, at=FIRST_AT)
    assert isinstance(log, DatabaseLog)
    for first in range(0, COUNT, 60):
        log.append([draft(at, hand=1 + at // 10) for at in range(first, first + 60)])
    log.append([draft(at, stream="table/two") for at in range(5)])
    yield log
    log.close()


def archive(log: DatabaseLog, before: str = CUT, entries_max: int = 100) -> int:
    return len(archive_entries(log, before, by="ann", entries_max=entries_max))


def in_database(log: DatabaseLog) -> int:
    return int(log.query(f"SELECT COUNT(*) FROM {log.schema}entries")[0][0])  # noqa: S608 - names of this test


def open_again(place: Place) -> DatabaseLog:
    """Open the log as another process does."""
    log = place.open()
    assert isinstance(log, DatabaseLog)
    return log


def replace_file(log: DatabaseLog, name: str, data: bytes) -> None:
    """Write other bytes into a file of the archive."""
    with log.archived.files.write(name) as file:
        file.write(data)


def test_a_log_reads_as_before_when_entries_are_archived(log: DatabaseLog) -> None:
    before, two = list(log.rows()), list(log.read_stream("table/two"))
    hands = {hand: list(log.read_stream(TABLE, hand=hand)) for hand in (1, 12, 23, 24, 25, 30)}
    streams = log.streams()
    assert archive(log) == 3  # the first day has the log's beginning alone
    assert in_database(log) == 60 + len(two) + 3 + 1  # newer ones, and the first
    assert list(log.rows())[: len(before)] == before
    for after, until in ((0, 1), (0, 50), (7, 300), (100, 102), (239, 260), (240, 0), (400, 500)):
        wanted = [row for row in before if row.columns and after < row.columns[0] <= (until or len(before))]
        assert list(log.rows(after=after, until=until))[: len(wanted)] == wanted
    assert [stored.entry.version for stored in log.read_stream(TABLE, after=17)] == [*range(18, COUNT + 1)]
    assert {hand: list(log.read_stream(TABLE, hand=hand)) for hand in hands} == hands
    assert list(log.read_stream("table/two")) == two
    assert log.streams() == streams | {"house": streams["house"] + 3}
    found = log.find(TABLE, "Ann", "Ann-20")
    assert found is not None
    assert found.entry.version == 21
    assert log.find(TABLE, "Ann", "Ann-2000") is None
    assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact


def test_an_archived_id_acts_once(log: DatabaseLog) -> None:
    archive(log)
    (again,) = log.append([draft(3)])
    assert isinstance(again, Known)
    assert again.stored.entry.version == 4
    (new,) = log.append([draft(COUNT)])  # from here on it is judged by what the connection recalls
    assert isinstance(new, Appended)
    (again,) = log.append([draft(COUNT + 1, name="Ann-7")])
    assert isinstance(again, Known)
    assert again.stored.entry.version == 8
    assert log.begin_append([draft(COUNT + 1, name="Ann-9")]) is None


def test_a_house_plays_on_in_another_process_while_entries_are_archived(log: DatabaseLog, kept_place: Place) -> None:
    server = open_again(kept_place)
    server.append([draft(COUNT)])
    archive(log)
    results = server.append([draft(COUNT + 1), draft(6)])
    assert [type(result) for result in results] == [Appended, Known]
    assert [stored.entry.version for stored in server.read_stream(TABLE)] == [*range(1, COUNT + 3)]
    assert verify_log(server.rows(), server.public_key, server.head()).is_intact
    server.close()


@pytest.mark.parametrize("hand", [None, 10])
def test_a_segment_that_appears_while_a_stream_is_read_is_read_once(
    log: DatabaseLog, monkeypatch: pytest.MonkeyPatch, hand: int | None
) -> None:
    """Another process notes it, and has not deleted its rows yet."""
    before = list(log.read_stream(TABLE, hand=hand))
    archive(log, "2026-11-15T08:01:00.000000Z")
    newest, found = log.archived.last_version, list[int]()

    def archive_more(stream: str) -> int:
        found.append(newest(stream))
        with monkeypatch.context() as patched:
            patched.setattr("passline.store.upkeep.archiving._delete_rows", lambda _log, _until: None)
            archive(log)
        return found[-1]

    monkeypatch.setattr(log.archived, "last_version", archive_more)
    assert list(log.read_stream(TABLE, hand=hand)) == before
    assert found[0] < newest(TABLE)


def test_archiving_goes_on_where_it_ended(log: DatabaseLog) -> None:
    archive(log, "2026-11-15T08:02:00.000000Z")
    assert archive(log) == 1
    assert archive(log) == 0
    numbers = [segment.number for segment in log.archived.segments()]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact


def test_a_restored_house_packs_its_archive_anew(
    sqlite_log: DatabaseLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = sqlite_log
    archive(log)
    restored = open_log(tmp_path / "restored", at=FIRST_AT)
    assert isinstance(restored, SqliteLog)
    log.close()
    restored.close()
    for name in ("log.sqlite", "log.key", "house.json"):
        shutil.copy(tmp_path / name, tmp_path / "restored" / name)
    unpacked = open_log(tmp_path)
    with closing(sqlite3.connect(tmp_path / "restored" / "log.sqlite")) as file, file:  # as a backup brings it
        file.execute("DROP TRIGGER entries_stay")
        for table in ("archives", "archived_streams", "archived_ids", "entries"):
            file.execute(f"DELETE FROM {table}")  # noqa: S608 - names of this test
        rows = [columns_to_write(stored_of(row)) for row in unpacked.rows()]
        file.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    unpacked.close()
    monkeypatch.setattr("passline.store.archived.segment._LEVEL", 1)  # as another zlib packs it
    again = open_log(tmp_path / "restored")
    assert isinstance(again, SqliteLog)
    assert archive(again) == 0
    assert [segment.last for segment in again.archived.segments()] == [1, 121, 241]
    assert not list(again.archived.faults())
    assert not list(decision_faults_of_segments(again))
    assert verify_log(again.rows(), again.public_key, again.head()).is_intact
    assert archive(again) == 0
    again.close()


def test_rows_that_are_not_archived_cannot_be_deleted(log: DatabaseLog) -> None:
    archive(log)
    for sequence in (290, 2):  # one that stays, and one of two that goes already
        archived_too = f"DELETE FROM {log.schema}entries WHERE sequence >= ?"  # noqa: S608 - names of this test
        with pytest.raises(LogError, match="the log only grows"), log.archive_alone(), log.begin_archiving() as run:
            run(archived_too, (sequence,))


def test_only_one_archives_at_a_time(log: DatabaseLog, kept_place: Place) -> None:
    other = open_again(kept_place)
    with log.archive_alone(), pytest.raises(LogError, match="another process archives this log"):
        archive(other)
    assert archive(other) == 3


WRITES = {
    "sqlite": "passline.store.archived.files.sync_folder",
    "postgres": "passline.store.archived.postgres_files._NewParts.end",
}
STEPS = (
    "write",
    "passline.store.upkeep.archiving._record",
    "passline.store.upkeep.archiving._take",
    "passline.store.upkeep.archiving._note_segment",
    "passline.store.upkeep.archiving._delete_rows",
    "passline.store.upkeep.archiving.id_key",
)


@pytest.mark.parametrize("step", one_in(3, STEPS, others=pytest.mark.whole))
def test_a_crash_at_any_step_loses_nothing(
    log: DatabaseLog, kept_place: Place, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before = list(log.rows())

    def crash(*_given: object, **_named: object) -> None:
        raise Crash

    with monkeypatch.context() as patched:
        patched.setattr(WRITES[kept_place.kind] if step == "write" else step, crash)
        with pytest.raises(Crash):
            archive(log)
    again = open_again(kept_place)
    assert list(again.rows())[: len(before)] == before
    assert isinstance(again.append([draft(3)])[0], Known)
    archive(again)
    finish_archiving(again, by="ann")
    assert sum(segment.last - segment.first + 1 for segment in again.archived.segments()) == 241
    assert in_database(again) <= 60 + 5 + 5 + 1
    assert list(again.rows())[: len(before)] == before
    assert verify_log(again.rows(), again.public_key, again.head(), every_seal=True).is_intact
    again.close()


def test_blocks_are_read_one_by_one_and_zcat_reads_the_file(log: DatabaseLog, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(log.rows())
    monkeypatch.setattr("passline.store.archived.segment.BLOCK_BYTES", 4_000)
    assert BLOCK_BYTES > 100_000
    archive(log, entries_max=1000)
    file = log.archived.file_with(200)
    assert file is not None
    assert len(file.blocks()) > 5
    assert list(log.rows())[: len(before)] == before
    text, packed = b"", b"".join(log.archived.files.parts(file.segment.name))
    while packed:
        unpacker = zlib.decompressobj(31)
        text += unpacker.decompress(packed)
        packed = unpacker.unused_data
    bodies = [row.body for row in before if row.columns and file.segment.first <= row.columns[0] <= file.segment.last]
    assert [line[line.index(b"{") :] for line in text.splitlines()[:-1]] == bodies


def test_a_changed_byte_is_located(log: DatabaseLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.store.archived.segment.BLOCK_BYTES", 4_000)
    archive(log, entries_max=1000)
    file = log.archived.file_with(200)
    assert file is not None
    packed = bytearray(b"".join(log.archived.files.parts(file.segment.name)))
    block = next(block for block in file.blocks() if block.first <= 100 <= block.last)
    packed[block.offset + block.size // 2] ^= 1
    replace_file(log, file.segment.name, bytes(packed))
    with pytest.raises(LogError, match="is not the file that the log names"):
        file.check_file()
    rows = list(file.checked_rows())
    [wrong] = [row.fault for row in rows if row.fault]
    assert f"entries {block.first:,} to {block.last:,} were changed or lost" in wrong
    assert len(rows) - 1 == file.segment.last - file.segment.first - (block.last - block.first)


def test_a_forged_block_is_refused_before_memory_is_full(log: DatabaseLog, monkeypatch: pytest.MonkeyPatch) -> None:
    archive(log, entries_max=1000)
    file, rows = log.archived.file_with(200), list(log.rows())
    assert file is not None
    monkeypatch.setattr(segment, "_UNPACKED_MAX", 1 << 20)
    [block] = file.blocks()
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(32)) + packer.flush()
    directory = json.encode([replace(block, size=len(bomb))])
    forged = replace(file.segment, directory=len(bomb), size=len(bomb) + len(segment._pack(directory)))
    replace_file(log, file.segment.name, bomb + segment._pack(directory))
    tracemalloc.start()
    [row] = SegmentFile(log.archived.files, forged).checked_rows()
    with pytest.raises(LogError, match="forged"):
        list(SegmentFile(log.archived.files, forged).ids())
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()
    assert "it unpacks to more than 1,048,576 bytes: it was forged" in row.fault
    monkeypatch.setattr(segment, "_UNPACKED_MAX", 100)
    with pytest.raises(LogError, match="more than the 100 that a block"):
        write_segment(rows, EMPTY, log.archived.files, 9)


@pytest.mark.parametrize(
    "forged",
    one_in(
        3,
        [{"offset": 1}, {"size": 1 << 50}, {"first": 3}, {"last": 1}, {"hash": "zz"}, {"seal": "0"}, {"size": -1}],
        others=pytest.mark.whole,
    ),
    ids=str,
)
def test_a_forged_directory_is_refused_by_name(log: DatabaseLog, forged: dict[str, Any]) -> None:
    archive(log, entries_max=1000)
    file = log.archived.file_with(200)
    assert file is not None
    blocks, data = file.blocks(), b"".join(log.archived.files.parts(file.segment.name))
    packed = segment._pack(json.encode([replace(blocks[0], **forged), *blocks[1:]]))
    replace_file(log, file.segment.name, data[: file.segment.directory] + packed)
    named = replace(file.segment, size=file.segment.directory + len(packed), digest=str(forged))
    [row] = SegmentFile(log.archived.files, named).checked_rows()
    assert "its directory cannot be read" in row.fault


def test_a_lost_id_that_could_act_again_is_found(log: DatabaseLog) -> None:
    archive(log)
    assert list(log.archived.faults()) == []
    with log.archive_alone(), log.begin_archiving() as run:
        run(f"DELETE FROM {log.schema}archived_ids WHERE sequence IN (7, 8, 150)", ())  # noqa: S608 - names of this test
    twice = "a command sent again would act again"
    assert list(log.archived.faults()) == [
        f"the table archived_ids lacks 2 ids of entries in 000002.gz, between 2 and 121: {twice}",
        f"the table archived_ids lacks 1 id of an entry in 000003.gz, between 122 and 241: {twice}",
    ]
