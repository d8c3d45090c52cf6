"""The regulator's folder of a gaming day: written from the log, proved unaltered, one changed byte located."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from msgspec import json

from passline.errors import CrapsError
from passline.office.folder import MANIFEST, Manifest, folder_faults, write_folder
from passline.store.export import row_from_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.sealed import stored_of
from tests.office.logged_day import log_day

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    """A log with the money of two days."""
    made = MemoryLog(SigningKey(bytes(32)), at="2026-01-01T00:00:00.000000Z")
    log_day("practice_money", made)
    return made


@pytest.fixture(scope="module")
def written(log: MemoryLog, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Manifest]:
    """The folder of its second day."""
    to = tmp_path_factory.mktemp("folders") / "day"
    return to, write_folder(log, "practice", DAY, to)


def test_a_folder_holds_the_day_and_is_proved_by_the_key_alone(
    log: MemoryLog, written: tuple[Path, Manifest], tmp_path: Path
) -> None:
    folder, manifest = written
    assert {"entries.jsonl", "day.pdf", "day.xlsx"} <= {*manifest.files}
    assert folder_faults(folder, log.public_key) == []
    rows = [row_from_json(line) for line in (folder / "entries.jsonl").read_bytes().splitlines(keepends=True)]
    sequences = [stored_of(row).entry.sequence for row in rows]
    assert sequences == list(range(manifest.first - 1 or 1, manifest.last + 1))
    assert all(manifest.begins <= stored_of(row).entry.at < manifest.ends for row in rows[manifest.first > 1 :])
    again = write_folder(log, "practice", DAY, tmp_path / "again")
    assert again == manifest
    with pytest.raises(CrapsError, match="is there already"):
        write_folder(log, "practice", DAY, tmp_path / "again")


def test_a_folder_of_another_house_is_told_from_this_one(written: tuple[Path, Manifest]) -> None:
    faults = folder_faults(written[0], SigningKey(bytes([1]) * 32).public)
    assert any("not with the given one" in one for one in faults)


def test_every_changed_byte_is_located(written: tuple[Path, Manifest], log: MemoryLog, tmp_path: Path) -> None:
    folder, manifest = written
    for name in (*manifest.files, MANIFEST):
        data = (folder / name).read_bytes()
        for place in {0, 1, len(data) // 3, len(data) // 2, len(data) - 2, len(data) - 1}:
            copy = tmp_path / "copy"
            shutil.copytree(folder, copy)
            changed = bytearray(data)
            changed[place] ^= 1
            (copy / name).write_bytes(changed)
            faults = folder_faults(copy, log.public_key)
            assert faults, f"{name}: byte {place}"
            assert all(one.startswith(f"{name}: ") for one in faults) or name == MANIFEST, faults
            assert any(one.startswith(f"{name}: ") for one in faults), faults
            shutil.rmtree(copy)


def test_a_changed_entry_is_named(written: tuple[Path, Manifest], tmp_path: Path) -> None:
    folder, manifest = written
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    text = (copy / "entries.jsonl").read_bytes()
    (copy / "entries.jsonl").write_bytes(text.replace(b'"reason":"not needed"', b'"reason":"not wanted"'))
    named = next(
        stored_of(row_from_json(line)).entry.sequence
        for line in text.splitlines(keepends=True)
        if b'"reason":"not needed"' in line
    )
    assert any(f"entry {named} has a hash" in one for one in folder_faults(copy))
    (copy / "entries.jsonl").write_bytes(text)
    (copy / "day.pdf").unlink()
    (copy / "note.txt").write_text("put in later")
    assert folder_faults(copy) == ["day.pdf: is missing", "note.txt: does not belong to the folder"]
    assert manifest.first


def test_a_day_without_entries_and_one_that_is_not_over_are_said(log: MemoryLog, tmp_path: Path) -> None:
    quiet = write_folder(log, "practice", date(2026, 2, 1), tmp_path / "quiet")
    assert (quiet.first, quiet.last, quiet.is_over) == (0, 0, True)
    assert folder_faults(tmp_path / "quiet", log.public_key) == []
    running = write_folder(log, "practice", date(2026, 3, 3), tmp_path / "running")
    assert not running.is_over
    assert folder_faults(tmp_path / "running", log.public_key) == []
    with pytest.raises(CrapsError, match="nothing is in the log since"):
        write_folder(log, "practice", date(2030, 1, 1), tmp_path / "later")
    with pytest.raises(CrapsError, match="is not set up"):
        write_folder(log, "arizona", DAY, tmp_path / "other")
    (tmp_path / "quiet" / MANIFEST).write_bytes(json.encode({"files": {}}))
    assert folder_faults(tmp_path / "quiet")[0].startswith(f"{MANIFEST}: was changed")
