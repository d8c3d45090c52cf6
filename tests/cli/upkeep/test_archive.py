"""`passline archive`: verify reads an archived log like any other, and finds what was changed in its files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from passline.cli.main import main
from passline.store.data_folder import open_log
from passline.store.keys import SigningKey
from passline.store.log_source import entries_of_streams, open_source
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey
from passline.store.upkeep.restore import restore_backup
from passline.store.verify import verify_log
from tests.postgres import PostgresServer
from tests.store.drafts import draft

LONG_AGO = "2020-01-14T08:00:00.000000Z"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The data folder of a house whose log begins long before today, with nothing in it that needs rules."""
    data = tmp_path / "house"
    log = open_log(data, at=LONG_AGO)
    log.append([replace(draft(version, stream="invented"), at=LONG_AGO) for version in range(200)])
    log.close()
    return data


def archive(data: Path, capsys: pytest.CaptureFixture[str], days: int = 7) -> str:
    assert main(["archive", "--data", str(data), "--keep-days", str(days)]) == 0
    return capsys.readouterr().out


def bodies(data: Path | str) -> list[bytes]:
    with open_source(str(data)) as source:
        return [row.body for row in source.rows()]


def faults(data: Path | str) -> list[str]:
    with open_source(str(data)) as source:
        report = verify_log(source.rows())
        return [*(fault.what for fault in report.faults), *source.damages()]


def test_an_archived_log_is_verified_exported_and_backed_up_like_any_other(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = bodies(house)
    assert "000001.gz: entries 1 to 201," in archive(house, capsys)
    assert archive(house, capsys).startswith("0 files in")
    assert bodies(house)[: len(before)] == before
    with open_source(str(house)) as source:
        assert [entry.version for entry in entries_of_streams(source, "invented")] == [*range(1, 201)]
    assert faults(house) == []
    assert main(["export", str(house), "--to", str(tmp_path / "log.jsonl")]) == 0
    with open_source(str(tmp_path / "log.jsonl")) as source:
        assert [row.body for row in source.rows()] == bodies(house)
    key = FileKey(SigningKey.new().derive("a backup"))
    back_up(tmp_path / "backup", key, house)
    restore_backup(tmp_path / "backup", key, tmp_path / "restored", by="ann", reason="a test")
    assert bodies(tmp_path / "restored")[: len(before)] == before
    assert "0 files" in archive(tmp_path / "restored", capsys)  # those on record are made again
    assert faults(tmp_path / "restored") == []


def test_a_changed_or_lost_file_is_found_and_named(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive(house, capsys)
    path = house / "archive" / "000001.gz"
    packed = path.read_bytes()
    path.write_bytes(packed[:500] + bytes([packed[500] ^ 1]) + packed[501:])
    assert main(["verify", str(house)]) == 1
    told = capsys.readouterr().out
    assert "archive/000001.gz, which has entries 1 to 201: its entries 1 to 201 were changed or lost" in told
    assert "is not the file that the log names by its SHA-256" in told
    path.unlink()
    assert any("archive/000001.gz" in fault for fault in faults(house))
    path.write_bytes(packed)
    assert faults(house) == []


def test_what_the_database_says_of_archived_entries_is_held_against_the_log(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(house, capsys)
    with closing(sqlite3.connect(house / "log.sqlite")) as file, file:
        file.execute("UPDATE archived_streams SET last_hand = 7 WHERE stream = 'invented'")
    assert faults(house) == ["the table archived_streams has other versions or hands of 000001.gz than that file"]


def test_days_that_may_not_be_closed_stay(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "--data", str(house), "--keep-days", "2"]) == 2
    assert "keep-days" in capsys.readouterr().err


def test_a_log_in_postgresql_is_archived_verified_exported_and_backed_up_like_any_other(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, database = tmp_path / "house", postgres.database()
    log = open_log(data, database, at=LONG_AGO)
    log.append([replace(draft(version, stream="invented"), at=LONG_AGO) for version in range(200)])
    log.close()
    before, place = bodies(database), ("--data", str(data), "--database", database)
    assert main(["archive", *place, "--keep-days", "7"]) == 0
    told = capsys.readouterr().out
    assert "000001.gz: entries 1 to 201," in told
    assert "1 file in the database" in told
    assert not (data / "archive").exists()
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT COUNT(*) FROM passline.entries").fetchone() == (3,)  # newest and first
    assert bodies(database)[: len(before)] == before
    assert faults(database) == []
    assert main(["export", database, "--to", str(tmp_path / "log.jsonl")]) == 0
    assert bodies(tmp_path / "log.jsonl") == bodies(database)
    with open_source(database) as source:
        assert [entry.version for entry in entries_of_streams(source, "invented")] == [*range(1, 201)]
    assert main(["purge", *place, "--dry-run"]) == 0
    assert "000001.gz: entries 1 to 201" in capsys.readouterr().out
    key = FileKey(SigningKey.new().derive("a backup"))
    back_up(tmp_path / "backup", key, data, database)
    restored = postgres.database()
    restore_backup(tmp_path / "backup", key, tmp_path / "there", restored, by="ann", reason="a test")
    restore_backup(tmp_path / "backup", key, tmp_path / "here", by="ann", reason="a test")
    houses: list[tuple[Path | str, tuple[str, ...]]] = [
        (restored, ("--data", str(tmp_path / "there"), "--database", restored)),
        (tmp_path / "here", ("--data", str(tmp_path / "here"))),
    ]
    for log_, options in houses:
        assert bodies(log_)[: len(before)] == before
        assert main(["archive", *options]) == 0  # what is on record is packed again
        assert "0 files" in capsys.readouterr().out
        assert bodies(log_)[: len(before)] == before
        assert faults(log_) == []


def test_a_changed_or_lost_part_in_postgresql_is_found_and_named(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = postgres.database()
    log = open_log(tmp_path, database, at=LONG_AGO)
    log.append([replace(draft(version, stream="invented"), at=LONG_AGO) for version in range(200)])
    log.close()
    assert main(["archive", "--data", str(tmp_path), "--database", database]) == 0
    flip = (
        "UPDATE passline.archive_parts SET data = set_byte(data, 500, get_byte(data, 500) # 1) WHERE name = '000001.gz'"
    )
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(flip.encode())
        capsys.readouterr()
        assert main(["verify", database]) == 1
        told = capsys.readouterr().out
        assert (
            "000001.gz in the database, which has entries 1 to 201: its entries 1 to 201 were changed or lost" in told
        )
        assert "is not the file that the log names by its SHA-256" in told
        connection.execute(flip.encode())
        assert faults(database) == []
        connection.execute("UPDATE passline.archived_streams SET last_hand = 7 WHERE stream = 'invented'")
        assert "other versions or hands of 000001.gz" in faults(database)[0]
        connection.execute("DELETE FROM passline.archive_parts WHERE name = '000001.gz'")
    assert any("missing in the table archive_parts" in fault for fault in faults(database))
