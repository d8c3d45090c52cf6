"""Power is cut at any write: what was acknowledged is there once, what was not is there whole or not at all."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import pytest

from passline.store.entry import Draft, Head
from passline.store.keys import SigningKey
from passline.store.log import Done, Known, LogError
from passline.store.sqlite import SqliteLog
from passline.store.verify import verify_log
from tests.store.drafts import draft
from tests.store.power import Disk, connected_to

KEY = SigningKey(bytes(range(32)))
SEEDS, CUTS_EACH = 25, 20
SIZES = (1, 1, 4, 1, 2, 1, 1, 7, 1, 1, 1, 3, 1, 1, 20, 1, 1, 2, 1, 1)


class Witness:
    """What somebody outside was told before the power went: entries by id, the newest head, and what was on its way."""

    def __init__(self) -> None:
        self.told: dict[str, int] = {}
        self.head: Head | None = None
        self.asked: list[Draft] = []

    def watch(self, disk: Disk) -> None:
        """Append until everything is in or the power goes."""
        log = SqliteLog(Path("log.sqlite"), KEY, connect=connected_to(disk), log_id="cut", at="2026-11-15T07:00:00Z")
        version = 0
        with closing(log):
            for size in SIZES:
                self.asked = [draft(version + index) for index in range(size)]
                for outcome in log.append(self.asked):
                    assert isinstance(outcome, Done)
                    self.told[outcome.stored.entry.id] = outcome.stored.entry.sequence
                    self.head = outcome.head
                version += size
            self.asked = []


@cache
def writes() -> int:
    """How many writes and syncs all of it takes."""
    disk = Disk()
    Witness().watch(disk)
    return disk.done


def test_a_disk_that_keeps_its_power_has_everything(tmp_path: Path) -> None:
    disk, witness = Disk(), Witness()
    witness.watch(disk)
    disk.save(tmp_path, Random(0))
    log = SqliteLog(tmp_path / "log.sqlite", KEY)
    assert log.head() == witness.head
    assert len(witness.told) == sum(SIZES)
    assert verify_log(log.lines(), KEY.public, witness.head, every_seal=True).is_intact
    log.close()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_cut_loses_and_doubles_nothing_that_was_acknowledged(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    for number in range(CUTS_EACH):
        disk, witness = Disk(cut_at=random.randint(1, writes())), Witness()
        with pytest.raises(LogError):
            witness.watch(disk)
        folder = tmp_path / str(number)
        folder.mkdir()
        disk.save(folder, random)
        check(folder, witness)


def check(folder: Path, witness: Witness) -> None:
    """Open what survived by the standard library's SQLite, compare, and go on from there."""
    log = SqliteLog(folder / "log.sqlite", KEY, log_id="cut", at="2026-11-15T07:00:00Z")
    found = {stored.entry.id: stored.entry.sequence for stored in log.read(after=1)}
    assert found.items() >= witness.told.items()
    unanswered = [one.id for one in witness.asked if one.id not in witness.told]
    assert found.keys() - witness.told.keys() in (set(), set(unanswered))
    assert verify_log(log.lines(), KEY.public, witness.head, every_seal=True).is_intact
    kind = Known if unanswered and unanswered[0] in found else Done
    assert all(isinstance(outcome, kind) for outcome in log.append(witness.asked))
    ids = [stored.entry.id for stored in log.read(after=1)]
    assert ids == [f"Ann-{index}" for index, _ in zip(count(), ids, strict=False)]
    assert verify_log(log.lines(), KEY.public, log.head(), every_seal=True).is_intact
    log.close()


def test_a_disk_that_forgets_what_it_synced_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the disk to lie about syncs, entries would be lost: so these tests can fail."""
    monkeypatch.setattr("tests.store.power._File.sync", lambda _file: None)
    random, lost = Random("liar"), 0
    for number in range(20):
        disk, witness = Disk(cut_at=random.randint(writes() // 2, writes())), Witness()
        with pytest.raises(LogError):
            witness.watch(disk)
        folder = tmp_path / str(number)
        folder.mkdir()
        disk.save(folder, random)
        try:
            check(folder, witness)
        except (AssertionError, LogError):
            lost += 1
    assert lost
