"""A log is read from anywhere, without creating or changing anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from passline.store.data_folder import open_log
from passline.store.entry import LogRow
from passline.store.export import write_jsonl
from passline.store.log import LogError
from passline.store.log_source import entries_of_streams, open_source
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from tests.cases import one_in
from tests.postgres import PostgresServer
from tests.store.conftest import Place
from tests.store.drafts import draft

pytestmark = pytest.mark.long


@pytest.mark.parametrize("place", one_in(2, ["sqlite", "postgres"], others=pytest.mark.whole), indirect=True)
def test_a_log_is_read_while_it_is_written(place: Place) -> None:
    log = place.open()
    log.append([draft(index) for index in range(2500)])
    with open_source(place.database or str(place.data)) as source:
        lines = source.rows()
        next(lines)
        log.append([draft(2500)])  # what is read is a snapshot
        assert len([*lines]) == 2500
        assert verify_log(source.rows(), log.public_key, log.head()).is_intact
        assert source.damages() == []
        assert [stored_of(line) for line in source.rows()] == list(log.read())


@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)
def test_some_streams_are_read_without_the_others(place: Place, tmp_path: Path) -> None:
    """A database is asked for them alone, an export is gone through; either way each stream is in order."""
    log = place.open()
    log.append([draft(index, stream=stream) for index in range(70) for stream in ("people", "office/one", "table/one")])
    log.append([draft(index, stream="office/two") for index in range(30)])
    expected = [stored.entry for name in ("office/one", "office/two", "people") for stored in log.read_stream(name)]
    write_jsonl(_rows(place.database or str(place.data)), tmp_path / "log.jsonl")
    for name in (place.database or str(place.data), str(tmp_path / "log.jsonl")):
        with open_source(name) as source:
            found = [*entries_of_streams(source, "people", "office")]
            asked = [*source.rows_of("people")] if source.rows_of else []
        assert sorted(found, key=lambda entry: (entry.stream, entry.version)) == expected
        assert len(asked) in ({0} if name.endswith(".jsonl") else {70}), "nothing else is read"


def test_a_version_that_is_missing_of_a_stream_is_named(tmp_path: Path) -> None:
    log = open_log(tmp_path / "house")
    log.append([draft(index, stream="people") for index in range(3)])
    log.close()
    with closing(sqlite3.connect(tmp_path / "house" / "log.sqlite")) as connection, connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("DELETE FROM entries WHERE stream = 'people' AND version = 2")
    with open_source(str(tmp_path / "house")) as source, pytest.raises(LogError, match="people: version 2 is missing"):
        [*entries_of_streams(source, "people")]


def _rows(name: str) -> list[LogRow]:
    with open_source(name) as source:
        return [*source.rows()]


def test_reading_a_file_leaves_no_trace(tmp_path: Path) -> None:
    log = open_log(tmp_path / "a house?#%")
    log.append([draft(0)])
    log.close()
    path = tmp_path / "a house?#%" / "log.sqlite"
    before = sorted((file.name, file.read_bytes()) for file in path.parent.iterdir())
    for name in (path, path.parent):
        with open_source(str(name)) as source:
            assert verify_log(source.rows(), log.public_key).is_intact
    assert sorted((file.name, file.read_bytes()) for file in path.parent.iterdir()) == before


def test_a_write_ahead_log_left_by_a_crash_is_read(tmp_path: Path) -> None:
    log = open_log(tmp_path / "house")
    log.append([draft(0)])
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("log.sqlite", "log.sqlite-wal"):
        (copy / name).write_bytes((tmp_path / "house" / name).read_bytes())
    with open_source(str(copy)) as source:
        assert verify_log(source.rows(), log.public_key, log.head()).is_intact
    log.close()


def test_a_damaged_index_is_reported(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    log.append([draft(index) for index in range(5)])
    log.close()
    path = tmp_path / "log.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries_by_id'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    at = content.rindex(b"Ann-3", (page - 1) * size, page * size)
    content[at + 4 : at + 5] = b"9"
    path.write_bytes(content)
    with open_source(str(path)) as source:
        assert verify_log(source.rows()).is_intact
        assert any("entries_by_id" in damage for damage in source.damages())


def test_what_is_not_a_log_is_refused_or_reported(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "nothing.jsonl"):
        with pytest.raises(LogError, match="no such file"), open_source(str(name)):
            pass
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE wagers (cents INTEGER)")
    with pytest.raises(LogError, match="no such table: entries"), open_source(str(other)) as source:
        list(source.rows())
    text = tmp_path / "text"
    text.write_text("once upon a time\n", encoding="utf-8")
    with pytest.raises(LogError, match="text: is not a log: give a data folder"), open_source(str(text)):
        pass


def test_a_database_without_a_log_is_refused_and_unchanged(postgres: PostgresServer) -> None:
    url = postgres.database()
    with pytest.raises(LogError, match=r'relation "passline\.entries" does not exist'), open_source(url) as source:
        list(source.rows())
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT to_regnamespace('passline')").fetchone() == (None,)
