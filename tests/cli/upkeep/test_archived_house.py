"""A house whose days are archived, backed up and restored is played on, and every decision in it is found the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.live.archived_house import KEEP_DAYS, is_intact, make_house, play_on, restore_from_archives
from benchmarks.live.casino import FACILITY
from passline.store.data_folder import open_log
from passline.store.sqlite import SqliteLog
from tests.serving import serving


@pytest.mark.whole
def test_a_house_restored_from_its_archives_plays_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    last = (datetime.now(UTC) - timedelta(days=2 * KEEP_DAYS)).date()
    made = make_house(tmp_path / "house", 2, last, fills=3, play=10)
    restored = restore_from_archives(tmp_path / "house", tmp_path)
    log = open_log(restored)
    assert isinstance(log, SqliteLog)
    segments = log.archived.segments()
    assert segments[-1].last >= made["entries"]
    days = [
        {str(FACILITY.gaming_day(stored.entry.at)) for stored in log.read(after=segment.first - 1, until=segment.last)}
        for segment in segments
    ]
    assert [len(found) for found in days] == [1] * len(days)
    assert len(set[str]().union(*days)) == len(days)
    assert str(last) in days[-1]
    log.close()
    with serving(restored) as server:
        at = play_on(server.address, 2)
    assert at > made["entries"]
    capsys.readouterr()
    assert is_intact(restored)
    assert "intact, and the engine reaches the same decisions" in capsys.readouterr().out
