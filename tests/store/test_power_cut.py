"""The power is cut at any write: acknowledged entries are there once, other commits completely or not at all."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from passline.store.log import LogError
from passline.store.sqlite import SqliteLog
from passline.store.verify import verify_log
from tests.cases import one_in
from tests.store.disk import Disk
from tests.store.power import KEY, SIZES, Witness, check_survivor, cut_power, writes

pytestmark = pytest.mark.long

CUTS_EACH = 20
SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 25))]


def test_without_a_cut_everything_is_there(tmp_path: Path) -> None:
    disk, witness = Disk(), Witness()
    witness.append(disk)
    disk.save(tmp_path, Random(0))
    log = SqliteLog(tmp_path / "log.sqlite", KEY)
    assert log.head() == witness.head
    assert len(witness.acknowledged) == sum(SIZES)
    assert verify_log(log.rows(), KEY.public, witness.head, every_seal=True).is_intact
    log.close()


@pytest.mark.parametrize("seed", one_in(2, SEEDS, others=pytest.mark.whole))
def test_a_cut_loses_and_repeats_nothing_that_was_acknowledged(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    for number in range(CUTS_EACH):
        folder = tmp_path / str(number)
        folder.mkdir()
        check_survivor(folder, cut_power(folder, random))


def test_a_disk_that_lies_about_syncs_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests can fail: a disk that lies about syncs loses entries."""
    monkeypatch.setattr("tests.store.disk.StoredFile.sync", lambda _file: None)
    random, lost = Random("liar"), 0
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        witness = cut_power(folder, random, first=writes() // 2)
        try:
            check_survivor(folder, witness)
        except (AssertionError, LogError):
            lost += 1
    assert lost
