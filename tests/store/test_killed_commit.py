"""A process that is killed in a commit leaves what it never synced: whoever opens the log next makes it durable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from passline.store.log import LogError
from passline.store.sqlite import SqliteLog
from tests.store.disk import Disk, PowerCut, connector_to
from tests.store.drafts import draft
from tests.store.power import KEY


class KilledAtSync(Disk):
    """A disk whose process is killed before the next sync: the system keeps what it wrote."""

    kills = False

    def act(self, what: str) -> None:
        if self.kills and what == "sync":
            raise PowerCut


@contextmanager
def _opened(disk: Disk) -> Iterator[SqliteLog]:
    """Open the log of a disk; its process is killed at the end, so that nothing more is written."""
    log = SqliteLog(Path("log.sqlite"), KEY, connect=connector_to(disk), log_id="kill", at="2026-11-15T07:00:00Z")
    yield log
    disk.is_cut = True
    with suppress(LogError):
        log.close()


def _on(disk: Disk, *, is_synced: bool) -> Disk:
    """Return a disk with what another one has; `is_synced`: only with what reached the platter."""
    left = Disk()
    left.files = disk.files
    for file in left.files.values() if is_synced else ():
        file.now, file.pending = bytearray(file.durable), []
    return left


def test_what_a_killed_process_wrote_is_durable_before_anybody_reads_it() -> None:
    killed = KilledAtSync()
    with _opened(killed) as log:
        log.append([draft(0)])
        killed.kills = True
        with pytest.raises(LogError):
            log.append([draft(1)])
    after_kill = _on(killed, is_synced=False)
    with _opened(after_kill) as log:
        found = log.head()
    after_cut = _on(after_kill, is_synced=True)
    with _opened(after_cut) as log:
        assert log.head() == found, "an entry that was read is lost"
