"""A log whose power is cut, and what was acknowledged before."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

from passline.store.entry import Draft, Head
from passline.store.keys import SigningKey
from passline.store.log import Appended, Known, LogError
from passline.store.sqlite import SqliteLog
from passline.store.verify import verify_log
from tests.store.disk import Disk, connector_to
from tests.store.drafts import draft

KEY = SigningKey(bytes(range(32)))
SIZES = (1, 1, 4, 1, 2, 1, 1, 7, 1, 1, 1, 3, 1, 1, 20, 1, 1, 2, 1, 1)


class Witness:
    """What was acknowledged before the cut: entries by id, the newest head, and the unanswered drafts."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        self.head: Head | None = None
        self.sent: list[Draft] = []

    def append(self, disk: Disk) -> None:
        """Append everything, or until the power is cut."""
        log = SqliteLog(Path("log.sqlite"), KEY, connect=connector_to(disk), log_id="cut", at="2026-11-15T07:00:00Z")
        version = 0
        with closing(log):
            for size in SIZES:
                self.sent = [draft(version + index) for index in range(size)]
                for result in log.append(self.sent):
                    assert isinstance(result, Appended)
                    self.acknowledged[result.stored.entry.id] = result.stored.entry.sequence
                    self.head = result.head
                version += size
            self.sent = []


@cache
def writes() -> int:
    """Return how many writes and syncs all of it takes."""
    disk = Disk()
    Witness().append(disk)
    return disk.done


def cut_power(folder: Path, random: Random, first: int = 1) -> Witness:
    """Write a log until the power is cut at some write after the first ones; save what is left of it in a folder."""
    disk, witness = Disk(cut_at=random.randint(first, writes())), Witness()
    try:
        witness.append(disk)
    except LogError:
        disk.save(folder, random)
        return witness
    raise AssertionError("the power was not cut")


def check_survivor(folder: Path, witness: Witness) -> None:
    """Open what survived with the standard library's SQLite, compare it, and continue from there."""
    log = SqliteLog(folder / "log.sqlite", KEY, log_id="cut", at="2026-11-15T07:00:00Z")
    found = {stored.entry.id: stored.entry.sequence for stored in log.read(after=1)}
    assert found.items() >= witness.acknowledged.items()
    unanswered = [one.id for one in witness.sent if one.id not in witness.acknowledged]
    assert found.keys() - witness.acknowledged.keys() in (set(), set(unanswered))
    assert verify_log(log.rows(), KEY.public, witness.head, every_seal=True).is_intact
    kind = Known if unanswered and unanswered[0] in found else Appended
    assert all(isinstance(result, kind) for result in log.append(witness.sent))
    ids = [stored.entry.id for stored in log.read(after=1)]
    assert ids == [f"Ann-{index}" for index, _ in zip(count(), ids, strict=False)]
    assert verify_log(log.rows(), KEY.public, log.head(), every_seal=True).is_intact
    log.close()
