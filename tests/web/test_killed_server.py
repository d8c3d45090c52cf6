"""kill -9 of the server at random moments during play: nothing acknowledged is lost, nothing acts twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from passline.store.data_folder import open_log
from passline.store.entry import Head, LogRow, Stored
from passline.store.verify import verify_log
from passline.tables.verify import decision_faults
from passline.web.startup import Settings
from tests.killed_server import TABLE, killed_again_and_again, seated_house
from tests.postgres import postgres_server

pytestmark = pytest.mark.long

KILLS = 200
PLAYERS = 4


def test_nothing_acknowledged_is_lost_or_doubled_with_sqlite(tmp_path: Path) -> None:
    _kill_and_check(Settings(data=tmp_path / "house"))


def test_nothing_acknowledged_is_lost_or_doubled_with_postgresql(tmp_path: Path) -> None:
    with postgres_server() as server:
        _kill_and_check(Settings(data=tmp_path / "house", database=server.database()))


def _kill_and_check(settings: Settings) -> None:
    players = seated_house(settings, PLAYERS)
    killed_again_and_again(settings, players, times=KILLS, seed=20261115)
    log = open_log(settings.data, settings.database)
    entries = list(log.read())
    head = log.head()
    log.close()
    logged = Counter((one.entry.actor, one.entry.id) for one in entries if one.entry.stream == f"table/{TABLE}")
    assert set(logged.values()) == {1}, "a command acted twice"
    by_id = {(one.entry.actor, one.entry.id): one for one in entries}
    done = 0
    for player in players:
        for id_, answer in player.answers.items():
            stored = by_id.get((player.account, id_))
            if answer["kind"] == "refused":
                assert stored is None, f"{id_} was refused and yet acted: {answer}"
                continue
            done += 1
            assert stored is not None, f"{id_} was acknowledged and is lost"
            assert stored.entry.sequence == answer["sequence"]
            told = answer["head"]
            assert entries[told["sequence"] - 1].hash.hex() == told["hash"], "an acknowledged head is not in the log"
    assert done > 2 * KILLS, "there was hardly any load"
    _check_whole(log.public_key, entries, head)


def _check_whole(public_key: bytes, entries: list[Stored], head: Head | None) -> None:
    """Check the chain, every seal, and every decision by replaying it with the ledger."""
    report = verify_log((LogRow(one.body, one.hash, one.seal) for one in entries), public_key, head, every_seal=True)
    assert report.is_intact, report.faults[:5]
    assert list(decision_faults(entries)) == []
